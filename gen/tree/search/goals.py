# SPDX-License-Identifier: GPL-2.0-only
"""What a search for assignments is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gen.tree.model import Model
from gen.tree.search.needs import Assignment


class Goal(Protocol):
    """A state of the configuration that is asked for."""

    def held(self, model: Model) -> bool:
        """Whether the present configuration is such."""

    def aim(self, model: Model) -> Assignment | None:
        """A symbol and the value that it is to have, as things stand; None if there
        is no such value.

        A search tries whatever helps the symbol to this value. So what it says of the
        smallest set, or of impossibility, is as good as the aim is: where a goal can
        hold without its aim, such a state may be missed.
        """


@dataclass(frozen=True)
class Exact:
    """A symbol has a value, written as in Model."""

    name: str
    value: str

    def held(self, model: Model) -> bool:
        return model.value(self.name) == self.value

    def aim(self, model: Model) -> Assignment | None:
        return (self.name, self.value) if model.defined(self.name) else None

    def __str__(self) -> str:
        return f"CONFIG_{self.name}={self.value}"


@dataclass(frozen=True)
class Task:
    """Goals to reach, goals not to lose, and what may or should be used for it.

    Goals to spare are only lost where no other set is as small.
    """

    goals: Sequence[Goal]
    keep: Sequence[Goal]
    pinned: frozenset[str]
    prefer: frozenset[Assignment]
    spare: Sequence[Goal] = ()

    def done(self, model: Model) -> bool:
        return all(goal.held(model) for goal in (*self.goals, *self.keep))


def apply(model: Model, assignments: Iterable[Assignment]) -> None:
    """Make assignments, in their order."""
    for name, value in assignments:
        model.assign(name, value)
