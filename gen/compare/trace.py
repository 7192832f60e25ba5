# SPDX-License-Identifier: GPL-2.0-only
"""Follows a difference between two configs down to what somebody has set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gen.compare.kernelconfig import KernelConfig
from gen.tree.model import Clause, Model
from gen.versions import release_version

_DEPTH = 6  # symbols on the way down


@dataclass(frozen=True)
class Step:
    """`where` is file:line in the tree, empty if no line there is to blame."""

    text: str
    where: str = ""

    def __str__(self) -> str:
        return self.text + (f" ({self.where})" if self.where else "")


class Trace:
    """Why `lacking` does not have the values that `having` has.

    What stands in a symbol's way is found with the rules of the model's tree, which is
    `release`; of that, what is the same in both configs is told but not followed.
    """

    def __init__(
        self,
        model: Model,
        release: str,
        lacking: KernelConfig,
        having: KernelConfig,
        when: str,
    ) -> None:
        """`when` is how people are told which of the two `lacking` is."""
        self._model = model
        self._release = release
        self._lacking = lacking
        self._having = having
        self._when = when
        self._seen: set[str] = set()

    def follow(self, name: str, wanted: str) -> Iterator[Step]:
        """From a symbol down; loads `lacking` into the model, which keeps it."""
        self._model.load(self._lacking.text)
        yield from self._follow(name, wanted, _DEPTH)

    def _follow(self, name: str, wanted: str, depth: int) -> Iterator[Step]:
        if name in self._seen or not depth:
            return
        self._seen.add(name)
        if self._model.value(name) != self._value(name, self._lacking):
            yield self._other_rules(name)
            return
        clauses = self._model.unmet(name, wanted) or self._selects(name)
        if not clauses:
            yield self._choice(name)
        found = [(c, [f for f in c.failing if self._differs(f)]) for c in clauses]
        if any(blamed for _, blamed in found):
            found = [(clause, blamed) for clause, blamed in found if blamed]
        for clause, blamed in found:
            yield Step(self._told(clause, blamed), str(clause.place))
            if clause.kind == "choice":
                continue  # its members say no more of each other
            for other in blamed:
                value = self._value(other, self._having)
                yield from self._follow(other, value, depth - 1)

    def _value(self, name: str, config: KernelConfig) -> str:
        """As written; conf writes no line for what is out of reach."""
        off = "n" if self._model.type(name) in ("bool", "tristate") else ""
        return config.values.get(name, off)

    def _differs(self, name: str) -> bool:
        return self._value(name, self._lacking) != self._value(name, self._having)

    def _selects(self, name: str) -> list[Clause]:
        """What holds a symbol without a prompt in the config that has it."""
        if self._model.has_prompt(name):
            return []
        self._model.load(self._having.text)
        clauses = self._model.unmet(name, self._value(name, self._lacking))
        self._model.load(self._lacking.text)
        return clauses

    def _told(self, clause: Clause, blamed: list[str]) -> str:
        names = blamed or clause.failing
        text = f"{clause.kind} {', '.join(names)}".strip()
        if clause.toolchain:
            here, there = self._lacking.target.compiler, self._having.target.compiler
            compilers = f"; {self._when} it was {here}, otherwise {there}"
            text += f": the toolchain at hand fails {clause.toolchain}"
            return text + (compilers if here != there else "")
        values = ", ".join(
            f"{n}={_shown(self._value(n, self._lacking))}" for n in names
        )
        return (
            f"{text}; {self._when if blamed else 'in both'}, {values}"
            if names
            else text
        )

    def _other_rules(self, name: str) -> Step:
        """The config is not what the tree at hand would make of it."""
        if self._lacking.target.version != release_version(self._release):
            return Step(
                f"{self._lacking.release} has other rules for {name} than "
                f"{self._release}, the tree at hand"
            )
        compiler = self._lacking.target.compiler
        return Step(
            f"{name} differs with the toolchain; {self._when} it was {compiler}"
        )

    def _choice(self, name: str) -> Step:
        value = _shown(self._model.value(name))
        default = _shown(self._model.default(name))
        if not self._model.has_prompt(name):
            return Step(f"{name} has no prompt, only other symbols set it")
        if value == default:
            return Step(f"{self._when}, {name}={default} by default")
        return Step(
            f"{self._when}, {name}={value} was chosen; "
            f"{self._release} has {default} by default"
        )


def _shown(value: str | None) -> str:
    return value or '""'
