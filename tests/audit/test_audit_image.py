# SPDX-License-Identifier: GPL-2.0-only
"""IKCONFIG in kernel images: made up ones, and real ones."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import built
from audit_inputs import (
    BANNER,
    TOOLS,
    Found,
    bzimage,
    compress,
    kernel_proper,
    problem,
    read,
    uimage,
    zboot,
)
from audit_kernels import COMPRESSIONS, tiny_kernel, tiny_kernel_arm64
from compiled import run
from surroundings import fetched

CONFIG = b"#\n# Linux/x86 6.12.99 Kernel Configuration\n#\nCONFIG_SLAB=y\n" * 200

#: Images that name the place of the compressed kernel, and ones that do not.
IMAGES: dict[str, Callable[[bytes], bytes]] = {
    "bzImage": bzimage,
    "zboot": zboot,
    "uImage": uimage,
    "unnamed": lambda payload: bytes(range(250)) * 1000 + payload + bytes(5000),
    "bare": lambda payload: payload,
}


def noise(size: int) -> bytes:
    """What does not get smaller; the same each time."""
    return random.Random(size).randbytes(size)


def named(how: str) -> str:
    """A compression as the source of a config calls it."""
    return how.removesuffix("-legacy")


@pytest.mark.parametrize("image", IMAGES)
@pytest.mark.parametrize("how", TOOLS)
def test_compressions(tmp_path: Path, image: str, how: str) -> None:
    path = tmp_path / "vmlinuz"
    path.write_bytes(IMAGES[image](compress(how, kernel_proper(CONFIG))))
    [found] = read(path)
    assert found.text == CONFIG
    # A bare one is a compressed file with a kernel in it.
    inside = "IKCONFIG" if image == "bare" else f"IKCONFIG, {named(how)}"
    assert found.source == f"{path} ({inside})"


@pytest.mark.parametrize("how", TOOLS)
def test_parts_that_do_not_get_smaller(tmp_path: Path, how: str) -> None:
    """Formats store them as they are."""
    path = tmp_path / "vmlinuz"
    kernel = noise(600000) + kernel_proper(CONFIG) + noise(600000)
    path.write_bytes(bzimage(compress(how, kernel)))
    assert read(path) == [Found(f"{path} (IKCONFIG, {named(how)})", CONFIG)]


def test_not_compressed(tmp_path: Path) -> None:
    path = tmp_path / "vmlinux"
    path.write_bytes(kernel_proper(CONFIG))
    assert read(path) == [Found(f"{path} (IKCONFIG)", CONFIG)]


def test_across_windows(tmp_path: Path) -> None:
    """It is found wherever the decoder's pieces end."""
    path = tmp_path / "vmlinux.gz"
    built_in = b"IKCFG_ST" + compress("gzip", CONFIG) + b"IKCFG_ED"
    for start in range(65536 - 24, 65536 + 3):
        path.write_bytes(compress("gzip", b"\x01" * start + built_in))
        assert read(path)[0].text == CONFIG


def test_images_in_images(tmp_path: Path) -> None:
    path = tmp_path / "image"
    inner = bzimage(compress("xz", kernel_proper(CONFIG)))
    for data in (
        compress("gzip", inner),
        uimage(inner, 0),
        uimage(compress("zstd", inner)),
        bytes(1000) + compress("gzip", bytes(1000) + compress("lzo", inner)),
    ):
        path.write_bytes(data)
        assert [found.text for found in read(path)] == [CONFIG]


def test_module(tmp_path: Path) -> None:
    """IKCONFIG=m: a module that holds it."""
    path = tmp_path / "configs.ko.xz"
    module = b"\x7fELF\x02" + bytes(500) + kernel_proper(CONFIG)[70000:]
    path.write_bytes(compress("xz", module))
    assert read(path) == [Found(f"{path} (IKCONFIG)", CONFIG)]


@pytest.mark.parametrize("image", IMAGES)
def test_without_ikconfig(tmp_path: Path, image: str) -> None:
    path = tmp_path / "vmlinuz"
    path.write_bytes(IMAGES[image](compress("zstd", kernel_proper(None))))
    assert problem(path) == (
        f"{path}: Linux version 6.12.99-test was built without IKCONFIG; "
        "give its config file"
    )


def test_banner_before_the_kernel(tmp_path: Path) -> None:
    """lz4 and lzo leave parts as they were: a banner in sight is not the kernel yet."""
    path = tmp_path / "vmlinuz"
    path.write_bytes(BANNER + bytes(500) + compress("xz", kernel_proper(CONFIG)))
    assert read(path)[0].text == CONFIG
    path.write_bytes(compress("gzip", path.read_bytes()))
    assert read(path)[0].text == CONFIG


