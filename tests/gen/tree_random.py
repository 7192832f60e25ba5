# SPDX-License-Identifier: GPL-2.0-only
"""Random Kconfig files, to find differences that no real tree shows.

A symbol refers only to symbols defined before it, and selects only later ones, so
there are no dependency loops, which conf refuses.
"""

from __future__ import annotations

from random import Random

_TYPES = ("bool", "bool", "tristate", "tristate", "int", "hex", "string")
_VALUES = {
    "bool": ("y", "n"),
    "tristate": ("y", "m", "n"),
    "int": ("0", "5", "42", "-3", "100", "010"),
    "hex": ("0x0", "0xff", "1F", "0x1000"),
    "string": ('"5"', '"abc"', '""'),
}


class RandomKconfig:
    """The text of a Kconfig file and the types of its symbols."""

    def __init__(self, rng: Random, kernel: str, size: int = 14) -> None:
        self._rng = rng
        self._has_new_syntax = kernel.startswith("7")
        self._tristate_choice = kernel.startswith("6.1-")
        self.types: dict[str, str] = {}
        self._kinds = [rng.choice(_TYPES) for _ in range(size)]
        self.text = 'mainmenu "random"\nconfig MODULES\n\tbool "modules"\n\tmodules\n'
        number = 0
        while number < size:
            number = self._block(number, min(size, number + rng.randint(1, 4)))

    def config(self) -> str:
        """A random .config, with values that do not suit now and then."""
        lines = ["CONFIG_MODULES=y\n"] if self._chance(70) else []
        for name in self._rng.sample(list(self.types), len(self.types)):
            if self._chance(40):
                continue
            value = self._rng.choice(_VALUES[self.types[name]])
            unset = value == "n"
            lines.append(
                f"# CONFIG_{name} is not set\n" if unset else f"CONFIG_{name}={value}\n"
            )
        return "".join(lines)

    def _chance(self, percent: int) -> bool:
        return self._rng.randrange(100) < percent

    def _block(self, start: int, end: int) -> int:
        kind = self._rng.choice(("plain", "plain", "if", "menu", "choice"))
        if kind == "choice":
            return self._choice(start, end)
        if kind == "if":
            self.text += f"if {self._expr()}\n"
        if kind == "menu":
            self.text += 'menu "menu"\n'
            if self._chance(40):
                self.text += f"\tvisible if {self._expr()}\n"
            if self._chance(40):
                self.text += f"\tdepends on {self._expr()}\n"
        for number in range(start, end):
            self._symbol(number)
        if kind != "plain":
            self.text += f"end{kind}\n"
        return end

    def _choice(self, start: int, end: int) -> int:
        kind = "bool"
        if self._tristate_choice:
            kind = self._rng.choice(("bool", "tristate"))
        condition = f" if {self._expr()}" if self._chance(30) else ""
        prompt = f'{kind} "choice"' if self._tristate_choice else 'prompt "choice"'
        self.text += f"choice\n\t{prompt}{condition}\n"
        if self._tristate_choice and self._chance(30):
            self.text += "\toptional\n"
        if self._chance(30):
            self.text += f"\tdepends on {self._expr()}\n"
        if self._chance(50):
            default = f"S{self._rng.randrange(start, end)}"
            self.text += f"\tdefault {default} if {self._expr()}\n"
        for number in range(start, end):
            self._kinds[number] = kind
            self.text += f'config S{number}\n\t{kind} "member"\n'
            if self._chance(40):
                self.text += f"\tdepends on {self._expr()}\n"
        self.text += "endchoice\n"
        for number in range(start, end):
            self.types[f"S{number}"] = kind
        return end

    def _symbol(self, number: int) -> None:
        name, kind = f"S{number}", self._kinds[number]
        self.text += f"config {name}\n"
        if self._has_new_syntax and self._chance(10):
            self.text += f"\t{kind}\n\ttransitional\n"
            self.types[name] = kind
            return
        condition = f" if {self._expr()}" if self._chance(20) else ""
        prompt = f' "prompt"{condition}' if self._chance(70) else ""
        self.text += f"\t{kind}{prompt}\n"
        for _ in range(self._rng.randrange(2)):
            condition = ""
            if self._has_new_syntax and self._chance(40):
                condition = f" if {self._expr()}"
            self.text += f"\tdepends on {self._expr()}{condition}\n"
        for _ in range(self._rng.randrange(3)):
            self.text += f"\tdefault {self._default(kind)} if {self._expr()}\n"
        if kind in ("bool", "tristate"):
            self._selects(number)
        if kind in ("int", "hex") and self._chance(50):
            low, high = ("1", self._bound("50")) if kind == "int" else ("0x2", "0x0F0")
            self.text += f"\trange {low} {high} if {self._expr()}\n"
        self.types[name] = kind

    def _selects(self, number: int) -> None:
        later = range(number + 1, len(self._kinds))
        targets = [n for n in later if self._kinds[n] in ("bool", "tristate")]
        for statement in ("select", "imply"):
            if targets and self._chance(30):
                target = self._rng.choice(targets)
                self.text += f"\t{statement} S{target} if {self._expr()}\n"

    def _bound(self, otherwise: str) -> str:
        numbers = [name for name, kind in self.types.items() if kind == "int"]
        return self._rng.choice(numbers) if numbers and self._chance(60) else otherwise

    def _default(self, kind: str) -> str:
        if kind in ("bool", "tristate"):
            return self._expr()
        same = [name for name, other in self.types.items() if other == kind]
        if same and self._chance(50):
            return self._rng.choice(same)
        return self._rng.choice(_VALUES[kind])

    def _expr(self, depth: int = 2) -> str:
        roll = self._rng.randrange(100)
        if depth and roll < 25:
            operator = self._rng.choice(("&&", "||"))
            return f"({self._expr(depth - 1)} {operator} {self._expr(depth - 1)})"
        if depth and roll < 35:
            return f"!{self._expr(depth - 1)}"
        if not self.types or roll > 94:
            return self._rng.choice("ymn")
        name = self._rng.choice(list(self.types))
        kind = self.types[name]
        if kind in ("bool", "tristate"):
            if roll < 80:
                return name
            return f"{name} {self._rng.choice(('= y', '!= n', '= n', '= m'))}"
        other = self._rng.choice(list(self.types))
        if self.types[other] in ("bool", "tristate") or self._chance(50):
            other = self._rng.choice(_VALUES[kind])
        operator = self._rng.choice(("=", "!=", "<", "<=", ">", ">="))
        return f"{name} {operator} {other}"
