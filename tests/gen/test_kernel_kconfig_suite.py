# SPDX-License-Identifier: GPL-2.0-only
"""The model passes the kernel's own tests of Kconfig, where they are about values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_suite import functions, model_conf, suite
from tree_support import HOST_PAIRS, each

_TYPED = "what is asked and printed while a person types answers"
_RANDOM = "randconfig draws from the C library's random numbers"

#: Tests that are passed over, and why.
PASSED_OVER = {
    "auto_submenu/test": _TYPED,
    "choice/test_oldask0": _TYPED,
    "choice/test_oldask1": _TYPED,
    "choice_randomize/test": _RANDOM,
    "choice_randomize2/test": _RANDOM,
    "new_choice_with_dep/test": _TYPED,
}

#: Tests in which values and refusals count, and messages do not, and why.
WITHOUT_MESSAGES = {
    "choice_value_with_m_dep/test": _TYPED,
    "err_recursive_dep/test": "the model stops at the first loop, with its own words",
    "err_recursive_inc/test": "Kconfiglib's words",
    "err_repeated_inc/test": "the model's own words",
    "err_transitional/test": "the model stops at the first, with its own words",
    "preprocess/circular_expansion/test": "Kconfiglib's words",
    "transitional/test": _TYPED,
    "warn_changed_input/test": "the report of changed settings says more than that",
}

#: Tests that are run as they are.
WHOLE = {
    "choice/test_allyes",
    "choice/test_allmod",
    "choice/test_allno",
    "choice/test_alldef",
    "conditional_dep/test",
    "inter_choice/test",
    "no_write_if_dep_unmet/test",
    "preprocess/builtin_func/test",
    "preprocess/escape/test",
    "preprocess/variable/test",
}


@each(HOST_PAIRS)
def test_suite(
    pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    run = [name for name in functions(pair) if name not in PASSED_OVER]
    for name in run:
        print(f"{pair} {name}")  # the last one is what pytest shows on a failure
        folder = suite(pair) / Path(name).parent
        messages = name not in WITHOUT_MESSAGES
        conf = model_conf(pair, folder, tmp_path, monkeypatch, messages=messages)
        functions(pair)[name](conf)
    record_property("passed", len(run))
    assert len(run) > 10


@each(HOST_PAIRS)
def test_every_test_is_accounted_for(pair: str) -> None:
    """A test that a new kernel brings belongs in one of the tables."""
    assert set(functions(pair)) <= PASSED_OVER.keys() | WITHOUT_MESSAGES.keys() | WHOLE


def test_tables() -> None:
    """No test stands in two of them, or in none of the kernels."""
    tables = [*PASSED_OVER, *WITHOUT_MESSAGES, *WHOLE]
    assert len(tables) == len(set(tables))
    known = {name for pair in HOST_PAIRS for name in functions(pair)}
    assert set(tables) == known
