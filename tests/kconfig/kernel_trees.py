# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of kconfig/ share: kernel trees to try things on, running, looking.

The trees are Debian's real ones, cut down to what the *config targets read: a
whole one has 1.5 GB, this much has 40 MB and gives the same .config.
"""

import hashlib
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from surroundings import ROOT, fetched

KCONFIG = ROOT / "kconfig"
VERSIONS = ("6.1", "6.12")

# What a tree needs for `make *config`, as arguments of find(1).
CONFIGURABLE = (
    "( -name Kconfig* -o -name Makefile* -o -name Kbuild -o -path ./scripts/*"
    " -o -path ./arch/*/configs/* -o -path ./kernel/configs/* )"
    " -not -path ./tools/* -o -path ./Documentation/Kconfig"
    " -o -path ./Documentation/security/index.rst"
).split()

# What install.sh looks at: enough where nothing is configured.
INSTALLABLE = (
    "-path ./Kconfig -o -path ./Makefile -o -path ./scripts/kconfig/*"
    " -o -path ./arch/*/configs/* -o -path ./kernel/configs/*"
    " -o -path ./Documentation/security/index.rst"
).split()


Result = subprocess.CompletedProcess[str]
Install = Callable[..., Result]  # what, tree, further environment


def run(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Result:
    """Run a command to its end; its output is kept, its status not judged."""
    return subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def copy_tree(version: str, target: Path, what: list[str]) -> Path:
    """Copy the part of a tree that the find(1) expression WHAT names."""
    target.mkdir(parents=True)
    find = ["find", ".", "-type", "f", "(", *what, ")", "-print0"]
    source = fetched("tree.sh", version)
    with subprocess.Popen(find, cwd=source, stdout=subprocess.PIPE) as files:
        pack = ["tar", "-c", "--null", "-T", "-"]
        with subprocess.Popen(
            pack, cwd=source, stdin=files.stdout, stdout=subprocess.PIPE
        ) as tar:
            subprocess.run(["tar", "-x"], cwd=target, stdin=tar.stdout, check=True)
    return target


def snapshot(folder: Path) -> dict[str, tuple[str, str]]:
    """What is in a folder: {path: (mode, sha256 of the contents)}."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
        elif path.is_dir():
            found[name] = ("folder", "")
        else:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found[name] = (oct(path.stat().st_mode), digest)
    return found


def settings(path: Path) -> dict[str, str]:
    """The settings in a .config or fragment: {"CONFIG_X": "y"}, "n" for unset."""
    values = {}
    for line in path.read_text().splitlines():
        if line.startswith("CONFIG_"):
            name, _, value = line.partition("=")
            values[name] = value
        elif line.startswith("# CONFIG_") and line.endswith(" is not set"):
            values[line.split()[1]] = "n"
    return values


# One setting for each way in which a wish can end, on x86_64 and arm64.
GENERIC = """\
# Help: a fragment for the tests
# taken: a member of a choice with another default
CONFIG_INIT_STACK_ALL_ZERO=y
# taken on x86, overridden on arm64
CONFIG_SLAB_FREELIST_HARDENED=y
# taken: off, and not defined at all
# CONFIG_DEVMEM is not set
# CONFIG_NEVER_HEARD_OF is not set
# taken: a number, a string
CONFIG_DEFAULT_MMAP_MIN_ADDR=32768
CONFIG_DEFAULT_HOSTNAME="a b | c"
# not taken: the parent is off
CONFIG_UBSAN_BOUNDS=y
# taken as m only, which is all that its parent allows
CONFIG_MTD=m
CONFIG_MTD_BLOCK=y
# not taken: no such symbol, another architecture's
CONFIG_NO_SUCH_SYMBOL=y
CONFIG_ARM64_BTI_KERNEL=y
CONFIG_LEGACY_VSYSCALL_NONE=y
"""
X86 = """\
# not taken: can be changed with EXPERT only
# CONFIG_MODIFY_LDT_SYSCALL is not set
"""
ARM64 = """\
# CONFIG_SLAB_FREELIST_HARDENED is not set
CONFIG_ARM64_SW_TTBR0_PAN=y
"""


def write_sources(folder: Path) -> dict[str, str]:
    """Write fragments and documentation; the environment that names them."""
    fragments, docs = folder / "fragments", folder / "docs"
    for path in (fragments / "x86", fragments / "arm64", docs / "catalogue"):
        path.mkdir(parents=True)
    (fragments / "hardenedhigh.config").write_text(GENERIC)
    (fragments / "x86/hardenedhigh.config").write_text(X86)
    (fragments / "arm64/hardenedhigh.config").write_text(ARM64)
    (docs / "hardenedconfig.rst").write_text("Levels\n======\n")
    (docs / "catalogue/memory.rst").write_text("Memory\n======\n")
    return {"FRAGMENTS": str(fragments), "DOCS": str(docs)}
