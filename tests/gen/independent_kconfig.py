# SPDX-License-Identifier: GPL-2.0-only
"""What a kernel tree lets a configuration reach: a second reader of Kconfig files.

It serves the judge of the tests (independent.py) and therefore shares nothing with
gen/: no code, no Kconfiglib.  It reads the files that an architecture sources, line
by line, and answers one question for bool and tristate symbols: which values can a
symbol have in any configuration at all?  Correlations between symbols are ignored,
so "possible" may be too generous, and "impossible" is never wrong.

Compiler tests are not imitated: macro_values() lets the tree's own conf expand them.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

# A set of values of a bool or tristate is a bit mask of these.
_N, _M, _Y, _ALL = 1, 2, 4, 7
_SET = {"n": _N, "m": _M, "y": _Y}


def _letters(mask: int) -> set[str]:
    return {letter for letter, bit in _SET.items() if mask & bit}


def _table(combine: Callable[[int, int], int]) -> list[list[int]]:
    """For two sets the set of what their members can combine to."""
    bits = (_N, _M, _Y)
    table = [[0] * 8 for _ in range(8)]
    for a in range(8):
        for b in range(8):
            for x in (bit for bit in bits if a & bit):
                for y in (bit for bit in bits if b & bit):
                    table[a][b] |= combine(x, y)
    return table


_MEET, _JOIN = _table(min), _table(max)
_NOT = [(a & _N) << 2 | a & _M | (a & _Y) >> 2 for a in range(8)]
#: What a user can pick where a prompt's condition has a set of values.
_UP_TO = [0, 0, _N | _M, _N | _M, _ALL, _ALL, _ALL, _ALL]

_COMPARISONS = ("<=", ">=", "!=", "<", ">", "=")
_NAME = re.compile(r"[\w.\-/]+", re.ASCII)
_ITEM_TYPES = ("bool", "boolean", "tristate", "int", "hex", "string")
_ASSIGNMENT = re.compile(r"[\w-]+\s*(?::|\+)?=", re.ASCII)

# An expression: ("const", text), ("sym", name), ("macro", text), ("not", x),
# ("and", x, y), ("or", x, y) or (comparison, x, y).
Expr = tuple[Any, ...]
YES: Expr = ("const", "y")
_MODULE: Expr = ("const", "m")


@dataclass(frozen=True)
class Lines:
    """Lines `first` to `last` of a file, named relative to the tree."""

    file: str
    first: int
    last: int

    def __contains__(self, place: str) -> bool:
        file, _, line = place.rpartition(":")
        return file == self.file and self.first <= int(line) <= self.last


@dataclass
class Block:
    """An `if`, menu or choice; `lines` are those of its head, not of its content."""

    kind: str
    file: str
    first: int
    last: int = 0
    depends: list[Expr] = field(default_factory=list)
    visible: list[Expr] = field(default_factory=list)

    @property
    def lines(self) -> Lines:
        return Lines(self.file, self.first, max(self.first, self.last))


@dataclass
class Definition:
    """One `config NAME` with everything that belongs to it."""

    name: str
    file: str
    first: int
    last: int = 0
    type: str = ""
    prompts: list[Expr] = field(default_factory=list)  # their conditions
    depends: list[Expr] = field(default_factory=list)
    defaults: list[tuple[Expr, Expr]] = field(default_factory=list)
    selects: list[tuple[str, Expr, int]] = field(default_factory=list)  # ..., line
    implies: list[tuple[str, Expr]] = field(default_factory=list)
    ranges: list[tuple[Expr, Expr, Expr]] = field(default_factory=list)
    blocks: tuple[Block, ...] = ()
    transitional: bool = False

    @property
    def lines(self) -> Lines:
        return Lines(self.file, self.first, max(self.first, self.last))

    def conditions(self) -> Iterator[Expr]:
        """What has to hold for the definition to count."""
        yield from self.depends
        for block in self.blocks:
            yield from block.depends

    def visibilities(self) -> Iterator[Expr]:
        """What has to hold beyond that for the prompt to be shown."""
        for block in self.blocks:
            yield from block.visible


def _macro_end(text: str, start: int) -> int:
    """The index behind the $(...) that starts at `start`."""
    depth = 0
    for i in range(start + 1, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError(f"unbalanced: {text[start:]}")


def tokens(text: str) -> list[tuple[str, str]]:
    """(kind, text) pairs; kind is op, str, macro or name.  A comment ends the text."""
    found = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c == "#":
            break
        elif text.startswith("$(", i):
            end = _macro_end(text, i)
            found.append(("macro", text[i:end]))
            i = end
        elif c in "\"'":
            end = i + 1
            while text[end] != c:
                if text.startswith("$(", end):
                    end = _macro_end(text, end)
                else:
                    end += 2 if text[end] == "\\" else 1
            body = text[i + 1 : end]
            found.append(("macro" if "$(" in body else "str", body))
            i = end + 1
        elif text[i : i + 2] in ("&&", "||", "<=", ">=", "!="):
            found.append(("op", text[i : i + 2]))
            i += 2
        elif c in "()!=<>":
            found.append(("op", c))
            i += 1
        else:
            match = _NAME.match(text, i)
            if not match:
                raise ValueError(f"cannot read {text[i:]!r}")
            found.append(("name", match[0]))
            i = match.end()
    return found


class _Parser:
    """Recursive descent over tokens: || binds least, then &&, !, comparisons."""

    def __init__(self, items: list[tuple[str, str]]) -> None:
        self.items = items
        self.at = 0

    def peek(self) -> tuple[str, str]:
        return self.items[self.at] if self.at < len(self.items) else ("end", "")

    def take(self) -> tuple[str, str]:
        item = self.peek()
        self.at += 1
        return item

    def expression(self) -> Expr:
        left = self.conjunction()
        while self.peek() == ("op", "||"):
            self.take()
            left = ("or", left, self.conjunction())
        return left

    def conjunction(self) -> Expr:
        left = self.factor()
        while self.peek() == ("op", "&&"):
            self.take()
            left = ("and", left, self.factor())
        return left

    def factor(self) -> Expr:
        if self.peek() == ("op", "!"):
            self.take()
            return ("not", self.factor())
        if self.peek() == ("op", "("):
            self.take()
            inner = self.expression()
            assert self.take() == ("op", ")"), self.items
            return inner
        left = self.operand()
        if self.peek()[0] == "op" and self.peek()[1] in _COMPARISONS:
            return (self.take()[1], left, self.operand())
        return left

    def operand(self) -> Expr:
        kind, text = self.take()
        if kind == "macro":
            return ("macro", text)
        if kind == "str":
            return ("const", text)
        assert kind == "name", self.items
        if text in _SET or re.fullmatch(r"-?\d+|0[xX][0-9a-fA-F]+", text):
            return ("const", text)
        return ("sym", text)

    def condition(self) -> Expr:
        """The optional `if EXPR` at the end of a line."""
        if self.peek() != ("name", "if"):
            return YES
        self.take()
        return self.expression()


def logical_lines(file: Path) -> Iterator[tuple[int, int, str]]:
    """(first line, last line, text) with continuation lines joined."""
    raw = file.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    i = 0
    while i < len(raw):
        first, text = i, raw[i]
        while text.endswith("\\") and i + 1 < len(raw):
            i += 1
            text = text[:-1] + raw[i]
        yield first + 1, i + 1, text
        i += 1


def _indent(text: str) -> int:
    return len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip())


class Kconfig:
    """All that the top Kconfig file of `source` reaches for one SRCARCH."""

    def __init__(self, source: Path, srcarch: str) -> None:
        self.source = source
        self.srcarch = srcarch
        self.definitions: dict[str, list[Definition]] = defaultdict(list)
        self.files: list[str] = []
        self.macros: set[str] = set()
        self._blocks: list[Block] = []
        self._read("Kconfig")
        self.selectors: dict[str, list[tuple[Definition, Expr, int]]] = defaultdict(
            list
        )
        self.impliers: dict[str, list[tuple[Definition, Expr]]] = defaultdict(list)
        for group in self.definitions.values():
            for definition in group:
                for name, condition, line in definition.selects:
                    self.selectors[name].append((definition, condition, line))
                for name, condition in definition.implies:
                    self.impliers[name].append((definition, condition))

    # -- Reading ------------------------------------------------------------------

    def _read(self, name: str) -> None:
        self.files.append(name)
        item: Definition | Block | None = None
        help_indent: int | None = None  # -1: the text has not begun yet
        for first, last, text in logical_lines(self.source / name):
            if help_indent is not None:
                if not text.strip():
                    continue
                if help_indent == -1:
                    help_indent = _indent(text) or None
                    if help_indent:
                        continue
                elif _indent(text) >= help_indent:
                    continue
                else:
                    help_indent = None
            stripped = text.strip()
            if not stripped or stripped.startswith("#"):
                continue
            word = re.split(r"[\s\"$(]", stripped, maxsplit=1)[0]
            rest = stripped[len(word) :]
            if word in ("help", "---help---"):
                help_indent = -1
                if item:
                    item.last = last
            elif word in ("config", "menuconfig"):
                item = Definition(rest.split("#")[0].strip(), name, first)
                item.blocks = tuple(self._blocks)
                self.definitions[item.name].append(item)
            elif word in ("if", "menu", "choice"):
                item = Block(word, name, first, last)
                if word == "if":
                    item.depends.append(self._parser(rest).expression())
                self._blocks.append(item)
            elif word in ("endif", "endmenu", "endchoice"):
                assert self._blocks.pop().kind == word[3:], f"{name}:{first}"
                item = None
            elif word == "source":
                self._source(rest)
                item = None
            elif word in ("comment", "mainmenu"):
                item = Block(word, name, first, last)
            elif item and not _ASSIGNMENT.match(stripped):
                item.last = last
                self._property(item, word, rest, first)

    def _source(self, rest: str) -> None:
        name = rest.split("#")[0].strip().strip('"')
        self._read(name.replace("$(SRCARCH)", self.srcarch))

    def _parser(self, text: str) -> _Parser:
        found = tokens(text)
        self.macros.update(text for kind, text in found if kind == "macro")
        return _Parser(found)

    def _property(
        self, item: Definition | Block, word: str, rest: str, line: int
    ) -> None:
        parser = self._parser(rest)
        if word == "depends":
            parser.take()  # "on"
            expr = parser.expression()
            condition = parser.condition()
            if condition != YES:
                # since 7.0: only asked for where the condition holds
                expr = ("or", expr, ("=", condition, ("const", "n")))
            item.depends.append(expr)
        elif word == "visible":
            if isinstance(item, Block):
                item.visible.append(parser.condition())
        elif isinstance(item, Block):
            # Members of a choice can only be picked where its prompt is shown.
            if item.kind == "choice" and word in ("prompt", "bool", "tristate"):
                if parser.items:
                    parser.take()
                    item.visible.append(parser.condition())
        else:
            self._symbol_property(item, word, parser, line)

    @staticmethod
    def _symbol_property(
        item: Definition, word: str, parser: _Parser, line: int
    ) -> None:
        if word in _ITEM_TYPES:
            item.type = {"boolean": "bool"}.get(word, word)
        if word in (*_ITEM_TYPES, "prompt"):
            if parser.items:
                parser.take()
                item.prompts.append(parser.condition())
        elif word in ("default", "def_bool", "def_tristate"):
            if word != "default":
                item.type = word[4:]
            value = parser.expression()
            item.defaults.append((value, parser.condition()))
        elif word == "select":
            name = parser.take()[1]
            item.selects.append((name, parser.condition(), line))
        elif word == "imply":
            name = parser.take()[1]
            item.implies.append((name, parser.condition()))
        elif word == "range":
            low, high = parser.operand(), parser.operand()
            item.ranges.append((low, high, parser.condition()))
        elif word == "transitional":
            item.transitional = True
        elif word not in ("modules", "option", "optional"):
            raise ValueError(f"{item.file}:{line}: unknown property {word}")

    # -- Questions ----------------------------------------------------------------

    def type(self, name: str) -> str:
        return next((d.type for d in self.definitions[name] if d.type), "")

    def has_prompt(self, name: str) -> bool:
        return any(d.prompts for d in self.definitions.get(name, ()))

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """Symbol -> bool and tristate symbols whose value it has a part in."""
        users: dict[str, set[str]] = defaultdict(set)
        for name, group in self.definitions.items():
            if self.type(name) not in ("bool", "tristate", ""):
                continue
            for d in group:
                defaults = [part for pair in d.defaults for part in pair]
                around = [*d.conditions(), *d.visibilities()]
                for used in _symbols(*around, *d.prompts, *defaults):
                    users[used].add(name)
                pulls = [*((s[0], s[1]) for s in d.selects), *d.implies]
                if pulls:
                    outer = _symbols(*d.conditions()) | {name}
                    for target, condition in pulls:
                        if target in self.definitions:
                            for used in outer | _symbols(condition):
                                users[used].add(target)
        return users

    def places(self, name: str) -> Iterator[Lines]:
        """Lines that can be blamed for a symbol's value."""
        for definition in self.definitions.get(name, ()):
            yield definition.lines
            for block in definition.blocks:
                yield block.lines
        for definition, _, line in self.selectors.get(name, ()):
            yield Lines(definition.file, line, line)


