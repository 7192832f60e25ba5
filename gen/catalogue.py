# SPDX-License-Identifier: GPL-2.0-only
"""Reads docs/catalogue/*.rst into entries.

The syntax is docutils' own; what sections and fields mean is described in
docs/guide/catalogue.rst.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docutils.frontend
import docutils.nodes
import docutils.parsers.rst
import docutils.utils

from gen.entries import (
    Entry,
    Level,
    Origin,
    parse_architectures,
    parse_compilers,
    parse_other_names,
)
from gen.errors import UserError
from gen.parameters import Parameter, Repeats, parse_spellings, parse_values
from gen.settings import KCONFIG, Match, Setting, parse_parameters, parse_settings
from gen.versions import Ranges

_ENTRY_TITLE = re.compile(r"(?:CONFIG_|cmdline:|sysctl:)")
_PARAMETER_TITLE = re.compile(r"parameter:([\w.\-]+)")
_LEVEL = "Negative side effects level"
_TYPE = "Protection type"


@dataclass(frozen=True)
class Problem:
    """One mistake in a catalogue file."""

    origin: Origin
    text: str

    def __str__(self) -> str:
        return f"{self.origin}: error: {self.text}"


class CatalogueError(UserError):
    """All mistakes of a catalogue, in the order of files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(
            set(problems), key=lambda p: (p.origin.file, p.origin.line, p.text)
        )
        count = len(self.problems)
        lines = [str(p) for p in self.problems]
        lines.append(
            f"{count} mistake{'s' if count != 1 else ''} in the catalogue; "
            "docs/guide/catalogue.rst describes the format"
        )
        super().__init__("\n".join(lines))


def _text(value: str) -> str:
    return " ".join(value.split())


def _items(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _assignments(value: str) -> tuple[Setting, ...]:
    settings = parse_settings(value)
    for setting in settings:
        if setting.match is not Match.EXACT:
            raise ValueError(f"'{setting}' is no plain NAME=value")
    return settings


def _yes(value: str) -> bool:
    if value.strip() not in ("yes", "no"):
        raise ValueError(f"'{value.strip()}' is neither yes nor no")
    return value.strip() == "yes"


def _words(value: str) -> tuple[str, ...]:
    return tuple(str(s).removeprefix("cmdline:") for s in parse_parameters(value))


def _sysctls(value: str) -> tuple[str, ...]:
    for item in _items(value):
        Setting.parse(f"sysctl:{item}")
    return _items(value)


def _run_time(value: str) -> tuple[Setting, ...]:
    settings = parse_settings(value)
    for setting in settings:
        if setting.kind == KCONFIG:
            raise ValueError(f"'{setting}' is neither cmdline: nor sysctl:")
    return settings


def _symbol(value: str) -> str:
    if not re.fullmatch(r"\w+", value.strip()):
        raise ValueError(f"'{value.strip()}' is not a symbol")
    return value.strip().removeprefix("CONFIG_")


def _short(value: str) -> str:
    if len(_text(value)) > 70:
        raise ValueError("the reason is longer than 70 characters")
    return _text(value)


#: Field name -> attribute of Entry and how its text is read.
_FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    _LEVEL: ("level", Level.parse),
    _TYPE: ("protection", _text),
    "Architectures": ("architectures", parse_architectures),
    "Kernels": ("kernels", Ranges.parse),
    "Other names": ("other_names", parse_other_names),
    "Always on": ("always_on", Ranges.parse),
    "Compiler": ("compilers", parse_compilers),
    "Prerequisites": ("prerequisites", _assignments),
    "Stronger": ("stronger", parse_settings),
    "Weaker": ("weaker", parse_settings),
    "Check only": ("check_only", _yes),
    "Boot parameter": ("boot_parameters", _words),
    "Sysctl": ("sysctls", _sysctls),
    "Instead": ("instead", _run_time),
    "Undone by": ("undone_by", parse_parameters),
    "Maximum": ("maximum", _symbol),
    "Hardware-dependent": ("hardware_dependent", _yes),
    "Reason": ("reason", _short),
    "Sources": ("sources", _items),
    "Disagree": ("disagree", _text),
    "Breaks": ("breaks", _text),
    "Cost": ("cost", _text),
}

#: The same for the sections about boot parameters.
_PARAMETER_FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "Values": ("values", parse_values),
    "Repeats": ("repeats", Repeats.parse),
    "Spellings": ("spellings", parse_spellings),
    "Kernels": ("kernels", Ranges.parse),
    "Architectures": ("architectures", parse_architectures),
    "Prerequisites": ("prerequisites", _assignments),
}


