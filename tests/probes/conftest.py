# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures for the tests of probes/: the probes, built once, and how to run them."""

import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from building import QEMU_ARM64, Run, built, for_everybody, run


@pytest.fixture(scope="session", autouse=True)
def no_core_files() -> None:
    """Children are killed on purpose here, and QEMU and valgrind are eager to dump."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


@pytest.fixture(scope="session")
def probe() -> Callable[..., Path]:
    """probe("wipeonfork", static=True, variant="clang"): the path of that build."""

    def path(name: str, *, static: bool = False, variant: str = "gcc") -> Path:
        return built(f"static/{name}" if static else name, variant)

    return path


@pytest.fixture(scope="session")
def arm64_probe() -> Callable[[str], list[str | Path]]:
    """arm64_probe("wipeonfork"): the words that run it under qemu-user."""
    return lambda name: [QEMU_ARM64, built(f"static/{name}", "arm64")]


@pytest.fixture(scope="session")
def tool() -> Callable[..., Path]:
    """tool("with_filter"): the program made of with_filter.c beside this file."""
    return lambda name, variant="gcc": built(f"tools/{name}", variant)


@pytest.fixture(scope="session")
def preload() -> Callable[[str], dict[str, str]]:
    """preload("name"): the environment that loads preload/name.c before libc."""
    return lambda name: {"LD_PRELOAD": str(built(f"preload/{name}.so"))}


@pytest.fixture(scope="session")
def run_probe() -> Callable[..., Run]:
    """run_probe("wipeonfork", "--quick"): run it with --json, wait for the end.

    static= and variant= choose the build; under= are words to put before it; env= and
    what else Popen takes is handed on. The Run has status, report, results, stderr.
    """

    def probe_run(
        name: str,
        *words: str | Path,
        static: bool = False,
        variant: str = "gcc",
        under: tuple[str | Path, ...] = (),
        **more: object,
    ) -> Run:
        path = built(f"static/{name}" if static else name, variant)
        if more.keys() & {"user", "preexec_fn"}:
            path = for_everybody(path)
        emulator = (QEMU_ARM64,) if variant == "arm64" else ()
        return run(*under, *emulator, path, "--json", *words, **more)

    return probe_run
