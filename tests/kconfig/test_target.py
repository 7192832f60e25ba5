# SPDX-License-Identifier: GPL-2.0-only
"""`make hardenedhighconfig` inside a kernel tree that install.sh was run on.

What the report says is compared with what this file finds out by itself from the
fragments and the final .config.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernel_trees import (
    CONFIGURABLE,
    GENERIC,
    KCONFIG,
    ROOT,
    VERSIONS,
    X86,
    Install,
    Result,
    copy_tree,
    run,
    settings,
    write_sources,
)

ARM = ("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-")


@dataclass
class Kernel:
    """A kernel tree with fragments in it, and a folder with its conf built."""

    version: str
    tree: Path
    built: Path

    def folder(self, path: Path) -> Path:
        """A build folder to use as O=, with the defconfig of x86_64."""
        return shutil.copytree(self.built, path, symlinks=True)

    def make(self, *words: str | Path) -> Result:
        """Run make in the tree."""
        return run("make", "-s", "-C", self.tree, *words)


def fragments_in(folder: Path) -> dict[str, str]:
    """The tests' fragments as level high, the real ones as extreme, no others."""
    sources = write_sources(folder)
    for part in ("hardenedextreme.config", "x86/hardenedextreme.config"):
        if (ROOT / "fragments" / part).exists():
            shutil.copy(ROOT / "fragments" / part, folder / "fragments" / part)
    return sources


@pytest.fixture(scope="session", params=VERSIONS, name="installed")
def fixture_installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Kernel:
    """One for all tests, also of other processes: none of them changes it."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    base = base / f"linux-{request.param}"
    base.mkdir(exist_ok=True)
    kernel = Kernel(request.param, base / "linux", base / "built")
    with (base / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / "done").exists():
            copy_tree(request.param, kernel.tree, CONFIGURABLE)
            command = (KCONFIG / "install.sh", "install", kernel.tree)
            result = run(*command, env=fragments_in(base))
            assert result.returncode == 0, result.stderr
            result = kernel.make(f"O={kernel.built}", "defconfig")
            assert result.returncode == 0, result.stderr
            (base / "done").touch()
    return kernel


def reported(result: Result) -> dict[str, tuple[str, str]]:
    """The report: {"CONFIG_X": (requested, what of it)}."""
    lines = re.findall(r"^requested (CONFIG_\w+)=(.*), (.*)$", result.stdout, re.M)
    return {name: (wanted, got) for name, wanted, got in lines}


def missing(config: Path, *fragments: Path) -> set[str]:
    """The settings of the fragments, later lines first, that the .config lacks."""
    wanted: dict[str, str] = {}
    for fragment in fragments:
        wanted |= settings(fragment)
    final = settings(config)
    return {name for name, value in wanted.items() if final.get(name, "n") != value}


def test_the_report_is_complete(installed: Kernel, tmp_path: Path) -> None:
    out = installed.folder(tmp_path / "o")
    before = (out / ".config").read_bytes()
    result = installed.make(f"O={out}", "hardenedhighconfig")
    assert result.returncode == 0, result.stderr
    report = reported(result)
    line = {"6.1": 36, "6.12": 57}[installed.version]
    assert report["CONFIG_UBSAN_BOUNDS"] == (
        "y",
        f"got n (see lib/Kconfig.ubsan:{line})",
    )
    assert report["CONFIG_NO_SUCH_SYMBOL"] == ("y", "not defined in this tree")
    assert report["CONFIG_ARM64_BTI_KERNEL"] == (
        "y",
        "not defined for this architecture",
    )
    assert report["CONFIG_MTD_BLOCK"] == ("y", "got m")
    assert report["CONFIG_MODIFY_LDT_SYSCALL"] == ("n", "got y")
    assert set(report) == missing(
        out / ".config",
        installed.tree / "kernel/configs/hardenedhigh.config",
        installed.tree / "arch/x86/configs/hardenedhigh.config",
    )
    total = len(settings_of(GENERIC) | settings_of(X86))
    foreign = [got for _, got in report.values() if got.startswith("not defined ")]
    assert result.stdout.splitlines()[-1] == (
        f"hardenedhighconfig: {len(report)} of {total} requested settings are not in"
        f" .config, {len(foreign)} of them not defined here"
    )
    assert (out / ".config.old").read_bytes() == before
    final = settings(out / ".config")
    assert final["CONFIG_INIT_STACK_ALL_ZERO"] == "y"
    assert final["CONFIG_DEFAULT_HOSTNAME"] == '"a b | c"'
    assert not [path for path in out.iterdir() if "hardened" in path.name]

    # Again, strictly: the same report, no file was touched, and it fails.
    first = (out / ".config").stat()
    again = installed.make(f"O={out}", "hardenedhighconfig", "STRICT=1")
    assert again.returncode == 2
    assert reported(again) == report
    assert (out / ".config").stat() == first
    assert (out / ".config.old").read_bytes() == before


def settings_of(text: str) -> set[str]:
    """The names that a fragment sets."""
    return set(re.findall(r"^(?:# )?(CONFIG_\w+)(?:=| is not set)", text, re.M))


def test_same_as_merge_config_and_olddefconfig(
    installed: Kernel, tmp_path: Path
) -> None:
    ours = installed.folder(tmp_path / "ours")
    theirs = installed.folder(tmp_path / "theirs")
    assert installed.make(f"O={ours}", "hardenedhighconfig").returncode == 0
    assert installed.make(f"O={theirs}", "hardenedhigh.config").returncode == 0
    assert (ours / ".config").read_text() == (theirs / ".config").read_text()


def test_another_kconfig_config_on_arm64(installed: Kernel, tmp_path: Path) -> None:
    """From the architecture's defconfig, into the file named; .config stays."""
    out = installed.folder(tmp_path / "o")
    before = (out / ".config").read_bytes()
    result = installed.make(
        f"O={out}", *ARM, "KCONFIG_CONFIG=my.config", "hardenedhighconfig"
    )
    assert result.returncode == 0, result.stderr
    final = settings(out / "my.config")
    assert final["CONFIG_ARM64"] == final["CONFIG_ARM64_SW_TTBR0_PAN"] == "y"
    # the architecture's fragment has the last word
    assert final["CONFIG_SLAB_FREELIST_HARDENED"] == "n"
    report = reported(result)
    assert set(report) == missing(
        out / "my.config",
        installed.tree / "kernel/configs/hardenedhigh.config",
        installed.tree / "arch/arm64/configs/hardenedhigh.config",
    )
    assert report["CONFIG_LEGACY_VSYSCALL_NONE"][1] == (
        "not defined for this architecture"
    )
    assert "requested settings are not in my.config" in result.stdout
    assert (out / ".config").read_bytes() == before


