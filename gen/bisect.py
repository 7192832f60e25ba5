# SPDX-License-Identifier: GPL-2.0-only
"""Which hardening setting breaks what worked with another config.

A command of the user's tests configs: a good one with ever fewer settings of a bad one,
each settled by the tree's own conf.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.deltas import Deltas
from gen.entries import Entry
from gen.errors import UserError
from gen.halving import Result, smallest_bad
from gen.kernelconfig import KernelConfig, read_for
from gen.savefile import replacement, scratch_folder, told
from gen.settings import KCONFIG
from gen.testrun import Log, run_test
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.tree.quickconf import QuickConf

_NAMED = 6  # settings of a config that are named in the log


@dataclass(frozen=True)
class Culprit:
    """A setting that breaks it: `entry` is None if the catalogue does not have it, and
    `needed_by` are then the settings of the catalogue that need it.

    Of several culprits with the same `group`, it is not known which one it is.
    """

    name: str
    before: str | None
    after: str | None
    group: int
    entry: Entry | None
    needed_by: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """What changes with the culprits.  `own` is false for a symbol without a prompt;
    values are None where the symbol has no line in a config."""

    name: str
    own: bool
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Outcome:
    """`hardening` and `others` are how many settings differ; `alone` says whether those
    of the catalogue, and what they need, were enough to break it.  `changes` is what
    else differs from the good config in `smallest`, the least config that is bad."""

    culprits: list[Culprit]
    hardening: int
    others: int
    alone: bool
    changes: list[Change]
    smallest: Path
    tests: int
    remembered: int


def bisect(
    tree: Tree,
    model: Model,
    catalogue: Iterable[Entry],
    command: str,
    folder: Path,
    say: Callable[[str], None],
    configs: tuple[Path, Path],
) -> Outcome:
    """Bisection.run() with the tree's own conf, for a good and a bad config."""
    with told(folder, "created"):
        folder.mkdir(parents=True, exist_ok=True)
    # conf runs its compiler tests itself: results in a cache may be out of date
    with scratch_folder(folder) as scratch, QuickConf(tree, scratch, {}) as conf:
        bisection = Bisection(tree, model, catalogue, conf.settle, command, folder, say)
        return bisection.run(*configs)


class Bisection:
    """`settle` has conf make a whole .config of a text; `command` is the user's test;
    `folder` is for the log and the config under test; `say` tells the progress."""

    def __init__(
        self,
        tree: Tree,
        model: Model,
        catalogue: Iterable[Entry],
        settle: Callable[[str], str],
        command: str,
        folder: Path,
        say: Callable[[str], None],
    ) -> None:
        self._tree = tree
        self._model = model
        self._entries: dict[str, Entry] = {}
        for entry in catalogue:
            if entry.setting.kind == KCONFIG:
                for name in entry.names:
                    self._entries.setdefault(name.name, entry)
        self._settle = settle
        self._command = command
        self._folder = folder
        self._say = say
        self._tests = self._remembered = 0

    def run(self, good: Path, bad: Path) -> Outcome:
        """UserError if a config cannot be used, the good one is not good, the bad one
        not bad, or a test goes wrong.  What has been tested is in the log then."""
        configs = [read_for(self._tree, self._model, file) for file in (good, bad)]
        before, after = (self._settle(config.text) for config in configs)
        if before == after:
            raise UserError(
                f"{good} and {bad} do not differ in Linux {self._tree.version}"
            )
        with Log(self._folder / "log", self._inputs(configs)) as log:
            self._expect(log, before, Result.GOOD, good)
            self._expect(log, after, Result.BAD, bad)
            return self._search(log, before, after)

    def _inputs(self, configs: Sequence[KernelConfig]) -> str:
        lines = [f"Linux {self._tree.version}, {self._tree.arch}"]
        for config in configs:
            encoded = config.text.encode("utf-8", "surrogateescape")
            lines.append(f"{hashlib.sha256(encoded).hexdigest()[:16]}  {config.file}")
        return "\n".join([*lines, f"test: {json.dumps(self._command)}"])

    def _expect(self, log: Log, config: str, wanted: Result, file: Path) -> None:
        result = self._result(log, config, f"the {wanted.value} config, {file}", 0)
        if result is not wanted:
            raise UserError(
                f"{file}: the test says that this is {result.value}, not {wanted.value}; "
                "there is nothing to search for"
            )

    def _search(self, log: Log, good: str, bad: str) -> Outcome:
        deltas = Deltas(self._model, good, bad)

        def test(names: Sequence[str], left: int) -> Result:
            config = self._settle(deltas.text(names))
            return self._result(log, config, _described(names), left)

        row = hardening = deltas.with_needs(n for n in deltas.row if n in self._entries)
        known_good = 0
        result = test(hardening, 0)
        alone = result is Result.BAD
        if not alone:
            known_good = len(hardening) if result is Result.GOOD else 0
            everything = deltas.with_needs(deltas.row)
            row = [*hardening, *(n for n in everything if n not in set(hardening))]
            self._say(
                f"the {len(hardening)} hardening settings alone do not break it; "
                f"searching the other {len(row) - len(hardening)} differences as well"
            )
            if test(row, 0) is not Result.BAD:
                raise UserError(
                    "the good config with all settings of the bad one is not the bad "
                    "config, and not bad; see the log for what was tested"
                )
        found = smallest_bad(row, test, known_good)
        names = [name for group in found for name in group]
        text = self._settle(deltas.text(names))
        smallest = self._folder / "smallest.config"
        with replacement(smallest, text) as commit:
            commit()
        return Outcome(
            culprits=self._culprits(deltas, found, hardening, good, text),
            hardening=len(hardening),
            others=len(deltas.row) - len(hardening),
            alone=alone,
            changes=self._changes(good, text, names),
            smallest=smallest,
            tests=self._tests,
            remembered=self._remembered,
        )

    def _result(self, log: Log, config: str, what: str, left: int) -> Result:
        known = log.known(config)
        if known:
            return known
        file = self._folder / "candidate.config"
        with replacement(file, config) as commit:
            commit()
        self._tests += 1
        most = f", at most {left} to the next culprit" if left else ""
        self._say(f"test {self._tests}{most}: {what}")
        result = log.add(config, run_test(self._command, file), what)
        self._say(result.value)
        return result

    def _culprits(
        self,
        deltas: Deltas,
        found: list[list[str]],
        hardening: list[str],
        good: str,
        text: str,
    ) -> list[Culprit]:
        before, after = dotconfig.parse(good, "good"), dotconfig.parse(text, "bad")
        return [
            Culprit(
                name=name,
                before=before.get(name),
                after=after.get(name),
                group=number,
                entry=self._entries.get(name),
                needed_by=tuple(h for h in hardening if name in deltas.needs([h])),
            )
            for number, group in enumerate(found)
            for name in group
        ]

    def _changes(self, good: str, text: str, names: Iterable[str]) -> list[Change]:
        before, after = dotconfig.parse(good, "good"), dotconfig.parse(text, "bad")
        return [
            Change(
                name, self._model.has_prompt(name), before.get(name), after.get(name)
            )
            for name in sorted((before.keys() | after.keys()) - set(names))
            if before.get(name) != after.get(name)
        ]


def _described(names: Sequence[str]) -> str:
    shown = " ".join(sorted(names)[:_NAMED])
    more = " ..." if len(names) > _NAMED else ""
    return f"{len(names)} of the bad config's settings: {shown}{more}"
