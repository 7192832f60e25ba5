# SPDX-License-Identifier: GPL-2.0-only
"""--compare: entries by kernels, as a table, CSV and JSON."""

import csv
import io
import os
import pty
import re
import struct
import subprocess
import termios
from fcntl import ioctl

import pytest
from audit_building import ENVIRONMENT, audit_json, audit_run, built

VERDICTS = {"ok", "stronger", "weaker", "fail", "n/a", "unknown", "waived"}
LEVEL = ("--level", "medium")


@pytest.fixture(scope="session")
def configs(debian_config):
    """Kernels that differ in version, flavour and architecture."""
    kinds = [("6.1", "cloud", "amd64"), ("6.12", "cloud", "amd64")]
    kinds += [("6.1", "default", "arm64")]
    return [debian_config(*kind) for kind in kinds]


@pytest.fixture(scope="session")
def matrix(configs):
    return audit_json("--compare", *LEVEL, *configs)


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken"
    path.write_text("this is no config\n", encoding="utf-8")
    return path


def by_setting(rows):
    return {(row["setting"], row["wanted"], row["level"]): row for row in rows}


def test_json_has_what_each_kernel_s_own_report_has(matrix, configs):
    rows = by_setting(matrix["settings"])
    assert len(rows) == len(matrix["settings"])
    for column, config in enumerate(configs):
        report = audit_json(*LEVEL, config)
        own = by_setting(report.pop("settings"))
        assert matrix["kernels"][column] == report
        asked = {key for key, row in rows.items() if row["cells"][column]["asked"]}
        assert asked == own.keys()
        for key, setting in own.items():
            cell = dict(rows[key]["cells"][column])
            assert cell.pop("asked") is True
            assert cell == {name: setting[name] for name in cell}


def test_every_row_is_asked_of_some_kernel_and_has_all(matrix, configs):
    for row in matrix["settings"]:
        assert len(row["cells"]) == len(configs)
        assert any(cell["asked"] for cell in row["cells"])
        asked = {cell["verdict"] for cell in row["cells"] if cell["asked"]}
        assert row["differs"] == (len(asked) > 1)
    assert any(row["differs"] for row in matrix["settings"])


def test_of_several_entries_each_kernel_is_asked_for_its_own(debian_config):
    """Entries that read the same, for other versions, are one row."""
    kernels = [debian_config(version, "cloud", "amd64") for version in ("6.1", "6.12")]
    matrix = audit_json("--compare", "--level", "extreme", *kernels)
    assert all(cell["asked"] for row in matrix["settings"] for cell in row["cells"])


def test_a_kernel_against_itself_does_not_differ(configs):
    matrix = audit_json("--compare", configs[0], configs[0])
    assert not any(row["differs"] for row in matrix["settings"])
    assert (
        "Kernels differ in 0 of "
        in audit_run("--compare", configs[0], configs[0]).stdout
    )


def test_csv_says_the_same(matrix, configs):
    text = audit_run("--compare", "--format", "csv", *LEVEL, *configs).stdout
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [line["setting"] for line in lines] == [
        s["setting"] for s in matrix["settings"]
    ]
    for line, row in zip(lines, matrix["settings"]):
        assert line["differs"] == ("yes" if row["differs"] else "no")
        for config, cell in zip(configs, row["cells"]):
            verdict = cell["verdict"] if cell["asked"] else "not asked"
            assert line[f"{config}: verdict"] == verdict
            assert line[f"{config}: got"] == (cell["got"] or "")
            assert line[f"{config}: reason"] == cell["reason"]


def table_rows(text):
    """Setting, level and verdicts above and below the line about differences."""
    row = re.compile(
        r"^((?:CONFIG_|cmdline:|sysctl:).*?)  +(low|medium|high|extreme)  +(.*)$",
        re.MULTILINE,
    )
    return [
        [
            (name, level, re.split(r"  +", rest))
            for name, level, rest in row.findall(part)
        ]
        for part in text.split("Kernels differ in ")
    ]


