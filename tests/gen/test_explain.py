# SPDX-License-Identifier: GPL-2.0-only
"""`python3 -m gen explain`: the answers, confirmed by the tree's own conf."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from small_catalogue import entry
from tree_support import (
    DEFAULT_KERNEL,
    KEPT,
    VARIABLES,
    each,
    kernel_model,
    kernel_tree,
    quick_tree,
    settle,
)

from gen import dotconfig
from gen.advice import Toolchain, advice, version_advice
from gen.catalogue import read_texts
from gen.cli import main
from gen.entries import Compiler
from gen.explain.explain import parse_goal
from gen.target import target_of
from gen.explain.whereabouts import Whereabouts, whereabouts

HOST = f"{DEFAULT_KERNEL}-x86_64"
LONG = ("6.1", "7.2", "7.3")
GCC = Toolchain(Compiler("gcc", (12, 2, 0)), "")


class Command:
    """Runs the command on a kernel tree."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._capsys = capsys
        self._folder = folder

    def run(self, pair: str, *words: str) -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        kernel, arch = pair.split("-")
        tree = kernel_tree(pair)
        options = [f"--kdir={tree.source}", f"--cache={KEPT / 'cache'}"]
        for name, value in {"O": str(tree.output), **VARIABLES[arch]}.items():
            options.append(f"--make={name}={value}")
        code = main(["explain", *words, *options])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def text(self, pair: str, *words: str) -> str:
        code, out, err = self.run(pair, *words)
        assert code == 0
        # What was looked at, and no warning
        kernel, arch = pair.split("-")
        assert re.fullmatch(rf".+, Linux {kernel}\.\d+, {arch}, gcc [\d.]+\n", err)
        return out

    def facts(self, pair: str, *words: str) -> dict:
        file = self._folder / "answer.json"
        self.text(pair, *words, f"--json={file}")
        return json.loads(file.read_text())


@pytest.fixture(name="command")
def _command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    return Command(capsys, tmp_path)


def base(pair: str, folder: Path, text: str | None = None) -> Path:
    """A config that conf has completed: the defconfig, or a text."""
    tree = quick_tree(pair)
    assert tree.defconfig
    file = folder / "base.config"
    folder.mkdir(exist_ok=True)
    file.write_text(settle(tree, folder, text or tree.defconfig.read_text()))
    return file


def line_of(pair: str, file: str, text: str, after: str) -> int:
    """Where a statement stands, the first one after another."""
    lines = (kernel_tree(pair).source / file).read_text().split("\n")
    start = lines.index(after)
    return next(n for n in range(start, len(lines)) if lines[n].strip() == text) + 1


@each([HOST])
def test_as_people_read_it(pair: str, command: Command, tmp_path: Path) -> None:
    file = "lib/Kconfig.ubsan"
    block = line_of(pair, file, "if UBSAN", "menuconfig UBSAN")
    prompt = line_of(pair, file, "menuconfig UBSAN", "menuconfig UBSAN")
    arch = "arch/x86/Kconfig"
    select = line_of(pair, arch, "select THREAD_INFO_IN_TASK", "config X86")
    config = base(pair, tmp_path)
    goals = ("CONFIG_UBSAN_BOUNDS=y", "THREAD_INFO_IN_TASK=n")
    change, impossible = command.text(pair, *goals, f"--config={config}").split("\n\n")
    lines = change.split("\n")
    assert lines[:4] == [
        "CONFIG_UBSAN_BOUNDS=y did not take: n",
        f"  {file}:{block} if UBSAN  UBSAN=n (prompt at {file}:{prompt}, default n)",
        "smallest change that gets it:  CONFIG_UBSAN=y",
        "it costs you:                  2 other options change      "
        "(verified with this tree's own conf)",
    ]
    default = "- -> y  its default, now that it can be set"
    assert lines[4:] == [
        "  gives up CONFIG_UBSAN_BOOL=n (level medium)",
        "  gives up CONFIG_UBSAN_ENUM=n (level medium)",
        f"  UBSAN_BOOL  {default}",
        f"  UBSAN_ENUM  {default}",
    ]
    why, _, proof = impossible.partition("cannot be had on x86_64 with ")
    assert f"{arch}:{select} X86: select THREAD_INFO_IN_TASK  X86=y" in why
    assert f"{arch}:{select}" in proof


