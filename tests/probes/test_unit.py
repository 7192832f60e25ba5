# SPDX-License-Identifier: GPL-2.0-only
"""The unit tests of the probes' C code, built and run in every way we have."""

from pathlib import Path

import pytest
from compiled import WAYS, unit_passes, units_of

UNITS = units_of("probes")


def test_there_are_unit_tests() -> None:
    assert {"test_stats", "test_ktap", "test_json"} <= {unit.stem for unit in UNITS}


@pytest.mark.parametrize("source", UNITS, ids=lambda source: source.stem)
@pytest.mark.parametrize("way", WAYS)
def test_unit(source: Path, way: str) -> None:
    unit_passes("probes", source, way)
