# SPDX-License-Identifier: GPL-2.0-only
"""A second judge of a final .config, written against the documents alone.

It derives every verdict from the catalogue, the final .config and the tree's Kconfig
files, and compares with the report.  It shares no code with gen/, so that a mistake
there is not made here as well.  problems() is the way in.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from independent_kconfig import Expr, Kconfig, Reach, compare, elsewhere

LEVELS = ("low", "medium", "high", "extreme")
ARCHITECTURES = ("x86_64", "i386", "arm64", "arm", "riscv", "powerpc", "s390")
ATTENTION = ("fail", "weaker")

_RUN_TIME = ("cmdline:", "sysctl:")

# -- The catalogue ----------------------------------------------------------------

_TITLE = re.compile(r"(?:CONFIG_|cmdline:|sysctl:)\S.*")
_UNDERLINE = re.compile(r"([=~^\"'`#*+.:_-])\1{2,}")
_FIELD = re.compile(r":([A-Z][\w -]*):(?:\s+(.*))?")
_WISH = re.compile(r'(?:CONFIG_)?(\w+)(=|>=| contains )(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True)
class Wish:
    """A symbol and what it is to be: `operator` is =, >=, max or contains."""

    name: str
    operator: str
    value: str
    quoted: bool = False

    @staticmethod
    def read(text: str) -> Wish:
        match = _WISH.fullmatch(text.strip())
        assert match, f"not a setting: {text!r}"
        name, operator, string, plain = match.groups()
        if plain == "max" and operator == "=":
            return Wish(name, "max", "")
        quoted = string is not None
        return Wish(name, operator.strip(), string if quoted else plain, quoted)

    @property
    def wanted(self) -> str:
        """As the guide says that reports spell it."""
        if self.operator == "max":
            return "max"
        if self.operator == "contains":
            return f'contains "{self.value}"'
        value = f'"{self.value}"' if self.quoted else self.value
        return f">={value}" if self.operator == ">=" else value

    @property
    def line(self) -> str:
        """For a .config; lists and maxima need to know what is there."""
        if self.value == "n" and not self.quoted:
            return f"# CONFIG_{self.name} is not set\n"
        value = f'"{self.value}"' if self.quoted else self.value
        return f"CONFIG_{self.name}={value}\n"


@dataclass(frozen=True)
class Entry:
    """One section of the catalogue: its title and its fields as they stand."""

    title: str
    fields: tuple[tuple[str, str], ...]

    def field(self, name: str) -> str:
        return dict(self.fields).get(name, "")

    @property
    def level(self) -> str:
        return self.field("Negative side effects level").lower()

    @property
    def is_kconfig(self) -> bool:
        return self.title.startswith("CONFIG_")

    @cached_property
    def wish(self) -> Wish:
        return Wish.read(self.title)

    @cached_property
    def architectures(self) -> set[str]:
        names = set(_list(self.field("Architectures"))) or set(ARCHITECTURES)
        if "x86" in names:
            names |= {"x86_64", "i386"}
        return names & set(ARCHITECTURES)

    @cached_property
    def names(self) -> list[tuple[str, str]]:
        """(name, ranges) of the symbol, the name in the title first."""
        first = self.wish.name if self.is_kconfig else self.title.split("=")[0]
        others = re.findall(r"(\w+)\s*\(([^)]*)\)", self.field("Other names"))
        return [(first, self.field("Kernels")), *others]

    def wishes(self, field: str) -> list[Wish]:
        """Of options alone: a .config does not tell what is set at run time."""
        parts = _list(self.field(field))
        return [Wish.read(p) for p in parts if not p.startswith(_RUN_TIME)]

    def suits(self, target: Target) -> bool:
        return (
            target.architecture in self.architectures
            and self.compiler_will_do(target)
            and (
                any(in_ranges(target.version, ranges) for _, ranges in self.names)
                or self.always(target)
            )
        )

    def always(self, target: Target) -> bool:
        ranges = self.field("Always on")
        return bool(ranges) and in_ranges(target.version, ranges)

    def compiler_will_do(self, target: Target) -> bool:
        conditions = _list(self.field("Compiler"))
        for condition in conditions:
            name, _, version = (part.strip() for part in condition.partition(">="))
            if name == target.compiler and target.compiler_version >= numbers(version):
                return True
        return not conditions


@dataclass(frozen=True)
class Target:
    """What a kernel is built from and for; versions as tuples of numbers."""

    version: tuple[int, ...]
    architecture: str
    compiler: str
    compiler_version: tuple[int, ...]


def _list(text: str) -> list[str]:
    """Items between commas that do not stand in quotes."""
    return [part.strip() for part in re.findall(r'(?:"[^"]*"|[^,"])+', text)]


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def in_ranges(version: tuple[int, ...], ranges: str) -> bool:
    """Whether `A - B, since C, up to D` has the version; no ranges have every one."""
    if not ranges.strip():
        return True
    for part in ranges.split(","):
        words = part.replace("-", " - ").split()
        first, last = numbers(words[0]), numbers(words[-1])
        if words[0] == "since":
            first, last = last, ()
        else:
            assert "-" in words or words[:2] == ["up", "to"], ranges
        if first <= version and (not last or version[: len(last)] <= last):
            return True
    return False


def read_catalogue(folder: Path) -> list[Entry]:
    entries = []
    for file in sorted(folder.glob("*.rst")):
        lines = file.read_text(encoding="utf-8").split("\n")
        for i, line in enumerate(lines[:-1]):
            if _TITLE.fullmatch(line) and _UNDERLINE.fullmatch(lines[i + 1]):
                entries.append(Entry(line.strip(), tuple(_fields(lines[i + 2 :]))))
    return entries


def _fields(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The field list at the top of a section."""
    name, body = "", ""
    started = False
    for line in lines:
        match = _FIELD.fullmatch(line)
        if match:
            if name:
                yield name, body
            name, body = match[1], match[2] or ""
            started = True
        elif started and line.startswith(" "):
            body += " " + line.strip()
        elif line.strip() or started:
            break
    if name:
        yield name, body


