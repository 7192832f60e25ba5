# SPDX-License-Identifier: GPL-2.0-only
"""Several inputs: every number of workers prints the same, whatever the inputs do."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import DYNAMIC, audit_run, built, preload

FORMATS = ("table", "json", "csv", "ktap", "junit", "sarif", "prometheus", "html")


@pytest.fixture(name="inputs")
def fixture_inputs(debian_config: Callable[..., Path], tmp_path: Path) -> list[Path]:
    """30 inputs, some of which cannot be read, or take longer than others."""
    large = debian_config("6.12", "default", "amd64")
    small = debian_config("6.1", "cloud", "amd64")
    for i, source in enumerate([large, small] * 5):
        (tmp_path / f"config-{i}").symlink_to(source)
    subprocess.run(
        ["gzip", "-kf", "-S.gz", "config-1", "-c"], cwd=tmp_path, check=False
    )
    (tmp_path / "empty").touch()
    (tmp_path / "nonsense").write_bytes(random.Random(1).randbytes(5000))
    inputs = [*sorted(tmp_path.iterdir()), tmp_path / "missing"] * 2
    random.Random(2).shuffle(inputs)
    return inputs


@pytest.mark.parametrize("format_", FORMATS)
def test_any_number_of_workers(inputs: list[Path], format_: str) -> None:
    one, two, many = (
        audit_run("--format", format_, "--jobs", jobs, *inputs)
        for jobs in ("1", "2", "7")
    )
    assert one.status == 2 and one.stdout
    assert one == two == many


def test_the_order_is_that_of_the_inputs(inputs: list[Path]) -> None:
    run = audit_run("--json", "--jobs", "3", *inputs)
    assert [a["source"] for a in json.loads(run.stdout)] == [str(i) for i in inputs]
    told = [line for line in run.stderr.splitlines() if "missing" in line]
    assert len(told) == 2


@pytest.mark.parametrize("compare", [(), ("--compare",)])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_worker_that_crashes_takes_nothing_along(
    debian_config: Callable[..., Path], tmp_path: Path, jobs: str, compare: tuple[str]
) -> None:
    good = debian_config("6.1", "cloud", "amd64")
    paths = []
    for name in ("a", "crash-1", "b", "c", "vanish-1", "crash-2", "d"):
        (tmp_path / name).symlink_to(good)
        paths.append(tmp_path / name)
    words = ("--format=csv", *compare, "--jobs", jobs, *paths)
    run = audit_run(*words, target=DYNAMIC, env=preload("crash"))
    assert run.status == 2
    lost = run.stderr.splitlines()
    assert [line.split(": ")[1] for line in lost] == [
        str(tmp_path / name) for name in ("crash-1", "vanish-1", "crash-2")
    ]
    assert "the process that read it was ended by signal" in lost[0]
    assert "the process that read it ended with status 0" in lost[1]
    # The others are as if they were alone.
    others = [path for path in paths if path.name in "abcd"]
    alone = audit_run("--format=csv", *compare, *others)
    assert alone.status == 1
    if not compare:
        assert set(alone.stdout.splitlines()) <= set(run.stdout.splitlines())


def test_without_such_a_defect_nothing_is_lost(
    debian_config: Callable[..., Path], tmp_path: Path
) -> None:
    """The control of the test above: the same names, no preload."""
    (tmp_path / "crash-1").symlink_to(debian_config("6.1", "cloud", "amd64"))
    words = ("--format=csv", tmp_path / "crash-1", tmp_path / "crash-1")
    run = audit_run(*words, target=DYNAMIC)
    assert run.status == 1 and not run.stderr


def children(pid: int) -> list[int]:
    """The processes whose parent it is."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def test_workers_end_with_their_caller(tmp_path: Path) -> None:
    """Even when it is killed, while they wait for what never comes."""
    for name in ("a", "b"):
        os.mkfifo(tmp_path / name)
    writers = [os.open(tmp_path / name, os.O_RDWR) for name in ("a", "b")]
    program = subprocess.Popen(
        [built("hardened-audit"), "--jobs=2", tmp_path / "a", tmp_path / "b"],
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while len(children(program.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        workers = children(program.pid)
        assert len(workers) == 2
        program.send_signal(signal.SIGKILL)
        program.wait()
        while any(map(alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not any(map(alive, workers))
    finally:
        program.kill()
        for writer in writers:
            os.close(writer)


def alive(pid: int) -> bool:
    """Whether the process is there, and no zombie."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


def peak(*words: str | Path) -> int:
    """The most memory that a run has, in KiB, of any of its processes."""
    program = subprocess.Popen(
        [built("hardened-audit"), *words], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(program.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 1
    return usage.ru_maxrss


def test_memory_does_not_grow_with_the_number(
    debian_config: Callable[..., Path], tmp_path: Path
) -> None:
    config = debian_config("6.12", "cloud", "amd64")
    few, many = tmp_path / "few", tmp_path / "many"
    few.write_text(f"{config}\n" * 10)
    many.write_text(f"{config}\n" * 1000)
    words = ("--json", "--jobs=2", "--files-from")
    assert peak(*words, many) < peak(*words, few) + 1024


@pytest.mark.long
def test_ten_thousand(debian_config: Callable[..., Path], tmp_path: Path) -> None:
    config = debian_config("6.12", "default", "amd64")
    listed = tmp_path / "list"
    listed.write_text(f"{config}\n" * 10000)
    run = audit_run("--format=csv", "--jobs=2", "--files-from", listed)
    one = audit_run("--format=csv", config)
    assert run.status == 1
    assert run.stdout.count("\n") - 1 == 10000 * (one.stdout.count("\n") - 1)
