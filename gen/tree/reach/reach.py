# SPDX-License-Identifier: GPL-2.0-only
"""What no configuration of a tree can have, with this architecture and toolchain.

For each claim ("this expression is at least m", and three more) Reach computes facts
that hold in every configuration in which the claim holds: EXPERT is n, PCI is m or y
and so on, gathered down to the last symbol. A claim whose facts contradict each other
holds in no configuration; that is a proof, for it rests on the Kconfig files alone.
The converse is not: alternatives only keep the facts that they have in common, so
what is not proved here may still be out of reach.

This is the one-literal rule of Davis and Putnam (1960), unit propagation in today's
SAT solvers, along the dependencies; each claim of a symbol is computed once. Where a
symbol would refer to itself nothing is assumed, which loses proofs but adds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gen.tree.expr import (
    AND,
    BOOL,
    BOOL_TRISTATE,
    NOT,
    OR,
    TRI_TO_STR,
    TRISTATE,
    expr_value,
    symbols,
)
from gen.tree.reach.facts import (
    AT_LEAST_M,
    AT_MOST_M,
    CLAIMS,
    IMPOSSIBLE,
    IS_N,
    IS_Y,
    Facts,
    read_by,
)
from gen.tree.parser import Kconfig
from gen.tree.symbols import Symbol

# What a claim leaves of the values n, m and y
_VALUES: dict[frozenset[int], tuple[int, ...]] = {
    frozenset({0}): (IS_N,),
    frozenset({1}): (AT_LEAST_M, AT_MOST_M),
    frozenset({2}): (IS_Y,),
    frozenset({0, 1}): (AT_MOST_M,),
    frozenset({1, 2}): (AT_LEAST_M,),
}

# Of more texts than these, comparisons are not tried
_TEXTS = 32


class _Held(NamedTuple):
    """A symbol with one of its values, for a comparison."""

    orig_type: int
    tri_value: int
    str_value: str


class Reach:
    """Remembers what it has proved; holds for one parse of a tree."""

    def __init__(self, kconfig: Kconfig) -> None:
        self._choice_is_menu = kconfig.profile.choice_is_menu
        self._imply_needs_depends = kconfig.profile.imply_needs_depends
        self._modules = kconfig.modules
        # These are computed before the modules symbol and see no modules
        self.before_modules = _cone(kconfig.modules)
        self._known: tuple[dict[Any, int], ...] = ({}, {}, {}, {})
        self._parts: tuple[dict[int, tuple[int, Any]], ...] = ({}, {}, {}, {})
        self._texts: dict[Symbol, frozenset[str] | None] = {}
        self.about = Facts(kconfig)
        self.both = self.about.both

    # -- What others ask ------------------------------------------------------------

    def possible(self, symbol: Symbol) -> frozenset[int]:
        """The values that are not proved impossible for a bool or tristate."""
        up, y, n, down = (self.facts(symbol, claim) for claim in CLAIMS)
        m = self.both(up, down) if self.can_be_m(symbol) else IMPOSSIBLE
        claims = (n, m, y)
        return frozenset(v for v in range(3) if claims[v] != IMPOSSIBLE)

    def never(self, expr: Any) -> bool:
        """Whether an expression is n in every configuration."""
        return self.facts(expr, AT_LEAST_M) == IMPOSSIBLE

    def facts(self, expr: Any, claim: int) -> int:
        """The facts that follow from a claim about an expression, or IMPOSSIBLE."""
        if expr.__class__ is tuple:
            operator = expr[0]
            if operator is NOT:
                return self.facts(expr[1], 3 - claim)
            if operator is not AND and operator is not OR:
                return self._relation(expr, claim)
            left = self.facts(expr[1], claim)
            if (operator is AND) is (claim <= IS_Y):
                if left == IMPOSSIBLE:
                    return left
                return self.both(left, self._shared(expr[2], claim))
            return left & self._shared(expr[2], claim) if left else 0
        known = self._known[claim]
        facts = known.get(expr)
        if facts is None:
            known[expr] = 0  # as long as it is being computed
            facts = known[expr] = self._item(expr, claim)
        return facts

    def _shared(self, expr: Any, claim: int) -> int:
        """As facts(), for the right side of an operator.

        There stands what a definition depends on, and an enclosing block: the same
        object in many expressions.
        """
        if expr.__class__ is not tuple:
            return self.facts(expr, claim)
        known = self._parts[claim].get(id(expr))
        if known is None:
            # The expression is kept with it, so that its id stays its own.
            known = self._parts[claim][id(expr)] = (self.facts(expr, claim), expr)
        return known[0]

    def can_be_m(self, symbol: Symbol) -> bool:
        """Whether the symbol's type and the modules symbol admit m."""
        return not (
            self.about.is_bool(symbol)
            or symbol in self.before_modules
            or self.never(self._modules)
        )

    def texts(self, symbol: Symbol) -> frozenset[str] | None:
        """The values that a number or string can have; None if not known."""
        if not symbol.nodes or not symbol.orig_type:
            return frozenset({symbol.str_value})
        if symbol not in self._texts:
            self._texts[symbol] = None
            self._texts[symbol] = self._default_texts(symbol)
        return self._texts[symbol]

    def settable(self, symbol: Symbol) -> bool:
        """Whether a prompt of the symbol can be visible."""
        return symbol.transitional or not all(map(self.never, symbol.prompts))

    def counting(self, conditions: Iterable[Any]) -> Iterator[tuple[int, bool]]:
        """Of conditions of which the first that holds counts: those that ever count.

        Yields the index of each, and whether one of those so far always holds.
        """
        earlier = 0
        for index, condition in enumerate(conditions):
            if self.both(earlier, self.facts(condition, AT_LEAST_M)) == IMPOSSIBLE:
                continue
            earlier = self.both(earlier, self.facts(condition, IS_N))
            yield index, earlier == IMPOSSIBLE
            if earlier == IMPOSSIBLE:
                return

    # -- Symbols and choices --------------------------------------------------------

    def _item(self, item: Any, claim: int) -> int:
        if item.__class__ is not Symbol:
            return self._choice(item, claim)
        if not item.nodes or item.orig_type not in BOOL_TRISTATE:
            value = 0 if item.nodes else item.tri_value
            holds = (value >= 1, value == 2, value == 0, value <= 1)[claim]
            return 0 if holds else IMPOSSIBLE
        if claim & 1 and self.about.is_bool(item):
            return self.facts(item, claim - 1)
        own = self.about.of(item, claim)
        if item.transitional:
            return own
        return self.both(own, self._causes(item, claim))

    def _causes(self, symbol: Symbol, claim: int) -> int:
        """The facts behind a claim, from what gives the symbol its value."""
        if symbol.choice and self._choice_is_menu:
            return self._member(symbol, claim)
        if symbol.orig_type is not BOOL and claim & 1:
            return self._with_modules(symbol, claim)
        if claim == IS_N:
            return self._lowered(symbol, claim)
        return self._raised(symbol, claim)

    def _with_modules(self, symbol: Symbol, claim: int) -> int:
        """The facts behind "is y" or "is at most m": without modules m becomes y."""
        if claim == IS_Y:
            facts = self.facts(symbol, AT_LEAST_M)
            if symbol in self.before_modules or facts == IMPOSSIBLE:
                return facts
            facts = self.both(facts, self.facts(self._modules, IS_N))
            return facts & self._raised(symbol, IS_Y)
        facts = self.facts(symbol, IS_N)
        if symbol in self.before_modules or not facts:
            return facts
        modules = self.facts(self._modules, AT_LEAST_M)
        if modules == IMPOSSIBLE:
            return facts
        return facts & self.both(modules, self._lowered(symbol, AT_MOST_M))

    def _raised(self, symbol: Symbol, claim: int) -> int:
        """What all ways to m or y have in common: prompt, defaults, select, imply."""
        facts = self._visible(symbol, claim)
        if symbol.choice and symbol.orig_type is BOOL:
            facts = self.both(facts, self.others_off(symbol))
        earlier = 0
        for index, (value, condition) in enumerate(symbol.defaults):
            if not facts or earlier == IMPOSSIBLE:
                break
            way = self.both(self.facts(condition, claim), self.facts(value, claim))
            facts &= self.both(earlier, way)
            if index + 1 < len(symbol.defaults):
                earlier = self.both(earlier, self.facts(condition, IS_N))
        if symbol.choice:
            return facts
        for source in symbol.selects_me:
            if not facts:
                break
            facts &= self._source(source, claim)
        for source in symbol.implies_me:
            if not facts:
                break
            limit = self._depends(symbol, claim)
            facts &= self.both(limit, self._source(source, claim))
        return facts

    def _visible(self, symbol: Symbol, claim: int) -> int:
        facts = IMPOSSIBLE
        for condition in symbol.prompts:
            facts &= self.facts(condition, claim)
            if not facts:
                break
        return facts

    def _source(self, source: Any, claim: int) -> int:
        facts = self.facts(source.symbol, claim)
        if facts == IMPOSSIBLE:
            return facts
        return self.both(facts, self.facts(source.condition, claim))

    def _depends(self, symbol: Symbol, claim: int) -> int:
        if not self._imply_needs_depends:
            claim = AT_LEAST_M
        facts = IMPOSSIBLE if symbol.depends else 0
        for condition in symbol.depends:
            facts &= self.facts(condition, claim)
        return facts

    def _lowered(self, symbol: Symbol, claim: int) -> int:
        """What follows from nothing raising the symbol beyond n or m."""
        if symbol.choice:
            return 0  # of a choice that has a value: not looked into
        facts = self._lowered_default(symbol, claim)
        if facts:
            facts &= self._visible(symbol, AT_LEAST_M)
        for source in symbol.selects_me:
            if facts == IMPOSSIBLE:
                break
            facts = self.both(facts, self._no_source(source, claim))
        return facts

    def _lowered_default(self, symbol: Symbol, claim: int) -> int:
        facts = 0
        for value, condition in reversed(symbol.defaults):
            on = self.facts(condition, AT_LEAST_M)
            low = self.both(on, self.facts(value, claim))
            if claim == AT_MOST_M:
                low &= self.both(on, self.facts(condition, claim))
            facts = low & self.both(facts, self.facts(condition, IS_N))
        if not symbol.implies_me:
            return facts
        default = facts
        for source in symbol.implies_me:
            facts = self.both(facts, self._no_source(source, claim))
        limit = 0 if symbol.depends else IMPOSSIBLE
        for condition in symbol.depends:
            limit = self.both(limit, self.facts(condition, claim))
        if not self._imply_needs_depends:
            limit = self.both(limit, default)
        return facts & limit

    def _no_source(self, source: Any, claim: int) -> int:
        return self.facts(source.symbol, claim) & self.facts(source.condition, claim)

    # -- Choices --------------------------------------------------------------------

    def _member(self, symbol: Symbol, claim: int) -> int:
        """A member of a choice that is a menu: one of the visible ones is y."""
        if claim <= IS_Y:
            visible = self._visible(symbol, AT_LEAST_M)
            return self.both(visible, self.others_off(symbol))
        facts = IMPOSSIBLE
        for member in symbol.choice.syms:
            if member is not symbol:
                facts &= self.facts(member, IS_Y)
        hidden = 0
        for condition in symbol.prompts:
            hidden = self.both(hidden, self.facts(condition, IS_N))
        return facts & hidden

    def others_off(self, symbol: Symbol) -> int:
        """The facts that no other member of the symbol's choice is y."""
        facts = 0
        for member in symbol.choice.syms:
            # By the older rules, a hidden member has its default.
            if member is not symbol and (self._choice_is_menu or not member.defaults):
                facts |= self.about.of(member, IS_N)
        return facts

    def _choice(self, choice: Any, claim: int) -> int:
        """A choice that has a value, as something that its members depend on."""
        if claim > IS_Y:
            return 0
        if choice.orig_type is not TRISTATE:
            claim = AT_LEAST_M
        facts = IMPOSSIBLE
        for node in choice.nodes:
            if node.prompt:
                facts &= self.facts(node.prompt[1], claim)
        if claim == IS_Y and choice not in self.before_modules:
            promoted = self.facts(choice, AT_LEAST_M)
            facts &= self.both(promoted, self.facts(self._modules, IS_N))
        return facts

    # -- Comparisons ----------------------------------------------------------------

    def _relation(self, expr: Any, claim: int) -> int:
        demands = self.demands(expr, claim)
        if demands is None:
            return IMPOSSIBLE
        facts = 0
        for symbol, demand in demands:
            facts = self.both(facts, self.facts(symbol, demand))
        return facts

    def demands(self, expr: Any, claim: int) -> list[tuple[Symbol, int]] | None:
        """What a claim about a comparison claims of bools and tristates in it.

        None if the values that are possible rule the claim out.
        """
        operator, left, right = expr
        lefts, rights = self._held(left), self._held(right)
        if lefts is None or rights is None:
            return []
        wanted = 2 if claim <= IS_Y else 0
        pairs = [
            (a, b)
            for a in lefts
            for b in rights
            if expr_value((operator, a, b)) == wanted
        ]
        if not pairs:
            return None
        sides = (
            (left, {a.tri_value for a, _ in pairs}),
            (right, {b.tri_value for _, b in pairs}),
        )
        return [
            (symbol, demand)
            for symbol, values in sides
            if symbol.nodes and symbol.orig_type in BOOL_TRISTATE
            for demand in _VALUES.get(frozenset(values), ())
        ]

    def _held(self, symbol: Symbol) -> list[_Held] | None:
        kind = symbol.orig_type
        if symbol.nodes and kind in BOOL_TRISTATE:
            return [_Held(kind, v, TRI_TO_STR[v]) for v in self.possible(symbol)]
        texts = self.texts(symbol)
        if texts is None:
            return None
        return [_Held(kind, symbol.tri_value, text) for text in texts]

    def _default_texts(self, symbol: Symbol) -> frozenset[str] | None:
        if self.settable(symbol) or symbol.ranges:
            return None
        texts: set[str] = set()
        certain = False
        conditions = (condition for _, condition in symbol.defaults)
        for index, certain in self.counting(conditions):
            value = symbol.defaults[index][0]
            more = None
            if value.__class__ is Symbol:
                more = self.texts(value)
            if more is None:
                return None
            texts |= more
        if not certain:
            texts.add(symbol.nothing())
        return frozenset(texts) if len(texts) <= _TEXTS else None


def _cone(symbol: Symbol) -> set[Any]:
    """All that may be looked at for the value of a symbol, and itself."""
    seen: set[Any] = set()
    todo = [symbol]
    while todo:
        item = todo.pop()
        if item not in seen:
            seen.add(item)
            for expr in read_by(item):
                todo += symbols(expr)
    return seen
