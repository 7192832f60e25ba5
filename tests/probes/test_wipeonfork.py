# SPDX-License-Identifier: GPL-2.0-only
"""wipeonfork: what it says of this kernel, of filters and emulators, of wrong ones."""

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from building import Run

#: Nobody has this user id, so that no other process counts against its limit.
LONELY = 54321

Runner = Callable[..., Run]
Path_of = Callable[..., Path]


def verdicts(run: Run, *groups: str) -> set[str]:
    """The verdicts in these groups, or in all of them."""
    return {
        result["verdict"]
        for result in run.report["results"]
        if not groups or result["group"] in groups
    }


def failed(run: Run) -> set[str]:
    """Names of what failed."""
    return {name for name, result in run.results.items() if result["verdict"] == "fail"}


def outcome(run: Run) -> str:
    """What the decisive result says."""
    text: str = run.results["functional"]["outcome"]
    return text


@pytest.fixture(name="filtered")
def fixture_filtered(run_probe: Runner, tool: Path_of) -> Callable[..., Run]:
    """filtered("madvise=0"): the probe's run under these rules."""
    return lambda *rules, **more: run_probe(
        "wipeonfork", "--quick", under=(tool("with_filter"), *rules, "--"), **more
    )


@pytest.mark.parametrize("static", (False, True), ids=("dynamic", "static"))
def test_this_kernel_wipes(run_probe: Runner, static: bool) -> None:
    run = run_probe("wipeonfork", "--quick", static=static)
    # figures may be refused on a busy machine, and nothing else
    assert verdicts(run, "cost") == {"ok"} or all(
        run.results[name]["reason"].startswith("A/A is")
        for name in ("getpid-check", "page-check")
    )
    assert verdicts(run, "detection", "not-wiped", "limits", "steady-state") == {"ok"}
    assert verdicts(run, "wiped", "refused") <= {"ok", "n/a"}
    assert outcome(run) == "wiped"
    assert run.status == (2 if "unknown" in verdicts(run) else 0)
    assert any("works here: wiped" in words for words in run.report["summary"])


def test_no_case_is_left_out_in_silence(run_probe: Runner) -> None:
    run = run_probe("wipeonfork", "--quick")
    skipped = {
        name for name, result in run.results.items() if result["verdict"] == "n/a"
    }
    assert skipped <= {"clone3", "mlocked", "huge-page", "huge-page-split", "hugetlb"}
    assert all(run.results[name]["reason"] for name in skipped)


def test_the_page_is_cheaper_to_check_than_the_pid(run_probe: Runner) -> None:
    results = run_probe("wipeonfork", "--quick").results
    if results["page-check"]["verdict"] != "ok":
        pytest.skip(f"no figures: {results['page-check']['reason']}")
    assert results["page-check"]["ns"] * 5 < results["getpid-check"]["ns"]


def test_a_filter_that_lies_is_a_failure(filtered: Callable[..., Run]) -> None:
    run = filtered("madvise=0")
    assert run.status == 1
    assert outcome(run) == "accepted but not wiped"
    assert {"minus1-check", "functional", "vmflags", "clone", "hole"} <= failed(run)
    assert "ok" not in verdicts(run, "wiped", "not-wiped", "refused", "limits")
    assert any("do not rely on it" in words for words in run.report["summary"])


@pytest.mark.parametrize(
    "action, words",
    (
        ("EINVAL", "EINVAL: Linux before 4.14"),
        ("ENOSYS", "ENOSYS: CONFIG_ADVISE_SYSCALLS=n"),
        ("EPERM", "EPERM: a filter"),
        ("trap", "seccomp trapped madvise"),
        ("kill", "killed by SIGSYS"),
    ),
)
def test_refused_is_not_failed(
    filtered: Callable[..., Run], action: str, words: str
) -> None:
    run = filtered(f"madvise={action}")
    assert run.status == 4
    assert verdicts(run) == {"n/a"}
    assert outcome(run) == "refused"
    assert all(words in result["reason"] for result in run.report["results"])


def test_refused_other_advice_is_not_failed(filtered: Callable[..., Run]) -> None:
    run = filtered("madvise:2:10=EPERM")  # MADV_DONTFORK
    assert not failed(run)
    for name in ("dofork", "dontfork"):
        assert run.results[name]["verdict"] == "n/a"
        assert "a filter" in run.results[name]["reason"]


