# SPDX-License-Identifier: GPL-2.0-only
"""Finds a smallest set of items that is bad, with few tests.

The items stand in a row.  Halving finds the shortest bad start of the row; its last
item is a culprit.  If the culprits found so far are not bad by themselves, the next one
is among the items before.  This is what QuickXplain and delta debugging come to where
sets that contain a bad set are bad.  Where they are not, the answer is still bad, and
good without any one of its members (1-minimal, as delta debugging calls it).

A single culprit among n costs at most ceil(log2(n)) + 1 tests, k of them at most
k * (ceil(log2(n)) + 2), and whatever sets cannot be tested.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Result(enum.Enum):
    """What a test says of a set."""

    GOOD = "good"
    BAD = "bad"
    UNTESTABLE = "untestable"


#: Tests a set.  The number says how many tests there may be, this one included, until
#: the next culprit is known.
Test = Callable[[Sequence[Item], int], Result]


def smallest_bad(
    row: Sequence[Item], test: Test[Item], good: int = 0
) -> list[list[Item]]:
    """The culprits in a row that is bad as a whole, while its first `good` items are
    known to be good together.

    Each culprit is a list of one item, or of those among which untestable sets left
    no choice.
    """
    found: list[list[Item]] = []
    rest = list(row)
    while True:
        low, high = _halved(found, rest, test, 0 if found else good)
        if high - low > 1:
            # Untestable sets lie between; from the other end there are others
            rest[low:high] = reversed(rest[low:high])
            low, high = _halved(found, rest[:high], test, low)
        found.append(rest[low:high])
        rest = rest[:low]
        if not rest or test(_all(found), 1) is Result.BAD:
            return _needed(found, test)


def _halved(
    found: list[list[Item]], rest: list[Item], test: Test[Item], low: int
) -> tuple[int, int]:
    """Where the next culprit stands: rest[:low] beside what is found is not bad,
    rest[:high] is.  `low` is what is known to begin with."""
    high = len(rest)
    untestable: set[int] = set()
    while True:
        between = [i for i in range(low + 1, high) if i not in untestable]
        if not between:
            return low, high
        middle = min(between, key=lambda i: abs(2 * i - low - high))
        # the confirmation follows
        left = (high - low - 1).bit_length() + 1
        result = test([*_all(found), *rest[:middle]], left)
        if result is Result.BAD:
            high = middle
        elif result is Result.GOOD:
            low = middle
        else:
            untestable.add(middle)


def _needed(found: list[list[Item]], test: Test[Item]) -> list[list[Item]]:
    """What is left when culprits are dropped without which the others are bad."""
    for culprit in found if len(found) > 1 else ():
        others = [c for c in found if c is not culprit]
        if test(_all(others), len(found)) is Result.BAD:
            return _needed(others, test)
    return found


def _all(culprits: list[list[Item]]) -> list[Item]:
    return [item for culprit in culprits for item in culprit]
