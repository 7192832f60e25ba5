# SPDX-License-Identifier: GPL-2.0-only
"""Could a setting that a config lacks be had after all?  The second judge's answer.

It shares no code with gen/.  "No" is a proof: the Kconfig files, or they and the
settings of the level that the config has, leave no room for this one (Reach).  "Yes"
is shown by conf, which tries what a backward search proposes (Ways).  What is neither
proved nor found is told as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from independent import Judge, Row, Wish, added_lines, read_config
from independent_kconfig import Expr, Reach, compare
from independent_ways import Ways

_RUNS = 40  # of conf, for one setting
_HAD = ("ok", "stronger")

IMPOSSIBLE = "impossible"
EXCLUDED = "excluded"
GETTABLE = "gettable"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """`kind` is one of the four; `lines` get the setting, if it was got at all, and
    cost the settings in `lost`."""

    kind: str
    lines: str = ""
    lost: tuple[str, ...] = ()


class Oracle:
    """One final config.  `rows` are the settings of its level.

    `judge_of` makes a Judge of a .config text, and `settled` is conf.
    """

    def __init__(
        self,
        text: str,
        rows: Iterable[Row],
        judge_of: Callable[[str], Judge],
        settled: Callable[[str], str],
    ) -> None:
        self._text = text
        self._judge = judge_of(text)
        target = self._judge.target
        here = [r for r in rows if target.architecture in r.entry.architectures]
        self._lacking = [r for r in here if r.name and r.verdict not in _HAD]
        self._rows = [r for r in here if r.entry.compiler_will_do(target)]
        self._judge_of = judge_of
        self._settled = settled

    def lacking(self) -> list[Row]:
        """Settings that the level wants here and the config does not have.

        Also those that, as the catalogue has it, need another compiler.
        """
        return self._lacking

    def answer(self, row: Row) -> Answer:
        if not self._possible(self._judge.reach, row.wish):
            return Answer(IMPOSSIBLE)
        if not self._together(self._held, row.wish):
            alone = self._together({}, row.wish)
            return Answer(EXCLUDED if alone else IMPOSSIBLE)
        return self._search(row.wish)

    def enemies(self, row: Row) -> list[str]:
        """Held settings that exclude one; without any of them the others do not."""
        pins = dict(self._held)
        size = len(pins)
        while size:
            size //= 2
            step = max(size, 1)
            names = list(pins)
            for block in (names[i : i + step] for i in range(0, len(names), step)):
                fewer = {n: v for n, v in pins.items() if n not in block}
                if not self._together(fewer, row.wish):
                    pins = fewer
        return sorted(pins)

    def excluded_by(self, row: Row, reason: str) -> bool:
        """Whether a reason names settings of the level that exclude this one."""
        named = {n: v for n, v in self._held.items() if _names(reason, n)}
        return not self._together(named, row.wish)

    def needless(self, base: str, name: str) -> bool:
        """Whether no setting of the level is lost where `name` is as in `base`."""
        value = read_config(base).get(name)
        line = re.compile(rf"^(?:CONFIG_{name}=.*|# CONFIG_{name} is not set)\n", re.M)
        text = line.sub("", self._text)
        if value is not None:
            text += self._lines([(name, value)])
        return not self._lost(self._judge_of(self._settled(text)))

    # -- Proofs -------------------------------------------------------------------

    @cached_property
    def _held(self) -> dict[str, str]:
        """Symbol -> value that the level wants and the config has."""
        return {
            row.wish.name: row.wish.value
            for row in self._rows
            if row.verdict == "ok" and row.name and self._is_switch(row.wish)
        }

    @cached_property
    def _reach(self) -> Reach:
        return self._judge.reach.pinned(self._held)

    def _is_switch(self, wish: Wish) -> bool:
        return self._judge.kconfig.type(wish.name) in ("bool", "tristate")

    def _together(self, pins: Mapping[str, str], wish: Wish) -> bool:
        """False if it is proved that no config has the pins and the wish.

        What m means hangs on MODULES, so both cases are looked at.
        """
        if self._is_switch(wish):
            pins = {**pins, wish.name: wish.value}
        for modules in pins.get("MODULES", "yn"):
            reach = self._judge.reach.pinned({"MODULES": modules, **pins})
            if reach.contradiction() is None and self._possible(reach, wish):
                return True
        return False

    def _possible(self, reach: Reach, wish: Wish) -> bool:
        """Whether a Reach leaves room for a wish."""
        if self._is_switch(wish):
            return wish.value in reach.values(wish.name)
        group = self._judge.kconfig.definitions[wish.name]
        if not reach.visible(wish.name):
            return any(reach.evaluate(c) > 1 for d in group for _, c in d.defaults)
        highs = [h for d in group for _, h, c in d.ranges if reach.evaluate(c) > 1]
        return (
            not highs
            or not wish.value.isdigit()
            or any(
                compare(">=", text, wish.value)
                for high in highs
                for text in self._bounds(reach, high)
            )
        )

    def _bounds(self, reach: Reach, bound: Expr) -> Iterator[str]:
        """The numbers that the end of a range can be."""
        if bound[0] == "const":
            yield bound[1]
        for d in self._judge.kconfig.definitions.get(bound[1], ()):
            for default, condition in d.defaults:
                if reach.evaluate(condition) > 1:
                    yield from self._bounds(reach, default)

    # -- Search -------------------------------------------------------------------

    def _search(self, wish: Wish) -> Answer:
        """Let conf try what is proposed, and go on from what has come out."""
        todo = [(self._text, "")]
        tried: set[str] = set()
        costly = Answer(UNKNOWN)
        while todo:
            text, so_far = todo.pop(0)
            for plan in Ways(self._judge_of(text), self._reach).to(wish):
                lines = so_far + self._lines(plan)
                if lines in tried or len(tried) == _RUNS:
                    continue
                tried.add(lines)
                outcome = self._settled(self._text + lines)
                after = self._judge_of(outcome)
                lost = self._lost(after)
                if after.held(wish) and not lost:
                    return Answer(GETTABLE, lines)
                if after.held(wish):
                    costly = Answer(UNKNOWN, lines, tuple(r.wish.name for r in lost))
                    lines += "".join(added_lines(after, row, ()) for row in lost)
                todo.append((outcome, lines))
        return costly

    def _lost(self, after: Judge) -> list[Row]:
        return [
            row
            for row in self._rows
            if row.verdict in _HAD and after.row(row.entry).verdict not in _HAD
        ]

    def _lines(self, plan: Iterable[tuple[str, str]]) -> str:
        kconfig = self._judge.kconfig
        return "".join(
            Wish(name, "=", value, kconfig.type(name) == "string").line
            for name, value in sorted(plan)
        )


def _names(text: str, name: str) -> bool:
    return bool(re.search(rf"(?:\b|CONFIG_){name}\b", text))
