# SPDX-License-Identifier: GPL-2.0-only
"""Runs the command line, and ends in good order when told to stop."""

import os
import sys


_TOLD = "error: interrupted; no file is left half-written"


def _run() -> int:
    # Whatever is imported takes long enough to be interrupted
    import signal

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    # as under nohup
    heard = [n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN]

    def end(_number: int, _frame: object) -> None:
        # An exception might come up anywhere within the import, and be lost or wrapped;
        # so far there is nothing to clean up
        os.write(2, f"{_TOLD}\n".encode())
        os._exit(2)

    def stop(_number: int, _frame: object) -> None:
        # A second signal may not disturb the cleaning up after the first
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in heard:
        signal.signal(number, end)
    from gen.cli import main

    for number in heard:
        signal.signal(number, stop)
    return main()


try:
    code = _run()
except KeyboardInterrupt:
    print(_TOLD, file=sys.stderr)
    sys.stderr.flush()
    # sys.exit() would die of SIGINT where the interrupt came in code that exec() ran,
    # as when a dataclass is made, although it was caught
    os._exit(2)
sys.exit(code)
