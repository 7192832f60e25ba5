# SPDX-License-Identifier: GPL-2.0-only
"""The model writes the same .config as the tree's own conf, byte for byte."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from tree_support import (
    SHARED_CONFIGS,
    assert_as_conf,
    differences,
    each,
    kernel_model,
    kernel_tree,
    quick_tree,
    settle,
)

MUTATED = 10  # for each kernel and architecture; ten times as many with --long
CONFIGS = {
    "x86_64": (
        "Debian_10_Buster_x86_64",
        "Fedora_Rawhide_x86_64",
        "Ubuntu_20.04_LTS_Focal_x86_64",
    ),
    "arm64": ("Fedora_42_Updates_aarch64", "Android_15_6.6_aarch64"),
}
VALUES = {
    "bool": ("y", "y", "n", "m"),
    "tristate": ("y", "m", "n"),
    "int": ("0", "1", "-1", "7", "64", "100000", "99999999999999999999", "010"),
    "hex": ("0x0", "0x10", "ffff", "0xffffffff81000000", "0xZ"),
    "string": ('"a b"', '""', r'"q\"x\\"', "bare"),
}


def line(name: str, value: str) -> str:
    if value == "n":
        return f"# CONFIG_{name} is not set\n"
    return f"CONFIG_{name}={value}\n"


def names(pair: str) -> list[str]:
    """All symbols of a tree."""
    model = kernel_model(pair)
    # pylint: disable-next=protected-access
    return [name for name in model._kconfig.syms if model.defined(name)]


def defconfig(pair: str) -> str:
    path = kernel_tree(pair).defconfig
    assert path
    return path.read_text()


@each()
def test_empty(pair: str, tmp_path: Path) -> None:
    assert_as_conf(pair, tmp_path, "")


@each()
def test_defconfig(pair: str, tmp_path: Path) -> None:
    assert_as_conf(pair, tmp_path, defconfig(pair))


@each()
@pytest.mark.parametrize(
    "mode",
    ["--allnoconfig", pytest.param("--allmodconfig", marks=pytest.mark.long)],
)
def test_all_alike(pair: str, mode: str, tmp_path: Path) -> None:
    tree = quick_tree(pair)
    config = tmp_path / ".config"
    subprocess.run(
        [tree.conf, "-s", mode, tree.kconfig],
        cwd=tree.output,
        env=tree.env
        | {"KCONFIG_CONFIG": str(config), "KCONFIG_AUTOCONFIG": "/dev/null"},
        check=True,
    )
    assert_as_conf(pair, tmp_path, config.read_text())


@each()
def test_distributions(pair: str, tmp_path: Path) -> None:
    """Whole configs of distributions, most of them made for another version."""
    paths = [SHARED_CONFIGS / f"{name}.config" for name in CONFIGS[pair.split("-")[1]]]
    paths = [path for path in paths if path.exists()]
    if not paths:
        pytest.skip(f"no configs in {SHARED_CONFIGS}")
    for path in paths:
        assert_as_conf(pair, tmp_path, path.read_text("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, marks=[pytest.mark.long] if seed >= MUTATED else [])
        for seed in range(10 * MUTATED)
    ],
)
@each()
def test_mutated(pair: str, seed: int, tmp_path: Path) -> None:
    """Random lines at random places, some with values that do not fit."""
    rng = random.Random(seed)
    model = kernel_model(pair)
    lines = defconfig(pair).splitlines(keepends=True) if seed % 4 else []
    pool = names(pair)
    if seed % 3 == 1:
        pool = [name for name in pool if model._kconfig.syms[name].choice]
    if seed % 3 == 2:
        pool = [name for name in pool if model.type(name) in ("int", "hex")]
    for name in rng.choices(pool, k=rng.choice((3, 30, 1000))):
        value = rng.choice(VALUES.get(model.type(name) or "", ("y",)))
        lines.insert(rng.randrange(len(lines) + 1), line(name, value))
    assert_as_conf(pair, tmp_path, "".join(lines))


@each()
def test_assign_is_append(pair: str, tmp_path: Path) -> None:
    """A sequence of assignments equals as many lines at the end of the .config."""
    rng = random.Random(pair)
    model = kernel_model(pair)
    text = defconfig(pair)
    model.load(text)
    for name in rng.sample(names(pair), 150):
        if model.type(name) in ("bool", "tristate"):
            value = rng.choice("yn")
        elif model.type(name) in ("int", "hex"):
            value = rng.choice(("0", "3", "64", "4096", "99999999"))
        else:
            continue
        model.assign(name, value)
        assert model.value(name) is not None
        text += line(name, value)
    theirs = settle(quick_tree(pair), tmp_path, text)
    assert model.text() == theirs, differences(model.text(), theirs)[:20]


@each(["6.12-x86_64", "6.12-arm64"], long=["6.1", "7.2", "7.3"])
def test_environment(pair: str) -> None:
    """The kernel's own make, with its own compiler tests, agrees on the defconfig."""
    tree, model = kernel_tree(pair), kernel_model(pair)
    assert tree.defconfig
    variables = [f"{name}={tree.env[name]}" for name in ("ARCH", "CROSS_COMPILE")]
    subprocess.run(
        ["make", "-s", "-C", tree.source, f"O={tree.output}", *variables, "defconfig"],
        check=True,
    )
    model.load(defconfig(pair))
    assert model.text() == tree.config.read_text()
