# SPDX-License-Identifier: GPL-2.0-only
"""What conf refuses in a tree whose files can be read: loops, and `transitional`.

conf simplifies conditions before it follows them, and a loop that is gone then is
none. What it might simplify away is not followed here, so a tree that is refused has
a loop, and a few odd loops are left for conf to find. From sym_check_deps() and
transitional_check_sanity() in scripts/kconfig.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gen.tree.expr import AND, BOOL, EQUAL, NOT, OR, UNEQUAL, symbols
from gen.tree.library import kl
from gen.tree.symbols import Symbol


def check(kconfig: Any) -> None:
    """Raise KconfigError if conf would refuse the tree."""
    defined = kconfig.unique_defined_syms
    for symbol in defined:
        if symbol.transitional:
            _check_transitional(symbol)
    # The second walk knows what conf simplifies, the first one is quick.
    loop = _Walk(_all_leaves).loop(defined) and _Walk(_lasting_leaves).loop(defined)
    if loop:
        names = " -> ".join(symbol.name for symbol in loop)
        raise kl.KconfigError(
            f"{_place(loop[0].nodes[0])}: dependency loop: {names}; "
            "one of these must not depend on the next"
        )


def _check_transitional(symbol: Symbol) -> None:
    for node in symbol.nodes:
        others = (node.prompt, node.defaults, node.ranges, node.selects, node.implies)
        if any(others) or _leaves(node.dep) is not True:
            raise kl.KconfigError(
                f"{_place(node)}: {symbol.name} is transitional, which goes with "
                "nothing but a type and help"
            )


def _place(node: Any) -> str:
    return f"{node.filename}:{node.linenr}"


class _Walk:
    """A walk along what conf looks at to compute symbols, in search of a loop."""

    def __init__(self, leaves: Callable[[Any], Iterable[Any]]) -> None:
        """leaves gives the parts of a condition that are followed."""
        self._leaves = leaves
        self._path: dict[Any, Symbol] = {}  # a choice stands for its members
        self._done: set[Any] = set()  # symbols, choices, and numbers of expressions
        self._loop: list[Symbol] = []

    def loop(self, defined: list[Symbol]) -> list[Symbol]:
        """Symbols that depend on each other in a circle, the first one repeated."""
        for symbol in defined:
            self._follow(symbol)
        return self._loop

    def _follow(self, expr: Any) -> None:
        if self._loop:
            return
        if expr.__class__ is Symbol:
            if expr.nodes:
                self._enter(expr)
        elif expr.__class__ is tuple and id(expr) not in self._done:
            for part in self._leaves(expr):
                self._follow(part)
            self._done.add(id(expr))

    def _enter(self, symbol: Symbol) -> None:
        group = symbol.choice or symbol
        if group in self._path:
            start = list(self._path).index(group)
            self._loop = [*list(self._path.values())[start:], symbol]
        elif group not in self._done:
            self._path[group] = symbol
            if group is symbol:
                self._look_at_symbol(symbol)
            else:
                self._look_at_choice(group)
            self._done.add(group)
            del self._path[group]

    def _look_at_choice(self, choice: Any) -> None:
        for node in choice.nodes:
            if node.prompt:
                self._follow(node.prompt[1])
        for _, condition in choice.defaults:
            self._follow(condition)
        for member in choice.syms:
            self._look_at_symbol(member)

    def _look_at_symbol(self, symbol: Symbol) -> None:
        if not (symbol.choice and symbol.kconfig.profile.flat_choice):
            # Newer trees only look at the prompts of members.
            for expr in symbol.depends:
                self._follow(expr)
        for expr in symbol.prompts:
            self._follow(expr)
        for select in (*symbol.selects_me, *symbol.implies_me):
            self._follow(select.symbol)
            self._follow(select.condition)
        for value, condition in symbol.defaults:
            for item in symbols(value):
                self._follow(item)
            self._follow(condition)
        for *_, condition in symbol.ranges:
            self._follow(condition)


def _all_leaves(expr: Any) -> Iterable[Any]:
    return expr[1:]


def _lasting_leaves(expr: Any) -> Iterable[Any]:
    """The symbols in a condition that conf does not simplify away.

    A symbol that occurs in several forms, as in A || !A, may make all of it constant.
    """
    leaves = _leaves(expr)
    if isinstance(leaves, bool):
        return []
    forms = dict(leaves)
    return forms if len(forms) == len(set(leaves)) else []


def _leaves(expr: Any, negated: bool = False) -> bool | list[tuple[Any, Any]]:
    """The symbols in an expression, each with the form in which it stands there.

    True or False for an expression that is always y or always n.
    """
    if expr.__class__ is not tuple:
        if expr.__class__ is Symbol and expr.is_constant and expr.name in ("y", "n"):
            return (expr.name == "y") is not negated
        return [(expr, negated)]
    operator = expr[0]
    if operator is NOT:
        return _leaves(expr[1], not negated)
    if operator is AND or operator is OR:
        neutral = (operator is AND) is not negated
        found: list[tuple[Any, Any]] = []
        for part in expr[1:]:
            leaves = _leaves(part, negated)
            if isinstance(leaves, list):
                found += leaves
            elif leaves is not neutral:
                return leaves
        return found or neutral
    _, left, right = expr
    if left.orig_type is BOOL and right is right.kconfig.m:
        if operator is EQUAL or operator is UNEQUAL:
            return (operator is UNEQUAL) is not negated
    return [(item, (operator, left, right, negated)) for item in (left, right)]
