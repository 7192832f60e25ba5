# SPDX-License-Identifier: GPL-2.0-only
"""probes/Makefile and the targets of the top: what is built, and when it is not."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from building import PROBES, VARIANTS, built, make
from surroundings import ROOT


def elf(path: Path) -> str:
    """What readelf says of the program headers and the dynamic section."""
    return subprocess.run(
        ["readelf", "-h", "-l", "-d", path], capture_output=True, check=True, text=True
    ).stdout


@pytest.mark.parametrize("name", PROBES)
@pytest.mark.parametrize("variant", ["gcc", "clang"])
def test_dynamic_and_static(name: str, variant: str) -> None:
    dynamic = elf(built(name, variant))
    assert "Requesting program interpreter" in dynamic
    assert re.search(r"\(NEEDED\).*\[libseccomp\.so", dynamic)
    static = elf(built(f"static/{name}", variant))
    assert "INTERP" not in static and "(NEEDED)" not in static


@pytest.mark.parametrize("name", PROBES)
def test_arm64(name: str) -> None:
    for target in (name, f"static/{name}"):
        assert re.search(r"Machine: +AArch64", elf(built(target, "arm64")))


@pytest.mark.parametrize("name", PROBES)
def test_no_search_path_is_left_in_a_program(name: str) -> None:
    assert "RUNPATH" not in elf(built(name)) and "RPATH" not in elf(built(name))


def test_the_list_of_probes_is_the_same_everywhere() -> None:
    text = (ROOT / "probes/Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^PROBES := (.*)$", text, re.MULTILINE)
    assert listed and tuple(listed[1].split()) == PROBES


@pytest.fixture(name="sources")
def fixture_sources(tmp_path: Path) -> Path:
    """A Makefile with two small probes beside it."""
    folder = tmp_path / "probes"
    (folder / "lib").mkdir(parents=True)
    for name in ("Makefile", "lib/build.mk"):
        shutil.copy(ROOT / "probes" / name, folder / name)
    (folder / "lib/number.h").write_text("int number(void);\n")
    (folder / "lib/number.c").write_text(
        '#include "number.h"\nint number(void)\n{\n\treturn 1;\n}\n'
    )
    for name in PROBES:
        (folder / name).mkdir()
        (folder / name / "main.c").write_text(
            '#include "number.h"\nint main(void)\n{\n\treturn number();\n}\n'
        )
    return folder


def compiled(folder: Path, *words: str) -> list[str]:
    """Run make there: what it compiled, put together and linked."""
    result = subprocess.run(
        ["make", "-C", folder, f"BUILD={folder}/out", "dynamic", "LIBS=", *words],
        capture_output=True,
        check=False,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return re.findall(r"^  (?:CC|AR|LD) +(\S+)", result.stdout, re.MULTILINE)


def test_only_what_has_changed_is_built_again(sources: Path) -> None:
    few = ("PROBES=getrandom wipeonfork", "LIBS_getrandom=")
    assert len(compiled(sources, *few)) == 1 + 1 + 2 + 2
    assert not compiled(sources, *few)

    (sources / "wipeonfork/main.c").touch()
    assert [Path(p).name for p in compiled(sources, *few)] == ["main.c", "wipeonfork"]

    (sources / "lib/number.h").touch()
    assert len(compiled(sources, *few)) == 6


@pytest.mark.parametrize("word", ["CC=clang", "CFLAGS=-O1", "EXTRA_LDFLAGS=-s"])
def test_another_compiler_or_flags_build_all_again(sources: Path, word: str) -> None:
    few = ("PROBES=wipeonfork",)
    compiled(sources, *few)
    assert len(compiled(sources, *few, word)) == 4
    assert not compiled(sources, *few, word)


def test_a_source_that_comes_or_goes_is_noticed(sources: Path) -> None:
    few = ("PROBES=wipeonfork",)
    compiled(sources, *few)
    more = sources / "lib/more.c"
    more.write_text("int more;\n")
    assert str(more.relative_to(sources)) in compiled(sources, *few)
    more.unlink()
    assert "lib/number.c" in compiled(sources, *few)
    archive = subprocess.run(
        ["ar", "t", sources / "out/libprobe.a"], capture_output=True, text=True
    )
    assert archive.stdout == "number.o\n"


def test_a_warning_is_an_error_here(tmp_path: Path) -> None:
    """-Werror is at work in what the other tests build."""
    bad = tmp_path / "bad.c"
    bad.write_text("static int unused;\n")
    words = (*VARIANTS["gcc"], f"{tmp_path}/obj/bad.o", f"VPATH={tmp_path}")
    result = make(tmp_path, *words)
    assert result.returncode != 0 and "-Werror=unused-variable" in result.stderr
