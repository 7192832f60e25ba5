# SPDX-License-Identifier: GPL-2.0-only
"""hardened-audit gives up what it does not need, and still does its work where the
kernel lets it give up less."""

import errno
import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import DYNAMIC, audit_run, built, preload


def status_of(pid: int) -> dict[str, str]:
    """/proc/PID/status"""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def confined(pid: int) -> bool:
    status = status_of(pid)
    return status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"


def wait_for(what: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    return what()


@pytest.mark.parametrize("count", [1, 2])
def test_it_is_confined_while_it_reads(tmp_path: Path, count: int) -> None:
    """Seen from outside, while it waits for a FIFO; workers are, too, and once more."""
    paths = [tmp_path / f"fifo-{i}" for i in range(count)]
    for path in paths:
        os.mkfifo(path)
    writers = [os.open(path, os.O_RDWR) for path in paths]
    program = subprocess.Popen(
        [built("hardened-audit"), "--jobs", str(count), *paths],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_for(lambda: confined(program.pid))
        filters = int(status_of(program.pid)["Seccomp_filters"])
        assert filters == 1
        if count > 1:
            children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
            assert wait_for(lambda: len(children.read_text().split()) == count)
            for child in map(int, children.read_text().split()):
                assert wait_for(
                    lambda: status_of(child)["Seccomp_filters"] == "2"  # noqa: B023
                )
    finally:
        program.kill()
        program.wait()
        for writer in writers:
            os.close(writer)


def escapes(*words: str | Path, file: Path) -> dict[str, str]:
    """How each attempt of preload/escape.c ended."""
    run = audit_run(
        *words, target=DYNAMIC, env=preload("escape") | {"ESCAPE_FILE": str(file)}
    )
    lines = [line for line in run.stderr.splitlines() if line.startswith("escape ")]
    return dict(line.removeprefix("escape ").split(": ") for line in lines)


def landlock() -> bool:
    """Whether this kernel has it: landlock_create_ruleset() tells its version."""
    code = "import ctypes as c; print(c.CDLL(None).syscall(444, None, 0, 1))"
    done = subprocess.run(
        ["/usr/bin/python3", "-c", code], capture_output=True, text=True, check=True
    )
    return int(done.stdout) > 0


@pytest.mark.parametrize("output", [False, True])
def test_nothing_can_be_written_or_started(
    debian_config: Callable[..., Path], tmp_path: Path, output: bool
) -> None:
    config = debian_config("6.1", "cloud", "amd64")
    words = ("--output", tmp_path / "report") if output else ()
    got = escapes(*words, config, file=tmp_path / "escaped")
    assert got.keys() == {"openat", "openat2", "unlink", "socket", "ptrace", "execve"}
    by_filter = {name: got[name] for name in ("openat", "socket", "ptrace", "execve")}
    assert set(by_filter.values()) == {errno.errorcode[errno.EPERM]}
    if landlock():
        # The filter cannot see its flags.
        assert got["openat2"] == "EACCES"
        assert not (tmp_path / "escaped").exists()


def test_elsewhere_than_beside_the_output(
    debian_config: Callable[..., Path], tmp_path: Path
) -> None:
    """Removing is possible where the output replaces a file, and only there."""
    config = debian_config("6.1", "cloud", "amd64")
    (tmp_path / "out").mkdir()
    words = ("--output", tmp_path / "out/report", config)
    if not landlock():
        pytest.skip("this kernel has no Landlock")
    for name, ending in (("file", "EACCES"), ("out/file", "done")):
        (tmp_path / name).touch()
        assert escapes(*words, file=tmp_path / name)["unlink"] == ending


def test_without_confinement_all_of_that_works(tmp_path: Path) -> None:
    """The control: --help has no need to be confined."""
    got = escapes("--help", file=tmp_path / "escaped")
    assert got["openat"] == got["openat2"] == got["unlink"] == got["socket"] == "done"
    assert got["ptrace"] == "done" and got["execve"] != "EPERM"


@pytest.mark.parametrize(
    "calls", ["landlock_create_ruleset", "seccomp", "seccomp,prctl"]
)
def test_a_kernel_that_cannot(
    debian_config: Callable[..., Path], tmp_path: Path, calls: str
) -> None:
    """What it cannot have it does without, and says nothing."""
    config = debian_config("6.1", "cloud", "amd64")
    words = ["strace", "-f", "-qq", "-o", str(tmp_path / "trace")]
    words += ["-e", f"inject={calls}:error=ENOSYS"]
    for count in (1, 2):
        files = [str(config)] * count
        done = subprocess.run(
            [*words, str(built("hardened-audit")), "--format=csv", "--jobs=2", *files],
            capture_output=True,
            text=True,
            check=False,
        )
        there = audit_run("--format=csv", *files)
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout == there.stdout
    assert "(INJECTED)" in (tmp_path / "trace").read_text()


def test_a_fifo_is_read_to_its_end(
    debian_config: Callable[..., Path], tmp_path: Path
) -> None:
    config = debian_config("6.1", "cloud", "amd64")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes(config.read_bytes()))
    writer.start()
    run = audit_run("--format=csv", fifo)
    writer.join()
    assert run.status == 1
    there = audit_run("--format=csv", config).stdout
    assert run.stdout.count("\n") == there.count("\n")
