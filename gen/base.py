# SPDX-License-Identifier: GPL-2.0-only
"""What a job starts from: the tree and the catalogue, and a config."""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gen import dotconfig
from gen.catalogue import read_catalogue
from gen.entries import SRCARCH, Entry
from gen.errors import UserError
from gen.tree.kbuild import Tree, open_tree

#: The line of a .config that names architecture and version
HEADER = re.compile(r"^# Linux/(\w+) (\S+) Kernel Configuration$", re.M)


def opened(
    kdir: Path, variables: Mapping[str, str], catalogue: Path
) -> tuple[Tree, list[Entry]]:
    """The tree and the entries of the catalogue; UserError as from either."""
    with ThreadPoolExecutor(1) as pool:
        # The kernel's make and docutils have nothing to wait for in each other.
        opening = pool.submit(open_tree, kdir, variables)
        entries = read_catalogue(catalogue)
        return opening.result(), entries


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


def foreign(text: str, source: str, tree: Tree) -> list[str]:
    """A warning if a config says that it is for another architecture than the tree."""
    header = HEADER.search(text)
    if not header or SRCARCH.get(header[1], header[1]) == tree.srcarch:
        return []
    return [
        f"{source} is for {header[1]}, the tree is opened for {tree.arch}: what is not "
        f"there is lost; ARCH={header[1]} opens it for the config's"
    ]