def elsewhere(kconfig: Kconfig) -> dict[str, set[str]]:
    """Symbols that only other architectures reach -> their file:line.

    Looks at the Kconfig files of the other folders under arch/ and at all that they
    source; files that `kconfig` has read are not "elsewhere".
    """
    found = defaultdict(set)
    seen = set(kconfig.files)
    todo = [
        (
            str(file.relative_to(kconfig.source)),
            file.relative_to(kconfig.source).parts[1],
        )
        for file in sorted((kconfig.source / "arch").glob("**/Kconfig*"))
    ]
    for name, arch in todo:  # grows on the way
        file = kconfig.source / name
        if name in seen or not file.is_file():
            continue
        seen.add(name)
        for first, _, text in logical_lines(file):
            match = re.match(r'\s*(?:(?:menu)?config\s+(\w+)|source\s+"(.+)")', text)
            if match and match[1]:
                found[match[1]].add(f"{name}:{first}")
            elif match:
                todo.append((match[2].replace("$(SRCARCH)", arch), arch))
    return dict(found)


def macro_values(
    kconfig: Kconfig, make: list[str], scratch: Path, env: Mapping[str, str]
) -> dict[str, str]:
    """Macro text -> its expansion, by the tree's own conf.

    `make` is the kernel's make with its variables.  conf is given a Kconfig file of
    ours that holds a string symbol for each macro.
    """
    macros = sorted(kconfig.macros)
    probe, config = scratch / "Kconfig.probe", scratch / "probe.config"
    text = 'source "scripts/Kconfig.include"\n'
    for i, macro in enumerate(macros):
        # "default $(x)" and 'default "$(x)"' are both legal; take the quoted one
        text += f'config PROBE_{i}\n\tstring\n\tdefault "{macro}"\n'
    probe.write_bytes(text.encode("utf-8", "surrogateescape"))
    config.unlink(missing_ok=True)
    subprocess.run(
        [*make, f"KBUILD_KCONFIG={probe}", f"KCONFIG_CONFIG={config}", "olddefconfig"],
        env=env,
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    values = {}
    for line in config.read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r'CONFIG_PROBE_(\d+)="(.*)"', line)
        if match:
            values[macros[int(match[1])]] = re.sub(r"\\(.)", r"\1", match[2])
    assert len(values) == len(macros), "conf did not answer for every macro"
    return values


