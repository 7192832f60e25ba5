# SPDX-License-Identifier: GPL-2.0-only
"""The unit tests of the auditor's C code, built and run in every way we have."""

from pathlib import Path

import pytest
from compiled import WAYS, unit_passes, units_of

UNITS = units_of("audit")


def test_there_are_unit_tests() -> None:
    assert {"test_level", "test_jobs", "test_transfer"} <= {u.stem for u in UNITS}


@pytest.mark.parametrize("source", UNITS, ids=lambda source: source.stem)
@pytest.mark.parametrize("way", WAYS)
def test_audit_unit(source: Path, way: str) -> None:
    unit_passes("audit", source, way)
