# SPDX-License-Identifier: GPL-2.0-only
"""Runs the command line, and ends in good order when told to stop."""

import signal
import sys
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _stop(_number: int, _frame: FrameType | None) -> None:
    # A second signal may not disturb the cleaning up after the first
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _run() -> int:
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _stop)
    try:
        from gen.cli import main  # takes long enough to be interrupted

        return main()
    except KeyboardInterrupt:
        print("error: interrupted; no file is left half-written", file=sys.stderr)
        return 2


sys.exit(_run())
