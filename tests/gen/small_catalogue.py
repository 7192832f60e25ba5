# SPDX-License-Identifier: GPL-2.0-only
"""Catalogue entries for tests."""


def entry(title: str, *fields: str, level: str = "Low") -> str:
    """The text of an entry without prose."""
    lines = [title, "~" * len(title), "", f":Negative side effects level: {level}"]
    return "\n".join([*lines, ":Protection type: Self-protection", *fields, "", ""])