class Reach:
    """The values that each symbol can have, given what the compiler offers.

    `pins` fixes symbols, by which the architecture at hand is told: {"64BIT": "y"}.
    Numbers and strings are only followed where the compiler decides them.
    contradiction() tells of pins that cannot all be.

    It is the least fixpoint: all sets start empty and grow until nothing changes.
    """

    def __init__(
        self, kconfig: Kconfig, macros: Mapping[str, str], pins: Mapping[str, str]
    ) -> None:
        self._kconfig = kconfig
        self.macros = macros
        self._type = {n: kconfig.type(n) for n in list(kconfig.definitions)}
        self._sets = dict.fromkeys(self._type, 0)
        self._sets.update({n: _SET[v] for n, v in pins.items() if n in self._sets})
        self._texts: dict[str, frozenset[str] | None] = {}
        self._pins = {n: v for n, v in pins.items() if n in self._sets}
        self._settle(set(pins))

    def values(self, name: str) -> set[str]:
        """Of "n", "m", "y"; {"n"} for a symbol that the tree does not define."""
        return _letters(self._sets.get(name, _N))

    def visible(self, name: str) -> bool:
        """Whether any configuration shows a prompt of the symbol."""
        return any(
            self._prompt(d, p) & ~_N
            for d in self._kconfig.definitions.get(name, ())
            for p in d.prompts
        )

    def pinned(self, more: Mapping[str, str]) -> Reach:
        """The same with more symbols fixed."""
        return Reach(self._kconfig, self.macros, {**self._pins, **more})

    def contradiction(self) -> str | None:
        """A pinned symbol that cannot have its value, the others being as they are."""
        return next(
            (n for n in self._pins if not self._sets[n] & self._calculate(n)), None
        )

    # -- The fixpoint -------------------------------------------------------------

    def _settle(self, pinned: set[str]) -> None:
        users = self._kconfig.users
        names = [
            n
            for n, kind in self._type.items()
            if kind in ("bool", "tristate", "") and n not in pinned
        ]
        todo, waiting = deque(names), set(names)
        while True:
            while todo:
                name = todo.popleft()
                waiting.discard(name)
                before = self._sets[name]
                full = _N | _Y if self._type[name] == "bool" else _ALL
                if before == full:
                    continue
                now = before | self._calculate(name)
                if now != before:
                    self._sets[name] = now
                    more = users[name] - waiting - pinned
                    waiting |= more
                    todo.extend(more)
            # A circle in which each waits for the others: anything goes.
            stuck = [n for n in names if not self._sets[n]]
            if not stuck:
                return
            self._sets[stuck[0]] = _ALL
            todo = deque(users[stuck[0]] - pinned)
            waiting = set(todo)

    def _calculate(self, name: str) -> int:
        found = 0
        group = self._kconfig.definitions[name]
        for d in group:
            for prompt in d.prompts:
                found |= _UP_TO[self._prompt(d, prompt)]
        found |= self._default(group)
        for d, condition in self._kconfig.impliers.get(name, ()):
            found |= self._pull(d, condition) & ~_N
        forced = _N
        for d, condition, _ in self._kconfig.selectors.get(name, ()):
            forced = _JOIN[forced][self._pull(d, condition)]
        result = _JOIN[found][forced]
        if result & _M:
            if self._type[name] == "bool":
                result = result & ~_M | _Y
            elif self._sets.get("MODULES", _N) & _N:
                result |= _Y  # without modules a tristate is a bool
        return result

    def _pull(self, d: Definition, condition: Expr) -> int:
        """What a select or imply in `d` asks of its target."""
        value = self._sets[d.name]
        if value == _N or not value:
            return value
        value = _MEET[value][self.evaluate(condition)]
        return _MEET[value][self._all(d.conditions())]

    def _default(self, group: list[Definition]) -> int:
        found = 0
        for d in group:
            depends = self._all(d.conditions())
            for value, condition in d.defaults:
                when = _MEET[depends][self.evaluate(condition)]
                if not when:
                    return found
                if when != _N:
                    values = _M if value == _MODULE else self.evaluate(value)
                    found |= _MEET[values][when & ~_N]
                if not when & _N:
                    return found
        return found | _N

    def _prompt(self, d: Definition, condition: Expr) -> int:
        return self._all([*d.conditions(), *d.visibilities(), condition])

    def _all(self, exprs: Iterable[Expr]) -> int:
        result = _Y
        for expr in exprs:
            result = _MEET[result][self.evaluate(expr)]
            if result == _N:
                break
        return result

    # -- Expressions --------------------------------------------------------------

    def evaluate(self, expr: Expr) -> int:
        """The set of values that a condition can have.

        conf takes an m in conditions for m && MODULES.
        """
        kind = expr[0]
        if kind == "sym":
            return self._sets.get(expr[1], _N)
        if kind == "const":
            if expr[1] == "m":
                return _MEET[_M][self._sets.get("MODULES", _N)]
            return _SET.get(expr[1], _N)
        if kind == "and":
            left = self.evaluate(expr[1])
            return left if left == _N else _MEET[left][self.evaluate(expr[2])]
        if kind == "or":
            return _JOIN[self.evaluate(expr[1])][self.evaluate(expr[2])]
        if kind == "not":
            return _NOT[self.evaluate(expr[1])]
        if kind == "macro":
            return _SET.get(self.macros[expr[1]], _N)
        lefts, rights = self._operand(expr[1]), self._operand(expr[2])
        if lefts is None or rights is None:
            return _N | _Y
        result = 0
        for a in lefts:
            for b in rights:
                result |= _Y if compare(kind, a, b) else _N
        return result

    def _operand(self, expr: Expr) -> Iterable[str] | None:
        """Possible texts of one side of a comparison; None for any."""
        if expr[0] in ("const", "macro"):
            return {expr[1] if expr[0] == "const" else self.macros[expr[1]]}
        if expr[0] == "sym" and self._type.get(expr[1]) in ("int", "hex", "string"):
            return self._text(expr[1])
        # also a whole condition: "depends on A if B && C" compares that with n
        return _letters(self.evaluate(expr))

    def _text(self, name: str) -> frozenset[str] | None:
        """Values of a number or string that only constants and macros make up."""
        if name in self._texts:
            return self._texts[name]
        self._texts[name] = None  # for one that refers to itself
        found: set[str] = set()
        for d in self._kconfig.definitions[name]:
            if d.prompts:
                return None
            for value, condition in d.defaults:
                texts = self._operand(value)
                if texts is None or _symbols(condition) - _TOOLS:
                    return None
                when = self.evaluate(condition)
                if when != _N:
                    found.update(texts)
                if not when & _N:
                    self._texts[name] = frozenset(found)
                    return self._texts[name]
        return None


#: Symbols that tell which compiler and linker are used.
_TOOLS = {"CC_IS_GCC", "CC_IS_CLANG", "LD_IS_BFD", "LD_IS_LLD"}


def compare(operator: str, left: str, right: str) -> bool:
    """As conf compares: as numbers if both are, n < m < y, else as text.

    Text has no order here: no kernel makes use of it.
    """
    try:
        a, b = (
            _ORDER[text] if text in _ORDER else int(text, 0) for text in (left, right)
        )
    except ValueError:
        return (left == right) == (operator == "=") and operator in ("=", "!=")
    table = {"=": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b}
    return table.get(operator, a >= b)


_ORDER = {"m": 1, "y": 2, "n": 0}


def _symbols(*exprs: Expr) -> set[str]:
    """The names that expressions refer to."""
    found = set()
    todo = list(exprs)
    while todo:
        expr = todo.pop()
        if expr[0] == "sym":
            found.add(expr[1])
        else:
            todo.extend(part for part in expr[1:] if isinstance(part, tuple))
    return found
