# SPDX-License-Identifier: GPL-2.0-only
"""Sections about boot parameters, and settings as the kernel takes them."""

import pytest

from gen.catalogue import CatalogueError, catalogue_of
from gen.parameters import Form, Parameter, Repeats, Spelling, Values
from gen.settings import Match, Setting


def section(name: str, *fields: str) -> str:
    title = f"parameter:{name}"
    return "\n".join([title, "~" * len(title), "", *fields, "", "Prose.", "", ""])


def parameter_of(*fields: str) -> Parameter:
    text = section("quiet-thing", *fields)
    (parameter,) = catalogue_of([("file.rst", text)]).parameters
    return parameter


def problem_of(text: str) -> str:
    with pytest.raises(CatalogueError) as caught:
        catalogue_of([("file.rst", text)])
    (problem,) = caught.value.problems
    return str(problem)


def test_every_field_is_read() -> None:
    parameter = parameter_of(
        ":Values: off on present",
        ":Repeats: highest",
        ":Spellings: other_thing, no-thing (off)",
        ":Kernels: since 5.3",
        ":Architectures: x86, arm64",
        ":Prerequisites: A=y, B=n",
    )
    assert parameter.name == "quiet-thing"
    assert str(parameter.origin) == "file.rst:1"
    assert parameter.values == Values(Form.WORDS, True, ("off", "on"))
    assert parameter.repeats is Repeats.HIGHEST
    assert parameter.all_spellings == (
        Spelling("quiet_thing"),
        Spelling("other_thing"),
        Spelling("no_thing", "off"),
    )
    assert str(parameter.kernels) == "since 5.3"
    assert parameter.architectures == {"x86_64", "i386", "arm64"}
    assert [str(s) for s in parameter.prerequisites] == ["CONFIG_A=y", "CONFIG_B=n"]


def test_what_is_not_said() -> None:
    parameter = parameter_of(":Values: bool")
    assert parameter.values == Values(Form.BOOL, False)
    assert parameter.repeats is Repeats.LAST
    assert (5, 10) in parameter.kernels
    assert len(parameter.architectures) == 7
    assert parameter.prerequisites == ()


@pytest.mark.parametrize(
    "values, form, bare, words",
    [
        ("present", Form.WORDS, True, ()),
        ("bool", Form.BOOL, False, ()),
        ("bool present", Form.BOOL, True, ()),
        ("present number", Form.NUMBER, True, ()),
        ("list", Form.LIST, False, ()),
        ("list off auto", Form.LIST, False, ("off", "auto")),
        ("letters", Form.LETTERS, False, ()),
        ("text", Form.TEXT, False, ()),
        ("off auto auto,nosmt", Form.WORDS, False, ("off", "auto", "auto,nosmt")),
    ],
)
def test_values(values: str, form: Form, bare: bool, words: tuple[str, ...]) -> None:
    assert parameter_of(f":Values: {values}").values == Values(form, bare, words)


@pytest.mark.parametrize(
    "fields, said",
    [
        ((), "there is no field 'Values'"),
        ((":Values: bool on",), "'bool' stands alone, or beside 'present'"),
        ((":Values: bool", ":Repeats: first"), "'first' is none of last, add, highest"),
        ((":Values: bool", ":Spellings: a b"), "'a b' is not a spelling"),
        ((":Values: bool", ":Spellings: a ()"), "'a ()' is not a spelling"),
        ((":Values: bool", ":Kernels: 5"), "is not a range"),
        ((":Values: bool", ":Reason: none"), "unknown field 'Reason'"),
        ((":Values: bool", ":Prerequisites: A>=1"), "is no plain NAME=value"),
    ],
)
def test_mistakes(fields: tuple[str, ...], said: str) -> None:
    problem = problem_of(section("quiet", *fields))
    # A mistake in a field stands in the line of the field
    line = 3 + len(fields) if fields else 1
    assert problem.startswith(f"file.rst:{line}: error: parameter:quiet: ")
    assert said in problem


@pytest.mark.parametrize("name", ["other_thing", "other-thing", "no_thing"])
def test_a_name_has_one_section(name: str) -> None:
    first = section("other-thing", ":Values: bool", ":Spellings: no_thing (0)")
    problem = problem_of(first + section(name, ":Values: bool"))
    assert "has a section already (file.rst:1)" in problem
    assert problem.startswith(f"file.rst:{first.count(chr(10)) + 1}: error: ")


@pytest.mark.parametrize(
    "values, written, match, value",
    [
        ("bool", "quiet_thing=on", Match.EXACT, "1"),
        ("bool", "quiet-thing=n", Match.EXACT, "0"),
        ("bool present", "quiet_thing", Match.EXACT, "1"),
        ("bool", "no_thing", Match.EXACT, "0"),
        ("off on", "quiet_thing=on", Match.EXACT, "on"),
        ("off on", "no-thing", Match.EXACT, "off"),
        ("off on present", "quiet_thing", Match.EXACT, ""),
        ("present", "quiet_thing", Match.EXACT, ""),
        ("number", "quiet_thing>=3", Match.AT_LEAST, "3"),
        ("number", "quiet_thing=1..9", Match.BETWEEN, "1..9"),
        ("list", "quiet_thing=strict", Match.CONTAINS, "strict"),
        ("list off auto smt", "quiet_thing=auto,smt", Match.CONTAINS, "auto,smt"),
        ("list", 'quiet_thing contains "strict"', Match.CONTAINS, "strict"),
        ("letters", "quiet_thing=FZ", Match.EXACT, "FZ"),
        ("text", "quiet_thing=x,y", Match.EXACT, "x,y"),
    ],
)
def test_as_the_kernel_takes_it(
    values: str, written: str, match: Match, value: str
) -> None:
    parameter = parameter_of(f":Values: {values}", ":Spellings: no_thing (off)")
    setting = parameter.canonical(Setting.parse(f"cmdline:{written}"))
    assert setting == Setting("cmdline", "quiet_thing", value, match)


@pytest.mark.parametrize(
    "values, written, said",
    [
        ("bool", "quiet_thing", "the parameter needs a value"),
        ("bool", "quiet_thing=2", "'2' is neither on nor off"),
        ("off on", "quiet_thing=auto", "the kernel takes off, on"),
        ("present", "quiet_thing=1", "the kernel takes no value"),
        ("number", "quiet_thing=x", "'x' is not a number"),
        ("bool", "no_thing=1", "no_thing takes no value"),
        ("bool", 'quiet_thing contains "x"', "the parameter is no list"),
        ("text", "quiet_thing>=1", "the parameter is no number"),
        ("list", "quiet_thing>=1", "the parameter is no number"),
    ],
)
def test_what_it_can_never_be(values: str, written: str, said: str) -> None:
    parameter = parameter_of(f":Values: {values}", ":Spellings: no_thing (off)")
    with pytest.raises(ValueError, match=said):
        parameter.canonical(Setting.parse(f"cmdline:{written}"))