def _keys(entry: Entry) -> list[tuple[str, ...]]:
    item: tuple[str, ...] = ()
    if entry.is_kconfig and entry.wish.operator == "contains":
        item = (entry.wish.value,)
    return [(name, *item) for name, _ in entry.names]


def groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries that share a name are about one thing (of a list: about one item)."""
    group_of: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        joined = [entry]
        for key in _keys(entry):
            joined += [e for e in group_of.get(key, ()) if e not in joined]
        for member in joined:
            group_of.update(dict.fromkeys(_keys(member), joined))
    return list({id(group): group for group in group_of.values()}.values())


@dataclass(frozen=True)
class Asked:
    """What a level means for one thing; `entries` suit the target, or none does."""

    entries: tuple[Entry, ...]
    suit: bool


def asked(entries: Iterable[Entry], level: str, target: Target) -> list[Asked]:
    """Of the entries that suit a target those at the highest level count.

    Where none suits, any of them may explain why.
    """
    result = []
    for group in groups(entries):
        group = [e for e in group if LEVELS.index(e.level) <= LEVELS.index(level)]
        suiting = [e for e in group if e.suits(target)]
        top = max((LEVELS.index(e.level) for e in suiting), default=-1)
        best = [e for e in suiting if LEVELS.index(e.level) == top]
        if group:
            result.append(Asked(tuple(best or group), bool(best)))
    return result


# -- The final .config ------------------------------------------------------------


def read_config(text: str) -> dict[str, str]:
    """Symbol -> value without quotes; `is not set` is n.  The last line counts."""
    values = {}
    for line in text.split("\n"):
        if line.startswith("# CONFIG_") and line.endswith(" is not set"):
            values[line[9:-11]] = "n"
        elif line.startswith("CONFIG_"):
            name, _, value = line[7:].partition("=")
            if value.startswith('"'):
                value = re.sub(r"\\(.)", r"\1", value[1:-1])
            values[name] = value
    return values


def tree_version(source: Path) -> tuple[int, ...]:
    text = (source / "Makefile").read_text(encoding="utf-8")
    parts = []
    for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL"):
        match = re.search(rf"^{name} = (\d*)$", text, re.MULTILINE)
        assert match, name
        parts.append(int(match[1] or 0))
    return tuple(parts)


def target_of(source: Path, srcarch: str, config: Mapping[str, str]) -> Target:
    """Told by the Makefile and by what conf wrote of the compiler."""
    architecture = srcarch
    if srcarch == "x86":
        architecture = "x86_64" if config.get("X86_64") == "y" else "i386"
    compiler = "clang" if config.get("CC_IS_CLANG") == "y" else "gcc"
    packed = int(config[f"{compiler.upper()}_VERSION"])
    version = (packed // 10000, packed // 100 % 100, packed % 100)
    return Target(tree_version(source), architecture, compiler, version)


# -- The judge --------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What the report has to say of one entry; `cause` is why, in our own words."""

    entry: Entry
    name: str | None  # the symbol in this tree
    wish: Wish
    got: str | None
    verdict: str
    cause: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.entry.title, self.entry.level


