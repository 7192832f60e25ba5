# SPDX-License-Identifier: GPL-2.0-only
"""Proofs, as steps that a person can check, of what reach.py finds impossible.

A proof of "X is never y" closes every way in which X could become y: its prompts, its
defaults, and the symbols that select or imply it. A way is closed as
arguments.py says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gen.tree.reach.arguments import HAS_VALUES, Arguments, Goal, Line, name_of
from gen.tree.reach.bounds import BASES, applicable, bounds
from gen.tree.reach.causes import Causes, Part, Way, shown
from gen.tree.conditions import defaults, ranges
from gen.tree.expr import BOOL_TRISTATE, HEX, STR_TO_TRI, strtoll
from gen.tree.parser import Kconfig, MenuNode
from gen.tree.reach.facts import AT_LEAST_M, AT_MOST_M, IMPOSSIBLE, IS_N, IS_Y
from gen.tree.reach.reach import Reach
from gen.tree.sources import Place, Sources
from gen.tree.symbols import Symbol

# What it means that a claim is impossible: of a tristate and of a bool
_IMPOSSIBLE = (
    (" is always n", " is always n"),
    (" is never y", " is always n"),
    (" is never n", " is always y"),
    (" is always y", " is always y"),
)
# Labels that say nothing where there is only one way
_PLAIN = {"prompt", "default", "no default"}


@dataclass(frozen=True)
class Step:
    """A statement of a Kconfig file and what follows from it.

    The steps that follow with a greater depth say why.
    """

    place: Place
    text: str
    depth: int

    @property
    def facts(self) -> dict[str, str | int]:
        """As it stands in JSON."""
        return {"where": str(self.place), "text": self.text, "depth": self.depth}


class Prover:
    """Writes the proofs of a Reach; shares what they have in common."""

    def __init__(self, kconfig: Kconfig, reach: Reach, source: Path) -> None:
        self._reach = reach
        self._causes = Causes(kconfig, reach)
        self._sources = Sources(source)
        self._arguments = Arguments(reach, self._causes, self._sources)

    def steps(self, symbol: Symbol, value: str) -> list[Step]:
        """Why no configuration gives the symbol the value.

        Empty if that is not proved, or the symbol's type does not admit the value.
        """
        if symbol.parse(value) is None:
            return []
        if symbol.orig_type not in BOOL_TRISTATE:
            return list(self._number(symbol, value))
        wanted = STR_TO_TRI[value[:1]]
        if wanted in self._reach.possible(symbol):
            return []
        if wanted == 1 and not self._reach.can_be_m(symbol):
            is_member = self._reach.about.is_bool(symbol)
            why = "it is a member of a choice" if is_member else "there are no modules"
            text = f"{symbol.name} is never m: {why}"
            return [Step(self._definition(symbol), text, 0)]
        seen: set[Goal] = set()
        goals = self._goals(symbol, wanted)
        return [step for goal in goals for step in self._steps(goal, 0, seen)]

    # -- Goals ----------------------------------------------------------------------

    def _goals(self, symbol: Symbol, wanted: int) -> list[Goal]:
        """What shows that a symbol never has a value: the strongest claims."""
        up, down = (AT_LEAST_M, IS_Y), (AT_MOST_M, IS_N)
        claims = {0: down, 1: (AT_LEAST_M, AT_MOST_M), 2: up}[wanted]
        for claim in claims:
            if self._reach.facts(symbol, claim) == IMPOSSIBLE:
                return [self._arguments.goal(symbol, claim)]
        facts = (self._reach.facts(symbol, claim) for claim in claims)
        pair = self._reach.about.opposed(*facts)
        assert pair
        return [Goal(symbol, claim, fact) for claim, fact in zip(claims, pair)]

    # -- Numbers and strings --------------------------------------------------------

    def _number(self, symbol: Symbol, value: str) -> Iterator[Step]:
        base = BASES.get(symbol.orig_type)
        texts = self._reach.texts(symbol)
        if texts is not None:
            if not any(_same(value, text, base) for text in texts):
                yield from self._values_steps(symbol, 0, set())
        elif base:
            limits = bounds(self._reach, symbol)
            if limits and not limits[0] <= strtoll(value, base) <= limits[1]:
                yield from self._range_steps(symbol)

    def _plain_line(self, node: MenuNode, line: int) -> Line:
        place, text = self._sources.statement(node.filename, line)
        return Line(place, text, ())

    def _values_steps(
        self, symbol: Symbol, depth: int, seen: set[Goal]
    ) -> Iterator[Step]:
        """Why a number or string has no other values than it has."""
        texts = self._reach.texts(symbol) or ()
        values = " or ".join(text or "empty" for text in sorted(texts))
        heading = f"{symbol.name} is always {values}"
        ways: dict[tuple[Line, ...], list[str]] = {}
        for node in shown(symbol):
            way = Way("prompt", self._causes.subject(node, AT_LEAST_M))
            ways[self._arguments.closed(way)[1]] = [way.label]
        found = list(defaults(symbol))
        for index, _ in self._reach.counting(default.complete for default in found):
            node, _, _, _, line = found[index]
            ways[(self._plain_line(node, line),)] = ["default"]
        yield from self._lines_steps(symbol, heading, ways, depth, seen)

    def _range_steps(self, symbol: Symbol) -> Iterator[Step]:
        """Between which numbers a symbol always is, and by which ranges."""
        limits = bounds(self._reach, symbol) or (0, 0)
        low, high = (hex(n) if symbol.orig_type is HEX else n for n in limits)
        found = list(ranges(symbol))
        used = [found[index] for index, _ in applicable(self._reach, symbol)]
        yield Step(self._definition(symbol), f"{symbol.name} is {low} to {high}", 0)
        seen: set[Goal] = set()
        for each in used:
            place, text = self._sources.statement(each.node.filename, each.line)
            yield Step(place, text, 1)
            for end in (each.low, each.high):
                if end.nodes and self._reach.texts(end) is not None:
                    yield from self._values_steps(end, 2, seen)
                elif end.nodes:
                    for step in self._range_steps(end):
                        yield replace(step, depth=step.depth + 2)
        unless = [Part(r.complete, IS_N, r.node.filename, r.line) for r in used]
        for closing in self._arguments.closed(Way("", unless))[1]:
            if closing.goals:
                yield Step(closing.place, f"always applies: {closing.text}", 1)
            for goal in closing.goals:
                yield from self._steps(goal, 2, seen)

    # -- Text -----------------------------------------------------------------------

    def _steps(self, goal: Goal, depth: int, seen: set[Goal]) -> Iterator[Step]:
        if goal.claim == HAS_VALUES:
            yield from self._values_steps(goal.item, depth, seen)
            return
        heading = self._heading(goal)
        if goal in seen:
            yield Step(self._definition(goal.item), f"{heading}: see above", depth)
            return
        seen.add(goal)
        ways = self._arguments.argument(goal).ways
        yield from self._lines_steps(goal.item, heading, ways, depth, seen)

    def _lines_steps(
        self,
        item: Any,
        heading: str,
        ways: dict[tuple[Line, ...], list[str]],
        depth: int,
        seen: set[Goal],
    ) -> Iterator[Step]:
        """A heading and what closes each way; on one line if there is only one."""
        if len(ways) != 1 or len(next(iter(ways))) > 1:
            why = (
                "" if ways else ": it has no prompt, no default and nothing selects it"
            )
            yield Step(self._definition(item), heading + why, depth)
            heading = ""
            depth += 1
        for lines, labels in ways.items():
            labels = list(dict.fromkeys(labels))
            if heading:
                labels = [label for label in labels if label not in _PLAIN]
            label = ": ".join(filter(None, [heading, ", ".join(labels)]))
            for line in lines:
                text = f"{label}: {line.text}"
                names = {goal.item.name for goal in line.goals if goal.item.name}
                unnamed = [n for n in sorted(names) if not _names(text, n)]
                if unnamed:
                    text += f" (depends on {', '.join(unnamed)})"
                yield Step(line.place, text, depth)
                for further in line.goals:
                    yield from self._steps(further, depth + 1, seen)

    def _definition(self, item: Any) -> Place:
        node = item.nodes[0]
        place, _ = self._sources.statement(node.filename, node.linenr)
        return place

    def _heading(self, goal: Goal) -> str:
        item, claim, fact = goal
        if not fact:
            is_bool = self._reach.about.is_bool(item)
            return name_of(item) + _IMPOSSIBLE[claim][is_bool]
        implied = self._arguments.fact_text(fact)
        return f"{self._arguments.claim_text(item, claim)} needs {implied}"


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _same(left: str, right: str, base: int | None) -> bool:
    """Whether two values are the same, as numbers if there is a base."""
    if base is None:
        return left == right
    return strtoll(left, base) == strtoll(right, base)
