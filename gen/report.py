# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run, for people and as JSON (shape: docs/guide/report.rst)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gen.entries import Entry, Level
from gen.knockon import Change, rows
from gen.target import Target
from gen.settings import CMDLINE, SYSCTL, Match, Setting, parse_parameters
from gen.verdicts import (
    FAIL,
    NOT_APPLICABLE,
    OK,
    STRONGER,
    VERDICTS,
    WEAKER,
    Verdict,
)


@dataclass(frozen=True)
class RunTimeWish:
    """A boot parameter or sysctl that the level asks for beside the .config."""

    kind: str
    text: str
    level: Level
    twin_of: str  # the option whose twin it is, empty if it has none


@dataclass(frozen=True)
class Report:
    """`source` is the base file.  `prerequisites` are settings that no entry of the
    level asks for, assigned for the sake of those named beside them; `changes` are
    their consequences and those of the wishes."""

    release: str
    target: Target
    level: Level
    source: str
    verdicts: Sequence[Verdict]
    prerequisites: Sequence[tuple[Setting, Sequence[Setting]]]
    changes: Sequence[Change]
    run_time: Sequence[RunTimeWish]

    @property
    def summary(self) -> dict[str, int]:
        count = Counter(v.verdict for v in self.verdicts)
        return {verdict: count[verdict] for verdict in VERDICTS}

    @property
    def met(self) -> bool:
        return not (self.summary[FAIL] or self.summary[WEAKER])


def run_time_wishes(
    verdicts: Iterable[Verdict], others: Iterable[Entry]
) -> list[RunTimeWish]:
    """What a level asks for at boot and at run time, beside this .config.

    `others` are the entries that are no options.  A twin of an option is left out
    where it would undo something stronger, or where the kernel has no such switch.
    Where several entries speak of one parameter, the one at the highest level counts.
    """
    found: dict[tuple[str, str], RunTimeWish] = {}
    for wish in [*_twins(verdicts), *map(_own, others)]:
        key = (wish.kind, wish.text.partition("=")[0])
        if key not in found or found[key].level < wish.level:
            found[key] = wish
    return sorted(found.values(), key=lambda w: (w.kind, w.text))


def _assignment(setting: Setting) -> str:
    return setting.name + (f"={setting.value}" if setting.value else "")


def _own(entry: Entry) -> RunTimeWish:
    return RunTimeWish(entry.setting.kind, _assignment(entry.setting), entry.level, "")


def _twins(verdicts: Iterable[Verdict]) -> Iterator[RunTimeWish]:
    for verdict in verdicts:
        entry, setting = verdict.entry, verdict.setting
        exceeded = setting.match is Match.AT_LEAST and verdict.got != setting.value
        if verdict.got is None or exceeded and verdict.verdict == OK:
            continue
        if verdict.verdict in (STRONGER, NOT_APPLICABLE):
            continue
        option = str(entry.setting)
        for twin in parse_parameters(" ".join(entry.boot_parameters)):
            if twin.match is Match.EXACT:  # an item alone is no value of a list
                yield RunTimeWish(CMDLINE, _assignment(twin), entry.level, option)
        for text in entry.sysctls:
            yield RunTimeWish(SYSCTL, text, entry.level, option)
        for twin in entry.instead:
            yield RunTimeWish(twin.kind, _assignment(twin), entry.level, option)


def as_json(report: Report) -> str:
    target = report.target
    settings: list[dict[str, Any]] = [
        {
            "setting": v.setting.target,
            "kind": v.setting.kind,
            "wanted": v.setting.wanted,
            "got": v.got,
            "verdict": v.verdict,
            "level": str(v.entry.level),
            "reason": v.reason,
            "where": v.where,
            "entry": str(v.entry.setting),
            "proof": [step.facts for step in v.proof],
        }
        for v in report.verdicts
    ]
    prerequisites = [
        {"setting": str(setting), "needed_by": [s.target for s in users]}
        for setting, users in report.prerequisites
    ]
    run_time = [
        {"kind": w.kind, "setting": w.text, "level": str(w.level), "twin": w.twin_of}
        for w in report.run_time
    ]
    return (
        json.dumps(
            {
                "kernel": report.release,
                "arch": target.architecture,
                "compiler": str(target.compiler),
                "level": str(report.level),
                "source": report.source,
                "settings": settings,
                "prerequisites": prerequisites,
                "changes": [change.facts for change in report.changes],
                "run_time": run_time,
                "summary": report.summary,
            },
            indent=1,
        )
        + "\n"
    )


_LINES = 60  # consequences in the text; the JSON report has all of them


def _change_lines(changes: Sequence[Change]) -> Iterator[str]:
    lines = rows(changes)
    if not lines:
        return
    yield ""
    yield "What else changes, as a consequence:"
    width = max(len(name) for name, _, _ in lines[:_LINES])
    for name, change, reason in lines[:_LINES]:
        yield f"  {name:{width}}  {change:7} {reason}"
    if len(lines) > _LINES:
        yield f"  ... and {len(lines) - _LINES} more such lines (REPORT= has all)"


def as_text(report: Report) -> str:
    """The best verdicts first, so that what needs attention stands at the end."""
    lines = [
        f"hardened{report.level}config for Linux {report.release}, "
        f"{report.target.architecture}, {report.target.compiler}",
        f"base: {report.source}",
        "",
    ]
    rows = sorted(report.verdicts, key=lambda v: VERDICTS.index(v.verdict))
    width = max((len(str(v.setting)) for v in rows), default=0)
    for v in rows:
        notes = v.reason + (f" ({v.where})" if v.where else "")
        got = "-" if v.got is None else v.got or '""'
        shown = f"got {got}, " if v.verdict in (FAIL, WEAKER) else ""
        lines.append(f"{v.verdict:8} {str(v.setting):{width}}  {shown}{notes}")
    if report.prerequisites:
        lines += ["", "Set as well, because these settings need it:"]
        for setting, users in report.prerequisites:
            names = ", ".join(dict.fromkeys(s.name for s in users))
            lines.append(f"  {setting}  for {names}")
    lines += _change_lines(report.changes)
    if report.run_time:
        lines += ["", "The level also asks for these, which no .config can hold:"]
        lines += [f"  {w.kind:8} {w.text}" for w in report.run_time]
    counts = ", ".join(f"{n} {verdict}" for verdict, n in report.summary.items())
    lines += ["", f"{len(rows)} settings: {counts}"]
    return "\n".join(lines) + "\n"
