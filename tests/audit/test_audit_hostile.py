# SPDX-License-Identifier: GPL-2.0-only
"""Files that were made to do harm: bombs, cut and damaged ones of every kind."""

import random
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from audit_building import built
from audit_inputs import (
    TOOLS,
    bzimage,
    compress,
    deb,
    kernel_proper,
    problem,
    rpm,
    tar,
    uimage,
    zboot,
)
from compiled import Run, run

MIB = 1 << 20
#: What all tests here have for their data.
MEMORY = 400 * MIB

#: Small valid inputs of every kind, made from a config.
KINDS: dict[str, Callable[[bytes], bytes]] = {
    **{how: partial(compress, how) for how in TOOLS},
    "vmlinux": kernel_proper,
    "bzImage": lambda text: bzimage(compress("lz4-legacy", kernel_proper(text))),
    "zboot": lambda text: zboot(compress("zstd", kernel_proper(text))),
    "uImage": lambda text: uimage(compress("gzip", kernel_proper(text))),
    "deb": lambda text: deb({"./boot/config-1": text}),
    "deb-gzip": lambda text: deb({"./boot/config-1": text}, "gzip"),
    "rpm": lambda text: rpm({"./boot/config-1": text}),
    "tar": lambda text: tar({"boot/config-1": text, "boot/config-2": text + b"#"}),
    "image-in-tar": lambda text: tar({"boot/vmlinuz": kernel_proper(text)}),
}


def limited(*words: str | Path) -> Run:
    return run("prlimit", f"--data={MEMORY}", built("unit/show_input"), *words)


def sanitized(paths: list[Path]) -> None:
    """Whatever comes out, no sanitizer finds anything, and a file that is refused has
    added nothing."""
    result = run(built("unit/show_input", "sanitized"), *paths, text=False)
    assert result.status in (0, 2), result.stderr[-3000:]


