# SPDX-License-Identifier: GPL-2.0-only
"""Every verdict, confirmed by a second judge that shares no code with gen/.

Each cell of the matrix is a kernel tree, a target, a level and a base config.  The
generator runs on it, and independent.py judges the .config that came out.  The
second half shows that this judge notices reports and configs that are wrong.
"""

import copy
import fcntl
import pickle
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from independent import (
    ATTENTION,
    LEVELS,
    Judge,
    added_lines,
    contradicted,
    expected,
    prerequisites,
    problems,
    read_catalogue,
    read_config,
    read_report,
    target_of,
)
from independent_kconfig import Kconfig, Reach, macro_values
from surroundings import ROOT, clean_environment

CATALOGUE = ROOT / "docs/catalogue"
SHARED_CONFIGS = ROOT.parent / "shared/configs"
DEFCONFIG = "defconfig"


@dataclass(frozen=True)
class Build:
    """How a kernel is built: variables of its make, and what the judge pins."""

    srcarch: str
    wide: str  # value of 64BIT
    make: tuple[str, ...] = ()
    needs: str = "gcc"


BUILDS = {
    "x86_64": Build("x86", "y"),
    "arm64": Build(
        "arm64",
        "y",
        ("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"),
        "aarch64-linux-gnu-gcc",
    ),
    "x86_64-llvm": Build("x86", "y", ("LLVM=1",), "ld.lld"),
    "i386": Build("x86", "n", ("ARCH=i386",)),
    "arm": Build(
        "arm",
        "n",
        ("ARCH=arm", "CROSS_COMPILE=arm-linux-gnueabihf-"),
        "arm-linux-gnueabihf-gcc",
    ),
    "riscv": Build(
        "riscv",
        "y",
        ("ARCH=riscv", "CROSS_COMPILE=riscv64-linux-gnu-"),
        "riscv64-linux-gnu-gcc",
    ),
}


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


@pytest.fixture(scope="session")
def catalogue():
    return read_catalogue(CATALOGUE)


@pytest.fixture(scope="session")
def bench(kernel_tree, debian_config, shared_scratch, tmp_path_factory):
    return Bench(kernel_tree, debian_config, shared_scratch, tmp_path_factory)


class Bench:
    """Runs the generator and the tree's conf; keeps what is costly to make.

    An output folder belongs to one worker, since runs exclude each other there.
    """

    def __init__(self, kernel_tree, debian_config, shared, tmp_path_factory):
        self.tree = kernel_tree
        self.debian_config = debian_config
        self.shared = shared
        self.scratch = tmp_path_factory.mktemp("verdicts")
        self._views = {}

    def output(self, version, build):
        # conf is a program of the host: other architectures can use it as well
        host = "llvm" if "LLVM=1" in BUILDS[build].make else "gcc"
        folder = self.scratch / f"O-{version}-{host}"
        folder.mkdir(exist_ok=True)
        return folder

    def make(self, version, build):
        """The kernel's make, ready for a goal that ends in config."""
        words = [f"O={self.output(version, build)}", *BUILDS[build].make]
        return ["make", "-s", "-C", str(self.tree(version)), *words]

    def base(self, version, name):
        if name == DEFCONFIG:
            return None
        if name.endswith(".config"):
            return SHARED_CONFIGS / name
        return self.debian_config(version, *name.rsplit("-", 1))

    def configure(self, version, build, base, level):
        """Run the generator; the report and the final .config as text."""
        output = self.output(version, build)
        report = self.scratch / "report.json"
        for file in (report, output / ".config"):
            file.unlink(missing_ok=True)
        words = ["--kdir", self.tree(version), "--level", level, "--report", report]
        words += ["--cache", self.shared / "cache"]
        for variable in (f"O={output}", *BUILDS[build].make):
            words += ["--make", variable]
        file = self.base(version, base)
        if file:
            words += ["--base", file]
        run = subprocess.run(
            [sys.executable, "-m", "gen", "config", *words],
            env=clean_environment(),
            cwd=self.scratch,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        text = (output / ".config").read_text(encoding="utf-8")
        return read_report(report), text

    def view(self, version, build):
        """(Kconfig, Reach) of a tree, made by the first worker that needs them."""
        key = f"{version}-{build}"
        if key not in self._views:
            file = self.shared / f"{key}.pickle"
            with open(self.shared / f"{key}.lock", "w", encoding="utf-8") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not file.exists():
                    file.write_bytes(pickle.dumps(self._make_view(version, build)))
            # made by ourselves just now
            self._views[key] = pickle.loads(file.read_bytes())
        return self._views[key]

    def _make_view(self, version, build):
        kconfig = Kconfig(self.tree(version), BUILDS[build].srcarch)
        make = self.make(version, build)
        macros = macro_values(kconfig, make, self.scratch, clean_environment())
        return kconfig, Reach(kconfig, macros, {"64BIT": BUILDS[build].wide})

    def judge(self, version, build, config):
        kconfig, reach = self.view(version, build)
        values = read_config(config)
        target = target_of(kconfig.source, kconfig.srcarch, values)
        return Judge(kconfig, reach, target, values)

    def settled(self, version, build, text):
        """What the tree's own olddefconfig makes of a .config text."""
        file = self.scratch / "again.config"
        file.write_text(text, encoding="utf-8")
        subprocess.run(
            [*self.make(version, build), f"KCONFIG_CONFIG={file}", "olddefconfig"],
            env=clean_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return file.read_text(encoding="utf-8")

    def curable(self, version, build, config, catalogue, level):
        """Rows that take once their documented prerequisites are asked for, too.

        First all together, which costs one run of conf; then what took, alone.
        Not counted: prerequisites that another setting of the level forbids, and
        settings that would undo another one.
        """
        judge = self.judge(version, build, config)
        rows = expected(judge, catalogue, level)
        trials = []
        for row in rows:
            if row.verdict in ATTENTION:
                first = prerequisites(judge, row, catalogue)
                if not contradicted(row, first, rows):
                    trials.append((row, added_lines(judge, row, first)))
        if not trials:
            return []
        text = config + "".join(lines for _, lines in trials)
        together = self.judge(version, build, self.settled(version, build, text))
        found = []
        for row, lines in trials:
            if not together.held(row.wish):
                continue
            alone = self.settled(version, build, config + lines)
            after = self.judge(version, build, alone)
            lost = [
                other
                for other in rows
                if other.verdict in ("ok", "stronger")
                and after.row(other.entry).verdict in ATTENTION
            ]
            if after.held(row.wish) and not lost:
                found.append(f"{row.entry.title} takes with: {lines!r}")
        return found


def _skip_without(build):
    needs = BUILDS[build].needs
    if not shutil.which(needs):
        pytest.skip(f"{needs} is not installed")


@pytest.mark.parametrize("version, build, base, level", _matrix())
def test_every_verdict(bench, catalogue, version, build, base, level):
    _skip_without(build)
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
