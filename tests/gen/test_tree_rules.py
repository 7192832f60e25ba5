# SPDX-License-Identifier: GPL-2.0-only
"""The rules of Kconfig, one small tree each, for every generation of conf.

Each tree is settled by the conf of each kernel too, for all combinations of the
given values, so an expectation here cannot be wrong on its own.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tree_support import HOST_PAIRS, each, settle, tiny_tree

from gen.tree.kbuild import TreeError
from gen.tree.model import Model

MODULES = """
config MODULES
\tbool "modules"
\tmodules
"""
TRISTATE = ("y", "m", "n", "")
BOOL = ("y", "n", "")
NEW = [pair for pair in HOST_PAIRS if pair.startswith("7")]
MENU = [pair for pair in HOST_PAIRS if not pair.startswith("6.1-")]
OLD = ["6.1-x86_64"]


def lines(values: dict[str, str]) -> str:
    """A .config; an empty value means no line."""
    return "".join(
        f"# CONFIG_{n} is not set\n" if v == "n" else f"CONFIG_{n}={v}\n"
        for n, v in values.items()
        if v
    )


def check_all(
    pair: str, folder: Path, kconfig: str, values: dict[str, tuple[str, ...]]
) -> Model:
    """Compare model and conf for every combination of the values."""
    tree = tiny_tree(pair, folder, kconfig)
    model = Model(tree, None)
    for combination in itertools.product(*values.values()):
        text = lines(dict(zip(values, combination)))
        model.load(text)
        assert model.text() == settle(tree, folder, text), text
    return model


@each(HOST_PAIRS)
def test_select_and_depends(pair: str, tmp_path: Path) -> None:
    kconfig = (
        MODULES
        + """
config A
    tristate "a"
config B
    tristate "b"
    depends on A
config C
    tristate "c"
    select B if A
    imply D
config D
    tristate "d"
    depends on A
"""
    )
    model = check_all(
        pair,
        tmp_path,
        kconfig,
        {"MODULES": BOOL, "A": TRISTATE, "B": TRISTATE, "C": TRISTATE, "D": BOOL},
    )
    model.load(lines({"MODULES": "y", "A": "m", "C": "y"}))
    assert model.value("B") == "m"
    assert model.value("D") == "m", "an implied value is limited by the dependencies"
    model.load(lines({"A": "y", "C": "m"}))
    assert model.value("C") == "y", "without modules, m counts as y"


@each(HOST_PAIRS)
def test_implied_is_written_though_n(pair: str, tmp_path: Path) -> None:
    kconfig = """
config A
    bool "a"
config B
    bool
    depends on A
config C
    bool "c"
    imply B
"""
    model = check_all(pair, tmp_path, kconfig, {"A": BOOL, "C": BOOL})
    model.load(lines({"C": "y"}))
    assert "# CONFIG_B is not set\n" in model.text()


@each(HOST_PAIRS)
def test_first_type_counts(pair: str, tmp_path: Path) -> None:
    kconfig = """
config A
    bool "a"
config A
    tristate
    default y
"""
    model = check_all(pair, tmp_path, kconfig, {"A": TRISTATE})
    assert model.type("A") == "bool"


@each(HOST_PAIRS)
def test_definition_without_dependency(pair: str, tmp_path: Path) -> None:
    """It adds nothing to the dependencies of the others; `depends on y` does."""
    text = """
config X
    bool "x"
config S
    bool "s"
    imply A
    imply B
config A
    bool
    depends on X
config A
    bool
config B
    bool
    depends on X
config B
    bool
    depends on y
"""
    model = check_all(pair, tmp_path, text, {"X": BOOL, "S": BOOL})
    model.load(lines({"S": "y"}))
    assert (model.value("A"), model.value("B")) == ("n", "y")


@each(HOST_PAIRS)
def test_comparisons(pair: str, tmp_path: Path) -> None:
    """As C's strtoll and strtoull read numbers, by the type of the symbol."""
    numbers = ("9", "10", "0", "-1", "18446744073709551616", "")
    conditions = {
        "LESS": "I < 10",
        "SAME": "I = J",
        "OCTAL": 'I = "011"',
        "UNSIGNED": "H > I",
        "TEXT": 'S = "9"',
        "MORE": "S >= I",
    }
    text = """
config I
    int "i"
config J
    int "j"
    default 9
config H
    hex "h"
config S
    string "s"
"""
    text += "".join(
        f"config {name}\n\tdef_bool {condition}\n"
        for name, condition in conditions.items()
    )
    check_all(
        pair,
        tmp_path,
        text,
        {
            "I": numbers,
            "J": ("10", ""),
            "H": ("0xffffffffffffffff", "A", ""),
            "S": ('"9"', '"09"', '"z"', ""),
        },
    )


