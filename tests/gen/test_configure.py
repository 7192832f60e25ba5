# SPDX-License-Identifier: GPL-2.0-only
"""Whole runs on Debian's 6.12: what the run itself promises."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from surroundings import ROOT

from gen.configure import Outcome, Request
from gen.configure import configure as configure_and_announce
from gen.entries import Level
from gen.report import as_text


def configure(request: Request) -> Outcome:
    return configure_and_announce(request, lambda _: None)


@pytest.fixture(name="request_for")
def fixture_request_for(
    kernel_tree: Callable[[str], Path], tmp_path: Path
) -> Callable[[Level], Request]:
    return lambda level: Request(
        level=level,
        kdir=kernel_tree("6.12"),
        catalogue=ROOT / "docs/catalogue",
        variables={"O": str(tmp_path / "out"), "ARCH": "x86_64"},
        report=tmp_path / "report.json",
        cache=tmp_path / "cache",
    )


def test_the_trees_own_olddefconfig_changes_nothing_afterwards(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    request = request_for(Level.HIGH)
    outcome = configure(request)
    before = outcome.config.read_bytes()
    make = ["make", "-s", "-C", request.kdir, f"O={tmp_path / 'out'}", "ARCH=x86_64"]
    subprocess.run([*make, "olddefconfig"], check=True)
    assert outcome.config.read_bytes() == before


def test_a_second_run_changes_nothing(
    request_for: Callable[[Level], Request],
) -> None:
    first = configure(request_for(Level.EXTREME))
    text = first.config.read_text()
    again = configure(request_for(Level.EXTREME))
    assert again.config.read_text() == text
    assert not again.changed
    assert again.report.summary == first.report.summary


def test_only_the_output_folder_changes_and_only_where_it_must(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    assert configure(request_for(Level.LOW)).changed
    assert configure(request_for(Level.MEDIUM)).changed
    out = tmp_path / "out"
    names = sorted(p.name for p in out.iterdir())
    assert names == [
        ".config",
        ".config.old",
        ".gitignore",
        "Makefile",
        "scripts",
        "source",
    ]


@pytest.mark.parametrize("about", ["", "-fzero-call-used-regs"])
def test_a_cache_that_lies_is_noticed(
    about: str, request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    """It may lie so much that the tree cannot be read, or just a little."""
    honest = configure(request_for(Level.HIGH))
    (file,) = (tmp_path / "cache").iterdir()
    kept = json.loads(file.read_text())
    answers = kept["results"]
    # What the compiler can do, turned round
    turn = {"y": "n", "n": "y"}
    kept["results"] = {
        key: turn.get(value, value) if about in key else value
        for key, value in answers.items()
    }
    assert kept["results"] != answers
    file.write_text(json.dumps(kept))
    (tmp_path / "out/.config").unlink()
    warned = configure(request_for(Level.HIGH))
    assert warned.report.verdicts == honest.report.verdicts
    assert warned.warnings == honest.warnings == []
    assert json.loads(file.read_text())["results"] == answers


def test_the_report_is_the_outcome(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    outcome = configure(request_for(Level.MEDIUM))
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["kernel"].startswith("6.12.")
    assert (report["arch"], report["level"]) == ("x86_64", "medium")
    assert report["compiler"].startswith("gcc ")
    assert report["summary"] == outcome.report.summary
    assert sum(report["summary"].values()) == len(report["settings"]) > 150
    keys = {"setting", "kind", "wanted", "got", "verdict", "level", "reason", "where"}
    assert all(keys <= set(row) for row in report["settings"])
    twins = {row["setting"] for row in report["run_time"]}
    assert "kernel.dmesg_restrict=1" in twins
    # What does as well as an option counts, too
    assert "kernel.kexec_load_disabled=1" in twins
    # The fallback has been gone since 5.16, and its boot parameter with it
    assert not any(t.startswith("slab_common.usercopy_fallback") for t in twins)


def test_consequences_are_told(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    base = tmp_path / "base"
    base.write_text(
        "CONFIG_64BIT=y\nCONFIG_MODULES=y\nCONFIG_CRYPTO=y\nCONFIG_CRYPTO_LZ4=m\n"
    )
    outcome = configure(replace(request_for(Level.EXTREME), base=base))
    changes = {c.name: (c.own, c.before, c.after) for c in outcome.report.changes}
    assert changes["CRYPTO_LZ4"] == (True, "m", "y")  # without modules
    assert changes["LZ4_COMPRESS"] == (False, "m", "y")
    assert "MODULES" not in changes  # which was asked for
    lines = as_text(outcome.report).splitlines()
    reason = "modules MODULES (kernel/module/Kconfig:2)"
    [row] = [line for line in lines if reason in line and "m -> y" in line]
    assert "CRYPTO_LZ4" in row and "LZ4_COMPRESS" not in row


def test_the_outcome_is_told_before_anything_is_written(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    request = request_for(Level.LOW)
    seen = []

    def announce(outcome: Outcome) -> None:
        assert outcome.changed and outcome.report.changes
        seen.extend([outcome.config.exists(), (tmp_path / "report.json").exists()])

    assert configure_and_announce(request, announce).config.exists()
    assert seen == [False, False]


def test_a_dry_run_writes_the_report_alone(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    outcome = configure(replace(request_for(Level.LOW), dry_run=True))
    assert outcome.changed and not outcome.config.exists()
    assert json.loads((tmp_path / "report.json").read_text())["settings"]


def test_what_is_to_be_kept_stays(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    """`# keep` lines and a file of pins, of which one does not even hold."""
    base = tmp_path / "base"
    base.write_text(
        "CONFIG_64BIT=y\n# keep\n# CONFIG_SLAB_FREELIST_RANDOM is not set\n"
        "CONFIG_KEXEC=y\n# CONFIG_SHUFFLE_PAGE_ALLOCATOR is not set\n"
    )
    keep = tmp_path / "keep"
    keep.write_text("CONFIG_KEXEC=y\nCONFIG_RUST=y\n")
    request = replace(request_for(Level.HIGH), base=base, keep=keep)
    outcome = configure(request)
    text = outcome.config.read_text()
    assert "\n# keep\n# CONFIG_SLAB_FREELIST_RANDOM is not set\n" in text
    assert "\nCONFIG_KEXEC=y\n" in text and "CONFIG_RUST=y" not in text
    assert "\nCONFIG_SHUFFLE_PAGE_ALLOCATOR=y\n" in text  # which is not pinned
    assert text.count("# keep\n") == 1
    [warning] = outcome.warnings
    assert warning.startswith(f"{keep}:2: CONFIG_RUST=y does not hold in the base: ")
    verdicts = {v.setting.name: v for v in outcome.report.verdicts}
    for name, origin in ("SLAB_FREELIST_RANDOM", f"{base}:3"), ("KEXEC", f"{keep}:1"):
        assert verdicts[name].verdict == "fail"
        assert f"which is to be kept ({origin})" in verdicts[name].reason
    # From now on the pins are in the tree's own .config
    again = configure(replace(request, base=None))
    assert not again.changed and again.config.read_text() == text


def test_run_time_wishes_undo_nothing_stronger(
    request_for: Callable[[Level], Request], tmp_path: Path
) -> None:
    base = tmp_path / "base"
    base.write_text(
        "CONFIG_64BIT=y\nCONFIG_DEFAULT_MMAP_MIN_ADDR=131072\nCONFIG_SECURITY=y\n"
        "CONFIG_SECURITY_LOCKDOWN_LSM=y\n"
        "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y\n"
    )
    outcome = configure(replace(request_for(Level.HIGH), base=base))
    wishes = {w.text for w in outcome.report.run_time}
    assert "kernel.dmesg_restrict=1" in wishes
    assert not wishes & {"vm.mmap_min_addr=65536", "lockdown=integrity"}
    # Nor do they speak of what is not there
    outcome = configure(request_for(Level.EXTREME))
    names = {w.text.partition("=")[0] for w in outcome.report.run_time}
    assert not names & {"kernel.modules_disabled", "module.sig_enforce"}
