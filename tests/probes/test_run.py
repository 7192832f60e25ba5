# SPDX-License-Identifier: GPL-2.0-only
"""probes/run.sh, which runs them all: with stand-ins for the probes."""

import json
import os
import pty
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from building import PROBES, Run, run
from surroundings import ROOT, clean_environment
from test_ktap import Parse, parse  # noqa: F401 (a fixture)

RUN = ROOT / "probes/run.sh"

STAND_IN = """#!/bin/sh
# does what the words after its name in the file `plan` say
name=${0##*/} folder=${0%/*}
json= ktap=
for word; do
    case $word in
    --json=*) json=${word#--json=} ;;
    --ktap) ktap=1 ;;
    esac
done
trap 'echo "$name ended" >>"$folder/log"; exit 143' TERM
what=$(sed -n "s/^$name //p" "$folder/plan")
case $what in
die) kill -9 $$ ;;
wait) echo "$name waits" >>"$folder/log"; sleep 100 & wait $!; kill $! ;;
esac
echo "{\\"probe\\": \\"$name\\", \\"status\\": $what}" >"$json"
if [ "$ktap" ]; then
    [ "$what" = 0 ] || no="not "
    printf 'KTAP version 1\\n1..1\\n# %s\\n%sok 1 group.name\\n' "$name" "${no-}"
else
    echo "table of $name"
fi
exit $what
"""


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    """A folder with five probes that are well."""
    for name in PROBES:
        (tmp_path / name).write_text(STAND_IN)
        (tmp_path / name).chmod(0o755)
    plan(tmp_path)
    return tmp_path


def plan(folder: Path, **what: str) -> None:
    """What they do: a status, "die" or "wait"; 0 if nothing is said."""
    words = {name.replace("_", "-"): does for name, does in what.items()}
    lines = (f"{name} {words.get(name, '0')}\n" for name in PROBES)
    (folder / "plan").write_text("".join(lines))


