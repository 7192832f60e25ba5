# SPDX-License-Identifier: GPL-2.0-only
"""The main job: bring the .config of a kernel tree to a level."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.apply import Plan
from gen.base import base_of
from gen.catalogue import read_catalogue
from gen.entries import Entry, Level
from gen.errors import UserError
from gen.levels import wanted
from gen.report import Change, Report, as_json, run_time_wishes
from gen.savefile import replacement, scratch_folder, told
from gen.tree.conf import Conf
from gen.tree.kbuild import Tree, open_tree
from gen.settings import KCONFIG
from gen.target import Target, target_of
from gen.tree.model import Model
from gen.verdicts import Judge


@dataclass(frozen=True)
class Request:
    """What the user asked for.

    `variables` are those of the kernel's make (O, ARCH, ...); `base` is a config
    to start from in place of the tree's own; `report` is where the JSON report goes;
    `cache` is a folder for the results of compiler tests.
    """

    level: Level
    kdir: Path
    catalogue: Path
    variables: Mapping[str, str]
    base: Path | None = None
    report: Path | None = None
    cache: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """`changed` is false if `config` was as wanted before."""

    report: Report
    config: Path
    changed: bool
    warnings: list[str]


def configure(request: Request) -> Outcome:
    """Apply a level to a tree's .config, judge the result, and save both.

    Until everything is known and stands on the disk, the .config is not touched.
    UserError has every fault that a user can mend.
    """
    with ThreadPoolExecutor(1) as pool:
        # The kernel's make and docutils have nothing to wait for in each other.
        opening = pool.submit(open_tree, request.kdir, request.variables)
        catalogue = read_catalogue(request.catalogue)
        tree = opening.result()
    with _alone(tree.output):
        base, source = base_of(tree, request.base)
        warnings = dotconfig.idle_lines(base, source)
        result = _settle(request, tree, catalogue, base, source)
        if result.surprises and result.model.cached:
            # A tool has changed in a way that the cache could not see
            result.model.drop_cache()
            result = _settle(request, tree, catalogue, base, source)
        if result.surprises:
            names = ", ".join(result.surprises[:5])
            warnings.append(
                f"conf decided otherwise than expected on {len(result.surprises)} "
                f"symbols ({names}, ...); the verdicts are right, reasons may not be"
            )
        report = _judge(request, tree, source, result)
        changed = _save(request, tree, report, result.text)
        result.model.keep_cache()
    return Outcome(report, tree.config, changed, warnings + result.warnings)


@dataclass(frozen=True)
class _Settled:
    """`text` is conf's, `config` what it says; `surprises` are symbols for which the
    model foresaw another value.  The model is in the final state."""

    target: Target
    entries: list[Entry]
    plan: Plan
    model: Model
    text: str
    config: dict[str, str]
    surprises: list[str]
    warnings: list[str]


def _settle(
    request: Request, tree: Tree, catalogue: list[Entry], base: str, source: str
) -> _Settled:
    folder = tree.config.parent
    with told(folder, "created"):
        folder.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder) as scratch, Conf(tree, scratch) as conf:
        model = Model(tree, request.cache)
        warnings = [f"{source}:{warning}" for warning in model.load(base)]
        target = target_of(tree, model)
        plan = Plan(model, target, catalogue)
        entries = wanted(catalogue, request.level, target)
        plan.make(entries)
        # While conf is still reading
        foreseen = dotconfig.parse(model.text(), "the model")
        text = conf.settle(plan.text())
    final = dotconfig.parse(text, str(tree.config))
    differing = {name for name, _ in foreseen.items() ^ final.items()}
    if differing:
        model.load(text)
    return _Settled(
        target, entries, plan, model, text, final, sorted(differing), warnings
    )


def _judge(request: Request, tree: Tree, source: str, result: _Settled) -> Report:
    judge = Judge(result.config, result.model, tree, result.target)
    plan = result.plan
    verdicts = [judge.judge(wish) for wish in plan.wishes]
    return Report(
        release=tree.version,
        target=result.target,
        level=request.level,
        source=source,
        verdicts=verdicts,
        prerequisites=plan.extras(),
        changes=_changes(plan, result.model, result.config),
        run_time=run_time_wishes(
            (v for v in verdicts if result.target.suits(v.entry)),
            _run_time_entries(result, judge),
        ),
    )


def _run_time_entries(result: _Settled, judge: Judge) -> list[Entry]:
    """Entries for boot parameters and sysctls that do something in this kernel."""
    return [
        entry
        for entry in result.entries
        if entry.setting.kind != KCONFIG
        and result.target.suits(entry)
        and not any(map(judge.holds, entry.stronger))
    ]


def _changes(plan: Plan, model: Model, config: Mapping[str, str]) -> list[Change]:
    """What is different from the base without having been asked for."""
    before = dotconfig.parse(plan.base, "the base")
    asked = {w.name for w in plan.wishes} | set(plan.assignments)
    return [
        Change(name, model.has_prompt(name), before.get(name), config.get(name))
        for name in sorted(before.keys() | config.keys())
        if before.get(name) != config.get(name) and name not in asked
    ]


def _save(request: Request, tree: Tree, report: Report, text: str) -> bool:
    """Write the report and the .config, if it changes; whether it does.

    Like conf, this leaves .config.old alone where nothing changes.
    """
    config = dotconfig.destination(tree.config)
    changed = not config.is_file() or dotconfig.read_text(config) != text
    with ExitStack() as stack:
        files = []
        if request.report:
            file = Path(os.path.realpath(request.report))
            files.append(replacement(file, as_json(report)))
        if changed:
            files.append(replacement(config, text, keep_old=True))
        for commit in [stack.enter_context(file) for file in files]:
            commit()
    return changed


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Refuse to work in an output folder in which another run is at work."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"{folder}: another run is at work here; try again when it is done"
            ) from error
        except OSError:
            pass  # this file system has no locks
        yield
    finally:
        os.close(descriptor)
