# SPDX-License-Identifier: GPL-2.0-only
"""`python3 -m gen conformance`: what it finds, and that it cannot pass by mistake.

The short comparison of real trees is part of every run; that of all architectures,
defconfigs and a hundred random configs each needs --long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from small_tree import SRCARCH, make_tree
from surroundings import KEPT, ROOT, kernel_source
from tree_random import RandomKconfig
from tree_support import (
    HOST_PAIRS,
    KERNELS,
    differences,
    each,
    kernel_model,
    kernel_tree,
    quick_tree,
    settle,
    tiny_tree,
)

from gen.conformance.architectures import ARCHITECTURES, Architecture
from gen.cli import main
from gen.conformance.conformance import (
    Case,
    Compared,
    Request,
    cases,
    compare,
    compare_all,
)
from gen.conformance.mutants import Mutants
from gen.tree.allconfig import KINDS
from gen.tree.kbuild import Tree, TreeError
from gen.tree.model import Model
from gen.tree.profile import Profile, probe
from gen.tree.quickconf import QuickConf

DEFCONFIGS = 2
RANDOM = 6  # one of each kind
HOST = {"x86": "x86_64"}.get(SRCARCH, SRCARCH)


# -- Real trees -------------------------------------------------------------------


def short(pair: str) -> list[Case]:
    tree, model = kernel_tree(pair), kernel_model(pair)
    every = list(cases(tree, model, [], RANDOM))
    given = every[: len(KINDS) + DEFCONFIGS]
    return [*given, *every[-RANDOM:]]


@each()
def test_short(pair: str, tmp_path: Path) -> None:
    tree, model = kernel_tree(pair), kernel_model(pair)
    count, differing = compare(tree, model, short(pair), model.answers(), tmp_path)
    assert not differing
    assert count >= len(KINDS) + 1 + RANDOM


@pytest.mark.long
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("version", [*KERNELS, "7.2"])
def test_everything(
    version: str,
    arch: str,
    debian_config: Callable[..., Path],
    tmp_path: Path,
) -> None:
    """With the config of Debian's kernel, and others of Debian's as far as fetched."""
    debian = debian_config(version, "cloud", "amd64")
    request = Request(
        kdir=kernel_source(version),
        archs=[arch],
        variables={"O": str(KEPT / f"{version}-conformance")},
        seeds=100,
        configs=sorted(debian.parent.glob("*.config")),
        folder=tmp_path,
    )
    (result,) = compare_all(request)
    assert isinstance(result, Compared), result
    assert not result.differing
    assert result.count > 1 + len(KINDS) + 100 + 1


# -- A model that is wrong --------------------------------------------------------


def broken_model(pair: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> Model:
    """A model that takes one rule for the opposite of what the tree says."""

    def wrong(source: Path) -> Profile:
        right = probe(source)
        return replace(right, **{rule: not getattr(right, rule)})

    monkeypatch.setattr("gen.tree.model.probe", wrong)
    return Model(kernel_tree(pair), KEPT / "cache")


@each(["6.12-x86_64"], long=[])
def test_a_broken_rule_is_found(
    pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = broken_model(pair, "imply_needs_depends", monkeypatch)
    tree = kernel_tree(pair)
    (defconfig,) = islice(cases(tree, model, [], 0), len(KINDS), len(KINDS) + 1)
    count, (found,) = compare(tree, model, [defconfig], model.answers(), tmp_path)
    assert (count, found.name) == (1, "i386_defconfig")
    assert found.symbols and len(found.lines) >= len(found.symbols)
    # What is kept is enough to see it again
    text = (found.folder / "input").read_text("utf-8", "surrogateescape")
    theirs = (found.folder / "conf").read_text("utf-8", "surrogateescape")
    assert settle(quick_tree(pair), tmp_path, text) == theirs
    model.load(text)
    assert model.text() == (found.folder / "model").read_text()
    assert model.text() != theirs


@pytest.mark.long
@pytest.mark.parametrize(
    "pair, rule",
    [
        ("6.1-x86_64", "drops_out_of_range"),
        ("6.1-x86_64", "imply_needs_depends"),
        ("6.12-x86_64", "all_skips_choices"),
        ("6.12-x86_64", "exact_unset"),
        ("7.3-x86_64", "choice_is_menu"),
        ("7.3-x86_64", "number_is_zero"),
    ],
)
def test_more_broken_rules(
    pair: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that show on real trees, among the first dozen random configs."""
    model = broken_model(pair, rule, monkeypatch)
    configs = cases(kernel_tree(pair), model, [], 12)
    assert compare(kernel_tree(pair), model, configs, model.answers(), tmp_path)[1]


# -- allnoconfig and the like -----------------------------------------------------

