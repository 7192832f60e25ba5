# SPDX-License-Identifier: GPL-2.0-only
"""Build probes and what their tests need, once, whoever asks first."""

import atexit
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from surroundings import ROOT, clean_environment, fetched

PROBES = (
    "seccomp-overhead",
    "getrandom",
    "wipeonfork",
    "rsa-sign",
    "sandbox-baseline",
)
#: What is built stays from one run of the tests to the next.
BUILD = ROOT / "build/probes-test"

#: Words for make: the ways in which everything is built.
VARIANTS = {
    "gcc": ("CC=gcc", "EXTRA_CFLAGS=-Werror"),
    "clang": ("CC=clang", "EXTRA_CFLAGS=-Werror"),
    "sanitized": (
        "CC=gcc",
        "EXTRA_CFLAGS=-Werror -O1 -fno-omit-frame-pointer"
        " -fsanitize=address,undefined -fno-sanitize-recover=all",
        "EXTRA_LDFLAGS=-fsanitize=address,undefined",
    ),
    "arm64": ("CROSS_COMPILE=aarch64-linux-gnu-", "EXTRA_CFLAGS=-Werror"),
}
QEMU_ARM64 = "qemu-aarch64-static"
#: Longer than anything takes, on a machine that is busy with other things.
TIMEOUT = 300


def make(
    build: Path, *words: str, makefile: Path = ROOT / "tests/probes/Makefile"
) -> subprocess.CompletedProcess[str]:
    """Run make in probes/; its status is not judged."""
    return subprocess.run(
        ["make", "-C", ROOT / "probes", "-f", makefile, f"BUILD={build}", *words],
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )


@lru_cache(maxsize=None)
def built(target: str, variant: str = "gcc") -> Path:
    """A file of the build folder, such as "wipeonfork", "static/wipeonfork",
    "unit/test_stats", "tools/with_filter" or "preload/NAME.so"."""
    folder = BUILD / variant
    folder.mkdir(parents=True, exist_ok=True)
    words = VARIANTS[variant]
    if variant == "arm64":
        words += (f"SYSROOT={fetched('debian-libraries.sh', 'arm64')}",)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = make(folder, *words, str(folder / target))
    assert result.returncode == 0, f"{target} ({variant}):\n{result.stderr}"
    return folder / target


@dataclass
class Run:
    """How a program ended, and what it printed."""

    status: int
    stdout: str
    stderr: str

    @property
    def report(self) -> dict[str, Any]:
        """Of a probe that was run with --json."""
        assert self.stdout, f"status {self.status}, no output; stderr: {self.stderr}"
        report: dict[str, Any] = json.loads(self.stdout)
        return report

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        """The same report's results by name."""
        return {result["name"]: result for result in self.report["results"]}


@lru_cache(maxsize=None)
def for_everybody(path: Path) -> Path:
    """A copy of a program where any user may run it; a checkout may be root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="probes-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(shutil.copy(path, folder))


def can_mount() -> bool:
    """Whether a mount namespace is to be had; in a chroot or a container it is not."""
    command = ("unshare", "-m", "true")
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def run(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    **more: Any,
) -> Run:
    """Run a program to its end, with stdin from nowhere; more is as for Popen."""
    result = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
        text=True,
        **more,
    )
    return Run(result.returncode, result.stdout, result.stderr)
