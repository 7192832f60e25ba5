# SPDX-License-Identifier: GPL-2.0-only
"""Compares a final .config with the wishes: one verdict and one reason each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gen.advice import advice, toolchain_of
from gen.clauses import clause_text
from gen.entries import Entry
from gen.target import Target
from gen.settings import Setting
from gen.tree.elsewhere import other_architecture
from gen.tree.kbuild import Tree
from gen.tree.model import Clause, Model
from gen.tree.reach.proof import Step
from gen.tree.search.search import GaveUp, Impossible
from gen.versions import ALWAYS
from gen.wishes import Wish, aim, hopeless, value_holds

OK, STRONGER, WEAKER, FAIL = "ok", "stronger", "weaker", "fail"
NOT_APPLICABLE = "n/a"
#: Every verdict that a config can get, the best first.
VERDICTS = (OK, STRONGER, NOT_APPLICABLE, WEAKER, FAIL)


@dataclass(frozen=True)
class Verdict:
    """`got` is the plain value, None where the tree does not define the symbol;
    `where` is file:line in the tree, empty if no line there is to blame; `proof` shows
    that no configuration has the setting, where that is proved."""

    entry: Entry
    setting: Setting
    got: str | None
    verdict: str
    reason: str
    where: str = ""
    proof: Sequence[Step] = ()


class Judge:
    """`config` is the final .config as conf wrote it: symbol -> plain value.

    `model` holds the same state.  It explains; the verdict itself comes from
    `config` alone.
    """

    def __init__(
        self, config: Mapping[str, str], model: Model, tree: Tree, target: Target
    ) -> None:
        self._config = config
        self._model = model
        self._tree = tree
        self._target = target
        self._arch = target.architecture
        self._toolchain = toolchain_of(tree, target.compiler)

    def judge(self, wish: Wish) -> Verdict:
        entry = wish.entry
        got = self._value(wish.name) if wish.name else None
        verdict, reason, where = self._decide(wish, got)
        proof: Sequence[Step] = ()
        if wish.name and verdict == NOT_APPLICABLE and entry.concerns(self._arch):
            proof = self._model.proof(wish.name, self._wanted(wish))
        return Verdict(entry, wish.setting, got, verdict, reason, where, proof)

    def _wanted(self, wish: Wish) -> str:
        """The value that would have been right."""
        return aim(self._model, wish.setting) or ""

    def _value(self, name: str) -> str | None:
        """A symbol's final value; conf writes no line for what is out of reach."""
        if not self._model.defined(name):
            return None
        if name in self._config:
            return self._config[name]
        return "n" if self._model.type(name) in ("bool", "tristate") else ""

    def holds(self, setting: Setting) -> bool:
        """Whether the final config has a setting."""
        value = self._value(setting.name)
        return value is not None and value_holds(self._model, setting, value)

    def _decide(self, wish: Wish, got: str | None) -> tuple[str, str, str]:
        entry = wish.entry
        if not entry.concerns(self._arch):
            only = ", ".join(sorted(entry.architectures))
            return NOT_APPLICABLE, f"for {only} only", ""
        if wish.name is None or got is None:
            return self._undefined(entry)
        if self.holds(wish.setting):
            return OK, self._how_held(wish), ""
        stronger = next(filter(self.holds, entry.stronger), None)
        if stronger:
            return STRONGER, str(stronger), self._place(stronger.name)
        if wish.setting.nearly_held_by(got):
            return self._explained(wish, WEAKER, "m, not built in")
        if not self._target.has_compiler(entry):
            needs = " or ".join(c.condition for c in entry.compilers)
            reason = f"needs {needs}; this is {self._target.compiler}"
            clauses = self._model.unmet(wish.name, self._wanted(wish))
            return NOT_APPLICABLE, reason, str(clauses[0].place) if clauses else ""
        for setting in entry.weaker:
            if self.holds(setting):
                return self._explained(wish, WEAKER, f"only {setting}")
        return self._explained(wish, FAIL, "")

    def _how_held(self, wish: Wish) -> str:
        assert wish.name is not None
        notes = ["already so" if wish.held_before else "set"]
        if wish.name != wish.entry.setting.name:
            notes.append(f"called {wish.entry.setting.name} in other versions")
        if wish.setting.value == "n" and wish.name not in self._config:
            when = "already" if wish.held_before else "now"
            notes[0] = f"{when} off, like what it depends on"
        return ", ".join(notes)

    def _undefined(self, entry: Entry) -> tuple[str, str, str]:
        version = self._target.version
        if version in entry.always_on:
            return OK, f"always so ({entry.always_on}), no symbol needed", ""
        stronger = next(filter(self.holds, entry.stronger), None)
        if stronger:
            return STRONGER, str(stronger), self._place(stronger.name)
        for name in entry.names:
            place = other_architecture(self._tree, name.name)
            if place:
                return NOT_APPLICABLE, "belongs to another architecture", str(place)
        ranges = "; ".join(
            f"{n.name} {n.kernels}".strip() for n in entry.names if n.kernels != ALWAYS
        )
        if not entry.exists_in(version):
            return NOT_APPLICABLE, f"not in {self._tree.version} ({ranges})", ""
        return NOT_APPLICABLE, "this tree does not define it", ""

    def _place(self, name: str) -> str:
        places = self._model.places(name)
        return str(places[0]) if places else ""

    def _explained(self, wish: Wish, verdict: str, prefix: str) -> tuple[str, str, str]:
        """Why the wish did not take; n/a if nobody could have made it take."""
        assert wish.name is not None
        reasons = [prefix] if prefix else []
        clauses = self._model.unmet(wish.name, self._wanted(wish))
        where = str(clauses[0].place) if clauses else self._place(wish.name)
        if self._impossible(wish):
            clause = next(filter(self._hopeless, clauses), None)
            if clause:
                reasons.append(self._hopeless(clause))
                where = str(clause.place)
            else:
                reasons.append(f"cannot be had on {self._arch}")
                reasons += map(clause_text, clauses)
            return NOT_APPLICABLE, "; ".join(reasons), where
        if isinstance(wish.answer, Impossible):
            reasons += [f"excluded by {goal}" for goal in wish.answer.against]
        elif isinstance(wish.answer, GaveUp):
            price = " or ".join(map(str, wish.answer.against))
            without = f" without giving up {price}" if price else ""
            reasons.append(f"the search found no way to get it{without}")
        reasons += map(clause_text, clauses)
        return verdict, "; ".join(reasons) or "the tree gives no reason", where

    def _impossible(self, wish: Wish) -> bool:
        """Whether no configuration of this tree can have it."""
        answer = wish.answer
        exhausted = isinstance(answer, Impossible) and not answer.against
        return exhausted or hopeless(self._model, wish.setting)

    def _hopeless(self, clause: Clause) -> str:
        """What no configuration can change about a clause, or ''."""
        if clause.toolchain:
            test = clause.toolchain
            return f"{test} {advice(test, self._toolchain)}"
        missing = [n for n in clause.failing if self._model.out_of_reach(n)]
        if not missing:
            return ""
        names = ", ".join(missing)
        return f"{clause.kind} {names}, not to be had on {self._arch}"
