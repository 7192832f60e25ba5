# SPDX-License-Identifier: GPL-2.0-only
"""What it takes to bring a symbol to a value: assignments of which one must be made.

A Need answers for the configuration at hand: whoever gets there with a given number
of further assignments makes at least one of those in `ways`. So a search that tries
each of them in turn misses no solution. Of several conditions that all have to hold,
any one that fails has such a set, and the smallest is taken; of several that each
would do, the sets are joined. Everything follows from the values of expressions in
the present state; nothing is remembered from one state to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from gen.tree.search.boundaries import Boundaries
from gen.tree.choices import Choice
from gen.tree.expr import (
    AND,
    BOOL,
    BOOL_TRISTATE,
    EQUAL,
    NOT,
    OR,
    STR_TO_TRI,
    TRISTATE,
    UNEQUAL,
    expr_value,
)
from gen.tree.parser import Kconfig
from gen.tree.symbols import Select, Symbol

Assignment = tuple[str, str]  # a symbol's name and its value


class Need(NamedTuple):
    """What is missing for something to hold, as far as that can be told now."""

    cost: int  # so many assignments at least; 0 if it holds already
    musts: frozenset[tuple[Assignment, ...]]  # one of each is in every solution
    ways: tuple[Assignment, ...]  # one of these is in every solution

    def of_musts(self) -> int:
        """The number of symbols that every solution assigns."""
        return len({must[0][0] for must in self.musts})


NOTHING = Need(0, frozenset(), ())

_Rule = Callable[[Symbol, int, int], "Need | None"]


class Needs:
    """Needs in the present state of a Kconfig object.

    Budgets count assignments. None stands for what cannot be had within the budget;
    `cut` tells afterwards whether a larger budget might have changed any answer.
    """

    def __init__(
        self,
        kconfig: Kconfig,
        boundaries: Boundaries,
        pinned: frozenset[str],
        wanted: Collection[Assignment],
    ) -> None:
        """pinned symbols are never assigned; wanted values may be needed later."""
        self._kconfig = kconfig
        self._boundaries = boundaries
        self._pinned = pinned
        self._wanted = wanted
        self._taken: frozenset[str] = pinned
        self._banned: frozenset[Assignment] = frozenset()
        self._known: dict[Any, tuple[float, Need | None]] = {}
        self.cut = False
        self.looked_at = 0  # symbols, over all calls: what the work amounts to

    def of(
        self,
        aims: Iterable[Assignment],
        budget: int,
        taken: Iterable[str],
        banned: frozenset[Assignment],
    ) -> Need | None:
        """What it takes that all aims hold together.

        taken symbols have been assigned already, banned assignments were tried.
        """
        self._taken = self._pinned.union(taken)
        self._banned = banned
        self._known = {}
        return self._all(
            (
                self._exactly(self._kconfig.syms[name], value, budget)
                for name, value in aims
            ),
            budget,
        )

    # -- Combining needs ----------------------------------------------------------

    def _all(self, needs: Iterable[Need | None], budget: int) -> Need | None:
        parts = []
        for need in needs:
            if need is None:
                return None
            if need.cost:
                parts.append(need)
        if len(parts) < 2:
            return parts[0] if parts else NOTHING
        musts = frozenset[tuple[Assignment, ...]]().union(*(p.musts for p in parts))
        ways = min((*(p.ways for p in parts), *musts), key=len)
        whole = Need(0, musts, ways)
        cost = max(whole.of_musts(), *(p.cost for p in parts))
        return self._within(whole._replace(cost=cost), budget)

    def _either(self, needs: Iterable[Need | None]) -> Need | None:
        parts = []
        for need in needs:
            if need is None:
                continue
            if not need.cost:
                return NOTHING
            parts.append(need)
        if len(parts) < 2:
            return parts[0] if parts else None
        ways = dict.fromkeys(way for part in parts for way in part.ways)
        return Need(
            min(part.cost for part in parts),
            frozenset.intersection(*(part.musts for part in parts)),
            tuple(ways),
        )

    def _also(
        self, own: Need | None, rest: Callable[[int], Need | None]
    ) -> Need | None:
        """An assignment of a symbol, and what the symbol itself does not affect."""
        if own is None:
            return None
        other = rest(own.cost)
        if other is None:
            return None
        ways = min(own.ways or other.ways, other.ways or own.ways, key=len)
        return Need(own.cost + other.cost, own.musts | other.musts, ways)

    def _within(self, need: Need, budget: int) -> Need | None:
        if need.cost > budget:
            self.cut = True
            return None
        return need

    def _set(self, symbol: Symbol, values: Iterable[str], budget: int) -> Need | None:
        """The assignment of one of the values to the symbol."""
        if symbol.name in self._taken or not _is_variable(symbol):
            return None
        suiting = (v for v in values if symbol.parse(v) is not None)
        ways = tuple((symbol.name, value) for value in suiting)
        ways = tuple(way for way in ways if way not in self._banned)
        if not ways:
            return None
        return self._within(Need(1, frozenset({ways}), ways), budget)

    def _once(
        self, rule: _Rule, symbol: Symbol, level: int, budget: int
    ) -> Need | None:
        """Apply a rule to a symbol, if that was not done before in this state."""
        key = (rule.__name__, symbol, level)
        if key in self._known:
            known, need = self._known[key]
            if known >= budget:
                return need and self._within(need, budget)
        # A loop of symbols does not help itself.
        self._known[key] = (float("inf"), None)
        self.looked_at += 1
        need = rule(symbol, level, budget)
        if need is NOTHING:
            # The rules do not see why it fails.
            need = self._anything(symbol, budget)
        self._known[key] = (budget, need)
        return need

    # -- Expressions --------------------------------------------------------------

    def _raise(self, expr: Any, level: int, budget: int) -> Need | None:
        """The expression is to have at least the level."""
        if expr_value(expr) >= level:
            return NOTHING
        if expr.__class__ is Symbol:
            return self._once(self._raise_symbol, expr, level, budget)
        if expr.__class__ is Choice:
            return self._raise_choice(expr, budget)
        operator = expr[0]
        if operator is NOT:
            return self._lower(expr[1], 2 - level, budget)
        if operator is AND:
            return self._all((self._raise(e, level, budget) for e in expr[1:]), budget)
        if operator is OR:
            return self._either(self._raise(e, level, budget) for e in expr[1:])
        return self._relation(expr, budget)

    def _lower(self, expr: Any, level: int, budget: int) -> Need | None:
        """The expression is to have at most the level."""
        if expr_value(expr) <= level:
            return NOTHING
        if expr.__class__ is Symbol:
            return self._once(self._lower_symbol, expr, level, budget)
        if expr.__class__ is Choice:
            return self._lower_choice(expr, level, budget)
        operator = expr[0]
        if operator is NOT:
            return self._raise(expr[1], 2 - level, budget)
        if operator is AND:
            return self._either(self._lower(e, level, budget) for e in expr[1:])
        if operator is OR:
            return self._all((self._lower(e, level, budget) for e in expr[1:]), budget)
        return self._relation(expr, budget)

    def _change(self, expr: Any, budget: int) -> Need | None:
        """The expression is to have another value than now."""
        if expr.__class__ is Symbol and expr.orig_type not in BOOL_TRISTATE:
            return self._once(self._change_text, expr, 0, budget)
        value = expr_value(expr)
        return self._either(
            (
                self._raise(expr, value + 1, budget) if value < 2 else None,
                self._lower(expr, value - 1, budget) if value else None,
            )
        )

    def _relation(self, expr: Any, budget: int) -> Need | None:
        """A comparison is to have the other result."""
        operator, left, right = expr
        if right.is_constant and right.name in STR_TO_TRI:
            if left.orig_type in BOOL_TRISTATE and operator in (EQUAL, UNEQUAL):
                if expr_value((EQUAL, left, right)):
                    return self._change(left, budget)
                return self._exactly(left, right.name, budget)
        return self._either(self._change(side, budget) for side in (left, right))

    def _exactly(self, symbol: Symbol, value: str, budget: int) -> Need | None:
        """The symbol is to have this very value."""
        if symbol.orig_type not in BOOL_TRISTATE:
            if symbol.str_value == value:
                return NOTHING
            return self._give_text(symbol, value, budget)
        level = STR_TO_TRI.get(value)
        if level is None:
            return None
        if symbol.tri_value < level:
            return self._raise(symbol, level, budget)
        return self._lower(symbol, level, budget)

    # -- Symbols that are to be raised --------------------------------------------

    def _raise_symbol(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        if not _is_variable(symbol) or symbol.orig_type not in BOOL_TRISTATE:
            return None
        if symbol.choice:
            return self._raise_member(symbol, level, budget)
        if symbol.orig_type is BOOL or not self._kconfig.modules_value:
            # m becomes y
            return self._either(self._ways_up(symbol, 1, budget))
        ways = [self._either(self._ways_up(symbol, level, budget))]
        if level == 2:
            ways.append(
                self._all(
                    (
                        self._raise(symbol, 1, budget),
                        self._lower(self._kconfig.modules, 0, budget),
                    ),
                    budget,
                )
            )
        return self._either(ways)

    def _ways_up(
        self, symbol: Symbol, level: int, budget: int
    ) -> Iterator[Need | None]:
        yield self._set_up(symbol, level, budget)
        for select in symbol.selects_me:
            yield self._through(select, level, budget)
        yield self._all(self._defaults_up(symbol, level, budget), budget)

    def _set_up(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        """The user sets the symbol, which must be visible."""
        if symbol.user_value is not None and symbol.user_value >= level:
            return self._show(symbol, level, budget)
        values = ["y"]
        if level == 1 and symbol.orig_type is TRISTATE:
            values.append("m")
        return self._also(
            self._set(symbol, values, budget),
            lambda cost: self._show(symbol, level, budget - cost),
        )

    def _show(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        if symbol.visibility >= level:
            return NOTHING
        return self._either(self._raise(c, level, budget) for c in symbol.prompts)

    def _hide(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        if symbol.visibility <= level:
            return NOTHING
        return self._all(
            (self._lower(c, level, budget) for c in symbol.prompts), budget
        )

    def _through(self, select: Select, level: int, budget: int) -> Need | None:
        return self._all(
            (self._raise(e, level, budget) for e in (select.condition, select.symbol)),
            budget,
        )

    def _unset(self, symbol: Symbol, budget: int) -> Need | None:
        """What the user set does not count."""
        if symbol.user_value is None:
            return NOTHING
        return self._hide(symbol, 0, budget)

    def _defaults_up(
        self, symbol: Symbol, level: int, budget: int
    ) -> Iterator[Need | None]:
        """A default or `imply` applies."""
        yield self._unset(symbol, budget)
        ways = []
        earlier: list[Any] = []
        for value, condition in symbol.defaults:
            conditions = [self._raise(condition, level, budget)]
            conditions.append(conditions[0] and self._raise(value, level, budget))
            conditions += (self._lower(c, 0, budget) for c in earlier)
            ways.append(self._all(conditions, budget))
            earlier.append(condition)
        if not symbol.choice:
            for imply in symbol.implies_me:
                ways.append(self._through(imply, level, budget))
        default = self._either(ways)
        yield default
        if default is NOTHING and symbol.implies_me:
            yield self._either(self._raise(d, level, budget) for d in symbol.depends)

    # -- Symbols that are to be lowered -------------------------------------------

    def _lower_symbol(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        if not _is_variable(symbol):
            return None
        if symbol.choice:
            return self._lower_member(symbol, level, budget)
        if symbol.orig_type is BOOL:
            level = 0
        elif level == 1 and not self._kconfig.modules_value:
            return self._either(
                (
                    self._lower(symbol, 0, budget),
                    self._raise(self._kconfig.modules, 2, budget),
                )
            )
        return self._all(self._ways_down(symbol, level, budget), budget)

    def _ways_down(
        self, symbol: Symbol, level: int, budget: int
    ) -> Iterator[Need | None]:
        for select in symbol.selects_me:
            yield self._release(select, level, budget)
        if symbol.own_tristate()[0] > level:
            yield self._either(self._own_down(symbol, level, budget))

    def _release(self, select: Select, level: int, budget: int) -> Need | None:
        return self._either(
            self._lower(e, level, budget) for e in (select.symbol, select.condition)
        )

    def _own_down(
        self, symbol: Symbol, level: int, budget: int
    ) -> Iterator[Need | None]:
        """What is not due to `select` goes down."""
        if symbol.user_value is not None and symbol.user_value <= level:
            yield self._show(symbol, 1, budget)
        else:
            yield self._also(
                self._set(symbol, ("n", "m")[: level + 1], budget),
                lambda cost: self._show(symbol, 1, budget - cost),
            )
            if level and symbol.visibility == 2 and symbol.user_value is not None:
                yield self._hide(symbol, level, budget)
        yield self._all(
            (
                self._unset(symbol, budget),
                self._default_down(symbol, level, budget),
                *(self._release(imply, level, budget) for imply in symbol.implies_me),
            ),
            budget,
        )
        if symbol.highest(symbol.implies_me):
            yield self._all(
                (
                    self._unset(symbol, budget),
                    *(self._lower(d, level, budget) for d in symbol.depends),
                )
                if symbol.depends
                else (None,),
                budget,
            )

    def _default_down(self, symbol: Symbol, level: int, budget: int) -> Need | None:
        earlier: list[Any] = []
        for value, condition in symbol.defaults:
            if expr_value(condition):
                return self._either(
                    (
                        self._lower(condition, level, budget),
                        self._lower(value, level, budget),
                        *(self._raise(c, 1, budget) for c in earlier),
                    )
                )
            earlier.append(condition)
        return NOTHING

    # -- Choices ------------------------------------------------------------------

    def _raise_member(self, member: Symbol, level: int, budget: int) -> Need | None:
        if not self._is_plain(member.choice):
            return self._anything(member, budget)
        if not member.visibility:
            return self._show(member, 1, budget)
        return self._either(
            (self._set(member, ("y",), budget), self._reselect(member.choice, budget))
        )

    def _lower_member(self, member: Symbol, level: int, budget: int) -> Need | None:
        if not self._is_plain(member.choice):
            return self._anything(member, budget)
        return self._either(
            (
                self._hide(member, 0, budget),
                *(
                    self._set(other, ("y",), budget)
                    for other in member.choice.syms
                    if other is not member and other.visibility
                ),
                self._reselect(member.choice, budget),
            )
        )

    def _reselect(self, choice: Choice, budget: int) -> Need | None:
        """Something that could move the selection, other than selecting a member."""
        return self._either(
            (
                *(self._set(member, ("n",), budget) for member in choice.syms),
                *(self._change(c, budget) for m in choice.syms for c in m.prompts),
                *(self._change(condition, budget) for _, condition in choice.defaults),
            )
        )

    def _is_plain(self, choice: Choice) -> bool:
        """Whether the choice always has a selection when a member is visible."""
        return self._kconfig.profile.choice_is_menu or (
            choice.orig_type is BOOL and not choice.is_optional
        )

    def _raise_choice(self, choice: Choice, budget: int) -> Need | None:
        """By the older rules, members depend on the value of their choice."""
        conditions = [node.prompt[1] for node in choice.nodes if node.prompt]
        if not self._is_plain(choice):
            return self._anything(choice, budget)
        return self._either(self._raise(c, 1, budget) for c in conditions)

    def _lower_choice(self, choice: Choice, level: int, budget: int) -> Need | None:
        conditions = [node.prompt[1] for node in choice.nodes if node.prompt]
        if not self._is_plain(choice):
            return self._anything(choice, budget)
        return self._all((self._lower(c, 0, budget) for c in conditions), budget)

    # -- Numbers and strings ------------------------------------------------------

    def _give_text(self, symbol: Symbol, value: str, budget: int) -> Need | None:
        """The number or string is to be this one."""
        if not _is_variable(symbol):
            return None
        own: Need | None = NOTHING
        if symbol.user_value != value:
            own = self._set(symbol, (value,), budget)
        ways = [
            self._also(own, lambda cost: self._admit(symbol, value, budget - cost)),
            self._rebound(symbol, budget),
            self._change_default(symbol, budget),
        ]
        if symbol.ranges and not symbol.in_range(value):
            # A bound is what other numbers become, even where it is not in its range.
            values = self._boundaries.of(symbol, self._wanted)
            ways.append(self._set(symbol, values, budget))
        return self._either(ways)

    def _admit(self, symbol: Symbol, value: str, budget: int) -> Need | None:
        """The symbol is visible and its range admits the number."""
        numeric = symbol.ranges and not symbol.in_range(value)
        return self._all(
            (
                self._show(symbol, 1, budget),
                self._rebound(symbol, budget) if numeric else NOTHING,
            ),
            budget,
        )

    def _change_text(self, symbol: Symbol, _level: int, budget: int) -> Need | None:
        """The number or string is to be another one."""
        if not _is_variable(symbol):
            return None
        if symbol.visibility:
            own = self._set(symbol, self._boundaries.of(symbol, self._wanted), budget)
        else:
            own = self._show(symbol, 1, budget)
        return self._either(
            (own, self._rebound(symbol, budget), self._change_default(symbol, budget))
        )

    def _rebound(self, symbol: Symbol, budget: int) -> Need | None:
        """Another range applies, or another bound."""
        return self._either(
            self._change(expr, budget) for bounds in symbol.ranges for expr in bounds
        )

    def _change_default(self, symbol: Symbol, budget: int) -> Need | None:
        """Another default applies, or what it refers to has another value."""
        if symbol.visibility and symbol.user_value is not None:
            return self._hide(symbol, 0, budget)
        return self._either(
            self._change(expr, budget)
            for default in symbol.defaults
            for expr in default
        )

    # -- What has no rule ---------------------------------------------------------

    def _anything(self, item: Symbol | Choice, budget: int) -> Need | None:
        """Any symbol whose value was looked at to find that of an item."""
        kconfig = self._kconfig
        kconfig.touch()
        expr_value(item)
        seen = {
            symbol: None
            for symbol in kconfig.unique_defined_syms
            if symbol.generation == kconfig.generation
        }
        for choice in kconfig.unique_choices:
            if choice.generation == kconfig.generation:
                seen.update(dict.fromkeys(choice.syms))
        return self._either(
            self._set(symbol, self._values(symbol), budget)
            for symbol in seen
            if symbol.prompts
        )

    def _values(self, symbol: Symbol) -> tuple[str, ...]:
        if symbol.orig_type in BOOL_TRISTATE:
            return ("y", "n") if symbol.orig_type is BOOL else ("y", "m", "n")
        return self._boundaries.of(symbol, self._wanted)


def _is_variable(symbol: Symbol) -> bool:
    """Whether the value is more than a constant or what .config says of the past."""
    return bool(symbol.nodes and symbol.orig_type and not symbol.transitional)
