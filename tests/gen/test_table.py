# SPDX-License-Identifier: GPL-2.0-only
"""The catalogue as a C table: compiled, dumped and compared with what was read."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from small_catalogue import entry
from surroundings import ROOT

from gen.catalogue import Catalogue, CatalogueError, catalogue_of, read_folder
from gen.cli import main
from gen.settings import Match, Setting
from gen.table.table import as_c
from gen.versions import Range, Ranges, Version

CATALOGUE = ROOT / "docs/catalogue"
DUMP = Path(__file__).with_name("dump_table.c")

#: The bits of audit/catalogue.h, in its order
BITS = ("x86_64", "i386", "arm64", "arm", "riscv", "powerpc", "s390")

#: Whatever form a value has in the table, it is the one with which the kernel works
BOOLS = {"on": "1", "y": "1", "": "1", "off": "0", "n": "0"}

PARAMETER = """\
parameter:quiet_thing
~~~~~~~~~~~~~~~~~~~~~

:Values: {values}

"""


def dumped(text: str, folder: Path) -> Any:
    (folder / "table.c").write_text(text)
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"]
    command += [str(folder / "dump"), f"-I{ROOT / 'audit'}"]
    command += [str(folder / "table.c"), str(DUMP)]
    subprocess.run(command, check=True, timeout=100)
    run = subprocess.run([folder / "dump"], check=True, capture_output=True)
    return json.loads(run.stdout)


def parts(ranges: Ranges) -> list[list[list[int]]]:
    """An end that is open has no numbers."""

    def end(version: Version, opened: Version) -> list[int]:
        return [] if version == opened else list(version)

    return [
        [end(r.first, Range().first), end(r.last, Range().last)] for r in ranges.parts
    ]


def bits(architectures: Iterable[str]) -> int:
    return sum(1 << BITS.index(name) for name in architectures)


class Expected:
    """What the table must say, put together from the catalogue's own objects."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._parameters = {
            spelling.name: (parameter, spelling.value)
            for parameter in catalogue.parameters
            for spelling in parameter.all_spellings
        }

    def setting(self, setting: Setting) -> list[str]:
        name, match, value = setting.name, setting.match.name, setting.value
        if setting.kind == "cmdline":
            parameter, meant = self._parameters[name.replace("-", "_")]
            name = parameter.all_spellings[0].name
            value = value if meant is None else meant
            if parameter.values.form.value == "bool":
                value = BOOLS.get(value, value)
            if parameter.values.form.value == "list" and match == "EXACT":
                match = "CONTAINS"
        return [setting.kind, name, match, value, str(setting)]

    def settings(self, settings: Iterable[Setting]) -> list[list[str]]:
        return [self.setting(s) for s in settings]

    def entries(self) -> list[dict[str, Any]]:
        return [
            {
                "level": entry.level - 1,
                "architectures": bits(entry.architectures),
                "setting": self.setting(entry.setting),
                "names": [
                    [self._name(entry.setting.kind, n.name), parts(n.kernels)]
                    for n in entry.names
                ],
                "always_on": parts(entry.always_on),
                "compilers": [[c.name, list(c.version)] for c in entry.compilers],
                "prerequisites": self.settings(entry.prerequisites),
                "stronger": self.settings(entry.stronger),
                "weaker": self.settings(entry.weaker),
                "boot": self._read("cmdline", entry.boot_parameters),
                "run": self._read("sysctl", entry.sysctls),
                "instead": self.settings(entry.instead),
                "undone_by": self.settings(entry.undone_by),
                "maximum": entry.maximum,
                "hardware_dependent": entry.hardware_dependent,
                "target": entry.setting.target,
                "wanted": entry.setting.wanted,
                "protection": entry.protection,
                "reason": entry.reason,
                "where": str(entry.origin).removeprefix(f"{ROOT}/"),
            }
            for entry in self._catalogue.entries
        ]

    def _name(self, kind: str, name: str) -> str:
        if kind != "cmdline":
            return name
        return self._parameters[name.replace("-", "_")][0].all_spellings[0].name

    def _read(self, kind: str, texts: Iterable[str]) -> list[list[str]]:
        whole = " ".join(texts) if kind == "cmdline" else ""
        if " contains " in whole:
            texts = [whole]
        return self.settings(Setting.parse(f"{kind}:{text}") for text in texts)

    def parameters(self) -> list[dict[str, Any]]:
        return [
            {
                "form": parameter.values.form.value,
                "repeats": parameter.repeats.value,
                "bare": parameter.values.bare,
                "architectures": bits(parameter.architectures),
                "name": parameter.name.replace("-", "_"),
                "words": list(parameter.values.words),
                "spellings": [[s.name, s.value] for s in parameter.all_spellings],
                "kernels": parts(parameter.kernels),
                "prerequisites": self.settings(parameter.prerequisites),
            }
            for parameter in self._catalogue.parameters
        ]


