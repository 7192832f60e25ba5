# SPDX-License-Identifier: GPL-2.0-only
"""Configs that nobody would write, made from a tree's own symbols and a seed.

Each kind aims at rules of conf that ordinary configs hardly touch. The same tree and
seed give the same text on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from gen.tree.model import Model

_VALUES = {
    "bool": ("y", "y", "n", "m"),
    "tristate": ("y", "m", "n"),
    "int": ("0", "1", "-1", "7", "64", "100000", "99999999999999999999", "010"),
    "hex": ("0x0", "0x10", "ffff", "0XfF", "0xffffffff81000000", "0xZ", "-0x1"),
    "string": ('"a b"', '""', r'"q\"x\\"', "bare", '"a"b"'),
}
_GARBAGE = (
    "CONFIG_{}=",
    "CONFIG_{}= y",
    "CONFIG_{}=y ",
    "CONFIG_{}=yes",
    "CONFIG_{}=Y",
    "CONFIG_{}=2",
    "CONFIG_{}==y",
    'CONFIG_{}="y"',
    'CONFIG_{}="open',
    "CONFIG_{}=0x",
    "CONFIG_{}=+5",
    "CONFIG_{}=1_000",
    "CONFIG_{}=\t1",
    "CONFIG_{}=m\r",
    "CONFIG_{}=\udce9",  # Latin-1
    "CONFIG_{} = y",
    "CONFIG_{}",
    " CONFIG_{}=y",
    "config_{}=y",
    "CONFIG_{}_THAT_IS_NOT=y",
    "# CONFIG_{} is not set ",
    "# CONFIG_{} is not set yet",
    "# CONFIG_{} is not  set",
    "#CONFIG_{} is not set",
    "# CONFIG_{}=y",
)


class Mutants:
    """The random configs of one tree."""

    def __init__(self, model: Model, bases: Sequence[str]) -> None:
        """bases are .config texts to start from, of which some kinds change a part.

        Leaves the model with another configuration.
        """
        self._model = model
        self._all_yes = model.all_config("allyes")
        self._bases = [*bases, self._all_yes]
        self._names = model.names()
        self._types = {name: model.type(name) or "" for name in self._names}
        self._members = [name for name in self._names if model.in_choice(name)]
        # Bounds as they are where most of the tree is visible
        self._bounds = {
            name: model.range(name) or (0, 2**31)
            for name in self._names
            if self._types[name] in ("int", "hex")
        }

    def make(self, seed: int) -> tuple[str, str]:
        """The name of the config with this seed, and its text."""
        rng = Random(seed)
        kind = _KINDS[seed % len(_KINDS)]
        name = f"random-{seed}-{kind.__name__.strip('_')}"
        end = rng.choice(("\n", ""))
        return name, "\n".join(kind(self, rng)) + end

    def _line(self, rng: Random, name: str) -> str:
        return _line(name, rng.choice(_VALUES.get(self._types[name], ("y",))))

    def _base(self, rng: Random) -> list[str]:
        return rng.choice(self._bases).splitlines()

    # -- The kinds ----------------------------------------------------------------

    def _sparse(self, rng: Random) -> list[str]:
        """A few settings and nothing else."""
        count = rng.choice((3, 30, 300))
        return [self._line(rng, name) for name in rng.choices(self._names, k=count)]

    def _dense(self, rng: Random) -> list[str]:
        """Most symbols, each with some value, in no order."""
        names = rng.sample(self._names, len(self._names) * 3 // 4)
        return [self._line(rng, name) for name in names]

    def _mutated(self, rng: Random) -> list[str]:
        """A base with lines taken out, and others put in at random places."""
        lines = self._base(rng)
        count = rng.choice((3, 30, 1000))
        for _ in range(min(count, len(lines) // 2)):
            del lines[rng.randrange(len(lines))]
        for name in rng.choices(self._names, k=count):
            lines.insert(rng.randrange(len(lines) + 1), self._line(rng, name))
        return lines

    def _choices(self, rng: Random) -> list[str]:
        """A base, and then members of choices, several y in one choice included."""
        lines = self._base(rng)
        count = rng.randint(len(self._members) // 4, len(self._members))
        for name in rng.sample(self._members, count):
            lines.append(_line(name, rng.choice(("y", "y", "n", "m"))))
        return lines

    def _numbers(self, rng: Random) -> list[str]:
        """Nearly all switched on, and numbers at, near and far out of their bounds."""
        lines = self._all_yes.splitlines()
        for name, (low, high) in self._bounds.items():
            near = (low, high, low - 1, high + 1, (low + high) // 2, low + 1)
            far = (-1, 0, 1, 2**31, 2**32, 2**63, 2**64, 10**20)
            number = rng.choice(rng.choice((near, far)))
            text = str(number)
            if self._types[name] == "hex":
                text = rng.choice(("{:x}", "0x{:x}", "0X{:X}")).format(number)
            lines.append(f"CONFIG_{name}={text}")
        return lines

    def _garbage(self, rng: Random) -> list[str]:
        """A base with lines that are no settings, or have no value of the type."""
        lines = self._base(rng)
        for name in rng.choices(self._names, k=300):
            line = rng.choice(_GARBAGE).format(name)
            lines.insert(rng.randrange(len(lines) + 1), line)
        return lines


_KINDS: tuple[Callable[[Mutants, Random], list[str]], ...] = (
    Mutants._sparse,
    Mutants._dense,
    Mutants._mutated,
    Mutants._choices,
    Mutants._numbers,
    Mutants._garbage,
)


def _line(name: str, value: str) -> str:
    if value == "n":
        return f"# CONFIG_{name} is not set"
    return f"CONFIG_{name}={value}"
