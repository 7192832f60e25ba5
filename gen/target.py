# SPDX-License-Identifier: GPL-2.0-only
"""What a kernel is built from and for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gen.entries import SRCARCH, Compiler, Entry
from gen.errors import UserError
from gen.settings import number
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.versions import Version, release_version

#: The symbol that tells x86_64 from i386
WIDE = "64BIT"
#: What looks up a symbol's plain value in a configuration
Values = Callable[[str], str | None]


@dataclass(frozen=True)
class Target:
    """A kernel version, an architecture and a compiler."""

    version: Version
    architecture: str
    compiler: Compiler

    def suits(self, entry: Entry) -> bool:
        """The entry speaks of this target at all, by its own account."""
        return all(self.nearness(entry))

    def nearness(self, entry: Entry) -> tuple[bool, bool, bool]:
        """Whether architecture, version and compiler suit, in order of weight."""
        return (
            entry.concerns(self.architecture),
            entry.exists_in(self.version) or self.version in entry.always_on,
            self.has_compiler(entry),
        )

    def has_compiler(self, entry: Entry) -> bool:
        conditions = entry.compilers
        return not conditions or any(self.compiler.meets(c) for c in conditions)


def target_of(tree: Tree, model: Model) -> Target:
    """Version, architecture and compiler, as the tree itself sees them."""
    found = compiler_of(model.value)
    if found is None:
        raise UserError(
            f"{tree.source}: cannot tell which compiler {tree.env.get('CC')!r} is; "
            "trees before 4.18 are not supported"
        )
    version = release_version(tree.version)
    return Target(version, architecture_of(tree.srcarch, model.value), found)


def architecture_of(arch: str, value: Values) -> str:
    """The name in SRCARCH for what the kernel's make calls ARCH or SRCARCH."""
    if SRCARCH.get(arch, arch) == "x86":
        return "x86_64" if value(WIDE) == "y" else "i386"
    return arch


def compiler_of(value: Values) -> Compiler | None:
    """From *_VERSION (since 4.18), which hold 120200 for 12.2.0; None before."""
    for name, symbol in (("gcc", "GCC_VERSION"), ("clang", "CLANG_VERSION")):
        packed = number(value(symbol) or "") or 0
        if packed:
            version = (packed // 10000, packed // 100 % 100, packed % 100)
            return Compiler(name, version)
    return None
