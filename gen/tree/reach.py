# SPDX-License-Identifier: GPL-2.0-only
"""What nobody can switch on in a tree, with this architecture and toolchain.

"Never" is a proof: it follows from the Kconfig files alone, whatever a .config
says.  The converse is not: what is not proved here may still be out of reach,
because conditions that exclude each other are looked at one by one and loops are
not followed.
"""

from __future__ import annotations

from typing import Any

from .expr import AND, BOOL_TRISTATE, EQUAL, NOT, OR, UNEQUAL, expr_value
from .symbols import Symbol


class Reach:
    """Remembers what it has proved; holds for one parse of a tree."""

    def __init__(self) -> None:
        self._never: dict[Any, bool] = {}

    def never(self, expr: Any) -> bool:
        """Whether an expression is n in every configuration."""
        if expr.__class__ is not tuple:
            return self._symbol_never(expr)
        operator = expr[0]
        if operator is AND:
            return self.never(expr[1]) or self.never(expr[2])
        if operator is OR:
            return self.never(expr[1]) and self.never(expr[2])
        if operator is NOT:
            return False
        return self._relation_never(operator, expr[1], expr[2])

    def _relation_never(self, operator: Any, left: Any, right: Any) -> bool:
        if _fixed(left) and _fixed(right):
            return expr_value((operator, left, right)) == 0
        for symbol, other in ((left, right), (right, left)):
            if symbol.orig_type in BOOL_TRISTATE and self._symbol_never(symbol):
                is_n = other.is_constant and other.name == "n"
                if operator is EQUAL and other.is_constant and not is_n:
                    return True
                if operator is UNEQUAL and is_n:
                    return True
        return False

    def _symbol_never(self, symbol: Any) -> bool:
        if symbol.__class__ is not Symbol:
            return False  # a choice
        if symbol.is_constant or not symbol.nodes:
            return symbol.tri_value == 0
        if symbol.orig_type not in BOOL_TRISTATE:
            return True
        if symbol not in self._never:
            # In a loop of symbols nothing is proved
            self._never[symbol] = False
            self._never[symbol] = self._compute(symbol)
        return self._never[symbol]

    def _compute(self, symbol: Symbol) -> bool:
        return (
            not symbol.transitional
            and all(map(self.never, symbol.prompts))
            and all(
                self.never(condition) or self.never(value)
                for value, condition in symbol.defaults
            )
            and all(
                self.never(source.condition) or self.never(source.symbol)
                for source in (*symbol.selects_me, *symbol.implies_me)
            )
        )


def _fixed(symbol: Any) -> bool:
    """Whether a symbol's value is the same in every configuration.

    Such are constants and what the toolchain decides, GCC_VERSION for example.
    """
    if symbol.is_constant or not symbol.nodes:
        return True
    return (
        symbol.orig_type not in BOOL_TRISTATE
        and not symbol.prompts
        and all(
            value.is_constant and condition is symbol.kconfig.y
            for value, condition in symbol.defaults
            if value.__class__ is Symbol
        )
    )
