# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run, for people and as JSON (shape: docs/guide/report.rst)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gen.entries import Entry, Level
from gen.target import Target
from gen.settings import CMDLINE, KCONFIG, SYSCTL, Setting
from gen.verdicts import FAIL, VERDICTS, WEAKER, Verdict


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
    level asks for, assigned for the sake of those named beside them."""

    release: str
    target: Target
    level: Level
    source: str
    verdicts: Sequence[Verdict]
    prerequisites: Sequence[tuple[Setting, Sequence[Setting]]]
    run_time: Sequence[RunTimeWish]

    @property
    def summary(self) -> dict[str, int]:
        count = Counter(v.verdict for v in self.verdicts)
        return {verdict: count[verdict] for verdict in VERDICTS}

    @property
    def met(self) -> bool:
        return not (self.summary[FAIL] or self.summary[WEAKER])


def run_time_wishes(entries: Iterable[Entry]) -> list[RunTimeWish]:
    """What the entries of a level ask for at boot and at run time.

    Where several entries speak of one parameter, the one at the highest level counts.
    """
    found: dict[tuple[str, str], RunTimeWish] = {}
    for entry in entries:
        for wish in _own_run_time_wishes(entry):
            key = (wish.kind, wish.text.partition("=")[0])
            if key not in found or found[key].level < wish.level:
                found[key] = wish
    return sorted(found.values(), key=lambda w: (w.kind, w.text))


def _own_run_time_wishes(entry: Entry) -> Iterator[RunTimeWish]:
    setting = entry.setting
    if setting.kind != KCONFIG:
        text = setting.name + (f"={setting.value}" if setting.value else "")
        yield RunTimeWish(setting.kind, text, entry.level, "")
        return
    for text in entry.boot_parameters:
        yield RunTimeWish(CMDLINE, text, entry.level, str(setting))
    for text in entry.sysctls:
        yield RunTimeWish(SYSCTL, text, entry.level, str(setting))


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
                "run_time": run_time,
                "summary": report.summary,
            },
            indent=1,
        )
        + "\n"
    )


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
            names = ", ".join(s.name for s in users)
            lines.append(f"  {setting}  for {names}")
    if report.run_time:
        lines += ["", "The level also asks for these, which no .config can hold:"]
        lines += [f"  {w.kind:8} {w.text}" for w in report.run_time]
    counts = ", ".join(f"{n} {verdict}" for verdict, n in report.summary.items())
    lines += ["", f"{len(rows)} settings: {counts}"]
    return "\n".join(lines) + "\n"
