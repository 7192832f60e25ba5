# SPDX-License-Identifier: GPL-2.0-only
"""Proofs name lines that exist, and each step follows from what the next ones say.

The checker knows nothing of how proofs are made: it reads the Kconfig files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tree_support import HOST_PAIRS, each, kernel_model, kernel_tree, tiny_tree

from gen.tree.model import Model
from gen.tree.reach.proof import Step

CLAIM = re.compile(
    r"(?P<name>\w+)(?: is (?:always|never) |=(?:y|n|m or y|n or m) needs )"
)
DEFINITION = re.compile(r"(?:menu)?config (\w+)|choice\b")


class Checker:
    """Checks proofs against the Kconfig files under a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, list[str]] = {}

    def check(self, name: str, steps: list[Step]) -> None:
        """Whether every step stands on its line and is what a former one needs."""
        assert steps, name
        above: list[Step] = []
        for step in steps:
            assert step.depth <= len(above), (name, step)
            above = above[: step.depth]
            text = self._statement(step)
            definition = DEFINITION.match(text)
            assert text in step.text or definition, (name, step, text)
            claim = CLAIM.match(step.text)
            if claim and not above:
                assert claim["name"] == name, (name, step)
            elif claim:
                assert has_word(above[-1].text, claim["name"]), (name, above[-1], step)
            if claim and definition and text not in step.text:
                assert definition[1] == claim["name"], (name, step, text)
            above.append(step)

    def _statement(self, step: Step) -> str:
        lines = self._lines(step.place.file)
        number = step.place.line - 1
        text = lines[number]
        while text.endswith("\\"):
            number += 1
            text = text[:-1] + " " + lines[number]
        assert text.strip(), step
        return " ".join(text.split())

    def _lines(self, file: str) -> list[str]:
        if file not in self._files:
            self._files[file] = (self._folder / file).read_text().split("\n")
        return self._files[file]


