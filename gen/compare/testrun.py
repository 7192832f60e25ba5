# SPDX-License-Identifier: GPL-2.0-only
"""Runs the user's test of a config, and keeps the results.

As with `git bisect run`, a test's exit code says: 0, good; 125, cannot be tested; 1 to
124, bad; anything else that the test itself went wrong.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType

from gen.errors import UserError
from gen.compare.halving import Result
from gen.savefile import told

_SKIP = 125
_STDERR = 2
_GRACE = 5.0  # seconds that an interrupted test has to end in good order
_LINE = re.compile(r"\S+ \S+  (good|bad|untestable) +exit (\d+)  (\w{16})  .*")


def run_test(command: str, config: Path) -> int:
    """The exit code of a shell command that finds the config's path in $CONFIG.

    What it prints on its standard output goes to the standard error.  It is in a
    process group of its own, which ends with an interrupt.  UserError if it went wrong.
    """
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        env=os.environ | {"CONFIG": str(config.absolute())},
        stdin=subprocess.DEVNULL,
        stdout=_STDERR,
        start_new_session=True,
    ) as process:
        try:
            code = process.wait()
        except BaseException:
            _end(process)
            raise
    if code < 0:
        name = signal.Signals(-code).name
        raise UserError(f"{command}: was killed by {name}; nothing follows from that")
    if code > _SKIP:
        raise UserError(
            f"{command}: exit code {code}; a test says 0 (good), 1 to 124 (bad) or 125 "
            "(cannot be tested)"
        )
    return code


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            return


def result_of(code: int) -> Result:
    if code == _SKIP:
        return Result.UNTESTABLE
    return Result.BAD if code else Result.GOOD


class Log:
    """Results by config, in a file that grows by a line as each result comes.

    `inputs` says what the results belong to; a file of other inputs is refused.
    One run at a time holds the file, which is closed on leaving the context.
    """

    def __init__(self, file: Path, inputs: str) -> None:
        self._file = file
        self._results: dict[str, Result] = {}
        self._head = "".join(f"# {line}\n" for line in inputs.splitlines())

    def __enter__(self) -> Log:
        with told(self._file, "opened"):
            self._stream = open(self._file, "a+", encoding="utf-8")
        try:
            self._lock()
            self._read()
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()

    def known(self, config: str) -> Result | None:
        """The result of a config text, if it has been tested."""
        return self._results.get(_digest(config))

    def add(self, config: str, code: int, what: str) -> Result:
        """Keep the exit code of a test; `what` tells people which config it was."""
        result = result_of(code)
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        digest = _digest(config)
        self._append(f"{now}  {result.value:10} exit {code}  {digest}  {what}\n")
        self._results[digest] = result
        return result

    def _append(self, text: str) -> None:
        with told(self._file, "written"):
            self._stream.write(text)
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def _lock(self) -> None:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"{self._file}: another run is at work with it; wait, or give another "
                "folder"
            ) from error
        except OSError:
            pass  # this file system has no locks

    def _read(self) -> None:
        self._stream.seek(0)
        text = self._stream.read()
        if not text:
            self._append(self._head)
        elif not text.startswith(self._head):
            raise UserError(
                f"{self._file}: belongs to a bisection with other inputs (its first "
                "lines say which); give another folder, or remove this one"
            )
        elif not text.endswith("\n"):
            self._append("\n")  # the machine went down in the middle of a line
        for line in text.splitlines():
            match = _LINE.fullmatch(line)
            if match:
                self._results[match[3]] = Result(match[1])


def _digest(config: str) -> str:
    encoded = config.encode("utf-8", "surrogateescape")
    return hashlib.sha256(encoded).hexdigest()[:16]
