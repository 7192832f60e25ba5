# SPDX-License-Identifier: GPL-2.0-only
"""Level semantics of the 2018 proposal, on a catalogue written in its form."""

import pytest
from small_catalogue import entry

from gen.catalogue import read_texts
from gen.entries import Compiler, Level
from gen.levels import up_to, wanted
from gen.target import Target

PROPOSAL = """\
Hardening options
=================

"""
for _title, _level in [
    ("CONFIG_DEBUG_LIST=y", "Low"),
    ("CONFIG_MODULE_SIG_FORCE=n", "Low"),
    ("CONFIG_MODULE_SIG_FORCE=y", "High"),
    ("CONFIG_PAGE_POISONING_ZERO=y", "Low"),
    ("CONFIG_PAGE_POISONING_ZERO=n", "High"),
    ("CONFIG_KEXEC=n", "Medium"),
    ("CONFIG_PANIC_TIMEOUT=-1", "Extreme"),
    ('CONFIG_MODULE_SIG_HASH="sha512"', "Low"),
]:
    PROPOSAL += (
        f"{_title}\n{'~' * 40}\n\n"
        f"**Negative side effects level:** {_level}\n"
        "**- Protection type:** Self-protection\n\nText.\n\n\n"
    )

X86 = Target((6, 12, 117), "x86_64", Compiler("gcc", (12, 2, 0)))


@pytest.mark.parametrize(
    "level, settings",
    [
        (
            Level.LOW,
            {
                "DEBUG_LIST=y",
                "MODULE_SIG_FORCE=n",
                "PAGE_POISONING_ZERO=y",
                'MODULE_SIG_HASH="sha512"',
            },
        ),
        (
            Level.MEDIUM,
            {
                "DEBUG_LIST=y",
                "MODULE_SIG_FORCE=n",
                "PAGE_POISONING_ZERO=y",
                'MODULE_SIG_HASH="sha512"',
                "KEXEC=n",
            },
        ),
        (
            Level.HIGH,
            {
                "DEBUG_LIST=y",
                "MODULE_SIG_FORCE=y",
                "PAGE_POISONING_ZERO=n",
                'MODULE_SIG_HASH="sha512"',
                "KEXEC=n",
            },
        ),
        (
            Level.EXTREME,
            {
                "DEBUG_LIST=y",
                "MODULE_SIG_FORCE=y",
                "PAGE_POISONING_ZERO=n",
                'MODULE_SIG_HASH="sha512"',
                "KEXEC=n",
                "PANIC_TIMEOUT=-1",
            },
        ),
    ],
)
def test_levels_add_up_and_the_highest_wins(level: Level, settings: set[str]) -> None:
    entries = read_texts([("hardenedconfig.rst", PROPOSAL)])
    for chosen in (up_to(entries, level), wanted(entries, level, X86)):
        assert {str(e.setting).removeprefix("CONFIG_") for e in chosen} == settings


def titles(text: str, level: Level, target: Target) -> list[str]:
    entries = read_texts([("a.rst", text)])
    return [str(e.setting) for e in wanted(entries, level, target)]


def test_an_entry_that_does_not_suit_the_target_does_not_outdo_another() -> None:
    text = entry("CONFIG_A=n") + entry(
        "CONFIG_A=y", ":Kernels: since 7.0", level="High"
    )
    assert titles(text, Level.HIGH, X86) == ["CONFIG_A=n"]
    new = Target((7, 3, 4), "x86_64", X86.compiler)
    assert titles(text, Level.HIGH, new) == ["CONFIG_A=y"]


def test_architectures_pick_their_own_value() -> None:
    text = entry("CONFIG_A>=65536", ":Architectures: x86, arm64")
    text += entry("CONFIG_A>=32768", ":Architectures: arm")
    assert titles(text, Level.LOW, X86) == ["CONFIG_A>=65536"]
    arm = Target(X86.version, "arm", X86.compiler)
    assert titles(text, Level.LOW, arm) == ["CONFIG_A>=32768"]


def test_what_suits_nowhere_is_still_there_to_be_told_of() -> None:
    text = entry("CONFIG_A=y", ":Kernels: up to 5.4")
    assert titles(text, Level.LOW, X86) == ["CONFIG_A=y"]


def test_entries_that_meet_through_a_third_are_one_group() -> None:
    text = entry("CONFIG_A=y", ":Kernels: up to 5.0")
    text += entry("CONFIG_B=n", ":Kernels: since 6.0")
    text += entry(
        "CONFIG_B=y", ":Kernels: since 5.1", ":Other names: A (up to 5.0)", level="High"
    )
    assert titles(text, Level.HIGH, X86) == ["CONFIG_B=y"]
    assert titles(text, Level.LOW, X86) == ["CONFIG_B=n"]
