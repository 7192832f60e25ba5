# SPDX-License-Identifier: GPL-2.0-only
"""The values that a user gives symbols, read from a .config as conf does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gen.tree.expr import HEX, INT, STRING
from gen.tree.library import kl
from gen.tree.parser import Kconfig
from gen.tree.symbols import Symbol

_NUMBERS = frozenset({INT, HEX})
_FNV_START, _FNV_PRIME, _BUCKETS = 2166136261, 16777619, 9973


class UserValues:
    """The values that a user gave the symbols of a Kconfig object."""

    def __init__(self, kconfig: Kconfig) -> None:
        self._kconfig = kconfig
        self._ranged = [
            symbol
            for symbol in kconfig.unique_defined_syms
            if symbol.orig_type in _NUMBERS and symbol.ranges
        ]
        self._dropped: list[Symbol] = []
        self._settled = False
        # In a trial, what to restore: symbols, their values and their choice's state
        self._before: list[tuple[Symbol, Any, Any]] | None = None
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        for symbol in self._kconfig.unique_defined_syms:
            symbol.user_value = symbol.given = None
        for choice in self._kconfig.unique_choices:
            choice.reset()
        self._touch()

    def load(self, text: str) -> list[str]:
        """Replace all values by those of a .config text.

        Returns what conf warns about too, as "line: cause". A line for a symbol that
        the tree does not define is not worth a warning.
        """
        self.clear()
        warnings = []
        for number, line in enumerate(text.split("\n"), 1):
            warning = self._read_line(line.removesuffix("\r"))
            if warning:
                warnings.append(f"{number}: {warning}")
        self._touch()
        return warnings

    def assign(self, symbol: Symbol, text: str) -> bool:
        """Set one value, as a line at the end would; False if it does not suit."""
        value = symbol.parse(text)
        if value is None:
            return False
        self._set(symbol, value)
        self._touch()
        return True

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Undo on exit what is assigned inside. May be nested.

        What is computed inside has to be computed anew afterwards, all else not.
        Values must not be changed in another way inside.
        """
        before: list[tuple[Symbol, Any, Any]] = []
        outer, self._before = self._before, before
        settled = self._settled
        try:
            with self._kconfig.aside():
                yield
        finally:
            for symbol in self._dropped:
                symbol.user_value = symbol.given
            for symbol, given, state in reversed(before):
                symbol.user_value = symbol.given = given
                if symbol.choice:
                    symbol.choice.user_state = state
            self._before = outer
            self._settled = settled
            if self._kconfig.profile.drops_out_of_range:
                # Which values are dropped has to be found out again.
                self._touch()

    def settle(self) -> None:
        """Bring values up to date with what was set; cheap if nothing was."""
        if self._settled:
            return
        self._settled = True
        if self._kconfig.profile.drops_out_of_range:
            self._drop_out_of_range()

    def _touch(self) -> None:
        for symbol in self._dropped:
            symbol.user_value = symbol.given
        self._dropped = []
        self._settled = False
        self._kconfig.touch()

    def _set(self, symbol: Symbol, value: int | str) -> None:
        if self._before is not None:
            state = symbol.choice.user_state if symbol.choice else None
            self._before.append((symbol, symbol.given, state))
        symbol.user_value = symbol.given = value
        if symbol.choice:
            symbol.choice.assign(symbol, value)

    def _read_line(self, line: str) -> str | None:
        """Take over one line; return the warning that it deserves, if any."""
        prefix = self._kconfig.config_prefix
        if line.startswith(f"# {prefix}"):
            name, _, rest = line[2 + len(prefix) :].partition(" ")
            exact = self._kconfig.profile.exact_unset
            if rest != "is not set" if exact else not rest.startswith("is not set"):
                return None
            text = "n"
        elif line.startswith(prefix) and "=" in line:
            name, _, text = line[len(prefix) :].partition("=")
        elif not line or line.startswith("#"):
            return None
        else:
            return f"this is no setting: {line}"
        symbol = self._kconfig.syms.get(name)
        if symbol is None or not symbol.nodes or not symbol.orig_type:
            return None
        return self._read_value(symbol, text)

    def _read_value(self, symbol: Symbol, text: str) -> str | None:
        if symbol.orig_type is STRING:
            match = kl._conf_string_match(text)
            if not match:
                return f"the value of {symbol.name} is no quoted string: {text}"
            text = kl.unescape(match[1])
        value = symbol.parse(text)
        kind = kl.TYPE_TO_STR[symbol.orig_type]
        if value is None:
            return f"{text!r} is no value for the {kind} {symbol.name}"
        again = symbol.given is not None
        self._set(symbol, value)
        return f"{symbol.name} was already set further up" if again else None

    def _drop_out_of_range(self) -> None:
        """Drop numbers outside their range, as conf did on reading up to 6.8.

        It did so after computing all values, in the order of its hash table, and
        computed only the dropped symbol again. So whatever depends on it keeps the
        clamped number, but a range that refers to it sees the new value.
        """
        numbers = [s for s in self._ranged if s.user_value is not None]
        if all(symbol.in_range(symbol.user_value) for symbol in numbers):
            return
        for symbol in self._kconfig.unique_defined_syms:
            symbol.str_value  # pylint: disable=pointless-statement
        for symbol in self._in_hash_order(numbers):
            if not symbol.in_range(symbol.user_value):
                symbol.user_value = None
                symbol.generation = -1
                self._dropped.append(symbol)

    def _in_hash_order(self, numbers: list[Symbol]) -> list[Symbol]:
        """Sort by bucket; in a bucket, the symbol that was seen last comes first."""
        seen = {name: place for place, name in enumerate(self._kconfig.syms)}
        return sorted(numbers, key=lambda s: (_bucket(s.name), -seen[s.name]))


def _bucket(name: str) -> int:
    value = _FNV_START
    for byte in name.encode():
        value = (value ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return value % _BUCKETS
