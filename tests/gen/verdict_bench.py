# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the real command on real trees, and the second judge's view of them."""

import fcntl
import pickle
import shutil
import subprocess
import sys
from dataclasses import dataclass

import pytest
from independent import (
    ATTENTION,
    Judge,
    added_lines,
    contradicted,
    expected,
    prerequisites,
    read_config,
    read_report,
    target_of,
)
from independent_conf import Expanded
from independent_kconfig import Kconfig, Reach, macro_values
from independent_search import Oracle
from surroundings import ROOT, clean_environment

CATALOGUE = ROOT / "docs/catalogue"
SHARED_CONFIGS = ROOT.parent / "shared/configs"
DEFCONFIG = "defconfig"
ALLNOCONFIG = "allnoconfig"


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
        self._expanded = {}

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

    def base(self, version, build, name):
        """The file to start from, for the generator; None if it finds that itself."""
        if name == DEFCONFIG:
            return None
        if name == ALLNOCONFIG:
            return self.made(version, build, name)
        if name.endswith(".config"):
            return SHARED_CONFIGS / name
        return self.debian_config(version, *name.rsplit("-", 1))

    def made(self, version, build, goal):
        """What a goal of the kernel's make writes: allnoconfig, defconfig."""
        file = self.scratch / f"{version}-{build}.{goal}"
        if not file.exists():
            # "make allnoconfig" alone would choose i386 on an x86_64 machine
            words = [f"ARCH={build.split('-')[0]}", f"KCONFIG_CONFIG={file}", goal]
            subprocess.run(
                [*self.make(version, build), *words],
                env=clean_environment(),
                stdout=subprocess.DEVNULL,
                check=True,
            )
        return file

    def started_from(self, version, build, name):
        """The .config that a run starts from, settled, as text."""
        file = self.base(version, build, name) or self.made(version, build, name)
        conf = self.quick_conf(version, build)
        return conf.settled(file.read_text(encoding="utf-8"))

    def configure(self, version, build, base, level, catalogue=CATALOGUE):
        """Run the generator; the report and the final .config as text."""
        output = self.output(version, build)
        report = self.scratch / "report.json"
        for file in (report, output / ".config"):
            file.unlink(missing_ok=True)
        words = ["--kdir", self.tree(version), "--level", level, "--report", report]
        words += ["--cache", self.shared / "cache"]
        for variable in (f"O={output}", *BUILDS[build].make):
            words += ["--make", variable]
        file = self.base(version, build, base)
        if file:
            words += ["--base", file]
        run = subprocess.run(
            [sys.executable, "-m", "gen", "--catalogue", catalogue, "config", *words],
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

    def quick_conf(self, version, build):
        """The tree's conf on Kconfig files in which compiler tests are answered."""
        key = version, build
        if key not in self._expanded:
            kconfig, reach = self.view(version, build)
            self.settled(version, build, "")  # makes conf
            conf = self.output(version, build) / "scripts/kconfig/conf"
            folder = self.scratch / f"expanded-{version}-{build}"
            self._expanded[key] = Expanded(kconfig, reach.macros, conf, folder)
        return self._expanded[key]

    def oracle(self, version, build, config, catalogue, level):
        judge = self.judge(version, build, config)
        return Oracle(
            config,
            expected(judge, catalogue, level),
            lambda text: self.judge(version, build, text),
            self.quick_conf(version, build).settled,
        )

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


def skip_without(build):
    needs = BUILDS[build].needs
    if not shutil.which(needs):
        pytest.skip(f"{needs} is not installed")
