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


def check_refused(pair: str, folder: Path, kconfig: str, message: str) -> None:
    """Check that both model and conf refuse a tree."""
    tree = tiny_tree(pair, folder, kconfig)
    with pytest.raises(TreeError):
        settle(tree, folder, "")
    with pytest.raises(TreeError, match=message):
        Model(tree, None)


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


#: A dependency and the condition on which it counts
CONDITIONAL = [
    *(("A", condition) for condition in ("A", "B", "C", "!A", "!B", "m", "y", "n")),
    *(("A", f"B {operator} m") for operator in ("=", "!=", "<", ">=")),
    ("A", "B = C"),
    ("A", "B && C"),
    ("A", "B || C"),
    ("A", "B || !C"),
    ("A", "!(B && C)"),
    ("A", "!(B || !C)"),
    ("A", "!!B"),
    ("A", "B && m"),
    ("A && C", "B"),
    ("!A", "B"),
    ("A || m", "!B"),
    ("A = m", "B != n"),
    ("m", "B"),
    ("y", "B"),
    ("n", "B"),
]


@each(NEW)
def test_conditional_dependency(pair: str, tmp_path: Path) -> None:
    """All forms at once, as none of these symbols depends on another."""
    kconfig = MODULES
    for name in "ABC":
        kconfig += f'config {name}\n\ttristate "prompt"\n'
    for number, (dependency, condition) in enumerate(CONDITIONAL):
        for kind in ("bool", "tristate"):
            kconfig += f"""
config {kind.upper()}{number}
    {kind} "prompt" if A != m
    depends on {dependency} if {condition}
    depends on C || y if C
    default y
"""
    values = {"MODULES": ("y", ""), "A": TRISTATE, "B": TRISTATE, "C": TRISTATE}
    model = check_all(pair, tmp_path, kconfig, values)
    model.load(lines({"MODULES": "y", "B": "m"}))
    assert model.value("TRISTATE1") == "n", "as A = n, although !B would be m"


@each(NEW)
def test_conditional_dependencies_of_blocks(pair: str, tmp_path: Path) -> None:
    kconfig = (
        MODULES
        + """
config A
    tristate "a"
config B
    tristate "b"
menu "menu"
    depends on A if B
config X
    tristate "x"
    imply Y
endmenu
choice
    prompt "choice"
    depends on A if B
config C
    bool "c"
config D
    bool "d"
    depends on !A if B
endchoice
config Y
    tristate
    depends on B if A
    depends on m if A && !B
comment "comment"
    depends on A if !B
"""
    )
    values = {"MODULES": ("y", ""), "A": TRISTATE, "B": TRISTATE, "X": TRISTATE}
    check_all(pair, tmp_path, kconfig, values | {"D": BOOL})


#: Values of a type, as they stand in .config
OF_TYPE = {
    "bool": ("y", "n", ""),
    "tristate": ("y", "m", "n", ""),
    "int": ("5", "50", "x", ""),
    "hex": ("0x5", "1F", "0x50", ""),
    "string": ('"a"', '""', "bare", ""),
}


@each(NEW)
@pytest.mark.parametrize("kind", OF_TYPE)
def test_transitional(pair: str, kind: str, tmp_path: Path) -> None:
    """It is read and handed on as a default, and never written."""
    limit = {"int": "range 1 9", "hex": "range 0x1 0x1f"}.get(kind, "")
    text = (
        MODULES
        + f"""
config OFF
    bool "off"
config OLD
    {kind}
    transitional
    help
      Gone.
config NEW
    {kind} "new"
    default OLD
    {limit}
config WITHOUT_PROMPT
    {kind}
    default OLD if !OFF
config HIDDEN
    {kind} "hidden" if OFF
    depends on OFF || OLD = "5" || OLD != "n"
    default OLD
"""
    )
    values = {"MODULES": ("y", ""), "OFF": BOOL, "OLD": OF_TYPE[kind]}
    values["NEW"] = OF_TYPE[kind][-2:]
    model = check_all(pair, tmp_path, text, values)
    value = OF_TYPE[kind][0]
    model.load(f"CONFIG_OLD={value}\n")
    assert model.value("NEW") == value.strip('"')
    assert f"CONFIG_NEW={value}\n" in model.text()
    assert "CONFIG_OLD=" not in model.text()


