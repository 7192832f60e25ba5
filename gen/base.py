# SPDX-License-Identifier: GPL-2.0-only
"""The config that a job starts from: one given, the tree's own, or the defconfig."""

from __future__ import annotations

from pathlib import Path

from gen import dotconfig
from gen.errors import UserError
from gen.tree.kbuild import Tree


def base_of(tree: Tree, given: Path | None) -> tuple[str, str]:
    """The text to start from, and the name of its file for messages.

    UserError if the file cannot be read, has a line that is no setting, or if there
    is none.
    """
    text, source = _read(tree, given)
    dotconfig.parse(text, source)
    return text, source


def _read(tree: Tree, given: Path | None) -> tuple[str, str]:
    if given:
        return dotconfig.read_text(given), str(given)
    if tree.config.exists():
        return dotconfig.read_text(tree.config), str(tree.config)
    if tree.defconfig:
        name = tree.defconfig.relative_to(tree.source)
        return dotconfig.read_text(tree.defconfig), str(name)
    raise UserError(
        f"{tree.source}: ARCH={tree.arch} has no defconfig file; "
        "make a .config first, or name one (BASE=, --config)"
    )
