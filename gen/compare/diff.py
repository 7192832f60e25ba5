# SPDX-License-Identifier: GPL-2.0-only
"""Which hardening changed from one config to another, and why.

The question of whoever goes from one release of a distribution to the next.  Both
configs are judged as they are, each for the kernel version that it names; the tree at
hand explains.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gen.compare.diffcauses import Causes
from gen.entries import Entry, Level
from gen.errors import UserError
from gen.compare.kernelconfig import KernelConfig, read_for
from gen.levels import wanted
from gen.settings import KCONFIG, Match, Setting
from gen.compare.standing import Standing, Standings
from gen.compare.trace import Step
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.verdicts import FAIL, NOT_APPLICABLE, WEAKER
from gen.versions import release_version


class Group(enum.Enum):
    """What a difference means for the protection, the gravest first."""

    LOST = "lost"
    GAINED = "gained"
    CHANGED = "changed"  # another value, or held by something else
    OFFERED = "new, not as wanted"  # the later kernel or compiler has the option
    GONE = "gone"  # the later kernel does not have the option
    SAME = "the same by other means"  # another name, or no option needed any more


@dataclass(frozen=True)
class Change:
    """`entry` is the one for the later version, if the catalogue has several."""

    entry: Entry
    group: Group
    before: Standing
    after: Standing
    why: list[Step]  # from the setting down to what is to blame


@dataclass(frozen=True)
class Count:
    """How many settings of a level a config has, of those that can apply to it."""

    met: int
    applicable: int


@dataclass(frozen=True)
class Difference:
    """`summary` has the counts before and after for each level."""

    before: KernelConfig
    after: KernelConfig
    release: str  # of the tree that explains
    changes: list[Change]
    summary: Mapping[Level, tuple[Count, Count]]


def compare(
    before: Path, after: Path, catalogue: Iterable[Entry], tree: Tree, model: Model
) -> Difference:
    """UserError if the configs are not for one architecture, that of the tree."""
    entries = [e for e in catalogue if e.setting.kind == KCONFIG]
    sides = [_Side(file, entries, tree, model) for file in (before, after)]
    old, new = (side.config for side in sides)
    if old.target.architecture != new.target.architecture:
        raise UserError(
            f"{old.file} is for {old.target.architecture}, {new.file} for "
            f"{new.target.architecture}; compare configs of one architecture"
        )
    causes = Causes(old, new, tree.version, model)
    changes = []
    for alike in _by_setting(sides[0].standings):
        was, now = (side.standings[side.nearest(alike)] for side in sides)
        entry = sides[1].nearest(alike)
        group = grouped(entry, was, now)
        if group:
            why = _why(causes, entry, group, was, now)
            changes.append(Change(entry, group, was, now, why))
    summary = {
        level: (sides[0].count(entries, level), sides[1].count(entries, level))
        for level in Level
    }
    return Difference(old, new, tree.version, changes, summary)


class _Side:
    """One of the two configs and where it stands on each entry."""

    def __init__(self, file: Path, entries: list[Entry], tree: Tree, model: Model):
        self.config = read_for(tree, model, file)
        model.load(self.config.text)
        release = release_version(tree.version)
        standings = Standings(self.config, model, release, entries)
        architecture = self.config.target.architecture
        self.standings = {
            e: standings.of(e) for e in entries if e.concerns(architecture)
        }

    def nearest(self, alike: list[Entry]) -> Entry:
        """Of several entries for one setting, that for the version of the config."""
        return max(alike, key=self.config.target.nearness)

    def count(self, entries: list[Entry], level: Level) -> Count:
        asked = wanted(entries, level, self.config.target)
        verdicts = [self.standings[e] for e in asked if e in self.standings]
        met = sum(s.met for s in verdicts)
        return Count(met, met + sum(s.verdict in (WEAKER, FAIL) for s in verdicts))


def _by_setting(entries: Iterable[Entry]) -> Iterable[list[Entry]]:
    alike: dict[Setting, list[Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.setting, []).append(entry)
    return alike.values()


def grouped(entry: Entry, before: Standing, after: Standing) -> Group | None:
    """None if nothing changed that anybody would notice."""
    if NOT_APPLICABLE in (before.verdict, after.verdict):
        return _grouped_by_presence(entry, before, after)
    if before.met != after.met:
        return Group.GAINED if after.met else Group.LOST
    if before.verdict != after.verdict:
        if before.met:
            return Group.CHANGED
        return Group.GAINED if after.verdict == WEAKER else Group.LOST
    listed = entry.setting.match is Match.CONTAINS
    if before.name and after.name and before.value != after.value and not listed:
        return Group.CHANGED
    return Group.SAME if before.met and before.name != after.name else None


def _grouped_by_presence(
    entry: Entry, before: Standing, after: Standing
) -> Group | None:
    """Where the option, or the compiler for it, is missing in one config or both.

    What is to be off and does not exist protects as well as what is off.
    """
    off = entry.setting.value == "n"
    if before.verdict == after.verdict:
        return None
    if after.verdict == NOT_APPLICABLE:
        if after.name is None:
            return Group.GONE
        return Group.LOST if before.met else None
    if after.met:
        return Group.SAME if off and before.name is None else Group.GAINED
    return Group.OFFERED


def _why(
    causes: Causes, entry: Entry, group: Group, before: Standing, after: Standing
) -> list[Step]:
    if group is Group.GAINED:
        return causes.gained(entry, before, after)
    if group in (Group.GONE, Group.SAME):
        return causes.noted(before, after)
    return causes.missing(entry, before, after)
