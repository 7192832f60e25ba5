# SPDX-License-Identifier: GPL-2.0-only
"""What hardened-audit itself makes of a config in its wrappings."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_inputs import bzimage, compress, deb, kernel_proper, rpm, tar
from compiled import Run

Audit = Callable[..., Run]

WRAPPED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "plain": (lambda text: text, ""),
    "gzip": (lambda text: compress("gzip", text), ""),
    "zstd": (lambda text: compress("zstd", text), ""),
    "lzop": (lambda text: compress("lzo", text), ""),
    "bzImage": (
        lambda text: bzimage(compress("lz4-legacy", kernel_proper(text))),
        " (IKCONFIG, lz4)",
    ),
    "deb": (lambda text: deb({"./boot/config-1": text}), ":./boot/config-1"),
    "rpm": (lambda text: rpm({"./boot/config-1": text}), ":./boot/config-1"),
    "image in tar": (
        lambda text: tar({"boot/vmlinuz": compress("xz", kernel_proper(text))}),
        ":boot/vmlinuz (IKCONFIG, xz)",
    ),
}


@pytest.mark.parametrize("how", WRAPPED)
def test_same_verdicts(
    tmp_path: Path, run_audit: Audit, debian_config: Callable[..., Path], how: str
) -> None:
    """Whatever a config is wrapped in, its kernel is judged as from the plain file."""
    config = debian_config("6.1", "cloud", "amd64")
    wrap, suffix = WRAPPED[how]
    path = tmp_path / "given"
    path.write_bytes(wrap(config.read_bytes()))
    plain, wrapped = (
        json.loads(run_audit("--level", "high", "--json", file).stdout)
        for file in (config, path)
    )
    assert wrapped["source"] == f"{path}{suffix}"
    assert wrapped["kernel"] == plain["kernel"] != ""
    for report in (plain, wrapped):
        for setting in report["settings"]:
            setting["where"] = setting["where"].replace(report["source"], "")
    assert wrapped["settings"] == plain["settings"]


def test_refused(tmp_path: Path, run_audit: Audit) -> None:
    """Exit status 2, and a message with the path, the cause and what to do."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    bomb = tmp_path / "bomb"
    bomb.write_bytes(compress("zstd", bytes(64 << 20)) * 160)
    for path, message in (
        (fifo, "nobody writes to this FIFO; start what writes to it first"),
        (bomb, "unpacks to more than 2048 MiB"),
        (Path("/dev/zero"), "it is a device; give a config"),
        (tmp_path, f"it is a directory; for the system in it say --root {tmp_path}"),
        (Path("/bin/ls"), "neither a config, nor a kernel image"),
    ):
        result = run_audit("--level", "low", path)
        assert result.status == 2
        assert f"{path}: " in result.stderr and message in result.stderr
