# SPDX-License-Identifier: GPL-2.0-only
"""sandbox-baseline: this sandbox, those it builds, other programs', broken ones."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from building import Run

#: Nobody has this user id, so that no other process counts against its limit.
LONELY = 54322

Runner = Callable[..., Run]
Path_of = Callable[..., Path]

#: What is of no use without futex(2), if another thread is in the way or not.
NEED_FUTEX = {"rwlock-contended", "once", "once-contended", "futex", "thread"}


def group(run: Run, name: str) -> dict[str, dict[str, str]]:
    """The results of a group by name."""
    return {
        result["name"]: result
        for result in run.report["results"]
        if result["group"] == name
    }


def with_verdict(run: Run, verdict: str, *groups: str) -> set[str]:
    """Names of the results with this verdict, in these groups or all."""
    return {
        result["name"]
        for result in run.report["results"]
        if result["verdict"] == verdict and (not groups or result["group"] in groups)
    }


def reason(run: Run, name: str) -> str:
    """Why a result is what it is."""
    text: str = run.results[name]["reason"]
    return text


def outcome(run: Run, name: str) -> str:
    """What was seen."""
    text: str = run.results[name]["outcome"]
    return text


@pytest.fixture(name="filtered")
def fixture_filtered(run_probe: Runner, tool: Path_of) -> Callable[..., Run]:
    """filtered("futex=EPERM"): the probe's run under these rules."""
    return lambda *rules, **more: run_probe(
        "sandbox-baseline",
        "--quick",
        under=(tool("with_filter"), *rules, "--"),
        **more,
    )


@pytest.fixture(name="inside")
def fixture_inside(run_probe: Runner, tool: Path_of) -> Callable[..., Run]:
    """inside("futex=EPERM"): the probe's run with --inside a command that adds them."""
    return lambda *rules, **more: run_probe(
        "sandbox-baseline", "--inside", tool("with_filter"), *rules, "--", **more
    )


@pytest.fixture(name="whole", scope="module")
def fixture_whole(run_probe: Runner) -> Run:
    """One run with everything."""
    return run_probe("sandbox-baseline")


# This sandbox, and those that the probe builds


def test_all_is_well_here(whole: Run) -> None:
    assert whole.status == 0, whole.report
    assert with_verdict(whole, "ok", "current") == set(group(whole, "current"))
    assert len(group(whole, "current")) == 16
    assert "This sandbox breaks nothing that was checked." in whole.report["summary"]
    assert whole.stderr == ""


def test_each_refusal_is_noticed(whole: Run) -> None:
    built = group(whole, "built")
    assert set(built) == with_verdict(whole, "ok", "built") | with_verdict(
        whole, "n/a", "built"
    )
    if os.getuid() == 0:
        assert not with_verdict(whole, "n/a", "built")
    others = {name: row for name, row in built.items() if name.endswith("-others")}
    assert len(others) > 25
    unnoticed = {
        name for name, row in others.items() if row["outcome"].startswith("0 noticed")
    }
    # where the C library knows another way
    assert unnoticed == {"clone3-enosys-others"}


@pytest.mark.parametrize("how", ("eperm", "enosys", "trap", "kill"))
def test_only_contention_needs_futex(whole: Run, how: str) -> None:
    noticed = {
        name.removeprefix(f"futex-{how}-")
        for name, row in group(whole, "built").items()
        if name.startswith(f"futex-{how}-") and row["outcome"] != "passed"
    }
    assert noticed - {"others", "thread"} == {
        "rwlock-contended",
        "rwlock-wake",
        "once",
        "once-contended",
        "once-wake",
        "futex",
    }


def test_a_trap_tells_call_and_stage_of_either_side(whole: Run) -> None:
    trapped = "seccomp trapped futex at: "
    assert outcome(whole, "futex-trap-rwlock-contended") == (
        trapped + "wait for the writer"
    )
    assert outcome(whole, "futex-trap-rwlock-wake") == trapped + "wake the waiter"
    assert outcome(whole, "futex-trap-once-contended") == (
        trapped + "wait for the initializer"
    )
    assert outcome(whole, "futex-trap-once-wake") == trapped + "wake the waiter"