def zeros(how: str, size: int) -> Iterator[bytes]:
    """So many zeros in parts, each compressed; together they are one file."""
    part = compress(how, bytes(64 * MIB))
    if how == "lz4-legacy":
        yield part[:4]
        part = part[4:]
    for _ in range(size // (64 * MIB)):
        yield part


@pytest.mark.parametrize("how", TOOLS)
def test_text_bomb(tmp_path: Path, how: str) -> None:
    path = tmp_path / "config"
    path.write_bytes(compress(how, b"#" * (20 * MIB)))
    assert "larger than 16 MiB, and no config is" in problem(path)


@pytest.mark.parametrize(
    "how",
    [
        "zstd",
        "lz4",
        "lz4-legacy",
        *(pytest.param(how, marks=pytest.mark.long) for how in ("gzip", "bzip2", "xz")),
    ],
)
def test_bomb(tmp_path: Path, how: str) -> None:
    """10 GB of zeros: told soon, in little memory, with the limit."""
    path = tmp_path / "vmlinuz"
    with open(path, "wb") as file:
        file.writelines(zeros(how, 10 << 30))
    result = limited(path)
    assert (result.status, result.stdout) == (2, "")
    assert "unpacks to more than 2048 MiB, more than any kernel" in result.stderr


@pytest.mark.long
@pytest.mark.parametrize("how", ["lzma", "lzo"])
def test_bomb_in_one_part(tmp_path: Path, how: str) -> None:
    path = tmp_path / "vmlinuz"
    with open(path, "wb") as file, subprocess.Popen(
        TOOLS[how].replace("-9", "-1").split(), stdin=subprocess.PIPE, stdout=file
    ) as tool:
        assert tool.stdin
        for _ in range(10 << 6):
            tool.stdin.write(bytes(16 * MIB))
    result = limited(path)
    assert (result.status, result.stdout) == (2, "")
    assert "unpacks to more than 2048 MiB" in result.stderr


def test_bombs_in_a_package(tmp_path: Path) -> None:
    """Before a config, in its place, and in that of an image."""
    path = tmp_path / "package"
    member = compress("zstd", bytes(64 * MIB)) * 160
    for name in ("boot/config-1.zst", "boot/vmlinuz-1"):
        path.write_bytes(tar({name: member}))
        result = limited(path)
        assert (result.status, result.stdout) == (2, "")
        assert "more than 2048 MiB" in result.stderr
    header = tar({"x": b""})[:512]
    big = bytearray(header)
    big[124:136] = b"%011o\0" % (8 << 30)
    big[148:156] = b" " * 8
    big[148:156] = b"%06o\0 " % sum(big)
    path.write_bytes(compress("zstd", bytes(big)) + member)
    result = limited(path)
    assert (result.status, result.stdout) == (2, "")
    assert "more than 2048 MiB" in result.stderr


def test_bombs_of_names(tmp_path: Path) -> None:
    """Headers of archives with names of gigabytes, which are there."""
    path = tmp_path / "package"
    empty = rpm({})
    start = empty[: empty.index(b"abc") + 3]
    many = compress("zstd", b"a" * (64 * MIB)) * 30
    name = b"070701" + b"%08x" % 0 * 11 + b"%08x" % (2**31) + b"%08x" % 0
    path.write_bytes(start + compress("zstd", name) + many)
    result = limited(path)
    assert (result.status, result.stdout) == (2, "")
    for kind in (b"L", b"K", b"x", b"g"):
        header = bytearray(tar({"x": b""})[:512])
        header[124:136] = b"%011o\0" % (2 << 30)
        header[156:157] = kind
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        path.write_bytes(compress("zstd", bytes(header)) + many)
        result = limited(path)
        assert (result.status, result.stdout) == (2, "")


@pytest.mark.parametrize("kind", KINDS)
def test_cut(tmp_path: Path, debian_config: Callable[..., Path], kind: str) -> None:
    """A real config, cut anywhere: it is found whole or not at all."""
    config = debian_config("6.1", "cloud", "amd64").read_bytes()
    data = KINDS[kind](config)
    cuts = [*range(0, 600, 31), *range(600, len(data), max(1000, len(data) // 150))]
    paths = []
    for cut in cuts:
        path = tmp_path / f"cut-{cut}"
        path.write_bytes(data[:cut])
        paths.append(path)
    sanitized(paths)
    result = run(built("unit/show_input"), *paths)
    assert len(result.stderr.splitlines()) + result.stdout.count(
        config.decode()
    ) >= len(paths)
    # of the text of a config, nothing that is not the whole
    assert result.stdout.count("# Automatically generated") == result.stdout.count(
        config.decode()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_damaged(tmp_path: Path, kind: str) -> None:
    """Bits and bytes that are others than they were: the same ones each time."""
    chance = random.Random(kind)
    data = KINDS[kind](b"CONFIG_SLAB=y\n# CONFIG_DEVMEM is not set\n" * 20)
    paths = []
    for number in range(120):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 9))):
            # most often where the headers are
            end = chance.choice((64, 700, len(data)))
            place = chance.randrange(min(end, len(data)))
            if number % 2:
                damaged[place] ^= 1 << chance.randrange(8)
            else:
                damaged[place] = chance.choice((0, 0x7F, 0x80, 0xFF))
        path = tmp_path / str(number)
        path.write_bytes(damaged)
        paths.append(path)
    sanitized(paths)


@pytest.mark.parametrize("how", TOOLS)
def test_damage_is_seen(tmp_path: Path, how: str) -> None:
    """All these formats have a checksum of the contents, but lzma and lz4 -l."""
    if how in ("lzma", "lz4-legacy"):
        pytest.skip(f"{how} has no checksum")
    text = random.Random(1).randbytes(3000).hex().encode()
    data = bytearray(compress(how, text))
    path = tmp_path / "config"
    for place in range(len(data) // 4, len(data) * 3 // 4, 37):
        data[place] ^= 0x10
        path.write_bytes(data)
        message = problem(path)
        assert "damaged" in message or "cut short" in message
        data[place] ^= 0x10
