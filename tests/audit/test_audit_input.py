# SPDX-License-Identifier: GPL-2.0-only
"""Opening: plain and compressed configs, pipes, FIFOs, and what is refused."""

import base64
import os
import random
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import built
from audit_inputs import TOOLS, Found, compress, problem, read
from compiled import run

DebianConfig = Callable[..., Path]
#: Longest text that is taken for a config
CONFIG_MAX = 16 << 20


@pytest.fixture(name="config", scope="module")
def fixture_config(debian_config: DebianConfig) -> bytes:
    """A real one."""
    return debian_config("6.12", "default", "amd64").read_bytes()


@pytest.fixture(name="program", scope="module")
def fixture_program() -> Path:
    return built("unit/show_input")


def test_plain(tmp_path: Path, config: bytes) -> None:
    path = tmp_path / "any name"
    path.write_bytes(config)
    assert read(path) == [Found(str(path), config)]


@pytest.mark.parametrize("how", TOOLS)
def test_compressed(tmp_path: Path, config: bytes, how: str) -> None:
    """Told by its bytes, not by a name. Behind the data, kernels have its size."""
    path = tmp_path / "config.txt"
    for text in (config, b"CONFIG_A=y\n"):
        for behind in (b"", len(text).to_bytes(4, "little")):
            path.write_bytes(compress(how, text) + behind)
            assert read(path) == [Found(str(path), text)]


@pytest.mark.parametrize("how", ["gzip", "bzip2", "xz", "zstd", "lz4"])
def test_compressed_in_parts(tmp_path: Path, config: bytes, how: str) -> None:
    """A file of several parts, one after the other, is one config."""
    path = tmp_path / "config"
    path.write_bytes(compress(how, config[:100000]) + compress(how, config[100000:]))
    assert read(path) == [Found(str(path), config)]


@pytest.mark.parametrize(
    "tool",
    [
        "gzip -1 -N",
        "bzip2 -1",
        "xz -0 --check=none",
        "xz --check=sha256 --delta --lzma2",
        "xz -T2 --block-size=10000",
        "lzma -0",
        "lzop -1",
        "lzop -F",
        "lzop --crc32",
        "lz4 -B4 -BD -BX --content-size",
        "lz4 --no-frame-crc",
        "zstd -1 --no-check",
        "zstd --long=27",
        "zstd -T2 -B10000",
    ],
)
def test_other_settings(tmp_path: Path, config: bytes, tool: str) -> None:
    """Files as the tools make them with these options, the name of the file within."""
    plain, path = tmp_path / "config", tmp_path / "packed"
    plain.write_bytes(config)
    with open(path, "wb") as out:
        subprocess.run([*tool.split(), "-c", plain], stdout=out, check=True)
    assert read(path) == [Found(str(path), config)]


@pytest.mark.parametrize(
    "tool", ["lzop", "lzop --crc32", "lzop -F", "lz4 -BX", "lz4 -l"]
)
def test_stored_blocks(tmp_path: Path, tool: str) -> None:
    """What these formats cannot make smaller they store, without some checksums."""
    noise = base64.b64encode(random.Random(1).randbytes(900000))
    text = b"CONFIG_A=y\n" + noise + b"\nCONFIG_B=y\n" * 100000
    path = tmp_path / "packed"
    packed = subprocess.run(
        [*tool.split(), "-c"], input=text, stdout=subprocess.PIPE, check=True
    )
    path.write_bytes(packed.stdout)
    assert read(path) == [Found(str(path), text)]


def test_too_much_memory(tmp_path: Path, config: bytes) -> None:
    """Windows of 2 GiB, which no kernel asks for."""
    path = tmp_path / "packed"
    zstd = ["zstd", "-q", "--ultra", "--long=31"]
    lzma = bytearray(compress("lzma", config))
    lzma[1:5] = (1 << 31).to_bytes(4, "little")
    for data in (
        subprocess.run(zstd, input=config, stdout=subprocess.PIPE, check=True).stdout,
        bytes(lzma),
    ):
        path.write_bytes(data)
        assert "more memory, or a newer library" in problem(path)


def test_running_kernel() -> None:
    if not os.path.exists("/proc/config.gz"):
        pytest.skip("this kernel has no /proc/config.gz")
    expected = subprocess.run(
        ["zcat", "/proc/config.gz"], stdout=subprocess.PIPE, check=True
    ).stdout
    assert read("/proc/config.gz") == [Found("/proc/config.gz", expected)]


def test_size_of_nothing() -> None:
    """Files of /proc say that they are empty."""
    version = Path("/proc/version").read_bytes()
    assert read("/proc/version") == [Found("/proc/version", version)]


def test_process_substitution(tmp_path: Path, config: bytes, program: Path) -> None:
    packed = tmp_path / "config.gz"
    packed.write_bytes(compress("gzip", config))
    for source in ("zcat", "cat"):
        command = f'"$1" <({source} "$2")'
        result = run("bash", "-c", command, "bash", program, packed)
        assert result.status == 0, result
        assert result.stdout.split("\n", 2)[2] == config.decode()


