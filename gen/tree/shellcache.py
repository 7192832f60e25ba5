# SPDX-License-Identifier: GPL-2.0-only
"""The results of a tree's $(shell,...) commands, kept between runs.

Two thirds of the time that a kernel takes to parse go into some hundred commands
that try what the compiler and linker can do. Their results stay the same while the
environment, the tools and the tree's scripts do. They are kept in a file for each
tree, architecture and compiler; a file made under other conditions is not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .kbuild import Tree

# These change from one run to the next and mean nothing to a compiler test.
_VOLATILE = frozenset({"KCONFIG_CONFIG", "OLDPWD", "PWD", "SHLVL", "_"})
# The file may come and go without any tool changing.
_LOOKS_AT_FILE = re.compile(r"\btest -[defrsx] ")


class Shell:
    """Runs the commands of one tree as conf would, or knows the result."""

    def __init__(self, tree: Tree, cache_dir: Path | None) -> None:
        self._tree = tree
        self._results: dict[str, str] = {}
        self._changed = False
        self.cached = False  # whether any result came from the cache
        self._path: Path | None = None
        if cache_dir is not None:
            self._path = cache_dir / f"{_digest(_identity(tree))}.json"
            self._conditions = _digest(_conditions(tree))
            self._results = self._read(self._path)
            self._known = frozenset(self._results)

    def __call__(self, command: str) -> str:
        """What the command prints, on one line."""
        if command in self._results:
            if self._path is not None and command in self._known:
                self.cached = True
            return self._results[command]
        output = self._run(command)
        if not _LOOKS_AT_FILE.search(command):
            self._results[command] = output
            self._changed = True
        return output

    def save(self) -> None:
        """Write the results that the cache did not have. No harm if that fails."""
        if self._path is None or not self._changed:
            return
        text = json.dumps({"conditions": self._conditions, "results": self._results})
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._path, text)
        except OSError:
            pass

    def _run(self, command: str) -> str:
        result = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self._tree.output,
            env=self._tree.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
        return result.stdout.rstrip("\n").replace("\n", " ")

    def _read(self, path: Path) -> dict[str, str]:
        try:
            kept = json.loads(path.read_text("utf-8"))
            if kept["conditions"] == self._conditions:
                return dict(kept["results"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return {}


def _replace(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, delete=False
    ) as file:
        try:
            file.write(text)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _identity(tree: Tree) -> list[str]:
    """What a cache file is for."""
    names = ("srctree", "ARCH", "CC", "LD")
    return [str(tree.source), str(tree.output), *(tree.env[name] for name in names)]


def _conditions(tree: Tree) -> list[str]:
    """What must be unchanged for the results to be used."""
    env = tree.env
    items = [f"{k}={v}" for k, v in sorted(env.items()) if k not in _VOLATILE]
    words = {value.split(" ", 1)[0] for name, value in env.items() if name.isupper()}
    words |= {env.get("CROSS_COMPILE", "") + "as", "sh"}
    for word in sorted(words):
        program = shutil.which(word, path=env.get("PATH")) if word else None
        if program:
            items.append(_stamp(os.path.realpath(program)))
    scripts = tree.source / "scripts"
    items += [_stamp(str(path)) for path in sorted(scripts.glob("*.sh"))]
    return items


def _stamp(path: str) -> str:
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _digest(items: list[str]) -> str:
    text = "\0".join(items).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()
