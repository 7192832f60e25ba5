# SPDX-License-Identifier: GPL-2.0-only
"""Does the model write the same .config as the tree's own conf, byte for byte?

For each architecture of a tree: allnoconfig and the like, every defconfig, configs
that the user gives, and random ones (mutants.py). Both sides run in the environment
that the kernel's make hands to conf, and know the same results of compiler tests,
which are compared by themselves, with one config for which conf runs them.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from pathlib import Path

from gen import dotconfig
from gen.conformance.architectures import ARCHITECTURES, cross_compile
from gen.errors import UserError
from gen.conformance.mutants import Mutants
from gen.savefile import told, write
from gen.tree.allconfig import KINDS
from gen.tree.kbuild import Tree, open_tree
from gen.tree.model import Model
from gen.tree.profile import probe
from gen.tree.quickconf import QuickConf

_TOLD = 5  # differing configs of which lines are shown
_LINES = 6
_NAMES = 10  # symbols that differ most often
_SYMBOL = re.compile(r"(?:# )?CONFIG_(\w+)")


@dataclass(frozen=True)
class Request:
    """What to compare. `variables` are for the kernel's make, without ARCH; `seeds`
    is the number of random configs; `folder` is where differing configs are kept."""

    kdir: Path
    archs: Sequence[str]
    variables: Mapping[str, str]
    seeds: int
    configs: Sequence[Path]
    folder: Path


@dataclass(frozen=True)
class Case:
    """A config: a text for conf --olddefconfig, or a kind of all*config."""

    name: str
    text: str = ""
    kind: str | None = None  # of KINDS

    def ours(self, model: Model) -> str:
        """What the model writes."""
        if self.kind:
            return model.all_config(self.kind)
        model.load(self.text)
        return model.text()

    def theirs(self, conf: QuickConf) -> str:
        """What conf writes."""
        return conf.all_config(self.kind) if self.kind else conf.settle(self.text)


@dataclass(frozen=True)
class Difference:
    """A config of which model and conf write something else."""

    name: str
    folder: Path  # with the files input, model and conf
    lines: list[str]  # that only one side has
    symbols: set[str]  # in these lines


@dataclass(frozen=True)
class Compared:
    """What came out for one architecture."""

    arch: str
    tree: Tree
    compiler: str
    count: int
    differing: list[Difference]


@dataclass(frozen=True)
class NotCompared:
    """An architecture for which there is no answer."""

    arch: str
    reason: str


Result = Compared | NotCompared


def compare_all(request: Request) -> Iterator[Result]:
    """Compare one architecture after the other.

    Raises UserError for faults that have to do with no architecture.
    """
    if "ARCH" in request.variables:
        raise UserError("ARCH=: name the architectures with --arch (ARCHS=) instead")
    for path in request.configs:
        dotconfig.read_text(path)
    for arch in request.archs:
        try:
            yield _one(request, arch)
        except UserError as error:
            yield NotCompared(arch, str(error))
        # A parse is kept from the garbage collector; here it is of no more use
        gc.unfreeze()
        gc.collect()


def _one(request: Request, arch: str) -> Compared:
    tree = open_tree(request.kdir, _variables(arch, request))
    # No cache of compiler tests, which might have missed a new tool
    model = Model(tree, None)
    compiler = model.value("CC_VERSION_TEXT") or tree.env["CC"]
    kept = request.folder / f"{tree.version}-{arch}"
    if kept.exists():
        with told(kept, "removed"):
            shutil.rmtree(kept)
    configs = [(str(path), dotconfig.read_text(path)) for path in request.configs]
    # Once, conf is to find out by itself what the compiler can do
    alone = [Case("own-compiler-tests", kind="alldef")]
    count, differing = compare(tree, model, alone, {}, kept)
    every = cases(tree, model, configs, request.seeds)
    more, others = compare(tree, model, every, model.answers(), kept)
    return Compared(arch, tree, compiler, count + more, differing + others)


def _variables(arch: str, request: Request) -> dict[str, str]:
    """The variables for the kernel's make, with a compiler for the architecture."""
    given = request.variables
    variables = {"ARCH": arch, **given}
    if any(given.get(v) or os.environ.get(v) for v in ("CROSS_COMPILE", "LLVM")):
        return variables
    unknown = arch not in ARCHITECTURES and (request.kdir / "arch" / arch).is_dir()
    if unknown and "CC" not in given:
        raise UserError(
            f"no compiler is known for ARCH={arch}: name one with CROSS_COMPILE=, "
            f"CC= or LLVM=1 (known are {', '.join(ARCHITECTURES)})"
        )
    prefix = cross_compile(arch)
    if prefix and "CC" not in given and not shutil.which(f"{prefix}gcc"):
        raise UserError(
            f"the compiler {prefix}gcc is missing: install "
            f"{ARCHITECTURES[arch].package} (Debian's name), or name another with "
            "CROSS_COMPILE= or LLVM=1"
        )
    return variables | {"CROSS_COMPILE": prefix}


