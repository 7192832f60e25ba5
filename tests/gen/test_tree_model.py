# SPDX-License-Identifier: GPL-2.0-only
"""What a model says of symbols: places, ranges, and why a value is out of reach."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tree_support import (
    DEFAULT_KERNEL,
    HOST_PAIRS,
    ROOT,
    each,
    kernel_model,
    kernel_tree,
    quick_tree,
    settle,
    tiny_tree,
)

from gen.tree.elsewhere import other_architecture
from gen.tree.kbuild import Tree
from gen.tree.model import Clause, Model

HOST = f"{DEFAULT_KERNEL}-x86_64"
TINY = """config MODULES
    bool "modules"
    modules
config EXPERT
    bool "expert"
config CC_HAS_OLD
    def_bool $(shell,printf n)
config CC_HAS_NEW
    def_bool $(shell,echo y) && EXPERT
config CC_VERSION
    int
    default $(shell,echo 12)
if EXPERT
menu "menu"
    depends on BASE
    visible if SHOWN
config DEEP
    bool "deep" if OTHER
    depends on ONE && \\
        (TWO || THREE) && ONE
    depends on !FOUR
endmenu
endif
config BASE
    bool "base"
config SHOWN
    bool "shown"
config OTHER
    bool "other"
config ONE
    bool "one"
config TWO
    bool "two"
config THREE
    bool "three"
config FOUR
    bool "four"
    default y
config TOOL
    bool "tool"
    depends on CC_HAS_OLD
config TOOLS
    bool "tools"
    depends on TOOL || $(shell,echo n)
config NEGATED
    bool "negated"
    depends on !$(shell,echo y)
config NEW_ENOUGH
    bool "new enough"
    depends on $(shell,echo 5) >= 6
config EITHER
    bool "either"
    depends on CC_HAS_OLD || ONE
config LATER
    bool "later"
    depends on CC_HAS_NEW
config VERSION
    bool "version"
    depends on CC_VERSION >= 14 && BASE
config HELD
    bool "held"
config HOLDER
    tristate "holder"
    select HELD if ONE
    select SECOND
config PROMPTLESS
    def_bool y
    depends on EXPERT
config PART
    tristate "part"
    depends on HOLDER
choice
    prompt "one of"
config FIRST
    bool "first"
config SECOND
    bool "second"
endchoice
config MAX
    int
    default 8 if EXPERT
    default 4
config NUMBER
    int "number"
    range 1 MAX
    default 2
