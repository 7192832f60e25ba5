# SPDX-License-Identifier: GPL-2.0-only
"""Writing files so that nobody ever sees half of one, or none."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from gen.errors import UserError


@contextlib.contextmanager
def told(file: Path, done: str) -> Iterator[None]:
    """Turn what the system says against `file` into a message: "cannot be <done>"."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{file}: cannot be {done}: {error.strerror}") from error


def write(file: Path, text: str) -> None:
    """Write a file such that a full disk is noticed now and not later."""
    with told(file, "written"):
        _write(file, text)


def _write(file: Path, text: str) -> None:
    with open(file, "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(text)
        stream.flush()
        if file.is_file():
            os.fsync(stream.fileno())


@contextlib.contextmanager
def replacement(
    file: Path, text: str, keep_old: bool = False
) -> Iterator[Callable[[], None]]:
    """Prepare a new text for `file` beside it; the yielded function puts it there.

    With `keep_old` the old file stays as <file>.old.  All that needs space on the
    disk is done in advance; without a call of the function everything remains as it
    was.  What is no ordinary file, a pipe say, is written to and not replaced.
    """
    if file.exists() and not file.is_file():
        yield lambda: write(file, text)
        return
    new = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    old = file.with_name(f"{file.name}.old")
    copy = old.with_name(f"{old.name}.{os.getpid()}.tmp")

    def commit() -> None:
        with told(file, "replaced"):
            if copy.exists() or copy.is_symlink():
                os.replace(copy, old)
            os.replace(new, file)

    def remove_leftovers() -> None:
        for leftover in (new, copy):
            leftover.unlink(missing_ok=True)

    try:
        with told(file, "written"):
            _write(new, text)
        if keep_old and os.path.lexists(file):
            with told(old, "written"):
                shutil.copy2(file, copy, follow_symlinks=False)
        yield commit
    finally:
        _surely(remove_leftovers)


def check_apart(output: Path | None, *inputs: Path | None) -> None:
    """UserError if a file that is to be written is one of those that are read."""
    for file in inputs:
        if output and file and os.path.realpath(output) == os.path.realpath(file):
            raise UserError(f"{output}: would overwrite {file}; name another file")


@contextlib.contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A folder on the file system of `parent`, gone in the end."""
    folder = parent / f".hardenedconfig-{os.getpid()}"
    try:
        with told(parent, "used for temporary files"):
            shutil.rmtree(folder, ignore_errors=True)  # of a killed namesake
            folder.mkdir(mode=0o700)
        yield folder
    finally:
        _surely(lambda: shutil.rmtree(folder, ignore_errors=True))


def _surely(clean: Callable[[], object]) -> None:
    """Clean up even if an interrupt comes just then; it comes but once."""
    try:
        clean()
    finally:
        clean()
