# SPDX-License-Identifier: GPL-2.0-only
"""kconfig/deps.sh and python.sh on machines that lack things.

The machines are folders: PATH and DEPS_ROOT lead to nothing else. apt-get there
is a stand-in that notes how it was called and "installs" by creating files; the
real one is at work whenever a fresh machine runs `make check`.
"""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kernel_trees import KCONFIG, run

# package: the files that it brings
PACKAGES = {
    "make": ["bin/make"],
    "gcc": ["bin/gcc"],
    "libc6-dev": ["root/usr/include/stdio.h"],
    "flex": ["bin/flex"],
    "bison": ["bin/bison"],
    "xz-utils": ["bin/xz"],
    "python3": ["root/usr/bin/python3"],
    "python3-kconfiglib": ["root/usr/lib/python3/dist-packages/kconfiglib.py"],
    "python3-docutils": ["root/usr/lib/python3/dist-packages/docutils"],
    "python3-sphinx": ["root/usr/lib/python3/dist-packages/sphinx"],
    "gcc-aarch64-linux-gnu": ["bin/aarch64-linux-gnu-gcc"],
}

APT_GET = """#!/bin/sh
echo "apt-get $*" >>{log}
for word; do
    [ "$word" != update ] || exit {update}
    case $word in -*) continue ;; esac
    sed -n "s/^$word //p" {contents} | while read -r file; do
        mkdir -p "${{file%/*}}" && echo "exit 1" >"$file" && chmod +x "$file"
    done
done
exit {install}
"""


