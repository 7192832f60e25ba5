# SPDX-License-Identifier: GPL-2.0-only
"""Why a config does not have settings, and the smallest change that gets each."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gen import dotconfig
from gen.advice import Toolchain, toolchain_of
from gen.base import base_of, foreign, opened
from gen.entries import Entry, Level
from gen.knockon import Change as Effect
from gen.knockon import changes
from gen.levels import wanted
from gen.prerequisites import Prerequisites
from gen.savefile import scratch_folder
from gen.settings import KCONFIG, Match, Setting, number
from gen.target import Target, target_of
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.tree.reach.proof import Step
from gen.tree.quickconf import QuickConf
from gen.tree.reasons.reasons import State, Why
from gen.tree.search.goals import apply
from gen.tree.search.search import Answer as SearchAnswer
from gen.tree.search.search import Found, Goal, Impossible, Search
from gen.explain.whereabouts import Whereabouts, renamed, whereabouts
from gen.wishes import (
    SameMachine,
    Wanted,
    Wish,
    aim,
    assignments,
    hardening,
    held,
    make_wish,
    value_holds,
)

_GOAL = re.compile(r"(?:CONFIG_)?(\w+)=(.*)", re.ASCII | re.DOTALL)
_VALUES = {
    "bool": re.compile("[yn]"),
    "tristate": re.compile("[ymn]"),
    "int": re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII),
    "hex": re.compile("(?:0[xX])?[0-9a-fA-F]+"),
}
_FORM = {
    "bool": "y or n",
    "tristate": "y, m or n",
    "int": "a decimal number",
    "hex": "a hexadecimal number",
}


@dataclass(frozen=True)
class Question:
    """What the user asks about: settings, or all that is missing of a level, or both.

    The other fields are those of gen.configure.Request; `config` is its base.
    """

    settings: Sequence[Setting]
    level: Level | None
    kdir: Path
    catalogue: Path
    variables: Mapping[str, str]
    config: Path | None = None
    cache: Path | None = None


@dataclass(frozen=True)
class Change:
    """Assignments that get the setting, in order, and what else they change.

    `proved` says that no smaller set of assignments does; `verified`, that the tree's
    own conf made it so.  `effects` are symbols with a prompt that have another value
    then, what is taken away first; `gives_up` are settings of the catalogue, of any
    level, that the config had before.
    """

    assignments: list[tuple[str, str]]
    proved: bool
    verified: bool
    effects: list[Effect]
    gives_up: list[Wish]


class Outcome(enum.StrEnum):
    """How a question ends."""

    HELD = "held"  # the config has the value
    UNDEFINED = "undefined"  # the notes tell where the symbol went
    UNFIT = "unfit"  # the symbol's type has no such value
    CHANGE = "change"  # there is a change that gets it
    IMPOSSIBLE = "impossible"  # no configuration of this tree has it
    UNKNOWN = "unknown"  # the search gave up


@dataclass(frozen=True)
class Explanation:
    """One answer.  `got` is the plain value, None if the tree has no such symbol.

    `notes` are facts that settle the question, or that come first: the symbol has
    another name here, say, and `setting` has that one.  `why` and `change` are there as
    far as there is something to explain and to change, `proof` if it is impossible.
    """

    asked: Setting
    setting: Setting
    got: str | None
    outcome: Outcome
    notes: list[Whereabouts] = field(default_factory=list)
    why: Why | None = None
    change: Change | None = None
    proof: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """`source` is the file that the config came from.  `model` holds the config as conf
    completed it."""

    explanations: list[Explanation]
    source: str
    tree: Tree
    target: Target
    toolchain: Toolchain
    model: Model
    warnings: list[str]


def parse_goal(text: str) -> Setting:
    """NAME=value or CONFIG_NAME=value; quotes around a value are optional.

    ValueError if it is none.
    """
    match = _GOAL.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not NAME=value, such as CONFIG_X=y")
    name, value = match.groups()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    quoted = value not in ("y", "m", "n") and number(value) is None
    return Setting(KCONFIG, name, value, quoted=quoted)


def explain(question: Question) -> Answer:
    """Explain every goal in one parse of the tree; writes no .config.

    UserError has every fault that a user can mend.
    """
    tree, catalogue = opened(question.kdir, question.variables, question.catalogue)
    base, source = base_of(tree, question.config)
    model = Model(tree, question.cache)
    warnings = foreign(base, source, tree)
    warnings += [f"{source}:{warning}" for warning in model.load(base)]
    with (
        scratch_folder(tree.output) as scratch,
        QuickConf(tree, scratch, model.answers()) as conf,
    ):
        complete = conf.settle(base)
        model.load(complete)
        target = target_of(tree, model)
        explainer = _Explainer(catalogue, tree, target, model, conf, complete)
        settings = list(question.settings)
        if question.level is not None:
            settings += _missing(catalogue, question.level, target, model)
        explanations = [explainer.explain(s) for s in dict.fromkeys(settings)]
    model.load(complete)
    model.keep_cache()
    toolchain = toolchain_of(tree, target.compiler)
    return Answer(explanations, source, tree, target, toolchain, model, warnings)


def _missing(
    catalogue: Iterable[Entry], level: Level, target: Target, model: Model
) -> Iterator[Setting]:
    """The Kconfig settings of a level that the config does not have.

    A setting in whose place there is something stronger is not missing, nor is what
    the kernel does anyway.
    """
    for entry in wanted(catalogue, level, target):
        if entry.setting.kind != KCONFIG or not entry.concerns(target.architecture):
            continue
        wish = make_wish(model, entry)
        always = wish.name is None and target.version in entry.always_on
        if not always and not wish.held(model):
            yield wish.setting


class _Explainer:
    """`complete` is the config as conf completed it, which the model holds as well."""

    def __init__(
        self,
        catalogue: Sequence[Entry],
        tree: Tree,
        target: Target,
        model: Model,
        conf: QuickConf,
        complete: str,
    ) -> None:
        self._catalogue = catalogue
        self._tree = tree
        self._target = target
        self._model = model
        self._conf = conf
        self._complete = complete
        self._search = Search(model)
        self._before = dotconfig.parse(complete, "the completed config")
        self._suiting = [e for e in catalogue if target.suits(e)]
        self._prerequisites = Prerequisites(self._suiting, model.defined)
        wishes = hardening(model, self._suiting)
        self._hardening = [wish for wish in wishes if wish.held(model)]

    def explain(self, asked: Setting) -> Explanation:
        setting = asked
        notes: list[Whereabouts] = []
        met = set()
        while setting.name not in met and (found := self._elsewhere(setting.name)):
            met.add(setting.name)
            notes.append(found)
            if found.instead is None:
                always = found.always and setting.value == "y"
                outcome = Outcome.HELD if always else Outcome.UNDEFINED
                return Explanation(asked, setting, None, outcome, notes)
            setting = setting.renamed(found.instead)
        got = self._model.value(setting.name)
        unfit = self._unfit(setting)
        if unfit:
            notes.append(unfit)
            return Explanation(asked, setting, got, Outcome.UNFIT, notes)
        setting = self._typed(setting)
        if held(self._model, setting):
            return Explanation(asked, setting, got, Outcome.HELD, notes)
        value = aim(self._model, setting)
        why = self._model.why(setting.name, value) if value is not None else None
        outcome, change, proof = self._what_it_takes(setting, value)
        return Explanation(asked, setting, got, outcome, notes, why, change, proof)

    def _what_it_takes(
        self, setting: Setting, value: str | None
    ) -> tuple[Outcome, Change | None, list[Step]]:
        model, name = self._model, setting.name
        proof = model.proof(name, value) if value is not None else []
        if proof:
            return Outcome.IMPOSSIBLE, None, proof
        # What was asked for is asked for; the search is for what else it takes
        own = [(name, value)] if value is not None and model.has_prompt(name) else []
        with model.trial():
            apply(model, own)
            answer = self._smallest(Wanted(setting))
        if isinstance(answer, Found):
            change = self._change(setting, own, answer)
            return Outcome.CHANGE, change, []
        impossible = isinstance(answer, Impossible)
        return Outcome.IMPOSSIBLE if impossible else Outcome.UNKNOWN, None, []

    def _smallest(self, goal: Wanted) -> SearchAnswer:
        """The smallest set, if possible without making the kernel another machine's."""
        keeps: list[list[Goal]] = [[SameMachine(self._target)], []]
        for keep in keeps:
            answer = self._search.smallest(
                [goal],
                keep,
                prefer=self._preferred(goal.setting.name),
                spare=self._hardening,
            )
            if isinstance(answer, Found):
                break
        return answer

    def _elsewhere(self, name: str) -> Whereabouts | None:
        """Where to look if there is nothing to set under this name."""
        model = self._model
        where = (self._catalogue, self._target, self._tree, model)
        if not model.defined(name):
            return whereabouts(name, *where)
        why = model.why(name, "y" if model.value(name) == "n" else "n")
        if why is None or why.state is not State.TRANSITIONAL:
            # A symbol without a prompt may be what is left of one that has moved
            return None if model.has_prompt(name) else renamed(name, *where)
        text = "is only read from older configs and never written (transitional)"
        names = why.replacements
        if names:
            verb = "has" if len(names) == 1 else "have"
            text += f"; {' and '.join(names)} {verb} taken its place"
        return Whereabouts(text, why.place, next(iter(names), None))

    def _typed(self, setting: Setting) -> Setting:
        """A setting whose value is compared as its symbol's type demands."""
        name, value = setting.name, setting.value
        kind = self._model.type(name)
        if setting.match is Match.EXACT and kind == "string":
            return Setting(KCONFIG, name, value, quoted=True)
        if kind == "hex" and value and not value.lower().startswith("0x"):
            # As in a .config, a hexadecimal number may lack its 0x
            return Setting(KCONFIG, name, f"0x{value}", setting.match)
        return setting

    def _unfit(self, setting: Setting) -> Whereabouts | None:
        """What values there are instead, if the type does not admit this one."""
        kind = self._model.type(setting.name) or "unknown"
        exact = setting.match is Match.EXACT
        if kind not in _VALUES or not exact or _VALUES[kind].fullmatch(setting.value):
            return None
        place = self._model.places(setting.name)[0]
        return Whereabouts(f"is of type {kind}: it can be {_FORM[kind]}", place)

    def _preferred(self, name: str) -> frozenset[tuple[str, str]]:
        """What the catalogue says that a symbol needs."""
        found: set[tuple[str, str]] = set()
        for entry in self._suiting:
            if name in {n.name for n in entry.names}:
                found |= assignments(self._model, self._prerequisites.of(entry))
        return frozenset(found)

    def _needed(
        self,
        setting: Setting,
        own: list[tuple[str, str]],
        others: list[tuple[str, str]],
    ) -> list[tuple[str, str]]:
        """All assignments, without the setting's own if the others bring it along."""
        with self._model.trial():
            apply(self._model, others)
            return others if held(self._model, setting) else own + others

    def _change(
        self, setting: Setting, own: list[tuple[str, str]], found: Found
    ) -> Change:
        """What conf makes of the assignments.  The model is as before afterwards."""
        model = self._model
        needed = self._needed(setting, own, found.assignments)
        lines = (
            dotconfig.line(name, value, model.type(name) == "string")
            for name, value in needed
        )
        text = self._conf.settle(self._complete + "".join(lines))
        after = dotconfig.parse(text, "conf's answer")
        model.load(text)
        none = "n" if model.type(setting.name) in ("bool", "tristate") else ""
        got = after.get(setting.name, none)
        asked = {setting.name, *(name for name, _ in needed)}
        effects = [
            effect
            for effect in changes(self._before, after, asked, model)
            if effect.own and effect.has_effect
        ]
        change = Change(
            assignments=needed,
            proved=found.proved,
            verified=value_holds(model, setting, got),
            effects=effects,
            gives_up=[wish for wish in self._hardening if not wish.held(model)],
        )
        model.load(self._complete)
        return change