class Judge:
    """One final config of one tree."""

    def __init__(
        self, kconfig: Kconfig, reach: Reach, target: Target, config: Mapping[str, str]
    ) -> None:
        self.kconfig = kconfig
        self.reach = reach
        self.target = target
        self.config = config

    @cached_property
    def foreign(self) -> dict[str, set[str]]:
        return elsewhere(self.kconfig)

    def got(self, name: str) -> str | None:
        if not self.kconfig.definitions.get(name):
            return None
        off = "n" if self.kconfig.type(name) in ("bool", "tristate") else ""
        return self.config.get(name, off)

    def held(self, wish: Wish) -> bool:
        got = self.got(wish.name)
        if got is None:
            return False
        if wish.operator == "contains":
            return wish.value in got.split(",")
        if wish.operator == "max":
            top = self.top(wish.name)
            return top is not None and compare(">=", got, str(top))
        if wish.value == "any" and not wish.quoted:
            return bool(got)
        if wish.quoted or wish.value in ("y", "m", "n"):
            return got == wish.value
        if self.kconfig.type(wish.name) == "hex":
            got = re.sub(r"^(?!0[xX])", "0x", got)
        if ".." in wish.value:
            low, high = wish.value.split("..")
            return compare(">=", got, low) and compare("<=", got, high)
        operator = ">=" if wish.operator == ">=" else "="
        return compare(operator, got, wish.value)

    def top(self, name: str) -> int | None:
        """The upper end of the first range whose condition holds."""
        for definition in self.kconfig.definitions.get(name, ()):
            for _, high, condition in definition.ranges:
                if self.true(condition):
                    text = high[1]
                    if high[0] == "sym":
                        text = self.got(text) or "0"
                    return int(text, 0)
        return None

    def true(self, expr: Expr) -> bool:
        """Whether a condition holds in the final config (m counts)."""
        kind = expr[0]
        if kind == "sym":
            return self.config.get(expr[1], "n") in ("y", "m")
        if kind == "const":
            return expr[1] in ("y", "m")
        if kind == "and":
            return self.true(expr[1]) and self.true(expr[2])
        if kind == "or":
            return self.true(expr[1]) or self.true(expr[2])
        if kind == "not":
            return not self.true(expr[1])
        if kind == "macro":
            return self.reach.evaluate(expr) > 1
        left, right = (
            (self.got(e[1]) or "") if e[0] == "sym" else str(e[1]) for e in expr[1:]
        )
        return compare(kind, left, right)

    def symbol(self, entry: Entry) -> str | None:
        defined = [n for n, _ in entry.names if self.kconfig.definitions.get(n)]
        return defined[0] if defined else None

    def row(self, entry: Entry) -> Row:
        name = self.symbol(entry)
        old = entry.wish
        wish = Wish(name or old.name, old.operator, old.value, old.quoted)
        got = self.got(name) if name else None
        return Row(entry, name, wish, got, *self._verdict(entry, name, wish, got))

    def _verdict(
        self, entry: Entry, name: str | None, wish: Wish, got: str | None
    ) -> tuple[str, str]:
        if self.target.architecture not in entry.architectures:
            return "n/a", "architecture"
        if name is None and entry.always(self.target):
            return "ok", "always on"
        if name is not None and self.held(wish):
            return "ok", ""
        if any(self.held(s) for s in entry.wishes("Stronger")):
            return "stronger", ""
        if name is None:
            return "n/a", "undefined"
        impossible = self._impossible(entry, name, wish)
        if impossible:
            return "n/a", impossible
        if wish.wanted == "y" and got == "m":
            return "weaker", ""
        if any(self.held(s) for s in entry.wishes("Weaker")):
            return "weaker", ""
        return "fail", ""

    def _impossible(self, entry: Entry, name: str, wish: Wish) -> str:
        """Why nobody could have had it here, or ''."""
        if not entry.compiler_will_do(self.target):
            return "compiler"
        if self.kconfig.type(name) in ("bool", "tristate"):
            possible = wish.value in self.reach.values(name)
        else:
            possible = self.reach.visible(name)
        return "" if possible else "unreachable"


