# SPDX-License-Identifier: GPL-2.0-only
"""Which assignments a search finds, in trees made for it and in kernels."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from test_tree_equality import defconfig
from tree_support import (
    HOST_PAIRS,
    PAIRS,
    each,
    kernel_model,
    quick_tree,
    settle,
    tiny_tree,
)

from gen.tree.model import Model
from gen.tree.search.search import Exact, Found, GaveUp, Impossible, Search

Assignment = tuple[str, str]

MODULES = "config MODULES\n bool 'M'\n modules\n"
EXPERT = "config EXPERT\n bool 'E'\n"
CHOICE = """\
choice
 prompt "C"
config ONE
 bool "1"
config TWO
 bool "2"
config THREE
 bool "3"
 depends on EXPERT
endchoice
"""


def small(
    folder: Path, kconfig: str, base: str = "", pair: str = HOST_PAIRS[1]
) -> Model:
    """A model of a tree with these lines, with a complete configuration."""
    model = Model(tiny_tree(pair, folder, f'mainmenu "small"\n{kconfig}'), None)
    model.load(base)
    model.load(model.text())
    return model


def smallest(model: Model, *goals: Assignment, **how: object) -> set[Assignment]:
    """The assignments of a set that is proved to be the smallest."""
    before = model.text()
    answer = Search(model).smallest([Exact(*goal) for goal in goals], **how)
    assert model.text() == before
    assert isinstance(answer, Found), answer
    assert answer.proved
    return set(answer.assignments)


# Kconfig lines, base, goal, and what it takes
CASES = {
    "prompt": ("config A\n bool 'A'\n", "", "A=y", "A=y"),
    "held already": ("config A\n bool 'A'\n", "CONFIG_A=y\n", "A=y", ""),
    "depends": (
        EXPERT + "config A\n bool 'A'\n depends on EXPERT\n",
        "",
        "A=y",
        "A=y EXPERT=y",
    ),
    "default": ("config A\n bool 'A'\nconfig B\n def_bool A\n", "", "B=y", "A=y"),
    "set, but hidden": (
        EXPERT + "config A\n bool 'A' if EXPERT\n default y\n",
        "CONFIG_A=y\n",
        "A=n",
        "A=n EXPERT=y",
    ),
    "the shorter of two ways": (
        "config A\n bool 'A'\nconfig B\n bool 'B'\nconfig C\n bool 'C'\n"
        "config D\n def_bool A && B || C\n",
        "",
        "D=y",
        "C=y",
    ),
    "negation": (
        "config A\n def_bool y\n prompt 'A'\nconfig B\n bool 'B'\n depends on !A\n",
        "",
        "B=y",
        "A=n B=y",
    ),
    "select": (
        EXPERT + "config S\n bool 'S'\n select A\nconfig A\n bool\n",
        "",
        "A=y",
        "S=y",
    ),
    "all that select": (
        "config S\n def_bool y\n prompt 'S'\n select A\n"
        "config T\n def_bool y\n prompt 'T'\n select A\nconfig A\n bool 'A'\n",
        "",
        "A=n",
        "S=n T=n A=n",
    ),
    "imply": ("config S\n bool 'S'\n imply A\nconfig A\n bool\n", "", "A=y", "S=y"),
    "an earlier default": (
        "config A\n def_bool y\n prompt 'A'\nconfig B\n bool\n default n if A\n"
        " default y\n",
        "",
        "B=y",
        "A=n",
    ),
    "a tristate's ceiling": (
        MODULES + "config A\n tristate 'A'\nconfig B\n tristate 'B'\n depends on A\n",
        "CONFIG_MODULES=y\nCONFIG_A=m\nCONFIG_B=m\n",
        "B=y",
        "A=y B=y",
    ),
    "without modules": (MODULES, "CONFIG_MODULES=y\n", "MODULES=n", "MODULES=n"),
    "m needs modules": (
        MODULES + "config A\n tristate 'A'\n",
        "",
        "A=m",
        "A=m MODULES=y",
    ),
    "choice": (EXPERT + CHOICE, "CONFIG_ONE=y\n", "TWO=y", "TWO=y"),
    "hidden member": (
        EXPERT + CHOICE,
        "CONFIG_ONE=y\n",
        "THREE=y",
        "THREE=y EXPERT=y",
    ),
    "range": (
        EXPERT + "config N\n int 'N'\n range 1 9 if !EXPERT\n range 1 99\n default 5\n",
        "",
        "N=20",
        "EXPERT=y N=20",
    ),
    "comparison": (
        "config N\n int 'N'\n default 5\nconfig A\n def_bool N > 8\n",
        "",
        "A=y",
        "N=9",
    ),
    "two comparisons, one number": (
        "config N\n int 'N'\n default 5\nconfig A\n def_bool N > 8 && N > 6\n",
        "",
        "A=y",
        "N=9",
    ),
    "string": (
        'config S\n string \'S\'\n default "a"\nconfig A\n def_bool S = "b"\n',
        "",
        "A=y",
        "S=b",
    ),
}


@pytest.mark.parametrize("kernel", HOST_PAIRS)
@pytest.mark.parametrize("case", CASES)
def test_case(case: str, kernel: str, tmp_path: Path) -> None:
    kconfig, base, goal, expected = CASES[case]
    model = small(tmp_path, kconfig, base, kernel)
    name, _, value = goal.partition("=")
    found = smallest(model, (name, value))
    assert found == {tuple(item.split("=")) for item in expected.split()}


def test_goals_share_assignments(tmp_path: Path) -> None:
    """A=y and B=y would each do with another symbol; together one is enough."""
    lines = "".join(f"config {n}\n bool '{n}'\n" for n in ("ONLY_A", "ONLY_B", "BOTH"))
    lines += "config A\n def_bool ONLY_A || BOTH\nconfig B\n def_bool ONLY_B || BOTH\n"
    model = small(tmp_path, lines)
    assert smallest(model, ("A", "y"), ("B", "y")) == {("BOTH", "y")}


TWO_WAYS = """\
config A
 bool "A"
 select EXTRA
