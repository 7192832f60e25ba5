# SPDX-License-Identifier: GPL-2.0-only
"""What a level asks of one tree: an entry, and the symbol that stands for it there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gen.entries import Entry
from gen.pins import Pin
from gen.settings import KCONFIG, Match, Setting
from gen.target import WIDE, Target, architecture_of
from gen.tree.model import Model
from gen.tree.search.search import Answer


@dataclass(eq=False)
class Wish:
    """An entry and the symbol that stands for it in the tree at hand.

    `name` is None if the tree defines none of the entry's names.  `held_before` says
    whether the base had it already.  As a goal it is met by something stronger, too.
    `answer` is what the last search for a way to get it found; None if there was no
    need for one.
    """

    entry: Entry
    name: str | None
    held_before: bool
    answer: Answer | None = None

    @property
    def setting(self) -> Setting:
        setting = self.entry.setting
        return setting.renamed(self.name) if self.name else setting

    def held(self, model: Model) -> bool:
        """Whether the model's present state has it, or something stronger."""
        settings = (self.setting, *self.entry.stronger)
        return any(held(model, setting) for setting in settings)

    def aim(self, model: Model) -> tuple[str, str] | None:
        """Symbol and value to strive for; None if there is no such value now.

        Without a symbol of its own, that is something stronger.
        """
        settings = (self.setting, *self.entry.stronger)
        setting = next((s for s in settings if model.defined(s.name)), None)
        value = aim(model, setting) if setting else None
        return None if setting is None or value is None else (setting.name, value)

    def __str__(self) -> str:
        return f"{self.setting} (level {self.entry.level})"


@dataclass(frozen=True)
class Kept:
    """A pin as a goal."""

    pin: Pin

    @property
    def setting(self) -> Setting:
        return Setting(KCONFIG, self.pin.name, self.pin.value)

    def held(self, model: Model) -> bool:
        return model.value(self.pin.name) == self.pin.value

    def aim(self, _model: Model) -> tuple[str, str]:
        return self.pin.name, self.pin.value

    def __str__(self) -> str:
        return f"{self.pin}, which is to be kept ({self.pin.origin})"


@dataclass(frozen=True)
class Wanted:
    """A setting as a goal; what is stronger does not count."""

    setting: Setting

    def held(self, model: Model) -> bool:
        return held(model, self.setting)

    def aim(self, model: Model) -> tuple[str, str] | None:
        value = aim(model, self.setting)
        return None if value is None else (self.setting.name, value)


@dataclass(frozen=True)
class SameMachine:
    """That the kernel stays for the architecture that it is for, x86_64 say."""

    target: Target

    def held(self, model: Model) -> bool:
        architecture = self.target.architecture
        return architecture_of(architecture, model.value) == architecture

    def aim(self, _model: Model) -> tuple[str, str]:
        return WIDE, "n" if self.target.architecture == "i386" else "y"

    def __str__(self) -> str:
        return f"{self.target.architecture}, which the kernel is for"


def make_wish(model: Model, entry: Entry) -> Wish:
    """The wish for an entry, with the base in the model."""
    name = next((n.name for n in entry.names if model.defined(n.name)), None)
    setting = entry.setting
    return Wish(entry, name, bool(name and held(model, setting.renamed(name))))


def hardening(model: Model, entries: Iterable[Entry]) -> list[Wish]:
    """Wishes for entries of whatever level, as far as the tree has such symbols."""
    kconfig = (entry for entry in entries if entry.setting.kind == KCONFIG)
    wishes = (make_wish(model, entry) for entry in kconfig)
    return [wish for wish in wishes if wish.name]


def held(model: Model, setting: Setting) -> bool:
    """Whether the model's present state is the one that a Kconfig setting wants."""
    value = model.value(setting.name)
    return value is not None and value_holds(model, setting, value)


def value_holds(model: Model, setting: Setting, value: str) -> bool:
    """Whether `value`, as it stands in a .config, is what the setting wants.

    A .config does not tell what is set at boot or at run time.
    """
    if setting.kind != KCONFIG:
        return False
    if model.type(setting.name) == "hex" and not value.lower().startswith("0x"):
        value = f"0x{value}"
    span = model.range(setting.name)
    return setting.held_by(value, span[1] if span else None)


def hopeless(model: Model, setting: Setting) -> bool:
    """Whether it is proved that no configuration can have a setting."""
    value = aim(model, setting)
    if value is None:
        return model.out_of_reach(setting.name)
    return bool(model.proof(setting.name, value))


def aim(model: Model, setting: Setting) -> str | None:
    """The value that a setting wants of its symbol in the model's present state.

    None if there is no such value: a highest one needs a range.  Settings that only
    compare (=any, 1..9) are not aimed at.
    """
    if setting.match is Match.CONTAINS:
        items = [i for i in (model.value(setting.name) or "").split(",") if i]
        if setting.value not in items:
            items.append(setting.value)
        return ",".join(items)
    if setting.match is Match.HIGHEST:
        span = model.range(setting.name)
        if span is None:
            return None
        return hex(span[1]) if model.type(setting.name) == "hex" else str(span[1])
    return setting.value


def assignments(model: Model, settings: Iterable[Setting]) -> set[tuple[str, str]]:
    """What it takes, by the model's present state, to assign settings."""
    values = ((setting.name, aim(model, setting)) for setting in settings)
    return {(name, value) for name, value in values if value is not None}