@each(NEW)
@pytest.mark.parametrize(
    "statement",
    ['prompt "p"', "default y", "select X", "imply X", "depends on X", "if X"],
)
def test_invalid_transitional(pair: str, statement: str, tmp_path: Path) -> None:
    text = 'config X\n\tbool "x"\n'
    if statement == "if X":
        text += "if X\nconfig OLD\n\tbool\n\ttransitional\nendif\n"
    else:
        text += f"config OLD\n\tbool\n\ttransitional\n\t{statement}\n"
    check_refused(pair, tmp_path, text, "OLD is transitional")


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


@each(HOST_PAIRS)
def test_modules_symbol_of_another_name(pair: str, tmp_path: Path) -> None:
    """m means "m && that symbol", also where it is declared further down."""
    text = """
config BEFORE
    tristate "before"
    depends on m
    default m
config MODULES
    bool "no more than a name"
config LOADABLE
    bool "modules"
    modules
    depends on MODULES
config AFTER
    tristate "after"
    default m if m
"""
    values = {"MODULES": BOOL, "LOADABLE": BOOL, "BEFORE": TRISTATE, "AFTER": TRISTATE}
    model = check_all(pair, tmp_path, text, values)
    model.load(lines({"MODULES": "y", "BEFORE": "m"}))
    assert model.value("BEFORE") == "n"
    model.assign("LOADABLE", "y")
    assert model.value("BEFORE") == "m"


@each(OLD, long=())
def test_option_modules(pair: str, tmp_path: Path) -> None:
    """How it was written up to 5.12. The conf at hand does not know that."""
    text = 'config MODULES\n\tbool "modules"\n\toption modules\n'
    text += 'config A\n\ttristate "a"\n\tdepends on m\n'
    model = Model(tiny_tree(pair, tmp_path, text), None)
    model.load(lines({"MODULES": "y", "A": "m"}))
    assert model.value("A") == "m"


@each(HOST_PAIRS)
def test_no_modules_symbol(pair: str, tmp_path: Path) -> None:
    text = """
config MODULES
    bool "no more than a name"
config A
    tristate "a"
config B
    bool "b"
    depends on m
"""
    model = check_all(pair, tmp_path, text, {"MODULES": BOOL, "A": TRISTATE, "B": BOOL})
    model.load(lines({"MODULES": "y", "A": "m", "B": "y"}))
    assert (model.value("A"), model.value("B")) == ("y", "n")


@each(HOST_PAIRS)
def test_two_modules_symbols(pair: str, tmp_path: Path) -> None:
    text = MODULES + 'config LOADABLE\n\tbool "modules"\n\tmodules\n'
    check_refused(pair, tmp_path, text, "Kconfig:7.* modules")


@each(HOST_PAIRS)
def test_imply(pair: str, tmp_path: Path) -> None:
    """By how much, to what, and what the user may still do."""
    text = (
        MODULES
        + """
config D
    tristate "d"
config A
    tristate "a"
    imply SHOWN
    imply HIDDEN
    imply BOOL if D
    imply NUMBER
config B
    bool "b"
    imply SHOWN if D = m
config SHOWN
    tristate "shown" if D
    depends on D
    default m
config HIDDEN
    tristate
    depends on D || !A
config BOOL
    bool "bool"
    depends on D
config NUMBER
    int "number"
"""
    )
    values = {"MODULES": ("y", ""), "A": TRISTATE, "B": ("y", ""), "D": TRISTATE}
    values |= {"SHOWN": ("m", "n", ""), "BOOL": ("n", "")}
    model = check_all(pair, tmp_path, text, values)
    model.load(lines({"MODULES": "y", "A": "y", "D": "y"}))
    assert (model.value("SHOWN"), model.value("HIDDEN")) == ("y", "y")
    model.assign("SHOWN", "n")
    assert model.value("SHOWN") == "n", "unlike select, imply can be overruled"


