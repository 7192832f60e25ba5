# SPDX-License-Identifier: GPL-2.0-only
"""The lowest and highest number that a symbol can have in any configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gen.tree.expr import HEX, INT, strtoll
from gen.tree.reach.reach import Reach
from gen.tree.symbols import Symbol

BASES = {INT: 10, HEX: 16}


def applicable(reach: Reach, symbol: Symbol) -> Iterator[tuple[int, bool]]:
    """The indexes of the ranges that ever apply, and whether one so far always does."""
    return reach.counting(condition for _, _, condition in symbol.ranges)


def bounds(reach: Reach, symbol: Symbol) -> tuple[int, int] | None:
    """The lowest and highest number of an int or hex; None if there is no limit.

    conf moves whatever lies outside the range that applies to its nearer bound, so
    all lies between the lowest and the highest bound, if some range always applies.
    """
    numbers: list[int] = []
    always = False
    for index, always in applicable(reach, symbol):
        for bound in symbol.ranges[index][:2]:
            limits = _limits(reach, symbol, bound)
            if limits is None:
                return None
            numbers += limits
    return (min(numbers), max(numbers)) if always else None


def _limits(reach: Reach, symbol: Symbol, bound: Any) -> tuple[int, ...] | None:
    """Between which numbers a bound lies."""
    base = BASES[symbol.orig_type]
    if bound.nodes and bound.orig_type is not symbol.orig_type:
        return None  # as text it may stand for another number
    texts = reach.texts(bound)
    if texts is not None:
        return tuple(strtoll(text, base) for text in texts)
    return bounds(reach, bound) if bound is not symbol else None
