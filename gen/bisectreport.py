# SPDX-License-Identifier: GPL-2.0-only
"""The outcome of a bisection for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

from gen.bisect import Change, Culprit, Outcome

_SHOWN = 12  # symbols that follow others; the config has all of them


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
                f"One of these {len(group)}; what would tell them apart cannot be tested:"
            )
        for culprit in group:
            lines += _culprit(culprit)
    lines += _changes(outcome.changes)
    lines += [
        "",
        f"{outcome.smallest}: the good config with just that, which is bad",
        f"{outcome.tests} tests of {outcome.hardening} hardening settings and "
        f"{outcome.others} other differences",
    ]
    return "\n".join(lines) + "\n"


def _culprit(culprit: Culprit) -> Iterator[str]:
    yield _changed(culprit)
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


def _changed(what: Culprit | Change) -> str:
    before, after = what.before, what.after
    return f"CONFIG_{what.name}: {before or '-'} -> {after or '-'}"


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
    own = [c for c in changes if c.own]
    others = [c for c in changes if not c.own]
    if own:
        yield ""
        yield "With it change, because it needs them or they need what it changes:"
        for change in own:
            yield f"  {_changed(change)}"
    if others:
        names = ", ".join(c.name for c in others[:_SHOWN])
        more = f", ... {len(others)} in all" if len(others) > _SHOWN else ""
        yield ""
        yield f"What nobody sets and follows: {names}{more}"
