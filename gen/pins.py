# SPDX-License-Identifier: GPL-2.0-only
"""Values that the user wants to keep, whatever a level asks for.

A line `# keep` in a config pins the setting on the line below it.  In a file of its
own (KEEP=) every setting is pinned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.errors import UserError

_KEEP = re.compile(r"#\s*keep\s*", re.I)


@dataclass(frozen=True)
class Pin:
    """A symbol and its plain value; `origin` is file:line.  `line` is as it was
    written."""

    name: str
    value: str
    origin: str
    line: str

    def __str__(self) -> str:
        return self.line


def marked(text: str, file: str) -> list[Pin]:
    """The settings of a config that stand below a `# keep` line.

    The config has no line that is no setting.  UserError if a `# keep` line is
    followed by something else, or contradicts another.
    """
    lines = text.split("\n")
    pins = []
    for number, line in enumerate(lines, 1):
        if not _KEEP.fullmatch(line):
            continue
        below = lines[number] if number < len(lines) else ""
        pin = _pin(below, file, number + 1)
        if pin is None:
            raise UserError(
                f"{file}:{number}: '# keep' belongs on the line above a setting; "
                "put it there, or remove it"
            )
        pins.append(pin)
    return _without_contradictions(pins)


def read_pins(file: Path) -> list[Pin]:
    """Every setting of a file that holds nothing but settings to be kept.

    UserError names each line that is none, or contradicts another.
    """
    text = dotconfig.read_text(file)
    dotconfig.parse(text, str(file))
    found = (
        _pin(line, str(file), number) for number, line in enumerate(text.split("\n"), 1)
    )
    return _without_contradictions(pin for pin in found if pin)


def _without_contradictions(pins: Iterable[Pin]) -> list[Pin]:
    kept: dict[str, Pin] = {}
    for pin in pins:
        first = kept.setdefault(pin.name, pin)
        if first.value != pin.value:
            raise UserError(
                f"{pin.origin}: {pin} contradicts {first} in {first.origin}; "
                "remove one of them"
            )
    return list(kept.values())


def _pin(line: str, file: str, number: int) -> Pin | None:
    for name, value in dotconfig.parse(line, file).items():
        return Pin(name, value, f"{file}:{number}", line.strip())
    return None


def mark(text: str, pins: Iterable[Pin]) -> str:
    """A config as conf wrote it, with the `# keep` lines that conf leaves out."""
    names = {pin.name for pin in pins}
    if not names:
        return text
    lines = []
    for line in text.split("\n"):
        pin = _pin(line, "", 0)
        if pin and pin.name in names:
            lines.append("# keep")
        lines.append(line)
    return "\n".join(lines)
