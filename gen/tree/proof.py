# SPDX-License-Identifier: GPL-2.0-only
"""Proofs, as steps that a person can check, of what reach.py finds impossible.

A proof of "X is never y" closes every way in which X could become y: its prompts, its
defaults, and the symbols that select or imply it. A way is closed by one statement
that always fails, or by two that need opposite values of one symbol. Of several
statements that fail, the one with the shortest proof is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from gen.tree.bounds import BASES, applicable, bounds
from gen.tree.causes import Causes, Part, Way, ranges, shown
from gen.tree.conditions import defaults
from gen.tree.expr import AND, BOOL_TRISTATE, HEX, NOT, OR, STR_TO_TRI, strtoll
from gen.tree.parser import Kconfig, MenuNode
from gen.tree.reach import AT_LEAST_M, AT_MOST_M, IMPOSSIBLE, IS_N, IS_Y, Reach
from gen.tree.sources import Place, Sources, macros
from gen.tree.symbols import Symbol
from gen.tree.tools import Tool, with_tools

_ENDLESS = 10**9  # the size of a proof that leads back to itself

# A claim beside those of reach.py: that a number or string has its only values
_HAS_VALUES = 4

# How claims read: of a tristate and of a bool
_CLAIMS = (("=m or y", "=y"), ("=y", "=y"), ("=n", "=n"), ("=n or m", "=n"))
_IMPOSSIBLE = (
    (" is always n", " is always n"),
    (" is never y", " is always n"),
    (" is never n", " is always y"),
    (" is always y", " is always y"),
)
# Why a fact goes with a way, though no statement says so
_ONE_MEMBER = "one member of a choice is y"
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


class _Goal(NamedTuple):
    """What is to be shown of a claim about a symbol or choice.

    That it is impossible (fact is 0), or that a fact follows from it.
    """

    item: Any
    claim: int
    fact: int = 0


class _Closing(NamedTuple):
    """Why an expression leads where it does: what is to be shown, and remarks."""

    size: int
    goals: tuple[_Goal, ...] = ()
    remarks: tuple[str, ...] = ()


class _Line(NamedTuple):
    """A statement that closes a way, alone or with a second one."""

    place: Place
    text: str
    goals: tuple[_Goal, ...]


class _Argument(NamedTuple):
    """How a goal is reached: the lines that close a way, and the ways they close."""

    size: int
    ways: dict[tuple[_Line, ...], list[str]]


class Prover:
    """Writes the proofs of a Reach; shares what they have in common."""

    def __init__(self, kconfig: Kconfig, reach: Reach, source: Path) -> None:
        self._reach = reach
        self._causes = Causes(kconfig, reach)
        self._sources = Sources(source)
        self._arguments: dict[_Goal, _Argument] = {}

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
            text = f"{symbol.name} is never m: that takes modules, and no choice"
            return [Step(self._definition(symbol), text, 0)]
        seen: set[_Goal] = set()
        goals = self._goals(symbol, wanted)
        return [step for goal in goals for step in self._steps(goal, 0, seen)]

    # -- Goals ----------------------------------------------------------------------

    def _goals(self, symbol: Symbol, wanted: int) -> list[_Goal]:
        """What shows that a symbol never has a value: the strongest claims."""
        up, down = (AT_LEAST_M, IS_Y), (AT_MOST_M, IS_N)
        claims = {0: down, 1: (AT_LEAST_M, AT_MOST_M), 2: up}[wanted]
        for claim in claims:
            if self._reach.facts(symbol, claim) == IMPOSSIBLE:
                return [self._goal(symbol, claim)]
        facts = (self._reach.facts(symbol, claim) for claim in claims)
        pair = self._reach.opposed(*facts)
        assert pair
        return [_Goal(symbol, claim, fact) for claim, fact in zip(claims, pair)]

    def _goal(self, item: Any, claim: int, fact: int = 0) -> _Goal:
        is_bool = item.__class__ is Symbol and self._reach.is_bool(item)
        return _Goal(item, claim & ~1 if is_bool else claim, fact)

    def _size(self, goal: _Goal) -> int:
        return self._argument(goal).size

    def _argument(self, goal: _Goal) -> _Argument:
        if goal not in self._arguments:
            self._arguments[goal] = _Argument(_ENDLESS, {})
            self._arguments[goal] = self._argued(goal)
        return self._arguments[goal]

    def _argued(self, goal: _Goal) -> _Argument:
        item, claim, fact = goal
        own = self._reach.fact(item, claim) if item.__class__ is Symbol else 0
        besides = self._causes.besides(item, claim)
        for way in besides:
            if self._leads(way.parts[0].expr, claim, fact):
                size, lines = self._closed(way, fact)
                return _Argument(size, {lines: [way.label]})
        parts = [part for way in besides for part in way.parts]
        total = 1
        ways: dict[tuple[_Line, ...], list[str]] = {}
        for way in self._causes.ways(item, claim):
            size, lines = self._closed(way._replace(parts=way.parts + parts), fact, own)
            if lines not in ways:
                total += size
            ways.setdefault(lines, []).append(way.label)
        return _Argument(total, ways)

    # -- Ways -----------------------------------------------------------------------

    def _closed(
        self, way: Way, fact: int = 0, own: int = 0
    ) -> tuple[int, tuple[_Line, ...]]:
        """How a way leads to the fact: the size of that, and one or two lines."""
        found = [
            (self._closing(part, fact), part)
            for part in way.parts
            if self._leads(part.expr, part.claim, fact)
        ]
        if found:
            closing, part = min(found, key=lambda pair: pair[0].size)
            return closing.size + 1, (self._line(part, closing),)
        given = own | way.given
        if given & fact:
            closing = _Closing(1, (), (_ONE_MEMBER,))
            return 1, (self._line(way.parts[-1], closing),)
        closings = list(self._contradiction(way.parts, given))
        size = sum(closing.size + 1 for _, closing in closings)
        return size, tuple(self._line(*pair) for pair in closings)

    def _contradiction(
        self, parts: list[Part], given: int
    ) -> Iterator[tuple[Part, _Closing]]:
        """Two parts that lead to opposite facts, or one that opposes what is given."""
        gathered: list[tuple[int, Part | None]] = [(given, None)]
        for part in parts:
            facts = self._reach.facts(part.expr, part.claim)
            for earlier, other in gathered:
                pair = self._reach.opposed(earlier, facts)
                if not pair:
                    continue
                for one, fact in ((other, pair[0]), (part, pair[1])):
                    if one:
                        closing = self._closing(one, fact)
                        remarks = [f"needs {self._fact(fact)}"]
                        if not other:
                            remarks.append(_ONE_MEMBER)
                        yield one, _joined([closing, _Closing(0, (), tuple(remarks))])
                return
            gathered.append((facts, part))
        raise AssertionError("nothing contradicts")

    def _plain_line(self, node: MenuNode, line: int) -> _Line:
        place, text = self._sources.statement(node.filename, line)
        return _Line(place, text, ())

    def _line(self, part: Part, closing: _Closing) -> _Line:
        place, text = self._sources.statement(part.file, part.line)
        remarks = "".join(f" ({remark})" for remark in dict.fromkeys(closing.remarks))
        tests = list(macros(text))
        if len(tests) == 1:
            remarks = remarks.replace(tests[0], "$(...)")
        return _Line(place, text + remarks, closing.goals)

    # -- Expressions ----------------------------------------------------------------

    def _leads(self, expr: Any, claim: int, fact: int) -> bool:
        facts = self._reach.facts(expr, claim)
        return facts == IMPOSSIBLE or bool(facts & fact)

    def _closing(self, part: Part, fact: int) -> _Closing:
        _, text = self._sources.statement(part.file, part.line)
        shown = with_tools(part.expr, text, part.is_value)
        return self._expression(part.expr, shown, part.claim, fact)

    def _expression(self, expr: Any, shown: Any, claim: int, fact: int) -> _Closing:
        """Why a claim about an expression leads to a fact.

        shown is the same expression with the tool tests that it was written with.
        """
        if expr.__class__ is not tuple:
            return self._operand(expr, shown, claim, fact)
        if expr[0] is NOT:
            return self._expression(expr[1], shown[1], 3 - claim, fact)
        if expr[0] is not AND and expr[0] is not OR:
            return self._comparison(expr, shown, claim, fact)
        sides = list(zip(expr[1:], shown[1:]))
        if (expr[0] is AND) is not (claim <= IS_Y):
            return _joined(self._expression(*side, claim, fact) for side in sides)
        leading = [side for side in sides if self._leads(side[0], claim, fact)]
        if leading:
            found = (self._expression(*side, claim, fact) for side in leading)
            return min(found, key=lambda closing: closing.size)
        pair = self._reach.opposed(*(self._reach.facts(e, claim) for e, _ in sides))
        assert pair
        remark = " and ".join(map(self._fact, pair))
        closings = [_Closing(0, (), (f"needs {remark}",))]
        for side, one in zip(sides, pair):
            closings.append(self._expression(*side, claim, one))
        return _joined(closings)

    def _operand(self, item: Any, shown: Any, claim: int, fact: int) -> _Closing:
        if shown.__class__ is Tool:
            return _Closing(1, (), (f"{shown.text} is {shown.str_value or 'empty'}",))
        if item.__class__ is Symbol:
            if not item.nodes:
                remark = (
                    () if item.is_constant else (f"{item.name} is not defined here",)
                )
                return _Closing(1, (), remark)
            if item.orig_type not in BOOL_TRISTATE:
                return _Closing(1, (), (f"{item.name} is neither bool nor tristate",))
            if self._reach.fact(item, claim) & fact:
                return _Closing(0)
        goal = self._goal(item, claim, fact)
        return _Closing(self._size(goal), (goal,))

    def _comparison(self, expr: Any, shown: Any, claim: int, fact: int) -> _Closing:
        closings = [self._values(*pair) for pair in zip(expr[1:], shown[1:])]
        for symbol, demand in self._reach.demands(expr, claim) or ():
            if self._leads(symbol, demand, fact):
                closings.append(self._operand(symbol, symbol, demand, fact))
                break
        return _joined(closings)

    def _values(self, item: Symbol, shown: Any) -> _Closing:
        """Which values an operand of a comparison can have, if not all of its type."""
        if shown.__class__ is Tool:
            return _Closing(1, (), (f"{shown.text} is {shown.str_value}",))
        if not item.nodes:
            return _Closing(0)
        if item.orig_type not in BOOL_TRISTATE:
            return _Closing(1, (_Goal(item, _HAS_VALUES),))
        impossible = [
            self._goal(item, claim)
            for claim in (AT_LEAST_M, AT_MOST_M, IS_Y, IS_N)
            if self._reach.facts(item, claim) == IMPOSSIBLE
        ]
        return _joined(_Closing(self._size(g), (g,)) for g in impossible[:1])

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

    def _values_steps(
        self, symbol: Symbol, depth: int, seen: set[_Goal]
    ) -> Iterator[Step]:
        """Why a number or string has no other values than it has."""
        texts = self._reach.texts(symbol) or ()
        values = " or ".join(text or "empty" for text in sorted(texts))
        heading = f"{symbol.name} is always {values}"
        ways: dict[tuple[_Line, ...], list[str]] = {}
        for node in shown(symbol):
            way = Way("prompt", self._causes.subject(node, AT_LEAST_M))
            ways[self._closed(way)[1]] = [way.label]
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
        seen: set[_Goal] = set()
        for node, *ends, _, line in used:
            place, text = self._sources.statement(node.filename, line)
            yield Step(place, text, 1)
            for end in ends:
                if end.nodes and self._reach.texts(end) is not None:
                    yield from self._values_steps(end, 2, seen)
                elif end.nodes:
                    for step in self._range_steps(end):
                        yield replace(step, depth=step.depth + 2)
        unless = [Part(r.complete, IS_N, r.node.filename, r.line) for r in used]
        for closing in self._closed(Way("", unless))[1]:
            if closing.goals:
                yield Step(closing.place, f"always applies: {closing.text}", 1)
            for goal in closing.goals:
                yield from self._steps(goal, 2, seen)

    # -- Text -----------------------------------------------------------------------

    def _steps(self, goal: _Goal, depth: int, seen: set[_Goal]) -> Iterator[Step]:
        if goal.claim == _HAS_VALUES:
            yield from self._values_steps(goal.item, depth, seen)
            return
        heading = self._heading(goal)
        if goal in seen:
            yield Step(self._definition(goal.item), f"{heading}: see above", depth)
            return
        seen.add(goal)
        ways = self._argument(goal).ways
        yield from self._lines_steps(goal.item, heading, ways, depth, seen)

    def _lines_steps(
        self,
        item: Any,
        heading: str,
        ways: dict[tuple[_Line, ...], list[str]],
        depth: int,
        seen: set[_Goal],
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

    def _heading(self, goal: _Goal) -> str:
        item, claim, fact = goal
        if not fact:
            return _name(item) + self._words(_IMPOSSIBLE, item, claim)
        left = _name(item) + self._words(_CLAIMS, item, claim)
        return f"{left} needs {self._fact(fact)}"

    def _fact(self, fact: int) -> str:
        symbol, claim = self._reach.meaning(fact)
        return symbol.name + self._words(_CLAIMS, symbol, claim)

    def _words(self, words: Any, item: Any, claim: int) -> str:
        is_bool = item.__class__ is Symbol and self._reach.is_bool(item)
        return words[claim][is_bool]


def _joined(closings: Iterable[_Closing]) -> _Closing:
    size = 0
    goals: tuple[_Goal, ...] = ()
    remarks: tuple[str, ...] = ()
    for closing in closings:
        size += closing.size
        goals += closing.goals
        remarks += closing.remarks
    return _Closing(size, tuple(dict.fromkeys(goals)), remarks)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _same(left: str, right: str, base: int | None) -> bool:
    """Whether two values are the same, as numbers if there is a base."""
    if base is None:
        return left == right
    return strtoll(left, base) == strtoll(right, base)


def _name(item: Any) -> str:
    return item.name or "the choice"
