# SPDX-License-Identifier: GPL-2.0-only
"""Random Kconfig files, to find differences that no real tree shows.

A symbol refers only to symbols above it and selects only those below, so there are
few dependency loops, which conf refuses. Left out is `!= y` on a bool, for which conf
from 6.12.117 on reads memory that it must not (see gen/tree/expr.py).
"""

from __future__ import annotations

from random import Random

_TYPES = ("bool", "bool", "bool", "tristate", "tristate", "int", "hex", "string")
_VALUES = {
    "bool": ("y", "n"),
    "tristate": ("y", "m", "n"),
    "int": ("0", "5", "42", "-3", "100", "010"),
    "hex": ("0x0", "0xff", "1F", "0x1000"),
    "string": ('"5"', '"abc"', '""', '"0x1f"', '"m"'),
}
_BOUNDS = {"int": ("1", "50", "-7"), "hex": ("0x2", "0x0F0", "99")}


class RandomKconfig:
    """The text of a Kconfig file and the types of its symbols."""

    def __init__(
        self, rng: Random, kernel: str, size: int = 14, *, loops: bool = False
    ) -> None:
        self._rng = rng
        self._loops = loops  # whether to refer to symbols further down, too
        self._has_new_syntax = kernel.startswith("7")
        self._old = kernel.startswith("6.1-")
        self.types: dict[str, str] = {}
        self._plain: list[str] = []  # not in a choice, not transitional
        self._kinds = [rng.choice(_TYPES) for _ in range(size)]
        self._modules = "MODULES" if self._chance(80) else "LOADABLE"
        modules_last = self._chance(10)
        self.text = 'mainmenu "random"\n'
        if not modules_last:
            self._modules_symbol()
        self._next = 0
        while self._next < size:
            self._block(self._next + rng.randint(1, 5), 0)
        if modules_last:
            self._modules_symbol()

    def config(self) -> str:
        """A random .config, with values that do not suit now and then."""
        lines = [f"CONFIG_{self._modules}=y\n"] if self._chance(70) else []
        for name in self._rng.sample(list(self.types), len(self.types)):
            if self._chance(40):
                continue
            kind = self.types[name]
            value = self._rng.choice(_VALUES["tristate" if kind == "bool" else kind])
            unset = value == "n"
            lines.append(
                f"# CONFIG_{name} is not set\n" if unset else f"CONFIG_{name}={value}\n"
            )
        return "".join(lines)

    def _chance(self, percent: int) -> bool:
        return self._rng.randrange(100) < percent

    def _if(self, percent: int) -> str:
        return f" if {self._expr()}" if self._chance(percent) else ""

    def _line(self, statement: str) -> None:
        self.text += f"\t{statement}\n"

    # -- Blocks -------------------------------------------------------------------

    def _modules_symbol(self) -> None:
        prompt = 'bool "modules"' if self._chance(90) else "def_bool y"
        self.text += f"config {self._modules}\n\t{prompt}\n\tmodules\n"
        if self._plain and self._chance(20):
            self._line(f"depends on {self._rng.choice(self._plain)}")

    def _block(self, end: int, depth: int) -> None:
        """Write the symbols from the next one up to, not including, end."""
        end = min(end, len(self._kinds))
        kind = self._rng.choice(("plain", "plain", "if", "menu", "choice"))
        if kind == "choice":
            self._choice(end)
            return
        if kind == "if":
            self.text += f"if {self._expr()}\n"
        if kind == "menu":
            self.text += 'menu "menu"\n'
            for statement in ("visible if", "depends on"):
                if self._chance(40):
                    self._line(f"{statement} {self._expr()}")
        free = depth == 0 and kind == "plain"
        while self._next < end:
            if depth < 2 and self._chance(25):
                inner = self._rng.randint(self._next + 1, end)
                self._block(inner, depth + 1)
            elif free and self._plain and self._chance(30):
                self._define_again(self._rng.choice(self._plain))
            elif free and self._has_new_syntax and self._chance(15):
                self._transitional()
            else:
                self._symbol()
        if self._chance(10):
            self.text += f'comment "comment"\n\tdepends on {self._expr()}\n'
        if kind != "plain":
            self.text += f"end{kind}\n"

    def _choice(self, end: int) -> None:
        members = range(self._next, end)
        kind = self._rng.choice(("bool", "tristate")) if self._old else "bool"
        typed = self._old and self._chance(60)
        prompt = f'{kind} "choice"' if typed else 'prompt "choice"'
        self.text += f"choice\n\t{prompt}{self._if(30)}\n"
        if self._old and self._chance(30):
            self._line("optional")
        if self._chance(30):
            self._line(f"depends on {self._expr()}")
        for _ in range(self._rng.randrange(3)):
            self._line(f"default S{self._rng.choice(members)}{self._if(60)}")
        inside = self._rng.choice(members) if self._chance(20) else None
        if inside is not None:
            self.text += f"if {self._expr()}\n"
        for number in members:
            self._kinds[number] = kind
            if self._old and self._chance(15):
                self._kinds[number] = self._rng.choice(("bool", "tristate"))
            self._member(number, end, untyped=self._old and inside is None)
            if number == inside:
                self.text += "endif\n"
        self.text += "endchoice\n"
        self.types |= {f"S{number}": self._kinds[number] for number in members}
        self._next = end

    def _member(self, number: int, end: int, *, untyped: bool) -> None:
        self.text += f"config S{number}\n"
        if untyped and self._chance(20):
            self._line(f'prompt "member"{self._if(20)}')
        else:
            self._line(f'{self._kinds[number]} "member"{self._if(20)}')
        if self._chance(40):
            self._line(f"depends on {self._expr()}")
        self._selects(number, range(end, len(self._kinds)))

    # -- Symbols ------------------------------------------------------------------

    def _symbol(self) -> None:
        number = self._next
        self._next += 1
        name, kind = f"S{number}", self._kinds[number]
        if kind in ("bool", "tristate") and self._chance(15):
            self.text += f"config {name}\n\tdef_{kind} {self._expr()}{self._if(50)}\n"
        elif self._chance(70):
            word = "menuconfig" if self._chance(10) else "config"
            self.text += f'{word} {name}\n\t{kind} "prompt"{self._if(20)}\n'
        else:
            self.text += f"config {name}\n\t{kind}\n"
        self._properties(kind)
        self._selects(number, range(self._next, len(self._kinds)))
        self.types[name] = kind
        self._plain.append(name)

    def _transitional(self) -> None:
        name, kind = f"S{self._next}", self._kinds[self._next]
        self._next += 1
        self.text += f"config {name}\n\t{kind}\n\ttransitional\n"
        self.types[name] = kind

    def _define_again(self, name: str) -> None:
        """Another definition of a symbol; conf disregards another type."""
        self._upto = int(name[1:])
        self.text += f"config {name}\n"
        if self._chance(50):
            kind = self._rng.choice(("bool", "tristate")) if self._chance(10) else ""
            self._line(f'{kind or self.types[name]} "again"{self._if(30)}')
        self._properties(self.types[name])
        self._upto = None

    _upto: int | None = None

    def _properties(self, kind: str) -> None:
        for _ in range(self._rng.randrange(3)):
            condition = self._if(40) if self._has_new_syntax else ""
            self._line(f"depends on {self._expr()}{condition}")
        for _ in range(self._rng.randrange(3)):
            self._line(f"default {self._default(kind)}{self._if(70)}")
        if kind in _BOUNDS and self._chance(50):
            low, high = self._bound(kind), self._bound(kind)
            self._line(f"range {low} {high}{self._if(60)}")

    def _selects(self, number: int, later: range) -> None:
        if self._kinds[number] not in ("bool", "tristate"):
            return
        targets = [n for n in later if self._kinds[n] in ("bool", "tristate")]
        for statement in ("select", "imply", "imply"):
            if targets and self._chance(20):
                self._line(f"{statement} S{self._rng.choice(targets)}{self._if(60)}")

    def _above(self) -> list[str]:
        if self._loops and self._chance(4):
            return [f"S{number}" for number in range(len(self._kinds))]
        names = list(self.types)
        if self._upto is not None:
            names = [name for name in names if int(name[1:]) < self._upto]
        return names

    def _kind(self, name: str) -> str:
        return self.types.get(name) or self._kinds[int(name[1:])]

    def _like(self, kind: str) -> list[str]:
        return [name for name in self._above() if self._kind(name) == kind]

    def _bound(self, kind: str) -> str:
        numbers = self._like(kind) if self._chance(40) else []
        return self._rng.choice(numbers or _BOUNDS[kind])

    def _default(self, kind: str) -> str:
        if kind in ("bool", "tristate"):
            return self._expr()
        same = self._like(kind) if self._chance(50) else []
        return self._rng.choice(same or _VALUES[kind])

    # -- Expressions --------------------------------------------------------------

    def _expr(self, depth: int = 2) -> str:
        roll = self._rng.randrange(100)
        if depth and roll < 25:
            operator = self._rng.choice(("&&", "||"))
            return f"({self._expr(depth - 1)} {operator} {self._expr(depth - 1)})"
        if depth and roll < 35:
            return f"!{self._expr(depth - 1)}"
        names = self._above()
        if not names or roll > 92:
            return self._rng.choice(("y", "m", "n", "m", '"y"', self._modules))
        name = self._rng.choice(names)
        kind = self._kind(name)
        if kind in ("bool", "tristate"):
            return name if roll < 75 else f"{name} {self._state(name)}"
        other = self._rng.choice(names)
        if self._kind(other) in ("bool", "tristate") or self._chance(50):
            other = self._rng.choice(_VALUES[kind])
        operator = self._rng.choice(("=", "!=", "<", "<=", ">", ">="))
        return f"{name} {operator} {other}"

    def _state(self, name: str) -> str:
        """The rest of a comparison with a bool or tristate."""
        states = ["= y", "!= n", "= n", "= m", "!= m", "< y", "> n", "<= m"]
        if self.types.get(name) == "tristate":
            states.append("!= y")
        if self._chance(15):
            states = [f"= {other}" for other in self._like(self._kind(name))] or states
        return self._rng.choice(states)
