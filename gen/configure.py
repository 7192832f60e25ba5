# SPDX-License-Identifier: GPL-2.0-only
"""The main job: bring the .config of a kernel tree to a level."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.apply import Plan
from gen.base import base_of, foreign, opened
from gen.clauses import clause_text
from gen.entries import Entry, Level
from gen.errors import UserError
from gen.knockon import OFF, Change, changes
from gen.levels import wanted
from gen.lock import alone
from gen.pins import Pin, mark, marked, read_pins
from gen.report import Report, as_json, run_time_wishes
from gen.savefile import check_apart, replacement, scratch_folder, told
from gen.tree.conf import Conf
from gen.tree.kbuild import Tree
from gen.settings import KCONFIG
from gen.target import Target, target_of
from gen.tree.model import Model
from gen.verdicts import Judge


@dataclass(frozen=True)
class Request:
    """What the user asked for.

    `variables` are those of the kernel's make (O, ARCH, ...); `base` is a config
    to start from in place of the tree's own; `report` is where the JSON report goes;
    `cache` is a folder for the results of compiler tests; `keep` has settings that
    are to stay as they are.  A dry run writes the report, but no .config.
    """

    level: Level
    kdir: Path
    catalogue: Path
    variables: Mapping[str, str]
    base: Path | None = None
    report: Path | None = None
    cache: Path | None = None
    keep: Path | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class Outcome:
    """`changed` is false if `config` was as wanted before."""

    report: Report
    config: Path
    changed: bool
    warnings: list[str]


def configure(request: Request, announce: Callable[[Outcome], None]) -> Outcome:
    """Apply a level to a tree's .config, judge the result, and save both.

    `announce` learns the outcome before anything is written.  Until everything is
    known and stands on the disk, the .config is not touched; in a dry run it never is.
    UserError has every fault that a user can mend.
    """
    tree, catalogue = opened(request.kdir, request.variables, request.catalogue)
    check_apart(request.report, tree.config, request.base, request.keep)
    with alone(tree.output):
        base = _base(request, tree)
        result = _settle(request, tree, catalogue, base)
        if result.surprises and result.model.cached:
            # A tool has changed in a way that the cache could not see
            result.model.drop_cache()
            result = _settle(request, tree, catalogue, base)
        warnings = base.warnings + result.warnings
        if result.surprises:
            names = ", ".join(result.surprises[:5])
            warnings.append(
                f"conf decided otherwise than expected on {len(result.surprises)} "
                f"symbols ({names}, ...); the verdicts are right, reasons may not be"
            )
        _check_pins(base.pins, result)
        report = _judge(request, tree, base.source, result)
        config = dotconfig.destination(tree.config)
        text = mark(result.text, base.marked)
        changed = not config.is_file() or dotconfig.read_text(config) != text
        outcome = Outcome(report, tree.config, changed, warnings)
        announce(outcome)
        writes = changed and not request.dry_run
        _save(request.report, report, config, text if writes else None)
        result.model.keep_cache()
    return outcome


@dataclass(frozen=True)
class _Base:
    """A config to start from; `marked` are the pins that its `# keep` lines make,
    `given` those of a file of their own, which win."""

    text: str
    source: str
    marked: list[Pin]
    given: list[Pin]
    warnings: list[str]

    @property
    def pins(self) -> list[Pin]:
        return list({pin.name: pin for pin in [*self.marked, *self.given]}.values())


def _base(request: Request, tree: Tree) -> _Base:
    text, source = base_of(tree, request.base)
    return _Base(
        text=text,
        source=source,
        marked=marked(text, source),
        given=read_pins(request.keep) if request.keep else [],
        warnings=foreign(text, source, tree) + dotconfig.idle_lines(text, source),
    )


@dataclass(frozen=True)
class _Settled:
    """`text` is conf's, `config` what it says and `before` what the base says;
    `surprises` are symbols for which the model foresaw another value.  The model is in
    the final state."""

    target: Target
    entries: list[Entry]
    before: dict[str, str]
    plan: Plan
    model: Model
    text: str
    config: dict[str, str]
    surprises: list[str]
    warnings: list[str]


def _settle(
    request: Request, tree: Tree, catalogue: list[Entry], base: _Base
) -> _Settled:
    folder = tree.config.parent
    with told(folder, "created"):
        folder.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder) as scratch, Conf(tree, scratch) as conf:
        model = Model(tree, request.cache)
        warnings = [f"{base.source}:{w}" for w in model.load(base.text)]
        warnings += _pin_down(model, base)
        target = target_of(tree, model)
        plan = Plan(model, target, catalogue, base.pins)
        entries = wanted(catalogue, request.level, target)
        plan.make(entries)
        # While conf is still reading
        before = dotconfig.parse(plan.base, "the base")
        foreseen = dotconfig.parse(model.text(), "the model")
        text = conf.settle(plan.text())
    final = dotconfig.parse(text, str(tree.config))
    differing = {name for name, _ in foreseen.items() ^ final.items()}
    if differing:
        model.load(text)
    return _Settled(
        target, entries, before, plan, model, text, final, sorted(differing), warnings
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
        prerequisites=plan.extras,
        changes=list(_consequences(result)),
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


def _consequences(result: _Settled) -> Iterator[Change]:
    """What is different from the base without having been asked for."""
    plan = result.plan
    asked = {w.setting.name for w in plan.wishes} | set(plan.assignments)
    return changes(result.before, result.config, asked, result.model)


def _pin_down(model: Model, base: _Base) -> Iterator[str]:
    """Give the model the pins; warn of those that do not hold to begin with.

    Such a one leaves the base as it is.
    """
    _assign(model, base.given)
    idle = [pin for pin in base.pins if model.value(pin.name) != pin.value]
    for pin in idle:
        clauses = model.unmet(pin.name, pin.value)
        reason = "; ".join(map(clause_text, clauses)) or "the tree does not define it"
        yield f"{pin.origin}: {pin} does not hold in the base: {reason}"
    if idle:
        model.load(base.text)
        _assign(model, (pin for pin in base.given if pin not in idle))


def _assign(model: Model, pins: Iterable[Pin]) -> None:
    for pin in pins:
        try:
            model.assign(pin.name, pin.value)
        except ValueError as error:
            raise UserError(f"{pin.origin}: {error}; nothing was written") from error


def _check_pins(pins: Iterable[Pin], result: _Settled) -> None:
    """conf has the last word, also on what is to be kept."""
    for pin in pins:
        # Without a line in the .config a symbol is n, or an empty string
        without = pin.value if pin.value in OFF else None
        held = result.before.get(pin.name, without) == pin.value
        if held and result.config.get(pin.name, without) != pin.value:
            raise UserError(
                f"{pin.origin}: {pin} could not be kept; nothing was written"
            )


def _save(report: Path | None, content: Report, config: Path, text: str | None) -> None:
    """Write the report, if it has a place, and the .config, if it has a new text.

    Like conf, this leaves .config.old alone where nothing changes.
    """
    with ExitStack() as stack:
        files = []
        if report:
            file = Path(os.path.realpath(report))
            files.append(replacement(file, as_json(content)))
        if text is not None:
            files.append(replacement(config, text, keep_old=True))
        for commit in [stack.enter_context(file) for file in files]:
            commit()
