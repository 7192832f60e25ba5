# SPDX-License-Identifier: GPL-2.0-only
"""The conditions that a definition of a symbol is subject to, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gen.tree.choices import Choice
from gen.tree.parser import (
    DEFAULTS,
    DEPENDS,
    IF,
    PROMPTS,
    RANGE,
    VISIBLE,
    Kconfig,
    MenuNode,
)

# The kind of clause that a statement is, in a definition and in a block around it
_OWN = {DEPENDS: "depends on"} | dict.fromkeys(PROMPTS, "prompt if")
_ENCLOSING = {IF: "if", DEPENDS: "menu", VISIBLE: "visible if"}

#: Kinds that hide a prompt, but do not keep a default from being used
PROMPT_ONLY = ("prompt if", "visible if")


class Condition(NamedTuple):
    """An expression that a definition is subject to."""

    kind: str  # as Clause.kind
    expr: Any
    file: str
    line: int  # the last line of the statement


class Default(NamedTuple):
    """A default of a definition.  Of all that apply, the first one counts."""

    node: MenuNode
    value: Any
    condition: Any  # without what the definition depends on
    complete: Any  # with it
    line: int  # the last line of the statement


class Range(NamedTuple):
    """A range of a definition.  Of all that apply, the first one counts."""

    node: MenuNode
    low: Any
    high: Any
    condition: Any  # without what the definition depends on
    complete: Any  # with it
    line: int  # the last line of the statement


def conditions(kconfig: Kconfig, node: MenuNode) -> Iterator[Condition]:
    """What a definition is subject to, from the outermost block inwards."""
    blocks = []
    block = node.block
    while block is not None and block is not kconfig.top_node:
        blocks.append(block)
        block = block.block
    for block in reversed(blocks):
        yield from _of_node(block, _kinds(kconfig, block))
    yield from _of_node(node, _OWN)


def defaults(symbol: Any) -> Iterator[Default]:
    """The defaults of a symbol, in the order in which they are tried."""
    for node in symbol.nodes:
        statements = (s for s in node.statements if s.token in DEFAULTS)
        for (value, complete), statement in zip(node.defaults, statements):
            yield Default(node, value, statement.condition, complete, statement.line)


def ranges(symbol: Any) -> Iterator[Range]:
    """The ranges of a symbol, in the order in which they are tried."""
    for node in symbol.nodes:
        statements = (s for s in node.statements if s.token is RANGE)
        for (low, high, complete), statement in zip(node.ranges, statements):
            yield Range(node, low, high, statement.condition, complete, statement.line)


def _kinds(kconfig: Kconfig, block: MenuNode) -> Mapping[int, str]:
    if block.item.__class__ is Choice and not kconfig.profile.choice_is_menu:
        return _OWN | _ENCLOSING
    return _ENCLOSING


def _of_node(node: MenuNode, kinds: Mapping[int, str]) -> Iterator[Condition]:
    for token, condition, line in node.statements:
        if token in kinds:
            yield Condition(kinds[token], condition, node.filename, line)
