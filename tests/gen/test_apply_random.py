# SPDX-License-Identifier: GPL-2.0-only
"""Plans for random wishes and pins on random small trees.

Whatever the tree: no pin is lost, conf gives what the plan foresees, and no wish that
is said to be impossible could be had by one or two more assignments that undo nothing.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest
from small_catalogue import entry
from tree_random import RandomKconfig
from tree_support import settle, tiny_tree

from gen import dotconfig
from gen.apply import Plan
from gen.catalogue import CatalogueError, read_texts
from gen.entries import Compiler, Level
from gen.levels import wanted
from gen.pins import Pin, marked
from gen.target import Target
from gen.tree.kbuild import TreeError
from gen.tree.model import Model
from gen.tree.search.search import Exact, Impossible
from gen.wishes import Wanted, Wish, held, hopeless

TARGET = Target((6, 12), "x86_64", Compiler("gcc", (12, 2, 0)))
VALUES = {"bool": "yn", "tristate": "ymn"}


def entries(rng: Random, names: list[str]) -> str:
    """Wishes for some symbols, some of which something else stands in for."""
    text = ""
    for name in rng.sample(names, min(len(names), rng.randint(1, 4))):
        fields = []
        other = rng.choice(names)
        if other != name and rng.random() < 0.2:
            fields = [f":Stronger: {other}={rng.choice('yn')}"]
        level = rng.choice(("Low", "Medium", "High"))
        text += entry(f"CONFIG_{name}={rng.choice('yyn')}", *fields, level=level)
    return text


def some_pins(rng: Random, model: Model, names: list[str]) -> list[Pin]:
    """Pins for values that symbols have, and now and then for another one."""
    text = ""
    for name in rng.sample(names, min(len(names), rng.randint(0, 3))):
        value = model.value(name) or "n"
        if rng.random() < 0.1:
            value = rng.choice(VALUES[model.type(name) or "bool"])
        text += "# keep\n" + dotconfig.line(name, value, False)
    return marked(text, "base")


def could_be_had(model: Model, wish: Wish, plan: Plan, names: list[str]) -> bool:
    """Whether one or two assignments get it, and everything that holds stays."""
    kept = [
        Wanted(goal.setting) if held(model, goal.setting) else goal
        for goal in (*plan._kept, *plan.wishes)
        if goal.held(model)
    ]
    if modules := model.modules():
        kept.append(Exact(modules, model.value(modules) or "n"))
    pinned = {kept.pin.name for kept in plan._pins.values()}
    single = [
        (name, value)
        for name in names
        if model.has_prompt(name) and name not in pinned
        for value in VALUES[model.type(name) or "bool"]
    ]
    for size in (1, 2):
        for some in itertools.combinations(single, size):
            with model.trial():
                for name, value in some:
                    model.assign(name, value)
                if held(model, wish.setting) and all(g.held(model) for g in kept):
                    return True
    return False


def check(kernel: str, seed: int, folder: Path) -> tuple[int, int]:
    """How many wishes were met and how many were not."""
    rng = Random(seed)
    kconfig = RandomKconfig(rng, f"{kernel}-x86_64", size=rng.randint(4, 8))
    tree = tiny_tree(f"{kernel}-x86_64", folder, kconfig.text)
    try:
        model = Model(tree, None)
    except TreeError:
        return 0, 0
    names = [
        n for n in model.names() if model.type(n) in VALUES and n != model.modules()
    ]
    if not names:
        return 0, 0
    model.load(kconfig.config())
    base = model.text()
    model.load(base)
    if model.text() != base:  # nor would conf leave it alone
        return 0, 0
    pins = some_pins(rng, model, names)
    try:
        catalogue = read_texts([("a.rst", entries(rng, names))])
        settle(tree, folder, "")
    except (CatalogueError, TreeError):  # loops
        return 0, 0
    plan = Plan(model, TARGET, catalogue, pins)
    held_before = list(plan._kept)
    plan.make(wanted(catalogue, Level.EXTREME, TARGET))
    assert all(kept.held(model) for kept in held_before), "a pin is lost"
    foreseen = model.text()
    assert settle(tree, folder, plan.text()) == foreseen
    missing = [wish for wish in plan.wishes if not wish.held(model)]
    for wish in (w for w in missing if w.name not in plan._pins):
        if isinstance(wish.answer, Impossible) or hopeless(model, wish.setting):
            assert not could_be_had(model, wish, plan, names), str(wish)
    return len(plan.wishes) - len(missing), len(missing)


@pytest.mark.parametrize("kernel", ["6.1", "6.12", "7.3"])
@pytest.mark.parametrize("start", [0, 20])
def test_random_plans(kernel: str, start: int, tmp_path: Path) -> None:
    counts = [
        check(kernel, seed, tmp_path / str(seed)) for seed in range(start, start + 20)
    ]
    met, missing = map(sum, zip(*counts))
    assert met > 10 and missing > 5


@pytest.mark.long
@pytest.mark.parametrize("kernel", ["6.1", "6.12", "7.2", "7.3"])
@pytest.mark.parametrize("start", range(40, 1000, 40))
def test_more_random_plans(kernel: str, start: int, tmp_path: Path) -> None:
    for seed in range(start, start + 40):
        check(kernel, seed, tmp_path / str(seed))
