# SPDX-License-Identifier: GPL-2.0-only
"""What the scripts of kconfig/ fetch with apt, and what they leave.

apt is a stand-in with small packages, made by the real dpkg-deb; that the real
one gives these packages is seen whenever the trees of the other tests come.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernel_trees import KCONFIG, Result, run, snapshot

APT_GET = """#!/bin/sh
echo "$*" >>{folder}/log
case " $* " in
*" indextargets "*) echo "{mirror}" ;;
*" update "*) exit $(cat {folder}/update) ;;
*" download "*)
    for package; do :; done
    sleep $(cat {folder}/slow)
    cp {folder}/$package.deb ./${{package}}_1_all.deb ;;
esac
"""
MIRROR = "Debian|bookworm|http://mirror.invalid/debian/|/nonexistent:1"
CONFIG = "CONFIG_A=y\n# CONFIG_B is not set\n"


@dataclass
class Archive:
    """Debian's archive, and a folder to fetch into."""

    folder: Path
    build: Path

    def set(self, name: str, value: str) -> None:
        """Set what the stand-ins read."""
        (self.folder / name).write_text(value)

    def mirror(self, line: str) -> None:
        """Have apt know that mirror."""
        apt_get = self.folder / "bin/apt-get"
        apt_get.write_text(APT_GET.format(folder=self.folder, mirror=line))
        apt_get.chmod(0o755)

    def package(self, name: str, files: dict[str, str | Path]) -> None:
        """Add a package: {path: text, or a folder to put there as .tar.xz}."""
        root = self.folder / "packages" / name
        (root / "DEBIAN").mkdir(parents=True)
        (root / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: 1\nArchitecture: all\n"
            "Maintainer: none <none@none.invalid>\nDescription: none\n"
        )
        for path, what in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(what, str):
                target.write_text(what)
            else:
                run("tar", "-cJf", target, "-C", what.parent, what.name)
        deb = self.folder / f"{name}.deb"
        assert run("dpkg-deb", "--build", root, deb).returncode == 0
        with (self.folder / "names").open("a") as names:
            names.write(f"{name}\n")

    def environment(self) -> dict[str, str]:
        """What leads the scripts here."""
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return {"PATH": path, "BUILD": str(self.build), "DEBIAN_MIRROR": ""}

    def run(self, script: str, *words: str, **env: str) -> Result:
        """Run one of the two."""
        return run(KCONFIG / script, *words, env={**self.environment(), **env})

    def left(self) -> list[str]:
        """What is in the folder, but for apt's own files, which may stay."""
        return [n for n in snapshot(self.build) if n.split("/")[0] != "apt"]

    def calls(self) -> list[str]:
        """How apt-get was called."""
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Archive:
    archive = Archive(tmp_path / "archive", tmp_path / "build")
    (archive.folder / "bin").mkdir(parents=True)
    archive.build.mkdir()
    archive.mirror(MIRROR)
    archive.set("update", "0")
    archive.set("slow", "0")
    apt_cache = archive.folder / "bin/apt-cache"
    apt_cache.write_text(
        f'#!/bin/sh\nfor prefix; do :; done\ngrep "^$prefix" {archive.folder}/names\n'
    )
    apt_cache.chmod(0o755)
    source = tmp_path / "linux-source-7.2"
    (source / "kernel").mkdir(parents=True)
    (source / "Makefile").write_text("VERSION = 7\n")
    archive.package("linux-source-7.2", {"usr/src/linux-source-7.2.tar.xz": source})
    return archive


def test_a_tree_comes_whole_and_alone(archive: Archive) -> None:
    result = archive.run("tree.sh", "7.2")
    assert result.returncode == 0, result.stderr
    tree = archive.build / "linux-source-7.2"
    assert result.stdout == f"{tree}\n"
    assert (tree / "Makefile").read_text() == "VERSION = 7\n"
    top = [path.name for path in archive.build.iterdir()]
    assert sorted(top) == ["apt", "linux-source-7.2"]
    assert not list((archive.build / "apt").rglob("*.deb"))
    assert not (archive.build / "apt/unpack").exists()


def test_a_tree_that_is_there_needs_no_apt(archive: Archive) -> None:
    tree = archive.build / "linux-source-9.9"
    tree.mkdir()
    (tree / "Makefile").touch()
    result = archive.run("tree.sh", "9.9")
    assert (result.returncode, result.stdout) == (0, f"{tree}\n")
    assert not archive.calls()
    assert archive.left() == ["linux-source-9.9", "linux-source-9.9/Makefile"]


