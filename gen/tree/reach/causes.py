# SPDX-License-Identifier: GPL-2.0-only
"""What would have to be so for a claim about a symbol to come true.

These are the rules of reach.py, statement by statement, for proof.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gen.tree.choices import Choice
from gen.tree.conditions import PROMPT_ONLY, conditions, defaults
from gen.tree.expr import AND, BOOL
from gen.tree.parser import IMPLY, SELECT, Kconfig, MenuNode
from gen.tree.reach.facts import AT_LEAST_M, AT_MOST_M, IS_N, IS_Y
from gen.tree.reach.reach import Reach
from gen.tree.symbols import Select, Symbol


class Part(NamedTuple):
    """A claim about an expression, and the statement that it comes from."""

    expr: Any
    claim: int
    file: str
    line: int  # the last line of the statement
    is_value: bool = False  # the expression stands before the condition


class Way(NamedTuple):
    """A way in which a claim could come true: all of its parts, and some facts."""

    label: str
    parts: list[Part]
    given: int = 0


class Causes:
    """The ways to each claim about the symbols of a Kconfig object."""

    def __init__(self, kconfig: Kconfig, reach: Reach) -> None:
        self._kconfig = kconfig
        self._reach = reach
        self._choice_is_menu = kconfig.profile.choice_is_menu

    def ways(self, item: Any, claim: int) -> list[Way]:
        """All ways to a claim about a symbol or choice.

        A claim that asks less of a bool is given for one that asks more.
        """
        if item.__class__ is not Symbol:
            ways = self._choice(item, claim)
        elif item.choice and self._choice_is_menu:
            return self._member(item, claim)
        elif claim <= IS_Y:
            ways = self._raised(item, claim)
        else:
            ways = self._lowered(item, claim)
        if claim in (AT_LEAST_M, IS_N) or self._reach.about.is_bool(item):
            return ways
        return self._with_modules(item, claim, ways)

    def besides(self, item: Any, claim: int) -> list[Way]:
        """What must be so besides any of the ways: nothing may select the symbol."""
        if claim <= IS_Y or item.__class__ is not Symbol or item.choice:
            return []
        return [
            Way(f"select by {source.symbol.name}", [_no_source(source, claim)])
            for source in item.selects_me
        ]

    # -- Up -------------------------------------------------------------------------

    def _raised(self, symbol: Symbol, claim: int) -> list[Way]:
        given = 0
        if symbol.choice and symbol.orig_type is BOOL:
            given = self._reach.others_off(symbol)
        ways = [
            Way("prompt", self.subject(node, claim), given) for node in shown(symbol)
        ]
        earlier: list[Part] = []
        for node, value, condition, complete, line in defaults(symbol):
            file = node.filename
            parts = [
                Part(value, claim, file, line, True),
                Part(condition, claim, file, line),
                *self.subject(node, claim, PROMPT_ONLY),
            ]
            ways.append(Way("default", parts + earlier))
            earlier.append(Part(complete, IS_N, file, line))
        if symbol.choice:
            return ways
        for source in symbol.selects_me:
            parts = list(self._source(source, claim, SELECT))
            ways.append(Way(f"select by {source.symbol.name}", parts))
        for source in symbol.implies_me:
            ways += self._implied(symbol, source, claim)
        return ways

    def _implied(self, symbol: Symbol, source: Select, claim: int) -> Iterator[Way]:
        """One way for each definition whose dependencies may let `imply` through."""
        parts = list(self._source(source, claim, IMPLY))
        if not self._kconfig.profile.imply_needs_depends:
            claim = AT_LEAST_M
        for node in symbol.nodes if symbol.depends else symbol.nodes[:1]:
            if not symbol.depends or node.dep is not self._kconfig.y:
                limits = self.subject(node, claim, PROMPT_ONLY)
                yield Way(f"imply by {source.symbol.name}", parts + limits)

    def _source(self, source: Select, claim: int, token: int) -> Iterator[Part]:
        yield Part(source.symbol, claim, source.file, source.line)
        for node in source.symbol.nodes:
            for statement in node.statements:
                if (
                    statement.token is token
                    and statement.line == source.line
                    and node.filename == source.file
                ):
                    yield Part(statement.condition, claim, source.file, source.line)
                    yield from self.subject(node, claim, PROMPT_ONLY)
                    return

    # -- Down -----------------------------------------------------------------------

    def _lowered(self, symbol: Symbol, claim: int) -> list[Way]:
        if symbol.choice:
            return []
        ways = [Way("prompt", self.subject(node, AT_LEAST_M)) for node in shown(symbol)]
        sources = [_no_source(source, claim) for source in symbol.implies_me]
        by_default = self._low_default(symbol, claim)
        ways += [Way(w.label, w.parts + sources) for w in by_default]
        if symbol.implies_me and symbol.depends:
            limits = [
                Part(expr, claim, node.filename, node.linenr)
                for node, expr in _dependencies(symbol)
            ]
            if self._kconfig.profile.imply_needs_depends:
                by_default = [Way("dependencies", [])]
            ways += [Way(w.label, w.parts + limits) for w in by_default]
        return ways

    def _low_default(self, symbol: Symbol, claim: int) -> list[Way]:
        ways: list[Way] = []
        earlier: list[Part] = []
        for node, value, _, complete, line in defaults(symbol):
            file = node.filename
            applies = Part(complete, AT_LEAST_M, file, line)
            low = [Part(value, claim, file, line, True)]
            if claim == AT_MOST_M:
                low.append(Part(complete, claim, file, line))
            ways += [Way("default", [*earlier, applies, part]) for part in low]
            earlier.append(Part(complete, IS_N, file, line))
        return ways + [Way("no default", earlier)]

    # -- Choices and modules --------------------------------------------------------

    def _member(self, symbol: Symbol, claim: int) -> list[Way]:
        if claim <= IS_Y:
            given = self._reach.others_off(symbol)
            return [
                Way("prompt", self.subject(node, AT_LEAST_M), given)
                for node in shown(symbol)
            ]
        hidden = [
            Part(node.prompt[1], IS_N, node.filename, node.linenr)
            for node in shown(symbol)
        ]
        return [Way("prompt", hidden)] + [
            Way(f"{member.name} instead", [_itself(member, IS_Y)])
            for member in symbol.choice.syms
            if member is not symbol
        ]

    def _choice(self, choice: Any, claim: int) -> list[Way]:
        return [Way("prompt", self.subject(node, claim)) for node in shown(choice)]

    def _with_modules(self, item: Any, claim: int, ways: list[Way]) -> list[Way]:
        """Without modules m becomes y."""
        modules = self._kconfig.modules
        if claim == IS_Y:
            promoted = [_itself(item, AT_LEAST_M)]
            if item in self._reach.before_modules:
                return [Way("m is y without modules", promoted)]
            if modules.nodes:
                promoted.append(_itself(modules, IS_N))
            return ways + [Way("m is y without modules", promoted)]
        off = Way("as n", [_itself(item, IS_N)])
        if item in self._reach.before_modules or not modules.nodes:
            return [off]
        on = _itself(modules, AT_LEAST_M)
        return [off] + [Way(way.label, [on, *way.parts], way.given) for way in ways]

    # -- Definitions ----------------------------------------------------------------

    def subject(
        self, node: MenuNode, claim: int, without: tuple[str, ...] = ()
    ) -> list[Part]:
        """What a definition is subject to."""
        found = list(conditions(self._kconfig, node))
        parts = []
        choice = self._choice_around(node)
        if choice:
            # The value of the choice stands for what the choice is subject to.
            found = found[len(list(conditions(self._kconfig, choice))) :]
            parts = [Part(choice.item, claim, choice.filename, choice.linenr)]
        parts += [
            Part(condition.expr, claim, condition.file, condition.line)
            for condition in found
            if condition.kind not in without
        ]
        return parts

    def _choice_around(self, node: MenuNode) -> MenuNode | None:
        """The choice that a definition stands in, if it has a value."""
        if self._choice_is_menu:
            return None
        block = node.block
        while block is not None and block.item.__class__ is not Choice:
            block = block.block
        return block


def shown(item: Any) -> Iterator[MenuNode]:
    return (node for node in item.nodes if node.prompt)


def _no_source(source: Select, claim: int) -> Part:
    expr = (AND, source.symbol, source.condition)
    return Part(expr, claim, source.file, source.line)


def _itself(item: Any, claim: int) -> Part:
    node = item.nodes[0]
    return Part(item, claim, node.filename, node.linenr)


def _dependencies(symbol: Symbol) -> Iterator[tuple[MenuNode, Any]]:
    nodes = (node for node in symbol.nodes if node.dep is not node.kconfig.y)
    return zip(nodes, symbol.depends)
