# SPDX-License-Identifier: GPL-2.0-only
"""What the catalogue says of one setting."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from gen.settings import Setting
from gen.versions import ALWAYS, NEVER, Ranges, Version, show_version

#: Architectures by the name that people use, and the folder under arch/ of each.
SRCARCH = {
    "x86_64": "x86",
    "i386": "x86",
    "arm64": "arm64",
    "arm": "arm",
    "riscv": "riscv",
    "powerpc": "powerpc",
    "s390": "s390",
}
ALL_ARCHITECTURES = frozenset(SRCARCH)


class Level(enum.IntEnum):
    """Negative side effects, in rising order (docs/hardenedconfig.rst)."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3
    EXTREME = 4

    def __str__(self) -> str:
        return self.name.lower()

    @staticmethod
    def parse(text: str) -> Level:
        try:
            return Level[text.strip().upper()]
        except KeyError:
            raise ValueError(
                f"unknown level '{text.strip()}'; the levels are Low, Medium, High "
                "and Extreme"
            ) from None


@dataclass(frozen=True)
class Compiler:
    """`name` is gcc or clang; as a condition, `version` is the lowest that will do."""

    name: str
    version: Version = ()

    def meets(self, condition: Compiler) -> bool:
        return self.name == condition.name and self.version >= condition.version

    def __str__(self) -> str:
        return f"{self.name} {show_version(self.version)}".strip()

    @property
    def condition(self) -> str:
        """The text of a condition, as the catalogue has it: 'gcc >= 12'."""
        return str(self).replace(" ", " >= ", 1)

    _FORM = re.compile(r"(gcc|clang)(?:\s*>=\s*(\d+(?:\.\d+)*))?")

    @staticmethod
    def parse(text: str) -> Compiler:
        match = Compiler._FORM.fullmatch(text.strip())
        if not match:
            raise ValueError(
                f"'{text.strip()}' is not a compiler such as 'gcc' or 'clang >= 16'"
            )
        version = match[2]
        if not version:
            return Compiler(match[1])
        return Compiler(match[1], tuple(map(int, version.split("."))))


@dataclass(frozen=True)
class OtherName:
    """A name that the symbol has in other versions."""

    name: str
    kernels: Ranges


@dataclass(frozen=True)
class Origin:
    """Where an entry stands: file as given by the caller, line from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Entry:
    """One section of the catalogue; docs/guide/catalogue.rst explains the fields.

    Text fields are plain text and empty where the section says nothing.
    """

    setting: Setting
    level: Level
    protection: str
    origin: Origin
    architectures: frozenset[str] = ALL_ARCHITECTURES
    kernels: Ranges = ALWAYS
    other_names: tuple[OtherName, ...] = ()
    always_on: Ranges = NEVER
    compilers: tuple[Compiler, ...] = ()
    prerequisites: tuple[Setting, ...] = ()
    stronger: tuple[Setting, ...] = ()
    weaker: tuple[Setting, ...] = ()
    check_only: bool = False
    boot_parameters: tuple[str, ...] = ()
    sysctls: tuple[str, ...] = ()
    instead: tuple[Setting, ...] = ()
    undone_by: tuple[Setting, ...] = ()
    maximum: str = ""
    hardware_dependent: bool = False
    reason: str = ""
    sources: tuple[str, ...] = ()
    disagree: str = ""
    breaks: str = ""
    cost: str = ""

    @property
    def names(self) -> tuple[OtherName, ...]:
        """Every name with its versions, the one in the title first."""
        return (OtherName(self.setting.name, self.kernels), *self.other_names)

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """Setting.key under every name."""
        return tuple(self.setting.renamed(n.name).key for n in self.names)

    def concerns(self, architecture: str) -> bool:
        """Entries for all architectures concern those, too, that have no name here."""
        return (
            self.architectures == ALL_ARCHITECTURES
            or architecture in self.architectures
        )

    def exists_in(self, version: Version) -> bool:
        return any(version in n.kernels for n in self.names)

    def excludes(self, other: Entry) -> bool:
        """No kernel build can be meant by both entries."""
        if not self.architectures & other.architectures:
            return True
        mine, theirs = self.compilers, other.compilers
        if mine and theirs and not {c.name for c in mine} & {c.name for c in theirs}:
            return True
        return not any(
            a.kernels.overlaps(b.kernels)
            for a in self.names
            for b in other.names
            if self.setting.renamed(a.name).key == other.setting.renamed(b.name).key
        )


def parse_other_names(text: str) -> tuple[OtherName, ...]:
    """``RETPOLINE (4.15 - 6.8), OLDER (up to 4.14)``; a comma may stand in brackets."""
    names = []
    for part in re.split(r",(?![^(]*\))", text):
        match = re.fullmatch(r"\s*(?:CONFIG_)?(\w+)\s*\(([^()]*)\)\s*", part)
        if not match:
            raise ValueError(
                f"'{part.strip()}' is not a name such as 'OLD (up to 6.8)'"
            )
        names.append(OtherName(match[1], Ranges.parse(match[2])))
    return tuple(names)


def parse_architectures(text: str) -> frozenset[str]:
    found: set[str] = set()
    for name in (part.strip() for part in text.split(",")):
        if name == "x86":
            found |= {"x86_64", "i386"}
        elif name in SRCARCH:
            found.add(name)
        else:
            known = ", ".join(sorted(SRCARCH))
            raise ValueError(f"unknown architecture '{name}'; known: x86, {known}")
    return frozenset(found)


def parse_compilers(text: str) -> tuple[Compiler, ...]:
    return tuple(Compiler.parse(part) for part in text.split(","))
