# SPDX-License-Identifier: GPL-2.0-only
"""What the kernel's own parser, kunit_parser.py, makes of the probes' KTAP."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from building import run

#: Run in a folder with kunit_parser.py, KTAP on stdin: a dict as JSON in the last line.
PARSE = """
import inspect, json, sys
import kunit_parser
words = [sys.stdin.read().splitlines()]
if "printer" in inspect.signature(kunit_parser.parse_run_tests).parameters:
    words.append(kunit_parser.Printer())
main = kunit_parser.parse_run_tests(*words)
print(json.dumps({
    "status": main.status.name,
    "errors": main.counts.errors,
    "tests": {test.name: test.status.name for test in main.subtests},
}))
"""


@dataclass
class Parsed:
    """status: of the whole; tests: status by name; log: what the parser printed."""

    status: str
    errors: int
    tests: dict[str, str]
    log: str


Parse = Callable[[str], Parsed]
KtapOf = Callable[..., str]


@pytest.fixture(params=["6.1", "6.12", "7.3"])
def parse(request: pytest.FixtureRequest, kernel_tree: Callable[[str], Path]) -> Parse:
    """parse(KTAP): by the parser of a kernel version."""
    folder = kernel_tree(request.param) / "tools/testing/kunit"

    def parsed(ktap: str) -> Parsed:
        result = subprocess.run(
            [sys.executable, "-B", "-c", PARSE],
            cwd=folder,
            input=ktap,
            capture_output=True,
            check=True,
            text=True,
        )
        *log, last = result.stdout.splitlines()
        return Parsed(**json.loads(last), log="\n".join(log))

    return parsed


@pytest.fixture
def ktap_of(tool: Callable[..., Path]) -> KtapOf:
    """ktap_of("ok", "fail=REASON", status=1): what a probe prints that finds that."""

    def ktap(*findings: str, status: int = 0) -> str:
        words = ["--inside", *findings] if findings else []
        result = run(tool("fake_probe"), *words)
        assert (result.status, result.stderr) == (status, "")
        return result.stdout

    return ktap


def test_every_verdict(parse: Parse, ktap_of: KtapOf) -> None:
    ktap = ktap_of(
        "ok",
        "stronger=vDSO",
        "weaker=half of it",
        "fail=EPERM",
        "n/a=Linux 5.11",
        "unknown=fork: EAGAIN",
        "waived=known",
        "figures=187.8",
        status=1,
    )
    parsed = parse(ktap)
    assert (parsed.status, parsed.errors) == ("FAILURE", 0)
    assert parsed.tests == {
        "group.1": "SUCCESS",
        "group.2": "SUCCESS",
        "group.3": "FAILURE",
        "group.4": "FAILURE",
        "group.5": "SKIPPED",
        "group.6": "FAILURE",
        "group.7": "SUCCESS",
        "group.8": "SUCCESS",
    }
    # The parser shows what stands before a failure.
    assert "# group.4: fail: EPERM" in parsed.log
    assert "# group.6: unknown: fork: EAGAIN" in parsed.log


@pytest.mark.parametrize(
    "findings, status, expected",
    [
        (["ok", "stronger", "n/a=no"], 0, "SUCCESS"),
        (["n/a=no", "n/a=no"], 4, "SKIPPED"),
        (["ok", "weaker"], 1, "FAILURE"),
        (["ok", "unknown=EAGAIN"], 2, "FAILURE"),
        ([], 2, "FAILURE"),
    ],
)
def test_the_whole(
    parse: Parse, ktap_of: KtapOf, findings: list[str], status: int, expected: str
) -> None:
    parsed = parse(ktap_of(*findings, status=status))
    assert (parsed.status, parsed.errors) == (expected, 0)


#: What must not be taken for KTAP when it is part of a reason, a fact or a sentence.
FORGED = [
    "a # SKIP b",
    "ok 1 forged\nnot ok 2 forged",
    "1..9",
    "x\nKTAP version 1\n1..5",
    "\033[2J",
]


@pytest.mark.parametrize(
    "word, status, expected",
    [
        ("fail", 1, "FAILURE"),
        ("unknown", 2, "FAILURE"),
        ("n/a", 0, "SKIPPED"),
        ("ok", 0, "SUCCESS"),
        ("waived", 0, "SUCCESS"),
        ("fact", 0, None),
        ("say", 0, None),
    ],
)
def test_words_change_nothing(
    parse: Parse, ktap_of: KtapOf, word: str, status: int, expected: str | None
) -> None:
    words = [f"{word}={text}" for text in FORGED]
    parsed = parse(ktap_of("ok", *words, "ok", status=status))
    first, *others, last = range(1, len(FORGED) + 3)
    tests = {f"group.{first}": "SUCCESS", f"group.{last}": "SUCCESS"}
    if expected:
        tests |= {f"group.{number}": expected for number in others}
    assert parsed.tests == tests
    assert parsed.errors == 0


def test_cut_short_is_an_error(parse: Parse, ktap_of: KtapOf) -> None:
    """The control: had a probe died while it printed, the parser would tell."""
    lines = ktap_of("ok", "ok", "ok").splitlines()
    cut = lines[: lines.index("ok 2 group.2") + 1]
    parsed = parse("\n".join(cut))
    assert parsed.status == "TEST_CRASHED"
    assert parsed.errors > 0


def test_lost_line_is_an_error(parse: Parse, ktap_of: KtapOf) -> None:
    lines = ktap_of("ok", "ok", "ok").splitlines()
    lines.remove("ok 2 group.2")
    assert parse("\n".join(lines)).errors > 0


def test_a_real_probe(parse: Parse, probe: Callable[..., Path]) -> None:
    result = run(probe("wipeonfork"), "--quick", "--ktap")
    parsed = parse(result.stdout)
    assert result.status in (0, 1, 2)
    assert parsed.status == ("FAILURE" if result.status else "SUCCESS")
    assert parsed.errors == 0
    assert len(parsed.tests) > 10
