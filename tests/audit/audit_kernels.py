# SPDX-License-Identifier: GPL-2.0-only
"""Real kernels with IKCONFIG, as small as can be, built from Debian's source.

The first takes a minute or two, another compression of it some seconds; they are kept
under build/ from one run of the tests to the next.
"""

import fcntl
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from surroundings import KEPT, clean_environment, kernel_source

VERSION = "6.12"
COMPRESSIONS = ("gzip", "bzip2", "lzma", "xz", "lzo", "lz4", "zstd")
X86 = ("ARCH=i386",)
ARM64 = ("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, *words: str) -> None:
    source = kernel_source(VERSION)
    result = subprocess.run(
        ["make", "-s", "-C", source, f"O={folder}", *words],
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
    )
    assert result.returncode == 0, result.stdout


def _configure(folder: Path, arch: tuple[str, ...], *lines: str) -> None:
    """The smallest config there is, and lines; of these each must hold in the end."""
    _make(folder, *arch, "tinyconfig")
    with open(folder / ".config", "a", encoding="utf-8") as config:
        config.write("".join(f"{line}\n" for line in lines))
    _make(folder, *arch, "olddefconfig")
    settled = (folder / ".config").read_text(encoding="utf-8").splitlines()
    assert not set(lines) - set(settled)


def tiny_kernel(how: str) -> tuple[Path, Path, bytes]:
    """bzImage and vmlinux of a kernel for x86, compressed so, and its config."""
    folder = KEPT / f"tiny-{VERSION}"
    done = folder / how
    with _locked(folder):
        if not done.exists():
            unwanted = [
                f"# CONFIG_KERNEL_{other.upper()} is not set"
                for other in COMPRESSIONS
                if other != how
            ]
            wanted = (f"CONFIG_KERNEL_{how.upper()}=y", "CONFIG_IKCONFIG=y")
            _configure(folder / "build", X86, *unwanted, *wanted)
            _make(folder / "build", *X86, "-j2", "bzImage")
            new = folder / f"{how}.new"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            for name in ("arch/x86/boot/bzImage", "vmlinux", ".config"):
                shutil.copy(folder / "build" / name, new)
            new.rename(done)
    return done / "bzImage", done / "vmlinux", (done / ".config").read_bytes()


def tiny_kernel_arm64() -> tuple[Path, bytes]:
    """A folder with Image, Image.gz and vmlinuz.efi, and their config."""
    folder = KEPT / f"tiny-{VERSION}-arm64"
    boot = folder / "arch/arm64/boot"
    with _locked(folder):
        if not (folder / "done").exists():
            lines = ("CONFIG_IKCONFIG=y", "CONFIG_EFI=y", "CONFIG_EFI_ZBOOT=y")
            _configure(folder, ARM64, *lines, "CONFIG_KERNEL_ZSTD=y")
            _make(folder, *ARM64, "-j2", "Image", "Image.gz", "vmlinuz.efi")
            (folder / "done").touch()
    return boot, (folder / ".config").read_bytes()
