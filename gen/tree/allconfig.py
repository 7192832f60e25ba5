# SPDX-License-Identifier: GPL-2.0-only
"""What conf --allnoconfig, --allyesconfig, --allmodconfig and --alldefconfig set.

They give every new bool and tristate the same value, as if the user had; without
KCONFIG_ALLCONFIG, all are new. From conf_set_all_new_symbols() in
scripts/kconfig/conf.c.
"""

from __future__ import annotations

from gen.tree.expr import BOOL_TRISTATE
from gen.tree.parser import Kconfig

#: The value that each kind gives; alldefconfig leaves all to their defaults.
KINDS = {"alldef": None, "allno": 0, "allyes": 2, "allmod": 1}


def set_all(kconfig: Kconfig, kind: str) -> None:
    """Give the symbols of a Kconfig object, none of which has a user value, the
    value of a kind of KINDS."""
    value = KINDS[kind]
    if value is None:
        return
    by_menu = kconfig.profile.all_skips_choices
    for symbol in kconfig.unique_defined_syms:
        if symbol.orig_type not in BOOL_TRISTATE:
            continue
        if by_menu and (symbol.choice or not symbol.prompts):
            continue
        symbol.user_value = value
    if not by_menu:
        for choice in kconfig.unique_choices:
            choice.mode = value
    kconfig.touch()
