# SPDX-License-Identifier: GPL-2.0-only
"""--html: well-formed, self-contained, true to --json, and readable."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import combinations

import pytest
from audit_building import audit_json, audit_run
from audit_colours import VISIONS, contrast, distance
from audit_page import VERDICT_CLASSES, Page

VOID = {"meta", "input", "br"}
#: Elements and attributes that make a browser fetch something.
FETCHING = {
    "script",
    "link",
    "img",
    "iframe",
    "object",
    "embed",
    "video",
    "audio",
    "base",
}
LEVELS = ("low", "medium", "high", "extreme")


@pytest.fixture(scope="session")
def configs(debian_config):
    """Four kernels that differ in version, flavour and architecture."""
    kinds = (("6.1", "cloud", "amd64"), ("6.12", "cloud", "amd64"))
    kinds += (("6.1", "default", "arm64"), ("6.12", "rt", "amd64"))
    return [debian_config(*kind) for kind in kinds]


def page_of(*words):
    result = audit_run("--html", *words)
    assert result.status in (0, 1, 2)
    return Page(result.stdout)


@pytest.fixture(scope="session")
def page(configs):
    return page_of(*configs)


class Tags(HTMLParser):
    """Complains about end tags that HTML does not see as XML does."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.wrong = []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.wrong.append(f"{tag}: an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        # HTML takes <x/> for <x>, but for void elements and inside of <svg>.
        if tag not in VOID and "svg" not in self.open:
            self.wrong.append(f"<{tag}/>")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")


def test_it_is_html_and_xml_at_once(page):
    tags = Tags()
    tags.feed(page.text)
    tags.close()
    assert page.text.startswith("<!DOCTYPE html>\n")
    assert not tags.wrong and not tags.open


def test_a_tag_that_html_reads_otherwise_is_seen():
    tags = Tags()
    tags.feed("<div/><p></b></p>")
    assert tags.wrong


def test_ids_are_there_once_and_links_lead_somewhere(page):
    ids = [element.get("id") for element in page.root.iter() if element.get("id")]
    links = {link.get("href") for link in page.all("a")}
    assert len(ids) == len(set(ids))
    assert links and links <= {f"#{name}" for name in ids}


def test_nothing_is_fetched(page):
    for element in page.root.iter():
        assert element.tag.split("}")[-1] not in FETCHING
        assert not {"src", "srcset", "style", "onload", "onclick"} & set(element.keys())
    assert not re.search(r"url\(|@import|expression", page.style)
    assert not re.search(r"https?:(?!//www\.w3\.org/1999/xhtml)", page.text)


def test_the_style_needs_no_escaping(page):
    raw = page.text.split("<style>")[1].split("</style>")[0]
    assert not set('&<>"') & set(raw)


def written(setting):
    """A setting of a report as the catalogue's titles write it."""
    name, wanted = setting["setting"], setting["wanted"]
    if wanted in ("", "present"):
        return name
    sign = (
        "" if wanted.startswith(">=") else " " if wanted.startswith("contains") else "="
    )
    return f"{name}{sign}{wanted}"


@pytest.mark.parametrize("level", LEVELS)
def test_every_verdict_is_that_of_json(page, configs, level):
    rows = {(s.replace('"', ""), at): cells for (s, at), cells in page.rows.items()}
    for column, config in enumerate(configs):
        settings = audit_json("--level", level, config)["settings"]
        assert len(settings) > 50
        for setting in settings:
            key = (written(setting).replace('"', ""), setting["level"])
            verdict, title = rows[key][column]
            assert verdict == setting["verdict"], key
            assert setting["reason"] in title
            assert f"is {setting['got']}" in title or setting["got"] is None
            assert setting["where"] in title


def test_every_kernel_and_every_entry_has_its_square(page, configs):
    assert len(page.columns) == len(set(page.columns)) == len(configs)
    assert {len(cells) for cells in page.rows.values()} == {len(configs)}
    assert len(page.rows) > 200
    for config in configs:
        assert str(config) in page.text


def test_the_details_say_it_too(page):
    details = {"".join(e[0].itertext()) for e in page.all("div", "setting-details")}
    assert details == {setting for setting, _ in page.rows}


def test_rows_in_which_kernels_differ_are_marked(page):
    for row in page.all("tr"):
        heading = row.find("{http://www.w3.org/1999/xhtml}th[@class='setting']")
        if heading is not None:
            key = ("".join(heading.itertext()), row[1].text)
            verdicts = {verdict for verdict, _ in page.rows[key]} - {"not asked"}
            assert ("differs" in row.get("class")) == (len(verdicts) > 1), key


def test_one_kernel_shows_its_reasons(configs):
    page = page_of(configs[0])
    reasons = {"".join(cell.itertext()) for cell in page.all("td", "why")}
    assert page.columns[0].startswith("6.1.") and len(reasons) > 5
    assert not page.all("b", "letter")


def test_the_summary_counts_what_is_missing(configs):
    report = audit_json(configs[0])
    page = page_of(configs[0])
    cells = [cell[0].text for cell in page.all("td", "standing")]
    for level, cell in zip(LEVELS, cells):
        missing = len(report["missing"][level])
        assert cell == (f"{missing} missing" if missing else "met")


