# SPDX-License-Identifier: GPL-2.0-only
"""The static probes, alone in a virtual machine with Debian's kernels."""

from dataclasses import replace
from functools import lru_cache
from signal import Signals

import pytest
from building import PROBES, built
from guest_machine import Boot, boot, parse

# One worker keeps the machines that it has booted.
pytestmark = pytest.mark.xdist_group("guest")

#: What all of them may take together.
SECONDS = 60

# getrandom comes first: what waits for the kernel's random number generator would
# make it ready.
ALL = ("getrandom", *(name for name in PROBES if name != "getrandom"))
NOT_READY = "random.trust_cpu=0 random.trust_bootloader=0"

KERNELS = ("6.1", "6.12")

GOOD = ("ok", "stronger", "n/a")

#: After all but the last two, a probe itself puts back what it changed.
SIGNALS = (
    Signals.SIGINT,
    Signals.SIGTERM,
    Signals.SIGHUP,
    Signals.SIGQUIT,
    Signals.SIGSEGV,
    Signals.SIGKILL,
)


@lru_cache(maxsize=None)
def counting(kernel: str) -> Boot:
    """All five in a machine that counts instructions, and starts without entropy."""
    return boot(kernel, ALL, append=NOT_READY, counting=True)


@lru_cache(maxsize=None)
def disturbed() -> Boot:
    """A machine in which probes are killed while the JIT is off, or are not there."""
    words = (*(f"seccomp-overhead:{signal.value}" for signal in SIGNALS), "missing")
    files = {
        "init": built("init"),
        "seccomp-overhead": built("static/seccomp-overhead"),
    }
    return boot("6.1", words, files=files, counting=True)


@lru_cache(maxsize=None)
def plain() -> Boot:
    """All five in a machine with a clock."""
    return boot("6.1", ALL)


def assert_all_ran(machine: Boot, *names: str) -> None:
    """All that should have run is there, from beginning to end, and nothing else."""
    assert machine.done, machine.console[-4000:]
    assert tuple(ended.name for ended in machine.ended) == names
    for ended in machine.ended:
        assert ended.how == "exited", f"{ended}\n{machine.console[-4000:]}"
        assert ended.report["probe"] == ended.name
        assert ended.results
        assert not ended.strays


def not_ok(machine: Boot) -> list[str]:
    """The results that are neither ok nor not applicable, with the reasons."""
    return [
        f"{ended.name}: {result['name']}: {result['verdict']}: {result['reason']}"
        for ended in machine.ended
        for result in ended.report["results"]
        if result["verdict"] not in GOOD
    ]


@pytest.mark.parametrize("kernel", KERNELS)
def test_all_pass(kernel: str) -> None:
    machine = counting(kernel)
    assert_all_ran(machine, *ALL)
    assert not not_ok(machine)
    for ended in machine.ended:
        assert ended.number == 0
        assert ended.report["verdict"] == "ok"
        assert ended.report["kernel"].startswith(f"{kernel}.")
    assert machine.seconds < SECONDS


def test_all_pass_with_a_clock() -> None:
    """A busy host may keep figures from being trusted there, but nothing else."""
    machine = plain()
    assert_all_ran(machine, *ALL)
    figures = {
        (ended.name, name)
        for ended in counting("6.1").ended
        for name, result in ended.results.items()
        if "ns" in result or "ratio" in result
    }
    for ended in machine.ended:
        for name, result in ended.results.items():
            if (ended.name, name) in figures and result["verdict"] == "unknown":
                continue
            assert result["verdict"] in GOOD, f"{ended.name}: {result}"
    assert machine.seconds < SECONDS


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_twins_cost_the_same(kernel: str) -> None:
    reports = [ended.report for ended in counting(kernel).ended]
    timed = {report["probe"]: report["aa"] for report in reports if "aa" in report}
    assert set(timed) == set(PROBES) - {"sandbox-baseline"}
    assert all(0.99 <= aa <= 1.01 for aa in timed.values()), timed


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_the_jit_is_worth(kernel: str) -> None:
    """400 rules are dearer without it, unless the action cache answers."""
    results = counting(kernel)["seccomp-overhead"].results
    run = results["lin400-run-nojit"]["ns"] / results["lin400-run"]["ns"]
    cached = results["lin400-nojit"]["ns"] / results["lin400"]["ns"]
    assert run >= 3
    assert 0.95 <= cached <= 1.05
    assert results["jit-lin400-run"]["ratio"] == pytest.approx(run, rel=0.02)


def test_the_jit_is_on_again_after_any_signal() -> None:
    for signal, ended in zip(SIGNALS, disturbed().ended):
        assert (ended.how, ended.number) == ("signaled", signal), signal
        when_sent, at_end, later = ended.jit.split(",")
        assert (when_sent, later) == ("0", "1"), signal
        assert at_end == "1" or signal in SIGNALS[-2:], signal
        assert not ended.strays, signal


