# SPDX-License-Identifier: GPL-2.0-only
"""What an explanation is made of, and what can be read from it.

An explanation (Why) names a symbol and a value that it does not have.  Unless the user
can simply set it, there are ways to get the value; each is a list of clauses, all of
which must come true.  A clause is a statement in a Kconfig file; its need says which
other symbols must have which values, each again with an explanation.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gen.tree.sources import Place


class State(enum.Enum):
    """How a symbol could get the value."""

    SETTABLE = "settable"  # the user can set it now
    BLOCKED = "blocked"  # the ways say what it takes
    NOTHING = "nothing"  # no prompt, default or select can ever give it the value
    UNDEFINED = "undefined"  # this architecture's Kconfig files do not define it
    TOOL = "tool"  # a tool or the architecture decides it, see Why.tool
    TRANSITIONAL = "transitional"  # read from old configs, see Why.replacements
    CUT = "cut"  # not followed any further: too far, or it leads back


@dataclass(frozen=True)
class Fixed:
    """A condition that no configuration changes.

    text is what decides it as it is written in the tree: $(cc-option,-m64), n.
    """

    text: str


@dataclass(frozen=True)
class All:
    """All of these are needed."""

    parts: list[Need]


@dataclass(frozen=True)
class OneOf:
    """Any of these would do."""

    parts: list[Need]


@dataclass(frozen=True)
class Clause:
    """A statement that keeps a symbol from a value.

    kind is "depends on", "if", "menu" (what an enclosing menu or choice depends on),
    "visible if", "prompt if", "choice" (another member is selected; or, if this one
    is to be off, no other is), "default", "select", "imply", "range" or "modules" (m
    without modules).
    failing names the symbols in those of its AND operands that fail; for "select" and
    "imply" the symbol that has the statement, for "choice" the members in question.
    toolchain is the test that the compiler, linker or another tool did not pass,
    as it is written in the tree; None if the clause can be met by configuration.
    need says what would make the statement harmless, or have the wanted effect.
    comes_next says that the statement is only in the way once the other clauses are
    met; values in its need are those of that time.
    """

    place: Place
    kind: str
    text: str
    failing: list[str]
    toolchain: str | None = None
    need: Need | None = field(default=None, compare=False)
    comes_next: bool = False


@dataclass(frozen=True)
class Way:
    """What it takes to get a value by a prompt, default, select or imply.

    by is one of these words.  No clause is left out: all must come true.
    """

    by: str
    clauses: list[Clause]


@dataclass(frozen=True)
class Why:
    """Why a symbol does not have a value.

    wanted is a value as in .config, or a comparison: ">= 8192"; for a tristate that
    needs m or more it is "m", for one that may not be y "m" as well.  value is the
    present one.  place is the prompt that the user would set, or else the first
    definition; None for an undefined symbol.  more counts ways that are not listed.
    """

    name: str
    wanted: str
    value: str
    state: State
    place: Place | None = None
    ways: list[Way] = field(default_factory=list)
    more: int = 0
    has_prompt: bool = False
    tool: str = ""
    replacements: list[str] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.wanted

    @cached_property
    def is_dead(self) -> bool:
        """As is_dead() of this need."""
        if self.state is State.BLOCKED:
            return not self.more and all(map(is_dead_way, self.ways))
        return self.state in (State.NOTHING, State.UNDEFINED)

    @cached_property
    def depth(self) -> int:
        """How many symbols stand one below the other, this one included."""
        clauses = (clause for way in self.ways for clause in way.clauses)
        return 1 + max((depth(clause.need) for clause in clauses), default=0)


Need = Fixed | All | OneOf | Why


def every(parts: Iterable[Need | None]) -> Need | None:
    """A need for all parts that are needs."""
    needs = [part for part in parts if part is not None]
    return All(needs) if len(needs) > 1 else needs[0] if needs else None


def any_of(parts: Iterable[Need]) -> Need:
    """A need for one of the parts, of which there is at least one.

    Parts that nothing can meet are left out, unless that is true of all.
    """
    flat: list[Need] = []
    for part in parts:
        flat += part.parts if isinstance(part, OneOf) else [part]
    flat = [part for part in flat if not is_dead(part)] or flat
    return OneOf(flat) if len(flat) > 1 else flat[0]


# -- What a need rests on -----------------------------------------------------------


def is_dead(need: Need | None) -> bool:
    """Whether neither a configuration nor another tool can meet a need."""
    if isinstance(need, Fixed):
        return "$(" not in need.text
    if isinstance(need, All):
        return any(map(is_dead, need.parts))
    if isinstance(need, OneOf):
        return all(map(is_dead, need.parts))
    return need is not None and need.is_dead


def is_dead_way(way: Way) -> bool:
    return any(is_dead(clause.need) for clause in way.clauses)


def toolchain(need: Need | None) -> str | None:
    """The tests of tools that a need fails on, if nothing else can be done."""
    if need is None:
        return None
    if isinstance(need, Fixed):
        return need.text if "$(" in need.text else None
    if isinstance(need, All):
        return next(filter(None, map(toolchain, need.parts)), None)
    if isinstance(need, OneOf):
        return _joined(map(toolchain, need.parts))
    if need.state is State.TOOL:
        return need.tool
    ways = (way_toolchain(way.clauses) for way in need.ways)
    return None if need.more else _joined(ways)


def way_toolchain(clauses: Iterable[Clause]) -> str | None:
    return next(filter(None, (clause.toolchain for clause in clauses)), None)


def _joined(tests: Iterable[str | None]) -> str | None:
    texts = list(dict.fromkeys(tests))
    if not texts or None in texts:
        return None
    return ", ".join(text for text in texts if text)


def is_plain(need: Need | None) -> bool:
    """Whether assignments() are all that a need takes: there is nothing to choose."""
    if isinstance(need, All):
        return all(map(is_plain, need.parts))
    if not isinstance(need, Why):
        return False
    if len(need.ways) == 1 and not need.more:
        return all(is_plain(clause.need) for clause in need.ways[0].clauses)
    return need.state is State.SETTABLE


def assignments(needs: Iterable[Need | None]) -> dict[str, str]:
    """What the user must set, as far as it is certain, for all needs to be met."""
    found: dict[str, str] = {}
    for why in (why for need in needs for why in _certain(need)):
        by_user = [way.by for way in why.ways] == ["prompt"]
        if why.state is State.SETTABLE or by_user:
            # Of two wishes for a tristate, m is the weaker one in either direction
            if why.wanted != "m" or why.name not in found:
                found[why.name] = why.wanted
    return found


def names(need: Need | None) -> Iterator[str]:
    """Every symbol that an explanation speaks of, from the top down."""
    if isinstance(need, (All, OneOf)):
        for part in need.parts:
            yield from names(part)
    elif isinstance(need, Why):
        yield need.name
        for way in need.ways:
            for clause in way.clauses:
                yield from names(clause.need)


# -- Leaving out what says nothing new ------------------------------------------------


def without_repetition(clauses: list[Clause]) -> list[Clause]:
    """Clauses without those that come true along with others."""
    kept = list(clauses)
    # The longest stories first, so that the shortest of several like ones stays
    for clause in sorted(clauses, key=lambda c: -depth(c.need)):
        needs = [other.need for other in kept if other is not clause]
        others = {why.key for need in needs for why in _certain(need)}
        if clause.need is not None and _met(clause.need, others):
            kept.remove(clause)
    return kept


def depth(need: Need | None) -> int:
    """How many symbols stand one below the other in an explanation."""
    if isinstance(need, (All, OneOf)):
        return max(map(depth, need.parts))
    return need.depth if isinstance(need, Why) else 0


def _certain(need: Need | None) -> Iterator[Why]:
    """The symbols that must have another value for a need to be met."""
    if isinstance(need, All):
        for part in need.parts:
            yield from _certain(part)
    elif isinstance(need, Why):
        yield need
        if len(need.ways) == 1 and not need.more:
            for clause in need.ways[0].clauses:
                yield from _certain(clause.need)


def _met(need: Need | None, given: Collection[tuple[str, str]]) -> bool:
    if isinstance(need, All):
        return all(_met(part, given) for part in need.parts)
    if isinstance(need, OneOf):
        return any(_met(part, given) for part in need.parts)
    if not isinstance(need, Why):
        return False
    more = (need.name, "y" if need.value == "n" else "n")
    if need.key in given or need.wanted == "m" and more in given:
        return True
    # A prompt that can be seen is not a value yet
    ways = (way for way in need.ways if way.by != "prompt")
    return any(all(_met(clause.need, given) for clause in w.clauses) for w in ways)
