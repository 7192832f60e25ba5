# SPDX-License-Identifier: GPL-2.0-only
"""Why a symbol cannot have a value: the clauses that stand in its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.tree.choices import Choice
from gen.tree.expr import (
    AND,
    BOOL_TRISTATE,
    OR,
    STR_TO_TRI,
    TRISTATE,
    expr_value,
    operands,
    symbols,
)
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
from gen.tree.sources import Place, Sources, macros
from gen.tree.symbols import Symbol

# How many promptless symbols to look through for a toolchain test
_DEPTH = 3

# The kind of clause that a statement is, in a definition and in a block around it
_OWN = {DEPENDS: "depends on"} | dict.fromkeys(PROMPTS, "prompt if")
_ENCLOSING = {IF: "if", DEPENDS: "menu", VISIBLE: "visible if"}


@dataclass(frozen=True)
class Clause:
    """A statement that keeps a symbol from a value.

    kind is "depends on", "if", "menu" (what an enclosing menu or choice depends on),
    "visible if", "prompt if", "choice" (another member is selected; or, if this one
    is to be off, no other is), "select", "range" or "modules" (m without modules).
    failing names the symbols in those of its AND operands that fail; for "select"
    the symbol that selects, for "choice" the members in question.
    toolchain is the test that the compiler, linker or another tool did not pass,
    as it is written in the tree; None if the clause can be met by configuration.
    """

    place: Place
    kind: str
    text: str
    failing: list[str]
    toolchain: str | None = None


@dataclass(frozen=True)
class _Condition:
    """An expression that a definition of a symbol is subject to."""

    kind: str
    expr: Any
    file: str
    line: int  # the last line of the statement


class Reasons:
    """Explains the current values of a Kconfig object."""

    def __init__(self, kconfig: Kconfig, source: Path) -> None:
        self._kconfig = kconfig
        self._sources = Sources(source)

    def unmet(self, symbol: Symbol, wanted: str) -> list[Clause]:
        """The clauses that keep the symbol from the wanted value, in source order.

        Empty for a value that the symbol's type does not admit.
        """
        if symbol.str_value == wanted or symbol.parse(wanted) is None:
            return []
        if symbol.orig_type not in BOOL_TRISTATE:
            return self._hidden(symbol, 1) + self._range(symbol, wanted)
        level = STR_TO_TRI[wanted]
        if level == 1 and not self._kconfig.modules_value:
            return self._no_modules()
        if symbol.tri_value < level:
            return self._hidden(symbol, level) or self._member_off(symbol)
        return (
            self._selected(symbol, level)
            or self._hidden(symbol, 1)
            or self._member_on(symbol)
        )

    # -- Kinds of reason ------------------------------------------------------------

    def _hidden(self, symbol: Symbol, level: int) -> list[Clause]:
        """Why the prompts of a symbol do not admit the level.

        Of several definitions, the one with the fewest failing clauses counts.
        """
        if symbol.visibility >= level:
            return []
        nodes = [node for node in symbol.nodes if node.prompt] or symbol.nodes
        # Without modules, or for a bool, m is as good as y.
        if symbol.orig_type is not TRISTATE or not self._kconfig.modules_value:
            level = 1
        return min((self._failing(node, level) for node in nodes), key=len)

    def _failing(self, node: MenuNode, level: int, depth: int = _DEPTH) -> list[Clause]:
        clauses = []
        for condition in self._conditions(node):
            failing = [e for e in operands(condition.expr) if expr_value(e) < level]
            if not failing:
                continue
            place, text = self._sources.statement(condition.file, condition.line)
            names = dict.fromkeys(
                item.name
                for expr in failing
                for item in symbols(expr)
                if item.__class__ is Symbol and not _is_literal(item)
            )
            tests = (self._test(expr, text, depth) for expr in failing)
            toolchain = next(filter(None, tests), None)
            clauses.append(Clause(place, condition.kind, text, list(names), toolchain))
        return clauses

    def _conditions(self, node: MenuNode) -> Iterator[_Condition]:
        """What a definition is subject to, from the outermost block inwards."""
        blocks = []
        block = node.block
        while block is not None and block is not self._kconfig.top_node:
            blocks.append(block)
            block = block.block
        for block in reversed(blocks):
            yield from _conditions(block, self._kinds(block))
        yield from _conditions(node, _OWN)

    def _kinds(self, block: MenuNode) -> Mapping[int, str]:
        if block.item.__class__ is Choice and not self._kconfig.profile.choice_is_menu:
            return _OWN | _ENCLOSING
        return _ENCLOSING

    def _member_off(self, symbol: Symbol) -> list[Clause]:
        """Another member of the choice is selected."""
        chosen = symbol.choice.selection if symbol.choice else None
        if chosen is None or chosen is symbol:
            return []
        return [self._clause_at(chosen.nodes[0], "choice", [chosen.name])]

    def _member_on(self, symbol: Symbol) -> list[Clause]:
        """A choice cannot do without its only visible member."""
        choice = symbol.choice
        if not choice or choice.selection is not symbol:
            return []
        others = [m.name for m in choice.syms if m is not symbol and m.visibility]
        return [self._clause_at(symbol.nodes[0].block, "choice", others)]

    def _selected(self, symbol: Symbol, level: int) -> list[Clause]:
        if symbol.choice:
            return []  # `select` has no effect on members of a choice
        clauses = []
        for select in symbol.selects_me:
            value = min(select.symbol.tri_value, expr_value(select.condition))
            if value > level:
                place, text = self._sources.statement(select.file, select.line)
                clauses.append(Clause(place, "select", text, [select.symbol.name]))
        return clauses

    def _range(self, symbol: Symbol, wanted: str) -> list[Clause]:
        if symbol.in_range(wanted):
            return []
        for node in symbol.nodes:
            statements = (s for s in node.statements if s.token is RANGE)
            for (low, high, condition), statement in zip(node.ranges, statements):
                if not expr_value(condition):
                    continue
                place, text = self._sources.statement(node.filename, statement.line)
                names = [bound.name for bound in (low, high) if bound.nodes]
                return [Clause(place, "range", text, names)]
        return []

    def _no_modules(self) -> list[Clause]:
        modules = self._kconfig.modules
        if not modules.nodes:
            return []
        return [self._clause_at(modules.nodes[0], "modules", [modules.name])]

    def _clause_at(self, node: MenuNode, kind: str, names: list[str]) -> Clause:
        place, text = self._sources.statement(node.filename, node.linenr)
        return Clause(place, kind, text, names)

    # -- Compilers and other tools --------------------------------------------------

    def _test(self, expr: Any, text: str, depth: int) -> str | None:
        """The tool test that makes an expression in a statement n.

        None if the expression could become true by configuration.
        """
        if expr is self._kconfig.n:
            return _macros(text)
        if expr.__class__ is not tuple:
            return self._test_behind(expr, depth - 1) if depth else None
        if expr[0] is OR:
            tests = [self._test(part, text, depth) for part in expr[1:]]
            return ", ".join(filter(None, tests)) if all(tests) else None
        if expr[0] is AND:
            tests = [self._test(e, text, depth) for e in expr[1:] if not expr_value(e)]
            return next(filter(None, tests), None)
        if not any(item.nodes for item in symbols(expr)):
            return _macros(text)
        # A comparison or negation, perhaps of what a tool is or of its version
        for item in symbols(expr):
            for value, line in self._defaults(item):
                if value.__class__ is Symbol and not value.nodes and _macros(line):
                    return _macros(line)
        return None

    def _test_behind(self, symbol: Any, depth: int) -> str | None:
        """The tool test that keeps a symbol n, whatever the configuration."""
        if symbol.__class__ is not Symbol or symbol.tri_value or symbol.selects_me:
            return None
        for value, text in self._defaults(symbol):
            test = self._test(value, text, 0)
            if test:
                return test
        for node in symbol.nodes:
            for clause in self._failing(node, 1, depth):
                if clause.toolchain:
                    return clause.toolchain
        return None

    def _defaults(self, symbol: Any) -> Iterator[tuple[Any, str]]:
        """The defaults of a symbol that nobody can set, and their statements."""
        if symbol.__class__ is not Symbol or symbol.prompts:
            return
        for node in symbol.nodes:
            statements = (s for s in node.statements if s.token in DEFAULTS)
            for (value, _), statement in zip(node.defaults, statements):
                _, text = self._sources.statement(node.filename, statement.line)
                yield value, text


def _conditions(node: MenuNode, kinds: Mapping[int, str]) -> Iterator[_Condition]:
    """The conditions in those statements of a node whose token has a kind."""
    for token, condition, line in node.statements:
        if token in kinds:
            yield _Condition(kinds[token], condition, node.filename, line)


def _macros(text: str) -> str | None:
    return ", ".join(macros(text)) or None


def _is_literal(symbol: Symbol) -> bool:
    """Whether this is a quoted or bare value rather than a name."""
    return symbol.is_constant or not symbol.nodes and symbol.name[:1].isdigit()