#: What becomes of settings on the defconfig of 6.12, x86_64
OUTCOMES = {
    "UBSAN_BOUNDS=y": ("change", {"UBSAN=y"}),
    "MODIFY_LDT_SYSCALL=n": ("change", {"EXPERT=y", "MODIFY_LDT_SYSCALL=n"}),
    "KEXEC_CORE=n": ("change", {"KEXEC=n"}),
    "NR_CPUS=8192": ("change", {"MAXSMP=y"}),
    # Not 64BIT=n, though that is one line
    "X86_VSYSCALL_EMULATION=n": ("change", {"EXPERT=y", "X86_VSYSCALL_EMULATION=n"}),
    "ADDRESS_MASKING=y": ("change", {"COMPILE_TEST=y", "ADDRESS_MASKING=y"}),
    "PHYSICAL_START=0x4096": ("change", {"PHYSICAL_START=0x4096"}),
    "PHYSICAL_START=1000000": ("held", None),
    "LOCALVERSION=0x10": ("change", {"LOCALVERSION=0x10"}),
    "ARCH_MMAP_RND_BITS=32": ("change", {"EXPERT=y", "ARCH_MMAP_RND_BITS=32"}),
    "LEGACY_VSYSCALL_NONE=y": ("change", {"LEGACY_VSYSCALL_NONE=y"}),
    "DEFAULT_HOSTNAME=box": ("change", {"DEFAULT_HOSTNAME=box"}),
    "NR_CPUS=99999": ("impossible", None),
    "THREAD_INFO_IN_TASK=n": ("impossible", None),
    "STRICT_KERNEL_RWX=n": ("impossible", None),
    "SECCOMP=y": ("held", None),
    "X86_SMAP=y": ("held", None),
    "UBSAN=m": ("unfit", None),
    "NR_CPUS=many": ("unfit", None),
    "HARDENED_USERCPY=y": ("undefined", None),
    "ARM64_BTI_KERNEL=y": ("undefined", None),
}


@each([HOST])
def test_outcomes_and_what_conf_says(
    pair: str, command: Command, tmp_path: Path
) -> None:
    """Every change gets what it promises, and changes what it says, no more or less."""
    config = base(pair, tmp_path / "base")
    facts = command.facts(pair, *OUTCOMES, f"--config={config}")
    before = dotconfig.parse(config.read_text(), "before")
    model = kernel_model(pair)
    for goal, item in zip(OUTCOMES, facts["explanations"], strict=True):
        outcome, assignments = OUTCOMES[goal]
        assert item["answer"] == outcome, goal
        change = item["change"]
        assert (change is not None) == (assignments is not None), goal
        if change is None:
            continue
        found = [
            (a["setting"].removeprefix("CONFIG_"), a["value"])
            for a in change["assignments"]
        ]
        assert {f"{n}={v}" for n, v in found} == assignments
        assert change["smallest"] and change["verified"]
        lines = [dotconfig.line(n, v, model.type(n) == "string") for n, v in found]
        text = settle(quick_tree(pair), tmp_path, config.read_text() + "".join(lines))
        after = dotconfig.parse(text, "after")
        name, value = goal.split("=")
        assert after.get(name, "n") == value
        told = {e["setting"].removeprefix("CONFIG_") for e in change["effects"]}
        differing = {
            n
            for n in before.keys() | after.keys()
            if (before.get(n, "n") or "n") != (after.get(n, "n") or "n")
            and model.has_prompt(n)
        }
        assert told == differing - {name, *(n for n, _ in found)}, goal


def stamp(file: Path) -> tuple[int, int, str]:
    """What changes if a file is written or replaced."""
    return file.stat().st_ino, file.stat().st_mtime_ns, file.read_text()