#: Fields that hold prose with links and emphasis.
_PROSE = {"Disagree", "Breaks", "Cost"}


@dataclass(frozen=True)
class _Field:
    name: str
    body: str
    line: int


def _plain_fields(section: docutils.nodes.section) -> Iterator[_Field]:
    """The field list that follows an entry's title."""
    for child in section.children:
        if isinstance(child, docutils.nodes.field_list):
            for field in child.children:
                name, body = field.children
                # Without docutils' view of what might be a bullet or a link
                text = body.astext() if name.astext() in _PROSE else body.rawsource
                yield _Field(name.astext(), text, field.line or child.line)


def _bold_fields(section: docutils.nodes.section) -> Iterator[_Field]:
    """The bold lines that stand for the field list in the form of 2018."""
    for child in section.children:
        if not isinstance(child, docutils.nodes.paragraph):
            continue
        for line, text in enumerate(child.rawsource.splitlines(), child.line or 0):
            match = re.fullmatch(r"\*\*(?:- )?([^*:]+):\*\*\s*(.*)", text.strip())
            if match:
                yield _Field(match[1].strip(), match[2], line)


def _line_of(section: docutils.nodes.section) -> int:
    """The line of a title; docutils notes the one after its underline."""
    return (section.line or 2) - 1


class _Reader:
    """Reads one file; mistakes are collected in `problems`, reading goes on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.entries: list[Entry] = []
        self.parameters: list[Parameter] = []

    def problem(self, line: int | None, text: str) -> None:
        self.problems.append(Problem(Origin(self.file, line or 1), text))

    def read(self, text: str) -> None:
        parser = docutils.parsers.rst.Parser()
        settings = docutils.frontend.get_default_settings(parser)
        settings.report_level = 5  # mistakes are told by the observer instead
        settings.halt_level = 6
        settings.file_insertion_enabled = False
        settings.raw_enabled = False
        document = docutils.utils.new_document(self.file, settings)
        document.reporter.attach_observer(self._syntax)
        parser.parse(text, document)
        for section in document.findall(docutils.nodes.section):
            title = section.children[0].astext()
            fields = [*_plain_fields(section), *_bold_fields(section)]
            parameter = _PARAMETER_TITLE.fullmatch(title)
            if _ENTRY_TITLE.match(title):
                self._entry(section, title, fields)
            elif parameter:
                self._parameter(section, parameter[1], fields)
            elif any(field.name in _FIELDS for field in fields):
                self.problem(
                    _line_of(section),
                    f"'{title}' has the fields of an entry and is none",
                )

    def _syntax(self, message: docutils.nodes.system_message) -> None:
        if message["level"] >= docutils.utils.Reporter.WARNING_LEVEL:
            text = message.children[0].astext() if message.children else "bad syntax"
            self.problem(message.get("line"), text)

    def _entry(
        self, section: docutils.nodes.section, title: str, fields: list[_Field]
    ) -> None:
        line = _line_of(section)
        values = self._values(_FIELDS, title, fields)
        for name in (_LEVEL, _TYPE):
            if name not in {field.name for field in fields}:
                self.problem(line, f"{title}: the entry has no field '{name}'")
        try:
            setting = Setting.parse(title)
        except ValueError as error:
            self.problem(line, str(error))
            return
        if setting.match in (Match.ANY, Match.BETWEEN):
            self.problem(
                line, f"'{title}': 'any' and ranges are for the field Stronger alone"
            )
        if "level" in values and "protection" in values:
            self.entries.append(
                Entry(setting=setting, origin=Origin(self.file, line), **values)
            )

    def _parameter(
        self, section: docutils.nodes.section, name: str, fields: list[_Field]
    ) -> None:
        line = _line_of(section)
        values = self._values(_PARAMETER_FIELDS, f"parameter:{name}", fields)
        if "Values" not in {field.name for field in fields}:
            self.problem(line, f"parameter:{name}: there is no field 'Values'")
        if "values" in values:
            origin = Origin(self.file, line)
            self.parameters.append(Parameter(name=name, origin=origin, **values))

    def _values(
        self,
        known: dict[str, tuple[str, Callable[[str], Any]]],
        title: str,
        fields: list[_Field],
    ) -> dict[str, Any]:
        """Attributes by what the fields of a section say."""
        values: dict[str, Any] = {}
        seen: set[str] = set()
        for field in fields:
            if field.name not in known:
                names = ", ".join(known)
                self.problem(
                    field.line, f"{title}: unknown field '{field.name}'; known: {names}"
                )
                continue
            if field.name in seen:
                self.problem(
                    field.line, f"{title}: the field '{field.name}' comes twice"
                )
            seen.add(field.name)
            if not field.body.strip():
                self.problem(field.line, f"{title}: the field '{field.name}' is empty")
                continue
            attribute, parse = known[field.name]
            try:
                values[attribute] = parse(field.body)
            except ValueError as error:
                self.problem(field.line, f"{title}: {field.name}: {error}")
        return values


def _contradictions(entries: list[Entry]) -> Iterator[Problem]:
    """Two entries at one level that want one symbol in one kernel differently."""
    by_key: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        for key in entry.keys:
            by_key.setdefault(key, []).append(entry)
    told = set()
    for group in by_key.values():
        for i, entry in enumerate(group):
            for other in group[:i]:
                pair = (entry.origin, other.origin)
                if entry.level != other.level or pair in told:
                    continue
                if not entry.excludes(other):
                    told.add(pair)
                    yield Problem(
                        entry.origin,
                        f"{entry.setting} at level {entry.level.name.title()}: "
                        f"{other.setting} stands at this level already "
                        f"({other.origin})",
                    )


def _loops(
    entries: list[Entry], field: str, others: Callable[[Entry], tuple[Setting, ...]]
) -> Iterator[Problem]:
    """Entries that, by way of one of their fields, lead back to themselves."""
    index: dict[Setting, list[Entry]] = {}
    for entry in entries:
        index.setdefault(entry.setting, []).append(entry)
    for entry in entries:
        reached: set[Setting] = set()
        todo = list(others(entry))
        while todo:
            setting = todo.pop()
            if setting not in reached:
                reached.add(setting)
                for other in index.get(setting, ()):
                    todo += others(other)
        if entry.setting in reached:
            yield Problem(
                entry.origin, f"{entry.setting}: {field} leads back to the entry itself"
            )


def _run_time_twins(entry: Entry) -> Iterator[Problem]:
    run_time = (entry.boot_parameters, entry.sysctls, entry.instead, entry.undone_by)
    if entry.setting.kind != KCONFIG and any(run_time):
        yield Problem(entry.origin, f"{entry.setting}: only options have twins")


def _said_twice(parameters: Iterable[Parameter]) -> Iterator[Problem]:
    """Two sections for one parameter, under whichever spelling."""
    seen: dict[str, Parameter] = {}
    for parameter in parameters:
        for spelling in parameter.all_spellings:
            other = seen.setdefault(spelling.name, parameter)
            if other is not parameter:
                yield Problem(
                    parameter.origin,
                    f"the boot parameter {spelling.name} has a section already "
                    f"({other.origin})",
                )


@dataclass(frozen=True)
class Catalogue:
    """All that the files say, in their order."""

    entries: list[Entry]
    parameters: list[Parameter]


def catalogue_of(texts: Iterable[tuple[str, str]]) -> Catalogue:
    """What (file name, text) pairs say; CatalogueError has all mistakes."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    parameters: list[Parameter] = []
    for file, text in texts:
        reader = _Reader(file)
        reader.read(text)
        problems += reader.problems
        entries += reader.entries
        parameters += reader.parameters
    problems += _contradictions(entries)
    problems += _said_twice(parameters)
    problems += _loops(entries, "Prerequisites", lambda e: e.prerequisites)
    problems += _loops(entries, "Stronger", lambda e: e.stronger)
    for entry in entries:
        problems += _run_time_twins(entry)
    if problems:
        raise CatalogueError(problems)
    return Catalogue(entries, parameters)


def read_texts(texts: Iterable[tuple[str, str]]) -> list[Entry]:
    """The entries alone."""
    return catalogue_of(texts).entries


def read_folder(folder: Path) -> Catalogue:
    """What the rst files in a folder say, files in alphabetical order."""
    files = sorted(folder.glob("*.rst"))
    if not files:
        raise UserError(f"{folder}: no catalogue here (no *.rst file)")
    texts = []
    for file in files:
        try:
            texts.append((str(file), file.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{file}: cannot be read: {error}") from error
    return catalogue_of(texts)


def read_catalogue(folder: Path) -> list[Entry]:
    """The entries alone."""
    return read_folder(folder).entries