CHOICES = """\
config MODULES
\tbool "modules"
\tmodules
config HIDDEN
\ttristate
\tdefault m
config M
\ttristate "m"
\tdepends on m
choice
\tprompt "first"
\tdefault B
config A
\tbool "a"
config B
\tbool "b"
endchoice
choice
\tprompt "no default"
\tdepends on M
config C
\tbool "c"
config D
\tbool "d"
\tdepends on MODULES
endchoice
config NUMBER
\tint "number"
\trange 3 9
"""
TRANSITIONAL = """\
config OLD_NAME
\tbool
\ttransitional
config NEW_NAME
\tbool
\tdefault OLD_NAME
"""
OLD_CHOICES = """\
choice
\ttristate "tristate"
config E
\ttristate "e"
config F
\ttristate "f"
config G
\tbool "g"
endchoice
choice
\tbool "optional"
\toptional
config H
\tbool "h"
config I
\tbool "i"
endchoice
choice
\ttristate "both"
\toptional
config J
\ttristate "j"
config K
\ttristate "k"
endchoice
"""


@each(HOST_PAIRS)
def test_all_alike_with_choices(pair: str, tmp_path: Path) -> None:
    more = {"6.1": OLD_CHOICES, "6.12": ""}.get(pair.split("-")[0], TRANSITIONAL)
    check_all_alike(tiny_tree(pair, tmp_path, CHOICES + more))


@each(HOST_PAIRS)
def test_all_alike_on_random_trees(pair: str, tmp_path: Path) -> None:
    accepted = 0
    for seed in range(12):
        kconfig = RandomKconfig(Random(seed), pair)
        tree = tiny_tree(pair, tmp_path / str(seed), kconfig.text)
        try:
            settle(tree, tree.output, "")
        except TreeError:
            continue
        check_all_alike(tree)
        accepted += 1
    assert accepted > 6, "conf refuses most of the trees"


def check_all_alike(tree: Tree) -> None:
    model = Model(tree, None)
    scratch = tree.output / "scratch"
    scratch.mkdir()
    with QuickConf(tree, scratch, {}) as conf:
        for kind in KINDS:
            ours, theirs = model.all_config(kind), conf.all_config(kind)
            assert ours == theirs, f"{kind}: {differences(ours, theirs)}"
            # Nothing of it is left in what is loaded next
            model.load("")
            assert model.text() == conf.settle(""), kind


# -- conf, and what it is told ----------------------------------------------------


@pytest.fixture(scope="module", name="small")
def fixture_small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tree(kernel_source("6.12"), tmp_path_factory.mktemp("small") / "linux")


@each(["6.1-x86_64", "7.3-arm64"], long=[])
def test_one_conf_for_many_configs(pair: str, tmp_path: Path) -> None:
    """It settles each as a conf of its own would, in any order."""
    tree, model = kernel_tree(pair), kernel_model(pair)
    mutants = Mutants(model, [])
    texts = [mutants.make(seed)[1] for seed in (1, 3)]
    (tmp_path / "quick").mkdir()
    with QuickConf(tree, tmp_path / "quick", model.answers()) as conf:
        quick = [conf.settle(text) for text in texts]
        assert [conf.settle(text) for text in reversed(texts)] == quick[::-1]
    assert len(set(quick)) == len(texts)
    for text, settled in zip(texts, quick):
        assert settled == settle(quick_tree(pair), tmp_path, text)


def test_answers_are_used(tmp_path: Path) -> None:
    """A command is run if, and only if, the answer is not known."""
    text = "config OUT\n\tstring\n\tdefault \"$(shell,echo 'from a shell')\"\n"
    tree = tiny_tree("6.12-x86_64", tmp_path, text)
    wrong = {"echo 'from a shell'": "as told"}
    for answers, value in (({}, "from a shell"), (wrong, "as told")):
        scratch = tmp_path / value
        scratch.mkdir()
        with QuickConf(tree, scratch, answers) as conf:
            assert f'CONFIG_OUT="{value}"\n' in conf.all_config("alldef")
            assert f'CONFIG_OUT="{value}"\n' in conf.settle("")


def test_conf_that_fails(tmp_path: Path) -> None:
    tree = tiny_tree("6.12-x86_64", tmp_path, "config A\n\tnonsense\n")
    with QuickConf(tree, tmp_path, {}) as conf:
        for run in (lambda: conf.all_config("alldef"), lambda: conf.settle("")):
            with pytest.raises(TreeError, match=r"Kconfig:2.*nonsense"):
                run()


# -- Random configs ---------------------------------------------------------------


def test_random_configs_are_the_same_each_time() -> None:
    model = kernel_model("6.12-x86_64")
    names = []
    for seed in range(RANDOM):
        first = Mutants(model, ["CONFIG_NET=y\n"]).make(seed)
        assert Mutants(model, ["CONFIG_NET=y\n"]).make(seed) == first
        names.append(first[0])
    assert len({name.split("-")[-1] for name in names}) == RANDOM


