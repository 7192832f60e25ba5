# SPDX-License-Identifier: GPL-2.0-only
"""The architectures, and the compiler that each needs on this machine."""

from __future__ import annotations

import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Architecture:
    """An architecture as ARCH= names it."""

    machines: tuple[str, ...]  # on which the native compiler will do, as `uname -m`
    prefix: str  # CROSS_COMPILE= for other machines
    package: str  # Debian's, with that compiler


_X86 = ("x86_64-linux-gnu-", "gcc-x86-64-linux-gnu")

ARCHITECTURES = {
    "x86_64": Architecture(("x86_64",), *_X86),
    "i386": Architecture(("x86_64", "i686"), *_X86),
    "arm64": Architecture(("aarch64",), "aarch64-linux-gnu-", "gcc-aarch64-linux-gnu"),
    "arm": Architecture(("armv7l",), "arm-linux-gnueabihf-", "gcc-arm-linux-gnueabihf"),
    "riscv": Architecture(("riscv64",), "riscv64-linux-gnu-", "gcc-riscv64-linux-gnu"),
    "powerpc": Architecture(
        ("ppc64le",), "powerpc64le-linux-gnu-", "gcc-powerpc64le-linux-gnu"
    ),
    "s390": Architecture(("s390x",), "s390x-linux-gnu-", "gcc-s390x-linux-gnu"),
}


def cross_compile(arch: str) -> str:
    """The CROSS_COMPILE= for an architecture; empty where none is needed or known."""
    known = ARCHITECTURES.get(arch)
    if known is None or platform.machine() in known.machines:
        return ""
    return known.prefix