def test_the_systems_apt_is_only_asked_for_its_mirrors(
    archive: Archive, tmp_path: Path
) -> None:
    assert archive.run("tree.sh", "7.2").returncode == 0
    others = [call for call in archive.calls() if "indextargets" not in call]
    private = f"-c {archive.build}/apt/sid-"
    assert len(others) == 2
    assert all(private in call for call in others)
    (sources,) = archive.build.glob("apt/sid-*/sources.list")
    assert sources.read_text().endswith("http://mirror.invalid/debian/ sid main\n")
    # The real apt takes every setting, and has cleared the system's hooks.
    hooks = tmp_path / "hooks.conf"
    hooks.write_text('APT::Update::Post-Invoke { "rm -f /everything"; };\n')
    command = ("apt-config", "-c", sources.parent / "apt.conf", "dump")
    assert "rm -f /everything" in run("apt-config", "-c", hooks, "dump").stdout
    dump = run(*command, env={"APT_CONFIG": str(hooks)}).stdout
    for name in ("State", "Cache", "State::status", "Etc::sourcelist"):
        assert f'Dir::{name} "{sources.parent}' in dump
    assert "rm -f /everything" not in dump


@pytest.mark.parametrize("uri", ["http://own.invalid/debian", "file:///own"])
def test_the_users_mirror(archive: Archive, uri: str) -> None:
    archive.mirror("")
    assert archive.run("tree.sh", "7.2", DEBIAN_MIRROR=uri).returncode == 0
    (sources,) = archive.build.glob("apt/sid-*/sources.list")
    assert f" {uri} sid main" in sources.read_text()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Other|bookworm|http://mirror.invalid/debian/|/nonexistent:1",
        "$(ORIGIN)|stable|http://mirror.invalid/other/|/nonexistent:1",
        "Debian|bookworm|cdrom:[Debian]/|/nonexistent:1",
    ],
)
def test_no_mirror_of_debian(archive: Archive, line: str) -> None:
    archive.mirror(line.replace("$", "\\$"))
    result = archive.run("tree.sh", "7.2")
    assert result.returncode == 2
    assert "DEBIAN_MIRROR=" in result.stderr
    assert not archive.left()


def test_a_mirror_without_lists_is_known_by_its_folder(archive: Archive) -> None:
    archive.mirror(MIRROR.replace("Debian|", "\\$(ORIGIN)|", 1))
    assert archive.run("tree.sh", "7.2").returncode == 0


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("update", "100", "cannot fetch Debian's package lists for sid"),
        ("linux-source-7.2.deb", "", "cannot unpack"),
    ],
)
def test_a_failure_leaves_nothing(
    archive: Archive, name: str, value: str, says: str
) -> None:
    archive.set(name, value)
    result = archive.run("tree.sh", "7.2")
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr
    assert not archive.left()
    assert not (archive.build / "apt/unpack").exists()


def test_a_download_that_fails(archive: Archive) -> None:
    (archive.folder / "linux-source-7.2.deb").unlink()
    result = archive.run("tree.sh", "7.2")
    assert result.returncode == 2
    assert "cannot fetch linux-source-7.2" in result.stderr
    assert not archive.left()


def test_a_package_cut_short(archive: Archive) -> None:
    deb = archive.folder / "linux-source-7.2.deb"
    deb.write_bytes(deb.read_bytes()[:-200])
    result = archive.run("tree.sh", "7.2")
    assert result.returncode == 2
    assert "is there space left" in result.stderr
    assert not archive.left()


def test_an_unknown_version_and_a_folder_in_the_way(archive: Archive) -> None:
    result = archive.run("tree.sh", "2.6")
    assert result.returncode == 2
    assert "6.1, 6.12, 7.2, 7.3" in result.stderr
    (archive.build / "linux-source-7.2").mkdir()
    result = archive.run("tree.sh", "7.2")
    assert result.returncode == 2
    assert "holds no kernel tree" in result.stderr
    assert not archive.calls()


def test_a_killed_run_is_not_in_the_way(archive: Archive) -> None:
    unpack = archive.build / "apt/unpack/tree/linux-source-7.2"
    unpack.mkdir(parents=True)
    (unpack / "half").touch()
    assert archive.run("tree.sh", "7.2").returncode == 0
    assert not (archive.build / "linux-source-7.2/half").exists()


