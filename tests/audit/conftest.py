# SPDX-License-Identifier: GPL-2.0-only
"""Fixtures for the tests of audit/: the program, built once, and how to run it."""

import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import audit_run, built
from compiled import Run


@pytest.fixture(scope="session", autouse=True)
def no_core_files() -> None:
    """Some inputs are meant to kill a worker."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


@pytest.fixture(scope="session")
def audit() -> Path:
    """The static program."""
    return built("hardened-audit")


@pytest.fixture(scope="session")
def run_audit() -> Callable[..., Run]:
    """run_audit("--level", "high", path): its status, stdout and stderr."""
    return audit_run
