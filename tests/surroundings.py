# SPDX-License-Identifier: GPL-2.0-only
"""Where the tests are, the kernel trees, and an environment that is always the same."""

import fcntl
import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What tests keep from one run to the next, because it takes long to make.
KEPT = ROOT / "build/test-tree"


#: Variables of `make audit`
AUDIT = ("CONFIG", "LEVEL", "FORMAT", "OPTIONS")


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without what a make around us, or a user, left in it."""
    private = re.compile(r"MAKE.*|MFLAGS|GNUMAKEFLAGS|KCONFIG_.*|KBUILD_.*|LC_.*|LANG")
    kept = {k: v for k, v in os.environ.items() if not private.fullmatch(k)}
    ours = ("ARCH", "CROSS_COMPILE", "LLVM", "CC", "O", "KDIR", "BASE", "REPORT")
    for name in ours + AUDIT:
        kept.pop(name, None)
    return kept | {"LC_ALL": "C", "PYTHONPATH": str(ROOT)} | more


@lru_cache(maxsize=None)
def fetched(script: str, *arguments: str) -> Path:
    """The path that a script of kconfig/ prints; it fetches what is missing."""
    result = subprocess.run(
        [ROOT / "kconfig" / script, *arguments],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return Path(result.stdout.strip())


@lru_cache(maxsize=None)
def kernel_source(version: str) -> Path:
    """Debian's kernel source of that version, as good as new.

    It is a folder of links to the tree under build/, without what an earlier run in
    that tree has left: with a .config there, the kernel's make would refuse O=.
    """
    source = fetched("tree.sh", version)
    view = KEPT / source.name
    KEPT.mkdir(parents=True, exist_ok=True)
    with open(KEPT / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not view.exists():
            (view / "include").mkdir(parents=True)
            for path in source.iterdir():
                if not path.name.startswith(".config") and path.name != "include":
                    (view / path.name).symlink_to(path)
            for path in (source / "include").iterdir():
                if path.name not in ("config", "generated"):
                    (view / "include" / path.name).symlink_to(path)
    return view
