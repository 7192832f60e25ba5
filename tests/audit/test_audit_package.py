# SPDX-License-Identifier: GPL-2.0-only
"""Configs in packages: Debian's, RPMs, tar archives."""

import os
import shutil
import struct
import subprocess
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from audit_building import built
from audit_inputs import (
    TOOLS,
    Found,
    ar,
    bzimage,
    compress,
    cpio,
    deb,
    kernel_proper,
    problem,
    read,
    rpm,
    tar,
)
from compiled import run
from surroundings import fetched

CONFIG = b"#\n# Linux/x86 6.1.99 Kernel Configuration\n#\nCONFIG_SLAB=y\n" * 500
OTHER = CONFIG + b"CONFIG_OTHER=y\n"
IMAGE = bzimage(compress("xz", kernel_proper(CONFIG)))

Members = dict[str, bytes | str]


def packed_tar(how: str, members: Members) -> bytes:
    return compress(how, tar(members))


def ipk(members: Members) -> bytes:
    """OpenWrt's: a tar archive in another."""
    return compress("gzip", tar({"./data.tar.gz": packed_tar("gzip", members)}))


def apk(members: Members) -> bytes:
    """Alpine's: compressed parts, of which only the last has an end of archive."""
    return compress("gzip", tar({".PKGINFO": b"x"})[:1024]) + packed_tar(
        "gzip", members
    )


#: Ways to put files into a package.
PACKAGES: dict[str, Callable[[Members], bytes]] = {
    **{f"deb-{how}": partial(deb, how=how) for how in ("gzip", "xz", "zstd")},
    **{f"rpm-{how}": partial(rpm, how=how) for how in ("gzip", "xz", "zstd")},
    **{f"tar-{how}": partial(packed_tar, how) for how in TOOLS},
    "tar": tar,
    "tar-pax": partial(tar, form=tarfile.PAX_FORMAT),
    "ipk": ipk,
    "apk": apk,
}