def test_without_children_nothing_is_known(filtered: Callable[..., Run]) -> None:
    run = filtered("clone=EAGAIN")
    assert run.status == 2
    assert verdicts(run) == {"unknown"}
    assert outcome(run) == "inconclusive"


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can become another user")
def test_a_fork_that_fails_in_a_case_is_inconclusive(run_probe: Runner) -> None:
    def two_processes() -> None:
        resource.setrlimit(resource.RLIMIT_NPROC, (2, 2))
        os.setuid(LONELY)

    run = run_probe("wipeonfork", "--quick", preexec_fn=two_processes)
    assert run.status == 2
    assert run.results["functional"]["verdict"] == "unknown"
    assert "fork: EAGAIN" in run.results["functional"]["reason"]
    assert not failed(run)
    # what needs no child of its own is known even so
    assert run.results["minus1-check"]["verdict"] == "ok"


@pytest.mark.parametrize(
    "rule, name", (("clone3=EPERM", "clone3"), ("seccomp=EPERM", "no-system-call"))
)
def test_what_cannot_be_set_up_is_unknown(
    filtered: Callable[..., Run], rule: str, name: str
) -> None:
    run = filtered(rule)
    assert run.status == 2
    assert run.results[name]["verdict"] == "unknown"
    assert rule.split("=")[0] in run.results[name]["reason"]


def test_a_filter_that_does_not_work_proves_nothing(
    filtered: Callable[..., Run],
) -> None:
    result = filtered("seccomp=0").results["no-system-call"]
    assert result["verdict"] == "unknown"
    assert "control" in result["reason"]


@pytest.mark.parametrize(
    "rule, name", (("clone3=ENOSYS", "clone3"), ("mlock=ENOMEM", "mlocked"))
)
def test_what_a_kernel_lacks_is_not_applicable(
    filtered: Callable[..., Run], rule: str, name: str
) -> None:
    run = filtered(rule)
    assert run.results[name]["verdict"] == "n/a"
    assert rule.split("=")[1] in run.results[name]["reason"]
    assert outcome(run) == "wiped"


@pytest.mark.parametrize("emulator", ("qemu-x86_64-static", "qemu-aarch64-static"))
def test_an_emulator_that_ignores_advice_is_a_failure(
    run_probe: Runner, emulator: str
) -> None:
    if emulator == "qemu-aarch64-static":
        run = run_probe("wipeonfork", "--quick", static=True, variant="arm64")
    else:
        run = run_probe("wipeonfork", "--quick", static=True, under=(emulator,))
    assert run.status == 1
    assert outcome(run) == "accepted but not wiped"
    assert {"minus1-check", "functional"} <= failed(run)
    assert "ok" not in verdicts(run, "wiped", "not-wiped", "steady-state", "cost")


NOT_WIPED = {"vfork", "clone-vm", "clone-vm-vfork"}
REFUSED = {"shared-anonymous", "private-file", "private-dev-zero", "unaligned"}


@pytest.mark.parametrize(
    "fault, names",
    (
        ("any-advice", {"minus1-check"}),
        ("any-memory", REFUSED),
        ("next-page", {"sub-range", "short-length"}),
        ("empty-range", {"zero-length"}),
        ("hole-undone", {"hole"}),
        ("hole-stops", {"hole"}),
        ("wrong-errno", REFUSED | {"hole"}),
        ("kept", {"keeponfork"}),
        ("forked", {"dontfork"}),
        ("not-inherited", {"grandchild"}),
    ),
)
def test_each_fault_is_found_beside_a_fork_that_wipes(
    run_probe: Runner,
    preload: Callable[[str], dict[str, str]],
    fault: str,
    names: set[str],
) -> None:
    env = {**preload("fork_faults"), "FORK_FAULT": fault}
    run = run_probe("wipeonfork", "--quick", env=env)
    assert run.status == 1
    assert outcome(run) == "wiped"
    assert names <= failed(run)
    assert not failed(run) & NOT_WIPED
    assert any("not as they must be" in words for words in run.report["summary"])


@pytest.mark.parametrize("fault", ("ignored", "last-byte", "parent"))
def test_only_zeros_in_the_whole_page_of_the_child_are_enough(
    run_probe: Runner, preload: Callable[[str], dict[str, str]], fault: str
) -> None:
    env = {**preload("fork_faults"), "FORK_FAULT": fault}
    run = run_probe("wipeonfork", "--quick", env=env)
    assert run.status == 1
    assert "functional" in failed(run)
    assert run.results["minus1-check"]["verdict"] == "ok"


def test_fault_injection_without_a_fault_is_none(
    run_probe: Runner, preload: Callable[[str], dict[str, str]]
) -> None:
    run = run_probe("wipeonfork", "--quick", env=preload("fork_faults"))
    assert not failed(run)


def test_a_child_with_a_copy_does_not_share_memory(
    run_probe: Runner, preload: Callable[[str], dict[str, str]]
) -> None:
    run = run_probe("wipeonfork", "--quick", env=preload("fork_copies"))
    assert failed(run) == NOT_WIPED