def test_an_errno_is_told(whole: Run) -> None:
    assert outcome(whole, "getrandom-enosys-getrandom").startswith(
        "getrandom refused: ENOSYS at: "
    )
    assert "EMFILE at: open /dev/urandom" in outcome(whole, "rlimit-nofile-urandom")
    assert "the next open() lands on 2" in outcome(whole, "closed-stderr-stderr")


def test_quick_builds_fewer(run_probe: Runner, whole: Run) -> None:
    run = run_probe("sandbox-baseline", "--quick", static=True)
    assert run.status == 0
    assert group(run, "current").keys() == group(whole, "current").keys()
    assert 0 < len(group(run, "built")) < len(group(whole, "built")) / 2
    assert group(run, "built").keys() < group(whole, "built").keys()


# Filters of others


def test_refused_futex(filtered: Callable[..., Run]) -> None:
    run = filtered("futex=EPERM")
    assert run.status == 1
    assert with_verdict(run, "fail", "current") == NEED_FUTEX
    assert reason(run, "rwlock-contended") == (
        "futex refused: EPERM; killed by SIGABRT at: wait for the writer"
    )
    assert reason(run, "futex").startswith("futex refused: EPERM at: ")
    assert run.results["rwlock"]["verdict"] == "ok"
    # what these checks cannot show is left out, and nothing is wrong for that reason
    assert not with_verdict(run, "fail", "built")
    assert "futex-trap-rwlock-contended" not in run.results
    assert any(
        words.startswith("This sandbox breaks: rwlock-contended, ")
        for words in run.report["summary"]
    )


def test_killed_by_a_filter_that_does_not_tell(filtered: Callable[..., Run]) -> None:
    run = filtered("futex=kill")
    assert with_verdict(run, "fail", "current") == NEED_FUTEX
    assert reason(run, "once-contended") == (
        "futex refused: kill; killed by SIGSYS at: wait for the initializer"
    )


def test_refused_getrandom(filtered: Callable[..., Run]) -> None:
    run = filtered("getrandom=ENOSYS")
    assert with_verdict(run, "fail", "current") == {"getrandom", "getentropy"}
    assert reason(run, "getrandom").startswith("getrandom refused: ENOSYS at: ")
    assert run.results["urandom"]["verdict"] == "ok"


def test_getrandom_that_does_nothing(filtered: Callable[..., Run]) -> None:
    run = filtered("getrandom=0")
    assert "getrandom" in with_verdict(run, "fail", "current")
    assert "returned 0 of 32 bytes" in reason(run, "getrandom")


def test_urandom_is_needed_only_without_getrandom(filtered: Callable[..., Run]) -> None:
    run = filtered("openat=EACCES", static=True)
    assert run.results["urandom"]["verdict"] == "n/a"
    assert reason(run, "urandom").startswith("not needed, getrandom works: ")
    run = filtered("openat=EACCES", "getrandom=ENOSYS", static=True)
    assert run.results["urandom"]["verdict"] == "fail"
    assert reason(run, "urandom").startswith("openat refused: EACCES; ")


def test_unseen_contention_is_no_proof(filtered: Callable[..., Run]) -> None:
    run = filtered("openat=EACCES", static=True)
    assert run.status == 2
    assert {"rwlock-contended", "once-contended"} <= with_verdict(run, "unknown")
    assert "no /proc shows" in reason(run, "rwlock-contended")


def test_madvise_that_lies_or_fails(filtered: Callable[..., Run]) -> None:
    run = filtered("madvise=0")
    assert with_verdict(run, "fail", "current") == {"wipeonfork"}
    assert "the child sees the old data" in reason(run, "wipeonfork")
    # libraries have slower ways
    run = filtered("madvise=EPERM")
    assert with_verdict(run, "weaker") == {"wipeonfork"}
    assert run.status == 1
    # the same as a kernel without it
    run = filtered("madvise=ENOSYS")
    assert run.results["wipeonfork"]["verdict"] == "n/a"
    assert "CONFIG_ADVISE_SYSCALLS" in reason(run, "wipeonfork")
    run = filtered("madvise=EINVAL")
    assert run.results["wipeonfork"]["verdict"] == "n/a"
    assert reason(run, "wipeonfork").startswith(
        "madvise refused, or Linux before 4.14: EINVAL"
    )


