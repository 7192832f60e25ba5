# SPDX-License-Identifier: GPL-2.0-only
"""Values of symbols, computed as the tree's own conf does.

A value is valid for one generation of the Kconfig object (parser.py): whatever
changes a user's value starts a new one, and only what is asked for afterwards is
computed again. The rules that differ between trees are in kconfig.profile.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from gen.tree.expr import (
    BOOL_TRISTATE,
    BOOL,
    HEX,
    INT,
    STR_TO_TRI,
    STRING,
    TRISTATE,
    TRI_TO_STR,
    expr_value,
    strtoll,
)
from gen.tree.library import kl

_INT = re.compile(r"-?(?:0|[1-9][0-9]*)", re.A)
_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]+", re.A)
_MASK = 2**64 - 1


class Select(NamedTuple):
    """One `select` or `imply`, seen from its target."""

    symbol: Any  # the symbol that selects
    condition: Any
    file: str
    line: int  # the last line of the statement


class Symbol(kl.Symbol):
    """A config entry, or a constant; both have a value."""

    __slots__ = (
        "generation",  # in which the fields below were computed
        "_tri",
        "_text",
        "_visible",
        "_selected",
        "written",  # whether the symbol has a line in .config
        "transitional",
        "prompts",  # the conditions of all prompts
        "depends",  # the dependencies of each definition that has any
        "selects_me",
        "implies_me",
        "given",  # the value in .config; user_value is what conf makes of it
    )

    def __init__(self) -> None:
        super().__init__()
        self.generation = -1
        self.transitional = False
        self.prompts: list[Any] = []
        self.depends: list[Any] = []
        self.selects_me: list[Select] = []
        self.implies_me: list[Select] = []
        self.given: int | str | None = None

    # -- What others read -------------------------------------------------------

    @property
    def tri_value(self) -> int:
        """0, 1 or 2; always 0 for numbers and strings."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        return self._tri

    @property
    def str_value(self) -> str:
        """The value as it stands in .config, without quotes."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        return self._text

    @property
    def visibility(self) -> int:
        """The highest value that the prompts admit: 0, 1 or 2."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        return self._visible

    @property
    def config_string(self) -> str:
        """The line in .config; empty if there is none."""
        if self.generation != self.kconfig.generation:
            self._evaluate()
        if not self.written:
            return ""
        name = self.kconfig.config_prefix + self.name
        if self.orig_type in BOOL_TRISTATE:
            if self._tri == 0:
                return f"# {name} is not set\n"
            return f"{name}={TRI_TO_STR[self._tri]}\n"
        if self.orig_type is STRING:
            return f'{name}="{kl.escape(self._text)}"\n'
        return f"{name}={self._text}\n"

    def active_range(self) -> tuple[Any, Any] | None:
        """The symbols for the bounds of the range that applies now."""
        for low, high, condition in self.ranges:
            if expr_value(condition):
                return low, high
        return None

    def in_range(self, text: str) -> bool:
        """Whether the active range, if any, contains the number."""
        bounds = self.active_range()
        if bounds is None:
            return True
        base = 10 if self.orig_type is INT else 16
        low, high = (bound_value(bound, base) for bound in bounds)
        return low <= strtoll(text, base) <= high

    def parse(self, text: str) -> int | str | None:
        """The user value for a text (unquoted); None if it does not suit the type."""
        kind = self.orig_type
        if kind in BOOL_TRISTATE:
            # Only the first character counts.
            tri = STR_TO_TRI.get(text[:1])
            return None if tri == 1 and kind is BOOL else tri
        if kind is STRING:
            return text
        pattern = _INT if kind is INT else _HEX
        return text if kind and pattern.fullmatch(text) else None

    # -- Evaluation -------------------------------------------------------------

    def visibility_now(self) -> int:
        """The visibility, also while the value of this symbol is being computed."""
        if self.generation == self.kconfig.generation and self._visible >= 0:
            return self._visible
        return self._visibility()

    def _evaluate(self) -> None:
        kconfig = self.kconfig
        self.generation = kconfig.generation
        kind = self.orig_type
        self._selected = 0
        self.written = False
        if self.is_constant or not kind:
            self._tri = STR_TO_TRI.get(self.name, 0) if self.is_constant else 0
            self._text = self.name
            self._visible = -1
            # Without a type it may still be what a choice selects.
            self._visible = self._visibility() if self.choice else 0
            return
        # What a symbol sees that refers to this one while it is being computed
        self._tri = 0
        self._text = self.nothing()
        self._visible = -1
        self._visible = self._visibility()
        if kind in BOOL_TRISTATE:
            self._tri, written = self._tristate()
            self._text = TRI_TO_STR[self._tri]
        else:
            self._text, written = self._string()
        self.written = written and not (
            self.transitional
            or self.env_var is not None
            or self is kconfig.defconfig_list
        )

    def nothing(self) -> str:
        """The text of a symbol that nothing gives a value."""
        kind = self.orig_type
        if kind in BOOL_TRISTATE:
            return "n"
        if not self.kconfig.profile.number_is_zero:
            return ""
        return "0" if kind is INT else "0x0" if kind is HEX else ""

    def _visibility(self) -> int:
        if self.transitional:
            return 2
        choice = self.choice
        visible = 0
        for condition in self.prompts:
            value = expr_value(condition)
            if value == 1 and choice and choice.hides_m(self):
                value = 0
            if value > visible:
                visible = value
        if visible and choice and choice.hides(self):
            return 0
        if visible == 1 and not self._has_m():
            return 2
        return visible

    def _has_m(self) -> bool:
        return self.orig_type is TRISTATE and self.kconfig.modules_value != 0

    def _tristate(self) -> tuple[int, bool]:
        """The value, and whether it is written."""
        choice = self.choice
        visible = self._visible
        if choice and choice.decides(visible):
            value = 2 if visible and choice.selection is self else 0
            return value, visible != 0
        value, written = self.own_tristate()
        if not choice and not self.transitional:
            self._selected = self.highest(self.selects_me)
            written = written or self._selected != 0
            value = max(value, self._selected)
        if value == 1 and not self._has_m():
            value = 2
        return value, written

    def own_tristate(self) -> tuple[int, bool]:
        """The value and "written" before `select`."""
        visible = self._visible
        if visible and self.user_value is not None:
            return min(self.user_value, visible), True
        value = 0
        for default, condition in self.defaults:
            limit = expr_value(condition)
            if limit:
                value = min(expr_value(default), limit)
                break
        written = visible != 0 or value != 0
        if self.choice or self.transitional:
            return value, written
        implied = self.highest(self.implies_me)
        if implied:
            limit = self._dependencies()
            if self.kconfig.profile.imply_needs_depends:
                return min(max(value, implied), limit), True
            if limit:
                return max(value, implied), True
        return value, written

    def highest(self, selects: list[Select]) -> int:
        """The highest value that `select` or `imply` statements ask for."""
        highest = 0
        for select in selects:
            value = select.symbol.tri_value
            if value > highest:
                value = min(value, expr_value(select.condition))
                if value > highest:
                    highest = value
                    if highest == 2:
                        break
        return 2 if highest == 1 and not self._has_m() else highest

    def _dependencies(self) -> int:
        """The value of the dependencies of all definitions, ORed.

        A definition without dependencies does not make this y, unless it is alone.
        """
        if not self.depends:
            return 2
        value = max(map(expr_value, self.depends))
        return 2 if value == 1 and not self._has_m() else value

    def _string(self) -> tuple[str, bool]:
        """The text, and whether it is written."""
        text = self.nothing()
        written = self._visible != 0
        if written and self.user_value is not None:
            text = self.user_value
        else:
            for default, condition in self.defaults:
                if expr_value(condition):
                    # An expression here is a mistake that conf only warns about.
                    if default.__class__ is Symbol:
                        text = default.str_value
                        written = True
                    break
        return (text if self.orig_type is STRING else self._clamp(text)), written

    def _clamp(self, text: str) -> str:
        bounds = self.active_range()
        if bounds is None:
            return text
        base = 10 if self.orig_type is INT else 16
        number = strtoll(text, base)
        low, high = bounds
        if number < bound_value(low, base):
            bound = low
        elif number > bound_value(high, base):
            bound = high
        else:
            return text
        if self.kconfig.profile.bound_as_written:
            return bound.str_value
        number = bound_value(bound, base)
        return str(number) if base == 10 else f"0x{number & _MASK:x}"


def bound_value(bound: Any, base: int) -> int:
    """The number of a symbol used as a bound, read in its own base if it has one."""
    if bound.orig_type is INT:
        base = 10
    elif bound.orig_type is HEX:
        base = 16
    return strtoll(bound.str_value, base)
