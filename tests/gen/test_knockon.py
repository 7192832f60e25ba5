# SPDX-License-Identifier: GPL-2.0-only
"""What a change takes away or adds elsewhere, and why."""

from pathlib import Path

import pytest
from tree_support import kernel_model, tiny_tree

from gen import dotconfig
from gen.knockon import Change, changes
from gen.tree.model import Model

KCONFIG = """\
config PLUGINS
    bool "GCC plugins"

config RANDSTRUCT
    bool "Random layout"
    depends on PLUGINS

config RUST
    bool "Rust"
    depends on !RANDSTRUCT

config BTF
    bool "Type information"
    depends on !RANDSTRUCT

config SCHED_EXT
    bool "BPF scheduler"
    depends on BTF

config EXPERT
    bool "Expert"
    select DEBUG

config DEBUG
    bool "Debug"

config DETAIL
    bool "A detail" if EXPERT
    default y

config NEW
    int "New with debug"
    depends on DEBUG
    default 7

config PLAIN
    bool "Plain"
    depends on DEBUG

config DRIVER
    bool "Driver"
    select HELPER

config HELPERS
    bool "Helpers by themselves"

config HELPER
    bool "Helper" if HELPERS
"""


def told(model: Model, base: str, *asked: tuple[str, str]) -> dict[str, Change]:
    """By name, what follows from assignments on top of a base."""
    model.load(base)
    before = dotconfig.parse(model.text(), "before")
    for name, value in asked:
        model.assign(name, value)
    after = dotconfig.parse(model.text(), "after")
    found = changes(before, after, [name for name, _ in asked], model)
    return {change.name: change for change in found}


@pytest.fixture(name="model")
def fixture_model(tmp_path: Path) -> Model:
    return Model(tiny_tree("6.12-x86_64", tmp_path, KCONFIG), None)


def test_what_is_taken_away_and_what_it_goes_back_to(model: Model) -> None:
    base = "CONFIG_PLUGINS=y\nCONFIG_RUST=y\nCONFIG_BTF=y\nCONFIG_SCHED_EXT=y\n"
    found = told(model, base, ("RANDSTRUCT", "y"))
    assert {n: (str(c), c.reason, c.where) for n, c in found.items()} == {
        "RUST": ("y -> -", "depends on !RANDSTRUCT", "Kconfig:10"),
        "BTF": ("y -> -", "depends on !RANDSTRUCT", "Kconfig:14"),
        "SCHED_EXT": (
            "y -> -",
            "depends on BTF; goes back to RANDSTRUCT=y",
            "Kconfig:18",
        ),
    }
    assert all(c.own and c.has_effect and c.weight == 0 for c in found.values())


def test_what_is_new_or_different(model: Model) -> None:
    found = told(model, "", ("EXPERT", "y"))
    assert {n: (str(c), c.reason, c.weight) for n, c in found.items()} == {
        "DEBUG": ("n -> y", "select EXPERT", 2),
        "NEW": ("- -> 7", "its default, now that it can be set", 2),
        "PLAIN": ("- -> n", "its default, now that it can be set", 0),
    }
    assert [n for n, c in found.items() if c.has_effect] == ["DEBUG", "NEW"]


def test_a_symbol_that_nothing_selects_any_more(model: Model) -> None:
    found = told(model, "CONFIG_DRIVER=y\n", ("DRIVER", "n"))
    assert {n: (str(c), c.reason, c.where) for n, c in found.items()} == {
        "HELPER": ("y -> -", "no longer selected by DRIVER", "Kconfig:42")
    }


def test_nothing_follows_from_no_change(model: Model) -> None:
    assert not told(model, "CONFIG_EXPERT=y\n", ("EXPERT", "y"))


def test_a_chain_through_symbols_without_a_prompt() -> None:
    model = kernel_model("6.12-x86_64")
    model.load("CONFIG_64BIT=y\nCONFIG_KEXEC=y\nCONFIG_PROC_VMCORE=y\n")
    assert model.value("PROC_VMCORE") == "y"
    found = told(model, model.text(), ("KEXEC", "n"))
    vmcore = found["PROC_VMCORE"]
    assert vmcore.reason.endswith("(because of CRASH_DUMP); goes back to KEXEC=n")
    assert vmcore.where.startswith("fs/proc/Kconfig:")
    assert not found["KEXEC_CORE"].own
