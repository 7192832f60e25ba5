# SPDX-License-Identifier: GPL-2.0-only
"""What a change of some symbols takes away or adds elsewhere, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gen.clauses import clause_text
from gen.tree.model import Model


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

    `asked` are symbols that need no mention; the model is in the state of `after`.
    """
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old != new and name not in asked:
            reason, where = _why(model, name, old, new)
            yield Change(name, model.has_prompt(name), old, new, reason, where)


def _why(model: Model, name: str, old: str | None, new: str | None) -> tuple[str, str]:
    """What keeps the symbol from the value that it had, or gave it the new one."""
    if old is None or not model.type(name):
        clauses = [c for c in model.unmet(name, "n") if c.kind == "select"]
        otherwise = "its default, now that it can be set"
    else:
        gone = old == "n" and new is None
        clauses = model.unmet(name, "y" if gone else old)
        otherwise = "follows others"
    if not clauses:
        return otherwise, ""
    return "; ".join(map(clause_text, clauses)), str(clauses[0].place)
