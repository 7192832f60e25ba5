# SPDX-License-Identifier: GPL-2.0-only
"""Kconfiglib's parser, taught what conf learned since 2020.

It reads the new statements (`modules`, `transitional`, `depends on A if B`), follows
conf where the two differ, and keeps the place of every condition, of which
Kconfiglib only keeps that of the entry.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from gen.tree.checks import check
from gen.tree.choices import Choice, add_members, settle_types
from gen.tree.expr import AND, BOOL, OR, expr_value, is_n, replaced
from gen.tree.library import kl
from gen.tree.profile import Profile
from gen.tree.symbols import Select, Symbol

MENU, COMMENT = kl.MENU, kl.COMMENT

# Tokens: Kconfiglib's own, and one for the statement that it does not know. Only the
# keyword table of the private copy changes.
DEPENDS, VISIBLE, IF = kl._T_DEPENDS, kl._T_VISIBLE, kl._T_IF
SELECT, IMPLY, RANGE = kl._T_SELECT, kl._T_IMPLY, kl._T_RANGE
PROMPTS = kl._TYPE_TOKENS | {kl._T_PROMPT}
DEFAULTS = frozenset(kl._DEF_TOKEN_TO_TYPE) | {kl._T_DEFAULT}
_MODULES, _TRANSITIONAL = kl._T_MODULES, 1000
kl._get_keyword.__self__["transitional"] = _TRANSITIONAL
# Names of variables, in which a $ may stand too
kl._assignment_lhs_fragment_match = re.compile(r"(?:[\w-]|\$(?!\())*", re.A).match


class Statement(NamedTuple):
    """A statement of a menu node that holds a condition."""

    token: int
    condition: Any  # without the conditions of enclosing blocks
    line: int  # the last line of the statement, in the file of the node


class MenuNode(kl.MenuNode):
    """One definition of a symbol or choice, or a menu, comment or `if`."""

    __slots__ = ("block", "statements")

    def __init__(self) -> None:
        super().__init__()
        # The enclosing `if`, menu or choice: Kconfiglib moves nodes out of an `if`
        self.block: MenuNode | None = None
        self.statements: list[Statement] = []


class Kconfig(kl.Kconfig):
    """The symbols and menus of a tree, parsed in the current environment.

    $srctree and the rest of the environment must be what make hands to conf, the
    working directory its output folder. shell runs the command of a $(shell).
    Raises KconfigError or OSError.
    """

    modules: Any
    _reuse_tokens: bool
    _tokens_i: int

    def __init__(
        self, filename: str, profile: Profile, shell: Callable[[str], str]
    ) -> None:
        self.profile = profile
        self.shell = shell
        self._node: MenuNode | None = None
        self._generations = itertools.count()
        self.generation = next(self._generations)
        self.modules_value = 0
        self._declared_modules: Symbol | None = None
        self._sourced = {filename}
        super().__init__(filename, warn=False)
        check(self)
        if profile.choice_is_menu:
            for choice in self.unique_choices:
                choice.orig_type = BOOL
        self.touch()

    def touch(self) -> None:
        """Start a new generation: values are computed anew from the user's."""
        self.generation = next(self._generations)
        # conf computes the modules symbol first; what that depends on sees no modules.
        self.modules_value = 0
        self.modules_value = self.modules.tri_value

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Compute with other user values for a while, then have the old values back.

        The caller changes user values inside, calls touch(), and undoes the changes.
        """
        generation, modules_value = self.generation, self.modules_value
        try:
            yield
        finally:
            self.generation, self.modules_value = generation, modules_value

    def menu_is_shown(self, node: MenuNode) -> bool:
        """Whether the title of a menu or comment is written to .config."""
        # In its own `visible if`, conf does not rewrite m as it does elsewhere.
        return expr_value(node.dep) != 0 and all(
            expr_value(statement.condition)
            for statement in node.statements
            if statement.token is VISIBLE
        )

    # -- Statements ---------------------------------------------------------------

    def _parse_block(self, end_token: Any, parent: Any, prev: Any) -> Any:
        if end_token is kl._T_ENDIF:
            parent.block = parent.parent
            parent.filename = self.filename
            parent.statements.append(Statement(IF, parent.dep, self.linenr))
        return super()._parse_block(end_token, parent, prev)

    def _parse_props(self, node: MenuNode) -> None:
        node.block = node.parent
        self._node = node
        super()._parse_props(node)
        # The parser gives back a line that is none of Kconfiglib's properties.
        while self._reuse_tokens and self._tokens[0] in (_MODULES, _TRANSITIONAL):
            if self._tokens[0] is _TRANSITIONAL:
                node.item.transitional = True
            elif self._declared_modules is not None:
                self._parse_error("there is a modules symbol already")
            else:
                self._declared_modules = node.item
            self._reuse_tokens = False
            depends = node.dep
            super()._parse_props(node)
            node.dep = self._make_and(depends, node.dep)
        self._node = None

    def _check_token(self, token: int) -> bool:
        if self._tokens[self._tokens_i] is not token:
            return False
        if token is _MODULES and self._node is not None:
            # `option modules`, as it was written up to 5.12
            self._declared_modules = self._node.item
        self._tokens_i += 1
        return True

    def _parse_cond(self) -> Any:
        condition = super()._parse_cond()
        self._note(condition)
        return condition

    def _expect_expr_and_eol(self) -> Any:
        token = self._tokens[0]
        start = self._tokens_i
        expr = self._parse_expr(True)
        if token is DEPENDS and self._check_token(IF):
            # conf rewrites m after this transformation, and not in comparisons.
            expr = (OR, expr, is_n(self._parse_expr(False), self.n))
        if self._tokens[self._tokens_i] is not None:
            self._trailing_tokens_error()
        if token is DEPENDS:
            self._note(expr)
        if token in (DEPENDS, IF) and expr is self.y:
            # Not the same as no dependency: see Symbol.depends.
            return (AND, self.y, self.y)
        if token is VISIBLE:
            self._tokens_i = start
            self._note(self._parse_expr(False))
        return expr

    def _note(self, condition: Any) -> None:
        if self._node is not None:
            self._node.statements.append(
                Statement(self._tokens[0], condition, self.linenr)
            )

    def _set_type(self, item: Any, new_type: int) -> None:
        if not item.orig_type:
            item.orig_type = new_type

    def _enter_file(self, filename: str) -> None:
        super()._enter_file(filename)
        if self.profile.sources_once and self.filename in self._sourced:
            file, line = self._include_path[-1]
            raise kl.KconfigError(
                f"{file}:{line}: {self.filename} is sourced again; "
                "this tree's conf accepts each file once"
            )
        self._sourced.add(self.filename)

    # -- Menus --------------------------------------------------------------------

    def _finalize_node(self, node: MenuNode, visible_if: Any) -> None:
        if node is self.top_node:
            self._settle_modules()
        super()._finalize_node(node, visible_if)

    def _settle_modules(self) -> None:
        """Let m mean "m && the modules symbol", which need not be MODULES."""
        declared = self._declared_modules or self.n
        if declared is self.modules:
            return
        believed = (AND, self.m, self.modules)
        for node in self.node_iter():
            _replace(node, believed, (AND, self.m, declared))
        self.modules = declared

    def _propagate_deps(self, node: MenuNode, visible_if: Any) -> None:
        item = node.item
        if self.profile.choice_is_menu and item.__class__ is Choice:
            # Members inherit what the choice depends on, not the choice itself.
            node.item = None
        super()._propagate_deps(node, visible_if)
        node.item = item

        if item.__class__ is Choice and not self.profile.choice_is_menu:
            settle_types(item, node)

    def _add_props_to_sym(self, node: MenuNode) -> None:
        symbol = node.item
        symbol.defaults += node.defaults
        symbol.ranges += node.ranges
        if node.prompt:
            symbol.prompts.append(node.prompt[1])
        if node.dep is not self.y:
            symbol.depends.append(node.dep)
        for token, pairs in ((SELECT, node.selects), (IMPLY, node.implies)):
            if not pairs:
                continue
            lines = (s.line for s in node.statements if s.token is token)
            for (target, condition), line in zip(pairs, lines):
                select = Select(symbol, condition, node.filename, line)
                mine = target.selects_me if token is SELECT else target.implies_me
                mine.append(select)

    # -- Left out -----------------------------------------------------------------

    def _build_dep(self) -> None:
        """Generations replace lists of who depends on whom."""

    def _add_choice_deps(self) -> None:
        """As _build_dep()."""

    def _check_sym_sanity(self) -> None:
        """conf warns where Kconfiglib would stop."""

    def _check_choice_sanity(self) -> None:
        """As _check_sym_sanity()."""

    # -- Text ---------------------------------------------------------------------

    def _fn_val(self, args: list[str]) -> str:
        variable = self.variables.get(args[0])
        if variable is not None and not variable.is_recursive:
            # Kconfiglib expands what := has expanded already.
            return variable.value
        return super()._fn_val(args)

    def _open(self, filename: str, mode: str) -> Any:
        # conf works on bytes: nothing is malformed, and only \n ends a line.
        return open(
            filename, mode, encoding="utf-8", errors="surrogateescape", newline="\n"
        )


def _replace(node: Any, old: Any, new: Any) -> None:
    """Put one expression in the place of another wherever it occurs in a node."""

    def after(expr: Any) -> Any:
        return replaced(expr, old, new)

    node.dep = after(node.dep)
    if node.prompt:
        node.prompt = (node.prompt[0], after(node.prompt[1]))
    if node.item is MENU:
        node.visibility = after(node.visibility)
    for properties in (node.defaults, node.ranges, node.selects, node.implies):
        properties[:] = [(*most, after(last)) for *most, last in properties]
    node.defaults = [(after(value), last) for value, last in node.defaults]
    node.statements = [
        statement._replace(condition=after(statement.condition))
        for statement in node.statements
    ]


def _shell(kconfig: Kconfig, _name: str, command: str) -> str:
    return kconfig.shell(command)


def _info(_kconfig: Kconfig, _name: str, _message: str) -> str:
    return ""


def _in_submenu(first: MenuNode, second: MenuNode) -> bool:
    """Whether the second node moves into an automatic submenu of the first."""
    if first.kconfig.profile.flat_choice and first.parent.item.__class__ is Choice:
        return False
    return _auto_menu_dep(first, second)


_auto_menu_dep = kl._auto_menu_dep

kl.Symbol = Symbol
kl.Choice = Choice
kl.MenuNode = MenuNode
kl._SYMBOL_CHOICE = frozenset({Symbol, Choice})
kl._auto_menu_dep = _in_submenu
kl._shell_fn = _shell
kl._info_fn = _info
kl._finalize_choice = add_members
# check() looks for loops.
kl._check_dep_loop_sym = lambda _symbol, _ignore_choice: None
