# SPDX-License-Identifier: GPL-2.0-only
"""On random Kconfig files, no smaller set of assignments does what the found one does.

Whatever a search finds is given to the conf of each kernel; that no smaller set works,
or none at all, is shown by trying all sets of up to three assignments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest
from tree_random import RandomKconfig
from tree_support import HOST_PAIRS, differences, each, settle, tiny_tree

from gen.tree.kbuild import TreeError
from gen.tree.model import Model
from gen.tree.search.search import Exact, Found, GaveUp, Goal, Impossible, Search

TREES = 50  # of which conf refuses a few
SEARCHES = 4
LARGEST = 3  # assignments to try all sets of,
MANY = 6_000  # where these are not more than this

Assignment = tuple[str, str]


class Case:
    """A random tree with a random complete configuration."""

    def __init__(self, pair: str, seed: int, folder: Path) -> None:
        self.rng = Random(seed)
        kconfig = RandomKconfig(self.rng, pair, size=self.rng.randint(6, 9))
        self._text = kconfig.text
        self._folder = folder
        self._tree = tiny_tree(pair, folder, kconfig.text)
        settle(self._tree, folder, "")
        self.model = Model(self._tree, None)
        self.model.load(kconfig.config())
        self.base = self.model.text()
        self.restart()
        self._values = dict(self._all_values())
        self._assignments = [
            (name, value)
            for name, values in self._values.items()
            for value in values
            if self.model.has_prompt(name)
        ]

    def restart(self) -> None:
        self.model.load(self.base)

    def goals(self, count: int) -> list[Goal]:
        """Goals that do not hold together yet; of up to `count` symbols."""
        goals: list[Goal] = []
        while self.holds(goals):
            goals = []
            some = [name for name, values in self._values.items() if values]
            for name in self.rng.sample(some, min(count, len(some))):
                goals.append(Exact(name, self.rng.choice(self._values[name])))
        return goals

    def others(self) -> list[Goal]:
        """What some symbols are now, as goals to keep."""
        names = self.rng.sample(list(self._values), 2)
        return [Exact(name, self.model.value(name) or "") for name in names]

    def holds(self, goals: Sequence[Goal]) -> bool:
        return all(goal.held(self.model) for goal in goals)

    def works(self, assignments: Sequence[Assignment], goals: Sequence[Goal]) -> bool:
        with self.model.trial():
            for name, value in assignments:
                self.model.assign(name, value)
            return self.holds(goals)

    def smaller(self, goals: Sequence[Goal], size: int) -> Sequence[Assignment] | None:
        """A set of at most so many assignments that makes the goals hold, if any."""
        no_modules = Exact(self.model.modules() or "", "n")
        usable = self._assignments
        if no_modules not in goals:
            usable = [a for a in usable if a != (no_modules.name, "n")]
        for count in range(size + 1):
            if comb(len(usable), count) > MANY:
                break
            for assignments in combinations(usable, count):
                if len({name for name, _ in assignments}) == count:
                    if self.works(assignments, goals):
                        return assignments
        return None

    def check_with_conf(
        self, assignments: Sequence[Assignment], goals: Sequence[Goal]
    ) -> None:
        """conf must get there, too, when the lines are appended."""
        lines = ""
        for name, value in assignments:
            text = f'"{value}"' if self.model.type(name) == "string" else value
            lines += f"CONFIG_{name}={text}\n"
            self.model.assign(name, value)
        assert self.holds(goals)
        ours, theirs = self.model.text(), settle(
            self._tree, self._folder, self.base + lines
        )
        assert ours == theirs, differences(ours, theirs)
        self.restart()

    def _all_values(self) -> Iterator[tuple[str, list[str]]]:
        """The symbols that are not transitional, each with values worth trying."""
        numbers = _numbers(self._text)
        strings = sorted(set(re.findall(r'"([^"]*)"', self._text)) | {"", "~"})
        values = {
            "bool": ["y", "n"],
            "tristate": ["y", "m", "n"],
            "int": list(map(str, numbers)),
            "hex": [hex(number) for number in numbers if number >= 0],
            "string": [*strings, *map(str, numbers)],
        }
        transitional = re.findall(r"config (\w+)\n\t\w+\n\ttransitional", self._text)
        for name in self.model.names():
            kind = self.model.type(name)
            if kind in values and name not in transitional:
                yield name, values[kind]

    def __str__(self) -> str:
        return f"{self._text}\n{self.base}"


def _numbers(text: str) -> list[int]:
    """All numbers in a Kconfig file, as decimal and as hex, and their neighbours."""
    found = set()
    for word in re.findall(r"-?\b[0-9a-fA-Fx]+\b", text):
        for base in (10, 16):
            try:
                found.add(int(word, base))
            except ValueError:
                continue
    return sorted({number + step for number in found for step in (-1, 0, 1)})


def check(pair: str, seed: int, folder: Path) -> Counter[str]:
    """Several searches in one tree; counts what they came to."""
    counts: Counter[str] = Counter()
    try:
        case = Case(pair, seed, folder)
    except TreeError:
        return Counter(refused=1)
    for number in range(SEARCHES):
        goals = case.goals(1 + number // 3)
        keep = case.others() if number == 1 else []
        before = case.model.text()
        answer = Search(case.model).smallest(goals, keep)
        assert case.model.text() == before, "the search left something behind"
        told = f"seed {seed}: {goals}, keep {keep}: {answer}\n{case}"
        # What copies another symbol's text or number is given up, not searched out
        copies = any(case.model.copies(goal.name) for goal in [*goals, *keep])
        gave_up = "copies" if copies else "GaveUp"
        kind = gave_up if isinstance(answer, GaveUp) else type(answer).__name__
        counts[kind] += 1
        wanted = [*goals, *keep]
        if isinstance(answer, Found):
            counts[f"size {len(answer.assignments)}"] += 1
            counts["not proved"] += not answer.proved
            smaller = None
            if answer.proved and answer.assignments:
                size = min(LARGEST, len(answer.assignments) - 1)
                smaller = case.smaller(wanted, size)
            assert smaller is None, f"{smaller} would do; {told}"
            case.check_with_conf(answer.assignments, wanted)
        elif isinstance(answer, Impossible):
            found = case.smaller(wanted, LARGEST)
            assert found is None, f"{found} would do; {told}"
            if answer.against:
                counts["against"] += 1
                assert case.smaller([*goals, *answer.against], LARGEST) is None, told
    return counts


def check_all(pair: str, seeds: range, folder: Path) -> None:
    counts: Counter[str] = Counter()
    for seed in seeds:
        counts += check(pair, seed, folder / str(seed))
    print(pair, dict(sorted(counts.items())))
    answers = sum(counts[kind.__name__] for kind in (Found, Impossible, GaveUp))
    assert answers > SEARCHES * len(seeds) / 2, "conf refuses most of the trees"
    assert counts["Found"] > answers / 5
    assert counts["size 2"] and counts["Impossible"]
    # Searches without modules, too, may end undecided
    assert counts["GaveUp"] + counts["not proved"] <= answers / 40


@each(HOST_PAIRS)
def test_smallest(pair: str, tmp_path: Path) -> None:
    check_all(pair, range(TREES), tmp_path)


@pytest.mark.long
@each(HOST_PAIRS)
def test_smallest_more(pair: str, tmp_path: Path) -> None:
    check_all(pair, range(TREES, 25 * TREES), tmp_path)
