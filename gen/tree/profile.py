# SPDX-License-Identifier: GPL-2.0-only
"""How a tree's own conf behaves, read from its source.

conf changed its rules over the years, and stable and distribution trees carry
some of the changes and not others, so the version number does not tell. The
sources in scripts/kconfig do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Profile:
    """The rules in which the conf of one tree may differ from that of another."""

    choice_is_menu: bool  # a choice has no value; members are bool (6.11)
    flat_choice: bool  # no automatic submenus inside a choice (6.11)
    number_is_zero: bool  # int and hex without a value are 0 and 0x0 (6.9)
    drops_out_of_range: bool  # on reading; otherwise numbers are clamped (to 6.8)
    bound_as_written: bool  # clamping copies the text of the bound
    exact_unset: bool  # "is not set" must end the line
    imply_needs_depends: bool  # an implied value is limited by "depends on" (5.8)
    ends_empty_menu: bool  # "# end of" is written for menus without entries
    sources_once: bool  # a file may not be sourced twice (7.0)
    all_skips_choices: bool  # allyesconfig and the like leave members alone (6.11)


def probe(source: Path) -> Profile:
    """Read the rules from the scripts/kconfig of the kernel source."""
    symbol = _read(source, "symbol.c")
    confdata = _read(source, "confdata.c")
    return Profile(
        choice_is_menu="sym_calc_choice(struct menu" in symbol,
        flat_choice="inside_choice" in _read(source, "menu.c"),
        number_is_zero='newval.val = "0x0"' in symbol,
        drops_out_of_range="sym_string_within_range(sym, sym->def" in confdata,
        bound_as_written="sym->curr.val = range_sym->curr.val" in symbol,
        exact_unset='strcmp(p, "is not set")' in confdata
        and 'strncmp(p, "is not set"' not in confdata,
        imply_needs_depends=bool(
            re.search(
                r"EXPR_OR\(newval\.tri, sym->implied\.tri\);\s*"
                r"newval\.tri = EXPR_AND\(newval\.tri,\s*sym->dir_dep\.tri",
                symbol,
            )
        ),
        ends_empty_menu="end_check:" in confdata,
        sources_once="repeated inclusion" in _read(source, "util.c"),
        all_skips_choices="menu_for_each_entry(menu)" in _read(source, "conf.c"),
    )


def _read(source: Path, name: str) -> str:
    return (source / "scripts/kconfig" / name).read_text("utf-8", "replace")
