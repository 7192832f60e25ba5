# SPDX-License-Identifier: GPL-2.0-only
"""Claims about bools and tristates, and sets of them in which none denies another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gen.tree.expr import AND, BOOL, OR, TRISTATE, symbols
from gen.tree.parser import Kconfig
from gen.tree.symbols import Symbol

# What may be claimed of an expression. 3 - claim says the same of its negation; of a
# bool, claim & ~1 says the same.
CLAIMS = AT_LEAST_M, IS_Y, IS_N, AT_MOST_M = (0, 1, 2, 3)

# Facts are a set of bits, four for each symbol: one for each claim. The facts of an
# impossible claim are all there could be, so that & and | do what they should.
IMPOSSIBLE = -1
# IS_Y is AT_LEAST_M too, and IS_N is AT_MOST_M; a bool knows no difference.
_BITS = (
    (0b0001, 0b0011, 0b1100, 0b1000),
    (0b0011, 0b0011, 0b1100, 0b1100),
)


class Facts:
    """Gives each symbol of a tree its bits."""

    def __init__(self, kconfig: Kconfig) -> None:
        self._choice_is_menu = kconfig.profile.choice_is_menu
        self._places = {s: 4 * n for n, s in enumerate(_opposed(kconfig))}
        # The first two bits of each symbol
        self._first = sum(0b11 << place for place in self._places.values())

    def both(self, left: int, right: int) -> int:
        """The facts that follow from two claims together."""
        facts = left | right
        # If one contains the other there is nothing new, and no new number to keep
        if facts == left:
            return left
        if facts == right:
            return right
        return IMPOSSIBLE if facts & facts >> 2 & self._first else facts

    def opposed(self, left: int, right: int) -> tuple[int, int] | None:
        """A fact of each side that contradict each other, if there are such."""
        for low, high in ((left, right), (right, left)):
            hits = low & high >> 2 & self._first
            if hits:
                bit = hits & -hits
                return (bit, bit << 2) if low is left else (bit << 2, bit)
        return None

    def of(self, symbol: Symbol, claim: int) -> int:
        """The fact that a claim about a symbol is, if anything can contradict it."""
        place = self._places.get(symbol)
        if place is None:
            return 0
        return _BITS[self.is_bool(symbol)][claim] << place

    def is_bool(self, item: Any) -> bool:
        """Whether a symbol or choice cannot be m for its type.

        That is also so for members of a choice that is a menu.
        """
        if item.__class__ is not Symbol:
            return item.orig_type is not TRISTATE
        return item.orig_type is BOOL or bool(item.choice and self._choice_is_menu)

    def meaning(self, fact: int) -> tuple[Symbol, int]:
        """What a single fact says."""
        place = fact.bit_length() - 1
        symbol = next(s for s, first in self._places.items() if first == place & ~3)
        return symbol, place & 3


def _opposed(kconfig: Kconfig) -> set[Symbol]:
    """The symbols of which something needs that they are off, or not y.

    Only facts about these can contradict each other, so others are not kept.
    """
    found: set[Any] = {kconfig.modules}
    seen: set[int] = set()
    for choice in kconfig.unique_choices:
        found.update(choice.syms)
    for symbol in kconfig.unique_defined_syms:
        for expr in read_by(symbol):
            _gather(expr, found, seen)
        for _, condition in symbol.defaults[:-1]:
            found.update(symbols(condition))
    for symbol in list(found):
        if symbol.__class__ is Symbol:
            found.update(source.symbol for source in symbol.selects_me)
    return {item for item in found if item.__class__ is Symbol and item.nodes}


def _gather(expr: Any, found: set[Any], seen: set[int]) -> None:
    if expr.__class__ is not tuple or id(expr) in seen:
        return
    seen.add(id(expr))
    if expr[0] is not AND and expr[0] is not OR:
        found.update(symbols(expr))
        return
    _gather(expr[1], found, seen)
    _gather(expr[2], found, seen)


def read_by(item: Any) -> Iterator[Any]:
    """The expressions that decide what value a symbol or choice has."""
    for default in item.defaults:
        yield from default
    if item.__class__ is not Symbol:
        yield from (node.prompt[1] for node in item.nodes if node.prompt)
        yield from item.syms
        return
    yield from item.prompts
    yield from item.depends
    for bounds in item.ranges:
        yield from bounds
    for source in (*item.selects_me, *item.implies_me):
        yield from (source.symbol, source.condition)
    if item.choice:
        yield item.choice