@pytest.mark.parametrize("how", [None, "xz", "lz4-legacy"])
def test_standard_input(config: bytes, program: Path, how: str | None) -> None:
    data = compress(how, config) if how else config
    result = run(program, "-", input=data, text=False)
    assert result.status == 0, result
    output = bytes(result.stdout)  # type: ignore[arg-type]
    assert output.decode().split("\n", 2) == [
        "-",
        str(len(config)),
        config.decode(),
    ]


def test_standard_input_is_a_file(tmp_path: Path, config: bytes, program: Path) -> None:
    """Which somebody has read a part of."""
    path = tmp_path / "config"
    path.write_bytes(b"first line\n" + config)
    with open(path, "rb", buffering=0) as file:
        file.seek(11)
        result = run(program, "-", stdin=file)
    assert result.stdout.split("\n", 2)[2] == config.decode()


def test_fifo_without_writer(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert "nobody writes to this FIFO" in problem(fifo)


@pytest.mark.parametrize(
    "before, after",
    [(0.0, 1.0), (1.0, 0.0), pytest.param(0.0, 8.0, marks=pytest.mark.long)],
)
def test_fifo_with_slow_writer(tmp_path: Path, before: float, after: float) -> None:
    """That comes late, or writes nothing at first."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    def write() -> None:
        time.sleep(before)
        with open(fifo, "wb") as file:
            time.sleep(after)
            file.write(b"CONFIG_A=y\n")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert read(fifo) == [Found(str(fifo), b"CONFIG_A=y\n")]
    finally:
        writer.join()


def test_fifo_whose_writer_leaves(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: open(fifo, "wb").close())
    writer.start()
    try:
        assert "empty" in problem(fifo)
    finally:
        writer.join()


def test_endless_pipe(program: Path) -> None:
    """Text is known to be too long soon, zeros only at the limit."""
    for command, limit in (("yes", "16 MiB"), ("cat /dev/zero", "2048 MiB")):
        result = run("bash", "-c", f'{command} | "$1" -', "bash", program)
        assert (result.status, result.stdout) == (2, "")
        assert result.stderr.startswith("-: ") and limit in result.stderr


def test_folder(tmp_path: Path) -> None:
    assert f"directory; for the system in it say --root {tmp_path}" in problem(tmp_path)


def test_devices() -> None:
    for path in ("/dev/zero", "/dev/null", "/dev/tty"):
        assert "device" in problem(path)


def test_socket(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert "socket" in problem(tmp_path / "socket")


def test_missing(tmp_path: Path) -> None:
    assert "No such file" in problem(tmp_path / "missing")


def test_unreadable(tmp_path: Path, program: Path) -> None:
    path = tmp_path / "config"
    path.write_bytes(b"CONFIG_A=y\n")
    path.chmod(0)
    drop = (
        ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
        if os.getuid() == 0
        else []
    )
    result = run(*drop, program, path)
    assert (result.status, result.stdout) == (2, "")
    assert "Permission denied; run as a user who may read it" in result.stderr


def test_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    for data in (b"", compress("gzip", b""), compress("zstd", b"")):
        path.write_bytes(data)
        assert "it is empty; give a config" in problem(path)


def test_no_config() -> None:
    assert "neither a config, nor a kernel image" in problem("/bin/ls")


def test_control_characters(tmp_path: Path) -> None:
    """They do not make a config something else, wherever they are in it."""
    path = tmp_path / "config"
    for text in (
        b"CONFIG_A=y\n\0\x01\x02CONFIG_B=y\n",
        b"#\0\n",
        b'\nCONFIG_A="\x7f"\n',
    ):
        path.write_bytes(text)
        assert read(path) == [Found(str(path), text)]


def test_name_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31mb"
    result = run(built("unit/show_input"), path)
    assert "\\x1b[31mb: No such file" in result.stderr
    path.write_bytes(b"CONFIG_A=y\n")
    assert [found.source for found in read(path)] == [f"{tmp_path}/a\\x1b[31mb"]


def test_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_bytes(b"#" * CONFIG_MAX)
    assert len(read(path)[0].text) == CONFIG_MAX
    path.write_bytes(b"#" * (CONFIG_MAX + 1))
    assert "larger than 16 MiB" in problem(path)


def test_failure_leaves_the_list(tmp_path: Path) -> None:
    """The configs before and after it are found."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(b"CONFIG_A=y\n")
    bad.write_bytes(compress("gzip", b"CONFIG_B=y\n" * 1000)[:-20])
    assert read(good, bad, good, status=2) == [Found(str(good), b"CONFIG_A=y\n")] * 2


def test_memory(tmp_path: Path, config: bytes, program: Path) -> None:
    """All there is for data: 2 MiB for a plain config, 6 MiB for a gzipped one."""
    for data, limit in ((config, 2), (compress("gzip", config), 6)):
        path = tmp_path / "config"
        path.write_bytes(data)
        result = run("prlimit", f"--data={limit << 20}", program, path)
        assert result.status == 0, result
        assert run("prlimit", "--data=200000", program, path).status != 0
