# SPDX-License-Identifier: GPL-2.0-only
"""Compares the catalogue with a kernel tree: what has drifted apart?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gen import dotconfig
from gen.entries import Entry, Level
from gen.target import Target, target_of
from gen.settings import KCONFIG, Match, Setting, number
from gen.tree.kbuild import Tree, open_tree
from gen.tree.model import Model
from gen.versions import NEVER, Ranges
from gen.wishes import value_holds

_TYPES = {"y": ("bool", "tristate"), "n": ("bool", "tristate"), "m": ("tristate",)}


@dataclass(frozen=True)
class Finding:
    """`serious` findings are mistakes; the others are worth knowing."""

    place: str
    text: str
    serious: bool

    def __str__(self) -> str:
        kind = "error" if self.serious else "note"
        return f"{self.place}: {kind}: {self.text}"


def lint(
    entries: Sequence[Entry],
    kdir: Path,
    variables: Mapping[str, str],
    cache: Path | None,
) -> list[Finding]:
    """All findings for one tree, architecture and compiler.

    The tree is looked at in the state of its architecture's defconfig.
    """
    tree = open_tree(kdir, variables)
    model = Model(tree, cache)
    if tree.defconfig:
        model.load(dotconfig.read_text(tree.defconfig))
    target = target_of(tree, model)
    findings: list[Finding] = []
    covered = _covered(entries)
    for entry in entries:
        if entry.setting.kind == KCONFIG and entry.concerns(target.architecture):
            findings += _entry_findings(entry, model, tree, target, covered)
    findings += _missing_from_catalogue(entries, tree)
    model.keep_cache()
    return findings


def _covered(entries: Iterable[Entry]) -> dict[str, Ranges]:
    """Symbol -> versions for which any entry says that it exists."""
    ranges: dict[str, Ranges] = {}
    for entry in entries:
        for name in entry.names:
            parts = ranges.get(name.name, NEVER).parts + name.kernels.parts
            ranges[name.name] = Ranges(parts)
    return ranges


def _entry_findings(
    entry: Entry,
    model: Model,
    tree: Tree,
    target: Target,
    covered: Mapping[str, Ranges],
) -> Iterator[Finding]:
    place = str(entry.origin)
    for name in entry.names:
        symbol = f"CONFIG_{name.name}"
        expected = target.version in name.kernels
        defined = model.defined(name.name)
        # Older names may live on as hidden symbols
        is_title = name.name == entry.setting.name
        if expected and not defined:
            yield Finding(
                place,
                f"{symbol} is not defined in {tree.version}, "
                f"though the entry says {name.kernels}",
                True,
            )
        elif defined and target.version not in covered[name.name] and is_title:
            yield Finding(
                place,
                f"{symbol} is defined in {tree.version}, "
                f"though the entry says {name.kernels}",
                True,
            )
        elif defined and expected:
            yield from _symbol_findings(entry, name.name, model, tree)


def _symbol_findings(
    entry: Entry, name: str, model: Model, tree: Tree
) -> Iterator[Finding]:
    place = str(entry.origin)
    kind = model.type(name)
    if kind not in _fitting_types(entry.setting):
        yield Finding(place, f"CONFIG_{name} is of type {kind}", True)
        return
    prompt = model.has_prompt(name)
    if not prompt and not entry.check_only:
        yield Finding(
            place,
            f"CONFIG_{name} has no prompt in {tree.version}; "
            "nobody can set it (Check only: yes)",
            True,
        )
    if prompt and entry.check_only:
        yield Finding(
            place,
            f"CONFIG_{name} has a prompt in {tree.version}, "
            "though the entry is check only",
            True,
        )
    default = model.default(name)
    if default is not None and value_holds(model, entry.setting.renamed(name), default):
        level = "; a Low entry that is the default" if entry.level is Level.LOW else ""
        yield Finding(
            place,
            f"CONFIG_{name}: {entry.setting.wanted} is the default in "
            f"{tree.version}{level}",
            False,
        )


def _fitting_types(setting: Setting) -> tuple[str, ...]:
    if setting.quoted:
        return ("string",)
    if setting.match is Match.HIGHEST or number(setting.value) is not None:
        return ("int", "hex")
    return _TYPES[setting.value]


def _missing_from_catalogue(entries: Sequence[Entry], tree: Tree) -> Iterator[Finding]:
    """Symbols of the tree's own hardening.config files, and idle lines in them."""
    known = {n.name for e in entries for n in e.names}
    files = [
        tree.source / "kernel/configs/hardening.config",
        tree.source / "arch" / tree.srcarch / "configs/hardening.config",
    ]
    for file in files:
        if not file.is_file():
            continue
        text = dotconfig.read_text(file)
        place = str(file.relative_to(tree.source))
        for warning in dotconfig.idle_lines(text, place):
            where, _, what = warning.partition(": ")
            yield Finding(where, what, False)
        for name in dotconfig.parse(text, place):
            if name not in known:
                yield Finding(place, f"CONFIG_{name} is not in the catalogue", True)
