# SPDX-License-Identifier: GPL-2.0-only
"""Which settings a level asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gen.entries import Entry, Level
from gen.target import Target


def groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries that speak of the same symbol, under whichever name."""
    members: list[list[Entry]] = []
    index: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        group: list[Entry] = []
        for found in {
            id(index[k]): index[k] for k in entry.keys if k in index
        }.values():
            group += found
            members.remove(found)
        group.append(entry)
        members.append(group)
        for member in group:
            for key in member.keys:
                index[key] = group
    return members


def _groups(entries: Iterable[Entry], level: Level) -> Iterator[list[Entry]]:
    for group in groups(entries):
        yield [e for e in group if e.level <= level]


def up_to(entries: Iterable[Entry], level: Level) -> list[Entry]:
    """Per symbol the entries at its highest level not above `level`.

    More than one entry of a symbol stays where they exclude each other by
    architecture, version or compiler.  This is what a fragment is made of.
    """
    return [entry for group in _groups(entries, level) for entry in _top(group)]


def _top(group: list[Entry]) -> list[Entry]:
    """Entries of one symbol without those that others at higher levels outdo."""
    return [
        entry
        for entry in group
        if not any(o.level > entry.level and not o.excludes(entry) for o in group)
    ]


def wanted(entries: Iterable[Entry], level: Level, target: Target) -> list[Entry]:
    """What `level` asks of `target`: one entry per symbol.

    Of a symbol none of whose entries suits the target, the entry that comes nearest
    stays, so that a report can say why it does not apply.
    """
    chosen = []
    for group in _groups(entries, level):
        suiting = [e for e in group if target.suits(e)]
        if suiting:
            chosen.append(max(suiting, key=lambda e: e.level))
        elif group:
            chosen.append(max(group, key=target.nearness))
    return sorted(chosen, key=lambda e: (e.origin.file, e.origin.line))
