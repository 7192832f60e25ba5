# SPDX-License-Identifier: GPL-2.0-only
"""Build probes and what their tests need, and run them."""

import atexit
import json
import shutil
import subprocess
import tempfile
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import compiled
from compiled import QEMU_ARM64, VARIANTS

__all__ = ("PROBES", "QEMU_ARM64", "VARIANTS", "Run", "built", "make", "run")

PROBES = (
    "seccomp-overhead",
    "getrandom",
    "wipeonfork",
    "rsa-sign",
    "sandbox-baseline",
)

make = partial(compiled.make, "probes")
#: A file of the build folder, such as "wipeonfork", "static/wipeonfork",
#: "unit/test_stats", "tools/with_filter" or "preload/NAME.so".
built = partial(compiled.built, "probes")


class Run(compiled.Run):
    """How a probe ended, and what it printed."""

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


def run(*command: str | Path, **more: Any) -> Run:
    """Run a program to its end, with stdin from nowhere; more is as for Popen."""
    result = compiled.run(*command, **more)
    return Run(result.status, result.stdout, result.stderr)