# -- The comparison ---------------------------------------------------------------


def expected(judge: Judge, catalogue: Iterable[Entry], level: str) -> list[Row]:
    """A row for every entry that suits, and for all that may explain otherwise."""
    return [
        judge.row(entry)
        for thing in asked(catalogue, level, judge.target)
        for entry in thing.entries
        if entry.is_kconfig
    ]


def problems(
    report: Mapping[str, Any], judge: Judge, catalogue: list[Entry], level: str
) -> list[str]:
    """Everything in which a report differs from what has to be in it."""
    things = asked(catalogue, level, judge.target)
    given = defaultdict(list)
    for said in report["settings"]:
        given[said["entry"], said["level"]].append(said)
    found = [*_head(report, judge.target, level), *_summary(report)]
    for thing in things:
        if thing.entries[0].is_kconfig:
            found += _thing(judge, thing, given)
    found += [
        f"{key}: {len(rows)} rows too many" for key, rows in given.items() if rows
    ]
    found += _run_time(report, judge, things)
    found += _extras(report, judge)
    return sorted(found)


#: Rows of a report by entry and level.
Given = dict[tuple[str, str], list[Mapping[str, Any]]]


def _thing(judge: Judge, thing: Asked, given: Given) -> Iterator[str]:
    """Compare the rows of one thing, and take them out of `given`."""
    rows = [judge.row(entry) for entry in thing.entries]
    said = [
        rest for key in dict.fromkeys(row.key for row in rows) for rest in given[key]
    ]
    for row in rows:
        given[row.key] = []
    if not said:
        yield f"{thing.entries[0].title}: dropped"
    # Two entries may have the same title, such as one for each architecture: a row
    # is about the one that it contradicts least.
    while rows and said:
        faults, row, rest = min(
            (
                (list(_row(judge, row, rest)), row, rest)
                for row in rows
                for rest in said
            ),
            key=lambda triple: len(triple[0]),
        )
        yield from faults
        rows.remove(row)
        said.remove(rest)
    if thing.suit:
        yield from (f"{row.entry.title} ({row.entry.level}): dropped" for row in rows)
    yield from (f"{rest['entry']} ({rest['level']}): twice" for rest in said)


