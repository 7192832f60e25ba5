# SPDX-License-Identifier: GPL-2.0-only
"""Every verdict of hardened-audit on Debian's configs, confirmed from the tree.

The auditor has the config alone.  The second judge (independent.py) has the Kconfig
files of the very tree, and shares no code with the auditor or its table.
"""

import sys
from pathlib import Path

import pytest
from independent import LEVELS, asked
from surroundings import ROOT

# the auditor's own tests know how to build and run it
sys.path.append(str(ROOT / "tests/audit"))
from audit_building import audit_json  # noqa: E402

CONFIGS = [
    (version, flavour, arch)
    for version in ("6.1", "6.12")
    for flavour, arch in (
        ("default", "amd64"),
        ("cloud", "amd64"),
        ("rt", "amd64"),
        ("default", "arm64"),
        ("cloud", "arm64"),
    )
]
BUILDS = {"amd64": "x86_64", "arm64": "arm64"}
PLUGINS = "GCC_PLUGINS"


def _rows(judge, catalogue, level):
    """For each thing that a level asks for: what may be said of it."""
    for thing in asked(catalogue, level, judge.target):
        rows = [judge.row(entry) for entry in thing.entries if entry.is_kconfig]
        if rows:
            yield rows


def _answers(report):
    return {
        (s["setting"], s["wanted"], s["level"]): s
        for s in report["settings"]
        if s["kind"] == "kconfig"
    }


def _key(row):
    wish = row.entry.wish
    return f"CONFIG_{wish.name}", wish.wanted, row.entry.level


def _only_the_tree_can_tell(row, answer):
    """The two kinds of n/a that no config shows."""
    if row.cause != "unreachable":
        return False
    # Whether the compiler has its plugin headers is a test that the tree makes here, on
    # this machine: on another one the option can be had, so that the auditor says fail.
    wanted = [row.name, *(wish.name for wish in row.entry.wishes("Prerequisites"))]
    if PLUGINS in wanted:
        return answer["verdict"] == "fail"
    # A text without a prompt follows other options, of which the second judge knows
    # nothing; the auditor says what the weaker option is.
    return row.wish.quoted and answer["verdict"] == "weaker"


def _problems(judge, catalogue, level, report):
    answers = _answers(report)
    compared = 0
    for rows in _rows(judge, catalogue, level):
        said = [(row, answers[_key(row)]) for row in rows if _key(row) in answers]
        compared += 1
        if len(said) != 1 and len({id(answer) for _, answer in said}) != 1:
            yield f"{_key(rows[0])}: {len(said)} answers"
        elif not any(
            answer["verdict"] == row.verdict or _only_the_tree_can_tell(row, answer)
            for row, answer in said
        ):
            row, answer = said[0]
            yield f"{_key(row)}: {answer['verdict']}, the tree says {row.verdict}"
        else:
            yield from _values(*said[0])
    if compared != len(answers):
        yield f"{len(answers)} answers for {compared} things"


def _values(row, answer):
    """What the auditor found has to be what the config has."""
    if row.got and answer["got"] not in (row.got, None):
        yield f"{_key(row)}: got {answer['got']}, the config has {row.got}"
    if answer["verdict"] in ("fail", "weaker") and row.name is None:
        yield f"{_key(row)}: {answer['verdict']}, but the tree does not define it"


@pytest.fixture(name="case")
def _case(bench, debian_config):
    """case(version, flavour, arch): the config's path and the judge of the tree."""

    def make(version: str, flavour: str, arch: str):
        path: Path = debian_config(version, flavour, arch)
        return path, bench.judge(version, BUILDS[arch], path.read_text())

    return make


@pytest.mark.parametrize("version, flavour, arch", CONFIGS)
def test_every_verdict_of_the_auditor(case, catalogue, version, flavour, arch):
    path, judge = case(version, flavour, arch)
    for level in LEVELS:
        report = audit_json("--level", level, path)
        found = list(_problems(judge, catalogue, level, report))
        assert not found, "\n".join([level, *found])


def test_a_changed_line_is_noticed(case, catalogue, tmp_path):
    """Each bool that extreme asks for, turned round: the auditor follows the tree."""
    path, judge = case("6.12", "cloud", "amd64")
    before = _answers(audit_json("--level", "extreme", path))
    lines = path.read_text().splitlines()
    turned = tmp_path / "config"
    seen = 0
    for rows in _rows(judge, catalogue, "extreme"):
        name = rows[0].name
        on, off = f"CONFIG_{name}=y", f"# CONFIG_{name} is not set"
        if len(rows) > 1 or rows[0].wish.value not in ("y", "n") or on not in lines:
            continue
        turned.write_text("\n".join([off if x == on else x for x in lines]) + "\n")
        after = _answers(audit_json("--level", "extreme", turned))[_key(rows[0])]
        assert after["verdict"] != before[_key(rows[0])]["verdict"] or (
            after["verdict"] == "stronger"
        ), after
        seen += 1
    assert seen > 40


@pytest.mark.parametrize("verdict", ["ok", "fail", "n/a", "stronger"])
def test_a_tampered_answer_is_noticed(case, catalogue, verdict):
    path, judge = case("6.12", "cloud", "amd64")
    report = audit_json("--level", "extreme", path)
    assert not list(_problems(judge, catalogue, "extreme", report))
    victim = next(
        s
        for s in report["settings"]
        if s["kind"] == "kconfig" and s["verdict"] == verdict
    )
    victim["verdict"] = "weaker"
    assert len(list(_problems(judge, catalogue, "extreme", report))) == 1