def test_a_waiver_is_shown_with_its_owner_and_what_is_behind_it(configs, tmp_path):
    waivers = tmp_path / "waivers"
    waivers.write_text(
        'CONFIG_LDISC_AUTOLOAD=n, "old <modems>", security@example.org, 2999-12-31\n',
        encoding="utf-8",
    )
    page = page_of("--waivers", waivers, configs[0])
    ((verdict, _),) = page.rows["CONFIG_LDISC_AUTOLOAD=n", "low"]
    text = "".join(page.root.itertext())
    assert verdict == "waived"
    assert "Waived by security@example.org until 2999-12-31: old <modems>." in text
    assert "Without the waiver: fail." in text


def test_what_was_read_beside_the_config_is_told(configs, tmp_path):
    line = tmp_path / "cmdline"
    line.write_text("init_on_alloc=1 mitigations=off\n", encoding="utf-8")
    text = "".join(page_of("--cmdline", line, configs[0]).root.itertext())
    assert f"Command line: {line}" in text and "No sysctls were given." in text
    assert "[build: " in text and "[boot: fail]" in text
    text = "".join(page_of(configs[0]).root.itertext())
    assert "Neither a command line nor sysctls were given." in text


def test_the_bars_are_as_wide_as_the_counts(configs):
    summary = audit_json("--level", "low", configs[0])
    bar = page_of(configs[0]).all("svg", "bar")[0]
    widths = {r.get("class"): int(r.get("width")) for r in bar if r.get("class")}
    counts = {k.replace("/", ""): v for k, v in summary["summary"].items() if v}
    counts["unchecked"] = summary["unchecked"]
    counts["unknown"] -= summary["unchecked"]
    assert widths == {name: count for name, count in counts.items() if count}
    assert bar.get("viewBox") == f"0 0 {sum(widths.values())} 1"


HOSTILE = """<script>alert('x')</script>]]>&amp;"'"""


def test_names_and_values_are_escaped(configs, tmp_path):
    name = HOSTILE.replace("/", "\u2215") + "\n\x1b[31m"
    path = tmp_path / name
    value = HOSTILE.replace('"', '\\"')
    lines = configs[0].read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("CONFIG_LSM=")]
    path.write_text("\n".join([*lines, f'CONFIG_LSM="{value}"']), encoding="utf-8")
    page = page_of(path, configs[1])
    assert not page.all("script")
    assert HOSTILE in "".join(page.root.itertext())
    assert "\x1b" not in page.text and "\\x1b[31m" in page.text
    assert not re.search(r"<script|alert\('x'\)</", page.text)


def test_a_kernel_that_cannot_be_read_is_a_column_that_says_so(configs, tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("this is no config\n", encoding="utf-8")
    result = audit_run("--html", configs[0], broken)
    page = Page(result.stdout)
    problems = ["".join(e.itertext()) for e in page.all("p", "problem")]
    assert result.status == 2
    assert page.columns[1] == "broken"
    assert any("Not audited" in problem for problem in problems)
    assert {cells[1][0] for cells in page.rows.values()} == {"unknown"}
    assert len(page.all("td", "unread")) == len(page.rows)


def test_only_unreadable_kernels(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("", encoding="utf-8")
    page = page_of(broken)
    assert not page.rows and page.all("p", "problem")


@pytest.mark.parametrize("dark", (False, True))
def test_text_has_contrast(page, dark):
    colours = page.colours(dark)
    pairs = [(name, f"{name}-text") for name in (*VERDICT_CLASSES, "unchecked")]
    for text in ("text", "muted", "link"):
        pairs += [("page", text), ("band", text)]
    pairs.append(("line", "text"))
    low = {pair for pair in pairs if contrast(*(colours[c] for c in pair)) < 4.5}
    assert not low


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("dark", (False, True))
def test_everybody_can_tell_the_verdicts_apart(page, dark, vision):
    colours = page.colours(dark)
    names = (*VERDICT_CLASSES, "unchecked")
    close = {
        (a, b)
        for a, b in combinations(names, 2)
        if distance(colours[a], colours[b], vision) < 9
    }
    assert not close


def test_red_and_green_would_not_do():
    assert distance("#d73027", "#8c7f1f", "normal") > 40
    assert distance("#d73027", "#8c7f1f", "deuteranopia") < 20
    assert contrast("#777777", "#ffffff") < 4.5 < contrast("#767676", "#ffffff")


def test_every_verdict_has_a_sign_of_its_own(page):
    legend = page.all("ul", "legend")[0]
    signs = [item[0].text for item in legend][: len(VERDICT_CLASSES)]
    assert len(set(signs)) == len(VERDICT_CLASSES)


def test_chromium_draws_it(page, tmp_path):
    """Headings stay above the picture and nothing is wider than the window."""
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("there is no chromium")
    probe = (
        "<script>document.title = [document.documentElement.scrollWidth, innerWidth,"
        " document.querySelectorAll('td.cell').length].join(' ')</script>"
    )
    file = tmp_path / "page.html"
    file.write_text(page.text.replace("</body>", probe + "</body>"), encoding="utf-8")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"]
    words += [f"--user-data-dir={tmp_path}/profile", "--dump-dom", file.as_uri()]
    result = subprocess.run(
        [chromium, *words], capture_output=True, check=True, text=True, timeout=300
    )
    title = re.search(r"<title>(\d+) (\d+) (\d+)</title>", result.stdout)
    width, window, cells = (int(part) for part in title.groups())
    assert width <= window
    assert cells == len(page.rows) * len(page.columns)