def test_decoys(tmp_path: Path) -> None:
    """Places that only look like the start of something."""
    path = tmp_path / "vmlinuz"
    starts = [compress(how, b"\x01\x02\x03" * 99)[:40] for how in TOOLS]
    decoys = b"".join(start + noise(50) for start in starts)
    decoys += b"IKCFG_ST" + b"IKCFG_ST" + compress("gzip", CONFIG)[:50] + b"IKCFG_ED"
    path.write_bytes(bytes(100) + decoys * 5 + compress("xz", kernel_proper(CONFIG)))
    assert read(path)[0].text == CONFIG


@pytest.mark.parametrize("image", ["bzImage", "zboot", "uImage", "bare"])
@pytest.mark.parametrize("how", TOOLS)
def test_cut_short(tmp_path: Path, image: str, how: str) -> None:
    path = tmp_path / "vmlinuz"
    payload = compress(how, noise(100000) + kernel_proper(CONFIG))
    data = IMAGES[image](payload)
    path.write_bytes(data[: data.index(payload) + 50000])
    assert "cut short; copy or fetch it again" in problem(path)


def test_damaged(tmp_path: Path) -> None:
    path = tmp_path / "vmlinuz"
    payload = bytearray(compress("gzip", kernel_proper(CONFIG)))
    payload[10] |= 7  # a type of block that there is not
    path.write_bytes(bzimage(bytes(payload)))
    assert "the gzip data in it is damaged" in problem(path)


def test_damaged_ikconfig(tmp_path: Path) -> None:
    path = tmp_path / "vmlinux"
    for config in (compress("gzip", CONFIG)[:-3], compress("gzip", b"#" * (17 << 20))):
        path.write_bytes(bytes(99) + BANNER + bytes(99) + b"IKCFG_ST" + config)
        assert "its IKCONFIG is damaged, or larger than 16 MiB" in problem(path)


def test_wrong_headers(tmp_path: Path) -> None:
    """A place and length beyond the file, or beyond what numbers hold."""
    path = tmp_path / "vmlinuz"
    good = bzimage(compress("gzip", kernel_proper(None)))
    for start, length in (
        (2**32 - 1, 2**32 - 1),
        (2**31, 5),
        (0, 0),
        (9, 2**32 - 1),
    ):
        wrong = bytearray(good)
        wrong[0x248:0x250] = start.to_bytes(4, "little") + length.to_bytes(4, "little")
        path.write_bytes(bytes(wrong))
        assert "cut short" in problem(path) or "without IKCONFIG" in problem(path)
    for size in range(0, 0x260, 7):
        path.write_bytes(b"\x00" + good[1:size])
        problem(path)


@pytest.mark.parametrize("how", [*TOOLS, "IKCFG_ST"])
def test_millions_of_starts(tmp_path: Path, how: str) -> None:
    path = tmp_path / "vmlinuz"
    start = compress(how, b"x" * 50)[:13] if how in TOOLS else b"IKCFG_ST"
    path.write_bytes(bytes(64) + start * 2000000)
    assert "give the kernel's config file" in problem(path)


def test_large(tmp_path: Path) -> None:
    """A vmlinux with debug information takes little memory, with a config or not."""
    path = tmp_path / "vmlinux"
    path.write_bytes(b"\x7fELF" + kernel_proper(CONFIG))
    os.truncate(path, 600 << 20)
    assert read(path)[0].text == CONFIG
    program = built("unit/show_input")
    path.write_bytes(b"\x7fELF" + kernel_proper(None))
    os.truncate(path, 600 << 20)
    result = run("prlimit", f"--data={300 << 20}", program, path)
    assert "Linux version 6.12.99-test was built without IKCONFIG" in result.stderr


def test_debian_kernel() -> None:
    """Debian builds its kernels without; this is the kernel's own banner."""
    image = fetched("debian-kernel.sh", "6.1", "cloud", "amd64")
    release = (image.parent / "release").read_text(encoding="utf-8").strip()
    assert f"Linux version {release} was built without IKCONFIG" in problem(image)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(how, marks=[] if how == "gzip" else pytest.mark.long)
        for how in COMPRESSIONS
    ],
)
@pytest.mark.xdist_group("tiny_kernel")
def test_real_kernel(how: str) -> None:
    """One built here, which has the config that it was built with."""
    image, vmlinux, config = tiny_kernel(how)
    [found] = read(image)
    assert found.text == config
    assert found.source == f"{image} (IKCONFIG, {named(how)})"
    assert read(vmlinux) == [Found(f"{vmlinux} (IKCONFIG)", config)]


@pytest.mark.long
@pytest.mark.xdist_group("tiny_kernel")
def test_real_kernel_arm64() -> None:
    """Image, Image.gz, and the image that EFI unpacks."""
    folder, config = tiny_kernel_arm64()
    for name in ("Image", "Image.gz", "vmlinuz.efi"):
        [found] = read(folder / name)
        assert found.text == config
