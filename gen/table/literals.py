# SPDX-License-Identifier: GPL-2.0-only
"""C text for plain values: strings, arrays, the small structs of audit/catalogue.h."""

from __future__ import annotations

from collections.abc import Iterable

from gen.entries import ALL_ARCHITECTURES, Compiler
from gen.versions import Range, Ranges, Version

#: Without '?' there are no trigraphs
_ESCAPES = {'"': r"\"", "\\": r"\\", "?": r"\?"}


def string(text: str) -> str:
    """Bytes outside of printable ASCII become octal of three digits."""
    parts = []
    for byte in text.encode():
        char = chr(byte)
        plain = 0x20 <= byte < 0x7F
        parts.append(_ESCAPES.get(char, char) if plain else f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def array(kind: str, items: Iterable[str]) -> str:
    """A compound literal, or NULL for nothing: C has no empty arrays."""
    inside = ", ".join(items)
    return f"(const {kind}[]){{{inside}}}" if inside else "NULL"


def sized(kind: str, items: Iterable[str]) -> str:
    """{array, number of items}"""
    found = list(items)
    return f"{{{array(kind, found)}, {len(found)}}}"


def version(value: Version) -> str:
    return f"{{{{{', '.join(map(str, value)) or 0}}}, {len(value)}}}"


def _range(value: Range) -> str:
    first = () if value.first == Range().first else value.first
    last = () if value.last == Range().last else value.last
    return f"{{{version(first)}, {version(last)}}}"


def ranges(value: Ranges) -> str:
    return sized("struct range", map(_range, value.parts))


def architectures(names: frozenset[str]) -> str:
    if names == ALL_ARCHITECTURES:
        return "ARCH_ALL"
    return " | ".join(f"ARCH_{name.upper()}" for name in sorted(names))


def compiler(condition: Compiler) -> str:
    return f"{{COMPILER_{condition.name.upper()}, {version(condition.version)}}}"
