# SPDX-License-Identifier: GPL-2.0-only
"""What the catalogue says of one boot parameter: how the kernel reads it."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from gen.entries import ALL_ARCHITECTURES, Origin
from gen.settings import Match, Setting, number
from gen.versions import ALWAYS, Ranges


class Form(enum.Enum):
    """How the text after the '=' is read."""

    WORDS = "words"
    BOOL = "bool"
    NUMBER = "number"
    LIST = "list"
    LETTERS = "letters"
    TEXT = "text"


class Repeats(enum.Enum):
    """What happens if the parameter comes more than once."""

    LAST = "last"
    ADD = "add"
    HIGHEST = "highest"

    @staticmethod
    def parse(text: str) -> Repeats:
        try:
            return Repeats(text.strip())
        except ValueError:
            known = ", ".join(r.value for r in Repeats)
            raise ValueError(f"'{text.strip()}' is none of {known}") from None


@dataclass(frozen=True)
class Values:
    """`bare`: it may stand as a word without '='; `words`: for WORDS those that the
    kernel takes, for LIST the items, if it refuses others."""

    form: Form
    bare: bool
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spelling:
    """`value` is what the bare word stands for; None: written like the first name."""

    name: str
    value: str | None = None


@dataclass(frozen=True)
class Parameter:
    """One section parameter:NAME; docs/guide/catalogue.rst explains the fields."""

    name: str
    origin: Origin
    values: Values
    repeats: Repeats = Repeats.LAST
    spellings: tuple[Spelling, ...] = ()
    kernels: Ranges = ALWAYS
    architectures: frozenset[str] = ALL_ARCHITECTURES
    prerequisites: tuple[Setting, ...] = ()

    @property
    def all_spellings(self) -> tuple[Spelling, ...]:
        """Every name as the kernel compares names, the one in the title first."""
        spellings = (Spelling(self.name), *self.spellings)
        return tuple(Spelling(plain(s.name), s.value) for s in spellings)

    def canonical(self, setting: Setting) -> Setting:
        """A setting of this parameter, under any spelling, as the kernel takes it.

        ValueError if the parameter can never be in that state.
        """
        name = plain(setting.name)
        spelling = next(s for s in self.all_spellings if s.name == name)
        value = setting.value
        if spelling.value is not None:
            if value or setting.match is not Match.EXACT:
                raise ValueError(f"'{setting}': {spelling.name} takes no value")
            value = spelling.value
        match = setting.match
        if match is Match.EXACT:
            value = self._value(setting, value)
            if self.values.form is Form.LIST:
                match = Match.CONTAINS
        elif match is Match.CONTAINS and self.values.form is not Form.LIST:
            raise ValueError(f"'{setting}': the parameter is no list")
        elif match is not Match.CONTAINS and self.values.form is not Form.NUMBER:
            raise ValueError(f"'{setting}': the parameter is no number")
        return Setting(setting.kind, plain(self.name), value, match)

    def _value(self, setting: Setting, value: str) -> str:
        form = self.values.form
        if value == "":
            if not self.values.bare:
                raise ValueError(f"'{setting}': the parameter needs a value")
            return "1" if form is Form.BOOL else ""
        if form is Form.BOOL:
            if value not in _BOOL:
                raise ValueError(f"'{setting}': '{value}' is neither on nor off")
            return _BOOL[value]
        if form is Form.NUMBER and number(value) is None:
            raise ValueError(f"'{setting}': '{value}' is not a number")
        words = self.values.words
        said = value.split(",") if form is Form.LIST and words else [value]
        if (form is Form.WORDS or words) and not set(said) <= set(words):
            known = ", ".join(words) or "no value"
            raise ValueError(f"'{setting}': the kernel takes {known}")
        return value


#: The spellings of bools that the catalogue uses
_BOOL = {"1": "1", "on": "1", "y": "1", "0": "0", "off": "0", "n": "0"}


def plain(name: str) -> str:
    """A parameter's name as the kernel compares it."""
    return name.replace("-", "_")


def parse_values(text: str) -> Values:
    words = text.split()
    bare = "present" in words
    words = [word for word in words if word != "present"]
    forms = [word for word in words if word in (f.value for f in Form)]
    items = [word for word in words if word not in forms]
    if len(forms) > 1 or forms and items and forms[0] != Form.LIST.value:
        raise ValueError(
            f"'{forms[0]}' stands alone, or beside 'present'; a list has its items"
        )
    if not words and not bare:
        raise ValueError("neither a form nor words")
    return Values(Form(forms[0]) if forms else Form.WORDS, bare, tuple(items))


def parse_spellings(text: str) -> tuple[Spelling, ...]:
    """``nopti (off), kpti``: a bare word that stands for a value, and another name."""
    found = []
    for part in (p.strip() for p in text.split(",")):
        match = re.fullmatch(r"([\w.\-]+)(?:\s*\(([^()]+)\))?", part)
        if not match:
            raise ValueError(f"'{part}' is not a spelling such as 'nopti (off)'")
        found.append(Spelling(match[1], match[2]))
    return tuple(found)
