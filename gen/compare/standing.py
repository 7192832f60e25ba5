# SPDX-License-Identifier: GPL-2.0-only
"""Where a config stands on each entry of the catalogue, read from its own text.

gen/verdicts.py judges what a run has made with the tree at hand.  This judges a config
that some other kernel version may have written: which symbols there are is known from
its lines, then from the tree if it is of that very version, then from the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gen.wishes import value_holds
from gen.entries import Entry
from gen.compare.kernelconfig import KernelConfig
from gen.settings import Setting
from gen.tree.model import Model
from gen.verdicts import FAIL, NOT_APPLICABLE, OK, STRONGER, WEAKER
from gen.versions import ALWAYS, Version

_TRISTATE = ("y", "m", "n")


@dataclass(frozen=True)
class Standing:
    """`name` is the symbol that stands for the entry, None if this kernel has none.

    `setting` is the entry's setting under that name; `value` is plain, None without a
    symbol; `by` is the stronger or weaker setting that `verdict` rests on, `note` says
    what else it rests on.
    """

    setting: Setting
    name: str | None
    value: str | None
    verdict: str
    note: str = ""
    by: Setting | None = None

    @property
    def met(self) -> bool:
        return self.verdict in (OK, STRONGER)


class Standings:
    """`model` holds the values of `config`; they tell the range that a number has.

    `release` is the version of the model's tree.
    """

    def __init__(
        self,
        config: KernelConfig,
        model: Model,
        release: Version,
        catalogue: Iterable[Entry],
    ) -> None:
        self._config = config
        self._model = model
        self._same_version = release == config.target.version
        self._known: dict[str, bool] = {}
        for entry in catalogue:
            if entry.concerns(config.target.architecture):
                for name in entry.names:
                    known = config.target.version in name.kernels
                    self._known[name.name] = known or self._known.get(name.name, False)

    def of(self, entry: Entry) -> Standing:
        """For an entry that concerns the architecture."""
        name = self._name(entry)
        if name is None:
            return self._without_symbol(entry)
        setting = entry.setting.renamed(name)
        value = self._value(setting)
        if self._holds(setting):
            return Standing(setting, name, value, OK)
        stronger = next(filter(self._holds, entry.stronger), None)
        if stronger:
            return Standing(setting, name, value, STRONGER, by=stronger)
        if value and setting.nearly_held_by(value):
            return Standing(setting, name, value, WEAKER, "m, not built in")
        target = self._config.target
        if not target.has_compiler(entry):
            needs = " or ".join(c.condition for c in entry.compilers)
            note = f"needs {needs}, this is {target.compiler}"
            return Standing(setting, name, value, NOT_APPLICABLE, note)
        weaker = next(filter(self._holds, entry.weaker), None)
        if weaker:
            return Standing(setting, name, value, WEAKER, by=weaker)
        return Standing(setting, name, value, FAIL)

    def _without_symbol(self, entry: Entry) -> Standing:
        release, setting = self._config.release, entry.setting
        if self._config.target.version in entry.always_on:
            note = f"{release} always does it ({entry.always_on})"
            return Standing(setting, None, None, OK, note)
        stronger = next(filter(self._holds, entry.stronger), None)
        if stronger:
            return Standing(setting, None, None, STRONGER, by=stronger)
        ranges = "; ".join(
            f"{n.name} {n.kernels}" for n in entry.names if n.kernels != ALWAYS
        )
        note = f"not in {release}" + (f" ({ranges})" if ranges else "")
        return Standing(setting, None, None, NOT_APPLICABLE, note)

    def _name(self, entry: Entry) -> str | None:
        names = [n.name for n in entry.names]
        written = (n for n in names if n in self._config.values)
        return next(written, None) or next((n for n in names if self._exists(n)), None)

    def _exists(self, name: str) -> bool:
        if self._same_version:
            return self._model.defined(name)
        return name in self._config.values or self._known.get(name, False)

    def _value(self, setting: Setting) -> str | None:
        """conf writes no line for what its dependencies hide: that is off, or empty."""
        written = self._config.values.get(setting.name)
        if written is not None or not self._exists(setting.name):
            return written
        return "n" if setting.value in _TRISTATE else ""

    def _holds(self, setting: Setting) -> bool:
        value = self._value(setting)
        return value is not None and value_holds(self._model, setting, value)
