# SPDX-License-Identifier: GPL-2.0-only
"""Statements as they stand in the Kconfig files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """A line of a Kconfig file."""

    file: str  # relative to the kernel source
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# A comment at the end of a line, after what is quoted or an expansion
_COMMENT = re.compile(r"""^((?:[^#"'$]|"[^"]*"|'[^']*'|\$(?!\()|\$\(.*\))*)#.*$""")


class Sources:
    """Reads statements, for messages only, so files are opened when one is due."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, list[str]] = {}

    def statement(self, file: str, last_line: int) -> tuple[Place, str]:
        """Where the statement that ends in a line begins, and its text on one line."""
        lines = self._lines(file)
        start = last_line
        while start > 1 and lines[start - 2].endswith("\\"):
            start -= 1
        parts = (line.removesuffix("\\") for line in lines[start - 1 : last_line])
        text = _COMMENT.sub(r"\1", " ".join(parts))
        return Place(file, start), " ".join(text.split())

    def _lines(self, file: str) -> list[str]:
        if file not in self._files:
            text = (self._root / file).read_text("utf-8", "replace")
            self._files[file] = text.split("\n")
        return self._files[file]


def macros(text: str) -> Iterator[str]:
    """The outermost $(...) in a statement."""
    start = text.find("$(")
    while start >= 0:
        depth = 0
        for end in range(start + 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                yield text[start : end + 1]
                break
        else:
            return
        start = text.find("$(", end)
