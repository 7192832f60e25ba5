# SPDX-License-Identifier: GPL-2.0-only
"""Where a symbol went that a tree does not define: renamed, removed, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gen.entries import Entry
from gen.target import Target
from gen.tree.elsewhere import alike, architecture_of, not_sourced, other_architecture
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.tree.sources import Place
from gen.versions import ALWAYS


@dataclass(frozen=True)
class Whereabouts:
    """`instead` is the symbol that has taken its place here, if one has; `always` says
    that the kernel behaves as if it were y."""

    text: str
    place: Place | None = None
    instead: str | None = None
    always: bool = False


def whereabouts(
    name: str, catalogue: Iterable[Entry], target: Target, tree: Tree, model: Model
) -> Whereabouts:
    """For a symbol that the model does not define."""
    entries = [e for e in catalogue if name in {n.name for n in e.names}]
    # Of several entries for one symbol, one that concerns this architecture
    entries.sort(key=lambda e: not e.concerns(target.architecture))
    found = renamed(name, entries, target, tree, model)
    if found:
        return found
    for entry in entries:
        if entry.concerns(target.architecture) and target.version in entry.always_on:
            text = f"needs no symbol in {tree.version}: always so ({entry.always_on})"
            return Whereabouts(text, always=True)
    place = other_architecture(tree, name)
    if place:
        arch = architecture_of(place)
        if arch and arch != tree.srcarch:
            return Whereabouts(f"belongs to another architecture, {arch}", place)
    place = place or not_sourced(tree, name)
    if place:
        return Whereabouts(
            f"is in a file that no Kconfig file sources for ARCH={tree.arch}", place
        )
    for entry in entries:
        if not entry.concerns(target.architecture):
            only = ", ".join(sorted(entry.architectures))
            return Whereabouts(f"is for {only} only")
        if not entry.exists_in(target.version):
            return Whereabouts(f"is not in {tree.version}: {_ranges(entry)}")
    names = alike(name, model.names())
    hint = f"; is it {' or '.join(names)} that you mean?" if names else ""
    return Whereabouts(f"is in no Kconfig file of {tree.version}{hint}")


def renamed(
    name: str, catalogue: Iterable[Entry], target: Target, tree: Tree, model: Model
) -> Whereabouts | None:
    """The name that a setting goes by here, if the catalogue knows one."""
    for entry in catalogue:
        if name not in {n.name for n in entry.names}:
            continue
        for other in entry.names:
            here = target.version in other.kernels and model.defined(other.name)
            if other.name != name and here:
                place = model.places(other.name)[0]
                text = f"is called {other.name} in {tree.version} ({_ranges(entry)})"
                return Whereabouts(text, Place(place.file, place.line), other.name)
    return None


def _ranges(entry: Entry) -> str:
    """Each name of an entry with the versions that have it."""
    return "; ".join(
        f"{n.name} {n.kernels}" if n.kernels != ALWAYS else n.name for n in entry.names
    )