@each([HOST])
def test_never_touches_the_config(pair: str, command: Command, tmp_path: Path) -> None:
    tree = kernel_tree(pair)
    before = {p.name for p in tree.output.iterdir()}
    tree.config.write_text("# CONFIG_SECCOMP is not set\n")
    before_run = stamp(tree.config)
    try:
        text = command.text(pair, "SECCOMP=y", "SECCOMP_FILTER=y")
        assert text.startswith("CONFIG_SECCOMP=y is not set: n\n")
        assert "CONFIG_SECCOMP_FILTER=y did not take: n" in text
        assert stamp(tree.config) == before_run
    finally:
        tree.config.unlink()
    assert {p.name for p in tree.output.iterdir()} <= before | {"scripts", "source"}


@each([HOST], long=LONG)
def test_a_whole_level_on_allnoconfig(
    pair: str, command: Command, tmp_path: Path
) -> None:
    """Where nearly everything is missing, everything is explained."""
    config = tmp_path / "allno.config"
    config.write_text(kernel_model(pair).all_config("allno"))
    facts = command.facts(pair, "--level=extreme", f"--config={config}")
    items = facts["explanations"]
    assert len(items) > 60
    answers = {item["answer"] for item in items}
    assert answers <= {"change", "impossible", "undefined"}, "the search gave up"
    for item in items:
        if item["answer"] == "undefined":
            assert item["notes"][0]["text"]
            continue
        assert item["why"]["ways"] or item["why"]["state"] != "blocked"
        if item["answer"] == "change":
            assert item["change"]["verified"]
        else:
            assert item["proof"], item["setting"]


@each(["7.3-arm64"], long=())
def test_other_tree_and_toolchain(pair: str, command: Command, tmp_path: Path) -> None:
    config = base(pair, tmp_path)
    goals = ("CFI_CLANG=y", "GCC_PLUGINS=y", "STACKLEAK_METRICS=y", "X86_UMIP=y")
    text = command.text(pair, *goals, f"--config={config}")
    cfi, plugins, metrics, umip = text.split("\n\n")
    assert "(transitional); CFI has taken its place" in cfi
    assert "depends on $(cc-option,-fsanitize=kcfi)" in cfi
    assert re.search(r"install gcc-\d+-plugin-dev-aarch64-linux-gnu$", plugins, re.M)
    assert "STACKLEAK_METRICS is called KSTACK_ERASE_METRICS in 7.3" in metrics
    assert re.search(r"UMIP .*(x86|i386)", umip)


class TestMistakes:
    """Exit code 2 and what to do next."""

    @pytest.mark.parametrize("goal", ["UBSAN", "=y", "A B=y"])
    def test_no_setting(self, command: Command, goal: str, capsys) -> None:
        with pytest.raises(SystemExit) as stop:
            command.run(HOST, goal)
        assert stop.value.code == 2
        assert "is not NAME=value, such as" in capsys.readouterr().err

    def test_nothing_asked(self, command: Command) -> None:
        code, out, err = command.run(HOST)
        assert (code, out) == (2, "") and "give a setting" in err

    def test_config(self, command: Command, tmp_path: Path) -> None:
        missing = tmp_path / "missing"
        code, out, err = command.run(HOST, "UBSAN=y", f"--config={missing}")
        assert (code, out) == (2, "") and f"{missing}: cannot be read" in err
        rubbish = tmp_path / "rubbish"
        rubbish.write_text("CONFIG_UBSAN\n")
        code, out, err = command.run(HOST, "UBSAN=y", f"--config={rubbish}")
        assert (code, out) == (2, "") and f"{rubbish}:1: " in err


def test_quotes_and_prefix_are_optional() -> None:
    for text in ('CONFIG_A="x=y"', "A=x=y"):
        setting = parse_goal(text)
        assert (setting.name, setting.value) == ("A", "x=y")
    assert parse_goal("A=").value == ""