def test_advice_that_does_not_exist_may_fail_in_any_way(
    filtered: Callable[..., Run],
) -> None:
    run = filtered("madvise:2:-1=EPERM")
    assert run.results["wipeonfork"]["verdict"] == "ok"


def test_futex_that_does_nothing(filtered: Callable[..., Run]) -> None:
    run = filtered("futex=0")
    assert run.results["futex"]["verdict"] == "fail"
    assert "futex returns 0, as if it had waited" in reason(run, "futex")
    assert "refused" not in reason(run, "futex")


def test_messages_survive_a_refused_fcntl(tool: Path_of, probe: Path_of) -> None:
    run = subprocess.run(
        [tool("with_filter"), "fcntl=EPERM", "--", probe("sandbox-baseline"), "--no"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.returncode == 2
    assert "--no" in run.stderr


def test_no_threads(filtered: Callable[..., Run]) -> None:
    run = filtered("clone3=EPERM")
    assert with_verdict(run, "fail", "current") == {"thread"}
    assert reason(run, "thread").startswith("clone3 refused: EPERM; ")
    # locks cannot be contended then, which is not to say that they work
    assert {"rwlock-contended", "once-contended"} <= with_verdict(run, "unknown")
    # glibc asks for clone() instead
    assert filtered("clone3=ENOSYS").status == 0


def test_no_processes(filtered: Callable[..., Run]) -> None:
    run = filtered("clone=EPERM")
    assert run.status == 2
    assert not with_verdict(run, "ok")
    assert not with_verdict(run, "fail")
    assert reason(run, "rwlock") == "clone refused: EPERM; no child process: EPERM"


def test_no_sandbox_can_be_built(filtered: Callable[..., Run]) -> None:
    run = filtered("seccomp=EPERM")
    assert run.status == 2
    assert run.results["futex-trap-others"]["verdict"] == "unknown"
    assert "seccomp refused: EPERM" in reason(run, "futex-trap-others")
    assert set(group(run, "current")) == with_verdict(run, "ok", "current")


# Standard error


def test_closed_stderr(run_probe: Runner) -> None:
    run = run_probe(
        "sandbox-baseline",
        "--quick",
        under=("sh", "-c", 'exec "$@" 2>&-', "sh"),
    )
    assert with_verdict(run, "fail") == {"stderr"}
    assert "the next open() lands on 2: EBADF" in reason(run, "stderr")


def test_read_only_stderr(run_probe: Runner) -> None:
    run = run_probe(
        "sandbox-baseline",
        "--quick",
        under=("sh", "-c", 'exec "$@" 2</dev/null', "sh"),
    )
    assert with_verdict(run, "weaker") == {"stderr"}
    assert not with_verdict(run, "fail")


# --inside


def test_inside_a_filter(inside: Callable[..., Run], whole: Run) -> None:
    run = inside("futex=EPERM")
    assert run.status == 1
    assert {result["group"] for result in run.report["results"]} == {"inside"}
    assert set(run.results) == set(group(whole, "current"))
    assert with_verdict(run, "fail") == NEED_FUTEX
    assert reason(run, "rwlock-contended") == (
        "futex refused: EPERM; killed by SIGABRT at: wait for the writer"
    )
    machine = run.report["machine"]
    assert int(machine["inside_seccomp_filters"]) == (
        int(machine["seccomp_filters"]) + 1
    )
    assert run.report["summary"] == [
        "This sandbox breaks: rwlock-contended, once, once-contended, futex, thread.",
        "It could not be told: no-hidden-threads, strerror.",
    ]


def test_inside_what_changes_nothing(run_probe: Runner) -> None:
    noisy = 'echo "{ \\"probe\\": 1 } {"; exec env -i "$@"'
    run = run_probe("sandbox-baseline", "--inside", "sh", "-c", noisy, "sh")
    assert run.status == 0
    assert len(with_verdict(run, "ok")) == 16
    assert "The command added no seccomp filter." in run.report["summary"]


def test_inside_an_emulator_that_lies(run_probe: Runner) -> None:
    emulator = shutil.which("qemu-x86_64-static")
    if not emulator or os.uname().machine != "x86_64":
        pytest.skip("needs qemu-x86_64-static on x86_64")
    run = run_probe("sandbox-baseline", "--inside", emulator, static=True)
    assert with_verdict(run, "fail") == {"wipeonfork"}


@pytest.mark.parametrize("call", ("getrandom", "clone", "wait4", "write"))
def test_inner_run_that_cannot_live(inside: Callable[..., Run], call: str) -> None:
    run = inside(f"{call}=kill")
    assert run.status == 2
    assert set(run.results) == {"inner-run"}
    assert reason(run, "inner-run") == (
        f"no report of it: killed by SIGSYS; {call} refused"
    )


@pytest.mark.parametrize(
    ("command", "why"),
    (
        (("/no/such/command",), "cannot run /no/such/command: ENOENT"),
        (("/",), "cannot run /: EACCES"),
        (("true",), "no report of it: exit status 0"),
        (("sh", "-c", "echo why >&2; exit 3"), "no report of it: exit status 3: why"),
        (("sh", "-c", "kill -TERM $$"), "no report of it: killed by SIGTERM"),
        (("echo", '{"probe": "other"}'), "no report of it: exit status 0"),
        (
            ("sh", "-c", "exec yes"),
            "no report of it: exit status 1: yes: standard output: "
            "Operation not permitted",
        ),
    ),
)
def test_no_report(run_probe: Runner, command: tuple[str, ...], why: str) -> None:
    run = run_probe("sandbox-baseline", "--inside", *command)
    assert run.status == 2
    assert set(run.results) == {"inner-run"}
    assert run.results["inner-run"]["verdict"] == "unknown"
    assert reason(run, "inner-run") == why


# Other ways to run it


def test_ordinary_user(run_probe: Runner) -> None:
    if os.getuid():
        pytest.skip("all other tests run as an ordinary user")
    run = run_probe("sandbox-baseline", user=LONELY, group=LONELY, extra_groups=[])
    assert run.status == 0
    assert with_verdict(run, "n/a") == {"empty-chroot-others"}
    assert "EPERM" in reason(run, "empty-chroot-others")
    assert run.results["rlimit-nproc-thread"]["verdict"] == "ok"


def test_limit_of_processes(run_probe: Runner) -> None:
    if os.getuid():
        pytest.skip("needs a user id of its own")
    run = run_probe(
        "sandbox-baseline",
        "--quick",
        user=LONELY,
        group=LONELY,
        extra_groups=[],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)),
    )
    assert run.status == 2
    assert not with_verdict(run, "ok")
    assert reason(run, "rwlock") == "no child process: EAGAIN"


