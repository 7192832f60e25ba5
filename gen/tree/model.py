# SPDX-License-Identifier: GPL-2.0-only
"""The symbols of a kernel tree and what a configuration makes of them.

A Model holds one configuration at a time and predicts what the tree's own
`conf --olddefconfig` would write. It never touches the tree or any .config.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gen.tree.allconfig import set_all
from gen.tree.search.boundaries import Boundaries
from gen.tree.configtext import config_text
from gen.tree.expr import BOOL_TRISTATE, HEX, INT, TRI_TO_STR
from gen.tree.kbuild import Tree, TreeError
from gen.tree.library import kl
from gen.tree.search.needs import Assignment, Needs
from gen.tree.parser import Kconfig, MenuNode
from gen.tree.profile import probe
from gen.tree.reach.proof import Prover, Step
from gen.tree.reach.reach import Reach
from gen.tree.reasons.reasons import Clause, Why
from gen.tree.shellcache import Shell
from gen.tree.sources import Place
from gen.tree.symbols import Symbol, bound_value
from gen.tree.uservalues import UserValues
from gen.tree.reasons.why import Reasons

__all__ = ["Clause", "Definition", "Model", "Place"]

# Values are computed by recursion, several calls for each symbol on the way.
_RECURSION = 20000


@dataclass(frozen=True)
class Definition(Place):
    """A place where a symbol is defined, with the prompt that it has there."""

    prompt: str | None


class Model:
    """The Kconfig files of a tree, parsed, and one configuration.

    Names are without CONFIG_. Values are text: "y", "m", "n", a number as it is
    written, a string without quotes. An unknown name has no value, type, place or
    reason, and assigning to it does nothing, as such a line in .config would.
    """

    def __init__(self, tree: Tree, cache_dir: Path | None) -> None:
        """Parse the tree; start with an empty configuration.

        cache_dir is where the results of compiler tests are kept; None keeps none.
        Changes the environment and working directory of the process for the length
        of the parse. Raises TreeError if the tree's Kconfig files have an error.
        """
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
        shell = Shell(tree, cache_dir)
        try:
            self._kconfig = _parse(tree, shell)
        except TreeError:
            if not shell.cached:
                raise
            # The cache may know a compiler that is no longer what it was
            shell.drop()
            shell = Shell(tree, cache_dir)
            self._kconfig = _parse(tree, shell)
        self._shell = shell
        self.cached: bool = shell.cached  # whether compiler tests came from the cache
        self._values = UserValues(self._kconfig)
        self._boundaries = Boundaries(self._kconfig)
        self._reasons = Reasons(self._kconfig, tree.source, self._hopeless)
        self._source = tree.source

    def answers(self) -> dict[str, str]:
        """The commands that the Kconfig files run, and what these print."""
        return self._shell.answers()

    def keep_cache(self) -> None:
        """Keep the results of compiler tests for the next run.

        To be called once a run has succeeded: on a full disk, for one, tests answer n.
        """
        self._shell.save()

    def drop_cache(self) -> None:
        """Forget the results of compiler tests that were kept for this tree."""
        self._shell.drop()

    # -- The configuration --------------------------------------------------------

    def load(self, text: str) -> list[str]:
        """Replace the configuration by a .config text.

        Returns warnings, each "line: cause", for lines that are no setting, set a
        symbol again or have a value of the wrong type. Such values are left out,
        and so are symbols that the tree does not define, without a warning.
        """
        return self._values.load(text)

    def assign(self, name: str, value: str) -> None:
        """Set a symbol, as if its line were appended to the .config.

        Raises ValueError if the symbol's type does not admit the value.
        """
        symbol = self._symbol(name)
        if symbol is None:
            return
        if not self._values.assign(symbol, value):
            raise ValueError(f"{value!r} is no value for the {self.type(name)} {name}")

    def trial(self) -> AbstractContextManager[None]:
        """A context at the end of which the values assigned inside are undone.

        Trials may be nested; load() and all_config() have no place in them.
        """
        return self._values.trial()

    def needs(self, pinned: frozenset[str], wanted: Collection[Assignment]) -> Needs:
        """What it takes to reach values from wherever the configuration is.

        pinned symbols are never assigned; wanted values, of which any number may be
        reached for later, are worth assigning.
        """
        return Needs(self._kconfig, self._boundaries, pinned, wanted)

    def all_config(self, kind: str) -> str:
        """Replace the configuration by what conf --<kind>config makes, without
        KCONFIG_ALLCONFIG, and return its .config text.

        kind is "alldef", "allno", "allyes" or "allmod".
        """
        self._values.clear()
        set_all(self._kconfig, kind)
        return self.text()

    def text(self) -> str:
        """The whole .config that conf would write, header included."""
        self._values.settle()
        return config_text(self._kconfig)

    # -- One symbol ---------------------------------------------------------------

    def names(self) -> list[str]:
        """All symbols that the tree defines, in the order in which conf meets them."""
        return [symbol.name for symbol in self._kconfig.unique_defined_syms]

    def modules(self) -> str | None:
        """The symbol that makes loadable modules possible, MODULES in all kernels."""
        symbol = self._kconfig.modules
        return symbol.name if symbol.nodes else None

    def values(self) -> list[str]:
        """The values of all symbols, in the order of names()."""
        self._values.settle()
        return [symbol.str_value for symbol in self._kconfig.unique_defined_syms]

    def in_choice(self, name: str) -> bool:
        """Whether the symbol is a member of a choice."""
        symbol = self._symbol(name)
        return bool(symbol and symbol.choice)

    def rivals(self, name: str) -> list[str]:
        """The other members of the choice that the symbol belongs to, if it does."""
        symbol = self._symbol(name)
        members = symbol.choice.syms if symbol and symbol.choice else []
        return [member.name for member in members if member is not symbol]

    def defined(self, name: str) -> bool:
        """Whether the tree has this symbol for its architecture."""
        return self._symbol(name) is not None

    def value(self, name: str) -> str | None:
        """The value that the configuration gives the symbol."""
        symbol = self._symbol(name)
        return symbol.str_value if symbol else None

    def default(self, name: str) -> str | None:
        """The value if .config said nothing of this symbol, and all else alike."""
        symbol = self._symbol(name)
        if symbol is None:
            return None
        with self._kconfig.aside():
            given, symbol.user_value = symbol.user_value, None
            choice = symbol.choice
            if choice:
                selection = choice.chosen
                if selection is symbol:
                    choice.chosen = None
            self._kconfig.touch()
            value = symbol.str_value
            symbol.user_value = given
            if choice:
                choice.chosen = selection
        return value

    def type(self, name: str) -> str | None:
        """ "bool", "tristate", "int", "hex" or "string"."""
        symbol = self._symbol(name)
        return kl.TYPE_TO_STR[symbol.orig_type] if symbol else None

    def admits(self, name: str, value: str) -> bool:
        """Whether the symbol's type admits the value."""
        symbol = self._symbol(name)
        return symbol is not None and symbol.parse(value) is not None

    def has_prompt(self, name: str) -> bool:
        """Whether any definition has a prompt, whatever its condition."""
        symbol = self._symbol(name)
        return bool(symbol and symbol.prompts)

    def out_of_reach(self, name: str) -> bool:
        """Whether it is proved that no configuration gives the symbol m or y, or lets
        the user set it if it is a number or string.

        The proof holds for this architecture and toolchain (reach.py).
        """
        symbol = self._symbol(name)
        if symbol is None:
            return True
        if symbol.orig_type in BOOL_TRISTATE:
            return self._reach.never(symbol)
        return not self._reach.settable(symbol)

    def possible(self, name: str) -> frozenset[str]:
        """The values that are not proved impossible for a bool or tristate.

        Of "n", "m" and "y"; none for a number or string.
        """
        symbol = self._symbol(name)
        if symbol is None or symbol.orig_type not in BOOL_TRISTATE:
            return frozenset()
        return frozenset(TRI_TO_STR[value] for value in self._reach.possible(symbol))

    def proof(self, name: str, value: str) -> list[Step]:
        """Why no configuration gives the symbol the value, on this architecture and
        with this toolchain.

        Empty if that is not proved, or the symbol's type does not admit the value.
        """
        symbol = self._symbol(name)
        return self._prover.steps(symbol, value) if symbol else []

    def range(self, name: str) -> tuple[int, int] | None:
        """The lowest and highest number that the active range admits."""
        symbol = self._symbol(name)
        if symbol is None or symbol.orig_type not in (INT, HEX):
            return None
        bounds = symbol.active_range()
        if bounds is None:
            return None
        base = 10 if symbol.orig_type is INT else 16
        low, high = (bound_value(bound, base) for bound in bounds)
        return low, high

    def places(self, name: str) -> list[Definition]:
        """Every definition, in the order in which conf reads them."""
        symbol = self._symbol(name)
        return [_definition(node) for node in symbol.nodes] if symbol else []

    def copies(self, name: str) -> bool:
        """Whether a number or string without a prompt takes over another's value."""
        symbol = self._symbol(name)
        if symbol is None or symbol.prompts or symbol.orig_type in BOOL_TRISTATE:
            return False
        return any(
            value.__class__ is Symbol and value.nodes for value, _ in symbol.defaults
        )

    def selectors(self, name: str) -> list[tuple[str, Place]]:
        """The symbols that select or imply this one, each with the statement."""
        symbol = self._symbol(name)
        if symbol is None:
            return []
        sources = (*symbol.selects_me, *symbol.implies_me)
        return [(s.symbol.name, Place(s.file, s.line)) for s in sources]

    def unmet(self, name: str, value: str = "y") -> list[Clause]:
        """What keeps the symbol from taking the value now, in source order.

        Empty if it has the value, or could have it by being set.
        """
        symbol = self._symbol(name)
        return self._reasons.unmet(symbol, value) if symbol else []

    def why(self, name: str, value: str) -> Why | None:
        """Why the symbol does not have the value now, down to what a user can set.

        None if it has the value, or if its type does not admit it.
        """
        symbol = self._symbol(name)
        return self._reasons.why(symbol, value) if symbol else None

    def _hopeless(self, symbol: Symbol) -> bool:
        return self.out_of_reach(symbol.name)

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._kconfig)

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self._kconfig, self._reach, self._source)

    def _symbol(self, name: str) -> Symbol | None:
        self._values.settle()
        symbol = self._kconfig.syms.get(name)
        return symbol if symbol is not None and symbol.nodes else None


def _parse(tree: Tree, shell: Shell) -> Kconfig:
    try:
        with _inside(tree), _no_collection():
            return Kconfig(tree.kconfig, probe(tree.source), shell)
    except (kl.KconfigError, OSError) as error:
        raise TreeError(f"{tree.source}: {str(error).strip()}") from error


def _definition(node: MenuNode) -> Definition:
    prompt = node.prompt[0] if node.prompt else None
    return Definition(node.filename, node.linenr, prompt)


@contextmanager
def _inside(tree: Tree) -> Iterator[None]:
    """Be where conf runs, with its environment."""
    environment, folder = dict(os.environ), os.getcwd()
    try:
        os.environ.clear()
        os.environ.update(tree.env)
        # Kconfiglib would load Python code of this name, which conf does not.
        os.environ["KCONFIG_FUNCTIONS"] = f"{__package__}.none"
        os.chdir(tree.output)
        yield
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from searching a parse, in which all is used."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
