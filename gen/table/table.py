# SPDX-License-Identifier: GPL-2.0-only
"""Writes the catalogue as the C table that audit/catalogue.h declares.

What the table cannot express is a mistake of the catalogue, told with file and line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from gen.catalogue import Catalogue, CatalogueError, Problem
from gen.entries import Entry, Origin
from gen.levels import groups
from gen.parameters import Parameter, Repeats, Spelling
from gen.settings import Match, Setting, parse_parameters
from gen.table.literals import (
    architectures,
    array,
    compiler,
    ranges,
    sized,
    string,
)
from gen.table.names import Names

_ROOT = Path(__file__).resolve().parent.parent.parent

_HEAD = """\
/* SPDX-License-Identifier: GPL-2.0-only */
/* Made by `python3 -m gen table` from the catalogue. Do not edit. */
#include "catalogue.h"
"""


def as_c(catalogue: Catalogue) -> str:
    """CatalogueError has everything that the table cannot express."""
    return _Table(catalogue).text()


def _where(origin: Origin) -> str:
    """Relative to the repository, if it is there: the same wherever that lies."""
    file = Path(os.path.abspath(origin.file))
    if file.is_relative_to(_ROOT):
        file = file.relative_to(_ROOT)
    return f"{file}:{origin.line}"


def _initializer(fields: dict[str, str]) -> str:
    inside = "".join(f"\t\t.{name} = {value},\n" for name, value in fields.items())
    return f"\t{{\n{inside}\t}},\n"


class _Table:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._names = Names(catalogue.parameters)
        self._problems: list[Problem] = []
        self._group = {
            id(entry): number
            for number, group in enumerate(groups(catalogue.entries))
            for entry in group
        }

    def text(self) -> str:
        entries = "".join(map(self._entry, self._catalogue.entries))
        parameters = "".join(map(self._parameter, self._catalogue.parameters))
        if self._problems:
            raise CatalogueError(self._problems)
        return "\n".join(
            (
                _HEAD,
                _strings("symbols", self._names.symbols),
                _strings("sysctls", self._names.sysctls),
                f"static const struct parameter parameters[] = {{\n{parameters}}};\n",
                f"static const struct entry entries[] = {{\n{entries}}};\n",
                self._whole(),
            )
        )

    def _whole(self) -> str:
        fields = {
            "entries": "entries",
            "entry_count": str(len(self._catalogue.entries)),
            "group_count": str(len(set(self._group.values()))),
            "symbols": "symbols",
            "symbol_count": str(len(self._names.symbols)),
            "parameters": "parameters",
            "parameter_count": str(len(self._catalogue.parameters)),
            "sysctls": "sysctls",
            "sysctl_count": str(len(self._names.sysctls)),
        }
        inside = "".join(f"\t.{name} = {value},\n" for name, value in fields.items())
        return f"const struct catalogue catalogue = {{\n{inside}}};\n"

    # -- Entries --

    def _entry(self, entry: Entry) -> str:
        setting = entry.setting
        fields = {
            "setting": self._setting(entry.origin, setting),
            "target": string(setting.target),
            "wanted": string(setting.wanted),
            "level": f"LEVEL_{entry.level.name}",
            "architectures": architectures(entry.architectures),
            "names": array("struct name", self._entry_names(entry)),
            "name_count": str(len(entry.names)),
            "always_on": ranges(entry.always_on),
            "compilers": array("struct compiler", map(compiler, entry.compilers)),
            "compiler_count": str(len(entry.compilers)),
            "prerequisites": self._settings(entry.origin, entry.prerequisites),
            "stronger": self._settings(entry.origin, entry.stronger),
            "weaker": self._settings(entry.origin, entry.weaker),
            "boot": self._twins(entry, _boot_twins),
            "run": self._twins(entry, _run_twins),
            "instead": self._settings(entry.origin, entry.instead),
            "undone_by": self._settings(entry.origin, entry.undone_by),
            "maximum": self._maximum(entry),
            "group": str(self._group[id(entry)]),
            "hardware_dependent": str(entry.hardware_dependent).lower(),
            "protection": string(entry.protection),
            "reason": string(entry.reason),
            "where": string(_where(entry.origin)),
        }
        return _initializer(fields)

    def _entry_names(self, entry: Entry) -> Iterator[str]:
        for name in entry.names:
            place = self._place(entry.origin, entry.setting.kind, name.name)
            yield f"{{{place}, {ranges(name.kernels)}}}"

    def _twins(self, entry: Entry, read: Callable[[Entry], list[Setting]]) -> str:
        return self._settings(entry.origin, read(entry))

    def _maximum(self, entry: Entry) -> str:
        highest = entry.setting.match is Match.HIGHEST
        if highest and not entry.maximum:
            self._problem(entry.origin, f"{entry.setting}: there is no field 'Maximum'")
        if entry.maximum and not highest:
            self._problem(
                entry.origin, f"{entry.setting}: 'Maximum' is for '=max' alone"
            )
        return (
            str(self._names.symbol(entry.maximum)) if entry.maximum else "SYMBOL_NONE"
        )

    # -- Settings --

    def _settings(self, origin: Origin, settings: Iterable[Setting]) -> str:
        return sized("struct setting", (self._setting(origin, s) for s in settings))

    def _setting(self, origin: Origin, setting: Setting) -> str:
        try:
            plain = self._names.canonical(setting)
            place = self._names.place(setting.kind, setting.name)
        except ValueError as error:
            self._problem(origin, str(error))
            return ""
        fields = (
            f"KIND_{setting.kind.upper()}",
            str(place),
            f"MATCH_{plain.match.name}",
            string(plain.value),
            string(str(setting)),
        )
        return f"{{{', '.join(fields)}}}"

    def _place(self, origin: Origin, kind: str, name: str) -> int:
        try:
            return self._names.place(kind, name)
        except ValueError as error:
            self._problem(origin, str(error))
            return 0

    def _problem(self, origin: Origin, text: str) -> None:
        self._problems.append(Problem(origin, text))

    # -- Boot parameters --

    def _parameter(self, parameter: Parameter) -> str:
        values = parameter.values
        words = [*map(string, values.words), "NULL"] if values.words else []
        if parameter.repeats is Repeats.HIGHEST and not (values.words or values.bare):
            self._problem(
                parameter.origin,
                f"parameter:{parameter.name}: 'highest' needs words in rising order",
            )
        spellings = parameter.all_spellings
        fields = {
            "name": string(spellings[0].name),
            "values": f"VALUES_{values.form.name}",
            "bare": str(values.bare).lower(),
            "words": array("char *const", words),
            "repeats": f"REPEATS_{parameter.repeats.name}",
            "spellings": array("struct spelling", map(_spelling, spellings)),
            "spelling_count": str(len(spellings)),
            "kernels": ranges(parameter.kernels),
            "architectures": architectures(parameter.architectures),
            "prerequisites": self._settings(parameter.origin, parameter.prerequisites),
        }
        return _initializer(fields)


def _boot_twins(entry: Entry) -> list[Setting]:
    return [s for text in entry.boot_parameters for s in parse_parameters(text)]


def _run_twins(entry: Entry) -> list[Setting]:
    return [Setting.parse(f"sysctl:{text}") for text in entry.sysctls]


def _spelling(spelling: Spelling) -> str:
    value = "NULL" if spelling.value is None else string(spelling.value)
    return f"{{{string(spelling.name)}, {value}}}"


def _strings(name: str, texts: Iterable[str]) -> str:
    lines = "".join(f"\t{string(text)},\n" for text in texts)
    return f"static const char *const {name}[] = {{\n{lines}}};\n"
