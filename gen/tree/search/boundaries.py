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

from gen.tree.choices import Choice
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

        def note(left: Any, right: Any) -> None:
            found[left][right] = found[right][left] = None

        kconfig = self._kconfig
        for item in (*kconfig.unique_defined_syms, *kconfig.unique_choices):
            for expr in _expressions(item):
                for left, right in _relations(expr):
                    note(left, right)
            for low, high, _ in item.ranges if item.__class__ is Symbol else ():
                note(item, low)
                note(item, high)
        return found


def _expressions(item: Symbol | Choice) -> Iterator[Any]:
    """The conditions of a symbol or choice, with those of the blocks around it."""
    for node in item.nodes:
        yield node.dep
        if node.prompt:
            yield node.prompt[1]
    for default in item.defaults:
        yield from default
    if item.__class__ is Symbol:
        for _, _, condition in item.ranges:
            yield condition
        for select in (*item.selects_me, *item.implies_me):
            yield select.condition


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
