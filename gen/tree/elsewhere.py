# SPDX-License-Identifier: GPL-2.0-only
"""Symbols that the tree defines, but not for the architecture in question."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from gen.tree.kbuild import Tree
from gen.tree.sources import Place

_LINE = re.compile(
    rb'^[ \t]*(?:(?:menu)?config[ \t]+(\w+)|source[ \t]+"([^"$]+)")', re.M
)


def other_architecture(tree: Tree, name: str) -> Place | None:
    """Where another architecture's Kconfig files define a symbol.

    To be asked for symbols that the model of the tree does not define. The first
    call reads the Kconfig files under arch/ and whatever they source by a fixed
    name; then the answers are known.
    """
    return _index(tree.source).get(name)


@lru_cache(maxsize=4)
def _index(source: Path) -> dict[str, Place]:
    index: dict[str, Place] = {}
    todo = sorted(str(p.relative_to(source)) for p in source.glob("arch/**/Kconfig*"))
    seen = set(todo)
    for file in todo:
        try:
            text = (source / file).read_bytes()
        except OSError:
            continue
        for match in _LINE.finditer(text):
            name, sourced = (group and group.decode() for group in match.groups())
            if sourced and sourced not in seen:
                seen.add(sourced)
                todo.append(sourced)
            elif name and name not in index:
                start = match.start(1)
                index[name] = Place(file, text.count(b"\n", 0, start) + 1)
    return index
