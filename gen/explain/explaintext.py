# SPDX-License-Identifier: GPL-2.0-only
"""Explanations for people: what is in the way, line by line, and what it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gen.advice import advice, version_advice
from gen import dotconfig
from gen.explain.explain import Answer, Change, Explanation, Outcome
from gen.knockon import rows
from gen.tree.elsewhere import (
    architecture_of,
    other_architecture,
    selected_elsewhere,
)
from gen.tree.reasons.reasons import All, Clause, Fixed, Need, OneOf, State, Why

_WIDEST = 56  # columns for places and statements
_EFFECTS = 40  # in the text; JSON has all of them
_HEADINGS = {
    "prompt": "to set it:",
    "default": "to have it by default:",
    "select": "or if it were selected:",
    "imply": "or if it were implied:",
}
_UNMOVED = {
    "range": "no setting moves this bound",
    "choice": "there is no other member to select",
}
_SETTLED = {
    Outcome.HELD: "is so already",
    Outcome.UNDEFINED: "cannot be set here",
    Outcome.UNFIT: "is no value for it",
}


@dataclass(frozen=True)
class _Row:
    """A place and statement, and beside it what is the matter with that."""

    indent: int
    left: str
    note: str


def as_text(answer: Answer) -> str:
    """All explanations, a blank line between two."""
    blocks = ["\n".join(_block(answer, e)) + "\n" for e in answer.explanations]
    return "\n".join(blocks)


def _block(answer: Answer, item: Explanation) -> Iterator[str]:
    title = str(item.asked)
    if item.outcome in _SETTLED:
        yield f"{title} {_SETTLED[item.outcome]}"
        yield from _notes(item)
        return
    got = _value(answer, item.setting.name, item.got or "")
    free = item.why and item.why.state is State.SETTABLE
    yield f"{title} {'is not set' if free else 'did not take'}: {got}"
    yield from _notes(item)
    if item.why:
        yield from _aligned(_Rows(answer).top(item.why))
    yield from _what_it_takes(answer, item)


def _notes(item: Explanation) -> Iterator[str]:
    name = item.asked.name
    for note in item.notes:
        where = f"  ({note.place})" if note.place else ""
        yield f"  {name} {note.text}{where}"
        name = note.instead or name


def _value(answer: Answer, name: str, value: str) -> str:
    return dotconfig.written(value, answer.model.type(name) == "string")


# -- What it takes ------------------------------------------------------------------


def _what_it_takes(answer: Answer, item: Explanation) -> Iterator[str]:
    if item.change:
        yield from _change(answer, item.change)
    elif item.outcome is Outcome.UNKNOWN:
        yield "smallest change that gets it:  not found; the search gave up, which says"
        yield "                               nothing about whether there is one"
    else:
        target = answer.target
        how = "" if item.proof else " every way to get it was tried"
        yield f"cannot be had on {target.architecture} with {target.compiler}:{how}"
        for step in item.proof:
            yield f"  {'  ' * step.depth}{step.place} {step.text}"


def _change(answer: Answer, change: Change) -> Iterator[str]:
    assigned = [f"CONFIG_{n}={_value(answer, n, v)}" for n, v in change.assignments]
    title = "smallest change that gets it:  "
    if not change.proved:
        yield "a change that gets it (not proved to be the smallest):"
        title = " " * len(title)
    for line in assigned:
        yield title + line
        title = " " * len(title)
    count = len(change.effects)
    cost = (
        f"{count} other option{'s' if count > 1 else ''} change{'s' * (count == 1)}"
        if count
        else "nothing else changes"
    )
    check = (
        "(verified with this tree's own conf)"
        if change.verified
        else "(but this tree's own conf does NOT confirm that it gets it)"
    )
    yield f"it costs you:                  {cost:26}  {check}"
    for wish in change.gives_up:
        yield f"  gives up {wish}"
    lines = rows(change.effects)
    moves = [f"{name}  {move}" for name, move, _ in lines[:_EFFECTS]]
    width = max(map(len, moves), default=0)
    for move, (_, _, reason) in zip(moves, lines):
        yield f"  {move:{width}}  {reason}"
    if len(lines) > _EFFECTS:
        yield f"  ... and {len(lines) - _EFFECTS} more such lines (--json has all)"


# -- What is in the way -------------------------------------------------------------


def _aligned(rows: Iterable[_Row]) -> Iterator[str]:
    lines = [("  " * row.indent + row.left, row) for row in rows]
    widths = [len(left) for left, row in lines if row.note]
    column = max((n for n in widths if n <= _WIDEST), default=0) + 2
    for left, row in lines:
        if row.note and len(left) + 2 <= column:
            yield f"{left:{column}}{row.note}"
        else:
            yield left
            if row.note:
                yield "  " * (row.indent + 2) + row.note


class _Rows:
    """The rows of one explanation.  What a symbol needs is told once."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._told: set[tuple[str, str]] = set()

    def top(self, why: Why) -> Iterator[_Row]:
        if why.state is State.BLOCKED:
            if not why.has_prompt:
                yield _Row(1, f"it has no prompt ({why.place}), so others decide", "")
            yield from self._ways(why, 1)
        elif why.state is State.SETTABLE:
            free = "it only has to be set" if why.ways else "nothing stands in its way"
            yield _Row(1, f"{free} ({self._prompt(why)})", "")
            yield from self._ways(why, 1)
        else:
            yield _Row(1, f"{why.place}", self._symbol(why))

    def _ways(self, why: Why, indent: int) -> Iterator[_Row]:
        several = len({way.by for way in why.ways}) > 1
        last = ""
        for way in why.ways:
            if several and way.by != last:
                yield _Row(indent, _HEADINGS[way.by], "")
            elif way.by == last and len(way.clauses) > 1:
                yield _Row(indent, "or", "")
            last = way.by
            news = [clause for clause in way.clauses if not self._is_known(clause)]
            for clause in news or way.clauses:
                if clause.comes_next:
                    yield _Row(indent + several, "and once that is so:", "")
                yield from self._clause(clause, indent + several)
        if why.more:
            yield _Row(indent, f"or by {why.more} more that select or imply it", "")

    def _is_known(self, clause: Clause) -> bool:
        """Whether it says nothing that has not been told."""
        need = clause.need
        return isinstance(need, Why) and not need.ways and need.key in self._told

    def _clause(self, clause: Clause, indent: int) -> Iterator[_Row]:
        left = f"{clause.place} {_statement(clause)}"
        need = clause.need
        if isinstance(need, All):
            yield _Row(indent, left, "")
            yield from self._parts(need.parts, indent + 1)
        elif isinstance(need, OneOf):
            yield _Row(indent, left, "")
            yield from self._alternatives(need.parts, indent + 1)
        elif isinstance(need, Why):
            yield _Row(indent, left, self._symbol(need))
            yield from self._below(need, indent + 1)
        else:
            yield _Row(indent, left, self._without_way(clause))

    def _without_way(self, clause: Clause) -> str:
        """For a clause of which no symbol is to blame."""
        if isinstance(clause.need, Fixed):
            return _UNMOVED.get(clause.kind) or self._fixed(clause.need)
        # The selected member of a choice, which gives way when another is set
        return f"{', '.join(clause.failing)}=y in this choice"

    def _parts(self, parts: Iterable[Need], indent: int) -> Iterator[_Row]:
        """Each part on rows of its own."""
        for part in parts:
            if isinstance(part, Why):
                yield _Row(indent, self._symbol(part), "")
                yield from self._below(part, indent + 1)
            elif isinstance(part, Fixed):
                yield _Row(indent, part.text, self._fixed(part))
            elif isinstance(part, All):
                yield from self._parts(part.parts, indent)
            else:
                yield from self._alternatives(part.parts, indent)

    def _alternatives(self, parts: Sequence[Need], indent: int) -> Iterator[_Row]:
        """Where one can be had at once, the others are only named."""
        easy = [part for part in parts if _is_settable(part)]
        shown = easy or parts
        for part in shown:
            word = "or " if part is not shown[0] else ""
            for each in part.parts if isinstance(part, All) else [part]:
                first, *others = self._parts([each], indent)
                yield _Row(indent, word + first.left, first.note)
                yield from others
                word = "with "
        told = set(map(_name, shown))
        rest = [n for n in dict.fromkeys(map(_name, parts)) if n not in told]
        if rest:
            yield _Row(indent, f"or {', '.join(rest)}, which would need more", "")

    def _below(self, why: Why, indent: int) -> Iterator[_Row]:
        if why.key not in self._told:
            self._told.add(why.key)
            yield from self._ways(why, indent)

    # -- One symbol ---------------------------------------------------------------

    def _symbol(self, why: Why) -> str:
        text = f"{why.name}={_shown(why.value)}"
        if why.state is State.UNDEFINED:
            return f"{why.name} is not defined{self._other(why.name)}"
        if why.state is State.TOOL:
            return f"{text}: {version_advice(why.tool, why.wanted, why.value)}"
        if why.value in ("m",) or why.wanted not in ("y", "n"):
            text += f", {why.wanted} needed"
        if why.key in self._told:
            return f"{text} (see above)"
        if why.state is State.SETTABLE:
            return f"{text} ({self._prompt(why)})"
        if why.state is State.NOTHING:
            return f"{text} ({why.place}): {self._nothing(why)}"
        if why.state is State.CUT:
            return f"{text} ({why.place}), and so on"
        return text

    def _prompt(self, why: Why) -> str:
        default = self._answer.model.default(why.name)
        shown = "" if default is None else f", default {_shown(default)}"
        return f"prompt at {why.place}{shown}"

    def _nothing(self, why: Why) -> str:
        if why.wanted == "n":
            return "nothing turns it off"
        architectures = selected_elsewhere(self._answer.tree, why.name)
        others = f"; selected for {', '.join(architectures)}" if architectures else ""
        return f"nothing gives it that value{others}"

    def _other(self, name: str) -> str:
        place = other_architecture(self._answer.tree, name)
        arch = architecture_of(place) if place else None
        return f" here; it is {arch}'s ({place})" if arch else ""

    def _fixed(self, need: Fixed) -> str:
        if "$(" not in need.text:
            return f"always {need.text}"
        return advice(need.text, self._answer.toolchain)


def _statement(clause: Clause) -> str:
    if clause.kind in ("select", "imply"):
        return f"{clause.failing[0]}: {clause.text}"
    if clause.kind == "prompt if":
        return "prompt if " + clause.text.rpartition(" if ")[2]
    return clause.text


def _shown(value: str) -> str:
    return value or '""'


def _is_settable(need: Need) -> bool:
    return isinstance(need, Why) and need.state is State.SETTABLE


def _name(need: Need) -> str:
    if isinstance(need, All):
        return " with ".join(map(_name, need.parts))
    if isinstance(need, OneOf):
        return " or ".join(map(_name, need.parts))
    return need.text if isinstance(need, Fixed) else need.name
