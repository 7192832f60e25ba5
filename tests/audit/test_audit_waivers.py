# SPDX-License-Identifier: GPL-2.0-only
"""Waivers: what they change, and what of them is told."""

import json
from datetime import date, timedelta

import pytest
from audit_building import audit_json, audit_run

TODAY = date.today()
LATER = TODAY + timedelta(days=30)
PAST = TODAY - timedelta(days=1)


@pytest.fixture(name="config")
def _config(debian_config):
    return debian_config("6.12", "cloud", "amd64")


@pytest.fixture(name="waivers")
def _waivers(tmp_path):
    """waivers("line", ...): a file of these lines."""

    def write(*lines):
        path = tmp_path / "waivers"
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write


def _answer(report, setting):
    return next(s for s in report["settings"] if s["setting"] == setting)


@pytest.mark.parametrize("name", ["CONFIG_SCHED_CORE", "CONFIG_SCHED_CORE=y"])
def test_a_waived_failure(config, waivers, name):
    before = _answer(audit_json(config), "CONFIG_SCHED_CORE")
    path = waivers(f'{name}, "no SMT, ever", kernel@example.org, {LATER}')
    report = audit_json("--waivers", path, config)
    after = _answer(report, "CONFIG_SCHED_CORE")
    assert (before["verdict"], after["verdict"]) == ("fail", "waived")
    assert "no SMT, ever" in json.dumps(after)
    assert "kernel@example.org" in json.dumps(after)
    assert str(LATER) in json.dumps(after)
    assert report["summary"]["waived"] == 1


def test_the_last_day_still_counts(config, waivers):
    path = waivers(f"CONFIG_SCHED_CORE, r, o, {TODAY}")
    report = audit_json("--waivers", path, config)
    assert _answer(report, "CONFIG_SCHED_CORE")["verdict"] == "waived"


def test_an_expired_one_does_nothing_and_is_told(config, waivers):
    path = waivers("# of last year", f"CONFIG_SCHED_CORE, r, o, {PAST}")
    result = audit_run("--json", "--waivers", path, config)
    report = json.loads(result.stdout)
    assert _answer(report, "CONFIG_SCHED_CORE")["verdict"] == "fail"
    assert f"{path}:2:" in result.stderr and str(PAST) in result.stderr


def test_an_unneeded_one_is_told(config, waivers):
    path = waivers(f"CONFIG_SECURITY, r, o, {LATER}", f"CONFIG_SCHED_CORE,r,o,{LATER}")
    result = audit_run("--json", "--waivers", path, config)
    assert f"{path}:1:" in result.stderr
    assert f"{path}:2:" not in result.stderr


def test_a_level_is_met_with_waivers(config, waivers):
    """Exit status 1 before, 0 after: all that is missing is waived."""
    missing = audit_json(config)["missing"]["low"]
    assert missing and audit_run(config).status == 1
    quoted = [s.replace('"', '""') for s in missing]
    path = waivers(*(f'"{s}", r, o, {LATER}' for s in quoted))
    result = audit_run("--json", "--waivers", path, config)
    assert result.status == 0, result.stderr
    assert json.loads(result.stdout)["met"] is True


@pytest.mark.parametrize(
    "line, cause",
    [
        (f"CONFIG_SCHED_CORE, , o, {LATER}", "reason"),
        (f"CONFIG_SCHED_CORE, r, , {LATER}", "owner"),
        ("CONFIG_SCHED_CORE, r, o", "expiry"),
        ("CONFIG_SCHED_CORE, r, o, ", "expiry"),
        ("CONFIG_SCHED_CORE, r, o, soon", "soon"),
        ("CONFIG_SCHED_CORE, r, o, 2027-02-29", "2027-02-29"),
        ("CONFIG_SCHED_CORE, r, o, 2027-04-31", "2027-04-31"),
        ("CONFIG_SCHED_CORE, r, o, 2100-02-29", "2100-02-29"),
        (f"CONFIG_NO_SUCH_THING, r, o, {LATER}", "CONFIG_NO_SUCH_THING"),
    ],
)
def test_a_mistake_has_its_line(config, waivers, line, cause):
    path = waivers("# comment", f"CONFIG_KFENCE, r, o, {LATER}", line)
    result = audit_run("--waivers", path, config)
    assert result.status == 2 and not result.stdout
    assert f"{path}:3:" in result.stderr and cause in result.stderr


def test_a_leap_day_is_a_date(config, waivers):
    path = waivers("CONFIG_SCHED_CORE, r, o, 2028-02-29")
    assert audit_run("--waivers", path, config).status == 1


def test_waived_twice(config, waivers):
    line = f"CONFIG_SCHED_CORE, r, o, {LATER}"
    path = waivers(line, line)
    result = audit_run("--waivers", path, config)
    assert result.status == 2
    assert f"{path}:2:" in result.stderr and "line 1" in result.stderr
