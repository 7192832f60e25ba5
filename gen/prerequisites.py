# SPDX-License-Identifier: GPL-2.0-only
"""Prerequisites of entries, and the prerequisites that those have as entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gen.entries import Entry
from gen.settings import Setting


def _anything(_name: str) -> bool:
    return True


class Prerequisites:
    """`entries` are those that count for the target; what is not `defined` there is
    passed over.  The catalogue's reader has made sure that nothing needs itself."""

    def __init__(
        self, entries: Iterable[Entry], defined: Callable[[str], bool] = _anything
    ) -> None:
        self._of = {entry.setting: entry.prerequisites for entry in entries}
        self._defined = defined

    def of(self, entry: Entry) -> list[Setting]:
        """All that an entry needs, each setting after what it needs itself."""
        chain: dict[Setting, None] = {}
        for setting in entry.prerequisites:
            self._add(setting, chain)
        return list(chain)

    def _add(self, setting: Setting, chain: dict[Setting, None]) -> None:
        if setting not in chain and self._defined(setting.name):
            for deeper in self._of.get(setting, ()):
                self._add(deeper, chain)
            chain[setting] = None
