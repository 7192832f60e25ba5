# SPDX-License-Identifier: GPL-2.0-only
"""What a change of some symbols takes away or adds elsewhere, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gen.clauses import clause_text
from gen.tree.model import Clause, Model
from gen.tree.reasons.reasons import names

OFF = (None, "n", "")


@dataclass(frozen=True)
class Change:
    """A symbol that nobody asked about and that has another value now.

    Values as in a .config; None where it has no line in it.  `own` is false for
    symbols without a prompt, which only follow others.  `where` is file:line in the
    tree, empty if no line there is to blame.
    """

    name: str
    own: bool
    before: str | None
    after: str | None
    reason: str
    where: str

    @property
    def has_effect(self) -> bool:
        """Whether more changes than that n can be chosen now, or no longer."""
        return self.before not in OFF or self.after not in OFF

    @property
    def weight(self) -> int:
        """0 for what is taken away, 1 for what becomes different, 2 for what is new."""
        if self.after in OFF:
            return 0
        return 1 if self.before not in OFF else 2

    def __str__(self) -> str:
        return f"{self.before or '-'} -> {self.after or '-'}"


def changes(
    before: Mapping[str, str],
    after: Mapping[str, str],
    asked: Collection[str],
    model: Model,
) -> Iterator[Change]:
    """What differs between two configs (symbol -> plain value), by name.

    `asked` are symbols that were to change and need no mention; the model is in the
    state of `after`.
    """
    moved = {name for name in asked if before.get(name) != after.get(name)}
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new or name in asked:
            continue
        clauses = _clauses(model, name, old, new)
        reason = "; ".join(map(clause_text, clauses)) or _without_clause(old)
        if old and old != "n" and new in OFF:
            told = {direct for clause in clauses for direct in clause.failing}
            reason += _roots(model, name, old, moved - told)
        where = str(clauses[0].place) if clauses else ""
        yield Change(name, model.has_prompt(name), old, new, reason, where)


def _clauses(model: Model, name: str, old: str | None, new: str | None) -> list[Clause]:
    """What keeps the symbol from the value that it had, or gave it the new one."""
    if old is None or not model.type(name):
        return [c for c in model.unmet(name, "n") if c.kind == "select"]
    gone = old == "n" and new is None
    return model.unmet(name, "y" if gone else old)


def _without_clause(old: str | None) -> str:
    return "its default, now that it can be set" if old is None else "follows others"


def _roots(model: Model, name: str, old: str, moved: Collection[str]) -> str:
    """Which of the changes that were asked for a loss goes back to."""
    found = dict.fromkeys(n for n in names(model.why(name, old)) if n in moved)
    values = (f"{root}={model.value(root)}" for root in found)
    return f"; goes back to {', '.join(values)}" if found else ""
