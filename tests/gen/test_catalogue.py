# SPDX-License-Identifier: GPL-2.0-only
"""The reader: both forms of an entry, and every mistake with its line."""

from pathlib import Path

import pytest
from surroundings import ROOT

from gen.catalogue import CatalogueError, read_catalogue, read_texts
from gen.cli import main
from gen.entries import Compiler, Entry, Level
from gen.settings import Match, Setting

FULL = """\
Title
=====

Group
-----

CONFIG_MITIGATION_RETPOLINE=y
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

:Negative side effects level: High
:Protection type: Self-protection
:Architectures: x86
:Kernels: since 6.9
:Other names: RETPOLINE (4.15 - 6.8), OLDEST (up to 4.9, 4.11 - 4.14)
:Always on: since 8.0
:Compiler: gcc, clang >= 16.0.1
:Prerequisites: CPU_MITIGATIONS=y, EXPERT=y
:Stronger: OTHER=n, NUMBER=16
:Weaker: LESS=y
:Boot parameter: spectre_v2=on mitigations=auto,nosmt
:Sysctl: kernel.printk=3 4 1 7
:Hardware-dependent: yes
:Reason: keeps branch targets from being guessed
:Sources: KSPP, RFC 2018
:Disagree: nobody
:Breaks: nothing that is known, but see
  `a report <https://example.org/1>`_
:Cost: not measured

Prose.
"""


def entries_of(text: str) -> list[Entry]:
    return read_texts([("file.rst", text)])


def problems_of(text: str) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        entries_of(text)
    return [str(p) for p in caught.value.problems]


def section(title: str, *lines: str) -> str:
    return "\n".join([title, "~" * len(title), "", *lines, "", "Prose.", "", ""])


LOW = ":Negative side effects level: Low"
TYPE = ":Protection type: Self-protection"


def test_every_field_is_read() -> None:
    (entry,) = entries_of(FULL)
    assert str(entry.setting) == "CONFIG_MITIGATION_RETPOLINE=y"
    assert entry.level is Level.HIGH
    assert entry.protection == "Self-protection"
    assert entry.architectures == {"x86_64", "i386"}
    assert [(n.name, str(n.kernels)) for n in entry.names] == [
        ("MITIGATION_RETPOLINE", "since 6.9"),
        ("RETPOLINE", "4.15 - 6.8"),
        ("OLDEST", "up to 4.9, 4.11 - 4.14"),
    ]
    assert str(entry.always_on) == "since 8.0"
    assert entry.compilers == (Compiler("gcc"), Compiler("clang", (16, 0, 1)))
    assert [str(s) for s in entry.prerequisites] == [
        "CONFIG_CPU_MITIGATIONS=y",
        "CONFIG_EXPERT=y",
    ]
    assert entry.stronger == (Setting.parse("OTHER=n"), Setting.parse("NUMBER=16"))
    assert entry.weaker == (Setting.parse("LESS=y"),)
    assert entry.boot_parameters == ("spectre_v2=on", "mitigations=auto,nosmt")
    assert entry.sysctls == ("kernel.printk=3 4 1 7",)
    assert entry.hardware_dependent and not entry.check_only
    assert entry.reason == "keeps branch targets from being guessed"
    assert entry.sources == ("KSPP", "RFC 2018")
    assert entry.breaks.endswith("but see a report")
    assert entry.cost == "not measured"
    assert str(entry.origin) == "file.rst:7"


def test_what_is_set_at_boot_and_at_run_time() -> None:
    (entry,) = entries_of(
        section(
            "CONFIG_A=max",
            LOW,
            TYPE,
            ':Stronger: cmdline:b="auto,nosmt", sysctl:c.d>=2, E=y',
            ":Weaker: cmdline:f=xonly",
            ":Instead: sysctl:g.h=1, cmdline:nothing",
            ':Undone by: i=off noj k contains "l"',
            ":Maximum: CONFIG_A_MAX",
        )
    )
    quoted, at_least, option = entry.stronger
    assert (quoted.kind, quoted.name, quoted.value) == ("cmdline", "b", "auto,nosmt")
    assert at_least == Setting("sysctl", "c.d", "2", Match.AT_LEAST)
    assert option == Setting.parse("E=y")
    assert entry.weaker == (Setting("cmdline", "f", "xonly"),)
    assert [str(s) for s in entry.instead] == ["sysctl:g.h=1", "cmdline:nothing"]
    assert [str(s) for s in entry.undone_by] == [
        "cmdline:i=off",
        "cmdline:noj",
        'cmdline:k contains "l"',
    ]
    assert entry.maximum == "A_MAX"


def test_the_form_of_2018() -> None:
    text = section(
        "CONFIG_BPF_JIT=n",
        "**Negative side effects level:** High",
        "**- Protection type:** Kernel attack surface reduction",
    ) + section(
        "CONFIG_MODULE_SIG_FORCE=n",
        "**Negative side effects level:** Low",
        "**- Protection type:** Self-protection",
    )
    jit, force = entries_of(text)
    assert (str(jit.setting), jit.level) == ("CONFIG_BPF_JIT=n", Level.HIGH)
    assert jit.protection == "Kernel attack surface reduction"
    assert (str(force.setting), force.level) == (
        "CONFIG_MODULE_SIG_FORCE=n",
        Level.LOW,
    )


