# SPDX-License-Identifier: GPL-2.0-only
"""The results of a tree's $(shell,...) commands, kept between runs.

Two thirds of the time that a kernel takes to parse go into some hundred commands
that try what the compiler and linker can do. Their results stay the same while the
environment, the tools and the tree's scripts do. They are kept in a file for each
tree, architecture and compiler; a file made under other conditions is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from gen.errors import UserError
from gen.savefile import replacement
from gen.tree.kbuild import Tree

# Variables that change from one run, folder or session to the next and mean nothing
# to a compiler test
_SESSION = re.compile(
    r"O|KCONFIG_CONFIG|OLDPWD|PWD|SHLVL|_|COLORTERM|COLUMNS|LINES|LS_COLORS|TERM.*"
    r"|DISPLAY|WINDOWID|WAYLAND_.*|XDG_.*|DBUS_.*|SSH_.*|SUDO_.*|TMUX.*|STY|PYTEST_.*"
)
# The file may come and go without any tool changing.
_LOOKS_AT_FILE = re.compile(r"\btest -[defrsx] ")


class Shell:
    """Runs the commands of one tree as conf would, or knows the result."""

    def __init__(self, tree: Tree, cache_dir: Path | None) -> None:
        self._tree = tree
        self._results: dict[str, str] = {}
        self._kept: dict[str, str] = {}
        self._path: Path | None = None
        self.cached = False  # whether any result came from the cache
        if cache_dir is not None:
            self._path = cache_dir / f"{_digest(_identity(tree))}.json"
            self._conditions = _digest(_conditions(tree))
            self._kept = self._read(self._path)

    def __call__(self, command: str) -> str:
        """What the command prints, on one line."""
        if command in self._kept:
            self.cached = True
            return self._kept[command]
        if command not in self._results:
            self._results[command] = self._run(command)
        return self._results[command]

    def answers(self) -> dict[str, str]:
        """What is known of commands: those asked for, and those of earlier runs."""
        return self._kept | self._results

    def save(self) -> None:
        """Write the results that the cache did not have. No harm if that fails."""
        new = {c: r for c, r in self._results.items() if not _LOOKS_AT_FILE.search(c)}
        if self._path is None or not new:
            return
        results = self._kept | new
        text = json.dumps({"conditions": self._conditions, "results": results})
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacement(self._path, text) as commit:
                commit()
        except (OSError, UserError):
            pass

    def drop(self) -> None:
        """Forget what was kept for this tree."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()

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


def _identity(tree: Tree) -> list[str]:
    """What a cache file is for."""
    names = ("srctree", "ARCH", "CC", "LD")
    return [str(tree.source), *(tree.env.get(name, "") for name in names)]


def _conditions(tree: Tree) -> list[str]:
    """What must be unchanged for the results to be used."""
    # No test depends on the folder that it runs in
    output = str(tree.output)
    env = {k: v.replace(output, "") for k, v in tree.env.items()}
    items = [f"{k}={v}" for k, v in sorted(env.items()) if not _SESSION.fullmatch(k)]
    commands = [value.split() for value in env.values()]
    commands += [[env.get("CROSS_COMPILE", "") + "as"], ["sh"]]
    programs: set[str] = set()
    for words in commands:
        found = [shutil.which(word, path=env.get("PATH")) for word in words[:2]]
        if found and found[0]:
            programs.update(os.path.realpath(path) for path in found if path)
    items += [_stamp(path) for path in sorted(programs)]
    scripts = tree.source / "scripts"
    items += [_stamp(str(path)) for path in sorted(scripts.glob("*.sh"))]
    return items


def _stamp(path: str) -> str:
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _digest(items: list[str]) -> str:
    text = "\0".join(items).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()