def test_the_whole_catalogue(tmp_path: Path) -> None:
    catalogue = read_folder(CATALOGUE)
    expected = Expected(catalogue)
    table = dumped(as_c(catalogue), tmp_path)
    groups = [row.pop("group") for row in table["entries"]]
    assert table["entries"] == expected.entries()
    assert table["parameters"] == expected.parameters()
    assert set(groups) == set(range(table["group_count"]))
    for i, one in enumerate(catalogue.entries):
        for j, other in enumerate(catalogue.entries[:i]):
            if set(one.keys) & set(other.keys):
                assert groups[i] == groups[j], (one.setting, other.setting)
    alone = {g for g in groups if groups.count(g) == 1}
    shared = [e for e, g in zip(catalogue.entries, groups) if g not in alone]
    for one in shared:
        others = [e for e in shared if e is not one]
        assert any(set(one.keys) & set(other.keys) for other in others), one.setting


def test_bytes_survive(tmp_path: Path) -> None:
    text = entry(
        'CONFIG_X="a?b"', ':Reason: \\\\ and " and ??/ and ü1, where 1 is text'
    )
    catalogue = catalogue_of([("file.rst", text)])
    (row,) = dumped(as_c(catalogue), tmp_path)["entries"]
    assert row["reason"] == catalogue.entries[0].reason
    assert row["setting"][3] == "a?b"


def table_problems(text: str) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        as_c(catalogue_of([("file.rst", text)]))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "values, text, said",
    [
        ("bool", entry("cmdline:other_thing=1"), "'other_thing' has no section"),
        (
            "bool",
            entry("CONFIG_X=y", ":Undone by: other_thing"),
            "'other_thing' has no section",
        ),
        (
            "bool",
            entry("CONFIG_X=y", ":Boot parameter: other_thing=1"),
            "'other_thing' has no section",
        ),
        (
            "bool",
            entry("CONFIG_X=y", ":Stronger: cmdline:other_thing=1"),
            "'other_thing' has no section",
        ),
        (
            "bool",
            entry("CONFIG_X=y", ":Instead: cmdline:other_thing=1"),
            "'other_thing' has no section",
        ),
        ("bool", entry("cmdline:quiet_thing=2"), "'2' is neither on nor off"),
        ("bool", entry("cmdline:quiet_thing"), "the parameter needs a value"),
        ("number", entry("cmdline:quiet_thing=x"), "'x' is not a number"),
        ("low high", entry("cmdline:quiet_thing=mid"), "the kernel takes low, high"),
        (
            "bool",
            entry('cmdline:quiet_thing contains "x"'),
            "the parameter is no list",
        ),
        ("bool", entry("cmdline:quiet_thing>=2"), "the parameter is no number"),
        ("bool", entry("CONFIG_X=max"), "there is no field 'Maximum'"),
        (
            "bool",
            entry("CONFIG_X=y", ":Maximum: X_MAX"),
            "'Maximum' is for '=max' alone",
        ),
    ],
)
def test_what_the_table_cannot_say(values: str, text: str, said: str) -> None:
    head = PARAMETER.format(values=values)
    line = head.count("\n") + 1
    (problem, *rest) = table_problems(head + text)
    assert said in problem
    assert problem.startswith(f"file.rst:{line}: error: ")
    assert all(said in other for other in rest)


def test_highest_needs_words() -> None:
    text = PARAMETER.format(values="number\n:Repeats: highest")
    (problem,) = table_problems(text)
    assert problem.startswith("file.rst:1: error: ")
    assert "'highest' needs words in rising order" in problem


@pytest.mark.parametrize(
    "field, said",
    [
        (":Instead: OTHER=n", "neither cmdline: nor sysctl:"),
        (":Undone by: =off", "is not a setting"),
        (":Maximum: a b", "is not a symbol"),
    ],
)
def test_malformed_fields_have_their_own_line(field: str, said: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        catalogue_of([("file.rst", entry("CONFIG_X=y", field))])
    (problem,) = caught.value.problems
    assert str(problem).startswith("file.rst:6: error: ")
    assert said in str(problem)


def test_a_mistake_leaves_the_old_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue, output = tmp_path / "catalogue", tmp_path / "table.c"
    catalogue.mkdir()
    (catalogue / "file.rst").write_text(entry("cmdline:other_thing=1"))
    output.write_text("old")
    command = ["--catalogue", str(catalogue), "table", "--output", str(output)]
    assert main(command) == 2
    assert output.read_text() == "old"
    assert f"{catalogue / 'file.rst'}:1: error: " in capsys.readouterr().err


def test_matches_have_the_header_s_names() -> None:
    header = (ROOT / "audit/catalogue.h").read_text()
    assert all(f"MATCH_{match.name}" in header for match in Match)
