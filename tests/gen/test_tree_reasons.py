# SPDX-License-Identifier: GPL-2.0-only
"""Each kind of reason, on Kconfig trees of our own, and known ones of real trees."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from tree_support import (
    DEFAULT_KERNEL,
    HOST_PAIRS,
    each,
    kernel_model,
    kernel_tree,
    tiny_tree,
)

from gen.tree.elsewhere import (
    alike,
    not_sourced,
    other_architecture,
    selected_elsewhere,
)
from gen.tree.model import Model
from gen.tree.reasons.reasons import (
    All,
    Fixed,
    Need,
    OneOf,
    State,
    Why,
    assignments,
    is_plain,
)

HOST = f"{DEFAULT_KERNEL}-x86_64"
#: Kernels whose choices follow the older rules, and the newer ones
BOTH_RULES = pytest.mark.parametrize("pair", ["6.1-x86_64", HOST])


def told(need: Need | None) -> list:
    """What an explanation says, as nested lists that a test can spell out."""
    if isinstance(need, Fixed):
        return [need.text]
    if isinstance(need, All):
        return ["all", *(told(part) for part in need.parts)]
    if isinstance(need, OneOf):
        return ["one of", *(told(part) for part in need.parts)]
    if need is None:
        return []
    head = f"{need.name}={need.value}->{need.wanted}"
    if need.state is not State.BLOCKED:
        head += f" {need.state.value}"
    return [head, *([way.by, *map(clause, way.clauses)] for way in need.ways)]


def clause(item) -> list:
    return [f"{item.place.line} {item.text}", *told(item.need)]


class Tiny:
    """A tree of one Kconfig file."""

    def __init__(self, folder: Path, pair: str = HOST) -> None:
        self._folder = folder
        self._pair = pair

    def why(self, kconfig: str, config: str, name: str, value: str = "y") -> Why | None:
        model = Model(tiny_tree(self._pair, self._folder, kconfig), None)
        model.load(config)
        return model.why(name, value)

    def told(self, kconfig: str, config: str, name: str, value: str = "y") -> list:
        return told(self.why(kconfig, config, name, value))


@pytest.fixture(name="tiny")
def _tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


A_AND_B = 'config A\n\tbool "a"\nconfig B\n\tbool "b"\n'


class TestDependencies:
    """Terms that fail, followed down to what a user can set."""

    def test_chain(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            "config MIDDLE\n\tbool\n\tdefault y if A\n"
            'config X\n\tbool "x"\n\tdepends on MIDDLE\n'
        )
        assert tiny.told(kconfig, "", "X") == [
            "X=n->y",
            [
                "prompt",
                [
                    "10 depends on MIDDLE",
                    "MIDDLE=n->y",
                    ["default", ["7 default y if A", "A=n->y settable"]],
                ],
            ],
        ]

    def test_only_failing_terms(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + 'config X\n\tbool "x"\n\tdepends on A && !B && A != n\n'
        assert tiny.told(kconfig, "CONFIG_A=y\nCONFIG_B=y\n", "X") == [
            "X=n->y",
            ["prompt", ["7 depends on A && !B && A != n", "B=y->n settable"]],
        ]

    def test_alternatives(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + 'config X\n\tbool "x"\n\tdepends on A || B\n'
        [_, [_, [_, *need]]] = tiny.told(kconfig, "", "X")
        assert need == ["one of", ["A=n->y settable"], ["B=n->y settable"]]

    def test_every_block_around(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            'if A\nmenu "m"\n\tdepends on B\n\tvisible if C\n'
            'config X\n\tbool "x" if D\nendmenu\nendif\n'
            'config C\n\tbool "c"\nconfig D\n\tbool "d"\n'
        )
        why = tiny.why(kconfig, "", "X")
        assert why
        [way] = why.ways
        assert [c.kind for c in way.clauses] == [
            "if",
            "menu",
            "visible if",
            "prompt if",
        ]
        assert [c.failing for c in way.clauses] == [["A"], ["B"], ["C"], ["D"]]

    @pytest.mark.parametrize("name", ["X", "DEEPER"])
    def test_what_follows_from_the_rest_is_left_out(
        self, tiny: Tiny, name: str
    ) -> None:
        kconfig = A_AND_B + (
            "if A\nconfig HAS\n\tdef_bool y\n"
            'config X\n\tbool "x"\n\tdepends on HAS || B\nendif\n'
            'config DEEPER\n\tbool "deeper"\n\tdepends on X\n'
        )
        told_of_x = ["X=n->y", ["prompt", ["5 if A", "A=n->y settable"]]]
        deeper = ["DEEPER=n->y", ["prompt", ["14 depends on X", *told_of_x]]]
        assert tiny.told(kconfig, "", name) == (told_of_x if name == "X" else deeper)

    def test_nor_what_the_values_bring_about(self, tiny: Tiny) -> None:
        """More symbols select it than are looked through."""
        many = "".join(
            f'config S{i}\n\tbool "s"\n\tselect HELPER\n'
            f'{"	default y" if i == 8 else ""}\n{"	depends on A" if i == 8 else ""}\n'
            for i in range(9)
        )
        kconfig = (
            A_AND_B
            + many
            + (
                "config HELPER\n\tbool\n"
                'config X\n\tbool "x"\n\tdepends on A\n\tdepends on HELPER\n'
            )
        )
        why = tiny.why(kconfig, "", "X")
        assert why
        assert [c.failing for c in why.ways[0].clauses] == [["A"]]

    def test_what_comes_up_on_the_way(self, tiny: Tiny) -> None:
        """B is on by default as soon as A is on, and then in the way."""
        kconfig = (
            'config A\n\tbool "a"\nconfig B\n\tbool "b"\n\tdefault y\n\tdepends on A\n'
            'config X\n\tbool "x"\n\tdepends on A\n\tdepends on !B\n'
        )
        why = tiny.why(kconfig, "", "X")
        assert why
        first, second = why.ways[0].clauses
        assert (first.failing, first.comes_next) == (["A"], False)
        assert (second.failing, second.comes_next) == (["B"], True)
        assert told(second.need) == ["B=y->n settable"]

    def test_long_chain_ends(self, tiny: Tiny) -> None:
        links = "".join(
            f"config L{i}\n\tdef_bool y\n\tdepends on L{i + 1} || M{i + 1}\n"
            f"config M{i}\n\tdef_bool y\n\tdepends on M{i + 1} || L{i + 1}\n"
            for i in range(60)
        )
        kconfig = A_AND_B + links + 'config L60\n\tbool "l"\nconfig M60\n\tbool "m"\n'
        start = time.process_time()
        assert "cut" in str(tiny.told(kconfig, "", "L0"))
        assert time.process_time() - start < 5, "it must not take exponential time"

    def test_undefined(self, tiny: Tiny) -> None:
        [_, [_, [_, need]]] = tiny.told(
            'config X\n\tbool "x"\n\tdepends on NOWHERE\n', "", "X"
        )
        assert need == "NOWHERE=n->y undefined"

    def test_comparisons(self, tiny: Tiny) -> None:
        kconfig = (
            'config N\n\tint "n"\n\tdefault 3\nconfig S\n\tstring "s"\n'
            'config X\n\tbool "x"\n\tdepends on N > 5 && S = "on" && 8 > N\n'
        )
        [_, [_, [_, *need]]] = tiny.told(kconfig, "", "X")
        assert need == ["all", ["N=3->> 5 settable"], ["S=->on settable"]]


class TestWithoutPrompt:
    """Who could set it."""

    def test_selects_first_that_can_be_set(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            'config HARD\n\tbool "h"\n\tdepends on A && B\n\tselect X\n'
            'config EASY\n\tbool "e"\n\tselect X if A\n'
            "config X\n\tbool\n"
        )
        why = tiny.why(kconfig, "", "X")
        assert why and not why.has_prompt
        assert told(why) == [
            "X=n->y",
            [
                "select",
                [
                    "11 select X if A",
                    "all",
                    ["EASY=n->y settable"],
                    ["A=n->y settable"],
                ],
            ],
        ]
        assert why.more == 1

    def test_hopeless_selects_are_left_out(self, tiny: Tiny) -> None:
        never = "".join(f"config NEVER{i}\n\tbool\n\tselect X\n" for i in range(6))
        kconfig = (
            A_AND_B
            + never
            + (
                'config MAYBE\n\tbool "m"\n\tdepends on A\n\tselect X\n'
                "config X\n\tbool\n"
            )
        )
        why = tiny.why(kconfig, "", "X")
        assert why and why.more == 0
        assert [way.clauses[0].failing for way in why.ways] == [["MAYBE"]]

    def test_defaults(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            "config X\n\tbool\n\tdefault n if A\n\tdefault y if B\n\tdefault A\n"
        )
        # The first default that applies counts, so A has to go for the second
        assert tiny.told(kconfig, "CONFIG_A=y\n", "X") == [
            "X=n->y",
            [
                "default",
                ["8 default y if B", "all", ["B=n->y settable"], ["A=y->n settable"]],
            ],
        ]

    def test_nothing(self, tiny: Tiny) -> None:
        assert tiny.told("config X\n\tbool\n", "", "X") == ["X=n->y nothing"]
        [_, [_, [_, need]]] = tiny.told(
            'config NO\n\tbool\nconfig X\n\tbool "x"\n\tdepends on NO\n', "", "X"
        )
        assert need == "NO=n->y nothing"

    def test_imply(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            'config I\n\tbool "i"\n\timply X\nconfig X\n\tbool\n\tdepends on A\n'
        )
        why = tiny.why(kconfig, "CONFIG_A=y\n", "X")
        assert why and [way.by for way in why.ways] == ["imply"]


class TestHeldUp:
    """What would release it."""

    def test_select(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + (
            'config S1\n\tbool "s"\n\tselect X\n'
            'config S2\n\tbool "s"\n\tselect X if A\n'
            'config X\n\tbool "x"\n'
        )
        config = "CONFIG_S1=y\nCONFIG_S2=y\nCONFIG_A=y\n"
        assert tiny.told(kconfig, config, "X", "n") == [
            "X=y->n",
            [
                "prompt",
                ["7 select X", "S1=y->n settable"],
                [
                    "10 select X if A",
                    "one of",
                    ["S2=y->n settable"],
                    ["A=y->n settable"],
                ],
            ],
        ]

    def test_by_what_nobody_can_turn_off(self, tiny: Tiny) -> None:
        kconfig = "config ARCH\n\tdef_bool y\n\tselect X\nconfig X\n\tbool\n"
        assert tiny.told(kconfig, "", "X", "n") == [
            "X=y->n",
            [
                "default",
                [
                    "3 select X",
                    "ARCH=y->n",
                    ["default", ["2 def_bool y", "y"]],
                ],
            ],
        ]

    def test_default_without_a_visible_prompt(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + 'config X\n\tbool "x" if A\n\tdefault y if B\n'
        assert tiny.told(kconfig, "CONFIG_B=y\n", "X", "n") == [
            "X=y->n",
            ["prompt", ['6 bool "x" if A', "A=n->y settable"]],
            ["default", ["7 default y if B", "B=y->n settable"]],
        ]

    def test_imply(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + 'config I\n\tbool "i"\n\timply X\nconfig X\n\tbool\n'
        assert tiny.told(kconfig, "CONFIG_I=y\n", "X", "n") == [
            "X=y->n",
            ["default", ["7 imply X", "I=y->n settable"]],
        ]


class TestChoice:
    """The other member."""

    KCONFIG = A_AND_B + (
        'choice\n\tprompt "c"\n\tdepends on A\nconfig ONE\n\tbool "one"\n'
        'config TWO\n\tbool "two"\nconfig THREE\n\tbool "three"\n\tdepends on B\n'
        "endchoice\n"
    )

    @BOTH_RULES
    def test_member(self, tmp_path: Path, pair: str) -> None:
        tiny = Tiny(tmp_path, pair)
        assert tiny.told(self.KCONFIG, "CONFIG_A=y\n", "TWO") == [
            "TWO=n->y settable",
            ["prompt", ["8 config ONE"]],
        ]
        [_, [_, hidden]] = tiny.told(self.KCONFIG, "", "TWO")
        assert hidden == ["7 depends on A", "A=n->y settable"]
        [_, [_, hidden]] = tiny.told(self.KCONFIG, "CONFIG_A=y\n", "THREE")
        assert hidden == ["14 depends on B", "B=n->y settable"]

    @BOTH_RULES
    def test_off(self, tmp_path: Path, pair: str) -> None:
        why = Tiny(tmp_path, pair).why(self.KCONFIG, "CONFIG_A=y\n", "ONE", "n")
        assert why
        [_, [_, [_, need]]] = told(why)
        assert need == "TWO=n->y settable"
        # By the newer rules, n for the selected member selects another
        assert (why.state is State.SETTABLE) == (pair == HOST)


class TestNumbers:
    """Ranges, their bounds and what moves them."""

    KCONFIG = A_AND_B + (
        "config MAX\n\tint\n\tdefault 80 if A\n\tdefault 9\n"
        'config X\n\tint "x"\n\trange 100 200 if B\n\trange 1 MAX\n'
    )

    def test_bound_and_other_range(self, tiny: Tiny) -> None:
        assert tiny.told(self.KCONFIG, "", "X", "50") == [
            "X=1->50",
            [
                "prompt",
                [
                    "12 range 1 MAX",
                    "MAX=9->>= 50",
                    ["default", ["7 default 80 if A", "A=n->y settable"]],
                ],
            ],
        ]
        [_, [_, [_, need]]] = tiny.told(self.KCONFIG, "", "X", "150")
        assert need == "B=n->y settable"

    def test_condition_of_the_range(self, tiny: Tiny) -> None:
        [_, [_, [text, need]]] = tiny.told(
            self.KCONFIG, "CONFIG_B=y\nCONFIG_A=y\n", "X", "50"
        )
        assert (text, need) == ("11 range 100 200 if B", "B=y->n settable")

    def test_out_of_every_range(self, tiny: Tiny) -> None:
        [_, [_, [_, *need]]] = tiny.told(self.KCONFIG, "", "X", "5000")
        assert need == ["MAX=9->>= 5000 nothing"]

    def test_string_without_prompt(self, tiny: Tiny) -> None:
        kconfig = A_AND_B + 'config X\n\tstring\n\tdefault "on" if A\n\tdefault "off"\n'
        assert tiny.told(kconfig, "", "X", "on") == [
            "X=off->on",
            ["default", ['7 default "on" if A', "A=n->y settable"]],
        ]


class TestTristate:
    """m where y is wanted, and the other way round."""

    KCONFIG = 'config MODULES\n\tbool "m"\n\tmodules\n' + (
        'config P\n\ttristate "p"\nconfig X\n\ttristate "x"\n\tdepends on P\n'
        'config M\n\ttristate "m"\n\tdepends on m\n'
        'config NOT\n\ttristate "n"\n\tdepends on !P\n'
    )

    def test_ceiling(self, tiny: Tiny) -> None:
        assert tiny.told(self.KCONFIG, "CONFIG_MODULES=y\nCONFIG_P=m\n", "X") == [
            "X=n->y",
            ["prompt", ["8 depends on P", "P=m->y settable"]],
        ]
        assert tiny.told(self.KCONFIG, "CONFIG_MODULES=y\nCONFIG_P=m\n", "NOT") == [
            "NOT=n->y",
            ["prompt", ["14 depends on !P", "P=m->n settable"]],
        ]

    def test_never_built_in(self, tiny: Tiny) -> None:
        [_, [_, [_, need]]] = tiny.told(self.KCONFIG, "CONFIG_MODULES=y\n", "M")
        assert need == "m"

    def test_without_modules(self, tiny: Tiny) -> None:
        assert tiny.told(self.KCONFIG, "", "X", "m") == [
            "X=n->m",
            [
                "prompt",
                ["1 config MODULES", "MODULES=n->y settable"],
                ["8 depends on P", "P=n->y settable"],
            ],
        ]

    def test_no_such_value(self, tiny: Tiny) -> None:
        assert tiny.why(A_AND_B, "", "A", "m") is None
        assert tiny.why(A_AND_B, "", "A", "n") is None, "it has that value"


class TestTools:
    """Tests of the compiler and others are named as they are written."""

    HAS = (
        "config HAS\n\tdef_bool $(shell,printf n)\n"
        "config GCC\n\tdef_bool y\n"
        "config VERSION\n\tint\n\tdefault $(shell,echo 120200) if GCC\n\tdefault 0\n"
    )

    def test_behind_symbols(self, tiny: Tiny) -> None:
        kconfig = self.HAS + (
            "config HAVE\n\tbool\n\tdefault y if HAS\n"
            'config X\n\tbool "x"\n\tdepends on HAVE\n'
        )
        why = tiny.why(kconfig, "", "X")
        assert why and why.ways[0].clauses[0].toolchain == "$(shell,printf n)"
        assert str(["2 def_bool $(shell,printf n)", "$(shell,printf n)"]) in str(
            told(why)
        )

    def test_the_one_of_several_that_failed(self, tiny: Tiny) -> None:
        condition = "$(shell,echo y) && (A || $(shell,printf n)) # if $(shell,echo n)"
        kconfig = A_AND_B + f'config X\n\tbool "x"\n\tdepends on {condition}\n'
        [_, [_, [_, *need]]] = tiny.told(kconfig, "", "X")
        assert need == ["one of", ["A=n->y settable"], ["$(shell,printf n)"]]

    def test_version(self, tiny: Tiny) -> None:
        kconfig = self.HAS + 'config X\n\tbool "x"\n\tdepends on VERSION >= 130000\n'
        why = tiny.why(kconfig, "", "X")
        assert why
        need = why.ways[0].clauses[0].need
        assert isinstance(need, Why) and need.state is State.TOOL
        assert need.tool == "$(shell,echo 120200)" and need.wanted == ">= 130000"

    def test_configuration_comes_before_tools(self, tiny: Tiny) -> None:
        """A way that another compiler would open is no news if a setting opens one."""
        kconfig = self.HAS + (
            'config A\n\tbool "a"\nconfig X\n\tbool\n\tdefault y if HAS\n\tdefault A\n'
        )
        assert tiny.told(kconfig, "", "X") == [
            "X=n->y",
            ["default", ["14 default A", "A=n->y settable"]],
        ]


def test_transitional(tmp_path: Path) -> None:
    kconfig = (
        'config OLD\n\tbool\n\ttransitional\nconfig NEW\n\tbool "new"\n\tdefault OLD\n'
    )
    why = Tiny(tmp_path, "7.3-x86_64").why(kconfig, "", "OLD")
    assert why and why.state is State.TRANSITIONAL and why.replacements == ["NEW"]


def test_process_state_is_left_alone(tmp_path: Path) -> None:
    model = Model(tiny_tree(HOST, tmp_path, TestNumbers.KCONFIG), None)
    model.load("CONFIG_X=3\n")
    text = model.text()
    for name, value in (("X", "50"), ("MAX", "80"), ("A", "y")):
        model.why(name, value)
    assert model.text() == text


# -- Real trees -------------------------------------------------------------------

#: Symbol and value on the defconfig, and what a user would have to set for it
KNOWN = {
    "UBSAN_BOUNDS=y": {("UBSAN", "y")},
    "MODIFY_LDT_SYSCALL=n": {("EXPERT", "y")},
    "ARCH_MMAP_RND_BITS=32": {("EXPERT", "y")},
    "IO_URING=n": {("EXPERT", "y")},
}


@each(HOST_PAIRS)
def test_known_prerequisites(pair: str) -> None:
    model, tree = kernel_model(pair), kernel_tree(pair)
    assert tree.defconfig
    model.load(tree.defconfig.read_text())
    for goal, needed in KNOWN.items():
        why = model.why(*goal.split("="))
        assert why and why.ways, goal
        assert set(assignments(c.need for c in why.ways[0].clauses).items()) == needed


@each([HOST], long=("6.1", "7.2", "7.3"))
def test_every_symbol_has_its_reason(pair: str) -> None:
    """What is off, is not settable and has no reason would be a riddle."""
    model, tree = kernel_model(pair), kernel_tree(pair)
    assert tree.defconfig
    model.load(tree.defconfig.read_text())
    names = [n for n in model.names() if model.type(n) in ("bool", "tristate")]
    for name in names[::20]:
        wanted = "n" if model.value(name) == "y" else "y"
        why = model.why(name, wanted)
        assert why, name
        with model.trial():
            model.assign(name, wanted)
            if why.state is State.SETTABLE:
                assert model.value(name) == wanted, f"{name} is said to be settable"
            else:
                assert model.value(name) != wanted, f"{name} is said not to be settable"
        if why.state is State.BLOCKED:
            assert all(way.clauses for way in why.ways), name


@each([HOST], long=("6.1", "7.2", "7.3"))
def test_doing_what_it_takes_works(pair: str) -> None:
    """Where nothing is left to choose, setting what is named gets the value.

    Not quite always: some conditions compare what is to be set with something that
    follows it.  The search knows better, and explanations do not claim to be one.
    """
    model = kernel_model(pair)
    model.load(model.all_config("allno"))
    worked = failed = 0
    for name in model.names()[::15]:
        why = model.why(name, "y")
        if why is None or not why.has_prompt or not why.ways:
            continue
        needs = [item.need for item in why.ways[0].clauses]
        if not all(map(is_plain, needs)):
            continue
        with model.trial():
            for other, value in assignments(needs).items():
                if value in ("y", "m", "n"):
                    model.assign(other, value)
            model.assign(name, "y")
            worked += model.value(name) == "y"
            failed += model.value(name) != "y"
    assert worked > 300 and failed < worked / 50, (worked, failed)


@each([HOST], long=("6.1", "7.2", "7.3"))
def test_every_clause_is_in_the_files(pair: str) -> None:
    """Place and text of a sample of clauses, read from the tree again."""
    model, tree = kernel_model(pair), kernel_tree(pair)
    model.load("")
    seen = 0
    for name in model.names()[::40]:
        why = model.why(name, "y")
        for way in why.ways if why else ():
            for item in way.clauses:
                lines = (tree.source / item.place.file).read_text().split("\n")
                first = lines[item.place.line - 1].strip().removesuffix("\\").strip()
                assert " ".join(item.text.split()).startswith(" ".join(first.split()))
                # A plain m stands for a dependency on modules
                words = {*re.findall(r"\w+", item.text), "MODULES"}
                if item.kind not in ("select", "imply", "choice"):
                    assert words >= set(item.failing)
                seen += 1
    assert seen > 200


def test_elsewhere() -> None:
    tree = kernel_tree(HOST)
    place = not_sourced(tree, "ARM64_BTI_KERNEL")
    assert place == other_architecture(tree, "ARM64_BTI_KERNEL")
    assert selected_elsewhere(tree, "HAVE_ARCH_KASAN_HW_TAGS") == ["arm64"]
    assert not_sourced(tree, "NO_SUCH_SYMBOL") is None


def test_alike() -> None:
    names = kernel_model(HOST).names()
    for wrong, right in (
        ("HARDENED_USERCPY", "HARDENED_USERCOPY"),
        ("RANDOMISE_BASE", "RANDOMIZE_BASE"),
        ("SECURITY_DMESG", "SECURITY_DMESG_RESTRICT"),
        ("STACKPROTECTOR_STONG", "STACKPROTECTOR_STRONG"),
    ):
        assert alike(wrong, names)[0] == right
    assert alike("QQQQ", names) == []
