# SPDX-License-Identifier: GPL-2.0-only
"""On random Kconfig files, the model and the conf of each kernel agree."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tree_random import RandomKconfig
from tree_support import HOST_PAIRS, differences, each, settle, tiny_tree

from gen.tree.kbuild import TreeError
from gen.tree.model import Model

TREES = 60  # of which conf refuses a few
CONFIGS = 6


def compare(pair: str, seed: int, folder: Path) -> bool:
    """Whether conf accepts the tree; fails where the two differ."""
    rng = Random(seed)
    kconfig = RandomKconfig(rng, pair)
    tree = tiny_tree(pair, folder, kconfig.text)
    try:
        settle(tree, folder, "")
    except TreeError:
        return False
    model = Model(tree, None)
    for _ in range(CONFIGS):
        text = kconfig.config()
        model.load(text)
        ours, theirs = model.text(), settle(tree, folder, text)
        assert (
            ours == theirs
        ), f"seed {seed}: {differences(ours, theirs)}\n{kconfig.text}\n{text}"
    return True


@each(HOST_PAIRS)
def test_random(pair: str, tmp_path: Path) -> None:
    accepted = sum(compare(pair, seed, tmp_path / str(seed)) for seed in range(TREES))
    assert accepted > TREES / 2, "conf refuses most of the trees"


@pytest.mark.long
@each(HOST_PAIRS)
def test_more_random(pair: str, tmp_path: Path) -> None:
    for seed in range(TREES, 20 * TREES):
        compare(pair, seed, tmp_path / str(seed))