@pytest.mark.parametrize(
    "value, fact",
    [("0", "off"), pytest.param("2", "debug output", marks=pytest.mark.long)],
)
def test_the_jit_is_left_as_it_was(value: str, fact: str) -> None:
    machine = boot(
        "6.1",
        ["seccomp-overhead"],
        append=f"sysctl.net.core.bpf_jit_enable={value}",
        counting=True,
    )
    assert_all_ran(machine, "seccomp-overhead")
    (ended,) = machine.ended
    assert fact in ended.report["machine"]["bpf_jit"]
    assert ended.results["jit-lin400-run"]["verdict"] == "ok"
    assert ended.results["jit-lin400-run"]["ratio"] >= 3
    assert ended.jit.endswith(value)


def test_a_filter_that_changes_speculative_store_bypass() -> None:
    """As all did before Linux 5.16; what it costs is not the filter's doing."""
    machine = boot(
        "6.1",
        ["seccomp-overhead"],
        append="spec_store_bypass_disable=seccomp",
        counting=True,
        cpu="EPYC",
    )
    (ended,) = machine.ended
    facts = ended.report["machine"]
    assert facts["ssbd"] == "thread vulnerable"
    assert facts["ssbd_filtered"] == "thread force mitigated"
    said = " ".join(ended.report["summary"])
    assert "A filter changes speculative store bypass" in said


def test_getrandom_before_the_generator_is_ready() -> None:
    for kernel in KERNELS:
        ended = counting(kernel)["getrandom"]
        assert ended.report["machine"]["rng"] == "not ready when the probe started"
        seen = {
            name: result.get("outcome")
            for name, result in ended.results.items()
            if result["group"] == "before-ready" and result["verdict"] == "ok"
        }
        expected = {
            "early-nonblock": "EAGAIN",
            "early-random-nonblock": "EAGAIN",
            "early-insecure": "32 bytes",
            "early-insecure-nonblock": "32 bytes",
            "early-wait": "32 bytes",
        }
        if kernel == "6.12":
            expected |= {
                "early-vdso-nonblock": "EAGAIN",
                "early-vdso-insecure": "32 bytes",
            }
        assert seen == expected
        assert ended.results["early-wait"]["ms"] > 100


def test_getrandom_when_the_generator_is_ready_from_the_start() -> None:
    results = plain()["getrandom"].results.values()
    early = [result for result in results if result["group"] == "before-ready"]
    assert early and all(result["verdict"] == "n/a" for result in early)
    assert all("random.trust_cpu=0" in result["reason"] for result in early)


def test_the_vdso_came_with_linux_6_11() -> None:
    old, new = (counting(kernel)["getrandom"].results for kernel in KERNELS)
    for name, result in new.items():
        if result["group"] == "vdso" and name != "libc-path":
            assert result["verdict"] == "ok", name
            assert old[name]["verdict"] == "n/a", name
            assert "came with Linux 6.11" in old[name]["reason"]
    assert new["vdso-used"]["outcome"] == "no system call"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_page_is_wiped(kernel: str) -> None:
    results = counting(kernel)["wipeonfork"].results
    assert results["functional"]["outcome"] == "wiped"


def test_a_probe_that_is_missing_or_dies_is_seen() -> None:
    machine = disturbed()
    assert machine.done
    killed = replace(machine, ended=machine.ended[:1])
    with pytest.raises(AssertionError, match="signaled"):
        assert_all_ran(killed, "seccomp-overhead")
    missing = replace(machine, ended=machine.ended[-1:])
    with pytest.raises(AssertionError, match="missing printed nothing"):
        assert_all_ran(missing, "missing")
    with pytest.raises(AssertionError):
        assert_all_ran(missing, "missing", "wipeonfork")


def test_a_machine_that_panics_is_seen() -> None:
    """A probe in init's place ends, and with it the kernel."""
    machine = boot("6.1", [], files={"init": built("static/wipeonfork")})
    assert "Attempted to kill init" in machine.console
    assert not machine.done
    with pytest.raises(AssertionError, match="Attempted to kill init"):
        assert_all_ran(machine)


def test_a_machine_that_hangs_is_ended() -> None:
    machine = boot("6.1", ALL, deadline=1)
    assert not machine.done and not machine.ended


def test_output_cut_short() -> None:
    whole, cut = parse(
        'begin a\n{"x": 1}\n\nend a exited 0 ms=5 strays=1 jit=0,1,1\nbegin b\n{"y":'
    )
    assert (whole.how, whole.number, whole.report) == ("exited", 0, {"x": 1})
    assert (whole.strays, whole.jit) == (True, "0,1,1")
    assert (cut.how, cut.number) == ("nothing is known", -1)