def test_the_table_says_the_same(matrix, configs):
    same, differing = table_rows(audit_run("--compare", *LEVEL, *configs).stdout)
    for rows, differs in ((same, False), (differing, True)):
        settings = [s for s in matrix["settings"] if s["differs"] == differs]
        assert len(rows) == len(settings) > 10
        for (name, level, squares), setting in zip(rows, settings):
            assert name.startswith(setting["setting"]) and level == setting["level"]
            for square, cell in zip(squares, setting["cells"], strict=True):
                if not cell["asked"]:
                    assert square == "not asked"
                    continue
                got = cell["got"] or ""
                shown = got if len(got) <= 14 else f"{got[:11]}..."
                assert square == f"{cell['verdict']} {shown}".strip()


def test_only_is_for_the_table(matrix, configs):
    text = audit_run("--compare", *LEVEL, "--only", "weaker", *configs).stdout
    same, differing = table_rows(text)
    weaker = sum(
        any(cell["asked"] and cell["verdict"] == "weaker" for cell in row["cells"])
        for row in matrix["settings"]
    )
    assert len(same + differing) == weaker > 0


def test_order_by_level(configs):
    order = ("low", "medium", "high", "extreme")
    matrix = audit_json("--compare", "--order", "level", "--level", "high", *configs)
    levels = [order.index(row["level"]) for row in matrix["settings"]]
    assert levels == sorted(levels) and len(set(levels)) == 3


def on_terminal(width, *words):
    """What is printed on a terminal so wide."""
    leader, follower = pty.openpty()
    ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    command = [str(word) for word in (built("hardened-audit"), *words)]
    env = {**os.environ, **ENVIRONMENT}
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, env=env):
        os.close(follower)
        text = b""
        try:
            while piece := os.read(leader, 65536):
                text += piece
        except OSError:  # the end
            pass
    os.close(leader)
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("width", (60, 80, 100, 200))
@pytest.mark.parametrize("times", (1, 4, 12))
def test_many_kernels_fit_a_terminal(configs, width, times):
    text = on_terminal(width, "--compare", *LEVEL, *configs * times)
    squares = [
        line for line in text.splitlines() if re.match("CONFIG|cmdline|sysctl", line)
    ]
    assert squares and max(map(len, squares)) <= width


def test_signs_are_explained(configs):
    text = on_terminal(80, "--compare", *LEVEL, *configs * 4)
    assert "F fail" in text and "! not read" in text
    assert "F fail" not in on_terminal(200, "--compare", *LEVEL, *configs)


def test_columns_have_letters_beyond_z(configs):
    text = on_terminal(300, "--compare", *(configs[:1] * 28))
    assert re.search(r"^setting .* Z +AA +AB$", text, re.MULTILINE)


def test_a_kernel_that_cannot_be_read_is_a_column_that_says_so(configs, broken):
    words = ("--compare", configs[0], broken)
    matrix = audit_json(*words)
    assert "is no kernel config" in matrix["kernels"][1]["problem"]
    for row in matrix["settings"]:
        assert row["cells"][1]["verdict"] == "unknown"
        assert row["cells"][1]["reason"] == matrix["kernels"][1]["problem"]
        assert not row["differs"]
    table = audit_run(*words)
    assert table.status == 2
    same, differing = table_rows(table.stdout)
    assert same and not differing
    assert all(squares[-1] == "not read" for _, _, squares in same)
    assert "not audited: " in table.stdout


HOSTILE = "\x1b[31m\x07\n,\"';"


def test_names_and_values_are_harmless(configs, tmp_path):
    path = tmp_path / f"x{HOSTILE}"
    text = configs[0].read_text(encoding="utf-8")
    text += 'CONFIG_LSM="yama\x1b[31m\x07,\',"\n'
    path.write_text(text, encoding="utf-8")
    for form in ("table", "csv", "json"):
        result = audit_run("--compare", "--format", form, path, configs[1])
        assert result.stdout and not re.search(
            "[\x00-\x09\x0b\x0c\x0e-\x1f]", result.stdout
        )


def test_verdicts_are_of_the_seven(matrix):
    assert {
        c["verdict"] for row in matrix["settings"] for c in row["cells"]
    } <= VERDICTS
