# SPDX-License-Identifier: GPL-2.0-only
"""What the kernel's own make knows about a tree.

The kernel's Makefile decides which compiler, architecture and folders apply, so
it is asked instead of imitated: open_tree() runs it once, with a goal of our own
that ends in "config" and therefore takes the same path as `make olddefconfig`.
In place of running conf, that goal dumps the environment that conf would get.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gen.errors import UserError

VARIABLES = (
    "O",
    "ARCH",
    "CROSS_COMPILE",
    "LLVM",
    "LLVM_IAS",
    "CC",
    "HOSTCC",
    "KCONFIG_CONFIG",
)

# The goal is defined only in the make that runs in scripts/kconfig. In the makes
# above it the kernel's own "%config" rule catches the name, which prepares the
# output folder and descends.
_GOAL = "hardened-askconfig"
_DUMP = "HARDENED_DUMP"
_FOLDER = "HARDENED_FOLDER"
_EVAL = (
    "$(if $(filter scripts/kconfig,$(obj)),$(eval "
    f"{_GOAL}: scripts/kconfig/conf ; "
    f"@env -0 {_FOLDER}='$$(CURDIR)' >\"$$$${_DUMP}\"))"
)

# What one make tells the next; none of it may reach the kernel's make from a make
# that runs us, nor conf from the kernel's make.
_MAKE_PRIVATE = re.compile(
    r"MAKE(FLAGS|FILES|LEVEL|OVERRIDES|_TERMOUT|_TERMERR|_RESTARTS)|MFLAGS|GNUMAKEFLAGS"
)
_NO_ARCH = re.compile(r"arch/(\S+)/Makefile: No such file or directory")
_STDERR_LINES = 12


class TreeError(UserError):
    """A kernel tree cannot be used; the message says which, why and what to do."""


@dataclass(frozen=True)
class Tree:
    """A kernel source tree with one output folder, architecture and compiler."""

    source: Path  # the kernel source (KDIR), absolute
    output: Path  # where conf runs (O=, or the source), absolute
    config: Path  # the .config (KCONFIG_CONFIG resolved in output), absolute
    version: str  # as `make kernelversion`: "6.12.117"
    arch: str  # ARCH as the kernel's make sees it: "x86"
    srcarch: str  # the folder under arch/: "x86"
    env: dict[str, str]  # the environment that make hands to conf
    conf: Path  # the built scripts/kconfig/conf
    defconfig: Path | None  # what `make defconfig` reads; None where it is a target

    @property
    def kconfig(self) -> str:
        """The name of the top Kconfig file, relative to the source."""
        return self.env.get("KBUILD_KCONFIG") or "Kconfig"


def open_tree(source: Path, variables: Mapping[str, str]) -> Tree:
    """Ask the kernel's make about the tree at source; build its conf if needed.

    variables holds what the user gave of VARIABLES; they mean what they mean on the
    command line of the kernel's make, so a relative O= starts at the source. No
    .config is read or written. Two runs on one source wait for each other.

    Raises TreeError if the folder is no kernel tree, cannot be written, is not
    clean (with O=), or if its make, architecture or compiler does not work.
    """
    unknown = set(variables) - set(VARIABLES)
    if unknown:
        raise ValueError(f"not variables of the kernel's make: {sorted(unknown)}")
    _check_source(source)
    source = source.resolve()
    _check_output(source, variables.get("O") or os.environ.get("KBUILD_OUTPUT"))
    with _one_at_a_time(source):
        env = _ask_make(source, variables)
    output = Path(env.pop(_FOLDER))
    _check_tools(source, env)
    configs = source / "arch" / env["SRCARCH"] / "configs"
    defconfig = configs / (env.get("KBUILD_DEFCONFIG") or "defconfig")
    return Tree(
        source=source,
        output=output,
        config=output / env["KCONFIG_CONFIG"],
        version=env["KERNELVERSION"],
        arch=env["ARCH"],
        srcarch=env["SRCARCH"],
        env=env,
        conf=output / "scripts/kconfig/conf",
        defconfig=defconfig if defconfig.is_file() else None,
    )


def _check_source(source: Path) -> None:
    if not source.exists():
        raise TreeError(f"{source}: no such folder; give a kernel tree as KDIR=")
    if not source.is_dir():
        raise TreeError(f"{source}: not a folder; give a kernel tree as KDIR=")
    for name in ("Makefile", "Kconfig", "scripts/kconfig/Makefile"):
        if not (source / name).is_file():
            raise TreeError(
                f"{source}: not a kernel tree ({name} is missing); "
                "give the top folder of a kernel source as KDIR="
            )


def _check_output(source: Path, given: str | None) -> None:
    """Make sure that conf can write where it runs.

    This matters beyond the .config: compiler tests create temporary folders there
    and quietly answer "n" if they cannot.
    """
    output = source / given if given else source
    hint = "give another O=" if given else "give a folder for the output as O="
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TreeError(
            f"{output}: cannot create this folder ({error.strerror}); {hint}"
        ) from error
    if not os.access(output, os.W_OK | os.X_OK):
        raise TreeError(f"{output}: this folder cannot be written; {hint}")


@contextmanager
def _one_at_a_time(source: Path) -> Iterator[None]:
    """Keep two of us from building one conf at the same time."""
    with open(source / "Kconfig", "rb") as file:
        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _ask_make(source: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Run the kernel's make; return the environment that it would hand to conf."""
    env = {k: v for k, v in os.environ.items() if not _MAKE_PRIVATE.fullmatch(k)}
    words = [f"{name}={value}" for name, value in variables.items()]
    with tempfile.NamedTemporaryFile(prefix="hardened-") as dump:
        # The kernel's Makefile drops LC_ALL for whatever it runs.
        env |= {_DUMP: dump.name, "LC_ALL": "C"}
        try:
            result = subprocess.run(
                ["make", "-s", "-C", source, f"--eval={_EVAL}", *words, _GOAL],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise TreeError(
                f"make: cannot run ({error.strerror}); install GNU make"
            ) from error
        answer = Path(dump.name).read_bytes()
    if result.returncode or not answer:
        raise _make_error(source, result.stdout)
    pairs = (item.split("=", 1) for item in os.fsdecode(answer).split("\0") if item)
    return {
        name: value
        for name, value in pairs
        if not _MAKE_PRIVATE.fullmatch(name) and name not in (_DUMP, "_")
    }


def _make_error(source: Path, output: str) -> TreeError:
    arch = _NO_ARCH.search(output)
    if arch:
        known = sorted(p.parent.name for p in source.glob("arch/*/Kconfig"))
        return TreeError(
            f"{source}: this kernel has no architecture {arch[1]!r}; "
            f"give ARCH= one of: {' '.join(known)}"
        )
    return TreeError(f"{source}: the kernel's make failed:\n{_tail(output)}")


def _check_tools(source: Path, env: Mapping[str, str]) -> None:
    """conf would stop at a missing compiler or linker too, but less plainly."""
    for variable, what in (("CC", "compiler"), ("LD", "linker")):
        program = (env.get(variable, "").split() or [""])[0]
        if not shutil.which(program, path=env.get("PATH")):
            raise TreeError(
                f"{source}: {what} {program!r} not found for ARCH={env['ARCH']}; "
                "install it, or name another with CROSS_COMPILE=, CC= or LLVM=1"
            )


def _tail(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-_STDERR_LINES:])