@each(HOST_PAIRS)
def test_ranges(pair: str, tmp_path: Path) -> None:
    text = """
config LIMIT
    int "limit"
    range 2 8
    default 4
config N
    int "n"
    range 1 LIMIT
    default 100
config H
    hex "h"
    range 0x10 0x00ff
config BIG
    def_bool N > 4
"""
    values = ("0", "3", "6", "8", "99", "x", "")
    model = check_all(
        pair,
        tmp_path,
        text,
        {"LIMIT": values, "N": values, "H": ("0x1", "0x20", "0x100", "")},
    )
    model.load("")
    assert model.range("N") == (1, 4)
    assert model.value("N") == "4", "the default is clamped"
    model.assign("H", "0x100")
    assert model.value("H") == ("0x10" if pair in OLD else "0x00ff")


@each(HOST_PAIRS)
def test_number_without_value(pair: str, tmp_path: Path) -> None:
    text = 'config I\n\tint "i"\nconfig H\n\thex "h"\nconfig S\n\tstring "s"\n'
    model = check_all(pair, tmp_path, text, {"I": ("", "5")})
    model.load("")
    expected = ("", "") if pair in OLD else ("0", "0x0")
    assert (model.value("I"), model.value("H")) == expected


@each(HOST_PAIRS)
def test_lines(pair: str, tmp_path: Path) -> None:
    """Which lines of a .config count, and what a warning says."""
    tree = tiny_tree(
        pair,
        tmp_path,
        'config A\n\tbool "a"\nconfig B\n\tbool "b"\nconfig S\n\tstring "s"\n'
        'config I\n\tint "i"\n\tdefault 3\n',
    )
    model = Model(tree, None)
    for text, warning in {
        "CONFIG_A=yes\n": "",
        "CONFIG_A=y\r\n": "",
        " CONFIG_A=y\n": "1: this is no setting",
        "CONFIG_A\n": "1: this is no setting",
        "CONFIG_A=x\n": "1: 'x' is no value for the bool A",
        "CONFIG_A=m\n": "1: 'm' is no value for the bool A",
        "\n\nCONFIG_A=y\nCONFIG_A=n\n": "4: A was already set",
        "CONFIG_A=y\n# CONFIG_A is not set, really\n": None,
        "CONFIG_A=y\n#CONFIG_A is not set\n": "",
        'CONFIG_S="a\\"b\\\\" rest\n': "",
        "CONFIG_S=bare\n": "1: the value of S is no quoted string",
        "CONFIG_I= 4\n": "1: ' 4' is no value for the int I",
        "CONFIG_I=010\n": "1: '010' is no value for the int I",
        'CONFIG_S="\udce9"\n': "",
        "CONFIG_UNKNOWN=y\n": "",
    }.items():
        warnings = model.load(text)
        assert model.text() == settle(tree, tmp_path, text), repr(text)
        if warning is not None:
            assert bool(warnings) == bool(warning), repr(text)
            assert warnings[:1] == [] or warnings[0].startswith(warning), warnings


@each(HOST_PAIRS)
def test_menus(pair: str, tmp_path: Path) -> None:
    text = """
mainmenu "Tiny"
config A
    bool "a"
menu "empty"
endmenu
menu "hidden"
    visible if A
config B
    bool "b"
    default y
comment "a comment"
    depends on A
endmenu
if A
menu "inner"
config C
    bool "c"
endmenu
endif
config D
    bool "d"
"""
    model = check_all(pair, tmp_path, text, {"A": BOOL, "B": BOOL, "C": BOOL})
    model.load("")
    assert model.text().startswith(
        "#\n# Automatically generated file; DO NOT EDIT.\n# Tiny\n#\n"
    )


CHOICE = """
config E
    bool "e"
choice
    prompt "one of" if E
    default B
config A
    bool "a"
config B
    bool "b"
config C
    bool "c"
    depends on E
endchoice
"""


@each(HOST_PAIRS)
def test_choice(pair: str, tmp_path: Path) -> None:
    model = check_all(
        pair, tmp_path, CHOICE, {"E": BOOL, "A": BOOL, "B": BOOL, "C": BOOL}
    )
    model.load(lines({"E": "y", "A": "y"}))
    assert model.value("A") == "y" and model.value("B") == "n"
    assert model.default("A") == "n"
    model.assign("C", "y")
    assert model.value("A") == "n" and model.value("C") == "y"


