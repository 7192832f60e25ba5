# SPDX-License-Identifier: GPL-2.0-only
"""Small inputs from which a fuzzer starts: valid ones of every kind."""

from pathlib import Path

from audit_inputs import (
    TOOLS,
    ar,
    bzimage,
    compress,
    cpio,
    deb,
    kernel_proper,
    rpm,
    tar,
    uimage,
    zboot,
)

CONFIG = b"CONFIG_SLAB=y\n# CONFIG_DEVMEM is not set\n"


def _unpack() -> dict[str, bytes]:
    seeds = {how: compress(how, CONFIG) for how in TOOLS}
    return seeds | {f"{how}-twice": data * 2 for how, data in seeds.items()}


def _image() -> dict[str, bytes]:
    small = b"IKCFG_ST" + compress("gzip", CONFIG) + b"IKCFG_ED"
    seeds = {f"bzImage-{how}": bzimage(compress(how, small)) for how in TOOLS}
    seeds |= {f"only-{how}": compress(how, small) for how in TOOLS}
    return seeds | {
        "plain": small,
        "kernel": compress("gzip", kernel_proper(CONFIG)),
        "zboot": zboot(compress("zstd", small)),
        "uImage": uimage(compress("gzip", small)),
        "uImage-zImage": uimage(bytes(64) + compress("lzo", small), 0),
    }


def _package() -> dict[str, bytes]:
    members: dict[str, bytes | str] = {
        "./boot/config-6.1": CONFIG,
        "./usr/lib/modules/6.1/config": "../../../../boot/config-6.1",
        "./usr/src/linux-config-6.1/config.amd64.xz": compress("xz", CONFIG),
        "./lib/modules/6.1/vmlinuz": compress("gzip", kernel_proper(CONFIG)),
    }
    small = b"IKCFG_ST" + compress("gzip", CONFIG) + b"IKCFG_ED"
    image: dict[str, bytes | str] = {
        "boot/vmlinuz-6.1": bzimage(compress("lz4", small))
    }
    return {
        "tar": tar(members),
        "tar-pax": tar(members, 2),
        "tar-image": tar(image),
        "deb": deb(members),
        "deb-gzip": deb(members, "gzip"),
        "deb-zstd": deb(members, "zstd"),
        "deb-plain": ar({"debian-binary": b"2.0\n", "data.tar": tar(members)}),
        "rpm": rpm(members),
        "rpm-gzip": rpm(members, "gzip"),
        "rpm-image": rpm(image, "xz"),
        "ipk": tar({"./data.tar.gz": compress("gzip", tar(members))}),
        "cpio": cpio(members),
    }


SEEDS = {"unpack": _unpack, "image": _image, "package": _package}


def write_seeds(target: str, folder: Path) -> None:
    """The seeds of the fuzz target of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in SEEDS[target]().items():
        (folder / name).write_bytes(data)
