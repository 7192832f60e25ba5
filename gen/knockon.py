# SPDX-License-Identifier: GPL-2.0-only
"""What a change of some symbols takes away or adds elsewhere, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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

    @property
    def facts(self) -> dict[str, str | None]:
        """As it stands in JSON."""
        return {
            "setting": f"CONFIG_{self.name}",
            "before": self.before,
            "after": self.after,
            "reason": self.reason,
            "where": self.where,
        }

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
    differing = {
        name
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    moved = differing.intersection(asked)
    for name in sorted(differing - moved):
        old, new = before.get(name), after.get(name)
        if old and old != "n" and new in OFF:
            reason, where = _loss(model, name, old, differing, moved)
        else:
            clauses = _clauses(model, name, old, new)
            reason = "; ".join(map(clause_text, clauses)) or _without_clause(old)
            where = _where(clauses)
        yield Change(name, model.has_prompt(name), old, new, reason, where)


def _loss(
    model: Model, name: str, old: str, differing: set[str], moved: set[str]
) -> tuple[str, str]:
    """Why a symbol that was on is off: the way that it had and what has closed it.

    Told, too, is which of the changes that were asked for it goes back to.
    """
    why = model.why(name, old)
    for way in why.ways if why else ():
        closed = [c for c in way.clauses if differing.intersection(names(c.need))]
        if closed and way.by not in ("select", "imply"):
            break
    else:
        gone = [(n, place) for n, place in model.selectors(name) if n in differing]
        if gone:
            by = ", ".join(n for n, _ in gone)
            return f"no longer selected by {by}", str(gone[0][1])
        closed = model.unmet(name, old)
    reason = "; ".join(map(clause_text, closed)) or "nothing asks for it any more"
    told = {direct for clause in closed for direct in clause.failing}
    needs = (root for clause in closed for root in names(clause.need))
    roots = dict.fromkeys(root for root in needs if root in moved - told)
    if roots:
        values = ", ".join(f"{root}={model.value(root)}" for root in roots)
        reason += f"; goes back to {values}"
    return reason, _where(closed)


def _where(clauses: list[Clause]) -> str:
    return str(clauses[0].place) if clauses else ""


def _clauses(model: Model, name: str, old: str | None, new: str | None) -> list[Clause]:
    """What keeps the symbol from the value that it had, or gave it the new one."""
    if old is None or not model.type(name):
        return [c for c in model.unmet(name, "n") if c.kind == "select"]
    gone = old == "n" and new is None
    return model.unmet(name, "y" if gone else old)


def _without_clause(old: str | None) -> str:
    return "its default, now that it can be set" if old is None else "follows others"


# -- For people ---------------------------------------------------------------------

_ALIKE = 3  # options with the same change for the same reason that get a line each


def rows(found: Iterable[Change]) -> list[tuple[str, str, str]]:
    """Name, change and reason of options that people can set and that do something.

    What is taken away comes first.  Many that change alike share a row.
    """
    alike: dict[tuple[int, str, str], list[str]] = {}
    for change in found:
        if change.own and change.has_effect:
            notes = change.reason + (f" ({change.where})" if change.where else "")
            key = (change.weight, str(change), notes)
            alike.setdefault(key, []).append(change.name)
    lines = []
    for (weight, text, notes), names_ in alike.items():
        if len(names_) <= _ALIKE:
            lines += [(weight, name, text, notes) for name in names_]
        else:
            some = ", ".join(names_[:_ALIKE])
            count = f"{len(names_)} options"
            lines.append((weight, count, text, f"{notes}: {some}, ..."))
    lines.sort(key=lambda line: line[:2])
    return [line[1:] for line in lines]
