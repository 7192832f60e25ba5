# SPDX-License-Identifier: GPL-2.0-only
"""Symbols that the tree defines, but not for the architecture in question.

The Kconfig files of a tree are searched for text that looks like a definition, which is
enough to say where a symbol is that a parse for one architecture did not meet.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from gen.tree.kbuild import Tree
from gen.tree.sources import Place

_LINE = re.compile(
    rb"^[ \t]*(?:(?:menu)?config[ \t]+(\w+)|source[ \t]+\"([^\"$]+)\""
    rb"|(?:select|imply)[ \t]+(\w+))",
    re.M,
)
_ARCH = re.compile(r"arch/(\w+)/")
# Folders of a kernel source whose Kconfig files, if any, are of no kernel
_NOT_KERNEL = ("Documentation", "include", "scripts/kconfig", "tools")
_ALIKE = 0.8  # of 1, as difflib measures it
_SUGGESTED = 3


@dataclass
class _Index:
    """The first definition of each symbol, and the files that select it."""

    places: dict[str, Place] = field(default_factory=dict)
    selected_in: dict[str, set[str]] = field(default_factory=dict)


def other_architecture(tree: Tree, name: str) -> Place | None:
    """Where another architecture's Kconfig files define a symbol.

    To be asked for symbols that the model of the tree does not define. The first
    call reads the Kconfig files under arch/ and whatever they source by a fixed
    name; then the answers are known.
    """
    return _architectures(tree.source).places.get(name)


def architecture_of(place: Place) -> str | None:
    """The folder under arch/ that a place is in."""
    match = _ARCH.match(place.file)
    return match[1] if match else None


def selected_elsewhere(tree: Tree, name: str) -> list[str]:
    """The folders under arch/ whose Kconfig files select a symbol."""
    files = _architectures(tree.source).selected_in.get(name, ())
    found = (architecture_of(Place(file, 0)) for file in files)
    return sorted({arch for arch in found if arch and arch != tree.srcarch})


def not_sourced(tree: Tree, name: str) -> Place | None:
    """Where a file of the tree defines a symbol, whether or not anything sources it."""
    return _everything(tree.source).places.get(name)


def alike(name: str, names: Iterable[str]) -> list[str]:
    """Names that someone who wrote this one may have meant, the likeliest first."""
    words = set(name.split("_"))
    parts = {other: set(other.split("_")) for other in names}
    # All others are not worth comparing letter by letter
    near = [
        other
        for other, theirs in parts.items()
        if abs(len(other) - len(name)) <= 4
        and (other[:3] == name[:3] or 2 * len(words & theirs) >= len(words))
    ]
    found = difflib.get_close_matches(name, near, _SUGGESTED, _ALIKE)
    longer = sorted((o for o, theirs in parts.items() if words < theirs), key=len)
    return (found or longer)[:_SUGGESTED]


@lru_cache(maxsize=4)
def _architectures(source: Path) -> _Index:
    files = sorted(str(p.relative_to(source)) for p in source.glob("arch/**/Kconfig*"))
    return _read(source, files, follow=True)


@lru_cache(maxsize=4)
def _everything(source: Path) -> _Index:
    files = [str(p.relative_to(source)) for p in source.glob("Kconfig*")]
    for top in sorted(path for path in source.iterdir() if path.is_dir()):
        for folder, folders, names in os.walk(top):
            where = os.path.relpath(folder, source)
            if where in _NOT_KERNEL:
                folders.clear()
            files += [f"{where}/{n}" for n in sorted(names) if n.startswith("Kconfig")]
    return _read(source, files, follow=False)


def _read(source: Path, todo: list[str], follow: bool) -> _Index:
    index = _Index()
    seen = set(todo)
    for file in todo:
        try:
            text = (source / file).read_bytes()
        except OSError:
            continue
        for match in _LINE.finditer(text):
            name, sourced, selected = (g and g.decode() for g in match.groups())
            if name and name not in index.places:
                line = text.count(b"\n", 0, match.start(1)) + 1
                index.places[name] = Place(file, line)
            elif selected:
                index.selected_in.setdefault(selected, set()).add(file)
            elif sourced and follow and sourced not in seen:
                seen.add(sourced)
                todo.append(sourced)
    return index
