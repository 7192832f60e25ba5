# SPDX-License-Identifier: GPL-2.0-only
"""getrandom: what it says of this kernel, of filters, and of those that lie to it.

What is seen before the RNG is ready needs a guest, see test_guest.py.
"""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from building import Run
from building import run as start

Runner = Callable[..., Run]
Path_of = Callable[..., Path]
Preload = Callable[[str], dict[str, str]]

NOBODY = 65534


def verdicts(run: Run, *groups: str) -> set[str]:
    """The verdicts in these groups."""
    return {
        result["verdict"]
        for result in run.report["results"]
        if result["group"] in groups
    }


def failed(run: Run) -> set[str]:
    """Names of what failed."""
    return {name for name, result in run.results.items() if result["verdict"] == "fail"}


def needs_vdso(run: Run) -> None:
    """Skip, with the probe's reason, where there is no vDSO to be wrong."""
    used = run.results["distinct-vdso"]
    if used["verdict"] == "n/a":
        pytest.skip(used["reason"])


@pytest.fixture(name="filtered")
def fixture_filtered(run_probe: Runner, tool: Path_of) -> Callable[..., Run]:
    """filtered("getrandom=0"): the probe's run under these rules."""
    return lambda *rules, **more: run_probe(
        "getrandom", "--quick", under=(tool("with_filter"), *rules, "--"), **more
    )


@pytest.mark.parametrize("static", (False, True), ids=("dynamic", "static"))
def test_this_kernel(run_probe: Runner, static: bool) -> None:
    run = run_probe("getrandom", "--quick", static=static)
    assert verdicts(run, "contract") == {"ok"}
    assert verdicts(run, "bytes", "vdso", "before-ready") <= {"ok", "n/a"}
    assert verdicts(run, "cost", "throughput", "threads") <= {"ok", "n/a", "unknown"}
    assert run.status == 0


def test_each_row_says_which_system_call_it_measured(run_probe: Runner) -> None:
    results = run_probe("getrandom", "--quick").results
    assert results["getpid"]["outcome"] == "getpid(2)"
    assert results["syscall"]["outcome"] == "getrandom(2)"
    assert results["urandom"]["outcome"] == "read(2)"
    # two libraries define arc4random_buf, and each is measured
    assert results["arc4random-libbsd"]["outcome"] == "getpid(2)"
    other = results["arc4random-libc"]
    if other["verdict"] != "n/a":
        assert other["outcome"] in ("getrandom(2)", "no system call")
    for name in ("libc", "getentropy"):
        assert results[name]["outcome"] in ("getrandom(2)", "no system call")
    path = {"getrandom(2)": "system call", "no system call": "vDSO"}
    assert results["libc-path"]["outcome"] == path[results["libc"]["outcome"]]


def test_the_vdso_is_proved_not_believed(run_probe: Runner) -> None:
    run = run_probe("getrandom", "--quick")
    needs_vdso(run)
    used = run.results["vdso-used"]
    assert used["verdict"] == "ok"
    assert used["outcome"] == "no system call"
    assert "a fresh state was trapped at getrandom" in used["reason"]
    assert run.results["vdso"]["outcome"] == "no system call"
    assert {"vdso-fork", "vdso-fork-control"} <= set(run.results)


def test_figures(run_probe: Runner) -> None:
    run = run_probe("getrandom", "--quick")
    if verdicts(run, "cost") != {"ok"}:
        pytest.skip(run.results["getpid"]["reason"])
    results = run.results
    assert results["syscall"]["ratio"] > results["getpid"]["ratio"] == 1
    assert results["syscall-4096"]["ns"] > 2 * results["syscall-256"]["ns"]
    assert results["syscall-4096"]["mb_per_s"] > 0
    summary = " ".join(run.report["summary"])
    assert "32 bytes: getrandom(2)" in summary and "a bare system call" in summary
    assert "libbsd's arc4random_buf" in summary
    if results["syscall-threads"]["verdict"] == "ok":
        assert results["syscall-threads"]["threads"] >= 2


