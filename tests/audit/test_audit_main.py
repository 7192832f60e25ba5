# SPDX-License-Identifier: GPL-2.0-only
"""hardened-audit's command line: options, exit status, errors, and where it prints."""

import json
import os
import re
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_building import audit_json, audit_run, built
from compiled import Run

Config = Callable[..., Path]


@pytest.fixture(name="config")
def fixture_config(debian_config: Config) -> Path:
    """A real config, which does not meet the lowest level."""
    return debian_config("6.12", "cloud", "amd64")


def trouble(*words: str | Path, **more: object) -> str:
    """Run it: status 2, nothing on stdout, and what it says."""
    run = audit_run(*words, **more)
    assert (run.status, run.stdout) == (2, ""), run
    assert all(line.startswith("hardened-audit: ") for line in run.stderr.splitlines())
    assert run.stderr.endswith("\n")
    return run.stderr


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version(word: str) -> None:
    run = audit_run(word)
    assert run.status == 0 and not run.stderr
    assert "hardened-audit" in run.stdout


def test_help_names_every_option_of_the_man_page() -> None:
    page = (Path(__file__).parents[2] / "docs/man/hardened-audit.1").read_text()
    documented = set(re.findall(r"Fl -([a-z-]+)", page))
    shown = set(re.findall(r"--([a-z][a-z-]+)", audit_run("--help").stdout))
    assert documented == shown


@pytest.mark.parametrize(
    "words, said",
    [
        ("--nonsense", "--help shows what it understands"),
        ("--level", "--help shows what it understands"),
        ("--level hihg x", "--level 'hihg' is none; it is one of low, medium"),
        ("--format yaml x", "--format 'yaml' is not known"),
        ("--json --html x", "more than one format: json and html"),
        ("--compare --format ktap x", "--compare has no ktap form"),
        ("--only fail --json x", "--only is for table and csv; json always has"),
        ("--only fial x", "--only 'fial' is no verdict"),
        ("--only , x", "--only '' is no verdict"),
        ("--order random x", "--order 'random' is not known"),
        ("--colour sometimes x", "--colour 'sometimes' is not known"),
        ("--jobs 0 x", "--jobs '0' is no number from 1 to"),
        ("--jobs -1 x", "--jobs '-1' is no number from 1 to"),
        ("--jobs 2x x", "--jobs '2x' is no number from 1 to"),
        ("--jobs 99999999999999999999 x", "is no number from 1 to"),
        ("--root / x", "--root looks for the kernels in '/' itself"),
        ("--root / --files-from y", "--root looks for the kernels in '/' itself"),
        ("--cmdline f x y", "--cmdline is that of one kernel, but 2 are given"),
        ("--sysctl f x y", "--sysctl is that of one kernel, but 2 are given"),
        ("--output a --output b x", "--output is given twice: 'a' and 'b'"),
        ("- -", "'-', standard input, is given 2 times"),
        ("--cmdline - -", "'-', standard input, is given 2 times"),
        ("--files-from - -", "'-', standard input, is given 2 times"),
        ("--output /nowhere/x /dev/null", "cannot write '/nowhere/x'"),
        ("--waivers /nowhere/x /dev/null", "/nowhere/x: No such file"),
        ("--files-from /dev/null", "/dev/null: it is a device"),
    ],
)
def test_wrong_command_lines(words: str, said: str) -> None:
    assert said in trouble(*words.split())


def test_empty_words() -> None:
    assert audit_run("").status == 2
    assert "--output needs something that is not empty" in trouble("--output=", "x")


def test_an_option_twice_with_the_same_word_is_one(config: Path) -> None:
    assert audit_run("--level", "low", "--level=low", config).status == 1


def test_not_met_met_and_what_lies_between(config: Path, tmp_path: Path) -> None:
    """Set what the report of a level names as missing, and it is met."""
    assert audit_run("--level", "low", config).status == 1
    report = audit_json("--level", "low", config)
    text = config.read_text()
    better = tmp_path / "better.config"
    for setting in report["settings"]:
        if setting["verdict"] not in ("fail", "weaker") or setting["kind"] != "kconfig":
            continue
        name = setting["setting"].split("=")[0]
        text += f"{name}={re.sub('^>=', '', setting['wanted'])}\n"
    better.write_text(text)
    run = audit_run("--level", "low", better)
    assert run.status == 0, run.stdout


