# SPDX-License-Identifier: GPL-2.0-only
"""Every verdict, confirmed by a second judge that shares no code with gen/.

Each cell of the matrix is a kernel tree, a target, a level and a base config.  The
generator runs on it, and independent.py judges the .config that came out.  The
second half shows that this judge notices reports and configs that are wrong.
"""

import copy
import re
from pathlib import Path

import pytest
from independent import LEVELS, problems
from verdict_bench import CATALOGUE, DEFCONFIG, SHARED_CONFIGS, skip_without


def _matrix():
    """The cells; a base is defconfig, FLAVOUR-ARCH of Debian, or a file."""
    debian = {
        ("6.1", "x86_64"): "cloud-amd64",
        ("6.12", "x86_64"): "cloud-amd64",
        ("7.3", "x86_64"): "cloud-amd64",
        ("6.1", "arm64"): "default-arm64",
        ("6.12", "arm64"): "cloud-arm64",
        ("7.3", "arm64"): "default-arm64",
    }
    cells = [
        (*where, base, False) for where, b in debian.items() for base in (DEFCONFIG, b)
    ]
    cells += [
        ("6.1", "x86_64", "default-amd64", True),
        ("6.1", "x86_64", "rt-amd64", True),
        ("6.12", "x86_64", "default-amd64", True),
        ("6.12", "x86_64", "rt-amd64", True),
        ("6.12", "arm64", "default-arm64", True),
        ("7.2", "x86_64", DEFCONFIG, True),
        ("7.2", "x86_64", "cloud-amd64", True),
        ("6.1", "x86_64-llvm", DEFCONFIG, True),
        ("6.12", "x86_64-llvm", DEFCONFIG, True),
        ("6.12", "i386", DEFCONFIG, True),
        ("7.3", "i386", DEFCONFIG, True),
        ("6.12", "arm", DEFCONFIG, True),
        ("6.12", "riscv", DEFCONFIG, True),
    ]
    names = {"x86_64": "x86_64", "aarch64": "arm64", "riscv64": "riscv"}
    for file in sorted(SHARED_CONFIGS.glob("*.config")):
        build = next((b for n, b in names.items() if n in file.name), "x86_64")
        cells.append(("6.12", build, file.name, True))
    for version, build, base, is_long in cells:
        for level in LEVELS:
            marks = [pytest.mark.xdist_group(f"{version}-{build}")]
            if is_long:
                marks.append(pytest.mark.long)
            label = f"{version}-{build}-{base}-{level}"
            yield pytest.param(version, build, base, level, id=label, marks=marks)


@pytest.mark.parametrize("version, build, base, level", _matrix())
def test_every_verdict(bench, catalogue, version, build, base, level):
    skip_without(build)
    report, config = bench.configure(version, build, base, level)
    judge = bench.judge(version, build, config)
    found = problems(report, judge, catalogue, level)
    found += bench.curable(version, build, config, catalogue, level)
    assert not found, "\n" + "\n".join(found)
    assert not list(_beyond_reach(judge))


def _beyond_reach(judge):
    """Symbols whose value our judge believes to be impossible: its own mistakes."""
    for name, value in judge.config.items():
        if judge.kconfig.type(name) in ("bool", "tristate"):
            if value not in judge.reach.values(name):
                yield f"{name}={value}"


def test_the_catalogue_is_read_completely(catalogue):
    text = "".join(f.read_text(encoding="utf-8") for f in CATALOGUE.glob("*.rst"))
    assert len(catalogue) == text.count(":Negative side effects level:")
    assert all(entry.level in LEVELS for entry in catalogue)


# -- The judge must notice what is wrong ------------------------------------------

CONTROL = ("6.12", "x86_64", DEFCONFIG, "high")
control_group = pytest.mark.xdist_group("6.12-x86_64")


@pytest.fixture(scope="module")
def control(bench, catalogue):
    """A run that is right: (report, config text, function that judges the two)."""
    report, config = bench.configure(*CONTROL)

    def judged(a_report, a_config=config):
        judge = bench.judge(*CONTROL[:2], a_config)
        return problems(a_report, judge, catalogue, CONTROL[3])

    assert not judged(report)
    return report, config, judged


def _first(report, verdict, value=None):
    return next(
        s
        for s in report["settings"]
        if s["verdict"] == verdict and (value is None or s["wanted"] == value)
    )


def _flip(verdict, other):
    def tamper(report):
        _first(report, verdict)["verdict"] = other
        report["summary"][verdict] -= 1
        report["summary"][other] += 1

    return pytest.param(tamper, id=f"{verdict.replace('/', '')}-to-{other}")


