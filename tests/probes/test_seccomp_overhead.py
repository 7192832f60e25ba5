# SPDX-License-Identifier: GPL-2.0-only
"""seccomp-overhead: where it passes, where it must not, and what it leaves behind."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from building import Run, can_mount

NAME = "seccomp-overhead"
JIT = Path("/proc/sys/net/core/bpf_jit_enable")
HARDEN = Path("/proc/sys/net/core/bpf_jit_harden")

# One worker at a time changes the machine's sysctls.
pytestmark = pytest.mark.xdist_group("sysctl")

RunProbe = Callable[..., Run]


def refused(report: dict[str, Any]) -> bool:
    return any("A/A is" in result["reason"] for result in report["results"])


@pytest.fixture(scope="module", params=[False, True], ids=["dynamic", "static"])
def here(request: pytest.FixtureRequest, run_probe: RunProbe) -> Run:
    """A run on this machine whose A/A was good; a busy one gets another chance."""
    for _ in range(6):
        result = run_probe(NAME, "--quick", static=request.param)
        if not refused(result.report):
            return result
    pytest.fail(f"A/A stays off: {result.report['aa']}, load {os.getloadavg()[0]}")


def measured(report: dict[str, Any]) -> set[str]:
    return {result["name"] for result in report["results"] if "ratio" in result}


def test_passes_here(here: Run) -> None:
    assert here.status == 0, here.stdout
    assert here.report["verdict"] == "ok"
    assert abs(here.report["aa"] - 1) <= 0.01


def test_filters_are_proven(here: Run) -> None:
    assert here.results["filters-active"]["verdict"] == "ok"


def test_cells_have_figures(here: Run) -> None:
    expected = {"none", "lin12", "lin400", "lin12x8", "lin12-run", "lin400-run"}
    expected |= {"memory", "memory-filter", "lin1-run", "tree400-run", "lin12x8-run"}
    assert expected <= measured(here.report)
    for name in expected:
        assert here.results[name]["ns"] > 0


def test_length_counts_only_where_the_program_runs(here: Run) -> None:
    cost = {name: result.get("ratio") for name, result in here.results.items()}
    assert here.results["cached-length"]["verdict"] == "ok"
    assert here.results["program-length"]["verdict"] == "ok"
    assert cost["lin12"] > 1.01
    assert cost["lin12-run"] > cost["lin12"] * 1.01
    assert cost["lin400-run"] > cost["lin12-run"] * 1.02
    assert cost["lin400-run"] > cost["tree400-run"] * 1.02
    assert cost["lin12x8-run"] > cost["lin12-run"] * 1.2


def test_lengths_are_said(here: Run) -> None:
    assert here.results["lin400"]["insns"] >= 400
    assert here.results["lin400-run"]["insns"] == here.results["lin400"]["insns"] + 1


def test_the_question_is_answered(here: Run) -> None:
    machine, sentences = here.report["machine"], here.report["summary"]
    assert {"bpf_jit", "bpf_jit_harden", "ssbd", "ssbd_filtered"} <= set(machine)
    assert re.fullmatch(r"\d+\.\d+\.\d+", machine["libseccomp"])
    answer = next(sentence for sentence in sentences if "JIT" in sentence)
    if machine["bpf_jit"] == "always on":
        assert "cannot be measured here: the JIT is always on" in answer


def test_a_jit_that_is_always_on_is_no_failure(here: Run) -> None:
    if here.report["machine"]["bpf_jit"] != "always on":
        pytest.skip("the JIT is not known to be always on here")
    for name in ("jit-lin400-run", "jit-lin400-cached"):
        assert here.results[name]["verdict"] == "n/a"
        assert "CONFIG_BPF_JIT_ALWAYS_ON" in here.results[name]["reason"]


def test_the_whole_run_has_all_lengths_and_shapes(run_probe: RunProbe) -> None:
    names = set(run_probe(NAME).results)
    for rules in (12, 50, 200, 400):
        for shape in (f"lin{rules}", f"tree{rules}"):
            assert {shape, f"{shape}-run"} <= names


# Negative controls


def assert_not_in_force(result: Run) -> None:
    assert result.status == 1
    assert result.results["filters-active"]["verdict"] == "fail"
    assert measured(result.report) <= {"none", "memory", "memory-ssbd"}
    lin12 = result.results["lin12"]
    assert lin12["verdict"] == "fail" and lin12["reason"].startswith("not active")
    assert not any("costs" in sentence for sentence in result.report["summary"])


def test_filters_that_were_not_loaded(
    run_probe: RunProbe, preload: Callable[[str], dict[str, str]]
) -> None:
    assert_not_in_force(run_probe(NAME, "--quick", env=preload("liar_seccomp")))


def test_filters_that_deny_nothing(
    run_probe: RunProbe, preload: Callable[[str], dict[str, str]]
) -> None:
    environment = {**preload("liar_seccomp"), "LIAR_ALLOWS": "1"}
    assert_not_in_force(run_probe(NAME, "--quick", env=environment))


def assert_no_baseline(result: Run, reason: str) -> None:
    assert result.status == 2
    assert not measured(result.report)
    assert result.results["none"]["verdict"] == "unknown"
    assert reason in result.results["none"]["reason"]


def test_under_a_filter_there_is_no_baseline(
    run_probe: RunProbe, tool: Callable[..., Path]
) -> None:
    outer = (tool("with_filter"), "sync=0", "--")
    result = run_probe(NAME, "--quick", under=outer)
    assert_no_baseline(result, "already 1 filter")


def test_under_a_tracer_there_is_no_baseline(run_probe: RunProbe) -> None:
    tracer = ("strace", "-f", "-e", "trace=none", "-o", "/dev/null")
    assert_no_baseline(run_probe(NAME, "--quick", under=tracer), "traced by process")


def test_an_emulator_without_seccomp(run_probe: RunProbe) -> None:
    result = run_probe(NAME, "--quick", static=True, variant="arm64")
    assert result.status == 4
    assert result.report["verdict"] == "n/a"
    assert "ENOSYS" in result.results["filters-active"]["reason"]


# Who may switch the JIT

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@needs_root
def test_an_ordinary_user(run_probe: RunProbe) -> None:
    result = run_probe(
        NAME, "--quick", static=True, user=65534, group=65534, extra_groups=[]
    )
    assert result.results["filters-active"]["verdict"] == "ok"
    for name in ("jit-lin400-run", "harden-lin400-run"):
        assert result.results[name]["verdict"] == "n/a"
        assert "CAP_SYS_ADMIN" in result.results[name]["reason"]
    assert result.results["sysctls-restored"]["verdict"] == "n/a"


@needs_root
def test_another_network_namespace(run_probe: RunProbe) -> None:
    result = run_probe(NAME, "--quick", under=("unshare", "-n"))
    assert result.report["machine"]["bpf_jit"].startswith("unknown: hidden")
    assert result.results["jit-lin400-run"]["verdict"] == "n/a"


# What it leaves behind. The JIT cannot be switched on every machine (the tests in a
# guest do that); constant blinding can, and takes the same way.


def harden() -> str:
    try:
        return HARDEN.read_text(encoding="ascii").strip()
    except OSError as error:
        pytest.skip(f"{HARDEN}: {error}")


@contextmanager
def stopped_with_blinding_on(*command: str | Path) -> Iterator[subprocess.Popen[str]]:
    """The probe, stopped at a moment at which the sysctl is 2."""
    before = harden()
    if before == "2" or JIT.read_text(encoding="ascii").strip() == "0":
        pytest.skip("the probe has no reason to turn blinding on here")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with subprocess.Popen(
            [*command, "--json", "--quick"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        ) as process:
            while harden() != "2" and process.poll() is None:
                pass
            process.send_signal(signal.SIGSTOP)
            try:
                if process.poll() is None and harden() == "2":
                    yield process
                    return
            finally:
                process.kill()
                process.wait()
                # A test that went wrong must not leave it to the next one
                HARDEN.write_text(before, encoding="ascii")
    pytest.fail("it never was 2")


def keeper_of(process: subprocess.Popen[str]) -> int:
    """The child that leads a session of its own."""
    task = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    children = [int(pid) for pid in task.read_text(encoding="ascii").split()]
    return next(pid for pid in children if os.getsid(pid) == pid)


def wait_until_zombie(pid: int) -> None:
    status = Path(f"/proc/{pid}/status")
    while "\nState:\tZ" not in status.read_text(encoding="ascii"):
        time.sleep(0.001)


@needs_root
@pytest.mark.parametrize("to_group", [False, True], ids=["process", "group"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_ends_it_once_the_old_value_is_back(
    probe: Callable[..., Path], name: str, to_group: bool
) -> None:
    before = harden()
    number = getattr(signal, name)
    with stopped_with_blinding_on(probe(NAME)) as process:
        if to_group:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == -number
        assert harden() == before


def old_value_comes_back(before: str) -> bool:
    return any(harden() == before or os.sched_yield() for _ in range(100000))


@needs_root
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV"])
def test_the_old_value_comes_back_after_a_crash(
    probe: Callable[..., Path], name: str
) -> None:
    before = harden()
    with stopped_with_blinding_on(probe(NAME)) as process:
        os.killpg(process.pid, getattr(signal, name))
        os.killpg(process.pid, signal.SIGCONT)
        assert process.wait(60) == -getattr(signal, name)
        assert old_value_comes_back(before)


@needs_root
def test_the_old_value_comes_back_without_the_keeper(
    probe: Callable[..., Path],
) -> None:
    before = harden()
    with stopped_with_blinding_on(probe(NAME)) as process:
        os.kill(keeper_of(process), signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        results = Run(0, process.communicate(timeout=300)[0], "").results
        assert results["sysctls-restored"]["verdict"] == "ok"
        assert harden() == before


@needs_root
@pytest.mark.skipif(not can_mount(), reason="needs a mount namespace: unshare -m")
def test_a_value_that_cannot_be_put_back(probe: Callable[..., Path]) -> None:
    before = harden()
    # unshare, mount and the probe are one process after the other
    private = (
        "unshare",
        "-m",
        "sh",
        "-c",
        'mount --bind /proc/sys /proc/sys && exec "$@"',
    )
    with stopped_with_blinding_on(*private, "sh", probe(NAME)) as process:
        keeper = keeper_of(process)
        os.kill(keeper, signal.SIGKILL)
        wait_until_zombie(keeper)  # while it has the file open /proc/sys is busy
        remount = ("mount", "-o", "remount,bind,ro", "/proc/sys")
        subprocess.run(["nsenter", "-t", str(process.pid), "-m", *remount], check=True)
        process.send_signal(signal.SIGCONT)
        stdout, stderr = process.communicate(timeout=300)
        HARDEN.write_text(before, encoding="ascii")
        assert "NOT RESTORED: net.core.bpf_jit_harden was" in stderr
        result = Run(process.returncode, stdout, stderr)
        assert result.status == 1
        assert result.results["sysctls-restored"]["verdict"] == "fail"
        assert "EROFS" in result.results["sysctls-restored"]["reason"]


@needs_root
def test_somebody_else_changes_the_value(probe: Callable[..., Path]) -> None:
    before = harden()
    with stopped_with_blinding_on(probe(NAME)) as process:
        HARDEN.write_text(before, encoding="ascii")
        process.send_signal(signal.SIGCONT)
        run_ = Run(0, process.communicate(timeout=300)[0], "")
        assert run_.results["harden-lin400-run"]["verdict"] == "unknown"
        assert (
            "changed by another process" in run_.results["harden-lin400-run"]["reason"]
        )
        assert "lin400-run-harden" not in run_.results
        assert harden() == before


@needs_root
def test_runs_at_the_same_time_do_not_take_each_others_value_for_the_old_one(
    probe: Callable[..., Path],
) -> None:
    before = harden()
    command = [probe(NAME), "--json", "--quick"]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in runs:
        report = Run(0, process.communicate(timeout=300)[0], "").report
        assert report["machine"]["bpf_jit_harden"] == before
    assert harden() == before
