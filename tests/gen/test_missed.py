# SPDX-License-Identifier: GPL-2.0-only
"""No setting that could be had is missed, and nothing is set that nothing needs.

After a run of the real command an independent oracle (independent_search.py) takes
up each setting that the .config lacks.  Either it proves that the setting cannot be
had, or that others of the level exclude it; then the report has to name one of them.
Everything else counts as missed, also what the oracle can neither prove nor find.
"""

import random
import re

import pytest
from independent import LEVELS, expected, read_catalogue, read_config
from independent_search import EXCLUDED, IMPOSSIBLE
from verdict_bench import ALLNOCONFIG, CATALOGUE, DEFCONFIG, skip_without

DEBIAN = {"x86_64": "cloud-amd64", "arm64": "cloud-arm64"}
#: What runs in every check: build, base, level.
SHORT = {
    ("x86_64", DEFCONFIG, "high"),
    ("x86_64", DEFCONFIG, "extreme"),
    ("x86_64", ALLNOCONFIG, "high"),
    ("x86_64", ALLNOCONFIG, "extreme"),
    ("arm64", ALLNOCONFIG, "high"),
}


def _cells(short, versions=("6.12",)):
    for version in versions:
        for build in DEBIAN:
            for base in (DEFCONFIG, ALLNOCONFIG, DEBIAN[build]):
                for level in LEVELS:
                    marks = [pytest.mark.xdist_group(f"{version}-{build}")]
                    if (build, base, level) not in short:
                        marks.append(pytest.mark.long)
                    label = f"{version}-{build}-{base}-{level}"
                    cell = (version, build, base, level)
                    yield pytest.param(*cell, id=label, marks=marks)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The catalogue without what it says of prerequisites."""
    folder = tmp_path_factory.mktemp("bare")
    field = re.compile(r"^:Prerequisites:.*\n(?:[ \t]+\S.*\n)*", re.MULTILINE)
    for file in CATALOGUE.glob("*.rst"):
        text, count = field.subn("", file.read_text(encoding="utf-8"))
        assert count
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


def missed(bench, cell, folder=CATALOGUE):
    """Settings of a level that a run did not get, although it could have."""
    version, build, _, level = cell
    skip_without(build)
    report, config = bench.configure(*cell, folder)
    said = {(row["entry"], row["level"]): row for row in report["settings"]}
    oracle = bench.oracle(version, build, config, read_catalogue(folder), level)
    found = []
    for row in oracle.lacking():
        answer, given = oracle.answer(row), said[row.key]
        named = any(re.search(rf"\b{e}\b", given["reason"]) for e in answer.enemies)
        if answer.kind != IMPOSSIBLE and not (answer.kind == EXCLUDED and named):
            found.append(f"{row.entry.title}: {answer}; the report: {given}")
    return found


@pytest.mark.parametrize("version, build, base, level", _cells(SHORT))
def test_nothing_is_missed(bench, version, build, base, level):
    found = missed(bench, (version, build, base, level))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "version, build, base, level",
    _cells({("x86_64", ALLNOCONFIG, "extreme"), ("arm64", ALLNOCONFIG, "extreme")}),
)
def test_nothing_is_missed_without_help(bench, bare, version, build, base, level):
    """The same where the catalogue tells nothing of prerequisites."""
    found = missed(bench, (version, build, base, level), bare)
    assert not found, "\n" + "\n".join(found)
