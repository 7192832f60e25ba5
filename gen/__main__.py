# SPDX-License-Identifier: GPL-2.0-only
"""Runs the command line, and ends in good order when told to stop."""

import os
import sys


def _run() -> int:
    # Whatever is imported takes long enough to be interrupted
    import signal

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(_number: int, _frame: object) -> None:
        # A second signal may not disturb the cleaning up after the first
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, stop)

    from gen.cli import main

    return main()


try:
    code = _run()
except (KeyboardInterrupt, RuntimeError) as error:
    # Python wraps what is raised while a dataclass is made
    if not isinstance(error.__cause__ or error, KeyboardInterrupt):
        raise
    print("error: interrupted; no file is left half-written", file=sys.stderr)
    sys.stderr.flush()
    # sys.exit() would die of SIGINT where the interrupt came in code that exec() ran,
    # as when a dataclass is made, although it was caught
    os._exit(2)
sys.exit(code)
