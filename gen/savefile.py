# SPDX-License-Identifier: GPL-2.0-only
"""Writing files so that nobody ever sees half of one, or none."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from gen.errors import UserError


def write(file: Path, text: str) -> None:
    """Write a file such that a full disk is noticed now and not later."""
    try:
        with open(file, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from error


@contextlib.contextmanager
def replacement(
    file: Path, text: str, keep_old: bool = False
) -> Iterator[Callable[[], None]]:
    """Prepare a new text for `file` beside it; the yielded function puts it there.

    With `keep_old` the old file stays as <file>.old.  Without a call of the function
    everything remains as it was.
    """
    new = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    old = file.with_name(file.name + ".old")
    copy = old.with_name(f"{old.name}.{os.getpid()}.tmp")

    def commit() -> None:
        try:
            if keep_old and os.path.lexists(file):
                shutil.copy2(file, copy, follow_symlinks=False)
                os.replace(copy, old)
            os.replace(new, file)
        except OSError as error:
            raise UserError(
                f"{file}: cannot be replaced: {error.strerror}; it is as it was"
            ) from error

    try:
        write(new, text)
        yield commit
    finally:
        for leftover in (new, copy):
            leftover.unlink(missing_ok=True)


@contextlib.contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A folder on the file system of `parent`, gone in the end."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=".hardenedconfig-", dir=parent))
    except OSError as error:
        raise UserError(
            f"{parent}: cannot create a temporary folder here: {error.strerror}"
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
