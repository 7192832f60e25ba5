# SPDX-License-Identifier: GPL-2.0-only
"""What the tests that run the real command on real trees share."""

import pytest
from independent import read_catalogue
from verdict_bench import CATALOGUE, Bench


@pytest.fixture(scope="session")
def catalogue():
    """The catalogue as the second judge reads it."""
    return read_catalogue(CATALOGUE)


@pytest.fixture(scope="session")
def bench(kernel_tree, debian_config, shared_scratch, tmp_path_factory):
    return Bench(kernel_tree, debian_config, shared_scratch, tmp_path_factory)
