# SPDX-License-Identifier: GPL-2.0-only
"""The smallest set of assignments that makes goals hold in a kernel tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import ne
from typing import Any

from gen.tree.search.descent import Descent
from gen.tree.search.goals import Exact, Goal, Task, apply
from gen.tree.model import Model
from gen.tree.search.needs import Assignment

__all__ = ["Answer", "Exact", "Found", "GaveUp", "Goal", "Impossible", "Search"]

# Symbols to look at: one goal takes at most about a second
BUDGET = 20_000
# How many sets of equal size are compared by all that they change
_CLOSE = 3
# How many are compared by what they would undo
_SPARING = 12


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

    `against` are kept goals that exclude them, none of which could be left out as far
    as the budget goes to tell. Empty if the goals are impossible in themselves.
    """

    against: list[Goal] = field(default_factory=list)


@dataclass(frozen=True)
class GaveUp:
    """The budget was spent before anything was found or shown.

    `against` are kept goals that a smallest set would undo if it were allowed to.
    """

    against: list[Goal] = field(default_factory=list)


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
        spare: Iterable[Goal] = (),
        budget: int = BUDGET,
    ) -> Answer:
        """The smallest set of assignments with which all goals hold.

        Goals in `keep` that hold now still do so afterwards; `pinned` symbols are not
        assigned. Of several smallest sets, that with most assignments from `prefer`
        and of the goals' own is taken, then that which undoes the fewest goals in
        `spare`, then the one that changes the fewest symbols, then the first by the
        order of the menus. Loadable modules are only turned off where that is a goal,
        or nothing else does.

        `budget` limits the work, counted in symbols looked at, so that results do not
        depend on time. Where it does not suffice, goals are met one after the other,
        each with the same budget, if need be with any set that does, from which
        superfluous assignments are dropped.
        """
        if any(map(self._is_hopeless, goals)):
            return Impossible()
        kept = [goal for goal in keep if goal.held(self._model)]
        spared = [goal for goal in spare if goal.held(self._model)]
        task = Task(goals, kept, pinned, prefer, spared)
        answer = self._exact(task, budget)
        if isinstance(answer, GaveUp):
            answer = self._one_by_one(task, budget)
        if isinstance(answer, GaveUp) and kept:
            return GaveUp(self._undone(task, budget))
        if isinstance(answer, Impossible):
            return self._against(task, budget)
        return answer

    def _is_hopeless(self, goal: Goal) -> bool:
        """Whether it is proved that no configuration gives the wanted value."""
        if isinstance(goal, Exact) and not self._model.defined(goal.name):
            return True
        aim = goal.aim(self._model)
        if aim is None or goal.held(self._model):
            return False
        return bool(self._model.proof(*aim))

    def _exact(self, task: Task, budget: int) -> Answer:
        answer = self._with_modules(task, budget)
        modules = self._model.modules()
        if not isinstance(answer, Impossible) or not modules or modules in task.pinned:
            return answer
        before = self._model.value(modules)
        with self._model.trial():
            self._model.assign(modules, "n")
            if self._model.value(modules) == before:
                return answer
            task = replace(task, pinned=task.pinned | {modules})
            answer = self._with_modules(task, budget)
        if isinstance(answer, Found):
            return Found([(modules, "n"), *answer.assignments], answer.proved)
        return answer

    def _with_modules(self, task: Task, budget: int) -> Answer:
        descent = Descent(self._model, task, budget)
        sets = descent.smallest()
        if sets is None:
            return GaveUp()
        if not sets:
            goals = (*task.goals, *task.keep)
            return GaveUp() if any(map(self._follows, goals)) else Impossible()
        return Found(self._best(sets, task), not descent.blind)

    def _follows(self, goal: Goal) -> bool:
        """Whether it is about a number or string that only copies another symbol's.

        Not all that this one may be set to is tried, so exhaustion shows nothing.
        """
        aim = goal.aim(self._model)
        return aim is not None and self._model.copies(aim[0])

    # -- Sets of equal size -------------------------------------------------------

    def _best(self, sets: list[list[Assignment]], task: Task) -> list[Assignment]:
        """The set to be preferred; each measure only decides where those before tie."""
        model = self._model
        asked = task.prefer.union(filter(None, (g.aim(model) for g in task.goals)))
        sets = _least(sets, lambda s: -len(asked.intersection(s)))
        sets = _least(sets, lambda s: sum(map(self._unselects, s)))
        if len(sets) == 1:
            return sets[0]
        # Whatever selects a symbol changes more than setting the symbol does. That
        # shows without looking at the whole configuration.
        names = sorted({name for s in sets for name, _ in s})
        changes = self._changes(lambda: list(map(model.value, names)))
        if task.spare:
            sets = sorted(sets, key=changes)[:_SPARING]
            sets = _least(
                sets, self._changes(lambda: [g.held(model) for g in task.spare])
            )
        sets = _least(sets, changes)
        if len(sets) > 1:
            sets = _least(sets[:_CLOSE], self._changes(model.values))
        return min(sets, key=self._places)

    def _changes(
        self, values: Callable[[], list[Any]]
    ) -> Callable[[list[Assignment]], int]:
        """Counts the values that assignments change."""
        before = values()

        def changed(assignments: list[Assignment]) -> int:
            with self._model.trial():
                apply(self._model, assignments)
                return sum(map(ne, before, values()))

        return changed

    def _unselects(self, assignment: Assignment) -> bool:
        """Whether it turns off a member of a choice.

        What is selected then depends on the place of the line in the .config.
        """
        name, value = assignment
        return value == "n" and bool(self._model.rivals(name))

    def _places(self, assignments: list[Assignment]) -> list[int]:
        return sorted(self._order[name] for name, _ in assignments)

    # -- When the budget is spent -------------------------------------------------

    def _one_by_one(self, task: Task, budget: int) -> Answer:
        """Meet one goal after the other, without undoing those before."""
        found: list[Assignment] = []
        met: list[Goal] = []
        with self._model.trial():
            for goal in task.goals:
                step = replace(task, goals=[goal], keep=[*task.keep, *met])
                assignments = self._some(step, budget, exact=len(task.goals) > 1)
                if assignments is None:
                    return GaveUp()
                apply(self._model, assignments)
                found += assignments
                met.append(goal)
        return Found(self._needed(task, found), False)

    def _some(self, task: Task, budget: int, exact: bool) -> list[Assignment] | None:
        if exact:
            answer = self._exact(task, budget)
            if not isinstance(answer, GaveUp):
                return answer.assignments if isinstance(answer, Found) else None
        return Descent(self._model, task, budget).any()

    def _needed(self, task: Task, found: list[Assignment]) -> list[Assignment]:
        """What is left when superfluous assignments are dropped."""
        for assignment in list(found):
            rest = [other for other in found if other != assignment]
            with self._model.trial():
                apply(self._model, rest)
                if task.done(self._model):
                    found = rest
        return found

    # -- Why not ------------------------------------------------------------------

    def _against(self, task: Task, budget: int) -> Answer:
        """What kept goals exclude the goals, if there is no set that keeps all.

        Starts from none and adds what a solution breaks until there is no solution.
        """
        against: list[Goal] = []
        while True:
            answer = self._exact(replace(task, keep=against), budget)
            if isinstance(answer, Impossible):
                break
            if isinstance(answer, GaveUp):
                return answer
            with self._model.trial():
                apply(self._model, answer.assignments)
                undone = [g for g in task.keep if not g.held(self._model)]
            if not undone:
                return GaveUp()  # it was passed over in the first place
            against.append(undone[0])
        for goal in list(against) if len(against) > 1 else ():
            rest = [other for other in against if other is not goal]
            answer = self._exact(replace(task, keep=rest), budget)
            if isinstance(answer, Impossible):
                against = rest
        return Impossible(against)

    def _undone(self, task: Task, budget: int) -> list[Goal]:
        """Kept goals that a set would undo that need not keep any."""
        answer = self._exact(replace(task, keep=[]), budget)
        if not isinstance(answer, Found):
            return []
        with self._model.trial():
            apply(self._model, answer.assignments)
            return [goal for goal in task.keep if not goal.held(self._model)]


def _least(
    sets: list[list[Assignment]], measure: Callable[[list[Assignment]], int]
) -> list[list[Assignment]]:
    measures = list(map(measure, sets))
    return [s for s, m in zip(sets, measures) if m == min(measures)]