def _run_time(
    report: Mapping[str, Any], judge: Judge, things: Iterable[Asked]
) -> Iterator[str]:
    """Boot parameters and sysctls that are due: each once, at its highest level.

    Those of an option are due where the tree has the option, and where neither
    something stronger nor a higher number is in the .config.
    """
    rows_of = {(said["entry"], said["level"]): said for said in report["settings"]}
    due = defaultdict(list)
    for thing in things:
        for entry in thing.entries if thing.suit else ():
            if entry.is_kconfig:
                said = rows_of.get((entry.title, entry.level), {"verdict": "n/a"})
                more = (
                    entry.wish.operator == ">=" and said.get("got") != entry.wish.value
                )
                is_due = bool(judge.symbol(entry)) and (
                    said["verdict"] in ATTENTION or said["verdict"] == "ok" and not more
                )
            else:
                is_due = not any(map(judge.held, entry.wishes("Stronger")))
            if is_due:
                for kind, setting, twin in _twins(entry):
                    name = setting.split("=")[0]
                    due[kind, name].append((setting, entry.level, twin))
    for said in report["run_time"]:
        key = said["kind"], said["setting"].split("=")[0]
        row = said["setting"], said["level"], said["twin"]
        rows = due.pop(key, [])
        top = max((LEVELS.index(level) for _, level, _ in rows), default=0)
        if row not in [r for r in rows if LEVELS.index(r[1]) == top]:
            yield f"run time: {row} where one of {rows} belongs"
    yield from (f"run time: {key} is missing" for key in due)


def _extras(report: Mapping[str, Any], judge: Judge) -> Iterator[str]:
    """Prerequisites that the run says to have set are in the final config."""
    for extra in report["prerequisites"]:
        if not judge.held(Wish.read(extra["setting"])):
            yield f"prerequisite {extra['setting']}: not in the final config"
        if not extra["needed_by"]:
            yield f"prerequisite {extra['setting']}: nothing needs it"


