# SPDX-License-Identifier: GPL-2.0-only
"""Configs between a good one and a bad one: the good one with some values of the other.

A value is only taken where what it depends on lets it, so each brings along what it
needs, with the values of the bad config: that is how the two were made, and no other
prerequisites come into play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gen import dotconfig
from gen.tree.model import Model


class Deltas:
    """What differs between two configs of one tree, both as conf wrote them.

    `row` is every symbol that a user could set and that differs, in the order of the
    bad config, and then those without a line in it.  Nobody else may load anything into
    `model` as long as this is in use.
    """

    def __init__(self, model: Model, good: str, bad: str) -> None:
        self._model = model
        self._bad = bad
        self._loaded = ""
        self._holders: dict[str, list[str]] = {}
        before = self._before = dotconfig.parse(good, "the good config")
        after = dotconfig.parse(bad, "the bad config")
        self._values: dict[str, str] = {}
        for name in (*after, *(n for n in before if n not in after)):
            value = self._written(name, after)
            if value is not None and value != self._written(name, before):
                self._values[name] = value
        # What is out of reach in the good config stays off until it is asked for,
        # instead of taking its default as soon as something else lets it
        hidden = (
            n for n in after if n not in before and self._written(n, before) == "n"
        )
        self._good = good + "".join(
            dotconfig.line(name, "n", False)
            for name in hidden
            if model.has_prompt(name) and not model.in_choice(name)
        )
        self.row = [name for name in self._values if model.has_prompt(name)]
        self._settable = frozenset(self.row)

    def _written(self, name: str, values: dict[str, str]) -> str | None:
        """conf writes no line for what is out of reach; that is off or has no value."""
        off = "n" if self._model.type(name) in ("bool", "tristate") else None
        return values.get(name, off)

    def text(self, names: Iterable[str]) -> str:
        """The good config with these values of the bad one, for conf to settle."""
        names = list(names)
        taken = {*names, *self.needs(names)}
        lines = (
            dotconfig.line(name, self._values[name], self._model.type(name) == "string")
            for name in self.row
            if name in taken
        )
        return self._good + "".join(lines)

    def needs(self, names: Iterable[str]) -> list[str]:
        """What these need of what differs and is not among them."""
        names = list(names)
        while True:
            found, unknown = self._needs(names)
            if not unknown:
                return found
            self._ask_for_holders(unknown)

    def with_needs(self, names: Iterable[str]) -> list[str]:
        """These and what they need, each after what it needs itself."""
        placed: dict[str, None] = {}
        begun: set[str] = set()

        def place(name: str) -> None:
            if name in begun:
                return  # placed, or two that need each other
            begun.add(name)
            for other in self.needs([name]):
                place(other)
            placed[name] = None

        for name in names:
            place(name)
        return list(placed)

    def _needs(self, names: list[str]) -> tuple[list[str], set[str]]:
        """The second are symbols of which it must be known what holds them."""
        model = self._model
        self._load(self._good)
        taken = dict.fromkeys(names)
        unknown: set[str] = set()
        with model.trial():
            todo = names
            while todo:
                for name in todo:
                    model.assign(name, self._values[name])
                missing = [n for n in taken if model.value(n) != self._values[n]]
                seen: set[str] = set()
                blockers = (
                    b for n in missing for b in self._blockers(n, seen, unknown)
                )
                todo = [b for b in dict.fromkeys(blockers) if b not in taken]
                taken |= dict.fromkeys(todo)
        return list(taken)[len(names) :], unknown

    def _blockers(self, name: str, seen: set[str], unknown: set[str]) -> Iterator[str]:
        """What a user could set that keeps a symbol from its bad value."""
        if name in seen:
            return
        seen.add(name)
        for clause in self._model.unmet(name, self._values[name]):
            for other in clause.failing:
                if other in self._settable:
                    yield other
                elif other in self._holders:
                    yield from self._holders[other]
                    yield from self._blockers(other, seen, unknown)
                elif other in self._values:
                    unknown.add(other)

    def _ask_for_holders(self, names: Iterable[str]) -> None:
        """What selects symbols without a prompt in the bad config."""
        self._load(self._bad)
        for name in names:
            before = self._before.get(name, "n")
            clauses = self._model.unmet(name, before)
            failing = (f for c in clauses if c.kind == "select" for f in c.failing)
            self._holders[name] = [f for f in failing if f in self._settable]

    def _load(self, text: str) -> None:
        if self._loaded != text:
            self._model.load(text)
            self._loaded = text