@dataclass
class Machine:
    """A machine made of a folder."""

    folder: Path
    log: Path = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.folder / "log"
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "root").mkdir()
        # mkdir, sed, chmod: for the stand-ins
        for tool in ("sh", "cat", "env", "mkdir", "sed", "chmod"):
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool) or tool)

    def tool(self, name: str, script: str) -> None:
        """Add a program."""
        path = self.folder / "bin" / name
        path.write_text(script)
        path.chmod(0o755)

    def user(self, number: int, sudo: int = 1) -> None:
        """Be that user; SUDO is the status of `sudo -n true`."""
        self.tool("id", f"#!/bin/sh\necho {number}\n")
        self.tool(
            "sudo",
            f'#!/bin/sh\n[ {sudo} = 0 ] || exit 1\necho "sudo $*" >>{self.log}\n'
            'shift\n"$@"\n',
        )

    def apt(self, update: int = 0, install: int = 0, lists: int = 0) -> None:
        """Have apt, with these statuses of apt-get and of `apt-cache show`."""
        contents = self.folder / "contents"
        contents.write_text(
            "".join(
                f"{package} {self.folder / file}\n"
                for package, files in PACKAGES.items()
                for file in files
            )
        )
        self.tool(
            "apt-get",
            APT_GET.format(
                log=self.log, contents=contents, update=update, install=install
            ),
        )
        self.tool("apt-cache", f"#!/bin/sh\nexit {lists}\n")

    def have(self, *packages: str) -> None:
        """Have these packages."""
        for package in packages:
            for file in PACKAGES[package]:
                path = self.folder / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("exit 1\n")
                path.chmod(0o755)

    def deps(self, *what: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run deps.sh there."""
        return run(
            KCONFIG / "deps.sh",
            *what,
            env={
                "PATH": str(self.folder / "bin"),
                "DEPS_ROOT": str(self.folder / "root"),
                "PYTHON": "",
                **env,
            },
        )

    def calls(self) -> list[str]:
        """How apt-get and sudo were called."""
        return self.log.read_text().splitlines() if self.log.exists() else []


CONFIG = list(PACKAGES)[: list(PACKAGES).index("python3-sphinx")]


@pytest.fixture(name="machine")
def fixture_machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


def test_nothing_missing_is_silent(machine: Machine) -> None:
    machine.user(0)
    machine.apt()
    machine.have(*CONFIG)
    result = machine.deps("config")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert not machine.calls()


def test_root_installs_what_is_missing_only(machine: Machine) -> None:
    machine.user(0)
    machine.apt()
    machine.have(*[p for p in CONFIG if p not in ("flex", "python3-kconfiglib")])
    result = machine.deps("config")
    assert result.returncode == 0, result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "flex (builds the kernel's conf)" in result.stderr
    assert result.stdout == ""
    (call,) = machine.calls()
    assert call.endswith("install -y --no-install-recommends flex python3-kconfiglib")


def test_lists_are_fetched_when_they_lack_a_package(machine: Machine) -> None:
    machine.user(0)
    machine.apt(lists=100)
    assert machine.deps("config").returncode == 0
    assert [call.split()[-1] for call in machine.calls()][0] == "update"


def test_sudo_is_used_by_others(machine: Machine) -> None:
    machine.user(1000, sudo=0)
    machine.apt()
    assert machine.deps("config").returncode == 0
    assert any(c.startswith("sudo -n env DEBIAN_FRONTEND=") for c in machine.calls())


def test_neither_root_nor_sudo_names_the_command(machine: Machine) -> None:
    machine.user(1000)
    machine.apt()
    machine.have(*[p for p in CONFIG if p != "bison"])
    result = machine.deps("config")
    assert result.returncode == 2
    assert "apt-get install --no-install-recommends bison\n" in result.stderr
    assert not machine.calls()


def test_no_apt_names_what_is_missing(machine: Machine) -> None:
    machine.user(0)
    machine.have(*[p for p in CONFIG if p != "gcc"])
    result = machine.deps("config")
    assert result.returncode == 2
    assert "gcc (" in result.stderr and "no apt-get" in result.stderr


@pytest.mark.parametrize(
    "statuses, says",
    [
        ({"update": 100, "lists": 100}, "apt-get update failed"),
        ({"install": 100}, "apt-get could not install flex"),
    ],
)
def test_apt_failures(machine: Machine, statuses: dict[str, int], says: str) -> None:
    machine.user(0)
    machine.apt(**statuses)
    machine.have(*[p for p in CONFIG if p != "flex"])
    result = machine.deps("config")
    assert result.returncode == 2
    assert says in result.stderr


def test_old_lists_are_fetched_anew_after_a_failure(machine: Machine) -> None:
    machine.user(0)
    machine.apt(install=100)
    machine.have(*[p for p in CONFIG if p != "flex"])
    machine.deps("config")
    words = [call.split() for call in machine.calls()]
    assert ["install" in w for w in words] == [True, False, True]


def test_installed_but_not_found_is_an_error(machine: Machine) -> None:
    machine.user(0)
    machine.apt()
    machine.have(*[p for p in CONFIG if p != "make"])
    (machine.folder / "contents").write_text("")
    result = machine.deps("config")
    assert result.returncode == 2
    assert "still not found: make" in result.stderr


def test_jobs_have_packages_of_their_own(machine: Machine) -> None:
    machine.user(1000)
    machine.apt()
    machine.have(*CONFIG)
    assert "gcc-aarch64-linux-gnu" in machine.deps("config", "cross").stderr
    assert "python3-sphinx" in machine.deps("docs").stderr
    assert "shellcheck" in machine.deps("check").stderr
    said = machine.deps("probes").stderr
    assert "libseccomp-dev (builds the probes and" in said and "clang" not in said
    said = machine.deps("audit").stderr
    assert "libarchive-dev (builds the auditor)" in said and "libssl" not in said


def test_one_cross_compiler(machine: Machine) -> None:
    machine.user(1000)
    machine.apt()
    said = machine.deps("cross-riscv").stderr
    assert "gcc-riscv64-linux-gnu (configures riscv kernels)" in said
    assert "s390x" in machine.deps("cross").stderr and "s390x" not in said
    # "gcc" will do, or the kernel's own make has a word to say
    assert machine.deps("cross-x86_64", "cross-vax").returncode == 0


def test_a_module_of_another_python_counts(machine: Machine) -> None:
    machine.user(1000)
    machine.apt()
    machine.have(*[p for p in CONFIG if p != "python3-kconfiglib"])
    machine.tool("python3", "#!/bin/sh\nexit 0\n")
    assert machine.deps("config").returncode == 0


def test_unknown_job(machine: Machine) -> None:
    result = machine.deps("nonsense")
    assert result.returncode == 2
    assert "unknown job 'nonsense'" in result.stderr
    assert machine.deps().returncode == 2


def python_for(machine: Machine, *modules: str, **env: str) -> str:
    """What python.sh prints there."""
    result = run(
        KCONFIG / "python.sh",
        *modules,
        env={
            "PATH": str(machine.folder / "bin"),
            "DEPS_ROOT": str(machine.folder / "root"),
            "PYTHON": "",
            **env,
        },
    )
    assert result.returncode == 0
    return result.stdout


def test_python_that_lacks_modules_is_passed_over(machine: Machine) -> None:
    machine.tool("python3", "#!/bin/sh\nexit 1\n")
    debians = f"{machine.folder}/root/usr/bin/python3\n"
    assert python_for(machine) == debians
    assert python_for(machine, PYTHON="no-such-python") == debians


def test_python_in_path_and_the_users_choice(machine: Machine) -> None:
    machine.tool("python3", "#!/bin/sh\nexit 0\n")
    machine.tool("mine", "#!/bin/sh\nexit 0\n")
    assert python_for(machine) == "python3\n"
    assert python_for(machine, PYTHON="mine") == "mine\n"


def test_debians_python_comes_before_the_one_in_path(machine: Machine) -> None:
    machine.tool("python3", "#!/bin/sh\nexit 0\n")
    debians = machine.folder / "root/usr/bin/python3"
    debians.parent.mkdir(parents=True)
    shutil.copy(machine.folder / "bin/python3", debians)
    assert python_for(machine) == f"{debians}\n"


def test_python_must_have_the_modules_asked_for(machine: Machine) -> None:
    machine.tool("python3", '#!/bin/sh\ncase " $* " in *" pytest "*) exit 1; esac\n')
    assert python_for(machine) == "python3\n"
    debians = f"{machine.folder}/root/usr/bin/python3\n"
    assert python_for(machine, "pytest") == debians
