# SPDX-License-Identifier: GPL-2.0-only
"""Explanations as JSON (shape: docs/guide/explain.rst)."""

from __future__ import annotations

import json
from typing import Any

from gen.explain.explain import Answer, Change, Explanation
from gen.tree.reasons.reasons import All, Clause, Fixed, Need, OneOf, Why


def as_json(answer: Answer) -> str:
    """The same facts as in the text, and all changes where that leaves some out."""
    facts = {
        "kernel": answer.tree.version,
        "arch": answer.target.architecture,
        "compiler": str(answer.target.compiler),
        "source": answer.source,
        "explanations": [_explanation(item) for item in answer.explanations],
    }
    return json.dumps(facts, indent=1) + "\n"


def _explanation(item: Explanation) -> dict[str, Any]:
    notes = [
        {"text": note.text, "where": str(note.place or ""), "instead": note.instead}
        for note in item.notes
    ]
    return {
        "setting": item.asked.target,
        "wanted": item.asked.wanted,
        "symbol": item.setting.name,
        "got": item.got,
        "answer": item.outcome.value,
        "notes": notes,
        "why": _why(item.why, set()) if item.why else None,
        "change": _change(item.change) if item.change else None,
        "proof": [step.facts for step in item.proof],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "assignments": [
            {"setting": f"CONFIG_{name}", "value": value}
            for name, value in change.assignments
        ],
        "smallest": change.proved,
        "verified": change.verified,
        "effects": [effect.facts for effect in change.effects],
        "gives_up": [
            {"setting": str(wish.setting), "level": str(wish.entry.level)}
            for wish in change.gives_up
        ],
    }


def _why(why: Why, told: set[tuple[str, str]]) -> dict[str, Any]:
    """What a symbol needs stands where it comes first; ways is null after that."""
    facts: dict[str, Any] = {
        "symbol": why.name,
        "value": why.value,
        "wanted": why.wanted,
        "state": why.state.value,
        "where": str(why.place or ""),
        "ways": None,
    }
    if why.tool:
        facts["tool"] = why.tool
    if why.key not in told:
        told.add(why.key)
        facts["ways"] = [
            {"by": way.by, "clauses": [_clause(clause, told) for clause in way.clauses]}
            for way in why.ways
        ]
        facts["more"] = why.more
    return facts


def _clause(clause: Clause, told: set[tuple[str, str]]) -> dict[str, Any]:
    return {
        "kind": clause.kind,
        "text": clause.text,
        "where": str(clause.place),
        "failing": clause.failing,
        "toolchain": clause.toolchain,
        "comes_next": clause.comes_next,
        "need": _need(clause.need, told) if clause.need else None,
    }


def _need(need: Need, told: set[tuple[str, str]]) -> dict[str, Any]:
    if isinstance(need, Fixed):
        return {"fixed": need.text}
    if isinstance(need, All):
        return {"all": [_need(part, told) for part in need.parts]}
    if isinstance(need, OneOf):
        return {"one_of": [_need(part, told) for part in need.parts]}
    return _why(need, told)
