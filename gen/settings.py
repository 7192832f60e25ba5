# SPDX-License-Identifier: GPL-2.0-only
"""One wanted setting: a symbol, boot parameter or sysctl and the state it is to have.

The textual form is the one of the catalogue's titles (docs/guide/catalogue.rst).
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

KCONFIG, CMDLINE, SYSCTL = "kconfig", "cmdline", "sysctl"


class Match(enum.Enum):
    """How a value is compared with the wanted one."""

    EXACT = "="
    AT_LEAST = ">="
    HIGHEST = "=max"
    ANY = "=any"
    BETWEEN = ".."
    CONTAINS = " contains "


_KCONFIG = re.compile(r"(?:CONFIG_)?([A-Z0-9_a-z]+)(=|>=| contains )(.+)")
_RUNTIME = re.compile(r"(cmdline|sysctl):([\w.\-]+)(?:(=|>=| contains )(.+))?")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)|0[xX][0-9a-fA-F]+")
_STRING = re.compile(r'"([^"\\\n]*)"')
_BETWEEN = re.compile(r"(\d+)\.\.(\d+)")
_ITEM = re.compile(r'"([^",\\\s]+)"')
_TRISTATE = {"n": 0, "m": 1, "y": 2}


def number(text: str) -> int | None:
    """The value of a decimal or 0x number, else None."""
    return int(text, 0) if _NUMBER.fullmatch(text) else None


@dataclass(frozen=True)
class Setting:
    """`value` is plain: no quotes around strings, empty for ``=max``, ``=any`` and for
    boot parameters without a value.  `name` is without CONFIG_."""

    kind: str
    name: str
    value: str
    match: Match = Match.EXACT
    quoted: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """What two settings share if they speak of the same thing."""
        item = (self.value,) if self.match is Match.CONTAINS else ()
        return (self.kind, self.name, *item)

    def renamed(self, name: str) -> Setting:
        return Setting(self.kind, name, self.value, self.match, self.quoted)

    @property
    def target(self) -> str:
        """The thing that is set: CONFIG_X, cmdline:x or sysctl:x.y."""
        prefix = "CONFIG_" if self.kind == KCONFIG else f"{self.kind}:"
        return prefix + self.name

    @property
    def wanted(self) -> str:
        """The wanted state as people read it in a report."""
        if self.match in (Match.EXACT, Match.BETWEEN):
            return f'"{self.value}"' if self.quoted else self.value or "present"
        if self.match is Match.CONTAINS:
            return f'contains "{self.value}"'
        if self.match is Match.AT_LEAST:
            return f">={self.value}"
        return self.match.value.removeprefix("=")

    def __str__(self) -> str:
        if self.match is Match.CONTAINS:
            return f"{self.target} {self.wanted}"
        if self.match is Match.AT_LEAST:
            return self.target + self.wanted
        if not self.value and self.match is Match.EXACT and not self.quoted:
            return self.target
        return f"{self.target}={self.wanted}"

    def held_by(self, value: str, highest: int | None = None) -> bool:
        """Whether a symbol that has `value` is in the wanted state.

        `value` is plain text, 'n' for a bool that is off; `highest` is the upper
        end of the symbol's range, needed for ``=max``.
        """
        if self.match is Match.CONTAINS:
            return self.value in value.split(",")
        if self.match is Match.ANY:
            return value != ""
        if self.match is Match.BETWEEN:
            low, high = map(int, self.value.split(".."))
            have = number(value)
            return have is not None and low <= have <= high
        if self.match is Match.EXACT and (self.quoted or number(self.value) is None):
            return value == self.value
        have = number(value)
        if have is None:
            return False
        if self.match is Match.HIGHEST:
            return highest is not None and have >= highest
        want = number(self.value)
        assert want is not None
        return have >= want if self.match is Match.AT_LEAST else have == want

    def nearly_held_by(self, value: str) -> bool:
        """Whether `value` goes part of the way: m where y is wanted."""
        return self.match is Match.EXACT and (self.value, value) == ("y", "m")

    @staticmethod
    def parse(text: str) -> Setting:
        """Read a title, or a NAME=value of a field.  ValueError says what is wrong."""
        text = " ".join(text.split())
        runtime = _RUNTIME.fullmatch(text)
        if runtime:
            return _parse_runtime(text, *runtime.groups())
        kconfig = _KCONFIG.fullmatch(text)
        if not kconfig:
            raise ValueError(
                f"'{text}' is not a setting such as CONFIG_X=y, CONFIG_X>=100 "
                'or CONFIG_X contains "item"'
            )
        name, operator, value = kconfig.groups()
        if operator != "=":
            return _parse_comparison(text, KCONFIG, name, operator, value)
        if value in ("max", "any"):
            return Setting(KCONFIG, name, "", Match(f"={value}"))
        if _BETWEEN.fullmatch(value):
            return Setting(KCONFIG, name, value, Match.BETWEEN)
        string = _STRING.fullmatch(value)
        if string:
            return Setting(KCONFIG, name, string[1], quoted=True)
        if value not in _TRISTATE and number(value) is None:
            raise ValueError(
                f"'{text}': the value '{value}' is neither y, m, n, max, a number "
                "nor a quoted string"
            )
        return Setting(KCONFIG, name, value)


def _parse_comparison(
    text: str, kind: str, name: str, operator: str, value: str
) -> Setting:
    """`operator` is one of those that are not '='."""
    if operator == " contains ":
        item = _ITEM.fullmatch(value)
        if not item:
            raise ValueError(f"'{text}': a list item is quoted and has no comma")
        return Setting(kind, name, item[1], Match.CONTAINS, True)
    if number(value) is None:
        raise ValueError(f"'{text}': '{value}' is not a number")
    return Setting(kind, name, value, Match.AT_LEAST)


def _parse_runtime(
    text: str, kind: str, name: str, operator: str | None, value: str | None
) -> Setting:
    """Quotes only keep a value with commas together."""
    if operator is None or value is None:
        if kind == SYSCTL:
            raise ValueError(f"'{text}': a sysctl needs a value")
        return Setting(kind, name, "")
    if operator != "=":
        return _parse_comparison(text, kind, name, operator, value)
    if value == "max":
        return Setting(kind, name, "", Match.HIGHEST)
    if _BETWEEN.fullmatch(value):
        return Setting(kind, name, value, Match.BETWEEN)
    string = _STRING.fullmatch(value)
    return Setting(kind, name, string[1] if string else value)


#: A comma outside of quotes
_COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')


def parse_settings(text: str) -> tuple[Setting, ...]:
    """A comma-separated list of settings, as fields hold them."""
    return tuple(Setting.parse(part) for part in _COMMA.split(text) if part.strip())


#: Boot parameters stand in their fields as on the command line
_WORD = re.compile(r'\S+ contains "[^"]*"|\S+')


def parse_parameters(text: str) -> tuple[Setting, ...]:
    """Boot parameters separated by white space, without cmdline: before each."""
    words = _WORD.findall(" ".join(text.split()))
    return tuple(Setting.parse(f"{CMDLINE}:{word}") for word in words)
