# SPDX-License-Identifier: GPL-2.0-only
"""What prerequisites and explanations of a whole level add to a run.

For each base and level, in one process and in turn: the assignments that a level ends
up with, applied to the base at once ("assign", and once more as A/A), and all of the
planning, judging, explaining and telling of consequences that a run does ("whole").
"adds" is the difference.  "explain" asks why, for each setting that the base lacks.
These are seconds of processor time, in which other programs do not count.  Then the
command itself: its wall time, and the most memory that it or a program that it started
had at any time.

Without a cross compiler for arm64, only x86_64 is measured.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from gen import dotconfig  # noqa: E402
from gen.apply import Plan  # noqa: E402
from gen.catalogue import read_catalogue  # noqa: E402
from gen.entries import Entry, Level  # noqa: E402
from gen.knockon import changes  # noqa: E402
from gen.levels import wanted  # noqa: E402
from gen.settings import KCONFIG  # noqa: E402
from gen.target import target_of  # noqa: E402
from gen.tree.kbuild import Tree, open_tree  # noqa: E402
from gen.tree.model import Model  # noqa: E402
from gen.verdicts import Judge  # noqa: E402
from gen.wishes import aim, make_wish  # noqa: E402

#: Without what a make around us has left there
ENV = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
ROUNDS = 5
BASES = ("defconfig", "allnoconfig")
MACHINES = {
    "x86_64": {"ARCH": "x86_64"},
    "arm64": {"ARCH": "arm64", "CROSS_COMPILE": "aarch64-linux-gnu-"},
}


def timed(job: Callable[[], None]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


class Cell:
    """One tree, base and level."""

    def __init__(
        self, tree: Tree, model: Model, catalogue: list[Entry], base: str, level: Level
    ) -> None:
        self._tree = tree
        self._model = model
        self._catalogue = catalogue
        self._base = base
        model.load(base)
        self._target = target_of(tree, model)
        self._entries = wanted(catalogue, level, self._target)
        self._plan = Plan(model, self._target, catalogue)
        self._plan.make(self._entries)

    def assign(self) -> None:
        self._model.load(self._plan.text())
        self._model.text()

    def whole(self) -> None:
        model = self._model
        model.load(self._base)
        plan = Plan(model, self._target, self._catalogue)
        plan.make(self._entries)
        config = dotconfig.parse(model.text(), "the model")
        judge = Judge(config, model, self._tree, self._target)
        for wish in plan.wishes:
            judge.judge(wish)
        before = dotconfig.parse(plan.base, "the base")
        list(changes(before, config, plan.assignments, model))

    def explain(self) -> None:
        model = self._model
        model.load(self._base)
        for entry in self._entries:
            wish = make_wish(model, entry) if entry.setting.kind == KCONFIG else None
            if wish and wish.name and not wish.held_before:
                model.why(wish.name, aim(model, wish.setting) or "")


def seconds(times: list[float]) -> str:
    return f"{statistics.median(times):6.2f} ({min(times):.2f}-{max(times):.2f})"


def command(
    source: Path, variables: Mapping[str, str], base: Path, level: Level, cache: Path
) -> tuple[float, float]:
    """Wall time in seconds and peak memory in MiB of one run."""
    words = [sys.executable, "-m", "gen", "config", "--level", str(level)]
    words += ["--kdir", str(source), "--base", str(base), "--cache", str(cache)]
    for pair in variables.items():
        words += ["--make", "=".join(pair)]
    start = time.perf_counter()
    process = subprocess.Popen(words, cwd=ROOT, env=ENV, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(words)}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def measure(source: Path, name: str, scratch: Path) -> None:
    variables = MACHINES[name] | {"O": str(scratch)}
    make = ["make", "-s", "-C", str(source), *map("=".join, variables.items())]
    cache = scratch / "cache"
    tree = open_tree(source, variables)
    model = Model(tree, cache)
    model.keep_cache()
    catalogue = read_catalogue(ROOT / "docs/catalogue")
    for goal in BASES:
        base = scratch / f"{goal}.base"
        subprocess.run([*make, f"KCONFIG_CONFIG={base}", goal], env=ENV, check=True)
        for level in Level:
            cell = Cell(tree, model, catalogue, base.read_text(), level)
            jobs = [cell.assign, cell.assign, cell.whole, cell.explain]
            rounds = [[timed(job) for job in jobs] for _ in range(ROUNDS)]
            first, again, whole, explain = (list(times) for times in zip(*rounds))
            adds = [w - f for w, f in zip(whole, first)]
            runs = [command(source, variables, base, level, cache) for _ in range(3)]
            print(f"{name:6} {goal:11} {str(level):7}", end="")
            for column in (first, again, whole, adds, explain):
                print(f" {seconds(column):>18}", end="")
            peak = max(memory for _, memory in runs)
            print(f" {seconds([wall for wall, _ in runs]):>18} {peak:5.0f}", flush=True)


def main(source: Path) -> None:
    print(
        f"{source.name}, {os.cpu_count()} cores, {ROUNDS} alternating rounds;", end=""
    )
    print(" seconds: median (min-max); MiB")
    columns = ("assign", "A/A", "whole", "adds", "explain", "command")
    print(f"{'':25}", *(f"{column:>18}" for column in columns), " peak")
    for name, variables in MACHINES.items():
        if shutil.which(f"{variables.get('CROSS_COMPILE', '')}gcc"):
            with tempfile.TemporaryDirectory() as scratch:
                measure(source, name, Path(scratch))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