def _twins(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """(kind, setting, option of which it is the twin)"""
    if not entry.is_kconfig:
        kind, _, setting = entry.title.partition(":")
        yield kind, setting, ""
    if " contains " not in entry.field("Boot parameter"):
        for word in entry.field("Boot parameter").split():
            yield "cmdline", word, entry.title
    for word in _list(entry.field("Sysctl")):
        yield "sysctl", word, entry.title
    for part in _list(entry.field("Instead")):
        kind, _, setting = part.partition(":")
        yield kind, setting, entry.title


def _head(report: Mapping[str, Any], target: Target, level: str) -> Iterator[str]:
    version = ".".join(map(str, target.version))
    compiler = f"{target.compiler} {'.'.join(map(str, target.compiler_version))}"
    for name, value in (
        ("kernel", version),
        ("arch", target.architecture),
        ("compiler", compiler),
        ("level", level),
    ):
        # a release may end in -rc1 or the like
        if not str(report[name]).startswith(value):
            yield f"{name}: {report[name]!r} where {value!r} belongs"
    if not report["source"]:
        yield "source: empty"


def _summary(report: Mapping[str, Any]) -> Iterator[str]:
    count = Counter(said["verdict"] for said in report["settings"])
    summary = {k: v for k, v in report["summary"].items() if v}
    if summary != dict(count):
        yield f"summary: {report['summary']} where {dict(count)} belongs"


def _row(judge: Judge, row: Row, said: Mapping[str, Any]) -> Iterator[str]:
    label = f"{row.entry.title} ({row.entry.level})"
    for name, value in (
        ("setting", f"CONFIG_{row.wish.name}"),
        ("kind", "kconfig"),
        ("wanted", row.wish.wanted),
        ("got", row.got),
        ("verdict", row.verdict),
    ):
        if said[name] != value:
            because = f" ({row.cause})" if name == "verdict" and row.cause else ""
            yield (
                f"{label}: {name} is {said[name]!r} where {value!r} belongs{because}; "
                f"reason given: {said['reason']!r} {said['where']}"
            )
    if not said["reason"].strip():
        yield f"{label}: no reason"
    yield from _where(judge, row, said["where"], label)
    if row.verdict == "n/a" == said["verdict"]:
        yield from _why_not(judge, row, said, label)


def _why_not(
    judge: Judge, row: Row, said: Mapping[str, Any], label: str
) -> Iterator[str]:
    """The reason for n/a has to be of the kind that we found ourselves."""
    reason = said["reason"]
    if row.cause == "architecture":
        fits = any(name in reason for name in row.entry.architectures)
    elif row.cause == "compiler":
        fits = any(word in reason for word in ("gcc", "clang", "compiler"))
    elif row.cause == "undefined":
        here = {p for n, _ in row.entry.names for p in judge.foreign.get(n, ())}
        fits = said["where"] in here if here else not said["where"]
    else:
        fits = bool(said["where"])
    if not fits:
        yield f"{label}: n/a for {row.cause}, but the reason is {reason!r}"


def _where(judge: Judge, row: Row, where: str, label: str) -> Iterator[str]:
    """A place has to exist and to be about the symbol, or what stands in for it."""
    if not where:
        if row.verdict in ATTENTION:
            yield f"{label}: {row.verdict}, but no line of the tree is blamed"
        return
    file, _, line = where.rpartition(":")
    path = judge.kconfig.source / file
    if not path.is_file() or not line.isdigit():
        yield f"{label}: {where} is no line of the tree"
        return
    count = path.read_bytes().count(b"\n") + 1
    if not 1 <= int(line) <= count:
        yield f"{label}: {where} is no line of the tree"
        return
    if row.verdict == "stronger":
        names = [s.name for s in row.entry.wishes("Stronger")]
    else:
        names = [name for name, _ in row.entry.names]
    if any(where in place for n in names for place in judge.kconfig.places(n)):
        return
    foreign = judge.foreign
    if row.verdict == "n/a" and any(where in foreign.get(n, ()) for n in names):
        return
    yield f"{label}: {where} has nothing to do with {', '.join(names)}"


# -- Prerequisites ----------------------------------------------------------------


def prerequisites(judge: Judge, row: Row, catalogue: Iterable[Entry]) -> list[Wish]:
    """What the catalogue says has to come first, followed through its entries."""
    by_setting: dict[Wish, list[Wish]] = {}
    for entry in catalogue:
        if entry.is_kconfig:
            by_setting.setdefault(entry.wish, []).extend(entry.wishes("Prerequisites"))
    order: list[Wish] = []

    def follow(wishes: Iterable[Wish]) -> None:
        for wish in wishes:
            if judge.kconfig.definitions.get(wish.name) and wish not in order:
                order.append(wish)
                follow(by_setting.get(wish, ()))

    follow(row.entry.wishes("Prerequisites"))
    return order[::-1]


def added_lines(judge: Judge, row: Row, first: Iterable[Wish]) -> str:
    """Lines for the end of a .config that ask for a setting once more."""
    wishes = [*first, row.wish]
    text = ""
    for wish in wishes:
        if wish.operator == "contains":
            items = [i for i in (judge.got(wish.name) or "").split(",") if i]
            wish = Wish(wish.name, "=", ",".join([*items, wish.value]), True)
        elif wish.operator == "max":
            wish = Wish(wish.name, "=", str(judge.top(wish.name)))
        text += wish.line
    return text


def contradicted(row: Row, first: Iterable[Wish], rows: Iterable[Row]) -> list[Row]:
    """Settings of the same level that forbid a prerequisite of `row`."""
    values = {w.name: w.value for w in first if w.operator == "="}
    return [
        other
        for other in rows
        if other.wish.operator == "="
        and values.get(other.wish.name, other.wish.value) != other.wish.value
    ]


def read_report(file: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return report