@pytest.fixture(name="package", params=PACKAGES)
def fixture_package(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[..., Path]:
    """package({path: bytes}): a package of each kind."""

    def make(members: Members) -> Path:
        path = tmp_path / "package"
        path.write_bytes(PACKAGES[request.param](members))
        return path

    return make


def test_config(package: Callable[..., Path]) -> None:
    path = package({"./boot/System.map": b"x", "./boot/config-6.1": CONFIG})
    assert read(path) == [Found(f"{path}:./boot/config-6.1", CONFIG)]


def test_from_a_pipe(package: Callable[..., Path]) -> None:
    path = package({"boot/vmlinuz-6.1": IMAGE, "boot/config-6.1": CONFIG})
    with open(path, "rb") as file:
        result = run("sh", "-c", 'cat | "$0" -', built("unit/show_input"), stdin=file)
    assert result.stdout.splitlines()[0] == "-:boot/config-6.1"


def test_all_configs(package: Callable[..., Path]) -> None:
    """In the order of the package, equal ones once."""
    path = package(
        {
            "boot/config-2": OTHER,
            "boot/config-1": CONFIG,
            "lib/modules/2/config": OTHER,
            "lib/modules/3/config": OTHER + b"#\n",
        }
    )
    assert [(found.source, found.text) for found in read(path)] == [
        (f"{path}:boot/config-2", OTHER),
        (f"{path}:boot/config-1", CONFIG),
        (f"{path}:lib/modules/3/config", OTHER + b"#\n"),
    ]


@pytest.mark.parametrize(
    "path",
    [
        "boot/config-6.1.0-40-cloud-amd64",
        "./boot/config-6.1",
        "/boot/config-6.1",
        "usr/lib/modules/6.1.0/config",
        "lib/modules/6.1.0-1.fc40.x86_64/config",
        "usr/lib/kernel/config-6.1",
        "usr/src/linux-headers-6.1.0/.config",
        "usr/src/kernels/6.1.0.x86_64/.config",
        "usr/lib/modules/6.1.0-arch1-1/build/.config",
        "usr/lib/linux/6.1/config",
    ],
)
def test_places(tmp_path: Path, path: str) -> None:
    package = tmp_path / "package"
    package.write_bytes(tar({path: CONFIG}))
    assert read(package) == [Found(f"{package}:{path}", CONFIG)]


@pytest.mark.parametrize(
    "path",
    [
        "etc/config-6.1",
        "boot/grub/config-6.1",
        "lib/modules/config",
        "bootconfig-1",
        "",
    ],
)
def test_other_places(tmp_path: Path, path: str) -> None:
    package = tmp_path / "package"
    package.write_bytes(tar({path or "x": CONFIG}))
    assert problem(package) == (
        f"{package}: no kernel's config (boot/config-*, lib/modules/*/config) in it, "
        "and no kernel image; give the package that has them"
    )


def test_compressed_configs(tmp_path: Path) -> None:
    """As in Debian's linux-config packages."""
    package = tmp_path / "package"
    folder = "./usr/src/linux-config-6.1"
    names = (f"{folder}/config.amd64_none_amd64.xz", f"{folder}/config.armhf.xz")
    texts = (CONFIG, OTHER)
    members = {name: compress("xz", text) for name, text in zip(names, texts)}
    package.write_bytes(deb({**members}))
    assert read(package) == [
        Found(f"{package}:{name}", text) for name, text in zip(names, texts)
    ]


def test_image(package: Callable[..., Path]) -> None:
    path = package({"./boot/vmlinuz-6.1": IMAGE})
    assert read(path) == [Found(f"{path}:./boot/vmlinuz-6.1 (IKCONFIG, xz)", CONFIG)]


def test_config_before_image(package: Callable[..., Path]) -> None:
    """Wherever the image is, and whatever it has."""
    for image in (IMAGE, b"broken"):
        for members in (
            {"boot/vmlinuz": image, "boot/config-1": OTHER},
            {"boot/config-1": OTHER, "boot/vmlinuz": image},
        ):
            path = package(members)
            assert read(path) == [Found(f"{path}:boot/config-1", OTHER)]


def test_image_without_config(package: Callable[..., Path]) -> None:
    kernel = bzimage(compress("gzip", kernel_proper(None)))
    assert problem(package({"lib/modules/6.12/vmlinuz": kernel})).endswith(
        ":lib/modules/6.12/vmlinuz: Linux version 6.12.99-test was built without "
        "IKCONFIG; give its config file"
    )


def test_module(tmp_path: Path) -> None:
    package = tmp_path / "package"
    name = "lib/modules/6.1/kernel/kernel/configs.ko.xz"
    module = compress("xz", kernel_proper(CONFIG))
    package.write_bytes(tar({"boot/vmlinuz": b"x" * 5000, name: module}))
    assert read(package) == [Found(f"{package}:{name} (IKCONFIG, xz)", CONFIG)]


def test_symbolic_link(package: Callable[..., Path]) -> None:
    path = package({"./boot/config-1": "/etc/passwd"})
    assert problem(path) == (
        f"{path}: ./boot/config-1 in it is a link to /etc/passwd, which is not "
        "followed; give the package or file that has the config itself"
    )
    path = package({"boot/config-1": "../usr/config", "boot/config-2": CONFIG})
    assert read(path) == [Found(f"{path}:boot/config-2", CONFIG)]


def test_hard_link_tar(tmp_path: Path) -> None:
    """The other name of a file; not a file that was there before."""
    package = tmp_path / "package"
    config = tmp_path / "config"
    config.write_bytes(CONFIG)
    with tarfile.open(package, "w") as archive:
        link = tarfile.TarInfo("boot/config-1")
        link.type, link.linkname = tarfile.LNKTYPE, str(config)
        archive.addfile(link)
    assert f"boot/config-1 in it is a link to {config}" in problem(package)


def test_hard_link_rpm(tmp_path: Path) -> None:
    """The first of two names has no data, the last has that of both."""
    package = tmp_path / "package"
    data = cpio({"boot/config-1": b"", "lib/modules/1/config": CONFIG})
    package.write_bytes(
        rpm({}).replace(compress("zstd", cpio({})), b"")
        + data.replace(b"%08x" % 1 + b"0" * 8, b"%08x" % 2 + b"0" * 8)
    )
    assert read(package) == [Found(f"{package}:lib/modules/1/config", CONFIG)]


def test_not_regular(tmp_path: Path) -> None:
    package = tmp_path / "package"
    with tarfile.open(package, "w") as archive:
        for kind in (tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
            info = tarfile.TarInfo(f"boot/config-{ord(kind)}")
            info.type = kind
            archive.addfile(info)
    assert "no kernel's config" in problem(package)


def test_long_names(tmp_path: Path) -> None:
    package = tmp_path / "package"
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        for name in ("boot/config-" + "1" * 200, "boot/config-\u00e4"):
            package.write_bytes(tar({name: CONFIG}, form))
            assert [found.text for found in read(package)] == [CONFIG]


def test_too_long_names_rpm(tmp_path: Path) -> None:
    """Longer than paths can be; one that is nearly as long will do."""
    package = tmp_path / "package"
    long = "boot/config-" + "1" * 4082
    package.write_bytes(rpm({long: CONFIG}))
    assert read(package, variant="sanitized")[0].text == CONFIG
    for members in ({long + "1": CONFIG}, {"boot/config-1": "/" * 4096}):
        package.write_bytes(rpm({**members}))
        assert "damaged or cut short" in problem(package, "sanitized")


def test_bad_config_fails_all(tmp_path: Path) -> None:
    """A package is not half read."""
    package = tmp_path / "package"
    broken = compress("gzip", CONFIG)[:-10]
    package.write_bytes(tar({"boot/config-1": CONFIG, "boot/config-2": broken}))
    assert (
        f"{package}:boot/config-2: the gzip data in it is cut short"
        in run(built("unit/show_input"), package).stderr
    )
    assert not read(package, status=2)


def test_cut_between_members(tmp_path: Path) -> None:
    """What is unpacked ends where an archive could; the compressed data goes on."""
    package = tmp_path / "package"
    whole = tar({"boot/config-1": CONFIG, "boot/config-2": OTHER})
    start = 512 + (len(CONFIG) + 511) // 512 * 512
    first, second = compress("gzip", whole[:start]), compress("gzip", whole[start:])
    package.write_bytes(first + second[:15])
    assert "cut short" in problem(package)


def test_packages_in_packages(tmp_path: Path) -> None:
    path = tmp_path / "package"
    data = tar({"boot/config-1": CONFIG})
    for _ in range(2):
        data = tar({"data.tar": data})
    path.write_bytes(data)
    assert read(path) == [Found(f"{path}:boot/config-1", CONFIG)]
    for _ in range(9):
        data = compress("gzip", data)
    path.write_bytes(data)
    assert "packed more than" in problem(path)


def test_many_members(tmp_path: Path) -> None:
    package = tmp_path / "package"
    one = ar({"x": b""})[8:]
    package.write_bytes(b"!<arch>\n" + one * 500001)
    assert "more than 500000 files" in problem(package)


def test_many_configs(tmp_path: Path) -> None:
    package = tmp_path / "package"
    members = {f"boot/config-{i}": b"CONFIG_A=%d\n" % i for i in range(513)}
    package.write_bytes(tar({**members}))
    assert "more than 512 configs" in problem(package)


def test_giant_sizes(tmp_path: Path) -> None:
    """Sizes in headers that nothing stands behind."""
    package = tmp_path / "package"
    good_ar = ar({"data.tar": tar({"boot/config-1": CONFIG})})
    good_cpio = cpio({"boot/config-1": CONFIG})
    good_tar = bytearray(tar({"boot/config-1": CONFIG}))
    good_tar[124:136] = b"77777777777\0"
    good_tar[148:156] = b" " * 8
    good_tar[148:156] = b"%06o\0 " % sum(good_tar[:512])
    size = b"%08x" % len(CONFIG)
    start = rpm({})[: -len(compress("zstd", cpio({})))]
    for data in (
        good_ar.replace(b"%-10d" % len(tar({"boot/config-1": CONFIG})), b"9999999999"),
        start + good_cpio.replace(size, b"ffffffff", 1),
        start + good_cpio.replace(b"%08x" % len("boot/config-1\0"), b"ffffffff", 1),
        start[:104] + struct.pack(">II", 2**32 - 1, 2**32 - 1) + start[112:],
        bytes(good_tar),
    ):
        package.write_bytes(data)
        message = problem(package)
        assert "cut short" in message or "damaged" in message


def test_sparse(tmp_path: Path) -> None:
    """8 EiB of nothing in a file of a few blocks."""
    if not shutil.which("tar"):
        pytest.skip("no GNU tar")
    folder = tmp_path / "boot"
    folder.mkdir()
    for name, message in (("config-1", "16 MiB"), ("vmlinuz", "2048 MiB")):
        path, package = folder / name, tmp_path / "package"
        path.write_bytes(b"#\n" if name == "config-1" else b"\x7fELF")
        os.truncate(path, 1 << 42)
        subprocess.run(
            ["tar", "-cSf", package, "-C", tmp_path, f"boot/{name}"], check=True
        )
        assert package.stat().st_size < 100000
        stderr = run(built("unit/show_input"), package).stderr
        assert message in stderr, stderr
        path.unlink()


@pytest.mark.parametrize("how", ["gzip", "xz", "zstd", "none"])
def test_dpkg_deb(tmp_path: Path, debian_config: Callable[..., Path], how: str) -> None:
    config = debian_config("6.1", "cloud", "amd64")
    for folder in ("DEBIAN", "boot"):
        (tmp_path / "tree" / folder).mkdir(parents=True)
    shutil.copy(config, tmp_path / "tree/boot/config-6.1")
    (tmp_path / "tree/DEBIAN/control").write_text(
        "Package: linux-image-6.1\nVersion: 1\nArchitecture: amd64\n"
        "Maintainer: Someone <someone@example.org>\nDescription: a kernel\n"
    )
    package = tmp_path / "linux-image.deb"
    subprocess.run(
        ["dpkg-deb", f"-Z{how}", "-b", tmp_path / "tree", package],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    assert read(package) == [Found(f"{package}:./boot/config-6.1", config.read_bytes())]


@pytest.mark.parametrize("payload", ["w9.gzdio", "w7.xzdio", "w19.zstdio", "w9.bzdio"])
def test_rpmbuild(
    tmp_path: Path, debian_config: Callable[..., Path], payload: str
) -> None:
    config = debian_config("6.1", "default", "amd64")
    (tmp_path / "kernel.spec").write_text(
        "Name: kernel-core\nVersion: 6.1\nRelease: 1\nSummary: a kernel\n"
        "License: GPL-2.0-only\nBuildArch: noarch\n%description\nA kernel.\n"
        f"%install\nmkdir -p %{{buildroot}}/lib/modules/6.1\n"
        f"cp {config} %{{buildroot}}/lib/modules/6.1/config\n"
        "ln %{buildroot}/lib/modules/6.1/config %{buildroot}/lib/modules/6.1/also\n"
        "%files\n/lib/modules/6.1\n"
    )
    result = run(
        *("rpmbuild", "-bb", "--define", f"_topdir {tmp_path}"),
        *("--define", f"_binary_payload {payload}", "--nodeps"),
        *("--dbpath", tmp_path / "db", tmp_path / "kernel.spec"),
    )
    assert result.status == 0, result.stderr
    [package] = tmp_path.glob("RPMS/noarch/*.rpm")
    [found] = read(package)
    assert found.text == config.read_bytes()
    assert found.source.startswith(f"{package}:./lib/modules/6.1/")


def test_debian_package(debian_config: Callable[..., Path]) -> None:
    """The real one, in little memory."""
    package = fetched("debian-package.sh", "6.1", "cloud", "amd64")
    [found] = read(package)
    assert found.source.startswith(f"{package}:./boot/config-6.1.0-")
    assert found.text == debian_config("6.1", "cloud", "amd64").read_bytes()
    program = built("unit/show_input")
    assert run("prlimit", f"--data={16 << 20}", program, package).status == 0
