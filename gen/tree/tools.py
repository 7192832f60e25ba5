# SPDX-License-Identifier: GPL-2.0-only
"""Tests of compilers and other tools, found again in the statements that use them.

When a Kconfig file is parsed, $(cc-option,-m64) becomes a plain y or n.  To name the
test that gave an n, the operands of an expression are paired with those of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gen.tree.expr import AND
from gen.tree.sources import macros

_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[\w./-]+')
_KEYWORDS = {"depends", "on", "visible", "if", "default"}
_TYPES = {"bool", "tristate", "int", "hex", "string"}
_SKIPPED = _KEYWORDS | _TYPES | {f"def_{name}" for name in _TYPES}


class Tool:
    """A constant of an expression, and the $(...) that it came from."""

    nodes = ()
    is_constant = True

    def __init__(self, constant: Any, text: str) -> None:
        self.text = text
        self.name: str = constant.name
        self.str_value: str = constant.str_value
        self.tri_value: int = constant.tri_value
        self.orig_type: int = constant.orig_type


def with_tools(expr: Any, text: str, is_value: bool = False) -> Any:
    """The expression of a statement with a Tool for each constant from a $(...).

    text is the whole statement; is_value says that the expression is not its
    condition but what stands before the condition.  Where the text has no operand for
    each of the expression, every constant stands for all macros of the text.
    """
    if "$(" not in text:
        return expr
    written = list(_operands(text, is_value))
    leaves = list(_leaves(expr))
    if len(written) != len(leaves):
        written = [", ".join(macros(text))] * len(leaves)
    found = iter(zip(leaves, written))
    return _replaced(expr, found)


def _replaced(expr: Any, found: Iterator[tuple[Any, str]]) -> Any:
    if expr.__class__ is tuple:
        if _is_m(expr):
            next(found)
            return expr
        return (expr[0], *(_replaced(part, found) for part in expr[1:]))
    leaf, text = next(found)
    return Tool(leaf, text) if "$(" in text and not leaf.nodes else leaf


def _leaves(expr: Any) -> Iterator[Any]:
    if expr.__class__ is not tuple:
        yield expr
    elif _is_m(expr):
        yield expr[1]
    else:
        for part in expr[1:]:
            yield from _leaves(part)


def _is_m(expr: Any) -> bool:
    """Whether this is what the parser makes of a plain m: m && <modules>."""
    return expr[0] is AND and getattr(expr[1], "name", "") == "m" and len(expr) == 3


def _operands(text: str, is_value: bool) -> Iterator[str]:
    """The operands as they are written in the condition or the value."""
    names = list(macros(text))
    # A macro may hold any character, so it gives way to a word while looking
    for index, name in enumerate(names):
        text = text.replace(name, f"__MACRO_{index}__", 1)
    words = _WORD.findall(text)
    if words and words[0] not in ("if", "depends", "visible"):
        end = words.index("if") if "if" in words else len(words)
        words = words[:end] if is_value else words[end:]
    for word in words:
        if word not in _SKIPPED:
            yield re.sub(r"__MACRO_(\d+)__", lambda m: names[int(m[1])], word)
