# SPDX-License-Identifier: GPL-2.0-only
"""The unit tests of the probes' C code, built and run in every way we have.

A source that cannot be run in some way says so, in a comment of its own line:

    /* not under valgrind: seccomp filters would catch valgrind's own calls */
"""

import re
from pathlib import Path

import pytest
from building import QEMU_ARM64, built, run
from surroundings import fetched

UNIT = Path(__file__).parent / "unit"
TESTS = sorted(path.stem for path in UNIT.glob("test_*.c"))

VALGRIND = (
    "valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite"
    " --trace-children=no --child-silent-after-fork=yes"
).split()


def skip_unless_possible(test: str, way: str) -> None:
    """Skip with the reason that the source gives."""
    source = (UNIT / f"{test}.c").read_text(encoding="utf-8")
    reason = re.search(rf"^/\* not under {way}: (.*) \*/$", source, re.MULTILINE)
    if reason:
        pytest.skip(f"{test} not under {way}: {reason[1]}")


def passes(*command: str | Path, **env: str) -> None:
    """Run a unit test: it must have run something, and all of it must pass."""
    result = run(*command, env=env)
    # cmocka reports on stderr
    said = result.stdout + result.stderr
    assert result.status == 0, said
    count = re.search(r"\[  PASSED  \] (\d+) test", said)
    assert count and int(count[1]) > 0, said


def test_there_are_unit_tests() -> None:
    assert {"test_stats", "test_ktap", "test_json"} <= set(TESTS)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_unit(test: str, compiler: str) -> None:
    passes(built(f"unit/{test}", compiler))


@pytest.mark.parametrize("test", TESTS)
def test_unit_with_sanitizers(test: str) -> None:
    skip_unless_possible(test, "sanitizers")
    passes(
        built(f"unit/{test}", "sanitized"),
        ASAN_OPTIONS="detect_stack_use_after_return=1",
        UBSAN_OPTIONS="print_stacktrace=1",
    )


@pytest.mark.parametrize("test", TESTS)
def test_unit_under_valgrind(test: str) -> None:
    skip_unless_possible(test, "valgrind")
    passes(*VALGRIND, built(f"unit/{test}"))


@pytest.mark.parametrize("test", TESTS)
def test_unit_on_arm64(test: str) -> None:
    skip_unless_possible(test, "qemu-user")
    libraries = fetched("debian-libraries.sh", "arm64")
    passes(QEMU_ARM64, "-L", libraries, built(f"unit/{test}", "arm64"))
