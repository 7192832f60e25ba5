# SPDX-License-Identifier: GPL-2.0-only
"""Values of expressions, computed as conf does.

Expressions are Kconfiglib's: a symbol or choice, (NOT, e), (AND | OR, e, e), or
(relation, symbol, symbol). Tristate values are 0 for n, 1 for m, 2 for y.

Two things are known to differ, and do not occur in a kernel tree:
- `B != y` for a bool B. conf 6.12.117 to 7.3 takes a symbol for an expression when it
  simplifies that (expr_transform), so what it computes is left to chance. Here it is
  what is written.
- Symbols that depend on each other in a circle which conf does not follow, because it
  is gone after conf has simplified it, or goes through the bounds of a `range`. There
  the values depend on where in the circle one starts: conf starts in the order of its
  hash table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gen.tree.library import kl

AND, OR, NOT = kl.AND, kl.OR, kl.NOT
EQUAL, UNEQUAL = kl.EQUAL, kl.UNEQUAL
LESS, LESS_EQUAL = kl.LESS, kl.LESS_EQUAL
GREATER, GREATER_EQUAL = kl.GREATER, kl.GREATER_EQUAL
BOOL, TRISTATE, STRING = kl.BOOL, kl.TRISTATE, kl.STRING
INT, HEX = kl.INT, kl.HEX

BOOL_TRISTATE = frozenset({BOOL, TRISTATE})
TRI_TO_STR = ("n", "m", "y")
STR_TO_TRI = {"n": 0, "m": 1, "y": 2}

_MASK = 2**64 - 1
_DIGITS = {
    0: re.compile(
        r"[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", re.A
    ),
    10: re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)", re.A),
    16: re.compile(
        r"[ \t\n\v\f\r]*([+-]?)((?:0[xX](?=[0-9a-fA-F]))?[0-9a-fA-F]+)", re.A
    ),
}


def expr_value(expr: Any) -> int:
    """The tristate value of an expression: 0, 1 or 2."""
    if expr.__class__ is not tuple:
        return expr.tri_value
    operator = expr[0]
    if operator is AND:
        left = expr_value(expr[1])
        return min(left, expr_value(expr[2])) if left else 0
    if operator is OR:
        left = expr_value(expr[1])
        return max(left, expr_value(expr[2])) if left < 2 else 2
    if operator is NOT:
        return 2 - expr_value(expr[1])
    return 2 if _RELATIONS[operator](_compare(expr[1], expr[2])) else 0


_RELATIONS = {
    EQUAL: lambda order: order == 0,
    UNEQUAL: lambda order: order != 0,
    LESS: lambda order: order < 0,
    LESS_EQUAL: lambda order: order <= 0,
    GREATER: lambda order: order > 0,
    GREATER_EQUAL: lambda order: order >= 0,
}


def _compare(left: Any, right: Any) -> int:
    """The sign of left - right: as numbers if both are numbers, else as strings."""
    a: Any = None
    b: Any = None
    if left.orig_type is not STRING or right.orig_type is not STRING:
        a, b = _number(left), _number(right)
    if a is None or b is None:
        a, b = left.str_value, right.str_value
    elif left.orig_type is HEX or right.orig_type is HEX:
        a, b = a & _MASK, b & _MASK
    return (a > b) - (a < b)


def _number(symbol: Any) -> int | None:
    """The value of a symbol in a comparison, or None if it is not a number."""
    kind = symbol.orig_type
    if kind in BOOL_TRISTATE:
        return symbol.tri_value
    base = 10 if kind is INT else 16 if kind is HEX else 0
    match = _DIGITS[base].fullmatch(symbol.str_value)
    if not match:
        return None
    number = _int(match, base)
    if kind is HEX:
        return number & _MASK if -_MASK <= number <= _MASK else None
    return number if -(2**63) <= number < 2**63 else None


def strtoll(text: str, base: int) -> int:
    """C's strtoll(): the number that text starts with, 0 without one."""
    match = _DIGITS[base].match(text)
    number = _int(match, base) if match else 0
    return max(-(2**63), min(number, 2**63 - 1))


def _int(match: re.Match[str], base: int) -> int:
    sign, digits = match.groups()
    if base == 0:
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
    return int(sign + digits, base)


def is_n(expr: Any, n: Any) -> Any:
    """An expression for "expr = n", as conf transforms it for `depends on A if B`.

    It is y where expr is n, and n otherwise. That is not !expr, which is m where
    expr is m.
    """
    if expr.__class__ is not tuple:
        return (EQUAL, expr, n)
    operator = expr[0]
    if operator is AND:
        return (OR, is_n(expr[1], n), is_n(expr[2], n))
    if operator is OR:
        return (AND, is_n(expr[1], n), is_n(expr[2], n))
    if operator is NOT:
        return _is_not_n(expr[1], n)
    return (NOT, expr)


def _is_not_n(expr: Any, n: Any) -> Any:
    """What conf makes of "!expr = n": it flips the comparison to "expr != n".

    For expr = m that differs from comparing the value of !expr, but it is what
    conf computes.
    """
    if expr.__class__ is not tuple:
        return (UNEQUAL, expr, n)
    operator = expr[0]
    if operator is AND or operator is OR:
        return (NOT, is_n(expr, n))
    if operator is NOT:
        return is_n(expr[1], n)
    return expr


def replaced(expr: Any, old: Any, new: Any) -> Any:
    """The expression with every occurrence of one part replaced by another."""
    if expr == old:
        return new
    if expr.__class__ is not tuple:
        return expr
    return (expr[0], *(replaced(part, old, new) for part in expr[1:]))


def operands(expr: Any) -> Iterator[Any]:
    """The top-level AND operands of an expression, from left to right."""
    if expr.__class__ is tuple and expr[0] is AND:
        yield from operands(expr[1])
        yield from operands(expr[2])
    else:
        yield expr


def symbols(expr: Any) -> Iterator[Any]:
    """The symbols and choices in an expression, from left to right."""
    if expr.__class__ is tuple:
        for part in expr[1:]:
            yield from symbols(part)
    else:
        yield expr