def test_two_at_once(archive: Archive) -> None:
    archive.set("slow", "1")
    command = [str(KCONFIG / "tree.sh"), "7.2"]
    both = [
        subprocess.Popen(  # pylint: disable=consider-using-with
            command,
            env={**os.environ, **archive.environment()},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0][0] == outputs[1][0] != b""
    assert b"waiting for another run" in outputs[0][1] + outputs[1][1]
    assert sum("download" in call for call in archive.calls()) == 1


def test_a_folder_that_cannot_be(archive: Archive) -> None:
    result = archive.run("tree.sh", "7.2", BUILD="/dev/null/build")
    assert result.returncode == 2
    assert "cannot write to /dev/null/build" in result.stderr


IMAGES = {
    "linux-image-6.1.0-9-cloud-amd64": "older",
    "linux-image-6.1.0-10-cloud-amd64": "newest",
    "linux-image-6.1.0-10-cloud-amd64-unsigned": "unsigned",
    "linux-image-6.1.0-10-amd64": "default",
    "linux-image-6.12.9+deb12-cloud-amd64": "6.12",
    "linux-image-6.1-cloud-amd64": "depends on the newest",
    "linux-image-6.1.0-11-cloud-amd64-dbg": "debug",
    "linux-image-6.1.0-12-riscv64-unsigned": "riscv",
}


@pytest.mark.parametrize(
    "words, comes",
    [
        (("6.1", "cloud", "amd64"), "newest"),
        (("6.1", "default", "amd64"), "default"),
        (("6.12", "cloud", "amd64"), "6.12"),
        (("6.1", "default", "riscv64"), "riscv"),
        (("7.3", "cloud", "amd64"), "7.3"),
    ],
)
def test_the_config_of_the_right_image(
    archive: Archive, words: tuple[str, str, str], comes: str
) -> None:
    for name, text in IMAGES.items():
        kernel = name.removeprefix("linux-image-").removesuffix("-unsigned")
        archive.package(name, {f"boot/config-{kernel}": f"{CONFIG}# {text}\n"})
    # Since 7.x the image's package holds no config itself.
    split = "7.3.4+deb13-cloud-amd64"
    archive.package(f"linux-image-{split}", {"boot/other": "none\n"})
    archive.package(
        f"linux-base-{split}", {f"usr/lib/modules/{split}/config": f"{CONFIG}# 7.3\n"}
    )
    result = archive.run("debian-config.sh", *words)
    assert result.returncode == 0, result.stderr
    config = archive.build / "configs" / f"{'-'.join(words)}.config"
    assert result.stdout == f"{config}\n"
    assert config.read_text() == f"{CONFIG}# {comes}\n"
    assert archive.left() == ["configs", f"configs/{config.name}"]
    assert not list(archive.build.rglob("*.deb"))

    calls = len(archive.calls())
    assert archive.run("debian-config.sh", *words).stdout == f"{config}\n"
    assert len(archive.calls()) == calls


def test_no_such_image(archive: Archive) -> None:
    result = archive.run("debian-config.sh", "6.1", "cloud", "amd64")
    assert result.returncode == 2
    assert "no cloud kernel 6.1 for amd64" in result.stderr
    result = archive.run("debian-config.sh", "6.1", "../x", "amd64")
    assert result.returncode == 2
    assert archive.left() == ["configs"]


def test_an_image_without_a_config(archive: Archive) -> None:
    archive.package("linux-image-6.1.0-9-amd64", {"boot/vmlinuz": "none\n"})
    result = archive.run("debian-config.sh", "6.1", "default", "amd64")
    assert result.returncode == 2
    assert "cannot read ./boot/config-6.1.0-9-amd64" in result.stderr
    assert archive.left() == ["configs"]


SIGNED = "linux-image-6.1.0-10-cloud-amd64"
SPLIT = "linux-binary-7.3.4+deb13-cloud-amd64"


@pytest.mark.parametrize(
    "version, package, path",
    [
        ("6.1", SIGNED, "boot/vmlinuz-{}"),
        ("6.1", f"{SIGNED}-unsigned", "boot/vmlinuz-{}"),
        ("7.3", SPLIT, "usr/lib/modules/{}/vmlinuz"),
        ("7.3", SPLIT.replace("y-", "y-unsigned-"), "usr/lib/modules/{}/vmlinuz"),
    ],
)
def test_a_kernel_image(
    archive: Archive, version: str, package: str, path: str
) -> None:
    release = package.replace("-unsigned", "").split("-", 2)[2]
    archive.package(package, {path.format(release): "image\n"})
    if version == "7.3":
        # which only depends on the other
        archive.package(f"linux-image-{release}", {"usr/share/doc/it": "none\n"})
    words = ("debian-kernel.sh", version, "cloud", "amd64")
    result = archive.run(*words)
    assert result.returncode == 0, result.stderr
    folder = archive.build / f"kernels/{version}-cloud-amd64"
    assert result.stdout == f"{folder}/vmlinuz\n"
    assert (folder / "vmlinuz").read_text() == "image\n"
    assert (folder / "release").read_text() == f"{release}\n"
    assert not list(archive.build.rglob("*.deb"))

    calls = len(archive.calls())
    assert archive.run(*words).stdout == result.stdout
    assert len(archive.calls()) == calls


def test_no_kernel_image(archive: Archive) -> None:
    result = archive.run("debian-kernel.sh", "6.1", "cloud", "amd64")
    assert result.returncode == 2
    assert "no cloud kernel 6.1 for amd64" in result.stderr
    archive.package(SIGNED, {"boot/other": "none\n"})
    result = archive.run("debian-kernel.sh", "6.1", "cloud", "amd64")
    assert result.returncode == 2
    assert f"cannot read ./boot/vmlinuz-{SIGNED[12:]}" in result.stderr
    assert archive.left() == ["kernels"]


def test_a_kernel_package(archive: Archive) -> None:
    words = ("debian-package.sh", "6.1", "cloud", "amd64")
    result = archive.run(*words)
    assert result.returncode == 2
    assert "no cloud kernel 6.1 for amd64" in result.stderr
    archive.package(SIGNED, {"boot/other": "none\n"})
    result = archive.run(*words)
    assert result.returncode == 0, result.stderr
    deb = archive.build / "packages/6.1-cloud-amd64.deb"
    assert result.stdout == f"{deb}\n"
    assert deb.read_bytes().startswith(b"!<arch>\n")
    assert archive.left() == ["packages", "packages/6.1-cloud-amd64.deb"]

    calls = len(archive.calls())
    assert archive.run(*words).stdout == result.stdout
    assert len(archive.calls()) == calls


LIBRARIES = (
    "libc6-dev libc6 linux-libc-dev libgcc-s1 libseccomp-dev libseccomp2"
    " libjson-c-dev libjson-c5 libbsd-dev libbsd0 libmd-dev libmd0 libssl-dev libssl3"
    " libcmocka-dev libcmocka0 libarchive-dev libmxml-dev libcsv-dev liblzma-dev"
    " libzstd-dev zlib1g-dev libbz2-dev liblz4-dev liblzo2-dev"
).split()


def test_libraries_of_another_architecture(archive: Archive) -> None:
    link = archive.folder / "packages/libc6-dev/usr/lib/libm.so"
    link.parent.mkdir(parents=True)
    link.symlink_to("/lib/libm.so.6")
    for package in LIBRARIES:
        archive.package(package, {f"usr/include/{package}.h": package})
    result = archive.run("debian-libraries.sh", "arm64")
    assert result.returncode == 0, result.stderr
    root = archive.build / "sysroot-arm64"
    assert result.stdout == f"{root}\n"
    assert {path.stem for path in root.glob("usr/include/*")} == set(LIBRARIES)
    # It would lead to this machine's.
    assert os.readlink(root / "usr/lib/libm.so") == "../../lib/libm.so.6"
    assert [path.name for path in archive.build.iterdir() if path != root] == ["apt"]

    calls = len(archive.calls())
    assert archive.run("debian-libraries.sh", "arm64").stdout == result.stdout
    assert len(archive.calls()) == calls

    # The list was another one then.
    (root / "packages").write_text("libc6\n")
    (root / "usr/include/libc6.h").unlink()
    assert archive.run("debian-libraries.sh", "arm64").stdout == result.stdout
    assert (root / "usr/include/libc6.h").exists()


def test_libraries_come_all_or_none(archive: Archive) -> None:
    for package in LIBRARIES[:-1]:
        archive.package(package, {f"usr/include/{package}.h": package})
    result = archive.run("debian-libraries.sh", "arm64")
    assert result.returncode == 2
    assert f"cannot fetch {LIBRARIES[-1]}" in result.stderr
    assert not archive.left()
    assert archive.run("debian-libraries.sh", "../x").returncode == 2


def test_apt_takes_nothing_unsigned(tmp_path: Path) -> None:
    """The real apt, with a mirror whose suite nobody has signed."""
    suite = tmp_path / "mirror/dists/sid"
    packages = suite / "main/binary-amd64/Packages"
    packages.parent.mkdir(parents=True)
    packages.touch()
    (suite / "Release").write_text("Origin: Debian\nSuite: sid\nCodename: sid\n")
    result = run(
        KCONFIG / "tree.sh",
        "7.2",
        env={
            "BUILD": str(tmp_path / "build"),
            "DEBIAN_MIRROR": f"file://{tmp_path}/mirror",
        },
    )
    assert result.returncode == 2
    assert "is not signed" in result.stderr
    assert not (tmp_path / "build/linux-source-7.2").exists()
