# SPDX-License-Identifier: GPL-2.0-only
"""Reading .config files, and where a new one is to be put."""

from __future__ import annotations

import os
import re
from pathlib import Path

from gen.errors import UserError

_LINE = re.compile(
    r"CONFIG_(?P<name>\w+)="
    r"(?P<value>[ymn]|-?\d+|(?:0[xX])?[0-9a-fA-F]+|\"(?:\\.|[^\"\\])*\"|)\s*",
    re.ASCII,
)
_TOLD = 10  # mistakes of one file; a file of another kind has thousands
_UNSET = re.compile(r"# CONFIG_(?P<name>\w+) is not set\s*", re.ASCII)
_NOT_UNSET = re.compile(r"#\s*CONFIG_(\w+)\s*", re.ASCII)


def read_text(file: Path) -> str:
    """The text of a config file.  conf takes any bytes, so they survive here too."""
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from error


def parse(text: str, file: str) -> dict[str, str]:
    """Symbol -> plain value ('n' for "is not set", strings without quotes).

    conf drops lines that it does not understand after a warning that is easily
    missed; here each of them is a mistake.  UserError has all of them.
    """
    values: dict[str, str] = {}
    mistakes = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _LINE.fullmatch(line)
        if match:
            value = match["value"]
            if value.startswith('"'):
                value = re.sub(r"\\(.)", r"\1", value[1:-1])
            values[match["name"]] = value
            continue
        match = _UNSET.fullmatch(line)
        if match:
            values[match["name"]] = "n"
        elif line.strip() and not line.startswith("#"):
            shown = line if len(line) <= 60 else line[:57] + "..."
            mistakes.append(f"{file}:{number}: not a line of a .config: {shown!r}")
    if mistakes:
        if len(mistakes) > _TOLD:
            mistakes[_TOLD:] = [f"{file}: and {len(mistakes) - _TOLD} more such lines"]
        hint = "nothing was changed; mend or remove what is named above"
        raise UserError("\n".join([*mistakes, hint]))
    return values


def line(name: str, value: str, string: bool) -> str:
    """The line that gives a symbol a plain value; `string` values get quotes."""
    if value == "n" and not string:
        return f"# CONFIG_{name} is not set\n"
    return f"CONFIG_{name}={written(value, string)}\n"


def written(value: str, string: bool) -> str:
    """A plain value as it is written in a .config."""
    if not string:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def idle_lines(text: str, file: str) -> list[str]:
    """Warnings about comments that look as if they disabled a symbol."""
    return [
        f"{file}:{number}: '{line.strip()}' is a plain comment and disables nothing; "
        f"'# CONFIG_{match[1]} is not set' would"
        for number, line in enumerate(text.split("\n"), 1)
        if (match := _NOT_UNSET.fullmatch(line))
    ]


def destination(config: Path) -> Path:
    """The file that is replaced where `config` may be a symbolic link.

    conf puts a new file in the link's place unless KCONFIG_OVERWRITECONFIG is
    set; then it writes to the file that the link names.
    """
    return config.resolve() if os.environ.get("KCONFIG_OVERWRITECONFIG") else config
