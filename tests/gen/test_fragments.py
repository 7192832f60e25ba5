# SPDX-License-Identifier: GPL-2.0-only
"""The fragments: as committed, as merge_config.sh and conf read them."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from small_catalogue import entry
from surroundings import ROOT

from gen.catalogue import read_catalogue, read_texts
from gen.entries import SRCARCH, Level
from gen.errors import UserError
from gen.fragments import all_fragments, fragment

UNSET = re.compile(r"# CONFIG_\w+ is not set")
SET = re.compile(r'CONFIG_\w+=(y|m|-?\d+|0x[0-9a-f]+|".*")')


def lines_of(text: str, level: Level = Level.LOW, folder: str = "") -> list[str]:
    result = fragment(read_texts([("a.rst", text)]), level, folder)
    return [line for line in result.splitlines()[3:] if line]


def test_committed_fragments_are_those_of_the_catalogue() -> None:
    texts = all_fragments(read_catalogue(ROOT / "docs/catalogue"))
    folder = ROOT / "fragments"
    committed = {p.relative_to(folder): p.read_text() for p in folder.rglob("*.config")}
    assert sorted(committed) == sorted(texts)
    differing = [str(path) for path in texts if committed[path] != texts[path]]
    assert not differing, "run `make fragments`"


def test_every_level_and_architecture_has_a_fragment() -> None:
    for level in Level:
        for folder in ("", *set(SRCARCH.values())):
            assert (ROOT / "fragments" / folder / f"hardened{level}.config").is_file()


def test_every_line_sets_unsets_or_is_a_plain_comment() -> None:
    """The kernel's own fragment once had "# CONFIG_X", which disables nothing."""
    for path in (ROOT / "fragments").rglob("*.config"):
        for line in path.read_text().splitlines():
            if line.startswith("# CONFIG_"):
                assert UNSET.fullmatch(line), (path, line)
            elif line and not line.startswith("# "):
                assert SET.fullmatch(line), (path, line)


def test_forms_of_lines() -> None:
    text = entry("CONFIG_A=n", ":Reason: one less")
    text += entry("CONFIG_B=y") + entry('CONFIG_C="x"') + entry("CONFIG_D>=0x10")
    text += entry("CONFIG_E=max") + entry('CONFIG_F contains "yama"')
    assert lines_of(text) == [
        "# one less",
        "# CONFIG_A is not set",
        "CONFIG_B=y",
        'CONFIG_C="x"',
        "CONFIG_D=0x10",
        "# by hand, as it depends on the tree: CONFIG_E=max",
        '# by hand, as it extends a list: CONFIG_F contains "yama"',
    ]


def test_what_nobody_can_set_is_in_no_fragment() -> None:
    assert lines_of(entry("CONFIG_A=y", ":Check only: yes")) == []
    assert lines_of(entry("cmdline:a=1") + entry("sysctl:b=1")) == []


def test_old_names_stand_beside_the_new_one() -> None:
    text = entry("CONFIG_A=n", ":Other names: B (up to 6.8)")
    assert lines_of(text) == [
        "# CONFIG_A is not set",
        "# A on kernels up to 6.8",
        "# CONFIG_B is not set",
    ]


def test_prerequisites_come_first_and_once() -> None:
    text = entry("CONFIG_A=y", ":Prerequisites: P=y, Q=n")
    text += entry("CONFIG_B=y", ":Prerequisites: P=y, A=y")
    assert lines_of(text) == [
        "# needed by A, B",
        "CONFIG_P=y",
        "# needed by A, B",
        "# CONFIG_Q is not set",
        "CONFIG_A=y",
        "CONFIG_B=y",
    ]


def test_the_stronger_of_two_settings_comes_last() -> None:
    text = entry("CONFIG_B=y", ":Stronger: A=y") + entry("CONFIG_A=y")
    assert lines_of(text) == ["CONFIG_B=y", "CONFIG_A=y"]


def test_a_fragment_does_not_weaken_what_it_cannot_see() -> None:
    text = entry("CONFIG_A=n", ":Stronger: A=y")
    assert lines_of(text) == ["# by hand, unless something stronger is set: CONFIG_A=n"]


def test_the_newest_of_two_versions_wins() -> None:
    text = entry("CONFIG_A=y", ":Kernels: 4.0 - 5.2")
    text += entry("CONFIG_A=n", ":Kernels: since 5.3")
    lines = lines_of(text)
    assert sorted(lines) == [
        "# CONFIG_A is not set",
        "# by hand, on kernels 4.0 - 5.2: CONFIG_A=y",
    ]


def test_architectures_have_fragments_of_their_own() -> None:
    text = entry("CONFIG_A>=65536", ":Architectures: x86_64, arm64")
    text += entry("CONFIG_A>=32768", ":Architectures: arm")
    assert lines_of(text) == []
    assert lines_of(text, folder="x86") == ["CONFIG_A=65536"]
    assert lines_of(text, folder="arm") == ["CONFIG_A=32768"]
    text = entry("CONFIG_A=1", ":Architectures: x86_64")
    text += entry("CONFIG_A=2", ":Architectures: i386")
    with pytest.raises(UserError, match="different architectures"):
        lines_of(text, folder="x86")


@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_merged_with_the_kernels_own_tools(
    version: str, kernel_tree: Callable[[str], Path], tmp_path: Path
) -> None:
    """merge_config.sh takes them, and what is defined and within reach is taken."""
    tree = kernel_tree(version)
    make = ["make", "-s", "-C", tree, f"O={tmp_path}", "ARCH=x86_64"]
    subprocess.run([*make, "defconfig"], check=True)
    config = tmp_path / ".config"
    base = tmp_path / "base"
    config.rename(base)
    fragments = [
        ROOT / "fragments/hardenedmedium.config",
        ROOT / "fragments/x86/hardenedmedium.config",
    ]
    merge = tree / "scripts/kconfig/merge_config.sh"
    command = [merge, "-m", "-O", tmp_path, base, *fragments]
    subprocess.run(command, check=True, cwd=tree, capture_output=True)
    subprocess.run([*make, "olddefconfig"], check=True)
    result = config.read_text().splitlines()
    for line in (
        "CONFIG_SECURITY_YAMA=y",
        "CONFIG_UBSAN_BOUNDS=y",
        "CONFIG_INIT_STACK_ALL_ZERO=y",
        "CONFIG_DEFAULT_MMAP_MIN_ADDR=65536",
        "# CONFIG_MODIFY_LDT_SYSCALL is not set",
        "# CONFIG_DEVMEM is not set",
    ):
        assert line in result, line
