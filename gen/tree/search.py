# SPDX-License-Identifier: GPL-2.0-only
"""The smallest set of assignments that makes goals hold in a kernel tree.

Iterative deepening: first all sets of one assignment, then of two, and so on; the
first size at which goals hold is the minimum. At each step only those assignments
are tried of which every solution contains one (needs.py), and sets that were covered
by an earlier branch are left out. Whether a goal holds is always asked of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import ne
from typing import Any, Protocol

from gen.tree.model import Model
from gen.tree.needs import Assignment

# Steps, of which about three million take a minute on 2020s hardware
BUDGET = 40_000
# Sets of the smallest size that are compared with each other, and those of them for
# which the whole configuration is computed
_ENOUGH = 12
_CLOSE = 4


class Goal(Protocol):
    """A state of the configuration that is asked for."""

    def held(self, model: Model) -> bool:
        """Whether the present configuration is such."""

    def aim(self, model: Model) -> Assignment | None:
        """A symbol and the value that it is to have, as things stand; None if there
        is no such value."""


@dataclass(frozen=True)
class Exact:
    """A symbol has a value, written as in Model."""

    name: str
    value: str

    def held(self, model: Model) -> bool:
        return model.value(self.name) == self.value

    def aim(self, model: Model) -> Assignment | None:
        return (self.name, self.value) if model.defined(self.name) else None


@dataclass(frozen=True)
class Found:
    """Assignments that make all goals hold, to be applied in this order.

    `proved` says that no smaller set does.
    """

    assignments: list[Assignment]
    proved: bool


@dataclass(frozen=True)
class Impossible:
    """No assignments make the goals hold.

    `against` are kept goals, each needed for that: without any one of them it is
    possible, or not shown to be impossible. Empty if it is impossible in itself.
    """

    against: list[Goal] = field(default_factory=list)


@dataclass(frozen=True)
class GaveUp:
    """The budget was spent before anything was found or shown."""


Answer = Found | Impossible | GaveUp


class Search:
    """Searches from a model's present configuration and leaves that as it was."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._order = {name: place for place, name in enumerate(model.names())}

    def smallest(
        self,
        goals: Sequence[Goal],
        keep: Iterable[Goal] = (),
        pinned: frozenset[str] = frozenset(),
        prefer: frozenset[Assignment] = frozenset(),
        budget: int = BUDGET,
    ) -> Answer:
        """The smallest set of assignments with which all goals hold.

        Goals in `keep` that hold now still do so afterwards. `pinned` symbols are not
        assigned and keep their values. Of several smallest sets that with most
        assignments from `prefer` is taken, then the one that changes the fewest lines
        of .config, then the first by the order of the menus.

        `budget` limits the work, counted in symbols looked at, so that results do not
        depend on time. Where it does not suffice for several goals together, they are
        met one after the other, each with the same budget, and what proves to be
        superfluous is left out.
        """
        kept = [goal for goal in keep if goal.held(self._model)]
        task = _Task(goals, kept, pinned, prefer)
        answer = self._search(task, budget)
        if isinstance(answer, GaveUp) and len(goals) > 1:
            return self._one_by_one(task, budget)
        if isinstance(answer, Impossible):
            return Impossible(self._against(task, budget))
        return answer

    def _search(self, task: _Task, budget: int) -> Answer:
        descent = _Descent(self._model, task, budget)
        sets = descent.smallest()
        if sets is None:
            return GaveUp()
        if not sets:
            return Impossible()
        return Found(self._best(sets, task), True)

    # -- Sets of equal size -------------------------------------------------------

    def _best(self, sets: list[list[Assignment]], task: _Task) -> list[Assignment]:
        """The set to be preferred; each measure only decides where those before tie."""
        model = self._model
        asked = task.prefer.union(filter(None, (g.aim(model) for g in task.goals)))
        sets = _least(sets, lambda s: -len(asked.intersection(s)))
        if len(sets) == 1:
            return sets[0]
        # Whatever selects a symbol changes more than setting the symbol does. That
        # shows without looking at the whole configuration.
        names = sorted({name for s in sets for name, _ in s})

        def values() -> list[str | None]:
            return [model.value(name) for name in names]

        sets = _least(sets, self._changes(values))
        if len(sets) > 1:
            sets = _least(sets[:_CLOSE], self._changes(model.values))
        return min(sets, key=self._places)

    def _changes(
        self, values: Callable[[], list[Any]]
    ) -> Callable[[list[Assignment]], int]:
        """The number of values that assignments change."""
        before = values()

        def changed(assignments: list[Assignment]) -> int:
            with self._model.trial():
                _apply(self._model, assignments)
                return sum(map(ne, before, values()))

        return changed

    def _places(self, assignments: list[Assignment]) -> list[int]:
        return sorted(self._order[name] for name, _ in assignments)

    # -- When the budget is spent -------------------------------------------------

    def _one_by_one(self, task: _Task, budget: int) -> Answer:
        """Meet one goal after the other, without undoing those before."""
        found: list[Assignment] = []
        met: list[Goal] = []
        with self._model.trial():
            for goal in task.goals:
                step = replace(task, goals=[goal], keep=[*task.keep, *met])
                answer = self._search(step, budget)
                if not isinstance(answer, Found):
                    return GaveUp()
                _apply(self._model, answer.assignments)
                found += answer.assignments
                met.append(goal)
        return Found(self._needed(task, found), False)

    def _needed(self, task: _Task, found: list[Assignment]) -> list[Assignment]:
        """What is left when superfluous assignments are dropped."""
        for assignment in list(found):
            rest = [other for other in found if other != assignment]
            with self._model.trial():
                _apply(self._model, rest)
                if task.done(self._model):
                    found = rest
        return found

    # -- Why not ------------------------------------------------------------------

    def _against(self, task: _Task, budget: int) -> list[Goal]:
        """Kept goals that together exclude the goals."""
        against: list[Goal] = []
        while True:
            answer = self._search(replace(task, keep=against), budget)
            if isinstance(answer, GaveUp):
                return task.keep
            if isinstance(answer, Impossible):
                break
            with self._model.trial():
                _apply(self._model, answer.assignments)
                against.append(next(g for g in task.keep if not g.held(self._model)))
        for goal in list(against):
            rest = [other for other in against if other is not goal]
            answer = self._search(replace(task, keep=rest), budget)
            if isinstance(answer, Impossible):
                against = rest
        return against