config EXTRA
 bool
config B
 bool "B"
config GOAL
 def_bool A || B
"""


def test_fewest_changes(tmp_path: Path) -> None:
    assert smallest(small(tmp_path, TWO_WAYS), ("GOAL", "y")) == {("B", "y")}


def test_preferred(tmp_path: Path) -> None:
    prefer = frozenset({("A", "y")})
    model = small(tmp_path, TWO_WAYS)
    assert smallest(model, ("GOAL", "y"), prefer=prefer) == {("A", "y")}


def test_pinned(tmp_path: Path) -> None:
    model = small(tmp_path, TWO_WAYS)
    pinned = frozenset({"B"})
    assert smallest(model, ("GOAL", "y"), pinned=pinned) == {("A", "y")}


def test_kept(tmp_path: Path) -> None:
    model = small(tmp_path, f"{TWO_WAYS}config LAST\n def_bool !B\n")
    kept = smallest(model, ("GOAL", "y"), keep=[Exact("LAST", "y")])
    assert kept == {("A", "y")}


def test_kept_at_a_price(tmp_path: Path) -> None:
    """What the first assignment takes away is brought back by a second one."""
    lines = "config A\n bool 'A'\nconfig B\n bool 'B'\nconfig LAST\n def_bool !A || B\n"
    found = smallest(small(tmp_path, lines), ("A", "y"), keep=[Exact("LAST", "y")])
    assert found == {("A", "y"), ("B", "y")}


def test_against(tmp_path: Path) -> None:
    """Of the goals to keep, only those that exclude the goal are named."""
    lines = "config A\n bool 'A'\nconfig LAST\n def_bool !A\nconfig C\n bool 'C'\n"
    model = small(tmp_path, lines)
    keep = [Exact("C", "n"), Exact("LAST", "y")]
    answer = Search(model).smallest([Exact("A", "y")], keep)
    assert answer == Impossible([keep[1]])


def test_against_both(tmp_path: Path) -> None:
    """Neither of two goals to keep excludes the goal, but both do."""
    lines = TWO_WAYS + "config NO_A\n def_bool !A\nconfig NO_B\n def_bool !B\n"
    keep = [Exact("NO_A", "y"), Exact("EXTRA", "n"), Exact("NO_B", "y")]
    answer = Search(small(tmp_path, lines)).smallest([Exact("GOAL", "y")], keep)
    assert isinstance(answer, Impossible)
    assert len(answer.against) == 2 and keep[2] in answer.against


def test_against_in_a_choice(tmp_path: Path) -> None:
    model = small(tmp_path, EXPERT + CHOICE, "CONFIG_ONE=y\n")
    answer = Search(model).smallest([Exact("TWO", "y")], [Exact("ONE", "y")])
    assert answer == Impossible([Exact("ONE", "y")])


@pytest.mark.parametrize(
    "lines, goal",
    [
        ("config A\n bool\n", Exact("A", "y")),
        ("config A\n def_bool y\n", Exact("A", "n")),
        (
            "config A\n bool 'A'\n depends on B && !B\nconfig B\n bool 'B'\n",
            Exact("A", "y"),
        ),
        ("config A\n bool 'A'\n", Exact("A", "m")),
        ("config N\n int 'N'\n range 1 5\n", Exact("N", "6")),
        ("config N\n int 'N'\n", Exact("N", "x")),
        ("config A\n bool 'A'\n", Exact("A", "x")),
        ("config A\n bool 'A'\n", Exact("UNKNOWN", "y")),
    ],
)
def test_impossible(lines: str, goal: Exact, tmp_path: Path) -> None:
    answer = Search(small(tmp_path, lines)).smallest([goal])
    assert answer == Impossible([])


def test_budget(tmp_path: Path) -> None:
    """Too small a budget gives no answer, a larger one an answer with proof."""
    chain = "config S0\n bool 'S0'\n"
    for number in range(1, 9):
        chain += f"config S{number}\n bool 'S'\n depends on S{number - 1} || X\n"
    model = small(tmp_path, f"config X\n bool 'X'\n{chain}")
    goals = [Exact(f"S{number}", "y") for number in (8, 4)]
    assert Search(model).smallest(goals, budget=1) == GaveUp()
    found = Search(model).smallest(goals)
    assert isinstance(found, Found) and found.proved
    assert set(found.assignments) == {("X", "y"), ("S4", "y"), ("S8", "y")}


def test_trial_is_undone(tmp_path: Path) -> None:
    """Also in a choice, where the order of assignments counts, and when nested."""
    model = small(tmp_path, EXPERT + CHOICE, "CONFIG_ONE=y\n# CONFIG_TWO is not set\n")
    before = model.text()
    with model.trial():
        model.assign("TWO", "y")
        inside = model.text()
        with model.trial():
            model.assign("EXPERT", "y")
            model.assign("THREE", "y")
            assert model.value("THREE") == "y"
        assert model.text() == inside != before
    assert model.text() == before
    model.assign("ONE", "n")
    assert model.value("TWO") == "y"


def test_trial_brings_back_dropped_numbers(tmp_path: Path) -> None:
    """conf up to 6.8 drops a number that is out of range."""
    lines = EXPERT + "config N\n int 'N'\n range 1 9 if EXPERT\n default 5\n"
    model = small(tmp_path, lines, "CONFIG_N=20\n", HOST_PAIRS[0])
    assert model.value("N") == "20"
    with model.trial():
        model.assign("EXPERT", "y")
        assert model.value("N") == "5"
    assert model.value("N") == "20"


# -- Kernels ----------------------------------------------------------------------

KNOWN = {
    "defconfig": {
        "UBSAN_BOUNDS=y": "UBSAN=y",
        "MODIFY_LDT_SYSCALL=n": "MODIFY_LDT_SYSCALL=n EXPERT=y",
        "IO_URING=n": "IO_URING=n EXPERT=y",
        "KEXEC_CORE=n": "KEXEC=n",
        "ARCH_MMAP_RND_BITS=32": "ARCH_MMAP_RND_BITS=32 EXPERT=y",
        "NR_CPUS=8192": "MAXSMP=y",
        "LEGACY_VSYSCALL_NONE=y": "LEGACY_VSYSCALL_NONE=y",
    },
    "allnoconfig": {
        "RANDOMIZE_BASE=y": "RELOCATABLE=y",
        "EFI_DISABLE_PCI_DMA=y": "EFI_DISABLE_PCI_DMA=y EFI=y ACPI=y",
        "BPF_JIT_ALWAYS_ON=y": "BPF_JIT_ALWAYS_ON=y BPF_JIT=y BPF_SYSCALL=y",
    },
}


def base(pair: str, kind: str) -> str:
    """A complete configuration of a kernel, loaded into its model."""
    model = kernel_model(pair)
    if kind == "defconfig":
        model.load(defconfig(pair))
    else:
        model.all_config("allno")
    model.load(model.text())
    return model.text()


@pytest.mark.xdist_group("6.12-x86_64")
@pytest.mark.parametrize("kind", KNOWN)
def test_known(kind: str) -> None:
    """Answers of which everybody can see that there is no smaller one."""
    base("6.12-x86_64", kind)
    model = kernel_model("6.12-x86_64")
    for goal, expected in KNOWN[kind].items():
        name, _, value = goal.partition("=")
        found = smallest(model, (name, value))
        assert found == {tuple(item.split("=")) for item in expected.split()}


def check_symbols(pair: str, kind: str, count: int, folder: Path) -> None:
    """Random symbols that are n: get them y, and conf agrees; or it cannot be."""
    text = base(pair, kind)
    model, search = kernel_model(pair), Search(kernel_model(pair))
    off = [n for n in model.names() if model.value(n) == "n"]
    answers = []
    for name in Random(5).sample(off, count):
        answer = search.smallest([Exact(name, "y")])
        answers.append(answer)
        if isinstance(answer, Found):
            strings = [n for n, _ in answer.assignments if model.type(n) == "string"]
            lines = (
                f'CONFIG_{n}="{v}"\n' if n in strings else f"CONFIG_{n}={v}\n"
                for n, v in answer.assignments
            )
            result = settle(quick_tree(pair), folder, text + "".join(lines))
            assert f"\nCONFIG_{name}=y\n" in result, answer
    assert model.text() == text
    found = [answer for answer in answers if isinstance(answer, Found)]
    assert len(found) > count / 2
    assert sum(isinstance(answer, GaveUp) for answer in answers) <= count / 50
    assert sum(not answer.proved for answer in found) <= 1 + count / 20


@each([pair for pair in PAIRS if pair.startswith("6.12")], long=())
def test_symbols(pair: str, tmp_path: Path) -> None:
    check_symbols(pair, "allnoconfig", 6, tmp_path)


@pytest.mark.long
@each(PAIRS)
@pytest.mark.parametrize("kind", KNOWN)
def test_more_symbols(pair: str, kind: str, tmp_path: Path) -> None:
    check_symbols(pair, kind, 150, tmp_path)


def test_a_text_that_copies_another_is_not_called_impossible(tmp_path: Path) -> None:
    lines = 'config A\n string "A"\nconfig B\n string\n default A\n'
    assert Search(small(tmp_path, lines)).smallest([Exact("B", "x")]) == GaveUp()
