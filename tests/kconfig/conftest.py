# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures for the tests of kconfig/."""

import shutil
import subprocess
from pathlib import Path

import pytest

from kernel_trees import (
    INSTALLABLE,
    Install,
    KCONFIG,
    VERSIONS,
    copy_tree,
    run,
    write_sources,
)


@pytest.fixture(name="sources")
def fixture_sources(tmp_path: Path) -> dict[str, str]:
    """Fragments and documentation of our own, and the environment to use them."""
    return write_sources(tmp_path)


@pytest.fixture(name="install")
def fixture_install(sources: dict[str, str]) -> Install:
    """Run install.sh with those sources."""

    def install(what: str, kdir: Path, **env: str) -> subprocess.CompletedProcess[str]:
        return run(KCONFIG / "install.sh", what, kdir, env={**sources, **env})

    return install


@pytest.fixture(scope="session", name="bare_trees")
def fixture_bare_trees(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:
    """One copy of each tree to take copies of, enough for install.sh."""
    base = tmp_path_factory.mktemp("bare")
    return {v: copy_tree(v, base / v, INSTALLABLE) for v in VERSIONS}


@pytest.fixture(params=VERSIONS, name="bare_tree")
def fixture_bare_tree(
    request: pytest.FixtureRequest, bare_trees: dict[str, Path], tmp_path: Path
) -> Path:
    """A tree to install into and to spoil."""
    return shutil.copytree(bare_trees[request.param], tmp_path / "linux")
