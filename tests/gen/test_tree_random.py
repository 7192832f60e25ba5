# SPDX-License-Identifier: GPL-2.0-only
"""On random Kconfig files, the model and the conf of each kernel agree.

gen/tree/expr.py says what is known to differ; these files do without.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tree_random import RandomKconfig
from tree_support import HOST_PAIRS, differences, each, settle, tiny_tree

from gen.tree.kbuild import Tree, TreeError
from gen.tree.model import Model

TREES = 60  # of which conf refuses a few
CONFIGS = 5
LINES = 2  # that are assigned one by one
KINDS = ("alldef", "allno", "allyes", "allmod")


def accepted(tree: Tree) -> bool:
    """Whether conf accepts the tree."""
    try:
        settle(tree, tree.output, "")
    except TreeError:
        return False
    return True


def check(model: Model, tree: Tree, text: str, seed: int) -> None:
    """The model, in which text is loaded, and conf make the same of it."""
    ours, theirs = model.text(), settle(tree, tree.output, text)
    shown = differences(ours, theirs)
    assert ours == theirs, f"{seed}: {shown}\n{tree.output}/Kconfig\n{text}"


def assign(model: Model, line: str) -> None:
    """Assign what a line of .config says; conf leaves out what does not suit."""
    name, _, value = line.removeprefix("CONFIG_").partition("=")
    if line.startswith("#"):
        name, value = line.split()[1].removeprefix("CONFIG_"), "n"
    with suppress(ValueError):
        model.assign(name, value.strip('"'))


def compare(pair: str, seed: int, folder: Path) -> bool:
    """Whether conf accepts the tree; fails where the two differ."""
    kconfig = RandomKconfig(Random(seed), pair)
    tree = tiny_tree(pair, folder, kconfig.text)
    if not accepted(tree):
        return False
    model = Model(tree, None)
    kind = KINDS[seed % len(KINDS)]
    ours, theirs = model.all_config(kind), settle(tree, folder, "", f"{kind}config")
    assert ours == theirs, f"{seed}, {kind}: {differences(ours, theirs)}"
    for _ in range(CONFIGS):
        text = kconfig.config()
        model.load(text)
        check(model, tree, text, seed)
    for line in kconfig.config().splitlines()[:LINES]:
        assign(model, line)
        text += f"{line}\n"
        check(model, tree, text, seed)
    return True


@each(HOST_PAIRS)
def test_random(pair: str, tmp_path: Path) -> None:
    compared = sum(compare(pair, seed, tmp_path / str(seed)) for seed in range(TREES))
    assert compared > TREES * 0.9, "conf refuses many of the trees"


@each(HOST_PAIRS)
def test_loops(pair: str, tmp_path: Path) -> None:
    """The model refuses only what conf refuses, and most of that."""
    both = conf_alone = 0
    for seed in range(TREES):
        kconfig = RandomKconfig(Random(seed), pair, loops=True)
        tree = tiny_tree(pair, tmp_path / str(seed), kconfig.text)
        try:
            Model(tree, None)
        except TreeError as error:
            assert not accepted(tree), f"seed {seed}: {error}\n{kconfig.text}"
            both += 1
        else:
            conf_alone += not accepted(tree)
    assert both > conf_alone > 0


@pytest.mark.long
@each(HOST_PAIRS)
def test_more_random(pair: str, tmp_path: Path) -> None:
    for seed in range(TREES, 20 * TREES):
        compare(pair, seed, tmp_path / str(seed))
