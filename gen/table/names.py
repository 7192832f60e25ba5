# SPDX-License-Identifier: GPL-2.0-only
"""The names that the table speaks of, and the place of each in its array."""

from __future__ import annotations

from collections.abc import Iterable

from gen.parameters import Parameter, plain
from gen.settings import CMDLINE, KCONFIG, SYSCTL, Setting


class Names:
    """Symbols and sysctls get a place when they are first asked for."""

    def __init__(self, parameters: Iterable[Parameter]) -> None:
        self.symbols: dict[str, int] = {}
        self.sysctls: dict[str, int] = {}
        self.parameters = tuple(parameters)
        self._spellings = {
            spelling.name: place
            for place, parameter in enumerate(self.parameters)
            for spelling in parameter.all_spellings
        }

    def symbol(self, name: str) -> int:
        return self.symbols.setdefault(name, len(self.symbols))

    def place(self, kind: str, name: str) -> int:
        """ValueError for a boot parameter without a section."""
        if kind == KCONFIG:
            return self.symbol(name)
        if kind == SYSCTL:
            return self.sysctls.setdefault(name, len(self.sysctls))
        try:
            return self._spellings[plain(name)]
        except KeyError:
            raise ValueError(
                f"the boot parameter '{name}' has no section parameter:{name}"
            ) from None

    def canonical(self, setting: Setting) -> Setting:
        """The setting as the kernel understands it; ValueError if it cannot be."""
        if setting.kind == CMDLINE:
            place = self.place(CMDLINE, setting.name)
            return self.parameters[place].canonical(setting)
        return setting
