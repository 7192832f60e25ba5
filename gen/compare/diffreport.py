# SPDX-License-Identifier: GPL-2.0-only
"""A difference of two configs as text and JSON (shape: docs/guide/compare.rst)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from gen.compare.diff import Change, Count, Difference, Group
from gen.compare.kernelconfig import KernelConfig
from gen.settings import Match
from gen.compare.standing import Standing
from gen.verdicts import OK


def as_text(difference: Difference) -> str:
    lines = [
        f"before: {_described(difference.before)}",
        f"after:  {_described(difference.after)}",
        f"explained by the rules of Linux {difference.release}",
        "",
    ]
    for group in Group:
        changes = [c for c in difference.changes if c.group is group]
        if changes:
            lines += [f"{group.value} ({len(changes)}):", *_lines(changes), ""]
    if not difference.changes:
        lines += ["no hardening differs", ""]
    lines += _summary(difference)
    return "\n".join(lines) + "\n"


def _lines(changes: list[Change]) -> Iterator[str]:
    for change in sorted(changes, key=lambda c: (c.entry.level, str(c.entry.setting))):
        if change.group is Group.SAME:
            yield f"  {change.entry.setting}: {'; '.join(map(str, change.why))}"
            continue
        before, after = _state(change.before), _state(change.after)
        yield f"  {change.entry.setting}  {change.entry.level}: {before} -> {after}"
        for step in change.why:
            yield f"      {step}"


def _state(standing: Standing) -> str:
    """A value, as far as one was there, and what it is worth."""
    if standing.name is None:
        return f"- ({standing.verdict})"
    value = standing.value or '""'
    if standing.setting.match is Match.CONTAINS:
        value = "with" if standing.verdict == OK else "without"
    return f"{value} ({standing.verdict})"


def _described(config: KernelConfig) -> str:
    target = config.target
    completed = "" if config.header else ", completed by the tree at hand"
    return (
        f"{config.file}: Linux {config.release}, {target.architecture}, "
        f"{target.compiler}{completed}"
    )


def _summary(difference: Difference) -> Iterator[str]:
    for level, (before, after) in difference.summary.items():
        yield (
            f"{level}: {before.met} of {before.applicable} met before, "
            f"{after.met} of {after.applicable} after"
        )


def as_json(difference: Difference) -> str:
    return (
        json.dumps(
            {
                "before": _side(difference.before),
                "after": _side(difference.after),
                "tree": difference.release,
                "changes": [_change(c) for c in difference.changes],
                "summary": {
                    str(level): {"before": _count(before), "after": _count(after)}
                    for level, (before, after) in difference.summary.items()
                },
            },
            indent=1,
        )
        + "\n"
    )


def _side(config: KernelConfig) -> dict[str, Any]:
    return {
        "source": config.file,
        "kernel": config.release,
        "arch": config.target.architecture,
        "compiler": str(config.target.compiler),
        "complete": config.header,
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "entry": str(change.entry.setting),
        "level": str(change.entry.level),
        "group": change.group.value,
        "before": _standing(change.before),
        "after": _standing(change.after),
        "why": [{"reason": s.text, "where": s.where} for s in change.why],
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "setting": standing.name and f"CONFIG_{standing.name}",
        "value": standing.value,
        "verdict": standing.verdict,
        "by": standing.by and str(standing.by),
    }


def _count(count: Count) -> dict[str, int]:
    return {"met": count.met, "of": count.applicable}
