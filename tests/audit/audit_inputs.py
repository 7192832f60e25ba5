# SPDX-License-Identifier: GPL-2.0-only
"""What the auditor may be given, made small: compressed files, kernel images, packages.

All is made by the real tools, but for images and RPMs, whose headers are written here
so that tests can write wrong ones.
"""

import io
import struct
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from audit_building import built
from compiled import run

#: How each compression is made, as the kernel's build (scripts/Makefile.lib) does it
#: where it has that compression.
TOOLS = {
    "gzip": "gzip -n -9",
    "bzip2": "bzip2 -9",
    "xz": "xz --check=crc32 --x86 --lzma2=dict=32MiB",
    "lzma": "lzma -9",
    "lzo": "lzop -9",
    "lz4": "lz4 -9 -q",
    "lz4-legacy": "lz4 -l -9 -q",
    "zstd": "zstd -q --ultra -22",
}

BANNER = b"Linux version 6.12.99-test (someone@example.org) (gcc 12.2.0) #1 SMP\n\0"


@dataclass
class Found:
    """One config that was found."""

    source: str
    text: bytes


def read(*paths: str | Path, status: int = 0, variant: str = "gcc") -> list[Found]:
    """What the auditor finds in files."""
    program = built("unit/show_input", variant)
    result = run(program, *paths, text=False)
    assert result.status == status, result.stderr
    output = io.BytesIO(result.stdout or b"")  # type: ignore[arg-type]
    found = []
    while source := output.readline():
        size = int(output.readline())
        found.append(Found(source.decode().rstrip("\n"), output.read(size)))
    return found


def problem(path: str | Path, variant: str = "gcc") -> str:
    """The message about a file in which nothing is found; it names the file, and it is
    one line."""
    result = run(built("unit/show_input", variant), path)
    assert (result.status, result.stdout[:200]) == (2, ""), result.stderr
    assert result.stderr.startswith(f"{path}:")
    assert result.stderr.count("\n") == 1
    return result.stderr.rstrip("\n")


def compress(how: str, data: bytes) -> bytes:
    """data, compressed by the tool."""
    return subprocess.run(
        TOOLS[how].split(), input=data, stdout=subprocess.PIPE, check=True
    ).stdout


def kernel_proper(config: bytes | None) -> bytes:
    """What is compressed in an image: a banner and, if it is built in, a config."""
    built_in = b""
    if config is not None:
        built_in = b"IKCFG_ST" + compress("gzip", config) + b"IKCFG_ED"
    return bytes(70000) + BANNER + bytes(range(256)) * 300 + built_in + bytes(5000)


def bzimage(payload: bytes, length: int | None = None) -> bytes:
    """An x86 image of protocol 2.15 with four sectors of setup code."""
    header = bytearray(5 * 512)
    header[0x1F1] = 4
    header[0x202:0x208] = b"HdrS\x0f\x02"
    size = len(payload) if length is None else length
    header[0x248:0x250] = struct.pack("<II", 0x300, size)
    return bytes(header) + bytes(0x300) + payload + bytes(3000)


def zboot(payload: bytes) -> bytes:
    """EFI's zboot image, as arm64 and riscv have it."""
    start = b"MZ\0\0zimg" + struct.pack("<II", 0x1000, len(payload)) + bytes(8)
    return (start + b"zstd").ljust(0x1000, b"\0") + payload + bytes(512)


def uimage(payload: bytes, compression: int = 1) -> bytes:
    """U-Boot's image of a kernel, by default one that says it is gzipped."""
    header = struct.pack(
        ">IIIIIIIBBBB32s",
        *(0x27051956, 0, 0, len(payload), 0, 0, 0),
        *(5, 2, 2, compression, b"Linux"),
    )
    return header + payload


def tar(members: dict[str, bytes | str], form: int = tarfile.GNU_FORMAT) -> bytes:
    """A tar archive; a str is a symbolic link to there."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=form) as out:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            if isinstance(data, str):
                info.type, info.linkname, data = tarfile.SYMTYPE, data, b""
            info.size = len(data)
            out.addfile(info, io.BytesIO(data))
    return archive.getvalue()


def ar(members: dict[str, bytes]) -> bytes:
    """An ar archive, as dpkg-deb makes it."""
    parts = [b"!<arch>\n"]
    for name, data in members.items():
        parts.append(
            f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        )
        parts.append(data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def deb(members: dict[str, bytes | str], how: str = "xz") -> bytes:
    """A Debian package."""
    ending = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}[how]
    return ar(
        {
            "debian-binary": b"2.0\n",
            "control.tar.xz": compress("xz", tar({"./control": b"Package: x\n"})),
            f"data.tar{ending}": compress(how, tar(members)),
        }
    )


def cpio(members: dict[str, bytes | str]) -> bytes:
    """A cpio archive of the kind that is in RPMs."""
    parts = []
    for number, (name, data) in enumerate([*members.items(), ("TRAILER!!!", b"")], 1):
        mode = 0o100644
        if isinstance(data, str):
            mode, data = 0o120777, data.encode()
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode()
        parts.append(head + bytes(4 - (len(head) % 4)))
        parts.append(data + bytes(-len(data) % 4))
    return b"".join(parts)


def rpm(members: dict[str, bytes | str], how: str = "zstd") -> bytes:
    """An RPM with headers that say nothing."""

    def header(store: bytes) -> bytes:
        entry = struct.pack(">IIII", 1000, 7, 0, len(store))
        return (
            b"\x8e\xad\xe8\x01"
            + bytes(4)
            + struct.pack(">II", 1, len(store))
            + entry
            + store
        )

    lead = b"\xed\xab\xee\xdb\x03\0".ljust(96, b"\0")
    signature = header(b"12345")
    padding = bytes(-len(signature) % 8)
    return lead + signature + padding + header(b"abc") + compress(how, cpio(members))