def test_arm64_under_an_emulator(run_probe: Runner) -> None:
    """Which has no seccomp, lies about madvise(), and ignores some limits."""
    run = run_probe("sandbox-baseline", static=True, variant="arm64")
    assert run.status == 1
    assert with_verdict(run, "fail") == {"wipeonfork"}
    assert "seccomp refused: ENOSYS" in reason(run, "futex-trap-others")
    assert "without effect" in reason(run, "rlimit-as-others")
    assert run.results["closed-stderr-stderr"]["verdict"] == "ok"
    assert not with_verdict(run, "unknown")


def test_sanitized(run_probe: Runner) -> None:
    run = run_probe("sandbox-baseline", "--quick", variant="sanitized")
    assert run.status == 0, run.report
    assert run.stderr == ""
    run = run_probe("sandbox-baseline", "--inside", "env", variant="sanitized")
    assert run.status == 0
    assert run.stderr == ""


def test_valgrind(run_probe: Runner, tmp_path: Path) -> None:
    if not shutil.which("valgrind"):
        pytest.skip("needs valgrind")
    run = run_probe(
        "sandbox-baseline",
        "--quick",
        under=(
            "valgrind",
            "-q",
            "--error-exitcode=99",
            "--errors-for-leak-kinds=definite",
        ),
        cwd=tmp_path,  # for what valgrind dumps when it gives up
    )
    # valgrind knows no seccomp(2)
    assert run.status == 0, run.stderr
    assert "futex-trap-others" in with_verdict(run, "n/a")