@dataclass(frozen=True)
class _Task:
    """What a search is to achieve."""

    goals: Sequence[Goal]
    keep: list[Goal]
    pinned: frozenset[str]
    prefer: frozenset[Assignment]

    def done(self, model: Model) -> bool:
        return all(goal.held(model) for goal in (*self.goals, *self.keep))


class _Spent(Exception):
    """The budget is used up."""


class _Enough(Exception):
    """There are as many solutions as are worth comparing."""


class _Descent:
    """A search for all smallest sets, by iterative deepening."""

    def __init__(self, model: Model, task: _Task, budget: int) -> None:
        self._model = model
        self._goals = task.goals
        self._keep = list(task.keep)
        self._prefer = task.prefer
        self._budget = budget
        aims = [goal.aim(model) for goal in (*task.goals, *task.keep)]
        self._needs = model.needs(task.pinned, [aim for aim in aims if aim])
        self._path: list[Assignment] = []
        self._banned: set[Assignment] = set()
        self._sets: list[list[Assignment]] = []
        self._deeper = False  # whether a larger set might do

    def smallest(self) -> list[list[Assignment]] | None:
        """All sets of the smallest size, or many of them; [] if there are none.

        None if the budget does not suffice to find out.
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
        return self._sets

    def _descend(self, left: int) -> None:
        """Try all sets of up to `left` more assignments."""
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
        for way in self._ways(failing, left):
            self._path.append(way)
            with self._model.trial():
                self._model.assign(*way)
                self._descend(left - 1)
            self._path.pop()
            # Whatever contains it has been looked at.
            self._banned.add(way)
            tried.append(way)
        self._banned.difference_update(tried)

    def _ways(self, failing: list[Goal], left: int) -> list[Assignment]:
        aims = [aim for goal in failing if (aim := goal.aim(self._model))]
        if len(aims) < len(failing):
            return []
        names = [name for name, _ in self._path]
        self._needs.cut = False
        need = self._needs.of(aims, left, names, frozenset(self._banned))
        self._deeper |= self._needs.cut
        if self._needs.looked_at > self._budget:
            raise _Spent
        return sorted(need.ways, key=self._is_worse) if need else []

    def _is_worse(self, way: Assignment) -> bool:
        return way not in self._prefer


def _apply(model: Model, assignments: list[Assignment]) -> None:
    for name, value in assignments:
        model.assign(name, value)


def _least(
    sets: list[list[Assignment]], measure: Callable[[list[Assignment]], int]
) -> list[list[Assignment]]:
    measures = list(map(measure, sets))
    return [s for s, m in zip(sets, measures) if m == min(measures)]