# -- The command ------------------------------------------------------------------


@pytest.fixture(name="run")
def fixture_run(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run the command on the small tree: exit code and output."""

    def run(*more: str, arch: tuple[str, ...] = (HOST,)) -> tuple[int, str]:
        words = ["conformance", "--kdir", str(small), "--seeds", "12"]
        folder = ["--folder", str(tmp_path / "kept")]
        code = main([*words, *folder, *more, "--arch", *arch])
        output = capsys.readouterr()
        return code, output.out + output.err

    return run


def test_identical(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    config = tmp_path / "user.config"
    config.write_text("CONFIG_LOCK_INTEGRITY=y\n")
    code, output = run("--config", str(config))
    # own tests, all*config, one defconfig, the user's, 12 random ones
    assert f"{HOST} 6.12." in output
    assert "compared 19, identical 19, differing 0" in output
    assert "rules found in scripts/kconfig: choice_is_menu, " in output
    assert code == 0
    assert not (tmp_path / "kept").exists()


def test_differing(
    run: Callable[..., tuple[int, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = Model.load
    monkeypatch.setattr(
        Model, "load", lambda self, text: load(self, text.replace("EXPERT=y", "X"))
    )
    config = tmp_path / "user.config"
    config.write_text("CONFIG_EXPERT=y\n")
    code, output = run("--config", str(config))
    assert code == 1
    assert "differing 0" not in output
    (kept,) = (tmp_path / "kept").glob("*/*user.config")
    assert f"differs: {config} (input, model, conf: {kept})" in output
    assert "model: # CONFIG_EXPERT is not set" in output
    assert "conf:  CONFIG_EXPERT=y" in output
    assert "symbols that differ most often: EXPERT (" in output
    assert (kept / "input").read_text() == "CONFIG_EXPERT=y\n"
    # What an earlier run has kept is gone when there is nothing to keep
    monkeypatch.setattr(Model, "load", load)
    assert run()[0] == 0
    assert not kept.exists()


def test_missing_compiler(
    run: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One architecture is not compared and says why; the others are."""
    none = Architecture((), "no-such-machine-", "gcc-no-such-machine")
    monkeypatch.setitem(ARCHITECTURES, "riscv", none)
    code, output = run(arch=("riscv", HOST))
    assert code == 2
    assert "riscv: NOT COMPARED: the compiler no-such-machine-gcc is miss" in output
    assert "install gcc-no-such-machine" in output
    assert f"{HOST} 6.12." in output and "differing 0" in output


def test_unknown_architecture(run: Callable[..., tuple[int, str]]) -> None:
    code, output = run(arch=("vax",))
    assert code == 2
    assert "vax: NOT COMPARED: " in output and "no architecture 'vax'" in output


def test_syntax_that_is_unknown(
    run: Callable[..., tuple[int, str]], small: Path
) -> None:
    """As a newer kernel may have it."""
    top = small / "Kconfig"
    text = top.read_text()
    top.write_text(text + "config NEW\n\tbool\n\tforthcoming keyword\n")
    try:
        code, output = run()
    finally:
        top.write_text(text)
    line = text.count("\n") + 3
    assert code == 2
    assert f"{HOST}: NOT COMPARED: {small}: Kconfig:{line}: " in output
    assert "forthcoming" in output


def test_faults(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, output = run("--make", "ARCH=arm64")
    assert code == 2 and "--arch" in output
    code, output = run("--config", str(tmp_path / "none"))
    assert code == 2 and f"{tmp_path}/none: cannot be read" in output
    code, output = run("--kdir", str(tmp_path))
    assert code == 2 and "kernel tree" in output and str(tmp_path) in output


def test_compilers_can_be_installed() -> None:
    """deps.sh knows the compiler for each architecture but x86, which needs none."""
    rows = (ROOT / "kconfig/deps.sh").read_text().splitlines()
    for name, arch in ARCHITECTURES.items():
        if "x86_64" in arch.machines:
            continue
        (row,) = (row.split() for row in rows if row.split()[:1] == [arch.package])
        assert row[1] == f"cmd:{arch.prefix}gcc"
        assert {"cross", f"cross-{name}"} <= set(row[2].split(","))


def test_an_architecture_without_a_known_compiler(
    run: Callable[..., tuple[int, str]], small: Path
) -> None:
    """The native compiler will not do for it, though conf would run."""
    folder = small / "arch/mips"
    folder.mkdir()
    try:
        code, output = run(arch=("mips",))
    finally:
        folder.rmdir()
    assert code == 2
    assert "mips: NOT COMPARED: no compiler is known for ARCH=mips" in output
