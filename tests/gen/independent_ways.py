# SPDX-License-Identifier: GPL-2.0-only
"""What to set so that a symbol gets a value: a backward search for the second judge.

It goes from a symbol through its prompts, selects, defaults and choices to others that
can be set, and proposes; whether a proposal works is for conf to say, since the search
does not follow what the proposed symbols do to each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from independent import Judge, Wish
from independent_kconfig import Definition, Expr, Reach, compare

#: Symbols to set, with their values; no two values for one symbol.
Plan = frozenset[tuple[str, str]]
_NOTHING: list[Plan] = [frozenset()]
_KEPT = 8  # plans in a list: the smallest
_TEXT = "nmy"
_OTHERWISE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Ways:
    """Plans that start from one config, the smallest first.

    Values of bool and tristate symbols are 0 (n), 1 (m) and 2 (y) here.  `reach` says
    which branches need not be followed.
    """

    def __init__(self, judge: Judge, reach: Reach) -> None:
        self._judge = judge
        self._kconfig = judge.kconfig
        self._reach = reach
        self._raised: dict[tuple[str, int], list[Plan]] = {}
        self._lowered: dict[str, list[Plan]] = {}
        self._members: dict[int, set[str]] = defaultdict(set)
        for name, group in list(self._kconfig.definitions.items()):
            for block in (d.blocks[-1] for d in group if d.blocks):
                if block.kind == "choice":
                    self._members[id(block)].add(name)

    def to(self, wish: Wish) -> list[Plan]:
        name = wish.name
        if not self._is_switch(name):
            return _product([self._range(wish), self._text(name, self._value(wish))])
        if wish.value == "n":
            return self._lower(name)
        return self._raise(name, _TEXT.index(wish.value))

    # -- Numbers and strings ------------------------------------------------------

    def _value(self, wish: Wish) -> str:
        if wish.operator == "contains":
            items = (self._judge.got(wish.name) or "").split(",")
            return ",".join([*filter(None, items), wish.value])
        if wish.operator == "max":
            return str(self._judge.top(wish.name))
        return wish.value.split("..")[0]

    def _text(self, name: str, value: str) -> list[Plan]:
        """Set it where its prompt is shown."""
        assigned = [frozenset({(name, value)})]
        return _best(
            plan
            for prompt in self._prompts(name)
            for plan in _product([*(self._up(c, 1) for c in prompt), assigned])
        )

    def _range(self, wish: Wish) -> list[Plan]:
        """Make a range count that admits the wished number."""
        top = self._judge.top(wish.name)
        if wish.operator not in ("=", ">=") or top is None:
            return _NOTHING
        if not wish.value.isdigit() or int(wish.value) <= top:
            return _NOTHING
        return self._first(
            (self._bound(high, wish.value), condition)
            for definition in self._kconfig.definitions[wish.name]
            for _, high, condition in definition.ranges
        )

    def _bound(self, bound: Expr, value: str) -> list[Plan]:
        """Make the upper end of a range `value` or more."""
        if bound[0] == "const":
            return _NOTHING if compare(">=", bound[1], value) else []
        return self._first(
            (self._bound(default, value), condition)
            for definition in self._kconfig.definitions[bound[1]]
            for default, condition in definition.defaults
        )

    def _first(self, cases: Iterable[tuple[list[Plan], Expr]]) -> list[Plan]:
        """Take one of several cases, of which the first with its condition counts."""
        found: list[Plan] = []
        earlier: list[list[Plan]] = []
        for plans, condition in cases:
            found += _product([plans, self._up(condition, 1), *earlier])
            earlier.append(self._down(condition, 0))
        return _best(found)

    # -- Symbols ------------------------------------------------------------------

    def _is_switch(self, name: str) -> bool:
        group = self._kconfig.definitions.get(name)
        return bool(group) and self._kconfig.type(name) in ("bool", "tristate")

    def _prompts(self, name: str) -> Iterator[list[Expr]]:
        """All that has to hold for a prompt to be shown, for each prompt."""
        for d in self._kconfig.definitions.get(name, ()):
            for condition in d.prompts:
                yield [*d.conditions(), *d.visibilities(), condition]

    def _raise(self, name: str, level: int) -> list[Plan]:
        """To `level` or above."""
        if self._now(("sym", name)) >= level:
            return _NOTHING
        key = name, level
        if key not in self._raised:
            self._raised[key] = []  # a way that leads through itself is none
            self._raised[key] = _best(self._raises(name, level))
        return self._raised[key]

    def _raises(self, name: str, level: int) -> Iterator[Plan]:
        if not self._is_switch(name) or not self._can(("sym", name), level, 2):
            return
        # for a bool m is as good as y
        need = 1 if self._kconfig.type(name) == "bool" else level
        value = "y" if self._kconfig.type(name) == "bool" else _TEXT[level]
        assigned = [frozenset({(name, value)})]
        for prompt in self._prompts(name):
            yield from _product([*(self._up(c, need) for c in prompt), assigned])
        pulls = [(d, c) for d, c, _ in self._kconfig.selectors.get(name, ())]
        if name not in self._judge.config:  # a line there would have more weight
            pulls += self._kconfig.impliers.get(name, ())
            for d in self._kconfig.definitions[name]:
                for pair in d.defaults:
                    conditions = [*pair, *d.conditions()]
                    yield from _product(self._up(c, need) for c in conditions)
        for d, condition in pulls:
            conditions = [("sym", d.name), condition, *d.conditions()]
            yield from _product(self._up(c, need) for c in conditions)

    def _lower(self, name: str) -> list[Plan]:
        """To n."""
        if self._now(("sym", name)) == 0:
            return _NOTHING
        if name not in self._lowered:
            self._lowered[name] = []
            parts = [
                self._off([("sym", d.name), condition, *d.conditions()])
                for d, condition, _ in self._kconfig.selectors.get(name, ())
            ]
            self._lowered[name] = _product([*parts, _best(self._lowers(name))])
        return self._lowered[name]

    def _lowers(self, name: str) -> Iterator[Plan]:
        """What remains to be done once nothing selects it."""
        definitions = self._kconfig.definitions[name]
        siblings = {m for d in definitions for m in self._siblings(d)} - {name}
        for sibling in sorted(siblings):
            yield from self._raise(sibling, 2)
        if not siblings:
            for prompt in self._prompts(name):
                shown = [self._up(c, 1) for c in prompt]
                yield from _product([*shown, [frozenset({(name, "n")})]])
        yield from _product(self._off(list(d.conditions())) for d in definitions)
        if not self._kconfig.has_prompt(name):
            causes = [
                [*pair, *d.conditions()] for d in definitions for pair in d.defaults
            ] + [
                [("sym", d.name), condition, *d.conditions()]
                for d, condition in self._kconfig.impliers.get(name, ())
            ]
            yield from _product(map(self._off, causes))

    def _siblings(self, d: Definition) -> set[str]:
        return self._members.get(id(d.blocks[-1]), set()) if d.blocks else set()

    def _off(self, conditions: list[Expr]) -> list[Plan]:
        """Make one of several conditions n, unless one is."""
        if any(self._now(c) == 0 for c in conditions):
            return _NOTHING
        return _best(plan for c in conditions for plan in self._down(c, 0))

    # -- Expressions --------------------------------------------------------------

    def _now(self, expr: Expr) -> int:
        """Its value in the config at hand."""
        kind = expr[0]
        if kind == "sym":
            return _number(self._judge.config.get(expr[1], "n"))
        if kind == "const":
            return _number(expr[1])
        if kind == "and":
            return min(self._now(expr[1]), self._now(expr[2]))
        if kind == "or":
            return max(self._now(expr[1]), self._now(expr[2]))
        if kind == "not":
            return 2 - self._now(expr[1])
        if kind == "macro":
            return 2 if self._can(expr, 2, 2) else 0
        return 2 if self._judge.true(expr) else 0

    def _can(self, expr: Expr, low: int, high: int) -> bool:
        """Whether Reach leaves room for a value from low to high."""
        mask = self._reach.evaluate(expr)
        return any(mask & 1 << i for i in range(low, high + 1))

    def _up(self, expr: Expr, level: int) -> list[Plan]:
        """Make an expression `level` or more."""
        if self._now(expr) >= level:
            return _NOTHING
        kind = expr[0]
        if kind in ("const", "macro") or not self._can(expr, level, 2):
            return []
        if kind == "sym":
            return self._raise(expr[1], level)
        if kind == "and":
            return _product([self._up(expr[1], level), self._up(expr[2], level)])
        if kind == "or":
            return _best([*self._up(expr[1], level), *self._up(expr[2], level)])
        if kind == "not":
            return self._down(expr[1], 2 - level)
        return self._compare(*expr)

    def _down(self, expr: Expr, level: int) -> list[Plan]:
        """Make an expression `level` or less."""
        if self._now(expr) <= level:
            return _NOTHING
        kind = expr[0]
        if kind in ("const", "macro") or not self._can(expr, 0, level):
            return []
        if kind == "sym":
            return self._lower(expr[1])
        if kind == "and":
            return _best([*self._down(expr[1], level), *self._down(expr[2], level)])
        if kind == "or":
            return _product([self._down(expr[1], level), self._down(expr[2], level)])
        if kind == "not":
            return self._up(expr[1], 2 - level)
        return self._compare(_OTHERWISE[kind], *expr[1:])

    def _compare(self, operator: str, left: Expr, right: Expr) -> list[Plan]:
        """Make a comparison with a constant true."""
        if right[0] != "const":
            return []
        text = right[1]
        if left[0] != "sym" or self._is_switch(left[1]):
            if (operator, text) in (("=", "n"), ("!=", "y")):
                return self._down(left, 0)
            if (operator, text) == ("!=", "n"):
                return self._up(left, 1)
            return self._up(left, _number(text)) if operator == "=" else []
        if operator in ("<", ">", "!=") and text.isdigit():
            text = str(int(text) + (-1 if operator == "<" else 1))
        return self._text(left[1], text)


def _number(text: str) -> int:
    return _TEXT.index(text) if text in ("m", "y") else 0


def _best(plans: Iterable[Plan]) -> list[Plan]:
    return sorted(set(plans), key=lambda plan: (len(plan), sorted(plan)))[:_KEPT]


def _product(parts: Iterable[list[Plan]]) -> list[Plan]:
    """Plans that do one of each part."""
    result = _NOTHING
    for plans in parts:
        merged = (_merged(a, b) for a in result for b in plans)
        result = _best(plan for plan in merged if plan is not None)
        if not result:
            break
    return result


def _merged(one: Plan, other: Plan) -> Plan | None:
    """Both; None if they contradict each other.  Where m will do, y does as well."""
    values = dict(one)
    for name, value in other:
        if {values.setdefault(name, value), value} == {"m", "y"}:
            values[name] = "y"
        elif values[name] != value:
            return None
    return frozenset(values.items())
