# SPDX-License-Identifier: GPL-2.0-only
"""What lint finds, in small catalogues against Debian's 6.12."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_catalogue import entry
from surroundings import ROOT

from gen.catalogue import read_catalogue, read_texts
from gen.cli import main
from gen.entries import Entry
from gen.lint import Finding, lint


@pytest.fixture(scope="module", name="find")
def fixture_find(
    kernel_tree: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[list[Entry]], list[Finding]]:
    output = tmp_path_factory.mktemp("lint")
    variables = {"O": str(output), "ARCH": "x86_64"}
    cache = output / "cache"
    return lambda entries: lint(entries, kernel_tree("6.12"), variables, cache)


@pytest.mark.parametrize(
    "text, serious, words",
    [
        (entry("CONFIG_NO_SUCH=y", level="High"), True, "not defined in 6.12"),
        (
            entry("CONFIG_CFI=y", ":Kernels: since 6.12", level="High"),
            True,
            "not defined",
        ),
        (entry("CONFIG_YAMA=y", ":Kernels: up to 6.11", level="High"), None, ""),
        (
            entry("CONFIG_SECURITY_YAMA=y", ":Kernels: up to 6.11", level="High"),
            True,
            "is defined in 6.12",
        ),
        (entry("CONFIG_THREAD_INFO_IN_TASK=y", level="High"), True, "has no prompt"),
        (
            entry("CONFIG_SECURITY_YAMA=y", ":Check only: yes", level="High"),
            True,
            "has a prompt",
        ),
        (entry("CONFIG_NR_CPUS=y", level="High"), True, "of type int"),
        (entry("CONFIG_SECURITY_YAMA=100", level="High"), True, "of type bool"),
        (entry('CONFIG_NR_CPUS="x"', level="High"), True, "of type int"),
        (entry("CONFIG_STRICT_KERNEL_RWX=y"), False, "Low entry that is the"),
        (entry("CONFIG_SECURITY_YAMA=y", level="High"), None, ""),
        (entry("CONFIG_NO_SUCH=y", ":Architectures: arm", level="High"), None, ""),
    ],
)
def test_findings(
    find: Callable[[list[Entry]], list[Finding]],
    text: str,
    serious: bool | None,
    words: str,
) -> None:
    findings = [f for f in find(read_texts([("a.rst", text)])) if "a.rst" in f.place]
    if serious is None:
        assert findings == []
        return
    assert [f.serious for f in findings if words in f.text] == [serious], findings


def test_the_trees_own_fragment_is_compared(
    find: Callable[[list[Entry]], list[Finding]]
) -> None:
    findings = find(
        read_texts([("a.rst", entry("CONFIG_SECURITY_YAMA=y", level="High"))])
    )
    places = {f.text: f.place for f in findings if f.serious}
    place = places["CONFIG_STRICT_KERNEL_RWX is not in the catalogue"]
    assert place == "kernel/configs/hardening.config"
    place = places["CONFIG_X86_KERNEL_IBT is not in the catalogue"]
    assert place == "arch/x86/configs/hardening.config"


@pytest.mark.parametrize("version", ["6.1", "6.12", "7.3"])
def test_the_catalogue_fits_debians_trees(
    version: str, kernel_tree: Callable[[str], Path], tmp_path: Path
) -> None:
    entries = read_catalogue(ROOT / "docs/catalogue")
    variables = {"O": str(tmp_path), "ARCH": "x86_64"}
    findings = lint(entries, kernel_tree(version), variables, None)
    assert [str(f) for f in findings if f.serious] == []


def test_exit_codes(
    kernel_tree: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.rst").write_text(entry("CONFIG_NO_SUCH=y", level="High"))
    tree = str(kernel_tree("6.12"))
    command = ["--catalogue", str(tmp_path), "lint", "--kdir", tree]
    assert main([*command, "--make", f"O={tmp_path}/out"]) == 1
    assert "CONFIG_NO_SUCH is not defined" in capsys.readouterr().out
    assert main(["lint", "--kdir", str(tmp_path)]) == 2
    assert "not a kernel tree" in capsys.readouterr().err
