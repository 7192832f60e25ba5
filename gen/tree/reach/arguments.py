# SPDX-License-Identifier: GPL-2.0-only
"""How each claim that reach.py finds impossible comes to be so.

Every way to the claim is closed by one statement that always fails, or by two that
need opposite values of one symbol. Of several statements that fail, the one with the
shortest proof is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gen.tree.reach.causes import Causes, Part, Way
from gen.tree.expr import AND, BOOL_TRISTATE, NOT, OR
from gen.tree.reach.facts import AT_LEAST_M, AT_MOST_M, IMPOSSIBLE, IS_N, IS_Y
from gen.tree.reach.reach import Reach
from gen.tree.sources import Place, Sources, macros
from gen.tree.symbols import Symbol
from gen.tree.tools import Tool, with_tools

# A claim beside those of reach.py: that a number or string has its only values
HAS_VALUES = 4

# How claims read: of a tristate and of a bool
_CLAIMS = (("=m or y", "=y"), ("=y", "=y"), ("=n", "=n"), ("=n or m", "=n"))
# Why a fact goes with a way, though no statement says so
_ONE_MEMBER = "one member of a choice is y"
_ENDLESS = 10**9  # the size of a proof that leads back to itself


class Goal(NamedTuple):
    """What is to be shown of a claim about a symbol or choice.

    That it is impossible (fact is 0), or that a fact follows from it.
    """

    item: Any
    claim: int
    fact: int = 0


class _Closing(NamedTuple):
    """Why an expression leads where it does: what is to be shown, and remarks."""

    size: int
    goals: tuple[Goal, ...] = ()
    remarks: tuple[str, ...] = ()


class Line(NamedTuple):
    """A statement that closes a way, alone or with a second one."""

    place: Place
    text: str
    goals: tuple[Goal, ...]


class Argument(NamedTuple):
    """How a goal is reached: the lines that close a way, and the ways they close."""

    size: int
    ways: dict[tuple[Line, ...], list[str]]


class Arguments:
    """Finds the arguments for goals; each is found once."""

    def __init__(self, reach: Reach, causes: Causes, sources: Sources) -> None:
        self._reach = reach
        self._causes = causes
        self._sources = sources
        self._arguments: dict[Goal, Argument] = {}

    def goal(self, item: Any, claim: int, fact: int = 0) -> Goal:
        """The goal, the same for claims that say the same."""
        return Goal(
            item, claim & ~1 if self._reach.about.is_bool(item) else claim, fact
        )

    def _size(self, goal: Goal) -> int:
        return self.argument(goal).size

    def argument(self, goal: Goal) -> Argument:
        """How a goal is reached, for which reach.py must have the facts."""
        if goal not in self._arguments:
            self._arguments[goal] = Argument(_ENDLESS, {})
            self._arguments[goal] = self._argued(goal)
        return self._arguments[goal]

    def _argued(self, goal: Goal) -> Argument:
        item, claim, fact = goal
        own = self._reach.about.of(item, claim) if item.__class__ is Symbol else 0
        besides = self._causes.besides(item, claim)
        for way in besides:
            if self._leads(way.parts[0].expr, claim, fact):
                size, lines = self.closed(way, fact)
                return Argument(size, {lines: [way.label]})
        parts = [part for way in besides for part in way.parts]
        total = 1
        ways: dict[tuple[Line, ...], list[str]] = {}
        for way in self._causes.ways(item, claim):
            size, lines = self.closed(way._replace(parts=way.parts + parts), fact, own)
            if lines not in ways:
                total += size
            ways.setdefault(lines, []).append(way.label)
        return Argument(total, ways)

    # -- Ways -----------------------------------------------------------------------

    def closed(
        self, way: Way, fact: int = 0, own: int = 0
    ) -> tuple[int, tuple[Line, ...]]:
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
                pair = self._reach.about.opposed(earlier, facts)
                if not pair:
                    continue
                for one, fact in ((other, pair[0]), (part, pair[1])):
                    if one:
                        closing = self._closing(one, fact)
                        remarks = [f"needs {self.fact_text(fact)}"]
                        if not other:
                            remarks.append(_ONE_MEMBER)
                        yield one, _joined([closing, _Closing(0, (), tuple(remarks))])
                return
            gathered.append((facts, part))
        # What excludes what is known, but not between which two parts
        for part in parts[-1:]:
            yield part, _Closing(0, (), ("no way to have all of this at once",))

    def _line(self, part: Part, closing: _Closing) -> Line:
        place, text = self._sources.statement(part.file, part.line)
        remarks = "".join(f" ({remark})" for remark in dict.fromkeys(closing.remarks))
        tests = list(macros(text))
        if len(tests) == 1:
            remarks = remarks.replace(tests[0], "$(...)")
        return Line(place, text + remarks, closing.goals)

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
        pair = self._reach.about.opposed(
            *(self._reach.facts(e, claim) for e, _ in sides)
        )
        assert pair
        remark = " and ".join(map(self.fact_text, pair))
        closings = [_Closing(0, (), (f"needs {remark}",))]
        for side, one in zip(sides, pair):
            closings.append(self._expression(*side, claim, one))
        return _joined(closings)

    def _operand(self, item: Any, shown: Any, claim: int, fact: int) -> _Closing:
        if shown.__class__ is Tool:
            return _Closing(1, (), (f"{shown.text} is {shown.str_value or 'empty'}",))
        if item.__class__ is Symbol:
            if not item.nodes:
                remark = f"{item.name} is not defined here"
                return _Closing(1, (), () if item.is_constant else (remark,))
            if item.orig_type not in BOOL_TRISTATE:
                return _Closing(1, (), (f"{item.name} is neither bool nor tristate",))
            if self._reach.about.of(item, claim) & fact:
                return _Closing(0)
        goal = self.goal(item, claim, fact)
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
            return _Closing(1, (Goal(item, HAS_VALUES),))
        impossible = [
            self.goal(item, claim)
            for claim in (AT_LEAST_M, AT_MOST_M, IS_Y, IS_N)
            if self._reach.facts(item, claim) == IMPOSSIBLE
        ]
        return _joined(_Closing(self._size(g), (g,)) for g in impossible[:1])

    def fact_text(self, fact: int) -> str:
        """A fact in words."""
        return self.claim_text(*self._reach.about.meaning(fact))

    def claim_text(self, item: Any, claim: int) -> str:
        """A claim in words: B=y."""
        return name_of(item) + _CLAIMS[claim][self._reach.about.is_bool(item)]


def _joined(closings: Iterable[_Closing]) -> _Closing:
    size = 0
    goals: tuple[Goal, ...] = ()
    remarks: tuple[str, ...] = ()
    for closing in closings:
        size += closing.size
        goals += closing.goals
        remarks += closing.remarks
    return _Closing(size, tuple(dict.fromkeys(goals)), remarks)


def name_of(item: Any) -> str:
    """What to call a symbol or choice."""
    return item.name or "the choice"
