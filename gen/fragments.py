# SPDX-License-Identifier: GPL-2.0-only
"""Writes fragments/: Kconfig fragments for use without this program.

A fragment knows neither kernel version nor compiler, so it holds every name that
a symbol has had; trees ignore names that they do not define.  Nor does it know what
it is merged into.  What would need that knowledge stands in it as a comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.entries import ALL_ARCHITECTURES, SRCARCH, Entry, Level
from gen.errors import UserError
from gen.levels import up_to
from gen.prerequisites import Prerequisites
from gen.savefile import replacement, told
from gen.settings import KCONFIG, Match, Setting

_GENERIC = ""


@dataclass
class _Line:
    """`by_hand` says why the setting stands in the fragment as a comment only."""

    setting: Setting
    comments: list[str]
    by_hand: str = ""

    def __str__(self) -> str:
        setting = self.setting
        text = "".join(f"# {comment}\n" for comment in self.comments)
        if self.by_hand:
            # Not "# CONFIG_...": that is how a disabled symbol begins.
            return f"{text}# by hand, {self.by_hand}: {setting}\n"
        return text + dotconfig.line(setting.name, setting.value, setting.quoted)


def _folders(entry: Entry) -> set[str]:
    """The fragment folders of an entry: the generic one, or those of its srcarchs."""
    if entry.architectures == ALL_ARCHITECTURES:
        return {_GENERIC}
    return {SRCARCH[a] for a in entry.architectures}


def _by_hand(entry: Entry) -> str:
    """Why a fragment cannot set this, or ''."""
    if entry.setting.match is Match.HIGHEST:
        return "as it depends on the tree"
    if entry.setting.match is Match.CONTAINS:
        return "as it extends a list"
    if any(s.name == entry.setting.name for s in entry.stronger):
        return "unless something stronger is set"
    return ""


def _entry_lines(entry: Entry) -> Iterator[_Line]:
    by_hand = _by_hand(entry)
    yield _Line(entry.setting, [entry.reason] if entry.reason else [], by_hand)
    for other in entry.other_names:
        comment = f"{entry.setting.name} on kernels {other.kernels}"
        yield _Line(entry.setting.renamed(other.name), [comment], by_hand)


def _newest_only(entries: list[Entry]) -> Iterator[_Line]:
    """Where versions want a symbol differently, the newest stands in the fragment."""
    newest: dict[str, Entry] = {}
    for entry in entries:
        other = newest.setdefault(entry.setting.name, entry)
        if entry.kernels.last > other.kernels.last:
            newest[entry.setting.name] = entry
    for entry in entries:
        winner = newest[entry.setting.name]
        outdated = (
            entry.setting != winner.setting
            and entry.setting.match is not Match.CONTAINS
            and entry.kernels.last < winner.kernels.last
        )
        for line in _entry_lines(entry):
            if outdated:
                line.by_hand = f"on kernels {entry.kernels}"
            yield line


def _stronger_last(entries: list[Entry]) -> list[Entry]:
    """Order by symbol, but what is stronger than something comes after it.

    Of two members of a choice the last one that can be had wins.
    """
    ordered: list[Entry] = []
    by_setting = {e.setting: e for e in entries}

    def add(entry: Entry) -> None:
        if entry in ordered:
            return
        for weaker in entries:
            if entry.setting in weaker.stronger and weaker is not entry:
                if by_setting.get(weaker.setting) is weaker:
                    add(weaker)
        if entry not in ordered:
            ordered.append(entry)

    for entry in sorted(entries, key=lambda e: (e.setting.name, e.setting.value)):
        add(entry)
    return ordered


def _prerequisite_lines(
    entries: list[Entry], chosen: list[Entry], catalogue: list[Entry]
) -> list[_Line]:
    """Lines for what `entries` need and no chosen entry speaks of."""
    prerequisites = Prerequisites(catalogue)
    spoken_of = {n.name for e in chosen for n in e.names}
    users: dict[Setting, list[str]] = {}
    for entry in entries:
        for setting in prerequisites.of(entry):
            if setting.name not in spoken_of:
                names = users.setdefault(setting, [])
                if entry.setting.name not in names:
                    names.append(entry.setting.name)
    return [
        _Line(setting, [f"needed by {', '.join(users[setting])}"])
        for setting in sorted(users, key=lambda s: s.name)
    ]


def _distinct(lines: Iterable[_Line]) -> list[_Line]:
    """One line for entries that want the same on different architectures."""
    found: dict[Setting, _Line] = {}
    for line in lines:
        first = found.setdefault(line.setting, line)
        first.comments += [c for c in line.comments if c not in first.comments]
    return list(found.values())


def _check(folder: str, level: Level, lines: list[_Line]) -> None:
    """No symbol may be asked for twice in different ways in one fragment."""
    values: dict[str, Setting] = {}
    for line in lines:
        if line.by_hand:
            continue
        other = values.setdefault(line.setting.name, line.setting)
        if other != line.setting:
            raise UserError(
                f"fragments/{folder}: level {level}: {other} and {line.setting} "
                "would both be written; give the entries different architectures"
            )


def fragment(entries: Iterable[Entry], level: Level, folder: str) -> str:
    """The text of one fragment; empty if it would hold nothing."""
    catalogue = list(entries)
    chosen = [
        e
        for e in up_to(catalogue, level)
        if e.setting.kind == KCONFIG and not e.check_only
    ]
    mine = _stronger_last([e for e in chosen if folder in _folders(e)])
    # A fragment for an architecture is used together with the generic one
    seen = [e for e in chosen if _folders(e) & {folder, _GENERIC}]
    speaking = [e for e in catalogue if _folders(e) & {folder, _GENERIC}]
    lines = _prerequisite_lines(mine, seen, speaking) + _distinct(_newest_only(mine))
    _check(folder, level, lines)
    if not lines:
        return ""
    # The kernel's `make help` shows what follows "Help:"
    scope = f"For {folder}: hardening" if folder else "Help: Hardening"
    head = (
        "# SPDX-License-Identifier: GPL-2.0-only\n"
        f"# {scope} at level {level} of negative side effects\n"
        "# Generated from docs/catalogue/ by `make fragments`; not to be edited.\n"
    )
    return head + "".join(f"\n{line}" for line in lines)


def all_fragments(entries: Iterable[Entry]) -> dict[Path, str]:
    """Path below fragments/ -> text, for every level and architecture."""
    catalogue = list(entries)
    texts = {}
    for level in Level:
        for folder in (_GENERIC, *sorted(set(SRCARCH.values()))):
            text = fragment(catalogue, level, folder)
            if text:
                texts[Path(folder) / f"hardened{level}.config"] = text
    return texts


def write_fragments(entries: Iterable[Entry], folder: Path) -> None:
    """Make `folder` hold exactly the fragments of the catalogue."""
    texts = all_fragments(entries)
    for old in folder.glob("**/hardened*.config"):
        if old.relative_to(folder) not in texts:
            with told(old, "removed"):
                old.unlink()
    for path, text in texts.items():
        file = folder / path
        with told(file.parent, "created"):
            file.parent.mkdir(parents=True, exist_ok=True)
        with replacement(file, text) as commit:
            commit()