def test_quick_leaves_out_sizes_only(run_probe: Runner) -> None:
    quick = set(run_probe("getrandom", "--quick").results)
    whole = set(run_probe("getrandom").results)
    sizes = {f"{way}-{size}" for way in ("syscall", "vdso") for size in (1024, 65536)}
    assert whole - quick == sizes and quick < whole


@pytest.mark.parametrize("error", ("ENOSYS", "EPERM"))
def test_refused(filtered: Callable[..., Run], error: str) -> None:
    run = filtered(f"getrandom={error}")
    assert run.status == 1
    first = run.results["early-nonblock"]
    assert first["verdict"] == "fail"
    assert f"getrandom(2) is refused: {error}" in first["reason"]
    assert "a seccomp filter" in first["reason"]
    # only where there is no such call is the kernel's age a cause
    assert ("before 3.17" in first["reason"]) == (error == "ENOSYS")
    assert {"distinct-syscall", "distinct-libc", "unknown-flag"} <= failed(run)
    assert error in run.results["distinct-syscall"]["reason"]
    # what needs no getrandom(2) is told apart
    assert run.results["distinct-urandom"]["verdict"] in ("ok", "n/a")
    assert run.results["syscall"]["verdict"] == "unknown"
    assert "ns" not in run.results["syscall"]


def test_claims_success_and_does_nothing(filtered: Callable[..., Run]) -> None:
    run = filtered("getrandom=0")
    assert run.status == 1
    assert "gave 0 of 32 bytes" in run.results["early-nonblock"]["reason"]
    assert {"nonblock", "distinct-syscall", "distinct-libc"} <= failed(run)


@pytest.mark.parametrize("action", ("trap", "kill"))
def test_killed_for_it(filtered: Callable[..., Run], action: str) -> None:
    # glibc itself calls getrandom at the first malloc(), so the probe may not survive
    assert filtered(f"getrandom={action}").status not in (0, 4)


@pytest.mark.parametrize("untouched", (False, True), ids=("constant", "untouched"))
def test_the_same_bytes_each_time(
    run_probe: Runner, preload: Preload, untouched: bool
) -> None:
    env = preload("getrandom_constant")
    if untouched:
        env["GETRANDOM_UNTOUCHED"] = "1"
    run = run_probe("getrandom", "--quick", env=env)
    assert run.status == 1
    assert failed(run) == {
        *("random-insecure", "unknown-flag", "bad-pointer"),
        *("distinct-syscall", "distinct-libc", "fork-syscall", "fork-libc"),
    }
    assert "the same 32 bytes came twice" in run.results["distinct-syscall"]["reason"]


@pytest.fixture(name="early")
def fixture_early(run_probe: Runner, preload: Preload) -> Callable[[str], Run]:
    """early("touches"): the run where the generator is not ready, and wrong so."""
    return lambda how: run_probe(
        "getrandom",
        "--quick",
        env={**preload("getrandom_not_ready"), "GETRANDOM_NOT_READY": how},
    )


#: The preloaded library leaves the vDSO alone, which then gives bytes too early.
EARLY_VDSO = {"early-vdso-nonblock"}


def test_not_ready(early: Callable[[str], Run]) -> None:
    run = early("")
    assert run.report["machine"]["rng"] == "not ready when the probe started"
    assert failed(run) <= EARLY_VDSO
    for name in ("early-nonblock", "early-random-nonblock"):
        assert run.results[name]["verdict"] == "ok"
        assert run.results[name]["outcome"] == "EAGAIN"
    for name in ("early-insecure", "early-insecure-nonblock", "early-wait"):
        assert run.results[name]["verdict"] == "ok"
        assert run.results[name]["outcome"] == "32 bytes"
    assert run.results["early-wait"]["ms"] > 250
    assert run.results["early-insecure"]["ms"] < 250