class TestWhereabouts:
    """Symbols that the tree does not define."""

    CATALOGUE = read_texts(
        [
            (
                "entries.rst",
                entry(
                    "CONFIG_UBSAN=y",
                    ":Kernels: since 6.0",
                    ":Other names: OLD (up to 5.19)",
                )
                + entry("CONFIG_GONE=y", ":Kernels: up to 6.6.7")
                + entry("CONFIG_LATER=y", ":Kernels: since 9.1")
                + entry(
                    "CONFIG_THERE=y", ":Kernels: up to 5.1", ":Always on: since 5.2"
                )
                + entry("CONFIG_FOREIGN=y", ":Architectures: s390"),
            )
        ]
    )

    def find(self, name: str) -> Whereabouts:
        tree, model = kernel_tree(HOST), kernel_model(HOST)
        return whereabouts(name, self.CATALOGUE, target_of(tree, model), tree, model)

    def test_renamed(self) -> None:
        found = self.find("OLD")
        assert found.instead == "UBSAN" and "is called UBSAN in 6.12" in found.text
        assert found.place and found.place.file == "lib/Kconfig.ubsan"

    def test_other_versions(self) -> None:
        assert re.fullmatch(
            r"is not in 6\.12\.\d+: GONE up to 6\.6\.7", self.find("GONE").text
        )
        assert "LATER since 9.1" in self.find("LATER").text
        found = self.find("THERE")
        assert found.always and "always so (since 5.2)" in found.text

    def test_other_architectures(self) -> None:
        assert self.find("FOREIGN").text == "is for s390 only"
        found = self.find("ARM64_BTI_KERNEL")
        assert found.text == "belongs to another architecture, arm64"
        assert found.place and found.place.file == "arch/arm64/Kconfig"

    def test_misspelt(self) -> None:
        assert self.find("RANDOMISE_BASE").text.endswith(
            "is it RANDOMIZE_BASE that you mean?"
        )
        assert re.fullmatch(r"is in no Kconfig file of [\d.]+", self.find("QQQQ").text)


class TestAdvice:
    """What to do about a failed test."""

    PLUGINS = "$(success,test -e $(shell,$(CC) -print-x)/include/plugin-version.h)"

    def test_plugin_headers(self) -> None:
        assert (
            advice(self.PLUGINS, GCC)
            == "fails with gcc 12.2.0; install gcc-12-plugin-dev"
        )
        cross = Toolchain(Compiler("gcc", (14, 2, 0)), "riscv64-linux-gnu")
        assert advice(self.PLUGINS, cross).endswith(
            "gcc-14-plugin-dev-riscv64-linux-gnu"
        )
        clang = Toolchain(Compiler("clang", (14, 0, 6)), "")
        assert "build with gcc" in advice(self.PLUGINS, clang)

    @pytest.mark.parametrize(
        ("test", "expected"),
        [
            ("$(cc-option,-fsanitize=kcfi)", "clang >= 16"),
            ('$(success,test "$(cc-name)" = Clang)', "LLVM=1"),
            (
                "$(success,$(srctree)/scripts/rust_is_available.sh)",
                "make rustavailable",
            ),
        ],
    )
    def test_known(self, test: str, expected: str) -> None:
        assert expected in advice(test, GCC)

    def test_unknown(self) -> None:
        assert advice("$(cc-option,-mnew)", GCC) == "fails with gcc 12.2.0"
        assert advice("$(shell,true)", GCC) == "fails here"
        assert advice('"$(ARCH)"', GCC).startswith("ARCH on make's command line")

    def test_versions(self) -> None:
        assert version_advice("$(cc-version)", ">= 130000", "120200") == (
            "needs the compiler >= 13.0.0; it is 12.2.0"
        )
        assert version_advice('"$(PAHOLE_VERSION)"', ">= 122", "0") == (
            "needs pahole >= 1.22; it is not installed"
        )
        assert "1.78.0" in version_advice("$(rustc-version)", ">= 107800", "0")

    @each(["6.1-x86_64", HOST, "7.3-x86_64"])
    def test_patterns_fit_the_tree(self, pair: str) -> None:
        """Advice for tests that no tree has would be dead text."""
        source = kernel_tree(pair).source
        texts = [
            (source / file).read_text()
            for file in ("init/Kconfig", "arch/Kconfig", "scripts/gcc-plugins/Kconfig")
        ]
        assert 'test "$(cc-name)" = Clang' in texts[0]
        assert "rust_is_available.sh" in texts[0] and "pahole" in texts[0].lower()
        assert "plugin-version.h" in texts[2]
