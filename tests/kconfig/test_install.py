# SPDX-License-Identifier: GPL-2.0-only
"""kconfig/install.sh: into a kernel tree and out again, and what it refuses.

What the installed targets do is tested in test_target.py.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from kernel_trees import KCONFIG, Install, run, snapshot

MAKEFILE = "scripts/kconfig/Makefile"
MANIFEST = "scripts/kconfig/hardenedconfig.files"
FRAGMENT = "kernel/configs/hardenedhigh.config"


def test_uninstall_restores_every_byte(bare_tree: Path, install: Install) -> None:
    before = snapshot(bare_tree)
    result = install("install", bare_tree)
    assert result.returncode == 0, result.stderr
    during = snapshot(bare_tree)
    changed = [name for name in before if during[name] != before[name]]
    assert changed == [MAKEFILE]
    assert sorted(set(during) - set(before)) == [
        "Documentation/security/hardenedconfig",
        "Documentation/security/hardenedconfig/catalogue",
        "Documentation/security/hardenedconfig/catalogue/memory.rst",
        "Documentation/security/hardenedconfig/hardenedconfig.rst",
        "arch/arm64/configs/hardenedhigh.config",
        "arch/x86/configs/hardenedhigh.config",
        FRAGMENT,
        MANIFEST,
        "scripts/kconfig/hardenedconfig.mk",
        "scripts/kconfig/hardenedconfig.sh",
    ]
    assert install("uninstall", bare_tree).returncode == 0
    assert snapshot(bare_tree) == before


def test_the_makefile_gets_one_include(bare_tree: Path, install: Install) -> None:
    before = (bare_tree / MAKEFILE).read_text().splitlines()
    install("install", bare_tree)
    after = (bare_tree / MAKEFILE).read_text().splitlines()
    assert after[: len(before)] == before
    added = [line for line in after[len(before) :] if not line.startswith("#")]
    assert added == ["include $(srctree)/scripts/kconfig/hardenedconfig.mk"]


def test_twice_is_once(bare_tree: Path, install: Install) -> None:
    before = snapshot(bare_tree)
    install("install", bare_tree)
    once = snapshot(bare_tree)
    time = (bare_tree / MAKEFILE).stat().st_mtime_ns
    result = install("install", bare_tree)
    assert result.returncode == 0, result.stderr
    assert snapshot(bare_tree) == once
    assert (bare_tree / MAKEFILE).stat().st_mtime_ns == time
    install("uninstall", bare_tree)
    assert snapshot(bare_tree) == before
    result = install("uninstall", bare_tree)
    assert result.returncode == 0
    assert "nothing is installed" in result.stderr
    assert snapshot(bare_tree) == before


def test_the_list_of_files_is_true(bare_tree: Path, install: Install) -> None:
    install("install", bare_tree)
    result = run("sha256sum", "-c", MANIFEST, cwd=bare_tree)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(": OK") == 7


def test_a_later_version_takes_its_own_files_away(
    bare_tree: Path, install: Install, sources: dict[str, str]
) -> None:
    before = snapshot(bare_tree)
    fragments = Path(sources["FRAGMENTS"])
    (fragments / "hardenedold.config").write_text("CONFIG_OLD=y\n")
    install("install", bare_tree)
    assert (bare_tree / "kernel/configs/hardenedold.config").exists()
    (fragments / "hardenedold.config").unlink()
    (fragments / "hardenedhigh.config").write_text("CONFIG_NEW=y\n")
    assert install("install", bare_tree).returncode == 0
    assert not (bare_tree / "kernel/configs/hardenedold.config").exists()
    assert (bare_tree / FRAGMENT).read_text() == "CONFIG_NEW=y\n"
    assert "hardenedold" not in (bare_tree / MANIFEST).read_text()
    install("uninstall", bare_tree)
    assert snapshot(bare_tree) == before


def test_uninstall_needs_no_fragments(bare_tree: Path, install: Install) -> None:
    before = snapshot(bare_tree)
    install("install", bare_tree)
    result = install("uninstall", bare_tree, FRAGMENTS="/nonexistent")
    assert result.returncode == 0, result.stderr
    assert snapshot(bare_tree) == before


def test_other_changes_stay(bare_tree: Path, install: Install) -> None:
    install("install", bare_tree)
    makefile = bare_tree / MAKEFILE
    makefile.write_text("# first\n" + makefile.read_text() + "# last\n")
    own = bare_tree / "Documentation/security/hardenedconfig/mine.rst"
    own.write_text("mine\n")
    result = install("uninstall", bare_tree)
    assert result.returncode == 0, result.stderr
    text = makefile.read_text()
    assert text.startswith("# first\n") and text.endswith("\n# last\n")
    assert "hardenedconfig" not in text
    assert own.read_text() == "mine\n"
    assert "holds other files" in result.stderr


def test_an_absent_architecture_is_left_out(bare_tree: Path, install: Install) -> None:
    shutil.rmtree(bare_tree / "arch/arm64")
    assert install("install", bare_tree).returncode == 0
    assert not (bare_tree / "arch/arm64").exists()
    assert (bare_tree / "arch/x86/configs/hardenedhigh.config").exists()


def refused(
    install: Install, tree: Path, *says: str, what: str = "install", **env: str
) -> None:
    """It says why, ends with status 2 and has changed nothing."""
    before = snapshot(tree) if tree.is_dir() else {}
    result = install(what, tree, **env)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    for words in says:
        assert words in result.stderr
    assert (snapshot(tree) if tree.is_dir() else {}) == before


def test_refuses_a_missing_tree(tmp_path: Path, install: Install) -> None:
    refused(install, tmp_path / "none", f"KDIR={tmp_path}/none: no such folder")
    result = run(KCONFIG / "install.sh", "install", "")
    assert (result.returncode, "KDIR=" in result.stderr) == (2, True)


def test_refuses_what_is_no_kernel_tree(bare_tree: Path, install: Install) -> None:
    (bare_tree / "Kconfig").unlink()
    refused(install, bare_tree, "not a kernel source tree", "no Kconfig")


@pytest.mark.parametrize("name", [FRAGMENT, "scripts/kconfig/hardenedconfig.mk"])
def test_refuses_to_replace_a_file_of_others(
    bare_tree: Path, install: Install, name: str
) -> None:
    (bare_tree / name).write_text("# upstream's own\n")
    refused(install, bare_tree, f"{bare_tree}/{name} exists and is not ours")


def test_refuses_a_dangling_link_in_its_way(bare_tree: Path, install: Install) -> None:
    (bare_tree / FRAGMENT).symlink_to("/nonexistent/file")
    refused(install, bare_tree, "exists and is not ours")


@pytest.mark.parametrize("what", ["install", "uninstall"])
def test_refuses_to_drop_the_users_changes(
    bare_tree: Path, install: Install, what: str
) -> None:
    install("install", bare_tree)
    with (bare_tree / FRAGMENT).open("a") as file:
        file.write("CONFIG_MINE=y\n")
    refused(install, bare_tree, FRAGMENT, "changed since", what=what)


@pytest.mark.parametrize(
    "line", ["hardenedhighconfig: conf", "hardened%config:", "# hardenedconfig: begin"]
)
def test_refuses_targets_of_others(
    bare_tree: Path, install: Install, line: str
) -> None:
    with (bare_tree / MAKEFILE).open("a") as file:
        file.write(f"{line}\n")
    refused(install, bare_tree, MAKEFILE, f":{line};")


def test_refuses_a_linked_makefile(bare_tree: Path, install: Install) -> None:
    (bare_tree / MAKEFILE).rename(bare_tree / "real")
    (bare_tree / MAKEFILE).symlink_to("../../real")
    refused(install, bare_tree, "symbolic link")


def test_refuses_without_fragments(bare_tree: Path, install: Install) -> None:
    refused(install, bare_tree, "make fragments", FRAGMENTS="/nonexistent")
    refused(install, bare_tree, "make fragments", FRAGMENTS=str(bare_tree / "kernel"))


def test_says_when_its_list_is_gone(bare_tree: Path, install: Install) -> None:
    install("install", bare_tree)
    (bare_tree / MANIFEST).unlink()
    refused(install, bare_tree, f"{MANIFEST} is gone", what="uninstall")


def test_wrong_words() -> None:
    assert run(KCONFIG / "install.sh", "install").returncode == 2
    assert run(KCONFIG / "install.sh", "remove", ".").returncode == 2


@pytest.mark.parametrize("folder", [".", "scripts/kconfig", "arch/x86/configs"])
def test_refuses_a_read_only_tree(
    bare_trees: dict[str, Path], sources: dict[str, str], folder: str
) -> None:
    """As a user without rights, whom root has to become first."""
    with tempfile.TemporaryDirectory() as name:
        tree = shutil.copytree(bare_trees["6.12"], Path(name) / "linux")
        copy = shutil.copytree(sources["FRAGMENTS"], Path(name) / "fragments")
        scripts = shutil.copytree(KCONFIG, Path(name) / "kconfig")
        become: list[str] = []
        if os.getuid() == 0:
            run("chown", "-R", "65534:65534", name)
            become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        (tree / folder).chmod(0o555)
        before = snapshot(tree)
        result = run(
            *become,
            scripts / "install.sh",
            "install",
            tree,
            env={"FRAGMENTS": str(copy), "DOCS": str(copy)},
        )
        (tree / folder).chmod(0o755)
        assert result.returncode == 2
        assert f"{folder} cannot be written to" in result.stderr
        (tree / folder).chmod(0o555)
        assert snapshot(tree) == before
        (tree / folder).chmod(0o755)


@pytest.mark.parametrize("moves", range(10))
def test_cut_short_it_can_be_undone_and_done(
    bare_trees: dict[str, Path], install: Install, tmp_path: Path, moves: int
) -> None:
    """mv, which each file passes through, fails after some; then the disk heals."""
    tree = shutil.copytree(bare_trees["6.12"], tmp_path / "linux")
    before = snapshot(tree)
    stub = tmp_path / "bin/mv"
    stub.parent.mkdir()
    stub.write_text(
        f'#!/bin/sh\necho >>"{stub}.count"\n[ $(wc -l <"{stub}.count") -le {moves} ]'
        f' && exec {shutil.which("mv")} "$@"\necho "mv: no space left" >&2\nexit 1\n'
    )
    stub.chmod(0o755)
    broken = {"PATH": f"{stub.parent}:{os.environ['PATH']}"}
    result = install("install", tree, **broken)
    if moves == 9:  # the list, seven files and the Makefile: all that there is
        assert result.returncode == 0
        return
    assert result.returncode == 2
    assert "'uninstall' takes out" in result.stderr
    half = snapshot(tree)
    assert not [name for name in half if "stage" in name]
    assert install("uninstall", tree).returncode == 0
    assert snapshot(tree) == before
    assert install("install", tree).returncode == 0


def test_killed_it_leaves_nothing_in_the_way(bare_tree: Path, install: Install) -> None:
    before = snapshot(bare_tree)
    (bare_tree / ".hardenedconfig-stage").mkdir()
    (bare_tree / ".hardenedconfig-stage/file").write_text("half")
    assert install("install", bare_tree).returncode == 0
    assert install("uninstall", bare_tree).returncode == 0
    assert snapshot(bare_tree) == before


def test_two_at_once(
    bare_tree: Path, install: Install, sources: dict[str, str]
) -> None:
    command = [str(KCONFIG / "install.sh"), "install", str(bare_tree)]
    both = [
        subprocess.Popen(  # pylint: disable=consider-using-with
            command, env={**os.environ, **sources}, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    assert [process.communicate() and process.returncode for process in both] == [0, 0]
    assert run("sha256sum", "-c", MANIFEST, cwd=bare_tree).returncode == 0
    assert (bare_tree / MAKEFILE).read_text().count("hardenedconfig.mk") == 1
    assert install("install", bare_tree).returncode == 0