def test_all_mistakes_are_told_at_once_with_their_lines() -> None:
    text = (
        section("CONFIG_A>=x", LOW, TYPE)
        + section("CONFIG_B=y", ":Negative side effects level: Mild", TYPE)
        + section("CONFIG_C=y", LOW, TYPE, ":Kernels: 6.8 - 6.1", ":Colour: blue")
        + section("CONFIG_D=y", LOW)
        + section("CONFIG_E=y", TYPE)
        + section("CONFIG_F=y", "**Negative side effects level:** Lowish", "", TYPE)
        + section("CONFIG_G=y", LOW, LOW, TYPE, ":Architectures: vax")
    )
    lines = [p.partition(": error: ") for p in problems_of(text)]
    found = [(where, what) for where, _, what in lines]
    expected = [
        ("file.rst:1", "'CONFIG_A>=x': 'x' is not a number"),
        ("file.rst:12", "unknown level 'Mild'"),
        ("file.rst:22", "ends before it begins"),
        ("file.rst:23", "unknown field 'Colour'"),
        ("file.rst:27", "no field 'Protection type'"),
        ("file.rst:34", "no field 'Negative side effects level'"),
        ("file.rst:44", "unknown level 'Lowish'"),
        ("file.rst:54", "comes twice"),
        ("file.rst:56", "unknown architecture 'vax'"),
    ]
    assert [where for where, _ in found] == [where for where, _ in expected]
    for (_, what), (_, wanted) in zip(found, expected):
        assert wanted in what


@pytest.mark.parametrize(
    "first, second, contradiction",
    [
        ("", "", True),
        (":Architectures: arm", ":Architectures: x86, arm64", False),
        (":Architectures: arm", "", True),
        (":Kernels: up to 6.5", ":Kernels: since 6.6", False),
        (":Kernels: up to 6.5", ":Kernels: since 6.5.3", True),
        (":Compiler: gcc", ":Compiler: clang >= 16", False),
        (":Compiler: gcc", ":Compiler: gcc >= 12, clang", True),
    ],
)
def test_two_values_at_one_level(first: str, second: str, contradiction: bool) -> None:
    text = section("CONFIG_A=y", LOW, TYPE, *filter(None, [first]))
    text += section("CONFIG_A=n", LOW, TYPE, *filter(None, [second]))
    if contradiction:
        (problem,) = problems_of(text)
        assert "CONFIG_A=y stands at this level already (file.rst:1)" in problem
    else:
        assert len(entries_of(text)) == 2


@pytest.mark.parametrize(
    "text, words",
    [
        (
            section("CONFIG_A=y", LOW, TYPE, ":Prerequisites: B=y")
            + section("CONFIG_B=y", LOW, TYPE, ":Prerequisites: A=y"),
            "Prerequisites leads back",
        ),
        (
            section("CONFIG_A=y", LOW, TYPE, ":Stronger: B=y")
            + section("CONFIG_B=y", LOW, TYPE, ":Stronger: A=y"),
            "Stronger leads back",
        ),
        (section("CONFG_A=y", LOW, TYPE), "has the fields of an entry and is none"),
        (section("CONFIG_A=any", LOW, TYPE), "'any' and ranges are for"),
        (section("CONFIG_A=1..9", LOW, TYPE), "'any' and ranges are for"),
        (section("CONFIG_A=y", LOW, TYPE, ":Prerequisites: B=max"), "no plain NAME"),
        (section("cmdline:a=1", LOW, TYPE, ":Sysctl: b=1"), "only options have twins"),
    ],
)
def test_what_would_lead_the_rest_astray(text: str, words: str) -> None:
    problems = problems_of(text)
    assert problems and all(words in problem for problem in problems)


def test_an_old_name_counts_as_the_same_symbol() -> None:
    text = section(
        "CONFIG_NEW=y",
        LOW,
        TYPE,
        ":Kernels: since 6.9",
        ":Other names: OLD (up to 6.8)",
    )
    text += section("CONFIG_OLD=n", LOW, TYPE, ":Kernels: up to 6.8")
    assert len(problems_of(text)) == 1


def test_items_of_a_list_do_not_contradict_each_other() -> None:
    text = section('CONFIG_LSM contains "yama"', LOW, TYPE)
    text += section('CONFIG_LSM contains "landlock"', LOW, TYPE)
    assert len(entries_of(text)) == 2


def test_syntax_errors_of_rst_are_mistakes() -> None:
    text = section("CONFIG_A=y", LOW, TYPE, "", "*open emphasis")
    (problem,) = problems_of(text)
    assert problem.startswith("file.rst:7: error: Inline emphasis")


def test_nothing_is_written_from_a_broken_catalogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = tmp_path / "catalogue"
    catalogue.mkdir()
    (catalogue / "a.rst").write_text(section("CONFIG_A=y", LOW, TYPE))
    fragments = tmp_path / "fragments"
    command = ["--catalogue", str(catalogue), "fragments", "--folder", str(fragments)]
    assert main(command) == 0
    before = {f: f.read_text() for f in fragments.iterdir()}
    assert len(before) == 4
    (catalogue / "b.rst").write_text(section("CONFIG_B=maybe", LOW, TYPE))
    assert main(command) == 2
    assert "b.rst:1: error: " in capsys.readouterr().err
    assert {f: f.read_text() for f in fragments.iterdir()} == before


def test_the_real_catalogue_says_what_its_readers_need() -> None:
    known = {
        "Self-protection",
        "Attack surface reduction",
        "User space protection",
        "Memory integrity",
        "Prerequisite",
    }
    sources = {
        "KSPP",
        "RFC 2018",
        "hardening.config",
        "kernel-hardening-checker",
        "CLIP OS",
        "Bottlerocket",
    }
    entries = read_catalogue(ROOT / "docs/catalogue")
    assert len(entries) >= 180
    for entry in entries:
        assert entry.protection in known, entry.origin
        assert set(entry.sources) <= sources, entry.origin
        assert entry.cost and entry.sources and entry.reason, entry.origin
