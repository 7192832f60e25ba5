# SPDX-License-Identifier: GPL-2.0-only
"""Finds the assignments that bring a config to the state that a level asks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gen.dotconfig import line
from gen.entries import Entry
from gen.errors import UserError
from gen.target import Target
from gen.prerequisites import Prerequisites
from gen.settings import KCONFIG, Match, Setting
from gen.tree.model import Model


@dataclass
class Wish:
    """An entry and the symbol that stands for it in the tree at hand.

    `name` is None if the tree defines none of the entry's names.  `held_before` says
    whether the base had it already.  `refused` are wishes that a prerequisite of this
    one would undo.
    """

    entry: Entry
    name: str | None
    held_before: bool
    refused: list[str] = field(default_factory=list)

    @property
    def setting(self) -> Setting:
        setting = self.entry.setting
        return setting.renamed(self.name) if self.name else setting


def held(model: Model, setting: Setting) -> bool:
    """Whether the model's present state is the one that a Kconfig setting wants."""
    value = model.value(setting.name)
    return value is not None and value_holds(model, setting, value)


def value_holds(model: Model, setting: Setting, value: str) -> bool:
    """Whether `value`, as it stands in a .config, is what the setting wants."""
    if model.type(setting.name) == "hex" and not value.lower().startswith("0x"):
        value = f"0x{value}"
    span = model.range(setting.name)
    return setting.held_by(value, span[1] if span else None)


def make_wish(model: Model, entry: Entry) -> Wish:
    name = next((n.name for n in entry.names if model.defined(n.name)), None)
    setting = entry.setting
    return Wish(entry, name, bool(name and held(model, setting.renamed(name))))


class Plan:
    """Assignments on top of the state of `model`, with all its defaults written down.

    Without that EXPERT=y, for one, would switch off drivers that are on by default.
    After make() the model is in the predicted final state and `assignments` maps
    each symbol to the value to be written, in the order in which conf must read
    them (in a choice the last member that is set to y wins).  `base` is that state.
    """

    def __init__(self, model: Model, target: Target, catalogue: Iterable[Entry]):
        self._model = model
        self.base = model.text()
        self._target = target
        suiting = (e for e in catalogue if target.suits(e))
        self._prerequisites = Prerequisites(suiting, model.defined)
        self.assignments: dict[str, str] = {}
        self.wishes: list[Wish] = []

    def make(self, entries: Iterable[Entry]) -> None:
        self._model.load(self.base)
        self.wishes = [
            make_wish(self._model, e) for e in entries if e.setting.kind == KCONFIG
        ]
        wanted = {w.setting for w in self.wishes}
        # What something stronger stands in for is only asked for where the
        # stronger setting cannot be had.
        primary = [w for w in self.wishes if not wanted & set(w.entry.stronger)]
        for wishes in (primary, self.wishes):
            # One wish may open the way for another, or close it
            states: list[dict[str, str]] = []
            while self.assignments not in states:
                states.append(dict(self.assignments))
                self._round(wishes)

    def _round(self, wishes: list[Wish]) -> None:
        """Ask for everything that is still missing."""
        missing = [w for w in wishes if self._possible(w) and not self._met(w)]
        for wish in missing:
            self._assign(wish, wish.setting)
        for wish in missing:
            if not self._met(wish):
                self._ask_with_prerequisites(wish)

    def _ask_with_prerequisites(self, wish: Wish) -> None:
        """Prerequisites stay only if they achieve something.

        KASAN=y, say, is harmless together with KASAN_HW_TAGS=y and three times as
        slow without it.
        """
        before = dict(self.assignments)
        self._require(wish)
        self._assign(wish, wish.setting)
        if not self._met(wish):
            self.assignments = before
            self._model.load(self.text())

    def _possible(self, wish: Wish) -> bool:
        return (
            wish.name is not None
            and not self._hopeless(wish)
            and wish.entry.concerns(self._target.architecture)
            and self._target.has_compiler(wish.entry)
        )

    def _hopeless(self, wish: Wish) -> bool:
        setting = wish.setting
        return setting.value != "n" and self._model.out_of_reach(setting.name)

    def _met(self, wish: Wish) -> bool:
        return held(self._model, wish.setting) or any(
            held(self._model, s) for s in wish.entry.stronger
        )

    def _require(self, wish: Wish) -> None:
        wish.refused.clear()
        for setting in self._prerequisites.of(wish.entry):
            if held(self._model, setting):
                continue
            enemy = self._forbidden(setting)
            if enemy is None:
                self._assign(wish, setting)
            elif str(enemy) not in wish.refused:
                wish.refused.append(str(enemy))

    def _forbidden(self, setting: Setting) -> Setting | None:
        """A wish that wants the same symbol in another state."""
        for wish in self.wishes:
            other = wish.setting
            if other.name == setting.name and other != setting:
                if other.match is Match.EXACT and self._possible(wish):
                    return other
        return None

    def _assign(self, wish: Wish, setting: Setting) -> None:
        model = self._model
        if not model.has_prompt(setting.name):
            return  # other symbols set it; prerequisites may
        value = setting.value
        if setting.match is Match.CONTAINS:
            items = [i for i in (model.value(setting.name) or "").split(",") if i]
            if setting.value in items:
                return
            value = ",".join([*items, setting.value])
        elif setting.match is Match.HIGHEST:
            span = model.range(setting.name)
            if span is None:
                return
            value = str(span[1])
        self.assignments.pop(setting.name, None)  # the latest line counts
        self.assignments[setting.name] = value
        try:
            model.assign(setting.name, value)
        except ValueError as error:
            raise UserError(
                f"{wish.entry.origin}: {wish.entry.setting} asks for {setting}: {error}"
            ) from error

    def extras(self) -> list[tuple[Setting, list[Setting]]]:
        """Prerequisites that were assigned, each with the wishes that need it."""
        wanted = {w.setting.name for w in self.wishes}
        users: dict[Setting, list[Setting]] = {}
        for wish in self.wishes:
            if not self._possible(wish) or not self._met(wish):
                continue
            for setting in self._prerequisites.of(wish.entry):
                if setting.name in self.assignments and setting.name not in wanted:
                    users.setdefault(setting, []).append(wish.setting)
        return sorted(users.items(), key=lambda pair: pair[0].name)

    def text(self) -> str:
        """The .config text that conf is to settle: the base, then the assignments."""
        newline = "" if self.base.endswith("\n") else "\n"
        return (
            self.base
            + newline
            + "".join(
                line(name, value, self._model.type(name) == "string")
                for name, value in self.assignments.items()
            )
        )
