# SPDX-License-Identifier: GPL-2.0-only
"""What hardened-audit --html says, read back from the page."""

import re
from dataclasses import dataclass, field
from xml.etree import ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
VERDICT_CLASSES = ("ok", "stronger", "weaker", "fail", "na", "unknown", "waived")


@dataclass
class Page:
    """The page as a tree, and its picture as columns and rows."""

    text: str
    root: ElementTree.Element = field(init=False)

    def __post_init__(self) -> None:
        self.root = ElementTree.fromstring(self.text)

    def all(self, name: str, css: str | None = None) -> list[ElementTree.Element]:
        """Elements of this name, with this class if one is given."""
        found = self.root.iter(HTML + name)
        return [e for e in found if css is None or css in e.get("class", "").split()]

    @property
    def columns(self) -> list[str]:
        """The names of the kernels."""
        return [cell[0].text or "" for cell in self.all("th", "column")]

    @property
    def rows(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """By setting and level, for each kernel: verdict or "not asked", and title."""
        rows = {}
        for row in self.all("tr"):
            heading = row.find(f"{HTML}th[@class='setting']")
            if heading is not None:
                level = row.find(f"{HTML}td[@class='level']")
                cells = row.findall(f"{HTML}td")
                key = ("".join(heading.itertext()), level.text or "")
                assert key not in rows, f"{key} is there twice"
                rows[key] = [
                    cell_of(c) for c in cells if "cell" in c.get("class", "").split()
                ]
        return rows

    @property
    def style(self) -> str:
        return self.all("style")[0].text or ""

    def colours(self, dark: bool) -> dict[str, str]:
        """The named colours of the style, as the browser picks them."""
        light, night = re.findall(r":root \{(.*?)\}", self.style)
        return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", night if dark else light))


def cell_of(cell: ElementTree.Element) -> tuple[str, str]:
    classes = cell.get("class", "").split()
    if "unasked" in classes:
        return "not asked", cell.get("title", "")
    (verdict,) = set(classes) & set(VERDICT_CLASSES)
    return verdict.replace("na", "n/a"), cell.get("title", "")