def test_a_level_without_fragments_says_so(installed: Kernel, tmp_path: Path) -> None:
    out = installed.folder(tmp_path / "o")
    before = sorted(out.iterdir()), (out / ".config").stat()
    result = installed.make(f"O={out}", "hardenedlowconfig")
    assert result.returncode == 2
    assert "no fragment hardenedlow.config for x86" in result.stderr
    assert (sorted(out.iterdir()), (out / ".config").stat()) == before


def test_within_the_tree(install: Install, tmp_path: Path) -> None:
    """Without O= and .config, and with nothing left in uninstall's way."""
    tree = copy_tree("6.12", tmp_path / "linux", CONFIGURABLE)
    assert install("install", tree).returncode == 0
    result = run("make", "-s", "-C", tree, "hardenedhighconfig")
    assert result.returncode == 0, result.stderr
    assert settings(tree / ".config")["CONFIG_MTD"] == "m"
    assert settings(tree / ".config.old")["CONFIG_MTD"] == "n"
    assert "CONFIG_NO_SUCH_SYMBOL" in reported(result)
    assert install("uninstall", tree).returncode == 0
    assert not list(tree.rglob("*hardenedconfig*"))


def test_the_real_fragments(installed: Kernel, tmp_path: Path) -> None:
    generic = installed.tree / "kernel/configs/hardenedextreme.config"
    if not generic.exists():
        pytest.skip("no fragments/ yet")
    out = installed.folder(tmp_path / "o")
    result = installed.make(f"O={out}", "hardenedextremeconfig")
    assert result.returncode == 0, result.stderr
    assert set(reported(result)) == missing(
        out / ".config",
        generic,
        installed.tree / "arch/x86/configs/hardenedextreme.config",
    )
    assert len(settings(out / ".config")) > 1000


