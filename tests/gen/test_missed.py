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
from independent import LEVELS, Wish, read_catalogue
from independent_search import EXCLUDED, GETTABLE, IMPOSSIBLE
from small_catalogue import entry
from verdict_bench import ALLNOCONFIG, CATALOGUE, DEFCONFIG, skip_without

VERSION = "6.12"
SWITCHES = ("bool", "tristate")
DEBIAN = {"x86_64": "cloud-amd64", "arm64": "cloud-arm64"}
#: What runs in every check: build, base, level.
SHORT = {
    ("x86_64", DEFCONFIG, "extreme"),
    ("x86_64", ALLNOCONFIG, "high"),
    ("arm64", ALLNOCONFIG, "high"),
}


def _cells(short):
    for build in DEBIAN:
        for base in (DEFCONFIG, ALLNOCONFIG, DEBIAN[build]):
            for level in LEVELS:
                marks = [pytest.mark.xdist_group(f"{VERSION}-{build}")]
                if (build, base, level) not in short:
                    marks.append(pytest.mark.long)
                cell = (VERSION, build, base, level)
                yield pytest.param(*cell, id="-".join(cell), marks=marks)


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


def after_run(bench, cell, folder=CATALOGUE):
    """The report of a run and an oracle for the .config that it made."""
    version, build, base, level = cell
    skip_without(build)
    report, config = bench.configure(version, build, base, level, folder)
    catalogue = read_catalogue(folder)
    return report, bench.oracle(version, build, config, catalogue, level)


def missed(report, oracle):
    """Settings of a level that a run did not get, although it could have."""
    said = {(row["entry"], row["level"]): row["reason"] for row in report["settings"]}
    for row in oracle.lacking():
        answer, reason = oracle.answer(row), said.get(row.key, "")
        if answer.kind == IMPOSSIBLE:
            continue
        if answer.kind != EXCLUDED or not oracle.excluded_by(row, reason):
            others = oracle.enemies(row) if answer.kind == EXCLUDED else []
            yield f"{row.entry.title}: {answer} {others}; the report: {reason}"


def needless(report, oracle, base):
    """Prerequisites without which no setting of the level is lost."""
    for extra in report["prerequisites"]:
        if oracle.needless(base, Wish.read(extra["setting"]).name):
            yield f"{extra['setting']} is not needed by {extra['needed_by']}"


@pytest.mark.parametrize("version, build, base, level", _cells(SHORT))
def test_nothing_is_missed_and_nothing_needless(bench, version, build, base, level):
    report, oracle = after_run(bench, (version, build, base, level))
    start = bench.started_from(version, build, base)
    found = [*missed(report, oracle), *needless(report, oracle, start)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "version, build, base, level",
    _cells({("x86_64", ALLNOCONFIG, "extreme")}),
)
def test_nothing_is_missed_without_help(bench, bare, version, build, base, level):
    """The same where the catalogue tells nothing of prerequisites."""
    report, oracle = after_run(bench, (version, build, base, level), bare)
    start = bench.started_from(version, build, base)
    found = [*missed(report, oracle), *needless(report, oracle, start)]
    assert not found, "\n" + "\n".join(found)


# -- Wishes that no catalogue has ----------------------------------------------------


def _random(build, seeds):
    for base in (DEFCONFIG, ALLNOCONFIG):
        for seed in range(seeds):
            marks = [pytest.mark.xdist_group(f"{VERSION}-{build}")]
            if (build, base, seed) != ("x86_64", ALLNOCONFIG, 0):
                marks.append(pytest.mark.long)
            yield pytest.param(build, base, seed, marks=marks)