@each(HOST_PAIRS)
def test_visible_if(pair: str, tmp_path: Path) -> None:
    """It hides prompts and not symbols; m in it is m for the title of the menu."""
    text = (
        MODULES
        + """
config A
    tristate "a"
menu "outer"
    visible if A
menu "inner"
    visible if m
    visible if A != n
config B
    tristate "b"
    default m
choice
    prompt "choice"
config C
    bool "c"
config D
    bool "d"
endchoice
config N
    int "n"
    default 4
endmenu
comment "comment"
endmenu
"""
    )
    values = {"MODULES": ("y", ""), "A": TRISTATE, "B": TRISTATE, "N": ("7", "")}
    model = check_all(pair, tmp_path, text, values | {"D": BOOL})
    model.load(lines({"MODULES": "y", "B": "y", "N": "7"}))
    assert (model.value("B"), model.value("N")) == ("m", "4")


@each(HOST_PAIRS)
def test_several_definitions(pair: str, tmp_path: Path) -> None:
    """Properties add up, each on the conditions of its own definition."""
    text = """
config A
    bool "a"
config B
    bool "b"
if A
config X
    tristate "one"
    default y
config N
    int "n" if B
    range 1 5
endif
config X
    bool
    default B
config N
    hex
    default 9 if B
    default 3
    range 2 7 if !A
if B
menuconfig X
    prompt "two"
    select Y
endif
if y
config X
    default n
    depends on A && B
endif
config Y
    bool "y" if A
config S
    bool "s"
    imply X
    imply Y
"""
    values = {"A": BOOL, "B": BOOL, "X": TRISTATE, "Y": ("n", ""), "S": ("y", "")}
    model = check_all(pair, tmp_path, text, values | {"N": ("9", "")})
    assert (model.type("X"), model.type("N")) == ("tristate", "int")
    assert [place.prompt for place in model.places("X")] == ["one", None, "two", None]


@each(HOST_PAIRS)
def test_definition_inside_if_y(pair: str, tmp_path: Path) -> None:
    """`if y` is a condition, so it makes the dependencies of all definitions y."""
    text = """
config X
    bool "x"
config S
    bool "s"
    imply A
config A
    bool
    depends on X
if y
config A
    bool
endif
"""
    model = check_all(pair, tmp_path, text, {"X": BOOL, "S": BOOL})
    model.load(lines({"S": "y"}))
    assert model.value("A") == "y"


@each(HOST_PAIRS)
def test_syntax_of_numbers(pair: str, tmp_path: Path) -> None:
    text = 'config I\n\tint "i"\n\tdefault 3\nconfig H\n\thex "h"\n\tdefault 0x3\n'
    numbers = "0 -0 -5 +5 05 -05 00 1_0 5. 5x - 0x5 5' 99999999999999999999"
    hexes = "0 0x 0X 0x0 0X1f 1F -1 0x-1 g 0xg 1_0 x1 0x12345678123456781"
    model = check_all(
        pair, tmp_path, text, {"I": tuple(numbers.split()), "H": tuple(hexes.split())}
    )
    model.load("CONFIG_I=-5\nCONFIG_H=1F\n")
    assert (model.value("I"), model.value("H")) == ("-5", "1F")
    assert model.load("CONFIG_I=05\n"), "a leading zero deserves a warning"


@each(OLD, long=())
def test_choice_without_a_type(pair: str, tmp_path: Path) -> None:
    """Only items that stand in the choice itself, not in an `if`, give it a type."""
    text = (
        MODULES
        + """
config X
    tristate "x"
choice
    prompt "no type"
if X
config A
    bool "a"
endif
config B
    prompt "b"
endchoice
choice
    prompt "type of D"
config C
    prompt "c"
if X
config E
    prompt "e"
endif
config D
    tristate "d"
    depends on X
endchoice
"""
    )
    values = {"MODULES": ("y", ""), "X": TRISTATE, "A": ("y", ""), "B": ("y", "n")}
    values |= {"C": ("y", "m", ""), "D": ("m", ""), "E": ("y", "")}
    model = check_all(pair, tmp_path, text, values)
    assert model.type("C") == "tristate"
    model.load(lines({"MODULES": "y", "X": "y", "A": "y"}))
    assert model.value("A") == "n", "nobody can have it"


