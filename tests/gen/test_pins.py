# SPDX-License-Identifier: GPL-2.0-only
"""How values are pinned."""

from pathlib import Path

import pytest

from gen.errors import UserError
from gen.pins import mark, marked, read_pins


def test_keep_lines_pin_what_stands_below() -> None:
    text = (
        "CONFIG_A=y\n# keep\nCONFIG_B=m\n#keep  \n# CONFIG_C is not set\n"
        '# keep\nCONFIG_D="a # keep"\n# keep your hair on\nCONFIG_E=1\n'
    )
    pins = {pin.name: (pin.value, pin.origin) for pin in marked(text, "f")}
    assert pins == {"B": ("m", "f:3"), "C": ("n", "f:5"), "D": ("a # keep", "f:7")}


@pytest.mark.parametrize("rest", ["", "\n", "\n\nCONFIG_A=y\n", "\n# CONFIG_A\n"])
def test_a_keep_line_that_keeps_nothing_is_a_mistake(rest: str) -> None:
    with pytest.raises(UserError, match="^f:2: '# keep' belongs"):
        marked(f"CONFIG_A=y\n# keep{rest}", "f")


def test_every_setting_of_a_keep_file_is_pinned(tmp_path: Path) -> None:
    file = tmp_path / "keep"
    file.write_text("# why\nCONFIG_A=y\n# CONFIG_B is not set\nCONFIG_A=y\n")
    assert [(p.name, p.value) for p in read_pins(file)] == [("A", "y"), ("B", "n")]


def test_pins_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "keep"
    file.write_text("CONFIG_A=y\nCONFIG_B=y\nCONFIG_A=m\n")
    message = "keep:3: CONFIG_A=m contradicts CONFIG_A=y in .*keep:1"
    with pytest.raises(UserError, match=message):
        read_pins(file)


def test_a_keep_file_with_other_lines_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "keep"
    file.write_text("CONFIG_A=y\nCONFIG_B=y # keep\n")
    with pytest.raises(UserError, match="keep:2: not a line of a .config"):
        read_pins(file)
    with pytest.raises(UserError, match="cannot be read"):
        read_pins(tmp_path / "none")


def test_marks_come_back_and_are_found_again() -> None:
    written = "# CONFIG_A is not set\nCONFIG_B=y\n#\n# Menu\n#\nCONFIG_C=y\n"
    pins = marked(f"# keep\nCONFIG_C=y\n# keep\n{written}", "f")
    again = mark(written, pins)
    assert again.replace("# keep\n", "") == written
    assert [p.name for p in marked(again, "g")] == ["A", "C"]
    assert mark(written, []) == written
