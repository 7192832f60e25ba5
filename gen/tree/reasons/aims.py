# SPDX-License-Identifier: GPL-2.0-only
"""What a number or string is to be, compared with something."""

from __future__ import annotations

from typing import Any

from gen.tree.expr import (
    EQUAL,
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    STR_TO_TRI,
    UNEQUAL,
    expr_value,
)
from gen.tree.symbols import Symbol

#: The operator with its sides exchanged
FLIPPED = {
    EQUAL: EQUAL,
    UNEQUAL: UNEQUAL,
    LESS: GREATER,
    LESS_EQUAL: GREATER_EQUAL,
    GREATER: LESS,
    GREATER_EQUAL: LESS_EQUAL,
}
#: The operator that holds where this one does not
NEGATED = {
    EQUAL: UNEQUAL,
    UNEQUAL: EQUAL,
    LESS: GREATER_EQUAL,
    LESS_EQUAL: GREATER,
    GREATER: LESS_EQUAL,
    GREATER_EQUAL: LESS,
}
#: As it is written; nothing for a plain value
SIGN = {
    EQUAL: "",
    UNEQUAL: "!= ",
    LESS: "< ",
    LESS_EQUAL: "<= ",
    GREATER: "> ",
    GREATER_EQUAL: ">= ",
}
# A number that compares as wanted, as the distance from the one compared with
_NEXT = {GREATER: 1, LESS: -1}


class Aim:
    """What a number or string is to be, compared with something."""

    def __init__(self, operator: int, other: Any) -> None:
        self._operator = operator
        self._other = other
        text: str = other.str_value
        plain = operator is EQUAL or text.isalnum()
        self.text = SIGN[operator] + (text if plain else f'"{text}"')

    def admits(self, symbol: Symbol, text: str) -> bool:
        """Whether the symbol would be as wanted if it had the value."""
        return expr_value((self._operator, Text(symbol, text), self._other)) == 2

    def candidate(self, symbol: Symbol) -> str | None:
        """A number that is as wanted; None if there is none to tell."""
        text: str = self._other.str_value
        step = _NEXT.get(self._operator, 0)
        if self._operator is UNEQUAL or symbol.parse(text) is None:
            return None
        return str(int(text, 0) + step) if step else text


class Text:
    """A value that a symbol does not have, to compare it all the same."""

    nodes = ()
    is_constant = True

    def __init__(self, symbol: Symbol, text: str) -> None:
        self.name = self.str_value = text
        self.orig_type = symbol.orig_type
        self.tri_value = STR_TO_TRI.get(text, 0)