@each(MENU)
def test_choice_by_order(pair: str, tmp_path: Path) -> None:
    """The last member set to y wins; an explicit n moves the selection on."""
    tree = tiny_tree(pair, tmp_path, CHOICE)
    model = Model(tree, None)
    for names in itertools.permutations("ABC"):
        for values in itertools.product("yn", repeat=3):
            text = "CONFIG_E=y\n"
            text += "".join(lines({n: v}) for n, v in zip(names, values))
            model.load(text)
            assert model.text() == settle(tree, tmp_path, text), text
    model.load("# CONFIG_B is not set\nCONFIG_E=y\n")
    assert model.value("A") == "y"


@each(OLD, long=())
def test_choice_with_value(pair: str, tmp_path: Path) -> None:
    kconfig = (
        MODULES
        + """
config E
    tristate "e"
choice
    tristate "one of"
    depends on E
    optional
config A
    tristate "a"
config B
    tristate "b"
config C
    bool "c"
endchoice
choice
    prompt "other"
    depends on E
config D
    tristate "d"
config F
    tristate "f"
    depends on E = y
endchoice
"""
    )
    check_all(
        pair,
        tmp_path,
        kconfig,
        {
            "MODULES": ("y", ""),
            "E": ("y", "m"),
            "A": ("y", "m", ""),
            "B": ("y", "m", "n"),
            "C": BOOL,
            "D": ("y", "m"),
            "F": ("y", "m"),
        },
    )


@each(NEW)
@pytest.mark.parametrize(
    "condition", ["B", "!B", "B && C", "B || !C", "!(B && C)", "B = m", "m", "!!B"]
)
def test_conditional_dependency(pair: str, condition: str, tmp_path: Path) -> None:
    kconfig = (
        MODULES
        + f"""
config A
    tristate "a"
config B
    tristate "b"
config C
    tristate "c"
config X
    tristate "x"
    depends on A if {condition}
"""
    )
    values = {"MODULES": ("y", ""), "A": TRISTATE, "B": TRISTATE, "C": TRISTATE}
    model = check_all(pair, tmp_path, kconfig, values | {"X": ("y",)})
    if condition == "B":
        model.load(lines({"MODULES": "y", "B": "m", "X": "y"}))
        assert model.value("X") == "n", "as A = n, although !B would be m"


@each(NEW)
def test_transitional(pair: str, tmp_path: Path) -> None:
    text = """
config OLD
    bool
    transitional
config NEW
    bool "new"
    default OLD
config OLD_N
    int
    transitional
    help
      Gone.
config N
    int "n"
    range 1 9
    default OLD_N
"""
    values = {"OLD": BOOL, "NEW": BOOL, "OLD_N": ("", "5", "50"), "N": ("", "2")}
    model = check_all(pair, tmp_path, text, values)
    model.load("CONFIG_OLD=y\n")
    assert model.value("NEW") == "y"
    assert "CONFIG_OLD=" not in model.text()


@each(HOST_PAIRS)
def test_modules_in_help_text(pair: str, tmp_path: Path) -> None:
    """`modules` is a statement only where a statement may stand."""
    text = """
config MODULES
    bool "m"
    modules # not this one
    default y
    help
      What
      modules
      are.
config T
    tristate "t"
    default m
"""
    model = check_all(pair, tmp_path, text, {"MODULES": BOOL, "T": TRISTATE})
    model.load("")
    assert model.value("T") == "m"


@each(HOST_PAIRS)
def test_variables_expand_once(pair: str, tmp_path: Path) -> None:
    text = """
dollar := $
once := $(dollar)(dollar)
config S
    string "s"
    default "$(once)"
config T
    def_bool $(shell,printf y) && "$(shell,printf 'a\\nb')" = "a b"
"""
    model = check_all(pair, tmp_path, text, {"S": ("",)})
    assert model.value("S") == "$(dollar)"
    assert model.value("T") == "y"


@each(HOST_PAIRS)
def test_error_in_tree(pair: str, tmp_path: Path) -> None:
    tree = tiny_tree(pair, tmp_path, 'config A\n\tbool "a"\n\tnonsense\n')
    with pytest.raises(TreeError, match="Kconfig:3"):
        Model(tree, None)
