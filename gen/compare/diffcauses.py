# SPDX-License-Identifier: GPL-2.0-only
"""Why a setting does not stand where it stood.

Where the kernel version or the compiler explains it, that is the answer.  Otherwise the
config that lacks the setting is loaded into the model of the tree at hand, which tells
what stands in its way there.
"""

from __future__ import annotations

from gen.entries import Entry
from gen.compare.kernelconfig import KernelConfig
from gen.settings import Match, Setting
from gen.compare.standing import Standing
from gen.compare.trace import Step, Trace
from gen.tree.model import Model
from gen.verdicts import NOT_APPLICABLE, OK, STRONGER


class Causes:
    """`release` is that of the model's tree.  Answers are steps, from the setting down
    to what is to blame.  Asking loads configs into the model."""

    def __init__(
        self, before: KernelConfig, after: KernelConfig, release: str, model: Model
    ) -> None:
        self._before = before
        self._after = after
        self._release = release
        self._model = model

    def noted(self, before: Standing, after: Standing) -> list[Step]:
        """Where the versions explain it."""
        if before.name and after.name:
            return [
                Step(f"{before.name} is called {after.name} in {self._after.release}")
            ]
        return _notes(before if after.name else after)

    def gained(self, entry: Entry, before: Standing, after: Standing) -> list[Step]:
        """Why the earlier config did not have what the later one has."""
        if before.verdict == NOT_APPLICABLE or after.name is None:
            return _notes(before if after.name else after)
        trace = Trace(self._model, self._release, self._before, self._after, "before")
        return self._followed(trace, entry, after, before)

    def missing(self, entry: Entry, before: Standing, after: Standing) -> list[Step]:
        """Why the later config does not have what the earlier had, or could have."""
        if after.verdict == NOT_APPLICABLE or after.name is None:
            return _notes(after)
        notes = _notes(before) if before.verdict == NOT_APPLICABLE else []
        trace = Trace(self._model, self._release, self._after, self._before, "after")
        return notes + self._followed(trace, entry, before, after)

    def _followed(
        self, trace: Trace, entry: Entry, having: Standing, lacking: Standing
    ) -> list[Step]:
        steps = []
        setting = lacking.setting
        if having.verdict == STRONGER and having.by:
            setting = having.by
            steps.append(Step(f"{setting} does more"))
        name = self._name(entry, setting)
        if name is None:
            hint = f"{self._release}, the tree at hand, has no {setting.name}"
            return [*steps, Step(f"{hint}; a tree of either version may explain more")]
        wanted = self._asked(setting, having, lacking, name)
        return list(dict.fromkeys([*steps, *trace.follow(name, wanted)]))

    def _name(self, entry: Entry, setting: Setting) -> str | None:
        """The name that the tree at hand has for a setting."""
        names = [setting.name]
        if setting.key in entry.keys:
            names += [n.name for n in entry.names]
        return next((n for n in names if self._model.defined(n)), None)

    def _asked(
        self, setting: Setting, having: Standing, lacking: Standing, name: str
    ) -> str:
        """The value that would have been right."""
        if setting.match is Match.CONTAINS:
            return ",".join(filter(None, [lacking.value, setting.value]))
        if having.verdict == OK and having.value:
            return having.value
        if setting.match is Match.HIGHEST:
            span = self._model.range(name)
            return str(span[1]) if span else ""
        return setting.value


def _notes(standing: Standing) -> list[Step]:
    return [Step(standing.note or f"{standing.by} does more")]
