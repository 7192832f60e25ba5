# SPDX-License-Identifier: GPL-2.0-only
"""What tests of all folders share: kernel trees, Debian's configs, --long."""

import os
import signal

import pytest
from surroundings import fetched, kernel_source


def pytest_addoption(parser):
    parser.addoption(
        "--long", action="store_true", help="more trees, architectures and configs"
    )


def pytest_configure(config):
    # Under nohup, or behind a shell's "&", some are ignored; what is started here must
    # not inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    config.addinivalue_line("markers", "long: only run with --long")
    config.addinivalue_line(
        "markers", "xdist_group(name): on one worker, with pytest -n N --dist loadgroup"
    )


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    later = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in set(later)]


@pytest.fixture(scope="session")
def kernel_tree():
    """kernel_tree("6.12"): the folder of Debian's source of that version."""
    return kernel_source


@pytest.fixture(scope="session")
def debian_config():
    """debian_config("6.12", "cloud", "amd64"): the config of that Debian kernel."""
    return lambda *what: fetched("debian-config.sh", *what)


@pytest.fixture(scope="session")
def shared_scratch(tmp_path_factory):
    """A folder that all workers of one test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder
