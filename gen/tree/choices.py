# SPDX-License-Identifier: GPL-2.0-only
"""Which member of a choice is selected.

There are two sets of rules. In newer trees (profile.choice_is_menu) a choice is a
kind of menu without a value; in older ones it is a symbol that can be n, m or y.
"""

from __future__ import annotations

from typing import Any

from gen.tree.expr import TRISTATE, expr_value
from gen.tree.library import kl


def settle_types(choice: Choice, node: Any) -> None:
    """Type a choice and its members, as conf did up to 6.8.

    Only items that stand in the choice itself count, not those in an `if` there.
    """
    symbols = []
    item = node.list
    while item:
        if isinstance(item.item, kl.Symbol):
            symbols.append(item.item)
        item = item.next
    if not choice.orig_type:
        types = (symbol.orig_type for symbol in symbols)
        choice.orig_type = next(filter(None, types), kl.UNKNOWN)
    for symbol in symbols:
        if not symbol.orig_type:
            symbol.orig_type = choice.orig_type


def add_members(node: Any) -> None:
    """Make the symbols in a choice its members, each once."""
    item = node.list
    while item:
        symbol = item.item
        if isinstance(symbol, kl.Symbol) and not symbol.choice:
            symbol.choice = node.item
            node.item.syms.append(symbol)
        item = item.next


class Choice(kl.Choice):
    """A choice; its selection is valid for one generation, as a symbol's value."""

    __slots__ = (
        "generation",
        "_tri",
        "_selection",
        "order",
        "mode",
        "chosen",
        "in_m_and_y",
    )

    def __init__(self) -> None:
        super().__init__()
        self.generation = -1
        self.reset()

    def reset(self) -> None:
        """Forget what the user set."""
        # Members by how recently .config set them, the latest first
        self.order: list[Any] = list(self.syms)
        # What the members' values say of a choice that has a value
        self.mode = 0
        self.chosen: Any = None
        self.in_m_and_y = False

    def assign(self, member: Any, value: int) -> None:
        """Note that .config gave the member a value."""
        self.order.remove(member)
        self.order.insert(0, member)
        if value == 1 and self.mode == 2:
            self.in_m_and_y = True
        if value == 2:
            self.chosen = member
        self.mode = max(self.mode, value)

    @property
    def user_state(self) -> tuple[Any, ...]:
        """What assign() has noted so far."""
        return list(self.order), self.mode, self.chosen, self.in_m_and_y

    @user_state.setter
    def user_state(self, state: tuple[Any, ...]) -> None:
        self.order, self.mode, self.chosen, self.in_m_and_y = state

    @property
    def tri_value(self) -> int:
        """The value of the choice itself; only asked for by the older rules."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        return self._tri

    @property
    def selection(self) -> Any:
        """The selected member, or None."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        return self._selection

    def decides(self, visibility: int) -> bool:
        """Whether a member with this visibility gets its value from the choice."""
        return self.kconfig.profile.choice_is_menu or visibility == 2

    def hides(self, member: Any) -> bool:
        """Whether a bool member is hidden because a tristate choice is not y."""
        return (
            self.orig_type is TRISTATE
            and member.orig_type is not TRISTATE
            and self.tri_value != 2
        )

    def hides_m(self, member: Any) -> bool:
        """Whether a prompt with visibility m is hidden because the choice is y."""
        return (
            not self.kconfig.profile.choice_is_menu
            and member.orig_type is TRISTATE
            and self.tri_value == 2
        )

    def _evaluate(self) -> None:
        self.generation = self.kconfig.generation
        self._tri = 0
        self._selection = None
        if self.kconfig.profile.choice_is_menu:
            self._selection = self._select_by_order()
            return
        if not self.orig_type:
            return
        self._tri = self._value()
        if self._tri == 2:
            self._selection = self._select_by_value()
            if self._selection is None:
                self._tri = 0

    def _value(self) -> int:
        visible = max(
            (expr_value(node.prompt[1]) for node in self.nodes if node.prompt),
            default=0,
        )
        has_m = self.orig_type is TRISTATE and self.kconfig.modules_value
        if visible == 1 and not has_m:
            visible = 2
        value = 0 if self.in_m_and_y else min(self.mode, visible)
        if not self.is_optional:
            value = max(value, min(visible, 1))
        return 2 if value == 1 and not has_m else value

    def _select_by_value(self) -> Any:
        if self.chosen is not None and self.chosen.visibility_now():
            return self.chosen
        return self._default()

    def _select_by_order(self) -> Any:
        for member in self.order:
            if member.user_value == 2 and member.visibility_now():
                return member
        chosen = self._default()
        if chosen is None or chosen.user_value != 0:
            return chosen
        # The user turned the default off: first whatever is not turned off, ...
        for member in self.syms:
            if member.user_value is None and member.visibility_now():
                return member
        # ... then whatever was turned off first.
        for member in reversed(self.order):
            if member.visibility_now():
                return member
        return None

    def _default(self) -> Any:
        for member, condition in self.defaults:
            if expr_value(condition) and member.visibility_now():
                return member
        for member in self.syms:
            if member.visibility_now():
                return member
        return None
