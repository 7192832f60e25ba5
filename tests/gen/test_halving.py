# SPDX-License-Identifier: GPL-2.0-only
"""The search for culprits, with sets of numbers in the place of settings."""

import itertools
import random
from collections.abc import Callable, Collection, Sequence

import pytest

from gen.compare.halving import Result, smallest_bad


class Judge:
    """Tests sets by a rule, and remembers what it was asked."""

    def __init__(
        self,
        bad: Callable[[frozenset[int]], bool],
        untestable: Callable[[frozenset[int]], bool] = lambda s: False,
    ) -> None:
        self._bad, self._untestable = bad, untestable
        self.asked: dict[frozenset[int], Result] = {}
        self.foretold: list[tuple[int, int]] = []  # tests before, and at most left

    def __call__(self, items: Sequence[int], left: int) -> Result:
        key = frozenset(items)
        assert len(key) == len(items)
        self.foretold.append((len(self.asked), left))
        if key not in self.asked:
            self.asked[key] = self._result(key)
        return self.asked[key]

    def _result(self, key: frozenset[int]) -> Result:
        if self._untestable(key):
            return Result.UNTESTABLE
        return Result.BAD if self._bad(key) else Result.GOOD


def contains(*culprits: int) -> Callable[[frozenset[int]], bool]:
    return frozenset(culprits).issubset


def flat(groups: list[list[int]]) -> list[int]:
    return sorted(item for group in groups for item in group)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 64, 65, 100])
def test_a_single_culprit_costs_the_logarithm_and_one(count: int) -> None:
    for culprit in range(count):
        judge = Judge(contains(culprit))
        assert smallest_bad(range(count), judge) == [[culprit]]
        assert len(judge.asked) <= (count - 1).bit_length() + 1


@pytest.mark.parametrize("size", [2, 3, 5])
def test_every_combination_is_found_within_the_bound(size: int) -> None:
    count = 40 if size == 2 else 14 if size == 3 else 9
    for culprits in itertools.combinations(range(count), size):
        judge = Judge(contains(*culprits))
        assert flat(smallest_bad(range(count), judge)) == list(culprits)
        assert len(judge.asked) <= size * ((count - 1).bit_length() + 2)


def test_how_many_tests_may_follow_is_never_too_low() -> None:
    for culprit in range(50):
        judge = Judge(contains(culprit))
        smallest_bad(range(50), judge)
        assert all(n + left >= len(judge.asked) for n, left in judge.foretold)


def test_of_several_causes_one_is_found() -> None:
    judge = Judge(lambda s: {3, 17} <= s or {5} <= s)
    assert flat(smallest_bad(range(20), judge)) in ([3, 17], [5])


def test_where_more_is_not_worse_the_answer_is_still_minimal() -> None:
    """Bad sets that lie in no order: some contain good ones that contain bad ones."""
    rng = random.Random(6)
    count, unusual = 9, 0
    for _ in range(400):
        chance = rng.random()
        sets = [
            frozenset(c)
            for size in range(1, count)
            for c in itertools.combinations(range(count), size)
        ]
        bad = {s for s in sets if rng.random() < chance} | {frozenset(range(count))}
        judge = Judge(bad.__contains__)
        found = frozenset(flat(smallest_bad(range(count), judge)))
        assert found in bad
        assert not any(found - {item} in bad for item in found)
        unusual += len(found) > 1
    assert unusual > 50


def test_what_is_known_to_be_good_is_not_tested_again() -> None:
    judge = Judge(contains(30))
    assert smallest_bad(range(40), judge, good=25) == [[30]]
    assert not [s for s in judge.asked if max(s) < 25]
    # ... but is searched for what must come with a culprit
    judge = Judge(contains(4, 30))
    assert flat(smallest_bad(range(40), judge, good=25)) == [4, 30]


def lacks(*ranges: Collection[int]) -> Callable[[frozenset[int]], bool]:
    """Untestable: sets that have some but not all of a range."""
    return lambda s: any(0 < len(s & set(r)) < len(r) for r in ranges)


def test_untestable_sets_are_passed_by() -> None:
    """The middle cannot be tested, but there are other ways to the culprit."""
    judge = Judge(contains(11), lambda s: len(s) == 16)
    assert smallest_bad(range(32), judge) == [[11]]
    assert Result.UNTESTABLE in judge.asked.values()


def test_untestable_sets_may_lie_on_one_side_only() -> None:
    """20 needs 8 in order to be testable, and 8 is no culprit without it."""
    judge = Judge(contains(20), lambda s: 20 in s and 8 not in s)
    assert flat(smallest_bad(range(32), judge)) == [8, 20]


def test_what_cannot_be_told_apart_is_told_together() -> None:
    judge = Judge(contains(11), lacks(range(10, 13)))
    assert [sorted(g) for g in smallest_bad(range(32), judge)] == [[10, 11, 12]]


def test_a_culprit_that_cannot_be_tested_by_itself() -> None:
    judge = Judge(contains(7), lambda s: len(s) == 1)
    found = flat(smallest_bad(range(16), judge))
    assert 7 in found and len(found) == 2