def run_all(folder: Path, *words: str) -> Run:
    """Run them all, with temporary files in a folder that must be empty again."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    result = run(RUN, *words, folder, env={"TMPDIR": str(temporary)})
    assert not list(temporary.iterdir())
    return result


def test_one_document_for_the_kernels_parser(
    folder: Path, parse: Parse  # noqa: F811
) -> None:
    plan(folder, getrandom="1", wipeonfork="2", rsa_sign="4")
    parsed = parse(run_all(folder).stdout)
    assert parsed.errors == 0
    assert parsed.tests == {
        "seccomp-overhead": "SUCCESS",
        "getrandom": "FAILURE",
        "wipeonfork": "FAILURE",
        "rsa-sign": "SKIPPED",
        "sandbox-baseline": "SUCCESS",
    }


def test_all_well_for_the_kernels_parser(
    folder: Path, parse: Parse  # noqa: F811
) -> None:
    parsed = parse(run_all(folder).stdout)
    assert (parsed.status, parsed.errors) == ("SUCCESS", 0)


@pytest.mark.parametrize(
    "statuses, worst",
    [
        ("0 0 0 0 0", 0),
        ("4 4 4 4 4", 4),
        ("4 4 0 4 4", 0),
        ("0 2 4 0 0", 2),
        ("2 1 0 4 2", 1),
        ("0 0 0 0 die", 2),
        ("127 0 0 0 0", 2),
        ("1 die 0 0 0", 1),
    ],
)
def test_the_worst_status_counts(folder: Path, statuses: str, worst: int) -> None:
    names = (name.replace("-", "_") for name in PROBES)
    plan(folder, **dict(zip(names, statuses.split(), strict=True)))
    assert run_all(folder).status == worst


def test_all_reports_in_one_file(folder: Path) -> None:
    target = folder / "all.json"
    target.write_text("old")
    plan(folder, wipeonfork="die", getrandom="1")
    result = run_all(folder, f"--json={target}")
    reports = json.loads(target.read_text())
    assert [report["probe"] for report in reports] == list(PROBES)
    assert reports[1]["status"] == 1
    died = reports[PROBES.index("wipeonfork")]
    assert (died["verdict"], died["results"]) == ("unknown", [])
    assert died["summary"] == ["killed by signal 9"]
    assert "# wipeonfork: killed by signal 9\nnot ok 3 wipeonfork\n" in result.stdout
    assert [path.name for path in folder.glob("all.json*")] == ["all.json"]


def test_the_files_mode_and_a_link_to_it_stay(folder: Path) -> None:
    target, link = folder / "all.json", folder / "link.json"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to("all.json")
    assert run_all(folder, f"--json={link}").status == 0
    assert link.is_symlink()
    assert len(json.loads(target.read_text())) == len(PROBES)
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_fifo_is_written_to(folder: Path) -> None:
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
        assert run_all(folder, f"--json={fifo}").status == 0
        assert len(json.loads(reader.communicate()[0])) == len(PROBES)
    assert fifo.is_fifo()


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to make a device")
def test_a_full_device_is_told_and_stays_one(folder: Path) -> None:
    device = folder / "full"
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    result = run_all(folder, f"--json={device}")
    assert result.status == 2
    assert f"cannot write {device}" in result.stderr
    assert device.is_char_device()


def test_a_folder_is_no_file(folder: Path) -> None:
    (folder / "sub").mkdir()
    result = run_all(folder, f"--json={folder / 'sub'}")
    assert result.status == 2
    assert "it is a folder" in result.stderr
    assert not list((folder / "sub").iterdir())


@pytest.mark.parametrize("path", ["no/such/folder/x.json", "/dev/full/x.json"])
def test_a_file_that_cannot_be_is_told_at_once(folder: Path, path: str) -> None:
    result = run_all(folder, f"--json={path}")
    assert result.status == 2
    assert f"cannot write {path}" in result.stderr
    assert not result.stdout


def test_a_probe_that_is_not_built(folder: Path) -> None:
    (folder / "rsa-sign").unlink()
    result = run_all(folder)
    assert result.status == 2
    assert f"no {folder}/rsa-sign: run make probes first" in result.stderr


def test_usage(folder: Path) -> None:
    assert run(RUN).status == run(RUN, "--json=", folder).status == 2


def test_tables_on_a_terminal(folder: Path) -> None:
    plan(folder, wipeonfork="die")
    ours, theirs = pty.openpty()
    subprocess.run([RUN, folder], stdout=theirs, stderr=theirs, check=False)
    os.close(theirs)
    said = os.read(ours, 65536).decode()
    assert "table of seccomp-overhead\r\n" in said
    assert "wipeonfork: killed by signal 9\r\n" in said
    assert "table of sandbox-baseline\r\n" in said
    assert "KTAP" not in said


def until(true: Callable[[], bool]) -> None:
    """Wait for it, for a while."""
    for _ in range(1000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


@pytest.mark.parametrize(
    "sent, status",
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_a_signal_ends_the_probe_before_all(
    folder: Path, sent: signal.Signals, status: int
) -> None:
    plan(folder, getrandom="wait")
    log, target = folder / "log", folder / "all.json"
    target.write_text("old")
    (folder / "tmp").mkdir()
    with subprocess.Popen(
        [RUN, f"--json={target}", folder],
        env=clean_environment(TMPDIR=str(folder / "tmp")),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        until(log.exists)
        process.send_signal(sent)
    assert process.returncode == status
    assert log.read_text() == "getrandom waits\ngetrandom ended\n"
    assert target.read_text() == "old"
    assert not list((folder / "tmp").iterdir())
    assert [path.name for path in folder.glob("all.json*")] == ["all.json"]


@pytest.mark.long
def test_the_real_ones(parse: Parse, tmp_path: Path) -> None:  # noqa: F811
    """As make runs them, nothing but KTAP is on stdout."""
    target = tmp_path / "all.json"
    result = run("make", "-C", ROOT, "--no-print-directory", "probe", f"JSON={target}")
    assert result.stdout.startswith("KTAP version 1\n1..5\n")
    assert set(parse(result.stdout).tests) == set(PROBES)
    reports = json.loads(target.read_text())
    assert [report["probe"] for report in reports] == list(PROBES)
    assert all(0.99 <= report.get("aa", 1) <= 1.01 for report in reports)