@each(OLD, long=())
def test_submenu_in_choice(pair: str, tmp_path: Path) -> None:
    """A member that depends on the one before it is no member."""
    text = """
choice
    prompt "choice"
config A
    bool "a"
config B
    bool "b"
    depends on A
config C
    bool "c"
endchoice
"""
    model = check_all(pair, tmp_path, text, {"A": BOOL, "B": BOOL, "C": BOOL})
    model.load(lines({"A": "y", "B": "y"}))
    assert (model.value("A"), model.value("B")) == ("y", "y")


@each(HOST_PAIRS)
def test_automatic_submenu(pair: str, tmp_path: Path) -> None:
    """Where it ends, also at a negative dependency as in 7.3, changes no value."""
    text = """
config A
    bool "a"
config B
    bool "b"
    depends on A != n
config C
    bool "c"
    depends on !A
menu "menu"
    depends on A || B
config D
    bool "d"
endmenu
comment "comment"
    depends on A
"""
    values = {"A": BOOL, "B": BOOL, "C": BOOL, "D": BOOL}
    check_all(pair, tmp_path, text, values)


@each(HOST_PAIRS)
def test_all_configs(pair: str, tmp_path: Path) -> None:
    """Which symbols conf --all*config sets: all, or those with a prompt in the menu."""
    text = (
        MODULES
        + CHOICE
        + """
config T
    tristate "t"
    default m
    select HIDDEN
config HIDDEN
    tristate
config PROMPTLESS
    tristate
    default T
    imply IMPLIED
config IMPLIED
    bool "implied"
config NEVER
    tristate "never" if n
    default m
if E
choice
    prompt "other"
    default Y
config X
    bool "x"
config Y
    bool "y"
    depends on T
endchoice
endif
"""
    )
    tree = tiny_tree(pair, tmp_path, text)
    model = Model(tree, None)
    for kind in ("alldef", "allno", "allyes", "allmod"):
        theirs = settle(tree, tmp_path, "", f"{kind}config")
        assert model.all_config(kind) == theirs, kind


@each(HOST_PAIRS)
@pytest.mark.parametrize(
    "text",
    [
        'config A\n\tbool "a"\n\tdepends on A\n',
        "config A\n\tbool\n\tselect A\n",
        'config A\n\tbool "a"\n\tdepends on B\nconfig B\n\tbool "b" if A\n',
        'config A\n\tbool "a"\n\tdepends on B\n\timply B\nconfig B\n\tbool\n',
        "config A\n\tint\n\tdefault B\nconfig B\n\tint\n\tdefault A\n",
        "config A\n\tint\n\trange 1 5 if A\n",
        'menu "m"\n\tdepends on A\nconfig A\n\tbool "a"\nendmenu\n',
        'choice\n\tprompt "c" if A\nconfig A\n\tbool "a"\nendchoice\n',
    ],
)
def test_dependency_loop(pair: str, text: str, tmp_path: Path) -> None:
    check_refused(pair, tmp_path, text, "Kconfig:.*dependency loop: A -> ")


@each(HOST_PAIRS)
def test_no_dependency_loop(pair: str, tmp_path: Path) -> None:
    """conf does not follow ranges, nor what it simplifies away."""
    text = """
config A
    int "a"
    range 1 B
config B
    int "b"
    default 3 if A > 0 || y
config C
    bool "c"
    depends on y || D
    depends on D || !D || E
config D
    bool "d" if C != m
    default E if C && n
config E
    bool "e"
    depends on C
"""
    check_all(pair, tmp_path, text, {"B": ("", "5"), "C": BOOL, "D": BOOL, "E": BOOL})


@each(MENU)
def test_no_loop_in_choice(pair: str, tmp_path: Path) -> None:
    """What a member depends on counts only in its prompt, which is simplified."""
    text = """
choice
    prompt "choice"
config A
    bool "a"
config B
    bool "b" if n
    depends on A
endchoice
"""
    check_all(pair, tmp_path, text, {"A": BOOL, "B": BOOL})


@each(HOST_PAIRS)
def test_sourced_twice(pair: str, tmp_path: Path) -> None:
    (tmp_path / "Kconfig.a").write_text('config A\n\tbool "a"\n')
    text = 'source "Kconfig.a"\nsource "Kconfig.a"\n'
    if pair.startswith("7"):
        check_refused(pair, tmp_path, text, "Kconfig:2: Kconfig.a is sourced again")
    else:
        check_all(pair, tmp_path, text, {"A": BOOL})
