# SPDX-License-Identifier: GPL-2.0-only
"""A .config of any kernel, by its own account: which kernel it is for, and its values.

conf writes version and architecture into the third line ("# Linux/x86 6.1.190 Kernel
Configuration") and the compiler into symbols (since 4.18), so a config can be judged
without the tree that it was made with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.base import HEADER
from gen.entries import SRCARCH, Compiler
from gen.errors import UserError
from gen.target import Target, architecture_of, compiler_of
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.versions import release_version

_UNKNOWN = Compiler("an unknown compiler")


@dataclass(frozen=True)
class KernelConfig:
    """`file` is its name for messages, `release` as the header has it, `values` are
    plain values as dotconfig.parse() gives them.  `header` is false where the text
    had none, and the tree at hand had to complete it."""

    file: str
    release: str
    target: Target
    values: Mapping[str, str]
    text: str
    header: bool = True


def read_for(tree: Tree, model: Model, file: Path) -> KernelConfig:
    """The config in a file, if it is for the architecture of the tree.

    One without a header, a defconfig say, is completed by the tree's rules; the model
    is loaded with it then.  UserError if it is for another architecture or no config.
    """
    text = dotconfig.read_text(file)
    whole = bool(HEADER.search(text))
    if not whole:
        dotconfig.parse(text, str(file))
        model.load(text)
        text = model.text()
    config = by_own_account(text, str(file), whole)
    architecture = config.target.architecture
    if SRCARCH.get(architecture, architecture) != tree.srcarch:
        raise UserError(
            f"{file} is for {architecture}, the tree is opened for {tree.arch}; "
            f"add --make ARCH={architecture}, and --make CROSS_COMPILE= if this "
            "machine is of another architecture"
        )
    return config


def by_own_account(text: str, file: str, header: bool = True) -> KernelConfig:
    """UserError if the text has no header or a line that is no setting."""
    match = HEADER.search(text)
    if not match:
        raise UserError(
            f"{file}: no line '# Linux/x86 6.12.1 Kernel Configuration' says what "
            "kernel it is for; give a whole .config as the kernel's make writes it"
        )
    values = dotconfig.parse(text, file)
    try:
        version = release_version(match[2])
    except ValueError as error:
        raise UserError(f"{file}: {error}; mend its third line") from error
    target = Target(
        version,
        architecture_of(match[1], values.get),
        compiler_of(values.get) or _UNKNOWN,
    )
    return KernelConfig(file, match[2], target, values, text, header)
