# SPDX-License-Identifier: GPL-2.0-only
"""Every format says the same, is read by a parser that is not ours, and is safe."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from audit_building import audit_json, audit_run

BAD = ("fail", "weaker")


@pytest.fixture(name="config")
def _config(debian_config):
    return debian_config("6.12", "cloud", "amd64")


def _text(form, *words):
    return audit_run("--format", form, "--level", "medium", *words).stdout


@pytest.fixture(name="verdicts")
def _verdicts(config):
    """(setting, verdict), in the order of the report."""
    report = audit_json("--level", "medium", config)
    kinds = {"kconfig": ""}
    return [
        (kinds.get(s["kind"], "") + s["setting"], s["verdict"])
        for s in report["settings"]
    ]


def test_json_has_what_tools_rely_on(config):
    report = audit_json("--level", "medium", config)
    keys = {"kernel", "arch", "compiler", "level", "source", "settings", "summary"}
    assert keys <= set(report)
    for said in report["settings"]:
        assert {
            "setting",
            "kind",
            "wanted",
            "got",
            "verdict",
            "level",
            "reason",
            "where",
        } <= set(said)
    for verdict, count in report["summary"].items():
        found = [s for s in report["settings"] if s["verdict"] == verdict]
        assert len(found) == count
    line = next(s for s in report["settings"] if s["setting"] == "CONFIG_SECCOMP")
    path, number = line["where"].rsplit(":", 1)
    assert path == str(config)
    assert config.read_text().splitlines()[int(number) - 1] == "CONFIG_SECCOMP=y"


def test_csv_says_the_same(config, verdicts):
    rows = list(csv.DictReader(io.StringIO(_text("csv", config))))
    assert [(r["setting"], r["verdict"]) for r in rows] == verdicts


def test_the_table_says_the_same(config, verdicts):
    lines = _text("table", config).splitlines()
    for setting, verdict in verdicts:
        assert any(
            line.startswith(verdict) and setting in line for line in lines
        ), setting


def test_ktap_says_the_same(config, verdicts):
    text = _text("ktap", config)
    results = re.findall(r"^    (ok|not ok) (\d+) ([^\n]*)$", text, re.MULTILINE)
    assert text.startswith("KTAP version 1\n1..1\n")
    assert f"    1..{len(verdicts)}\n" in text
    assert [int(number) for _, number, _ in results] == list(
        range(1, len(verdicts) + 1)
    )
    for (result, _, words), (setting, verdict) in zip(results, verdicts):
        assert words.startswith(setting.replace("#", "_"))
        assert (result == "not ok") == (verdict in BAD), words
        assert ("# SKIP" in words) == (verdict in ("n/a", "unknown")), words
    assert text.splitlines()[-1].startswith("not ok 1 ")


def test_junit_says_the_same(config, verdicts):
    root = ElementTree.fromstring(_text("junit", config))
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    assert len(cases) == len(verdicts) == int(suite.get("tests"))
    failed = [c for c in cases if c.find("failure") is not None]
    assert len(failed) == int(suite.get("failures"))
    assert len(failed) == sum(v in BAD for _, v in verdicts)
    for case, (setting, verdict) in zip(cases, verdicts):
        assert case.get("name").startswith(setting)
        assert (case.find("failure") is not None) == (verdict in BAD)


def test_sarif_says_the_same(config, verdicts):
    log = json.loads(_text("sarif", config))
    assert log["version"] == "2.1.0" and "sarif" in log["$schema"]
    run = log["runs"][0]
    assert run["tool"]["driver"]["name"] == "hardened-audit"
    assert run["invocations"][0]["executionSuccessful"] is True
    errors = [r for r in run["results"] if r["ruleId"] and r["level"] != "none"]
    missing = [s for s, v in verdicts if v in BAD]
    for setting in missing:
        assert any(r["ruleId"].startswith(setting) for r in errors), setting
    for result in run["results"]:
        assert result["message"]["text"]


def test_prometheus_says_the_same(config, verdicts):
    text = _text("prometheus", config)
    series = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\.)*",?)*)\} (\d+)')
    seen = set()
    for line in text.splitlines():
        if not line.startswith("#"):
            match = series.fullmatch(line)
            assert match, line
            assert match.group(1, 2) not in seen
            seen.add(match.group(1, 2))
    count = sum(v == "fail" for _, v in verdicts)
    assert re.search(rf'level="medium",verdict="fail"\}} {count}$', text, re.MULTILINE)


FORMS = ["table", "json", "csv", "ktap", "junit", "sarif", "prometheus", "html"]


@pytest.mark.parametrize("form", FORMS)
def test_a_problem_never_looks_like_a_pass(form, config, tmp_path):
    missing = tmp_path / "missing"
    result = audit_run("--format", form, missing, config)
    assert result.status == 2
    assert str(missing) in result.stderr
    if form != "table":
        assert "missing" in result.stdout
    if form == "ktap":
        assert re.search(r"^not ok 1 .*missing", result.stdout, re.MULTILINE)
    if form == "junit":
        assert ElementTree.fromstring(result.stdout).find(".//error") is not None
    if form == "sarif":
        runs = json.loads(result.stdout)["runs"]
        assert any(
            not i["executionSuccessful"] for run in runs for i in run["invocations"]
        )


@pytest.mark.parametrize("form", FORMS)
def test_nothing_hostile_comes_out(form, config, tmp_path):
    name = "a\x1b[31m\n<b>\"'&]]>#\udcff.config"
    hostile = tmp_path / name
    text = re.sub(
        r'CONFIG_LSM="[^"]*"', 'CONFIG_LSM="\x1b]0;x\x07<i>"', config.read_text()
    )
    hostile.write_text(text)
    out = audit_run("--format", form, "--level", "medium", hostile).stdout
    assert "CONFIG_LSM" in out or form == "prometheus"
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", out)
    assert "<i>" not in out or form not in ("html", "junit")
    if form == "json":
        json.loads(out)
    if form == "junit":
        ElementTree.fromstring(out)


def test_several_inputs_are_one_document(config):
    reports = json.loads(audit_run("--json", config, config).stdout)
    assert [r["source"] for r in reports] == [str(config)] * 2
    root = ElementTree.fromstring(_text("junit", config, config))
    assert len(root.findall("testsuite")) == 2
    assert _text("ktap", config, config).startswith("KTAP version 1\n1..2\n")


def test_only_some_verdicts(config, verdicts):
    text = audit_run("--format=csv", "--level=medium", "--only=fail", config).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {r["verdict"] for r in rows} == {"fail"}
    assert len(rows) == sum(v == "fail" for _, v in verdicts)


@pytest.mark.parametrize("form", ["json", "ktap", "junit", "sarif", "prometheus"])
def test_only_is_refused_where_it_would_hide_failures(form, config):
    result = audit_run("--format", form, "--only=ok", config)
    assert result.status == 2 and "--only" in result.stderr and not result.stdout


def test_menu_order_is_that_of_the_config(config):
    report = audit_json("--level=medium", "--order=menu", config)
    lines = [
        int(s["where"].rsplit(":", 1)[1]) for s in report["settings"] if s["where"]
    ]
    with_line = [n for n, s in zip(lines, report["settings"]) if s["got"]]
    assert with_line == sorted(with_line)