def _change(name, value, verdict="ok"):
    def tamper(report):
        row = _first(report, verdict)
        assert row[name] != value
        row[name] = value

    return pytest.param(tamper, id=f"{name}-of-{verdict.replace('/', '')}")


def _drop(report):
    row = _first(report, "ok")
    report["settings"].remove(row)
    report["summary"]["ok"] -= 1


def _repeat(report):
    report["settings"].append(_first(report, "ok"))
    report["summary"]["ok"] += 1


def _invent(report):
    row = dict(_first(report, "ok"), setting="CONFIG_NEW", entry="CONFIG_NEW=y")
    report["settings"].append(row)
    report["summary"]["ok"] += 1


def _miscount(report):
    report["summary"]["ok"] += 1


def _forget_run_time(report):
    del report["run_time"][0]


def _change_head(name, value):
    def tamper(report):
        report[name] = value

    return pytest.param(tamper, id=name)


@control_group
@pytest.mark.parametrize(
    "tamper",
    [
        *(_flip("ok", other) for other in ("stronger", "n/a", "weaker", "fail")),
        *(_flip("stronger", other) for other in ("ok", "n/a", "fail")),
        *(_flip("n/a", other) for other in ("ok", "fail")),
        _change("got", "nonsense"),
        _change("got", None),
        _change("got", "y", "n/a"),
        _change("wanted", "m"),
        _change("setting", "CONFIG_OTHER"),
        _change("level", "extreme"),
        _change("reason", " "),
        _change("where", "lib/Kconfig.nowhere:1"),
        _change("where", "init/Kconfig:999999"),
        _change("where", "Kconfig:1"),
        _drop,
        _repeat,
        _invent,
        _miscount,
        _forget_run_time,
        _change_head("kernel", "6.13.1"),
        _change_head("arch", "i386"),
        _change_head("compiler", "clang 12.2.0"),
        _change_head("level", "low"),
        _change_head("source", ""),
    ],
)
def test_a_tampered_report_is_noticed(control, tamper):
    report, _, judged = control
    changed = copy.deepcopy(report)
    tamper(changed)
    assert judged(changed)


@control_group
def test_every_changed_line_of_a_config_is_noticed(control, bench, catalogue):
    """Each option that is as wanted is turned around, one at a time."""
    report, config, judged = control
    tried = 0
    for row in report["settings"]:
        name = row["setting"]
        if row["verdict"] != "ok" or row["got"] is None:
            continue
        line = re.compile(rf"^(?:{name}=.*|# {name} is not set)\n", re.MULTILINE)
        new = f"{name}=y\n" if row["got"] == "n" else f"# {name} is not set\n"
        if row["wanted"].startswith("contains"):
            new = f'{name}="other"\n'
        changed = line.sub("", config) + new
        assert any(row["entry"] in problem for problem in judged(report, changed))
        tried += 1
    assert tried > 20


@control_group
def test_a_curable_failure_is_noticed(control, bench, catalogue):
    """A setting that the generator could have had, taken out of the config."""
    report, config, _ = control
    row = next(
        s
        for s in report["settings"]
        if s["reason"] == "set" and s["wanted"] == "y" and s["got"] == "y"
    )
    less = config.replace(f"{row['setting']}=y\n", f"# {row['setting']} is not set\n")
    less = bench.settled(*CONTROL[:2], less)
    assert f"{row['setting']}=y\n" not in less
    found = bench.curable(*CONTROL[:2], less, catalogue, CONTROL[3])
    assert any(text.startswith(row["entry"]) for text in found)


@control_group
def test_the_reach_of_symbols(bench):
    """Facts about 6.12 that the judge's n/a rests on."""
    kconfig, reach = bench.view("6.12", "x86_64")
    assert reach.values("X86_64") == {"y"}
    assert reach.values("THREAD_INFO_IN_TASK") == {"y"}  # selected, without a prompt
    assert not kconfig.has_prompt("THREAD_INFO_IN_TASK")
    assert reach.values("CFI_CLANG") == {"n"}  # gcc has no kCFI
    assert reach.values("DEVMEM") == {"n", "y"}
    assert reach.values("NO_SUCH_SYMBOL") == {"n"}
    assert "ARM64_BTI" not in kconfig.definitions
    arm64, _ = bench.view("6.12", "arm64")
    assert arm64.has_prompt("ARM64_BTI")
    assert Path(kconfig.source / kconfig.files[-1]).is_file()