def test_the_worst_of_all_counts(config: Path) -> None:
    words = ("--json", "--level", "low", "--jobs", "2")
    run = audit_run(*words, config, "/nowhere/config", config)
    assert run.status == 2
    assert run.stderr.startswith("hardened-audit: /nowhere/config: No such file")
    first, lost, last = json.loads(run.stdout)
    assert first == last and first["summary"]
    assert "No such file" in lost["problem"]
    assert audit_run(*words, config, config).status == 1


def test_what_is_no_config(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("Dear all,\n# CONFIG_A is missing\n" * 20)
    run = audit_run(text)
    assert run.status == 2
    assert f"{text}: this is no kernel config: none of its 40 lines is" in run.stderr


def test_paths_cannot_break_a_message() -> None:
    said = audit_run("/nowhere/\033[2J\nhardened-audit: all is well").stderr
    assert "\033" not in said and said.count("\n") == 1
    assert "/nowhere/\\x1b[2J hardened-audit: all is well: No such file" in said


# Where it prints


def test_a_reader_that_goes_away(config: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        run = audit_run("--json", config, stdout=write)
    finally:
        os.close(write)
    assert run.status == 2
    assert run.stderr == (
        "hardened-audit: cannot write to standard output: Broken pipe\n"
    )


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("format_", ["table", "json", "csv", "html", "prometheus"])
def test_a_full_disk(config: Path, count: int, format_: str) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = audit_run("--format", format_, *[config] * count, stdout=full)
    assert run.status == 2
    assert "standard output: No space left on device\n" in run.stderr
    run = audit_run("--format", format_, "--output", "/dev/full", *[config] * count)
    assert run.status == 2
    assert "cannot write '/dev/full': No space left on device" in run.stderr


@pytest.mark.parametrize("words", ["--help", "--version", "--json {config}"])
def test_stdout_is_closed(config: Path, words: str) -> None:
    command = f"exec {built('hardened-audit')} {words.format(config=config)} >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert "cannot write to standard output: Bad file descriptor" in done.stderr


def test_output_is_replaced_in_one_step(config: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o604)
    link.symlink_to("real.json")
    with open(real, encoding="utf-8") as reader:
        run = audit_run("--json", "--output", link, config)
        assert (run.status, run.stdout) == (1, "")
        assert reader.read() == "old"
    assert link.is_symlink()
    assert json.loads(real.read_text()) == audit_json(config)
    assert stat.S_IMODE(real.stat().st_mode) == 0o604
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_output_of_several(config: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.json"
    run = audit_run("--json", "--jobs=2", "--output", out, config, config, umask=0o027)
    assert run.status == 1 and len(json.loads(out.read_text())) == 2
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_the_old_output_stays_when_nothing_is_audited(
    config: Path, tmp_path: Path
) -> None:
    out, waivers = tmp_path / "out", tmp_path / "waivers"
    out.write_text("old")
    waivers.write_text("nonsense\n")
    assert trouble("--output", out, "--waivers", waivers, config)
    assert out.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [out, waivers]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_nothing_is_left_of_an_output(config: Path, tmp_path: Path, name: str) -> None:
    """The program is ended while it waits for one of its inputs."""
    folder, fifo = tmp_path / "out", tmp_path / "fifo"
    folder.mkdir()
    (folder / "report").write_text("old")
    os.mkfifo(fifo)
    writer = os.open(fifo, os.O_RDWR)
    words = [built("hardened-audit"), "--output", folder / "report", config, fifo]
    program = subprocess.Popen(words)
    try:
        deadline = time.monotonic() + 60
        while len(list(folder.iterdir())) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(list(folder.iterdir())) == 2
        program.send_signal(getattr(signal, name))
        assert program.wait() == -getattr(signal, name)
    finally:
        program.kill()
        os.close(writer)
    assert [path.read_text() for path in folder.iterdir()] == ["old"]


def test_output_to_a_fifo_and_to_stdout(config: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
    reader.start()
    run = audit_run("--json", "--output", fifo, config)
    reader.join()
    assert run.status == 1
    assert got == [audit_run("--json", config).stdout]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    for name in ("-", "/dev/stdout"):
        assert audit_run("--json", "--output", name, config).stdout == got[0]


# What it reads


def test_config_on_standard_input(config: Path) -> None:
    with open(config, encoding="utf-8") as text:
        run = audit_run("--json", "-", stdin=text)
    assert run.status == 1
    there, here = json.loads(run.stdout), audit_json(config)
    assert there["summary"] == here["summary"]


@pytest.mark.parametrize("separator", ["\n", "\0"])
def test_files_from_a_list(config: Path, tmp_path: Path, separator: str) -> None:
    paths = [tmp_path / f"{i} of\t3" for i in range(3)]
    for path in paths:
        path.symlink_to(config)
    text = separator.join(map(str, paths)) + separator
    listed = tmp_path / "list"
    listed.write_text(text)
    words = ("--json", "--jobs=2", "--files-from")
    run = audit_run(*words, listed, config)
    sources = [audit["source"] for audit in json.loads(run.stdout)]
    assert sources == [str(config)] + [str(p).replace("\t", " ") for p in paths]
    with open(listed, encoding="utf-8") as stdin:
        there = audit_run(*words, "-", config, stdin=stdin)
    assert there == run


def test_a_command_line_and_sysctls_of_one_kernel(config: Path, tmp_path: Path) -> None:
    cmdline, sysctl = tmp_path / "cmdline", tmp_path / "sysctl"
    cmdline.write_text("root=/dev/sda mitigations=off\n")
    sysctl.write_text("kernel.panic = 0\n")
    words = ("--json", "--level=extreme", "--cmdline", cmdline, "--sysctl", sysctl)
    run = audit_run(*words, config)
    assert run.status == 1
    assert str(cmdline) in run.stdout and "mitigations=off" in run.stdout
    empty = tmp_path / "empty"
    empty.write_text("")
    assert "empty: the file is empty" in audit_run("--cmdline", empty, config).stderr
    empty.write_text("sysctl: cannot open\n")
    assert "no line of it is a sysctl" in audit_run("--sysctl", empty, config).stderr


def test_without_a_config_no_level_is_met(tmp_path: Path) -> None:
    """However good the command line is: most of it was not looked at."""
    cmdline = tmp_path / "cmdline"
    cmdline.write_text("\n")
    run = audit_run("--json", "--level", "low", "--cmdline", cmdline)
    assert run.status in (1, 2)
    report = json.loads(run.stdout)
    unknown = [s for s in report["settings"] if s["kind"] == "kconfig"]
    assert unknown and {s["verdict"] for s in unknown} <= {"unknown", "n/a"}


def in_namespace(etc: str, *words: str | Path) -> Run:
    """Run it where /etc/hardenedconfig has that text."""
    script = (
        "mount -t tmpfs tmpfs /etc && printf '%s' \"$1\" >/etc/hardenedconfig"
        ' && shift && exec "$@"'
    )
    command = ["unshare", "-m", "sh", "-c", script, "sh", etc]
    command += [str(built("hardened-audit")), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    return Run(done.returncode, done.stdout, done.stderr)


needs_mounts = pytest.mark.skipif(
    subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0,
    reason="no mount namespace is to be had here",
)


@needs_mounts
def test_the_level_of_the_machine(config: Path) -> None:
    run = in_namespace("# ours\nlevel = high\n", "--json", config)
    assert run.status == 1
    assert json.loads(run.stdout)["level"] == "high"
    run = in_namespace("level = high\n", "--json", "--level", "medium", config)
    assert json.loads(run.stdout)["level"] == "medium"
    run = in_namespace("level = hgih\nlevle = low\n", "--json", config)
    assert (run.status, run.stdout) == (2, "")
    assert "hardened-audit: /etc/hardenedconfig:1: 'hgih' is no level" in run.stderr
    assert "hardened-audit: /etc/hardenedconfig:2: 'levle' is not known" in run.stderr
    # Who gives a level need not care.
    assert in_namespace("level = hgih\n", "--level", "low", config).status == 1


def test_the_running_system() -> None:
    run = audit_run("--json")
    assert run.status in (0, 1, 2)
    assert json.loads(run.stdout)["settings"]


def test_make_audit(config: Path, tmp_path: Path) -> None:
    """The top Makefile: stdout is the program's alone."""
    root = Path(__file__).parents[2]
    words = ["make", "-s", "audit", f"CONFIG={config} {config}", "LEVEL=medium"]
    words += ["FORMAT=json", f"BUILD={built('hardened-audit').parent / 'top'}"]
    done = subprocess.run(
        words,
        cwd=root,
        capture_output=True,
        text=True,
        env={**os.environ, "MAKEFLAGS": ""},
    )
    assert done.returncode == 2 and "audit] Error 1" in done.stderr
    assert [audit["level"] for audit in json.loads(done.stdout)] == ["medium"] * 2