@pytest.mark.parametrize(
    "build, base, seed", [*_random("x86_64", 8), *_random("arm64", 4)]
)
def test_nothing_is_missed_of_random_wishes(bench, tmp_path, build, base, seed):
    """Symbols that hardly anybody would ask for together.

    Which of two that exclude each other is had, is left open.
    """
    kconfig, _ = bench.view(VERSION, build)
    rng = random.Random(f"{VERSION} {build} {seed}")
    switches = [n for n in kconfig.definitions if kconfig.type(n) in SWITCHES]
    text = "Random\n======\n\n"
    for name in rng.sample(sorted(switches), 30):
        text += entry(f"CONFIG_{name}={rng.choice('yyyn')}")
    (tmp_path / "random.rst").write_text(text, encoding="utf-8")
    report, oracle = after_run(bench, (VERSION, build, base, "low"), tmp_path)
    found = list(missed(report, oracle))
    assert not found, "\n" + "\n".join(found)


# -- The oracle itself -----------------------------------------------------------------


@pytest.mark.xdist_group("6.12-x86_64")
@pytest.mark.parametrize(
    "base, wishes, name, kind, part",
    [
        # follows other symbols, has no prompt
        (ALLNOCONFIG, ["SECCOMP_FILTER=y"], "SECCOMP_FILTER", GETTABLE, "NET=y"),
        # selected
        (DEFCONFIG, ["KEXEC_CORE=n"], "KEXEC_CORE", GETTABLE, "KEXEC is not set"),
        # ranges that end where other symbols tell
        (ALLNOCONFIG, ["NR_CPUS>=8192"], "NR_CPUS", GETTABLE, "MAXSMP=y"),
        (ALLNOCONFIG, ["NR_CPUS>=8193"], "NR_CPUS", IMPOSSIBLE, ""),
        (ALLNOCONFIG, ["MODULES=n", "MODULE_SIG=y"], "MODULE_SIG", EXCLUDED, ""),
        (ALLNOCONFIG, ["CFI_CLANG=y"], "CFI_CLANG", IMPOSSIBLE, ""),
        # depends on m
        (ALLNOCONFIG, ["TEST_LOCKUP=y"], "TEST_LOCKUP", IMPOSSIBLE, ""),
    ],
)
def test_the_oracle(bench, tmp_path, base, wishes, name, kind, part):
    """What it says of a config for which nothing has been done."""
    text = "X\n=\n\n" + "".join(entry(f"CONFIG_{wish}") for wish in wishes)
    (tmp_path / "few.rst").write_text(text, encoding="utf-8")
    where = VERSION, "x86_64"
    config = bench.started_from(*where, base)
    catalogue = read_catalogue(tmp_path)
    oracle = bench.oracle(*where, config, catalogue, "low")
    (row,) = [row for row in oracle.lacking() if row.name == name]
    answer = oracle.answer(row)
    assert answer.kind == kind
    assert part in answer.lines
    if kind == GETTABLE:
        with_it = bench.settled(*where, config + answer.lines)
        assert bench.judge(*where, with_it).held(row.wish)
    if kind == EXCLUDED:
        assert oracle.enemies(row) == ["MODULES"]
        assert oracle.excluded_by(row, "needs CONFIG_MODULES=y")
        assert not oracle.excluded_by(row, "depends on MODULE_SIG_FORMAT")


@pytest.mark.xdist_group("6.12-x86_64")
def test_what_is_needless(bench, tmp_path):
    """RELOCATABLE serves RANDOMIZE_BASE, and EXPERT nothing."""
    (tmp_path / "one.rst").write_text(entry("CONFIG_RANDOMIZE_BASE=y"))
    where = VERSION, "x86_64"
    base = bench.started_from(*where, ALLNOCONFIG)
    lines = "".join(f"CONFIG_{n}=y\n" for n in ("RELOCATABLE", "RANDOMIZE_BASE"))
    config = bench.settled(*where, f"{base}{lines}CONFIG_EXPERT=y\n")
    catalogue = read_catalogue(tmp_path)
    oracle = bench.oracle(*where, config, catalogue, "low")
    assert not oracle.lacking()
    assert not oracle.needless(base, "RELOCATABLE")
    assert oracle.needless(base, "EXPERT")
