# SPDX-License-Identifier: GPL-2.0-only
"""A clause of the tree in a few words, for reports."""

from __future__ import annotations

from gen.tree.model import Clause


def clause_text(clause: Clause) -> str:
    """The condition as it stands in the tree, with the symbols that it fails on."""
    failing = ", ".join(clause.failing)
    if clause.kind == "prompt if":
        condition = "prompt if " + clause.text.rpartition(" if ")[2]
    elif clause.text.startswith(("depends on ", "if ", "visible if ")):
        condition = clause.text
    elif clause.kind == "choice" and len(clause.failing) > 1:
        return "the choice needs another member"
    elif clause.kind == "default":
        return clause.text
    else:
        return f"{clause.kind} {failing}".strip()
    many = "&&" in condition or "||" in condition
    return f"{condition} (because of {failing})" if many and failing else condition
