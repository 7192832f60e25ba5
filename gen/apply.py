# SPDX-License-Identifier: GPL-2.0-only
"""Finds the assignments that bring a config to the state that a level asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gen.dotconfig import line
from gen.entries import Entry
from gen.errors import UserError
from gen.pins import Pin
from gen.prerequisites import Prerequisites
from gen.settings import KCONFIG, Setting
from gen.target import Target
from gen.tree.model import Model
from gen.tree.search.goals import apply
from gen.tree.search.search import Answer, Exact, Found, Goal, Impossible, Search
from gen.wishes import (
    Kept,
    SameMachine,
    Wanted,
    Wish,
    assignments,
    hardening,
    hopeless,
    make_wish,
)


class Plan:
    """Assignments on top of the state of `model`, with all its defaults written down.

    Without that EXPERT=y, for one, would switch off drivers that are on by default.
    After make() the model is in the predicted final state and `assignments` maps
    each symbol to the value to be written, in the order in which conf must read
    them (in a choice the last member that is set to y wins).  `base` is that state.
    `extras` are those that no wish asks for by name, each with the wishes that would
    be lost without it.
    """

    def __init__(
        self,
        model: Model,
        target: Target,
        catalogue: Iterable[Entry],
        pins: Sequence[Pin] = (),
    ):
        self._model = model
        self.base = model.text()
        self._target = target
        self._finder = Search(model)
        suiting = [e for e in catalogue if target.suits(e)]
        self._hardening = hardening(model, suiting)
        self._prerequisites = Prerequisites(suiting, model.defined)
        self._pins = {pin.name: Kept(pin) for pin in pins}
        self._kept = [kept for kept in self._pins.values() if kept.held(model)]
        self.assignments: dict[str, str] = {}
        self.wishes: list[Wish] = []
        self.extras: list[tuple[Setting, list[Setting]]] = []

    def make(self, entries: Iterable[Entry]) -> None:
        """Plan for the entries: first what is asked for, then what else that takes.

        Where wishes exclude each other, the one with fewer side effects stands.
        """
        self._model.load(self.base)
        self.wishes = [
            make_wish(self._model, e) for e in entries if e.setting.kind == KCONFIG
        ]
        wanted = {w.setting for w in self.wishes}
        # What something stronger stands in for is only asked for where the
        # stronger setting cannot be had.
        primary = [w for w in self.wishes if not wanted & set(w.entry.stronger)]
        for wishes in (primary, self.wishes):
            self._ask(wishes)
            self._search(wishes)
        self._trim()
        # In a choice, what was assigned before the last value may matter
        self._replay()

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

    def _missing(self, wishes: Iterable[Wish]) -> list[Wish]:
        """Wishes that are not met and may be, as far as is known beforehand."""
        return [
            w
            for w in wishes
            if w.name is not None
            and w.entry.concerns(self._target.architecture)
            and self._target.has_compiler(w.entry)
            and not hopeless(self._model, w.setting)
            and not w.held(self._model)
        ]

    # -- What is asked for ------------------------------------------------------

    def _ask(self, wishes: Iterable[Wish]) -> None:
        """Assign what is missing, until that makes no difference any more.

        One wish may open the way for another, or close it.  What has been found to be
        excluded is not asked for again: that might undo what excludes it.
        """
        states: list[dict[str, str]] = []
        while self.assignments not in states:
            states.append(dict(self.assignments))
            for wish in self._missing(wishes):
                if not isinstance(wish.answer, Impossible):
                    self._ask_for(wish)

    def _ask_for(self, wish: Wish) -> None:
        aim = wish.aim(self._model)
        if aim is None or not self._model.has_prompt(aim[0]):
            return  # other symbols set it; the search may find them
        broken = self._broken_by(wish, *aim)
        wish.answer = Impossible(broken) if broken else None
        if not broken:
            self._assign(wish, *aim)

    def _broken_by(self, wish: Wish, name: str, value: str) -> list[Goal]:
        """The pins that an assignment would undo."""
        if name in self._pins:
            return [self._pins[name]]
        with self._model.trial():
            self._assign_to_model(wish, name, value)
            return [kept for kept in self._kept if not kept.held(self._model)]

    # -- What else that takes ---------------------------------------------------

    def _search(self, wishes: Iterable[Wish]) -> None:
        """Find the smallest sets of assignments for what is still missing."""
        ranked = sorted(wishes, key=lambda wish: wish.entry.level)
        for rank, wish in enumerate(ranked):
            if wish.name in self._pins or not self._missing([wish]):
                continue
            answer = self._smallest(wish, self.wishes)
            if isinstance(answer, Impossible) and answer.against:
                # What excludes it has to give way if it has a lower rank
                answer = self._smallest(wish, ranked[:rank])
            wish.answer = answer
            if isinstance(answer, Found):
                for name, value in answer.assignments:
                    self._assign(wish, name, value)

    def _smallest(self, wish: Wish, others: Iterable[Wish]) -> Answer:
        """The smallest set that undoes neither a pin nor any of the other wishes.

        Nor does it turn off modules, which would make y of every m, or make the kernel
        another machine's.
        """
        keep: list[Goal] = [SameMachine(self._target), *self._kept, *others]
        modules = self._model.modules()
        if modules:
            keep.append(Exact(modules, "y"))
        idle = [pin for pin in self._pins.values() if pin not in self._kept]
        answer = self._find(wish, keep, idle)
        if idle and isinstance(answer, Impossible) and not answer.against:
            if not isinstance(self._find(wish, keep, []), Impossible):
                return Impossible([*idle])
        return answer

    def _find(
        self, wish: Wish, keep: Sequence[Goal], untouchable: Sequence[Kept]
    ) -> Answer:
        prerequisites = self._prerequisites.of(wish.entry)
        return self._finder.smallest(
            [Wanted(wish.setting)],
            keep,
            frozenset(kept.pin.name for kept in untouchable),
            prefer=frozenset(assignments(self._model, prerequisites)),
            spare=self._hardening,
        )

    def _trim(self) -> None:
        """Drop what later assignments have made needless; note whom the rest serves."""
        asked = {wish.name for wish in self.wishes}
        goals: list[Wish | Kept] = [*self.wishes, *self._kept]
        for name, value in list(self.assignments.items()):
            if name in asked:
                continue
            held = [goal for goal in goals if goal.held(self._model)]
            before = self.assignments
            self.assignments = {n: v for n, v in before.items() if n != name}
            self._replay()
            lost = [goal for goal in held if not goal.held(self._model)]
            if lost:
                quoted = self._model.type(name) == "string"
                setting = Setting(KCONFIG, name, value, quoted=quoted)
                self.extras.append((setting, [goal.setting for goal in lost]))
                self.assignments = before
                self._replay()

    # -- The model ----------------------------------------------------------------

    def _assign(self, wish: Wish, name: str, value: str) -> None:
        self.assignments.pop(name, None)  # the latest line counts
        self.assignments[name] = value
        self._assign_to_model(wish, name, value)

    def _assign_to_model(self, wish: Wish, name: str, value: str) -> None:
        try:
            self._model.assign(name, value)
        except ValueError as error:
            raise UserError(f"{wish.entry.origin}: {wish.setting}: {error}") from error

    def _replay(self) -> None:
        self._model.load(self.base)
        apply(self._model, self.assignments.items())
