# SPDX-License-Identifier: GPL-2.0-only
"""Finds all smallest sets of assignments that make goals hold.

Iterative deepening: first all sets of one assignment, then of two, and so on; the
first size at which goals hold is the minimum. At each step only those assignments
are tried of which every solution contains one (needs.py), and what was covered by an
earlier branch is left out. Whether a goal holds is always asked of the model.
"""

from __future__ import annotations

from gen.tree.search.goals import Goal, Task
from gen.tree.model import Model
from gen.tree.search.needs import Assignment

# Sets of the smallest size that are worth comparing with each other
_ENOUGH = 8
# How many assignments to try for when any set will do
_DEEPEST = 12
# A set that is tried costs as much as so many symbols that are looked at
_STEP = 10


class Descent:
    """One search, from the model's present configuration, which it leaves as it was."""

    def __init__(self, model: Model, task: Task, budget: int) -> None:
        """budget: how many symbols may be looked at."""
        self._model = model
        self._goals = task.goals
        self._keep = list(task.keep)
        self._prefer = task.prefer
        self._budget = budget
        goals = (*task.goals, *task.keep)
        self._aims = {aim: goal for goal in goals if (aim := goal.aim(model))}
        self._needs = model.needs(task.pinned, self._aims)
        self._path: list[Assignment] = []
        # To go without modules makes y of every m: that is no way to get one of them.
        self._banned = {(model.modules() or "", "n")}.difference(self._aims)
        self._sets: list[list[Assignment]] = []
        self._steps = 0
        self._deeper = False  # whether a larger set might do
        self.blind = False  # whether a goal had no value to strive for

    def smallest(self) -> list[list[Assignment]] | None:
        """All sets of the smallest size, or many of them; [] if there are none.

        None if the budget does not suffice to find out, or a goal has no aim.
        """
        size = 0
        try:
            while not self._sets:
                self._deeper = False
                self._descend(size)
                if not self._deeper:
                    break
                size += 1
        except _Enough:
            pass
        except _Spent:
            return self._sets or None
        return self._sets or (None if self.blind else [])

    def any(self) -> list[Assignment] | None:
        """Some set, not much larger than needed; None if the budget is spent first."""
        try:
            self._descend(_DEEPEST)
        except (_Enough, _Spent):
            pass
        return min(self._sets, key=len) if self._sets else None

    def _descend(self, left: int) -> None:
        """Try all sets of up to `left` more assignments."""
        self._steps += _STEP
        failing = self._failing()
        if not failing:
            self._sets.append(list(self._path))
            if len(self._sets) == _ENOUGH:
                raise _Enough
        elif left:
            self._branch(failing, left)
        else:
            self._deeper = True

    def _failing(self) -> list[Goal]:
        """Goals that do not hold, or else one of those to keep."""
        failing = [goal for goal in self._goals if not goal.held(self._model)]
        if failing:
            return failing
        for place, goal in enumerate(self._keep):
            if not goal.held(self._model):
                # The one that fails now is likely to fail the next time.
                self._keep.insert(0, self._keep.pop(place))
                return [goal]
        return []

    def _branch(self, failing: list[Goal], left: int) -> None:
        tried = []
        settled = set()
        for way in self._ways(failing, left):
            if way[0] not in settled:
                before = len(self._sets)
                self._path.append(way)
                with self._model.trial():
                    self._model.assign(*way)
                    self._descend(left - 1)
                self._path.pop()
                if len(self._sets) > before:
                    # Other values of the symbol, m for y, would do as well at best.
                    settled.add(way[0])
            # Whatever contains it has been looked at.
            self._banned.add(way)
            tried.append(way)
        self._banned.difference_update(tried)

    def _ways(self, failing: list[Goal], left: int) -> list[Assignment]:
        aims = [aim for goal in failing if (aim := goal.aim(self._model))]
        if not aims:
            self.blind = True
        if not aims or any(map(self._is_excluded, aims)):
            return []
        names = [name for name, _ in self._path]
        self._needs.cut = False
        need = self._needs.of(aims, left, names, frozenset(self._banned))
        self._deeper |= self._needs.cut
        if self._needs.looked_at + self._steps > self._budget:
            raise _Spent
        return sorted(need.ways, key=self._is_other) if need else []

    def _is_other(self, way: Assignment) -> bool:
        return way not in self._prefer

    # -- Contradictions -----------------------------------------------------------

    def _is_excluded(self, aim: Assignment) -> bool:
        """Whether getting this value takes the value from another goal.

        That is so for the same symbol and for another member of the same choice. It
        would take a very long time to try all that might move a selection.
        """
        name, value = aim
        model = self._model
        if not model.admits(name, value):
            return False  # what it has without being set
        rivals = [(rival, "y") for rival in model.rivals(name) if value == "y"]
        for other in (*rivals, *((n, v) for n, v in self._aims if n == name)):
            goal = self._aims.get(other)
            if goal is None or other == aim or not goal.held(model):
                continue
            with model.trial():
                model.assign(*aim)
                if model.value(name) == value and not goal.held(model):
                    return True
        return False


class _Spent(Exception):
    """The budget is used up."""


class _Enough(Exception):
    """There are as many solutions as are worth comparing."""