@pytest.mark.parametrize(
    ("how", "names", "words"),
    (
        ("touches", {"early-nonblock", "early-random-nonblock"}, "was written to"),
        ("serves", {"early-random-nonblock"}, ""),
        ("waits", {"early-insecure"}, "waited until the RNG was ready"),
    ),
)
def test_wrong_when_not_ready(
    early: Callable[[str], Run], how: str, names: set[str], words: str
) -> None:
    run = early(how)
    bad = {name for name in names if run.results[name]["verdict"] != "ok"}
    assert bad == names
    assert all(words in run.results[name]["reason"] for name in names)
    if how == "serves":
        # bytes came, but the RNG may have become ready: not a pass
        assert run.results["early-random-nonblock"]["verdict"] == "unknown"
    else:
        assert names <= failed(run) <= names | EARLY_VDSO


def test_never_ready_is_told_and_not_waited_for_again(
    early: Callable[[str], Run],
) -> None:
    run = early("never")
    assert run.results["early-wait"]["verdict"] == "unknown"
    assert "did not get ready" in run.results["early-wait"]["reason"]
    assert {result["group"] for result in run.report["results"]} == {"before-ready"}
    assert run.status != 0


def test_a_state_that_fork_copies(run_probe: Runner, preload: Preload) -> None:
    run = run_probe("getrandom", "--quick", env=preload("mmap_not_droppable"))
    needs_vdso(run)
    assert failed(run) == {"vdso-fork"}
    assert "parent and child drew the same" in run.results["vdso-fork"]["reason"]


def test_no_filter_no_pass(filtered: Callable[..., Run]) -> None:
    run = filtered("seccomp=EPERM")
    path = run.results["libc-path"]
    assert path["verdict"] == "unknown" and "EPERM" in path["reason"]
    assert run.results["vdso-used"]["verdict"] in ("unknown", "n/a")
    assert "outcome" not in run.results["syscall"]
    assert run.status == 2


def test_no_processes_no_verdict(filtered: Callable[..., Run]) -> None:
    run = filtered("clone=EAGAIN", "clone3=EAGAIN", "fork=EAGAIN", "vfork=EAGAIN")
    assert verdicts(run, "before-ready", "contract", "bytes", "vdso") == {"unknown"}
    assert "EAGAIN" in run.results["distinct-syscall"]["reason"]
    assert run.status == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot(2) and mknod(2) need root")
@pytest.mark.parametrize("kind", ("absent", "regular", "zero"))
def test_urandom_is_the_device(probe: Path_of, tmp_path: Path, kind: str) -> None:
    tmp_path.chmod(0o755)
    shutil.copy(probe("getrandom", static=True), tmp_path)
    urandom = tmp_path / "dev/urandom"
    urandom.parent.mkdir()
    if kind == "regular":
        urandom.write_bytes(os.urandom(1 << 20))
    elif kind == "zero":
        os.mknod(urandom, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    jail = ("chroot", f"--userspec={NOBODY}:{NOBODY}", tmp_path, "/getrandom")
    results = start(*jail, "--quick", "--json").results
    for name in ("distinct-urandom", "fork-urandom", "urandom"):
        if kind == "absent":
            assert results[name]["verdict"] == "n/a"
            assert "cannot be opened" in results[name]["reason"]
        else:
            assert results[name]["verdict"] == "fail"
            assert "not character device 1:9" in results[name]["reason"]
    assert results["distinct-syscall"]["verdict"] == "ok"


def test_with_sanitizers(run_probe: Runner) -> None:
    run = run_probe("getrandom", "--quick", variant="sanitized")
    assert run.status in (0, 2) and not failed(run)
    assert "Sanitizer" not in run.stderr and "runtime error" not in run.stderr


def test_on_arm64_under_qemu_user(run_probe: Runner) -> None:
    run = run_probe("getrandom", "--quick", variant="arm64", static=True)
    assert run.report["machine"]["arch"] == "aarch64"
    assert run.report["machine"]["emulator"].startswith("QEMU TCG")
    assert not failed(run)
    assert verdicts(run, "contract") == {"ok"}
    assert verdicts(run, "bytes") == {"ok", "n/a"}
    for name in ("vdso-used", "distinct-vdso", "libc-path"):
        result = run.results[name]
        assert result["verdict"] == "n/a"
        assert "vDSO" in result["reason"] or "seccomp" in result["reason"]
    assert any("TCG's, not a machine's" in words for words in run.report["summary"])
