# SPDX-License-Identifier: GPL-2.0-only
"""What to do about a test that a compiler or another tool did not pass.

The tests are recognised by how they are written in the Kconfig files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gen.entries import Compiler
from gen.tree.kbuild import Tree


@dataclass(frozen=True)
class Toolchain:
    """`triplet` is that of a cross compiler, "aarch64-linux-gnu"; else empty."""

    compiler: Compiler
    triplet: str

    @property
    def plugin_package(self) -> str:
        """Debian's package of the headers that GCC plugins are compiled with."""
        words = ["gcc", str(self.compiler.version[0]), "plugin-dev", self.triplet]
        return "-".join(filter(None, words))


def toolchain_of(tree: Tree, compiler: Compiler) -> Toolchain:
    """What a tree is opened with."""
    prefix = Path(tree.env.get("CROSS_COMPILE", "")).name
    return Toolchain(compiler, prefix.removesuffix("-"))


#: A test as it is written -> what would pass it.  The first match counts.
_NEEDS = tuple(
    (re.compile(test), advice)
    for test, advice in (
        (r"-name\)\" = GCC", "build with gcc"),
        (r"\(cc-name\)\" = Clang", "build with clang: LLVM=1"),
        (r"\(ld-name\)\" = LLD", "link with ld.lld: LLVM=1"),
        (r"\(ld-name\)\" = BFD", "link with GNU ld"),
        (r"\(as-name\)\" = LLVM", "assemble with clang: LLVM=1"),
        (r"\(as-name\)\" = GNU", "assemble with GNU as"),
        (r"\$\((NM|AR)\) --help.* llvm", "use the tools of LLVM: LLVM=1"),
        (r"\$\(OBJCOPY\) .*-qv llvm", "use GNU objcopy"),
        (r"rust_is_available", "`make rustavailable` tells what is missing"),
        (r"pahole|PAHOLE", "install pahole"),
        (r"^\$\((cc|as)-option,-fsanitize=kcfi\)", "clang >= 16 passes it"),
        (r"-frandomize-layout-seed-file", "clang >= 16 passes it"),
        (r"-ftrivial-auto-var-init=\w+\)", "gcc >= 12 and clang >= 16 pass it"),
        (r"-fzero-call-used-regs", "gcc >= 11 and clang >= 15 pass it"),
        (r"-fstrict-flex-arrays", "gcc >= 13 and clang >= 16 pass it"),
        (r"-mharden-sls=all", "gcc >= 12 and clang >= 15 pass it"),
        (r"-fcf-protection=branch", "gcc >= 9 and clang >= 14 pass it"),
        (r"-fsanitize=bounds-strict", "only gcc passes it"),
        (
            r"-fsanitize=(array-bounds|local-bounds|kernel-memory)",
            "only clang passes it",
        ),
        (r"-fsanitize=(implicit-|unsigned-integer)", "only clang passes it"),
    )
)

#: Macro -> what the number that it gives is the version of
_VERSIONS = (
    ("$(cc-version)", "the compiler", 100),
    ("$(ld-version)", "the linker", 100),
    ("$(as-version)", "the assembler", 100),
    ("rustc-version)", "rustc", 1000),
    ("rustc-llvm-version)", "rustc's LLVM", 100),
)
_VARIABLE = re.compile(r'"?\$\((\w+)\)"?')
_COMPILER = re.compile(r"\(cc-|\(as-|\$\(CC\)")
_PAHOLE = re.compile("pahole", re.I)
_NUMBER = re.compile(r"\d+")


def advice(test: str, toolchain: Toolchain) -> str:
    """What the failed test means here, and what would help where that is known."""
    variable = _VARIABLE.fullmatch(test)
    if variable:
        return f"{variable[1]} on make's command line decides that"
    hints = []
    if "plugin-version.h" in test:
        if toolchain.compiler.name == "gcc":
            hints.append(f"install {toolchain.plugin_package}")
        else:
            hints.append("build with gcc and its plugin headers")
    hints += [help_ for pattern, help_ in _NEEDS if pattern.search(test)][:1]
    about_compiler = _COMPILER.search(test) is not None
    fails = f"fails with {toolchain.compiler}" if about_compiler else "fails here"
    return "; ".join([fails, *hints])


def version_advice(tool: str, wanted: str, value: str) -> str:
    """What a comparison of a tool's version, packed into one number, asks for."""
    for macro, what, step in _VERSIONS:
        if macro in tool:
            version = _unpacked(value, step)
            return f"needs {what} {_unpacked(wanted, step)}; it is {version}"
    if _PAHOLE.search(tool):
        version = _unpacked_pahole(value) if value != "0" else "not installed"
        return f"needs pahole {_unpacked_pahole(wanted)}; it is {version}"
    return f"{tool} gives {value}, and {wanted} is needed"


def _unpacked(text: str, step: int) -> str:
    """ ">= 130000" -> ">= 13.0.0"."""

    def version(match: re.Match[str]) -> str:
        number = int(match[0])
        parts = number // (step * 100), number // 100 % step, number % 100
        return ".".join(map(str, parts))

    return _NUMBER.sub(version, text)


def _unpacked_pahole(text: str) -> str:
    """ ">= 122" -> ">= 1.22"."""
    return _NUMBER.sub(lambda m: f"{int(m[0]) // 100}.{int(m[0]) % 100}", text)