def cases(
    tree: Tree, model: Model, configs: Iterable[tuple[str, str]], seeds: int
) -> Iterator[Case]:
    """All configs to compare: name and text of each in `configs` among them."""
    for kind in KINDS:
        yield Case(f"{kind}config", kind=kind)
    defconfigs = list(_defconfigs(tree))
    yield from defconfigs
    for name, text in configs:
        yield Case(name, text)
    mutants = Mutants(model, [case.text for case in defconfigs])
    for seed in range(seeds):
        yield Case(*mutants.make(seed))


def _defconfigs(tree: Tree) -> Iterator[Case]:
    folder = tree.source / "arch" / tree.srcarch / "configs"
    for path in sorted(folder.rglob("*defconfig")):
        yield Case(str(path.relative_to(folder)), dotconfig.read_text(path))


def compare(
    tree: Tree,
    model: Model,
    configs: Iterable[Case],
    answers: Mapping[str, str],
    kept: Path,
) -> tuple[int, list[Difference]]:
    """The number of configs compared, and those that differ, to be found in `kept`.

    conf runs the compiler tests that are not among the `answers`.
    """
    count = 0
    differing = []
    with tempfile.TemporaryDirectory(prefix="hardened-") as scratch:
        with QuickConf(tree, Path(scratch), answers) as conf:
            for case in configs:
                count += 1
                ours, theirs = case.ours(model), case.theirs(conf)
                if ours != theirs:
                    differing.append(_difference(case, ours, theirs, kept))
    return count, differing


def _difference(case: Case, ours: str, theirs: str, kept: Path) -> Difference:
    folder = kept / case.name.replace("/", "_")
    with told(folder, "created"):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("input", case.text), ("model", ours), ("conf", theirs)):
        write(folder / name, text)
    a, b = ours.splitlines(), theirs.splitlines()
    only_a, only_b = set(a) - set(b), set(b) - set(a)
    lines = [f"model: {line}" for line in a if line in only_a]
    lines += [f"conf:  {line}" for line in b if line in only_b]
    if not lines:
        # The same lines in another order
        pairs = enumerate(zip_longest(a, b, fillvalue="(end)"), 1)
        number, (x, y) = next((n, pair) for n, pair in pairs if pair[0] != pair[1])
        lines = [f"model: line {number}: {x}", f"conf:  line {number}: {y}"]
    found = (_SYMBOL.match(line) for line in only_a | only_b)
    return Difference(case.name, folder, lines, {m[1] for m in found if m})


# -- What the user reads ----------------------------------------------------------


def exit_code(results: Iterable[Result]) -> int:
    """0: all is identical; 1: something differs; 2: something was not compared."""
    codes = (
        2 if isinstance(result, NotCompared) else 1 if result.differing else 0
        for result in results
    )
    return max(codes, default=0)


def rules(kdir: Path) -> str:
    """Which of the rules that differ between trees were found in scripts/kconfig."""
    with told(kdir / "scripts/kconfig", "read; is this a kernel tree?"):
        profile = probe(kdir)
    names = [item.name for item in fields(profile)]
    found = ", ".join(name for name in names if getattr(profile, name))
    absent = ", ".join(name for name in names if not getattr(profile, name))
    return f"rules found in scripts/kconfig: {found or 'none'}; not: {absent or 'none'}"


def as_text(result: Result) -> str:
    """The lines of the report on one architecture."""
    if isinstance(result, NotCompared):
        return f"{result.arch}: NOT COMPARED: {result.reason}"
    differing = len(result.differing)
    first = (
        f"{result.arch} {result.tree.version}: compared {result.count}, identical "
        f"{result.count - differing}, differing {differing} ({result.compiler})"
    )
    return "\n".join([first, *_differences(result.differing)])


def _differences(differing: list[Difference]) -> Iterator[str]:
    for difference in differing[:_TOLD]:
        yield f"  differs: {difference.name} (input, model, conf: {difference.folder})"
        for line in difference.lines[:_LINES]:
            yield f"    {line}"
        if len(difference.lines) > _LINES:
            yield f"    ... {len(difference.lines)} such lines"
    more = [difference.name for difference in differing[_TOLD:]]
    if more:
        yield f"  differ too: {' '.join(more)}"
    counts = Counter(name for item in differing for name in item.symbols)
    if counts:
        often = (f"{name} ({n})" for name, n in counts.most_common(_NAMES))
        yield f"  symbols that differ most often: {', '.join(often)}"
