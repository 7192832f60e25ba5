# SPDX-License-Identifier: GPL-2.0-only
"""Which numbers and strings are worth assigning to a symbol.

Expressions see of a number only how it compares with others. So the values that make
a difference are those that it is compared with, and their neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from gen.tree.expr import AND, BOOL_TRISTATE, HEX, NOT, OR, STRING
from gen.tree.parser import Kconfig
from gen.tree.symbols import Symbol


# Strings that compare as less and as greater than all others
_LOWEST, _HIGHEST = "", "~"


class Boundaries:
    """The values worth trying, for each number and string of a Kconfig object."""

    def __init__(self, kconfig: Kconfig) -> None:
        self._kconfig = kconfig

    def of(self, symbol: Symbol, wanted: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Values that the user has not given, in a fixed order.

        wanted names symbols and the values that they may get in the end.
        """
        texts = dict.fromkeys(value for name, value in wanted if name == symbol.name)
        for other in self._compared.get(symbol, ()):
            known = [value for name, value in wanted if name == other.name]
            for text in (other.str_value, *known, *_constants(other)):
                texts.update(dict.fromkeys(_near(text, symbol.orig_type)))
        if symbol.orig_type is STRING:
            texts.update(dict.fromkeys((_LOWEST, _HIGHEST)))
        return tuple(
            text
            for text in texts
            if text != symbol.user_value and symbol.parse(text) is not None
        )

    @cached_property
    def _compared(self) -> dict[Any, dict[Any, None]]:
        """Each number or string, and what it is compared with anywhere."""
        found: dict[Any, dict[Any, None]] = defaultdict(dict)
        for symbol in self._kconfig.unique_defined_syms:
            for expr in _expressions(symbol):
                for left, right in _relations(expr):
                    found[left][right] = found[right][left] = None
            for low, high, _ in symbol.ranges:
                for bound in (low, high):
                    found[symbol][bound] = found[bound][symbol] = None
        return found


def _expressions(symbol: Symbol) -> Iterator[Any]:
    """The conditions of a symbol, which contain those of the blocks around it."""
    yield from symbol.prompts
    for select in (*symbol.selects_me, *symbol.implies_me):
        yield select.condition
    for node in symbol.nodes:
        yield node.dep
    for value, condition in symbol.defaults:
        yield condition
        if symbol.orig_type in BOOL_TRISTATE:
            yield value
    for _, _, condition in symbol.ranges:
        yield condition
    if symbol.choice:
        for _, condition in symbol.choice.defaults:
            yield condition


def _relations(expr: Any) -> Iterator[tuple[Any, Any]]:
    if expr.__class__ is not tuple:
        return
    operator, *operands = expr
    if operator is AND or operator is OR or operator is NOT:
        for operand in operands:
            yield from _relations(operand)
    elif any(o.orig_type not in BOOL_TRISTATE and o.nodes for o in operands):
        left, right = operands
        yield left, right


def _constants(symbol: Symbol) -> Iterator[str]:
    """The defaults of a symbol that are no symbols themselves."""
    for value, _ in symbol.defaults:
        if value.__class__ is Symbol and not value.nodes:
            yield value.name


def _near(text: str, kind: int) -> Iterator[str]:
    """A text and, if it is a number, the numbers next to it."""
    yield text
    for base in (10, 16):
        try:
            number = int(text, base)
        except ValueError:
            continue
        for near in (number, number + 1, number - 1):
            yield hex(max(near, 0)) if kind is HEX else str(near)
