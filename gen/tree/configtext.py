# SPDX-License-Identifier: GPL-2.0-only
"""Writing the .config that conf would write."""

from __future__ import annotations

from typing import Any

from gen.tree.choices import Choice
from gen.tree.parser import MENU, Kconfig
from gen.tree.symbols import Symbol


def config_text(kconfig: Kconfig) -> str:
    """The .config that conf would write for the current values."""
    lines = [
        "#\n# Automatically generated file; DO NOT EDIT.\n"
        f"# {kconfig.mainmenu_text}\n#\n"
    ]
    written: set[Symbol] = set()
    after_menu = False

    def visit(node: Any) -> None:
        nonlocal after_menu
        while node:
            item = node.item
            shown = False
            if item.__class__ is Symbol:
                line = item.config_string if item not in written else ""
                if line:
                    lines.append(f"\n{line}" if after_menu else line)
                    after_menu = False
                    written.add(item)
            elif item.__class__ is not Choice:
                shown = kconfig.menu_is_shown(node)
                if shown:
                    lines.append(f"\n#\n# {node.prompt[0]}\n#\n")
                    after_menu = False
            if node.list:
                visit(node.list)
            if shown and item is MENU:
                if node.list or kconfig.profile.ends_empty_menu:
                    lines.append(f"# end of {node.prompt[0]}\n")
                    after_menu = True
            node = node.next

    visit(kconfig.top_node.list)
    return "".join(lines)
