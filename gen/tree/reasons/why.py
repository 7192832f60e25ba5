# SPDX-License-Identifier: GPL-2.0-only
"""Why a symbol does not have a value, followed down to what a user can set.

The rules are those of symbols.py and choices.py, read backwards: what must have
another value for this one to change?  Everything is asked of the values of the present
configuration, so an explanation never speaks of what holds already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gen.tree.reasons.aims import FLIPPED, NEGATED, SIGN, Aim, Text
from gen.tree.conditions import PROMPT_ONLY, Default, conditions, defaults, ranges
from gen.tree.expr import (
    AND,
    BOOL_TRISTATE,
    EQUAL,
    GREATER_EQUAL,
    LESS_EQUAL,
    NOT,
    OR,
    STR_TO_TRI,
    TRI_TO_STR,
    TRISTATE,
    expr_value,
    operands,
    symbols,
)
from gen.tree.parser import Kconfig, MenuNode
from gen.tree.reasons.reasons import (
    Clause,
    Fixed,
    Need,
    State,
    Way,
    Why,
    any_of,
    assignments,
    depth,
    every,
    is_dead_way,
    is_plain,
    way_toolchain,
    without_repetition,
)
from gen.tree.sources import Place
from gen.tree.reasons.statements import Statements, is_literal, names_in
from gen.tree.symbols import Select, Symbol
from gen.tree.tools import Tool

_MOST = 4  # alternatives of one kind that are listed
_DEEPEST = 12  # symbols one below the other
_LONGEST = 200  # symbols in one explanation


class Reasons:
    """Explains the current values of a Kconfig object.

    hopeless says of a symbol that it is proved to be n (or that nobody can set it, if
    it is a number or string) in every configuration.
    """

    def __init__(
        self, kconfig: Kconfig, source: Path, hopeless: Callable[[Symbol], bool]
    ) -> None:
        self.kconfig = kconfig
        self.statements = Statements(source)
        self.hopeless = hopeless

    def why(self, symbol: Symbol, wanted: str) -> Why | None:
        """The explanation; None if the symbol has the value, or its type admits no
        such value."""
        if symbol.str_value == wanted or symbol.parse(wanted) is None:
            return None
        why = _Walk(self).start(symbol, wanted)
        ways = [self._without_consequences(symbol, wanted, way) for way in why.ways]
        ways = [w for w in ways if self._works(symbol, wanted, w)] or ways[:1]
        if ways and why.state is State.BLOCKED:
            ways[0] = self._with_the_next(symbol, wanted, ways[0])
        return replace(why, ways=ways)

    def _without_consequences(self, symbol: Symbol, wanted: str, way: Way) -> Way:
        """Without clauses that come true if all others do, as the values turn out.

        So much cannot be read from the clauses: of many symbols that may select
        another, for one, only some are followed.
        """
        clauses = list(way.clauses)
        for clause in sorted(clauses, key=lambda c: -depth(c.need)):
            others = [other for other in clauses if other is not clause]
            left = self._left(symbol, wanted, others) if others else [clause]
            if clause.place not in {item.place for item in left}:
                clauses = others
        return Way(way.by, clauses)

    def _works(self, symbol: Symbol, wanted: str, way: Way) -> bool:
        """Whether a way gets the value, as far as that can be tried out.

        What one of its clauses needs may be what another must not have.
        """
        plain = all(is_plain(clause.need) for clause in way.clauses)
        return not plain or not self._left(symbol, wanted, way.clauses)

    def _with_the_next(self, symbol: Symbol, wanted: str, way: Way) -> Way:
        """With what is in the way once the present clauses are met."""
        places = {clause.place for clause in way.clauses}
        left = (c for c in self._left(symbol, wanted, way.clauses) if c.need)
        new = [replace(c, comes_next=True) for c in left if c.place not in places]
        return Way(way.by, way.clauses + new)

    def _left(self, symbol: Symbol, wanted: str, clauses: list[Clause]) -> list[Clause]:
        """What is still in the way where other clauses are met."""
        needed = assignments(clause.need for clause in clauses)
        values = {
            self.kconfig.syms[name]: STR_TO_TRI[value]
            for name, value in needed.items()
            if value in STR_TO_TRI
        }
        before = {item: item.user_value for item in values}
        with self.kconfig.aside():
            for item, value in values.items():
                item.user_value = value
            self.kconfig.touch()
            left = self.unmet(symbol, wanted)
            for item, given in before.items():
                item.user_value = given
        return left

    def unmet(self, symbol: Symbol, wanted: str) -> list[Clause]:
        """The clauses that keep the symbol from the wanted value, in source order.

        Empty for a value that the symbol's type does not admit, and if nothing but
        another symbol's `select` could give the value.
        """
        if symbol.str_value == wanted or symbol.parse(wanted) is None:
            return []
        ways = _Walk(self).start(symbol, wanted).ways
        direct = (way.clauses for way in ways if way.by in ("prompt", "default"))
        return next(direct, [])


class _Walk:
    """One explanation in the making.  Symbols in it are explained once."""

    def __init__(self, reasons: Reasons) -> None:
        self._kconfig = reasons.kconfig
        self._statements = reasons.statements
        self._hopeless = reasons.hopeless
        self._open: list[tuple[str, str]] = []
        self._done: dict[tuple[str, str], Why] = {}

    def start(self, symbol: Symbol, wanted: str) -> Why:
        self._open.append((symbol.name, wanted))
        if symbol.orig_type not in BOOL_TRISTATE:
            return self._number(symbol, Aim(EQUAL, Text(symbol, wanted)))
        level = STR_TO_TRI[wanted]
        make = self._on if symbol.tri_value < level else self._off
        why = make(symbol, level)
        if level == 1 and not self._kconfig.modules_value:
            return self._with_modules(why)
        if why.state is State.SETTABLE and why.wanted == "y":
            ways = [Way("prompt", self._member_off(symbol))]
            return replace(why, ways=list(filter(_clauses, ways)))
        return why

    # -- Expressions ----------------------------------------------------------------

    def _raise(self, expr: Any, level: int) -> Need | None:
        """What an expression needs to have at least a value; None if it has."""
        if expr_value(expr) >= level:
            return None
        if expr.__class__ is not tuple:
            return self._leaf(expr, level, up=True)
        operator = expr[0]
        if operator is AND:
            return every(self._raise(part, level) for part in operands(expr))
        if operator is OR:
            needs = (self._raise(part, level) for part in expr[1:])
            return any_of(need for need in needs if need)
        if operator is NOT:
            return self._lower(expr[1], 2 - level)
        return self._relation(*expr)

    def _lower(self, expr: Any, level: int) -> Need | None:
        """What an expression needs to have at most a value; None if it has."""
        if expr_value(expr) <= level:
            return None
        if expr.__class__ is not tuple:
            return self._leaf(expr, level, up=False)
        operator = expr[0]
        if operator is AND:
            needs = (self._lower(part, level) for part in operands(expr))
            return any_of(need for need in needs if need)
        if operator is OR:
            return every(self._lower(part, level) for part in expr[1:])
        if operator is NOT:
            return self._raise(expr[1], 2 - level)
        return self._relation(NEGATED[operator], *expr[1:])

    def _leaf(self, item: Any, level: int, up: bool) -> Need:
        if item.__class__ is Tool:
            return Fixed(item.text)
        if item.__class__ is not Symbol or is_literal(item):
            return Fixed(getattr(item, "name", None) or "choice")
        if not item.nodes:
            return Why(item.name, "y", "n", State.UNDEFINED)
        if item.orig_type not in BOOL_TRISTATE:
            return Fixed(item.name)  # a number or string counts as n
        return self._symbol(item, level, up)

    def _relation(self, operator: int, left: Any, right: Any) -> Need:
        """What a comparison needs that does not hold."""
        needs: list[Need] = []
        for op, item, other in (
            (operator, left, right),
            (FLIPPED[operator], right, left),
        ):
            if item.__class__ is Symbol and not is_literal(item):
                needs += self._compared(op, item, other)
        if needs:
            return any_of(needs)
        tools = [item.text for item in (left, right) if item.__class__ is Tool]
        return Fixed(", ".join(tools) or f"{left.name} {SIGN[operator]}{right.name}")

    def _compared(self, operator: int, item: Symbol, other: Any) -> Iterator[Need]:
        if not item.nodes:
            wanted = Aim(operator, other).text
            yield Why(item.name, wanted, item.str_value, State.UNDEFINED)
        elif item.orig_type in BOOL_TRISTATE:
            for level in range(3):
                if not Aim(operator, other).admits(item, TRI_TO_STR[level]):
                    continue
                if abs(level - item.tri_value) == 1 or level != 1:
                    yield self._symbol(item, level, up=level > item.tri_value)
        else:
            yield self._numbered(item, Aim(operator, other))

    # -- Symbols --------------------------------------------------------------------

    def _symbol(self, symbol: Symbol, level: int, up: bool) -> Why:
        if symbol.orig_type is not TRISTATE or not self._kconfig.modules_value:
            level = 2 if up else 0
        make = self._on if up else self._off
        return self._once(symbol, TRI_TO_STR[level], lambda: make(symbol, level))

    def _numbered(self, symbol: Symbol, aim: Aim) -> Why:
        return self._once(symbol, aim.text, lambda: self._number(symbol, aim))

    def _once(self, symbol: Symbol, wanted: str, make: Callable[[], Why]) -> Why:
        key = (symbol.name, wanted)
        if key in self._done:
            return self._done[key]
        too_far = len(self._open) > _DEEPEST or len(self._done) > _LONGEST
        if too_far or key in self._open:
            return self._why(symbol, wanted, State.CUT)
        self._open.append(key)
        why = make()
        self._open.pop()
        for way in why.ways:
            way.clauses[:] = without_repetition(way.clauses)
        self._done[key] = why
        return why

    def _why(
        self,
        symbol: Symbol,
        wanted: str,
        state: State,
        ways: Iterable[Way] = (),
        **more: Any,
    ) -> Why:
        node = next((node for node in symbol.nodes if node.prompt), symbol.nodes[0])
        place = Place(node.filename, node.linenr)
        return Why(
            symbol.name,
            wanted,
            symbol.str_value,
            state,
            place,
            _worth_telling(list(ways)),
            has_prompt=bool(symbol.prompts),
            **more,
        )

    def _on(self, symbol: Symbol, level: int) -> Why:
        wanted = TRI_TO_STR[level]
        if symbol.transitional:
            return self._replaced(symbol, wanted)
        if symbol.visibility >= level:
            return self._why(symbol, wanted, State.SETTABLE)
        ways = self._by_prompt(symbol, level)
        more = 0
        if not symbol.choice and _want_others(ways):
            ways += self._by_default(symbol, lambda v: self._raise(v, level))
            for by, selects in (
                ("select", symbol.selects_me),
                ("imply", symbol.implies_me),
            ):
                found, left = self._by_select(by, selects, level, bool(symbol.prompts))
                ways += found
                more += left
        state = State.BLOCKED if ways else State.NOTHING
        return self._why(symbol, wanted, state, ways, more=more)

    def _off(self, symbol: Symbol, level: int) -> Why:
        wanted = TRI_TO_STR[level]
        holding = [] if symbol.choice else self._holding(symbol, level)
        if symbol.visibility:
            clauses = holding or self._member_on(symbol)
            moves = not holding and self._can_move_on(symbol)
            state = State.SETTABLE if moves or not clauses else State.BLOCKED
            ways = [Way("prompt", clauses)] if clauses else []
            return self._why(symbol, wanted, state, ways)
        ways = self._by_prompt(symbol, 1)
        lowered = self._without_default(symbol, level)
        if lowered or not ways:
            ways.append(Way("default", lowered))
        for way in ways:
            way.clauses[:0] = holding
        ways = [way for way in ways if way.clauses]
        return self._why(symbol, wanted, State.BLOCKED if ways else State.NOTHING, ways)

    def _number(self, symbol: Symbol, aim: Aim) -> Why:
        wanted = aim.text
        if not symbol.prompts:
            tool = self._statements.tool_of(symbol)
            if tool:
                return self._why(symbol, wanted, State.TOOL, tool=tool)
        ranges = self._range(symbol, aim)
        if symbol.visibility:
            ways = [Way("prompt", ranges)] if ranges else []
            return self._why(
                symbol, wanted, State.BLOCKED if ways else State.SETTABLE, ways
            )
        ways = [Way(w.by, w.clauses + ranges) for w in self._by_prompt(symbol, 1)]
        if _want_others(ways):
            ways += self._by_default(symbol, lambda v: self._matching(v, symbol, aim))
        return self._why(symbol, wanted, State.BLOCKED if ways else State.NOTHING, ways)

    def _replaced(self, symbol: Symbol, wanted: str) -> Why:
        """For a transitional symbol: those whose default reads it."""
        names = [
            other.name
            for other in self._kconfig.unique_defined_syms
            if other is not symbol
            and any(symbol in symbols(value) for value, _ in other.defaults)
        ]
        return self._why(symbol, wanted, State.TRANSITIONAL, replacements=names)

    def _with_modules(self, why: Why) -> Why:
        """For m: modules come first."""
        modules = self._kconfig.modules
        if not modules.nodes:
            return replace(why, state=State.NOTHING, ways=[])
        need = self._raise(modules, 2)
        clause = self._statements.of_node(
            "modules", modules.nodes[0], [modules.name], need
        )
        ways = [Way(way.by, [clause, *way.clauses]) for way in why.ways]
        return replace(why, state=State.BLOCKED, ways=ways or [Way("prompt", [clause])])

    # -- Ways -----------------------------------------------------------------------

    def _by_prompt(self, symbol: Symbol, level: int) -> list[Way]:
        """What keeps each prompt of a symbol from admitting the level, least first."""
        # Without modules, or for a bool, m is as good as y.
        if symbol.orig_type is not TRISTATE or not self._kconfig.modules_value:
            level = 1
        nodes = [node for node in symbol.nodes if node.prompt]
        ways = [Way("prompt", self._failing(node, level)) for node in nodes]
        return sorted(filter(_clauses, ways), key=lambda way: _cost(way.clauses))

    def _by_default(
        self, symbol: Symbol, need_of: Callable[[Any], Need | None]
    ) -> list[Way]:
        """Defaults that could give a value; need_of says what one needs for that."""
        ways = []
        before: list[Default] = []
        for default in defaults(symbol):
            value = self._statements.default_value(default)
            need = need_of(value)
            if not isinstance(need, Fixed) or "$(" in need.text:
                ways.append(self._default_way(default, need, before))
            if expr_value(default.complete):
                before.append(default)
                if default.condition is self._kconfig.y:
                    break  # no later default is ever used
        return sorted(filter(_clauses, ways), key=lambda way: _cost(way.clauses))

    def _default_way(
        self, default: Default, need: Need | None, before: list[Default]
    ) -> Way:
        clauses = [
            clause
            for clause in self._failing(default.node, 1)
            if clause.kind not in PROMPT_ONLY
        ]
        condition = self._statements.default_condition(default)
        earlier = [self._lower(d.condition, 0) for d in before]
        need = every([self._raise(condition, 1), need, *earlier])
        if need:
            clauses.append(self._statements.of_default(default, need))
        return Way("default", clauses)

    def _by_select(
        self, by: str, selects: list[Select], level: int, has_prompt: bool
    ) -> tuple[list[Way], int]:
        """Symbols that could select this one, the easiest first, and how many more."""
        possible = [s for s in selects if not self._hopeless(s.symbol)] or selects
        easy = [s for s in possible if _can_be_set(s.symbol, level)]
        if has_prompt:
            possible = easy  # anything else is more work than the prompt
        ways = [self._select_way(by, s, level) for s in (easy or possible)[:_MOST]]
        return ways, max(0, len(possible) - len(ways))

    def _select_way(self, by: str, select: Select, level: int) -> Way:
        condition = self._statements.select_condition(by, select)
        need = every([self._raise(select.symbol, level), self._raise(condition, level)])
        return Way(by, [self._statements.of_select(by, select, need)])

    def _holding(self, symbol: Symbol, level: int) -> list[Clause]:
        """The `select` statements that keep a symbol on."""
        return self._above("select", symbol.selects_me, level)

    def _above(self, by: str, selects: list[Select], level: int) -> list[Clause]:
        clauses = []
        for select in selects:
            if min(select.symbol.tri_value, expr_value(select.condition)) > level:
                condition = self._statements.select_condition(by, select)
                needs = (self._lower(e, level) for e in (select.symbol, condition))
                # A constant cannot be lowered, but the other of the two may be
                parts = [n for n in needs if n and not isinstance(n, Fixed)]
                need = any_of(parts) if parts else None
                clauses.append(self._statements.of_select(by, select, need))
        return clauses

    def _without_default(self, symbol: Symbol, level: int) -> list[Clause]:
        """What gives a symbol without a visible prompt its value, apart from select."""
        clauses = []
        for default in defaults(symbol):
            if not expr_value(default.complete):
                continue
            if min(expr_value(default.value), expr_value(default.complete)) > level:
                value = self._statements.default_value(default)
                needs = (
                    self._lower(value, level),
                    self._lower(default.complete, level),
                )
                parts = [n for n in needs if n and not isinstance(n, Fixed)]
                need = any_of(parts) if parts else Fixed("y")
                clauses.append(self._statements.of_default(default, need))
            break
        return clauses + self._above("imply", symbol.implies_me, level)

    # -- Clauses --------------------------------------------------------------------

    def _failing(self, node: MenuNode, level: int) -> list[Clause]:
        """What keeps a definition from admitting a level, from the outside inwards."""
        clauses = []
        for kind, condition, file, line in conditions(self._kconfig, node):
            if expr_value(condition) >= level:
                continue
            expr = self._statements.with_tools(condition, file, line)
            failing = [e for e in operands(expr) if expr_value(e) < level]
            need = every(self._raise(part, level) for part in failing)
            names = names_in(*failing)
            clauses.append(self._statements.clause(kind, file, line, names, need))
        return clauses

    def _member_off(self, symbol: Symbol) -> list[Clause]:
        """Another member of the choice is selected."""
        chosen = symbol.choice.selection if symbol.choice else None
        if chosen is None or chosen is symbol:
            return []
        return [self._statements.of_node("choice", chosen.nodes[0], [chosen.name])]

    def _member_on(self, symbol: Symbol) -> list[Clause]:
        """A choice cannot do without its only visible member."""
        choice = symbol.choice
        if not choice or choice.selection is not symbol:
            return []
        others = [m for m in choice.syms if m is not symbol]
        visible = [m for m in others if m.visibility]
        needs = [self._symbol(m, 2, up=True) for m in visible or others]
        need = any_of(needs) if needs else Fixed("choice")
        names = [m.name for m in visible]
        node = symbol.nodes[0].block
        return [self._statements.of_node("choice", node, names, need)]

    def _can_move_on(self, symbol: Symbol) -> bool:
        """Whether n for the selected member of a choice selects another."""
        choice = symbol.choice
        return (
            bool(choice)
            and self._kconfig.profile.choice_is_menu
            and any(m.visibility for m in choice.syms if m is not symbol)
        )

    def _range(self, symbol: Symbol, aim: Aim) -> list[Clause]:
        """The range that does not admit the number, and what would."""
        wanted = aim.candidate(symbol)
        if wanted is None or symbol.in_range(wanted):
            return []
        number = Text(symbol, wanted)
        needs: list[Need | None] = []
        for each in ranges(symbol):
            exceeded = self._exceeded(symbol, wanted, each.low, each.high)
            if expr_value(each.complete):
                break  # this one applies
            if not exceeded:
                needs.append(self._raise(each.condition, 1))
        needs.append(self._lower(each.condition, 0))
        needs.append(every(self._relation(*e, number) for e in exceeded))
        possible = [n for n in needs if n is not None and not isinstance(n, Fixed)]
        need = any_of(possible) if possible else Fixed("range")
        names = names_in(*(bound for _, bound in exceeded))
        file = each.node.filename
        return [self._statements.clause("range", file, each.line, names, need)]

    def _exceeded(
        self, symbol: Symbol, wanted: str, low: Any, high: Any
    ) -> list[tuple[int, Any]]:
        """The bounds that do not admit a number, and how they should compare to it."""
        number = Text(symbol, wanted)
        bounds = ((LESS_EQUAL, low), (GREATER_EQUAL, high))
        return [b for b in bounds if not expr_value((*b, number))]

    def _matching(self, value: Any, symbol: Symbol, aim: Aim) -> Need | None:
        """What the value of a default needs to be as wanted."""
        if value.__class__ is tuple:
            return Fixed("n")
        if aim.admits(symbol, value.str_value):
            return None
        if value.__class__ is Symbol and value.nodes:
            return self._numbered(value, aim)
        return Fixed(value.text if value.__class__ is Tool else value.name)


def _worth_telling(ways: list[Way]) -> list[Way]:
    """Ways that a configuration can open; else those that another tool can; else one,
    which tells enough."""
    alive = [way for way in ways if not is_dead_way(way)]
    return [way for way in alive if not way_toolchain(way.clauses)] or alive or ways[:1]


def _clauses(way: Way) -> list[Clause]:
    return way.clauses


def _cost(clauses: list[Clause]) -> tuple[bool, int]:
    """Ways that only a tool bars come last, then those of many clauses."""
    return any(clause.toolchain for clause in clauses), len(clauses)


def _want_others(ways: list[Way]) -> bool:
    """Whether other ways than by the prompts are worth a look.

    Where a dependency fails, they would be against what the file asks for.
    """
    hidden = (c for way in ways for c in way.clauses if c.kind not in PROMPT_ONLY)
    return not any(hidden) or all(map(is_dead_way, ways))


def _can_be_set(symbol: Symbol, level: int) -> bool:
    return symbol.visibility >= level
