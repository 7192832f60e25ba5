# SPDX-License-Identifier: GPL-2.0-only
"""Kernel versions and ranges of them, down to stable point releases."""

from __future__ import annotations

import re
from dataclasses import dataclass

Version = tuple[int, ...]

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")
_RANGE = re.compile(
    r"since\s+(?P<since>\S+)|up\s+to\s+(?P<until>\S+)"
    r"|(?P<first>\S+)\s*-\s*(?P<last>\S+)"
)
_OLDEST: Version = (0,)
_NEWEST: Version = (10**6,)


def parse_version(text: str) -> Version:
    """``6.12.117`` -> (6, 12, 117); ``6.12`` -> (6, 12).  ValueError otherwise."""
    match = _VERSION.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not a kernel version such as 6.12 or 6.12.3")
    return tuple(int(part) for part in match.groups() if part is not None)


def release_version(text: str) -> Version:
    """The version at the start of a release: ``6.13.0-rc1+`` -> (6, 13, 0)."""
    match = _VERSION.match(text)
    if not match:
        raise ValueError(f"'{text}' does not start with a kernel version")
    return parse_version(match.group())


def show_version(version: Version) -> str:
    return ".".join(map(str, version))


@dataclass(frozen=True)
class Range:
    """Versions from `first` to `last`, both included.

    A `last` of two numbers takes in all stable releases of that version.
    """

    first: Version = _OLDEST
    last: Version = _NEWEST

    def __contains__(self, version: Version) -> bool:
        return self.first <= version and version[: len(self.last)] <= self.last

    def overlaps(self, other: Range) -> bool:
        return other.first in self or self.first in other

    def __str__(self) -> str:
        if self.first == _OLDEST:
            if self.last == _NEWEST:
                return "all"
            return f"up to {show_version(self.last)}"
        if self.last == _NEWEST:
            return f"since {show_version(self.first)}"
        return f"{show_version(self.first)} - {show_version(self.last)}"

    @staticmethod
    def parse(text: str) -> Range:
        match = _RANGE.fullmatch(text.strip())
        if not match:
            raise ValueError(
                f"'{text.strip()}' is not a range such as '4.15 - 6.8', 'since 6.9' "
                "or 'up to 6.6.7'"
            )
        first = match["since"] or match["first"]
        last = match["until"] or match["last"]
        result = Range(
            parse_version(first) if first else _OLDEST,
            parse_version(last) if last else _NEWEST,
        )
        if result.first not in result:
            raise ValueError(f"the range '{text.strip()}' ends before it begins")
        return result


@dataclass(frozen=True)
class Ranges:
    """A union of ranges; empty means no version at all."""

    parts: tuple[Range, ...] = (Range(),)

    def __contains__(self, version: Version) -> bool:
        return any(version in part for part in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def last(self) -> Version:
        return max(part.last for part in self.parts)

    def overlaps(self, other: Ranges) -> bool:
        return any(a.overlaps(b) for a in self.parts for b in other.parts)

    def __str__(self) -> str:
        return ", ".join(map(str, self.parts))

    @staticmethod
    def parse(text: str) -> Ranges:
        parts = tuple(Range.parse(part) for part in text.split(","))
        for i, part in enumerate(parts):
            for other in parts[:i]:
                if part.overlaps(other):
                    raise ValueError(f"the ranges '{other}' and '{part}' overlap")
        return Ranges(parts)


ALWAYS = Ranges()
NEVER = Ranges(())
