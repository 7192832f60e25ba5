# SPDX-License-Identifier: GPL-2.0-only
"""Clauses of explanations, made from the statements of the Kconfig files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gen.tree.conditions import Default, defaults
from gen.tree.expr import expr_value, symbols
from gen.tree.parser import IMPLY, SELECT, MenuNode
from gen.tree.reasons.reasons import Clause, Need, toolchain
from gen.tree.sources import Sources, macros
from gen.tree.symbols import Select, Symbol
from gen.tree.tools import with_tools

_TOKEN = {"select": SELECT, "imply": IMPLY}


class Statements:
    """The statements of a tree whose Kconfig files are below source."""

    def __init__(self, source: Path) -> None:
        self._sources = Sources(source)

    def clause(
        self, kind: str, file: str, line: int, names: Iterable[str], need: Need | None
    ) -> Clause:
        """A clause for the statement that ends in a line."""
        place, text = self._sources.statement(file, line)
        return Clause(place, kind, text, list(names), toolchain(need), need)

    def of_node(
        self, kind: str, node: MenuNode, names: Iterable[str], need: Need | None = None
    ) -> Clause:
        """A clause for the first line of a definition."""
        return self.clause(kind, node.filename, node.linenr, names, need)

    def of_default(self, default: Default, need: Need) -> Clause:
        names = names_in(default.value, default.condition)
        return self.clause("default", default.node.filename, default.line, names, need)

    def of_select(self, by: str, select: Select, need: Need | None) -> Clause:
        """by is "select" or "imply"."""
        names = [select.symbol.name]
        return self.clause(by, select.file, select.line, names, need)

    def with_tools(
        self, expr: Any, file: str, line: int, is_value: bool = False
    ) -> Any:
        """As tools.with_tools(), for the statement that ends in a line."""
        return with_tools(expr, self._sources.statement(file, line)[1], is_value)

    def default_value(self, default: Default) -> Any:
        return self.with_tools(default.value, default.node.filename, default.line, True)

    def default_condition(self, default: Default) -> Any:
        """Without what the definition depends on."""
        return self.with_tools(default.condition, default.node.filename, default.line)

    def select_condition(self, by: str, select: Select) -> Any:
        """As it is written, without what the selecting symbol depends on."""
        for node in select.symbol.nodes:
            for statement in node.statements:
                where = (node.filename, statement.line)
                if statement.token == _TOKEN[by] and where == (
                    select.file,
                    select.line,
                ):
                    return self.with_tools(statement.condition, *where)
        return select.condition

    def tool_of(self, symbol: Symbol) -> str | None:
        """The $(...) that gives a symbol its value, if one does."""
        for default in defaults(symbol):
            if expr_value(default.complete):
                where = (default.node.filename, default.line)
                return ", ".join(macros(self._sources.statement(*where)[1])) or None
        return None


def names_in(*exprs: Any) -> list[str]:
    """The names of the symbols in expressions, each once."""
    items = (item for expr in exprs for item in symbols(expr))
    found = (i.name for i in items if i.__class__ is Symbol and not is_literal(i))
    return list(dict.fromkeys(found))


def is_literal(symbol: Any) -> bool:
    """Whether this is a quoted or bare value rather than a name."""
    return symbol.is_constant or not symbol.nodes and symbol.name[:1].isdigit()