def has_word(text: str, word: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None


def impossible(model: Model) -> Iterator[tuple[str, str]]:
    for name in model.names():
        kind = model.type(name)
        if kind in ("bool", "tristate"):
            values = {"n", "y"} if kind == "bool" else {"n", "m", "y"}
            yield from ((name, value) for value in values - model.possible(name))


@each(HOST_PAIRS)
def test_every_proof_in_a_tree(pair: str) -> None:
    model = kernel_model(pair)
    checker = Checker(kernel_tree(pair).source)
    steps = []
    for name, value in impossible(model):
        proof = model.proof(name, value)
        checker.check(name, proof)
        steps.append(len(proof))
    assert len(steps) > 3000
    # Most are short; none is a list of half the tree.
    assert sorted(steps)[len(steps) // 2] <= 2
    assert max(steps) < 100


def test_checker_finds_wrong_steps() -> None:
    model = kernel_model("6.12-x86_64")
    checker = Checker(kernel_tree("6.12-x86_64").source)
    proof = model.proof("RANDSTRUCT_FULL", "y")
    checker.check("RANDSTRUCT_FULL", proof)
    moved = replace(proof[1], place=replace(proof[1].place, line=9))
    other = replace(proof[1], text=proof[1].text.replace("CC_HAS", "NO_HAS"))
    for wrong in ([], proof[1:], proof[::-1], [proof[0], moved], [proof[0], other]):
        with pytest.raises(AssertionError):
            checker.check("RANDSTRUCT_FULL", wrong)
    with pytest.raises(AssertionError):
        checker.check("RANDSTRUCT_NONE", proof)


def lines(model: Model, name: str, value: str) -> list[str]:
    steps = model.proof(name, value)
    return ["  " * step.depth + f"{step.place} {step.text}" for step in steps]


def test_proofs_of_612() -> None:
    """What is assumed is in sight: a tool test, the architecture's selects."""
    model = kernel_model("6.12-x86_64")
    plugins = "$(success,test -e $(shell,$(CC) -print-file-name=plugin)"
    plugins += "/include/plugin-version.h)"
    assert lines(model, "GCC_PLUGIN_STACKLEAK", "y") == [
        "security/Kconfig.hardening:162 GCC_PLUGIN_STACKLEAK is always n: "
        "depends on GCC_PLUGINS",
        "  scripts/gcc-plugins/Kconfig:12 GCC_PLUGINS is always n: "
        f"depends on {plugins} ($(...) is n)",
    ]
    assert lines(model, "THREAD_INFO_IN_TASK", "n") == [
        "arch/x86/Kconfig:310 THREAD_INFO_IN_TASK is always y: select by X86: "
        "select THREAD_INFO_IN_TASK",
        "  arch/x86/Kconfig:58 X86 is always y: def_bool y",
    ]
    assert lines(model, "SHADOW_CALL_STACK", "y") == [
        "arch/Kconfig:701 SHADOW_CALL_STACK is always n: "
        "depends on ARCH_SUPPORTS_SHADOW_CALL_STACK",
        "  arch/Kconfig:692 ARCH_SUPPORTS_SHADOW_CALL_STACK is always n: "
        "it has no prompt, no default and nothing selects it",
    ]
    assert lines(model, "ARCH_MMAP_RND_BITS", "33")[:4] == [
        "arch/Kconfig:1090 ARCH_MMAP_RND_BITS is 28 to 32",
        "  arch/Kconfig:1092 range ARCH_MMAP_RND_BITS_MIN ARCH_MMAP_RND_BITS_MAX",
        "    arch/x86/Kconfig:341 ARCH_MMAP_RND_BITS_MIN is always 28: "
        "default 28 if 64BIT",
        "    arch/x86/Kconfig:345 ARCH_MMAP_RND_BITS_MAX is always 32: "
        "default 32 if 64BIT",
    ]


def small(folder: Path, kconfig: str) -> Model:
    return Model(tiny_tree("6.12-x86_64", folder, kconfig), None)


def test_shortest(tmp_path: Path) -> None:
    """Of two dependencies that fail, the one with less to explain is named."""
    model = small(
        tmp_path,
        "config LONG\n bool\n default LONGER\nconfig LONGER\n bool\n depends on SHORT\n"
        "config SHORT\n bool\nconfig A\n bool 'A'\n depends on LONG && SHORT\n",
    )
    assert lines(model, "A", "y") == [
        "Kconfig:11 A is always n: depends on LONG && SHORT",
        "  Kconfig:7 SHORT is always n: "
        "it has no prompt, no default and nothing selects it",
    ]


def test_every_way_is_closed(tmp_path: Path) -> None:
    model = small(
        tmp_path,
        "config NEVER\n bool\n"
        "config A\n bool 'A' if NEVER\n default y if NOWHERE\n"
        "config C\n bool 'C'\n depends on NEVER\n select A\n"
        "config D\n bool 'D'\n imply A if NEVER\n",
    )
    never = "NEVER is always n: it has no prompt, no default and nothing selects it"
    assert lines(model, "A", "y") == [
        "Kconfig:3 A is always n",
        "  Kconfig:4 prompt: bool 'A' if NEVER",
        f"    Kconfig:1 {never}",
        "  Kconfig:5 default: default y if NOWHERE (NOWHERE is not defined here)",
        "  Kconfig:8 select by C: depends on NEVER",
        "    Kconfig:1 NEVER is always n: see above",
        "  Kconfig:12 imply by D: imply A if NEVER",
        "    Kconfig:1 NEVER is always n: see above",
    ]


def test_contradiction(tmp_path: Path) -> None:
    model = small(
        tmp_path,
        "config B\n bool 'B'\nconfig C\n bool 'C'\n depends on !B\n"
        "config A\n bool 'A'\n depends on B\n depends on C\n",
    )
    assert lines(model, "A", "y") == [
        "Kconfig:6 A is always n",
        "  Kconfig:8 prompt: depends on B (needs B=y)",
        "  Kconfig:9 prompt: depends on C (needs B=n)",
        "    Kconfig:5 C=y needs B=n: depends on !B",
    ]


def test_choice(tmp_path: Path) -> None:
    """Two members of a choice exclude each other."""
    model = small(
        tmp_path,
        "choice\n prompt 'choice'\nconfig C\n bool 'C'\nconfig D\n bool 'D'\n"
        "endchoice\n"
        "config A\n bool 'A'\n depends on C && D\n",
    )
    assert lines(model, "A", "y") == [
        "Kconfig:10 A is always n: depends on C && D (needs C=y and C=n)",
        "  Kconfig:6 D=y needs C=n: bool 'D' (one member of a choice is y)",
    ]


def test_values_that_are_compared(tmp_path: Path) -> None:
    model = small(
        tmp_path,
        "config VERSION\n int\n default $(shell,echo 12)\n"
        "config A\n bool 'A'\n depends on VERSION >= 13\n",
    )
    assert lines(model, "A", "y") == [
        "Kconfig:6 A is always n: depends on VERSION >= 13",
        "  Kconfig:3 VERSION is always 12: default $(shell,echo 12)",
    ]


def test_range(tmp_path: Path) -> None:
    model = small(
        tmp_path,
        "config B\n bool 'B'\n"
        "config A\n int 'A'\n range 1 10 if B\n range 5 100\n"
        "config C\n int 'C'\n range 1 10 if B\n"
        "config D\n hex 'D'\n range 0x10 0x20 if B\n range 0x10 0x40 if !B\n"
        "config E\n int 'E'\n range 2 A\n",
    )
    assert lines(model, "A", "101") == [
        "Kconfig:3 A is 1 to 100",
        "  Kconfig:5 range 1 10 if B",
        "  Kconfig:6 range 5 100",
    ]
    assert lines(model, "E", "200") == [
        "Kconfig:14 E is 1 to 100",
        "  Kconfig:16 range 2 A",
        "    Kconfig:3 A is 1 to 100",
        "      Kconfig:5 range 1 10 if B",
        "      Kconfig:6 range 5 100",
    ]
    assert not model.proof("C", "11")  # without B there is no limit
    assert model.proof("D", "0x41") and not model.proof("D", "0x40")
    assert model.proof("D", "0xf") and not model.proof("D", "10")


def test_no_proof(tmp_path: Path) -> None:
    model = small(tmp_path, "config A\n bool 'A'\nconfig S\n string 'S'\n")
    for name, value in (
        ("A", "y"),
        ("A", "n"),
        ("A", "m"),
        ("A", "7"),
        ("S", "x"),
        ("NO_SUCH_SYMBOL", "y"),
    ):
        assert model.proof(name, value) == []
