# SPDX-License-Identifier: GPL-2.0-only
"""What nobody can switch on in a tree, with this architecture and toolchain.

"Never" is a proof: it follows from the Kconfig files alone, whatever a .config
says.  The converse is not: what is not proved here may still be out of reach,
because conditions that exclude each other are looked at one by one and loops are
not followed.
"""

from __future__ import annotations

from typing import Any

from gen.tree.expr import AND, BOOL_TRISTATE, EQUAL, NOT, OR, UNEQUAL, expr_value
from gen.tree.symbols import Symbol


class Reach:
    """Remembers what it has proved; holds for one parse of a tree."""

    def __init__(self) -> None:
        self._never: dict[Any, bool] = {}
        self._fixed: dict[Any, bool] = {}

    def never(self, expr: Any) -> bool:
        """Whether an expression is n in every configuration."""
        if self.fixed(expr):
            return expr_value(expr) == 0
        if expr.__class__ is Symbol:
            return self._symbol_never(expr)
        if expr.__class__ is not tuple or expr[0] is NOT:
            return False
        if expr[0] is AND:
            return self.never(expr[1]) or self.never(expr[2])
        if expr[0] is OR:
            return self.never(expr[1]) and self.never(expr[2])
        return self._relation_never(*expr)

    def fixed(self, expr: Any) -> bool:
        """Whether an expression has one value in all configurations.

        That is so for constants and for what the toolchain decides: CC_IS_GCC and
        GCC_VERSION, for example.
        """
        if expr.__class__ is tuple:
            return all(map(self.fixed, expr[1:]))
        if expr.__class__ is not Symbol:
            return False  # a choice
        if not expr.nodes:
            return True
        if expr not in self._fixed:
            self._fixed[expr] = False  # in a loop of symbols nothing is proved
            self._fixed[expr] = not (
                expr.prompts or expr.selects_me or expr.implies_me or expr.transitional
            ) and all(
                self.fixed(value) and self.fixed(condition)
                for value, condition in expr.defaults
            )
        return self._fixed[expr]

    def _relation_never(self, operator: Any, left: Any, right: Any) -> bool:
        """Comparisons of a symbol that is never on with y, m or n."""
        for symbol, other in ((left, right), (right, left)):
            if other.is_constant and self.never(symbol):
                return operator is (UNEQUAL if other.name == "n" else EQUAL)
        return False

    def _symbol_never(self, symbol: Symbol) -> bool:
        if symbol.orig_type not in BOOL_TRISTATE:
            return False
        if symbol not in self._never:
            self._never[symbol] = False  # as in fixed()
            self._never[symbol] = (
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
        return self._never[symbol]
