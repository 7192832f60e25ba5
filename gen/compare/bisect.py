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
from gen.compare.deltas import Deltas
from gen.entries import Entry
from gen.errors import UserError
from gen.compare.halving import Result, Test, smallest_bad
from gen.compare.kernelconfig import KernelConfig, read_for
from gen.savefile import replacement, scratch_folder, told
from gen.settings import KCONFIG
from gen.target import Target
from gen.compare.testrun import Log, run_test
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
    else differs from the good config in `smallest`, the least config that is bad;
    `tests` counts those of this run."""

    culprits: list[Culprit]
    hardening: int
    others: int
    alone: bool
    changes: list[Change]
    smallest: Path
    tests: int


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
    folder = folder.absolute()  # conf and the test may run elsewhere
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
        self._catalogue = list(catalogue)
        self._entries: dict[str, Entry] = {}
        self._settle = settle
        self._command = command
        self._folder = folder
        self._say = say
        self._tests = 0

    def run(self, good: Path, bad: Path) -> Outcome:
        """UserError if a config cannot be used, the good one is not good, the bad one
        not bad, or a test goes wrong.  What has been tested is in the log then."""
        configs = [read_for(self._tree, self._model, file) for file in (good, bad)]
        before, after = map(self._settled, configs)
        if before == after:
            raise UserError(
                f"{good} and {bad} do not differ in Linux {self._tree.version}"
            )
        self._entries = _by_symbol(self._catalogue, configs[1].target)
        with Log(self._folder / "log", self._inputs(configs)) as log:
            self._expect(log, before, Result.GOOD, good)
            self._expect(log, after, Result.BAD, bad)
            return self._search(log, before, after)

    def _settled(self, config: KernelConfig) -> str:
        text = self._settle(config.text)
        values = dotconfig.parse(text, config.file)
        changed = {name for name, _ in values.items() ^ config.values.items()}
        if changed:
            self._say(
                f"{config.file}: {len(changed)} symbols of this config of Linux "
                f"{config.release} are different in {self._tree.version}"
            )
        return text

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
                f"{file}: the test says that this is {result.value}, not "
                f"{wanted.value}; there is nothing to search for"
            )

    def _search(self, log: Log, good: str, bad: str) -> Outcome:
        deltas = Deltas(self._model, good, bad)

        def test(names: Sequence[str], left: int) -> Result:
            config = self._settle(deltas.text(names))
            return self._result(log, config, _described(names), left)

        hardening = deltas.with_needs(n for n in deltas.row if n in self._entries)
        result = test(hardening, 0)
        if result is Result.BAD:
            found = smallest_bad(hardening, test)
        else:
            known_good = len(hardening) if result is Result.GOOD else 0
            found = self._among_all(deltas, hardening, test, known_good)
        names = [name for group in found for name in group]
        text = self._settle(deltas.text(names))
        smallest = self._folder / "smallest.config"
        with replacement(smallest, text) as commit:
            commit()
        return Outcome(
            culprits=self._culprits(deltas, found, hardening, good, text),
            hardening=len(hardening),
            others=len(deltas.row) - len(hardening),
            alone=result is Result.BAD,
            changes=self._changes(good, text, names),
            smallest=smallest,
            tests=self._tests,
        )

    def _among_all(
        self, deltas: Deltas, hardening: list[str], test: Test[str], known_good: int
    ) -> list[list[str]]:
        """The culprits where those in the row of hardening settings are not enough."""
        begun = set(hardening)
        others = [n for n in deltas.with_needs(deltas.row) if n not in begun]
        self._say(
            f"the {len(hardening)} hardening settings alone do not break it; "
            f"searching the other {len(others)} differences as well"
        )
        row = [*hardening, *others]
        if test(row, 0) is not Result.BAD:
            raise UserError(
                "the good config with all settings of the bad one is not the bad "
                "config, and not bad; see the log for what was tested"
            )
        return smallest_bad(row, test, known_good)

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
                needed_by=tuple(
                    other
                    for other in hardening
                    if name not in self._entries and name in deltas.needs([other])
                ),
            )
            for number, group in enumerate(found)
            for name in group
        ]

    def _changes(self, good: str, text: str, names: Iterable[str]) -> list[Change]:
        before, after = dotconfig.parse(good, "good"), dotconfig.parse(text, "bad")
        changes = (
            Change(
                name, self._model.has_prompt(name), before.get(name), after.get(name)
            )
            for name in sorted((before.keys() | after.keys()) - set(names))
        )
        # What is off has a line or not, depending on whether it could be on
        return [c for c in changes if (c.before or "n") != (c.after or "n")]


def _by_symbol(catalogue: Iterable[Entry], target: Target) -> dict[str, Entry]:
    """Under each name of a symbol the entry that suits the target best."""
    found: dict[str, Entry] = {}
    for entry in sorted(catalogue, key=target.nearness):
        if entry.setting.kind == KCONFIG and entry.concerns(target.architecture):
            found |= {name.name: entry for name in entry.names}
    return found


def _described(names: Sequence[str]) -> str:
    shown = " ".join(sorted(names)[:_NAMED])
    more = " ..." if len(names) > _NAMED else ""
    return f"{len(names)} of the bad config's settings: {shown}{more}"
