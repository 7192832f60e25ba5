# SPDX-License-Identifier: GPL-2.0-only
"""The outcome of a bisection for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

from gen.compare.bisect import Change, Culprit, Outcome

_SHOWN = 12  # symbols of each kind of change; smallest.config has all of them


def as_text(outcome: Outcome) -> str:
    lines = []
    if not outcome.alone:
        lines += [
            f"The {outcome.hardening} hardening settings alone do not break it.",
            "",
        ]
    groups = [list(g) for _, g in groupby(outcome.culprits, lambda c: c.group)]
    if len(groups) > 1:
        lines.append(f"Only a combination of {len(groups)} settings breaks it:")
    for group in groups:
        if len(group) > 1:
            lines.append(
                f"One of these {len(group)}; what would tell them apart cannot be "
                "tested:"
            )
        for culprit in group:
            lines += _culprit(culprit)
    lines += _changes(outcome.changes)
    lines += [
        "",
        f"{outcome.smallest}: the good config with just that, which is bad",
        f"{outcome.hardening} hardening settings and {outcome.others} others differ; "
        f"{outcome.tests} tests in this run",
    ]
    return "\n".join(lines) + "\n"


def _culprit(culprit: Culprit) -> Iterator[str]:
    yield f"CONFIG_{culprit.name}: {culprit.before or '-'} -> {culprit.after or '-'}"
    entry = culprit.entry
    if entry:
        yield f"  {entry.setting}, level {entry.level}, {entry.protection.lower()}"
        for label, text in (
            ("protects", entry.reason),
            ("known to break", entry.breaks),
            ("sources", ", ".join(entry.sources)),
        ):
            if text:
                yield from _paragraph(f"{label}: {text}")
    elif culprit.needed_by:
        yield f"  not in the catalogue; needed by {', '.join(culprit.needed_by)}"
    else:
        yield "  not in the catalogue"


def _paragraph(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=79,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _changes(changes: list[Change]) -> Iterator[str]:
    yield from _by_kind(
        "Changes with it, because one needs the other:", [c for c in changes if c.own]
    )
    yield from _by_kind(
        "Follows, as nobody can set it:", [c for c in changes if not c.own]
    )


def _by_kind(title: str, changes: list[Change]) -> Iterator[str]:
    kinds: dict[str, list[str]] = {}
    for change in changes:
        kind = f"{change.before or '-'} -> {change.after or '-'}"
        kinds.setdefault(kind, []).append(change.name)
    if kinds:
        yield ""
        yield title
    for kind, names in kinds.items():
        more = f", ... {len(names)} in all" if len(names) > _SHOWN else ""
        yield f"  {kind}  {', '.join(names[:_SHOWN])}{more}"
