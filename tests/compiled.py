# SPDX-License-Identifier: GPL-2.0-only
"""C programs and their unit tests: built once, whoever asks first, and run."""

import fcntl
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from surroundings import ROOT, clean_environment, fetched

#: Words for make: the ways in which everything is built.
VARIANTS = {
    "gcc": ("CC=gcc", "EXTRA_CFLAGS=-Werror"),
    "clang": ("CC=clang", "EXTRA_CFLAGS=-Werror"),
    "sanitized": (
        "CC=gcc",
        "EXTRA_CFLAGS=-Werror -O1 -fno-omit-frame-pointer -U_FORTIFY_SOURCE"
        " -fsanitize=address,undefined -fno-sanitize-recover=all",
        "EXTRA_LDFLAGS=-fsanitize=address,undefined",
    ),
    "fuzz": (
        "CC=clang",
        "EXTRA_CFLAGS=-Werror -O1 -fno-omit-frame-pointer -U_FORTIFY_SOURCE"
        " -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all",
        "EXTRA_LDFLAGS=-fsanitize=address,undefined",
    ),
    "arm64": ("CROSS_COMPILE=aarch64-linux-gnu-", "EXTRA_CFLAGS=-Werror"),
}
QEMU_ARM64 = "qemu-aarch64-static"
#: Longer than anything takes, on a machine that is busy with other things.
TIMEOUT = 300

VALGRIND = (
    "valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite"
    " --trace-children=no --child-silent-after-fork=yes"
).split()


def make(
    folder: str, build: Path, *words: str, makefile: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run make in a folder of the checkout with its tests' Makefile; its status is
    not judged."""
    makefile = makefile or ROOT / "tests" / folder / "Makefile"
    return subprocess.run(
        ["make", "-C", ROOT / folder, "-f", makefile, f"BUILD={build}", *words],
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )


@lru_cache(maxsize=None)
def built(folder: str, target: str, variant: str = "gcc") -> Path:
    """A file that the Makefile of tests/folder makes, such as "unit/test_stats"; what
    is built stays from one run of the tests to the next."""
    build = ROOT / f"build/{folder}-test" / variant
    build.mkdir(parents=True, exist_ok=True)
    words = VARIANTS[variant]
    if variant == "arm64":
        words += (f"SYSROOT={fetched('debian-libraries.sh', 'arm64')}",)
    with open(build / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = make(folder, build, *words, str(build / target))
    assert result.returncode == 0, f"{target} ({variant}):\n{result.stderr}"
    return build / target


@dataclass
class Run:
    """How a program ended, and what it printed."""

    status: int
    stdout: str
    stderr: str


def run(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    **more: Any,
) -> Run:
    """Run a program to its end, with stdin from nowhere; more is as for Popen."""
    settings: dict[str, Any] = {"timeout": TIMEOUT, "text": True, **more}
    if "input" not in settings:
        settings.setdefault("stdin", subprocess.DEVNULL)
    for stream in ("stdout", "stderr"):
        settings.setdefault(stream, subprocess.PIPE)
    result = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **(env or {})},
        check=False,
        **settings,
    )
    return Run(result.returncode, result.stdout or "", result.stderr or "")


def skip_unless_possible(source: Path, way: str) -> None:
    """Skip with the reason that a unit test's source gives, in a line of its own:

    /* not under valgrind: seccomp filters would catch valgrind's own calls */
    """
    text = source.read_text(encoding="utf-8")
    reason = re.search(rf"^/\* not under {way}: (.*) \*/$", text, re.MULTILINE)
    if reason:
        pytest.skip(f"{source.stem} not under {way}: {reason[1]}")


def passes(*command: str | Path, **env: str) -> None:
    """Run a unit test: it must have run something, and all of it must pass."""
    result = run(*command, env=env)
    # cmocka reports on stderr
    said = result.stdout + result.stderr
    assert result.status == 0, said
    count = re.search(r"\[  PASSED  \] (\d+) test", said)
    assert count and int(count[1]) > 0, said


def units_of(folder: str) -> list[Path]:
    """The sources of a folder's unit tests."""
    return sorted((ROOT / "tests" / folder / "unit").glob("test_*.c"))


#: Ways to run a unit test: the parameter of unit_passes().
WAYS = ("gcc", "clang", "sanitizers", "valgrind", "qemu-user")


def unit_passes(folder: str, source: Path, way: str) -> None:
    """Build and run a unit test in one of the ways, or skip it."""
    skip_unless_possible(source, way)
    target = f"unit/{source.stem}"
    if way == "sanitizers":
        passes(
            built(folder, target, "sanitized"),
            ASAN_OPTIONS="detect_stack_use_after_return=1",
            UBSAN_OPTIONS="print_stacktrace=1",
        )
    elif way == "valgrind":
        passes(*VALGRIND, built(folder, target))
    elif way == "qemu-user":
        libraries = fetched("debian-libraries.sh", "arm64")
        passes(QEMU_ARM64, "-L", libraries, built(folder, target, "arm64"))
    else:
        passes(built(folder, target, way))