"""


@pytest.fixture(name="model", scope="module")
def _model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return Model(tiny_tree(HOST, tmp_path_factory.mktemp("tiny"), TINY), None)


def line(text: str) -> int:
    """The number of a line of TINY."""
    return [each.strip() for each in TINY.split("\n")].index(text) + 1


def short(clauses: list[Clause]) -> list[tuple[int, str, list[str]]]:
    return [(clause.place.line, clause.kind, clause.failing) for clause in clauses]


def test_all_clauses_in_source_order(model: Model) -> None:
    model.load("")
    assert short(model.unmet("DEEP")) == [
        (line("if EXPERT"), "if", ["EXPERT"]),
        (line("depends on BASE"), "menu", ["BASE"]),
        (line("visible if SHOWN"), "visible if", ["SHOWN"]),
        (line('bool "deep" if OTHER'), "prompt if", ["OTHER"]),
        (line("depends on ONE && \\"), "depends on", ["ONE", "TWO", "THREE"]),
        (line("depends on !FOUR"), "depends on", ["FOUR"]),
    ]


def test_only_what_fails(model: Model) -> None:
    model.load("CONFIG_EXPERT=y\nCONFIG_BASE=y\nCONFIG_SHOWN=y\nCONFIG_OTHER=y\n")
    model.assign("ONE", "y")
    clauses = model.unmet("DEEP")
    assert short(clauses)[0] == (
        line("depends on ONE && \\"),
        "depends on",
        ["TWO", "THREE"],
    )
    assert clauses[0].text == "depends on ONE && (TWO || THREE) && ONE"
    assert str(clauses[0].place) == f"Kconfig:{clauses[0].place.line}"
    model.assign("THREE", "y")
    model.assign("FOUR", "n")
    assert model.unmet("DEEP") == []
    assert model.value("DEEP") == "n", "it is visible, but nobody has set it"


def test_toolchain(model: Model) -> None:
    model.load("")
    old = "$(shell,printf n)"
    assert model.unmet("TOOL")[0].toolchain == old
    assert model.unmet("EITHER")[0].toolchain is None, "ONE would do"
    assert model.unmet("LATER")[0].toolchain is None, "EXPERT would do"
    assert model.unmet("VERSION")[0].toolchain == "$(shell,echo 12)"
    assert model.unmet("VERSION")[0].failing == ["CC_VERSION", "BASE"]
    assert model.unmet("TOOLS")[0].toolchain == f"{old}, $(shell,echo n)"
    assert model.unmet("NEGATED")[0].toolchain == "$(shell,echo y)"
    assert model.unmet("NEW_ENOUGH")[0].toolchain == "$(shell,echo 5)"


def test_select_holds(model: Model) -> None:
    model.load("CONFIG_HOLDER=y\n")
    model.assign("ONE", "y")
    [clause] = model.unmet("HELD", "n")
    assert (clause.kind, clause.failing) == ("select", ["HOLDER"])
    assert clause.text == "select HELD if ONE"
    assert model.unmet("HELD", "y") == []


def test_without_prompt(model: Model) -> None:
    model.load("CONFIG_EXPERT=y\n")
    assert not model.has_prompt("PROMPTLESS")
    assert model.value("PROMPTLESS") == "y"
    model.load("")
    assert model.unmet("PROMPTLESS")[0].failing == ["EXPERT"]


def test_modules(model: Model) -> None:
    model.load("CONFIG_HOLDER=y\n")
    [clause] = model.unmet("PART", "m")
    assert (clause.kind, clause.failing) == ("modules", ["MODULES"])
    model.load("CONFIG_MODULES=y\nCONFIG_HOLDER=m\n")
    [clause] = model.unmet("PART", "y")
    assert (clause.kind, clause.failing) == ("depends on", ["HOLDER"])
    assert model.unmet("PART", "m") == []


def test_choice(model: Model) -> None:
    model.load("")
    [clause] = model.unmet("SECOND")
    assert (clause.kind, clause.failing) == ("choice", ["FIRST"])
    model.assign("HOLDER", "y")
    assert model.unmet("SECOND") == [clause], "a member cannot be selected"
    assert model.unmet("SECOND", "n") == []
    [clause] = model.unmet("FIRST", "n")
    assert (clause.kind, clause.failing) == ("choice", ["SECOND"])
    assert clause.text == "choice"


def test_range(model: Model) -> None:
    model.load("")
    [clause] = model.unmet("NUMBER", "8")
    assert (clause.kind, clause.failing) == ("range", ["MAX"])
    assert clause.text == "range 1 MAX"
    model.assign("EXPERT", "y")
    assert model.unmet("NUMBER", "8") == []
    assert model.range("NUMBER") == (1, 8)
    assert model.range("ONE") is None


def test_default_leaves_the_rest_alone(model: Model) -> None:
    model.load("CONFIG_NUMBER=3\nCONFIG_EXPERT=y\n")
    text = model.text()
    assert model.default("NUMBER") == "2"
    assert model.default("EXPERT") == "n"
    assert model.value("NUMBER") == "3" and model.value("MAX") == "8"
    assert model.text() == text


def test_places(model: Model) -> None:
    [place] = model.places("DEEP")
    assert (place.file, place.line, place.prompt) == (
        "Kconfig",
        line("config DEEP"),
        "deep",
    )


def test_unknown_and_unfit(model: Model) -> None:
    model.load("")
    assert not model.defined("NOPE")
    assert model.value("NOPE") is model.type("NOPE") is model.default("NOPE") is None
    assert model.places("NOPE") == model.unmet("NOPE") == []
    assert model.unmet("ONE", "maybe") == model.unmet("ONE", "m") == []
    model.assign("NOPE", "y")
    for name, value in (("ONE", "m"), ("ONE", "maybe"), ("NUMBER", "0x8")):
        with pytest.raises(ValueError, match=name):
            model.assign(name, value)


@each(HOST_PAIRS)
def test_met_reasons_make_it_so(pair: str, tmp_path: Path) -> None:
    """Setting what is reported, step by step, leads to the value, says conf."""
    tree, model = quick_tree(pair), kernel_model(pair)
    assert tree.defconfig
    for name, value in (("KASAN", "y"), ("MODIFY_LDT_SYSCALL", "n")):
        model.load(tree.defconfig.read_text())
        lines = []
        for _ in range(9):
            needed = model.unmet(name, value)
            if not needed:
                break
            for clause in needed:
                model.assign(clause.failing[0], "y")
                lines.append(f"CONFIG_{clause.failing[0]}=y\n")
        model.assign(name, value)
        assert model.value(name) == value
        lines.append(f"CONFIG_{name}={value}\n")
        text = settle(tree, tmp_path, tree.defconfig.read_text() + "".join(lines))
        assert (f"CONFIG_{name}=y\n" in text) == (value == "y")


def test_other_architecture() -> None:
    tree = kernel_tree(HOST)
    place = other_architecture(tree, "ARM64_BTI_KERNEL")
    assert place and place.file == "arch/arm64/Kconfig"
    lines = (tree.source / place.file).read_text().split("\n")
    assert lines[place.line - 1] == "config ARM64_BTI_KERNEL"
    assert other_architecture(tree, "NO_SUCH_SYMBOL") is None


def test_process_is_left_as_it_was(tmp_path: Path) -> None:
    folder, environment = os.getcwd(), dict(os.environ)
    Model(tiny_tree(HOST, tmp_path, TINY), None)
    assert (os.getcwd(), dict(os.environ)) == (folder, environment)


def test_no_code_from_the_tree_is_run(tmp_path: Path) -> None:
    tree = tiny_tree(HOST, tmp_path, TINY)
    (tmp_path / "kconfigfunctions.py").write_text("raise SystemExit('executed')\n")
    env = tree.env | {"KCONFIG_FUNCTIONS": "kconfigfunctions"}
    Model(replace(tree, env=env), None)


def kept(tree: Tree, cache: Path) -> Model:
    """A model that keeps the results of its compiler tests."""
    model = Model(tree, cache)
    model.keep_cache()
    return model


class TestCache:
    """Results of $(shell) between runs."""

    KCONFIG = "config A\n\tdef_bool $(shell,echo run >>log; tool)\n"

    @pytest.fixture(name="tree")
    def _tree(self, tmp_path: Path):
        tree = tiny_tree(HOST, tmp_path / "tree", self.KCONFIG)
        tool = tmp_path / "tool"
        tool.write_text("#!/bin/sh\necho y\n")
        tool.chmod(0o755)
        path = f"{tmp_path}:{tree.env['PATH']}"
        return replace(tree, env=tree.env | {"PATH": path, "ARCH": "x", "CC": "tool"})

    def runs(self, tree) -> int:
        log = tree.output / "log"
        return len(log.read_text().splitlines()) if log.exists() else 0

    def test_kept(self, tree, tmp_path: Path) -> None:
        cache = tmp_path / "new/cache"
        assert not kept(tree, cache).cached
        model = kept(tree, cache)
        assert model.cached and model.value("A") == "y"
        assert self.runs(tree) == 1
        env = tree.env | {"PYTEST_CURRENT_TEST": "other", "PWD": "/"}
        assert kept(replace(tree, env=env), cache).cached

    def test_none(self, tree) -> None:
        for _ in range(2):
            assert not Model(tree, None).cached
        assert self.runs(tree) == 2

    def test_other_tool_or_environment(self, tree, tmp_path: Path) -> None:
        cache = tmp_path / "cache"
        kept(tree, cache)
        (tmp_path / "tool").write_text("#!/bin/sh\necho n # another\n")
        model = kept(tree, cache)
        assert not model.cached and model.value("A") == "n"
        other = replace(tree, env=tree.env | {"CPATH": "/opt"})
        assert not kept(other, cache).cached

    def test_files_are_looked_at_again(self, tree, tmp_path: Path) -> None:
        text = "config A\n\tdef_bool $(shell,test -e here && echo y || echo n)\n"
        (tree.source / "Kconfig").write_text(text)
        assert kept(tree, tmp_path / "cache").value("A") == "n"
        (tree.output / "here").touch()
        assert kept(tree, tmp_path / "cache").value("A") == "y"

    @pytest.mark.parametrize("rubbish", ["", "{", "[]", '{"conditions": 1}', "\udcff"])
    def test_damaged(self, tree, tmp_path: Path, rubbish: str) -> None:
        cache = tmp_path / "cache"
        kept(tree, cache)
        [file] = cache.iterdir()
        file.write_text(rubbish, errors="surrogateescape")
        assert not kept(tree, cache).cached
        assert "results" in json.loads(file.read_text())

    def test_cannot_be_written(self, tree, tmp_path: Path) -> None:
        cache = tmp_path / "file"
        cache.touch()
        assert kept(tree, cache / "cache").value("A") == "y"


def test_kconfiglib_itself_is_untouched() -> None:
    code = (
        "import gen.tree.model, kconfiglib as k\n"
        "assert k.Symbol.__module__ == 'kconfiglib'\n"
        "assert k._get_keyword('transitional') is None\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