class Script:
    """The installed script by itself, with a conf that does what the test wants."""

    def __init__(self, folder: Path, conf: str) -> None:
        self.folder = folder
        tree = folder / "linux"
        (tree / "kernel/configs").mkdir(parents=True)
        (tree / "scripts/kconfig").mkdir(parents=True)
        (tree / "kernel/configs/hardenedhigh.config").write_text("CONFIG_A=y\n")
        merge = tree / "scripts/kconfig/merge_config.sh"
        merge.write_text('#!/bin/sh\ncat "$2" "$3" >"$KCONFIG_CONFIG"\n')
        self.config = folder / ".config"
        self.config.write_text("CONFIG_B=y\n")
        (folder / "conf").write_text(f"#!/bin/sh\n{conf}\n")
        (folder / "conf").chmod(0o755)
        self.command = [
            str(KCONFIG / "target/hardenedconfig.sh"),
            "hardenedhigh",
            "./conf",
            "Kconfig",
        ]
        self.env = {
            "srctree": "linux",
            "SRCARCH": "x86",
            "KCONFIG_CONFIG": ".config",
        }

    def run(self, **env: str) -> Result:
        """Run it to its end."""
        return run(*self.command, env={**self.env, **env}, cwd=self.folder)

    def unharmed(self) -> bool:
        """Is .config as it was, and nothing new beside it?"""
        names = {path.name for path in self.folder.iterdir()}
        return self.config.read_text() == "CONFIG_B=y\n" and names <= {
            "linux",
            ".config",
            "conf",
            "started",
        }


# A conf that writes what it reads
WRITE = """
for word; do
    merged=${word#--defconfig=}
    [ "$merged" = "$word" ] || break
done
cp "$merged" $KCONFIG_CONFIG
"""


def test_strict_passes_when_all_is_there(tmp_path: Path) -> None:
    script = Script(tmp_path, WRITE)
    result = script.run(STRICT="1")
    assert result.returncode == 0, result.stderr
    assert "0 of 1 requested settings are not in .config" in result.stdout
    lossy = Script(tmp_path / "lossy", "echo CONFIG_B=y >$KCONFIG_CONFIG")
    assert lossy.run().returncode == 0
    # A name that the tree does not define is told and is nothing to fail for
    assert lossy.run(STRICT="1").returncode == 0
    (tmp_path / "lossy/linux/Kconfig").write_text("config A\n\tbool\n")
    assert lossy.run(STRICT="1").returncode == 1


@pytest.mark.parametrize(
    "conf, says",
    [
        ("echo 'Kconfig:1: syntax error' >&2; exit 1", "could not be settled"),
        (": >$KCONFIG_CONFIG", "is the disk full?"),
    ],
)
def test_a_failure_leaves_the_config(tmp_path: Path, conf: str, says: str) -> None:
    script = Script(tmp_path, conf)
    result = script.run()
    assert result.returncode == 2
    assert says in result.stderr
    assert script.unharmed()


def test_an_unreadable_config(tmp_path: Path) -> None:
    script = Script(tmp_path, "exit 1")
    script.config.unlink()
    script.config.mkdir()
    result = script.run()
    assert result.returncode == 2
    assert "cannot read .config" in result.stderr
    assert script.config.is_dir()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_the_config(tmp_path: Path, number: int) -> None:
    script = Script(tmp_path, "touch started; exec sleep 20")
    with subprocess.Popen(
        script.command,
        cwd=tmp_path,
        env={**os.environ, **script.env},
        start_new_session=True,
    ) as process:
        for _ in range(200):
            if (tmp_path / "started").exists():
                break
            time.sleep(0.05)
        os.killpg(process.pid, number)
        assert process.wait(10) == 128 + number
    assert script.unharmed()


def test_a_linked_config_is_kept_as_conf_keeps_it(tmp_path: Path) -> None:
    """conf renames the link to .old; with KCONFIG_OVERWRITECONFIG it writes through."""
    script = Script(tmp_path, WRITE)
    real = tmp_path / "real"
    script.config.rename(real)
    script.config.symlink_to("real")
    assert script.run().returncode == 0
    assert not script.config.is_symlink()
    assert real.read_text() == "CONFIG_B=y\n"
    assert os.readlink(tmp_path / ".config.old") == "real"

    (tmp_path / ".config.old").rename(script.config)
    assert script.run(KCONFIG_OVERWRITECONFIG="1").returncode == 0
    assert script.config.is_symlink()
    assert "CONFIG_A=y\n" in real.read_text()
