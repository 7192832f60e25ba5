# SPDX-License-Identifier: GPL-2.0-only
"""Kernel trees to test the model with, and their own conf to compare it with.

Output folders are kept under build/, so only the first run builds each conf.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from surroundings import KEPT, ROOT, kernel_source

from gen.tree.kbuild import Tree, TreeError, open_tree
from gen.tree.model import Model
from gen.tree.quickconf import QuickConf, knowing

DEFAULT_KERNEL = "6.12"
KERNELS = ("6.1", DEFAULT_KERNEL, "7.3")
VARIABLES = {
    "x86_64": {"ARCH": "x86_64"},
    "arm64": {"ARCH": "arm64", "CROSS_COMPILE": "aarch64-linux-gnu-"},
}
PAIRS = [f"{kernel}-{arch}" for kernel in KERNELS for arch in VARIABLES]
HOST_PAIRS = [f"{kernel}-x86_64" for kernel in KERNELS]
SHARED_CONFIGS = ROOT.parent / "shared/configs"


def each(pairs: Iterable[str] = PAIRS, long: Iterable[str] = ("7.2",)) -> Any:
    """Run a test for each pair; those of 7.2 only with --long."""
    more = [f"{kernel}-{pair.split('-')[1]}" for kernel in long for pair in pairs]
    params = [
        pytest.param(pair, marks=[pytest.mark.xdist_group(pair)]) for pair in pairs
    ]
    params += [
        pytest.param(pair, marks=[pytest.mark.xdist_group(pair), pytest.mark.long])
        for pair in dict.fromkeys(more)
    ]
    return pytest.mark.parametrize("pair", params)


@lru_cache(maxsize=None)
def kernel_tree(pair: str) -> Tree:
    """The tree for a pair like "6.12-arm64"."""
    kernel, arch = pair.split("-")
    variables = VARIABLES[arch]
    compiler = variables.get("CROSS_COMPILE", "") + "gcc"
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    output = KEPT / pair
    return open_tree(kernel_source(kernel), {"O": str(output), **variables})


@lru_cache(maxsize=None)
def kernel_model(pair: str) -> Model:
    """A model of that tree, for any test that loads its own configuration."""
    model = Model(kernel_tree(pair), KEPT / "cache")
    model.keep_cache()
    return model


@lru_cache(maxsize=None)
def quick_tree(pair: str) -> Tree:
    """The tree with an environment in which conf need not run a compiler.

    Tests that compare the two environments do without it.
    """
    return knowing(kernel_tree(pair), _scratch(), kernel_model(pair).answers())


@lru_cache(maxsize=None)
def quick_conf(pair: str) -> QuickConf:
    """The conf of that tree, for any test that has it settle configs."""
    conf = QuickConf(kernel_tree(pair), _scratch(), kernel_model(pair).answers())
    atexit.register(conf.__exit__, None, None, None)
    return conf


def _scratch() -> Path:
    """A folder for as long as this process runs."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return folder


def settle(tree: Tree, folder: Path, text: str, mode: str = "olddefconfig") -> str:
    """What the tree's own conf makes of a .config text in one of its modes.

    Raises TreeError if conf refuses the tree.
    """
    config = folder / ".config"
    config.write_text(text, "utf-8", "surrogateescape", newline="\n")
    # conf would create include/config/auto.conf if it were not there.
    names = {"KCONFIG_CONFIG": str(config), "KCONFIG_AUTOCONFIG": "/dev/null"}
    result = subprocess.run(
        [tree.conf, "-s", f"--{mode}", tree.kconfig],
        cwd=tree.output,
        env=tree.env | names,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if result.returncode:
        raise TreeError(result.stderr)
    return config.read_text("utf-8", "surrogateescape")


def differences(ours: str, theirs: str) -> list[str]:
    """Lines that only one of two .config texts has, for a message."""
    a, b = set(ours.splitlines()), set(theirs.splitlines())
    return sorted({f"model: {x}" for x in a - b} | {f"conf: {x}" for x in b - a})


def assert_as_conf(pair: str, folder: Path, text: str) -> None:
    """Check that the model and conf make the same bytes of a .config text."""
    model = kernel_model(pair)
    model.load(text)
    ours, theirs = model.text(), quick_conf(pair).settle(text)
    assert ours == theirs, differences(ours, theirs)[:20]


def tiny_tree(pair: str, folder: Path, kconfig: str) -> Tree:
    """A tree with one Kconfig file and the conf of a kernel."""
    kernel = kernel_tree(pair)
    scripts = folder / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    if not (scripts / "kconfig").exists():
        (scripts / "kconfig").symlink_to(kernel.source / "scripts/kconfig")
    (folder / "Kconfig").write_text(kconfig)
    env = {"PATH": kernel.env["PATH"], "srctree": ".", "KCONFIG_CONFIG": ".config"}
    return replace(
        kernel, source=folder, output=folder, config=folder / ".config", env=env
    )
