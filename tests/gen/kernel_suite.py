# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own tests of Kconfig, with the model in the place of conf.

They are read from a tree's scripts/kconfig/tests and run as they are. Each folder
holds a Kconfig, what goes in, what should come out, and functions that take a runner,
the `conf` fixture. model_conf() makes such a runner out of the tree's own.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from surroundings import kernel_source
from tree_support import kernel_tree

from gen.tree.choices import Choice
from gen.tree.expr import expr_value
from gen.tree.kbuild import TreeError
from gen.tree.library import kl
from gen.tree.model import Model
from gen.tree.symbols import Symbol


def suite(pair: str) -> Path:
    """The folder with the tests of a kernel."""
    return kernel_source(pair.split("-")[0]) / "scripts/kconfig/tests"


def functions(pair: str) -> dict[str, Callable[[Any], None]]:
    """The tests of a kernel, by "folder/function"."""
    found = {}
    for path in sorted(suite(pair).rglob("__init__.py")):
        folder = path.parent.relative_to(suite(pair))
        for name, function in inspect.getmembers(_module(path), inspect.isfunction):
            found[f"{folder}/{name}"] = function
    return found


def model_conf(
    pair: str,
    folder: Path,
    scratch: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    messages: bool,
) -> Any:
    """The `conf` fixture for the tests of a folder.

    Without messages, what a test looks for on stdout and stderr counts as seen.
    """

    class ModelConf(_module(suite(pair) / "conftest.py").Conf):  # type: ignore[misc]
        """The runner of the tree, except that it does not run conf."""

        def _run_conf(
            self,
            mode: str,
            dot_config: str | None = None,
            in_keys: str | None = None,
            **_more: Any,
        ) -> int:
            mode, _, argument = mode.removeprefix("--").partition("=")
            file = argument if mode == "defconfig" else dot_config
            text = (folder / file).read_text("utf-8") if file else ""
            self.stdout = self.stderr = ""
            self.config = None
            try:
                model = self._model()
            except TreeError as error:
                self.stderr += str(error)
            else:
                self.config = _answer(model, mode, text, in_keys)
            self.retcode = int(self.config is None)
            return self.retcode

        def _model(self) -> Model:
            tree = kernel_tree(pair)
            env = {"PATH": tree.env["PATH"], "srctree": str(folder)}
            monkeypatch.setattr(kl, "_info_fn", self._info)
            monkeypatch.setattr(kl, "_warning_if_fn", self._warning_if)
            return Model(replace(tree, output=scratch, env=env), None)

        def _info(self, _kconfig: Any, _name: str, text: str) -> str:
            self.stdout += f"{text}\n"
            return ""

        def _warning_if(self, kconfig: Any, _name: str, when: str, text: str) -> str:
            if when == "y":
                self.stderr += f"{kconfig.filename}:{kconfig.linenr}: {text}\n"
            return ""

        def _read_and_compare(self, compare: Any, expected: str) -> bool:
            text = (folder / expected).read_text("utf-8")
            printed = {"stdout": self.stdout, "stderr": self.stderr}
            if not messages:
                printed = dict.fromkeys(printed, text)
            return compare(SimpleNamespace(config=self.config, **printed), text)

    return ModelConf(SimpleNamespace(fspath=folder / "__init__.py"))


@lru_cache(maxsize=None)
def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("kernel_suite_module", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _answer(model: Model, mode: str, text: str, key: str | None) -> str:
    """What conf would write in a mode for a .config text and a key that is typed."""
    if mode.startswith("all"):
        return model.all_config(mode.removesuffix("config"))
    model.load(text)
    if mode == "savedefconfig":
        return _minimal_text(model)
    if key:
        _type(model, key)
    return model.text()


def _type(model: Model, key: str) -> None:
    """Answer the first question. Return, as the answer to others, changes nothing."""
    kconfig = model._kconfig
    for node in kconfig.node_iter():
        if not node.prompt or not expr_value(node.prompt[1]):
            continue
        if node.item.__class__ is Symbol:
            model.assign(node.item.name, key[0])
            return
        if node.item.__class__ is Choice:
            node.item.mode = 2
            kconfig.touch()
            return


def _minimal_text(model: Model) -> str:
    """What `conf --savedefconfig` writes: the values that are not the default."""
    nodes = model._kconfig.node_iter(unique_syms=True)
    return "".join(
        node.item.config_string
        for node in nodes
        if node.item.__class__ is Symbol and _is_chosen(model, node.item)
    )


def _is_chosen(model: Model, symbol: Symbol) -> bool:
    """Whether the user can set the symbol and has given it a value of its own."""
    if not symbol.config_string or symbol.visibility <= symbol._selected:
        return False
    if symbol.choice:
        return symbol.tri_value == 2 and symbol is not symbol.choice._default()
    return symbol.str_value != model.default(symbol.name)
