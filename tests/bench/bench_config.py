# SPDX-License-Identifier: GPL-2.0-only
"""How long `hardenedhighconfig` takes, beside the kernel's own way.

Both start from the same defconfig text with the same wishes and end with a settled
.config: ours, and scripts/kconfig/merge_config.sh -m with fragments/ followed by
`make olddefconfig`.  The runs alternate; the medians and their ratio are printed.
An A/A column compares the kernel's way with itself.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7


def run(*command: str | Path, cwd: Path | None = None) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    subprocess.run(command, cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL)


def timed(job: Callable[[], None]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def main(tree: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch)
        make = ["make", "-s", "-C", tree, f"O={output}"]
        run(*make, "defconfig")
        config = output / ".config"
        defconfig = output / "defconfig"
        shutil.copy(config, defconfig)
        fragments = [
            ROOT / "fragments/hardenedhigh.config",
            ROOT / "fragments/x86/hardenedhigh.config",
        ]
        merge = tree / "scripts/kconfig/merge_config.sh"

        def kernels_way() -> None:
            shutil.copy(defconfig, config)
            run(merge, "-m", "-O", output, defconfig, *fragments, cwd=tree)
            run(*make, "olddefconfig")

        def ours(cache: Path) -> None:
            shutil.copy(defconfig, config)
            run(
                *["make", "-s", "-C", ROOT, "hardenedhighconfig"],
                *[f"KDIR={tree}", f"O={output}", f"BUILD={cache}"],
            )

        warm = output / "warm"
        ours(warm)

        def cold() -> None:
            with tempfile.TemporaryDirectory() as empty:
                ours(Path(empty))

        jobs: dict[str, Callable[[], None]] = {
            "merge_config.sh + olddefconfig": kernels_way,
            "the same again (A/A)": kernels_way,
            "hardenedhighconfig": lambda: ours(warm),
            "hardenedhighconfig, first run": cold,
        }
        times: dict[str, list[float]] = {name: [] for name in jobs}
        for _ in range(ROUNDS):
            for name, job in jobs.items():
                times[name].append(timed(job))
    base = times["merge_config.sh + olddefconfig"]
    print(f"{tree.name}, {platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"{ROUNDS} alternating rounds; seconds of wall time")
    print(f"{'':34} median    min    max  ratio")
    for name, seconds in times.items():
        ratio = statistics.median(s / b for s, b in zip(seconds, base))
        print(
            f"{name:34} {statistics.median(seconds):6.2f} {min(seconds):6.2f} "
            f"{max(seconds):6.2f} {ratio:6.2f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
