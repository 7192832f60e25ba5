# SPDX-License-Identifier: GPL-2.0-only
"""One run at a time in an output folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gen.errors import UserError


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Refuse to work in an output folder in which another run is at work."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"{folder}: another run is at work here; try again when it is done"
            ) from error
        except OSError:
            pass  # this file system has no locks
        yield
    finally:
        os.close(descriptor)
