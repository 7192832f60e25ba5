# SPDX-License-Identifier: GPL-2.0-only
"""audit/Makefile: what is built, what makes it build again, and what is an error."""

import re
import subprocess
from pathlib import Path

import pytest
from audit_building import DYNAMIC, built, make
from compiled import QEMU_ARM64, VARIANTS, run
from surroundings import ROOT, fetched


def elf(path: Path) -> str:
    """What readelf says of the headers and the dynamic section."""
    return subprocess.run(
        ["readelf", "-h", "-l", "-d", path], capture_output=True, check=True, text=True
    ).stdout


@pytest.mark.parametrize("variant", ["gcc", "clang"])
def test_static_and_dynamic(variant: str) -> None:
    static = elf(built("hardened-audit", variant))
    assert "INTERP" not in static and "(NEEDED)" not in static
    dynamic = elf(built(DYNAMIC, variant))
    assert "Requesting program interpreter" in dynamic
    assert re.search(r"\(NEEDED\).*\[libarchive\.so", dynamic)
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    # and nothing that is only needed by parts of libarchive that are not used
    assert not re.search(r"\[lib(nettle|xml2|acl|crypto)\.so", dynamic)


def test_arm64(debian_config) -> None:
    program = built("hardened-audit", "arm64")
    assert re.search(r"Machine: +AArch64", elf(program))
    config = debian_config("6.12", "cloud", "arm64")
    words = ("--format=csv", "--level=high", config)
    there, here = run(QEMU_ARM64, program, *words), run(built("hardened-audit"), *words)
    assert (there.status, there.stdout) == (here.status, here.stdout)
    assert here.status == 1


def test_the_same_from_every_compiler(debian_config) -> None:
    words = ("--json", debian_config("6.1", "cloud", "amd64"))
    outputs = {
        run(built(target, variant), *words).stdout
        for target, variant in (
            ("hardened-audit", "gcc"),
            ("hardened-audit", "clang"),
            (DYNAMIC, "gcc"),
        )
    }
    assert len(outputs) == 1


def test_a_changed_catalogue_is_built_again() -> None:
    """And only then."""
    target = built("hardened-audit")
    words = (*VARIANTS["gcc"], str(target))
    assert "GEN" not in make(target.parent, *words).stdout
    for source in ("docs/catalogue/memory.rst", "gen/catalogue.py"):
        changed = make(target.parent, *words, "-W", f"../{source}").stdout
        made = re.findall(r"^  (GEN|CC|LD) +\S*?([\w.-]+)$", changed, re.MULTILINE)
        assert made == [
            ("GEN", "catalogue.c"),
            ("CC", "catalogue.c"),
            ("LD", "hardened-audit"),
        ]


def test_a_mistake_in_the_catalogue_stops_the_build(tmp_path: Path) -> None:
    """The generator's message is make's, and nothing is left that looks built."""
    target = str(tmp_path / "catalogue.c")
    words = ("PYTHON=echo 'x.rst:7: cannot be expressed' >&2; false", target)
    result = make(tmp_path, *words)
    assert result.returncode == 2
    assert "x.rst:7: cannot be expressed" in result.stderr
    assert not Path(target).exists()


@pytest.fixture(name="libraries")
def fixture_libraries() -> Path:
    return fetched("debian-libraries.sh", "arm64")


def test_the_sysroot_has_static_libraries(libraries: Path) -> None:
    folder = libraries / "usr/lib/aarch64-linux-gnu"
    text = (ROOT / "audit/Makefile").read_text(encoding="utf-8")
    names = re.search(r"^LIBS := (.*)$", text, re.MULTILINE)
    assert names
    for name in re.findall(r"-l(\S+)", names[1]):
        assert (folder / f"lib{name}.a").exists()
