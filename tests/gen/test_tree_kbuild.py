# SPDX-License-Identifier: GPL-2.0-only
"""Asking the kernel's make about a tree."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from surroundings import kernel_source
from tree_support import DEFAULT_KERNEL, KERNELS, kernel_tree, settle

from gen.tree.kbuild import TreeError, open_tree

HOST = f"{DEFAULT_KERNEL}-x86_64"


def in_tree(kernel: str, folder: Path) -> Path:
    """A kernel source to build in: links, and folders where make writes."""
    original = kernel_source(kernel)
    folder.mkdir()
    for path in original.iterdir():
        if path.name not in ("scripts", "include"):
            (folder / path.name).symlink_to(path)
    subprocess.run(
        ["cp", "-rs", (original / "scripts").resolve(), folder / "scripts"],
        check=True,
    )
    return folder


def test_what_make_says() -> None:
    tree = kernel_tree(HOST)
    version = subprocess.run(
        ["make", "-s", "-C", tree.source, "kernelversion"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert tree.version == version.stdout.strip()
    assert (tree.arch, tree.srcarch) == ("x86_64", "x86")
    assert tree.config == tree.output / ".config"
    assert tree.defconfig == tree.source / "arch/x86/configs/x86_64_defconfig"
    assert tree.conf.stat().st_mode & 0o111
    assert not {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"} & set(tree.env)


@pytest.mark.parametrize("kernel", KERNELS)
def test_environment_is_that_of_conf(kernel: str, tmp_path: Path) -> None:
    """A program in the place of conf sees the environment that we were told of."""
    tree = open_tree(kernel_source(kernel), {"O": str(tmp_path), "ARCH": "x86_64"})
    seen = tmp_path / "seen"
    tree.conf.write_text(f"#!/bin/sh\nenv -0 >{seen}\n")
    os.utime(tree.conf, (2**32, 2**32))
    subprocess.run(
        ["make", "-s", "-C", str(tree.source), f"O={tmp_path}", "ARCH=x86_64"]
        + ["olddefconfig"],
        check=True,
    )
    pairs = dict(item.split("=", 1) for item in seen.read_text().split("\0") if item)
    private = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "MAKE_TERMOUT"}
    shell = {"_", "SHLVL", "OLDPWD", "PYTEST_CURRENT_TEST", "MAKE_TERMERR"}
    expected = {k: v for k, v in pairs.items() if k not in private | shell}
    assert {k: v for k, v in tree.env.items() if k not in shell} == expected


def test_no_make_around_us_leaks_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAKEFLAGS", "n -- ARCH=nonsense")
    monkeypatch.setenv("MAKELEVEL", "3")
    monkeypatch.setenv("MAKEFILES", "/nonexistent/file")
    tree = open_tree(
        kernel_source(DEFAULT_KERNEL), {"O": str(tmp_path), "ARCH": "x86_64"}
    )
    assert tree.arch == "x86_64"
    assert tree.conf.exists()


def test_in_tree(tmp_path: Path) -> None:
    """Without O=, conf is built and runs in the source."""
    folder = in_tree(DEFAULT_KERNEL, tmp_path / "linux")
    tree = open_tree(folder, {"ARCH": "x86_64"})
    assert tree.output == tree.source == folder
    assert tree.env["srctree"] == "."
    assert tree.conf == folder / "scripts/kconfig/conf"
    assert "CONFIG_EXPERT=y\n" in settle(tree, tmp_path, "CONFIG_EXPERT=y\n")
    assert not tree.config.exists()
    with pytest.raises(TreeError, match="mrproper"):
        tree.config.touch()
        open_tree(folder, {"O": str(tmp_path / "out"), "ARCH": "x86_64"})


def test_source_is_not_written_with_an_output_folder(tmp_path: Path) -> None:
    stamp = tmp_path / "stamp"
    stamp.touch()
    output = tmp_path / "out"
    tree = open_tree(
        kernel_source(DEFAULT_KERNEL), {"O": str(output), "ARCH": "x86_64"}
    )
    assert not tree.config.exists()
    settle(tree, tmp_path, "")
    newer = [
        "find",
        str(tree.source),
        "-newer",
        str(stamp),
        "-type",
        "f",
        "-print",
        "-quit",
    ]
    assert subprocess.run(newer, stdout=subprocess.PIPE, check=True).stdout == b""


def test_output_is_relative_to_the_source(tmp_path: Path) -> None:
    """As for the kernel's own make, which starts there."""
    folder = in_tree(DEFAULT_KERNEL, tmp_path / "linux")
    tree = open_tree(folder, {"O": "../out", "KCONFIG_CONFIG": "sub/my.config"})
    assert tree.output == tmp_path / "out"
    assert tree.config == tmp_path / "out/sub/my.config"


def refuse(folder: Path, **variables: str) -> str:
    with pytest.raises(TreeError) as caught:
        open_tree(folder, variables)
    return str(caught.value)


def test_no_kernel_tree(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert "no such folder" in refuse(tmp_path / "missing")
    assert "not a folder" in refuse(file)
    assert "not a kernel tree (Makefile is missing)" in refuse(tmp_path)


def test_bad_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    kernel = kernel_source(DEFAULT_KERNEL)
    assert "cannot create this folder" in refuse(kernel, O=str(file))
    assert "make failed" in refuse(kernel, O=str(tmp_path / "a blank"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "cannot be written; give a folder for the output as O=" in refuse(kernel)
    assert "give another O=" in refuse(kernel, O=str(tmp_path))


def test_bad_architecture(tmp_path: Path) -> None:
    message = refuse(kernel_source(DEFAULT_KERNEL), O=str(tmp_path), ARCH="vax")
    assert "no architecture 'vax'" in message and "arm64" in message


def test_missing_compilers(tmp_path: Path) -> None:
    kernel, output = kernel_source(DEFAULT_KERNEL), str(tmp_path)
    message = refuse(kernel, O=output, ARCH="x86_64", CC="no-such-cc")
    assert "compiler 'no-such-cc' not found for ARCH=x86_64" in message
    message = refuse(kernel, O=output, ARCH="arm64", CROSS_COMPILE="no-such-")
    assert "compiler 'no-such-gcc' not found for ARCH=arm64" in message


def test_make_fails(tmp_path: Path) -> None:
    message = refuse(
        kernel_source(DEFAULT_KERNEL), O=str(tmp_path), HOSTCC="no-such-cc"
    )
    assert "the kernel's make failed:" in message and "no-such-cc" in message


def test_only_variables_of_make() -> None:
    with pytest.raises(ValueError, match="KDIR"):
        open_tree(kernel_source(DEFAULT_KERNEL), {"KDIR": "x"})
