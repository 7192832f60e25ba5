# SPDX-License-Identifier: GPL-2.0-only
"""The tree's own conf, for many configs of one tree.

A run of conf takes a second or two. Nearly all of that goes into reading the Kconfig
files, with some hundred compiler tests, which is the same each time. So conf is run
with a small library (quickconf.c) that answers the tests from results known before,
and has conf read the Kconfig files once and then settle one config after the other,
each in a process of its own, forked from there.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TextIO

from gen.savefile import told, write
from gen.tree.kbuild import Tree, TreeError

_SOURCE = Path(__file__).with_suffix(".c")
_STDERR_LINES = 12
#: Variables that would have conf start from something else, write elsewhere, or stop.
_NOT_OURS = (
    "KCONFIG_ALLCONFIG",
    "KCONFIG_DEFCONFIG_LIST",
    "KCONFIG_OVERWRITECONFIG",
    "KCONFIG_WERROR",
)


def knowing(tree: Tree, folder: Path, answers: Mapping[str, str]) -> Tree:
    """The tree with an environment in which conf need not run certain commands.

    `answers` is what these print. Needs files that it makes in `folder`. Raises
    TreeError if the C library does not compile.
    """
    library, file = folder / "quickconf.so", folder / "answers"
    write(file, "".join(f"{command}\0{out}\0" for command, out in answers.items()))
    compiler = tree.env.get("HOSTCC", "").split() or ["cc"]
    result = subprocess.run(
        [*compiler, "-shared", "-fPIC", "-O2", "-o", library, _SOURCE, "-ldl"],
        env=tree.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise TreeError(f"{_SOURCE}: does not compile:\n{result.stdout.strip()}")
    folders = filter(None, (str(folder), tree.env.get("LD_LIBRARY_PATH")))
    more = {
        # Found by name, as the name of the folder may hold spaces
        "LD_PRELOAD": library.name,
        "LD_LIBRARY_PATH": ":".join(folders),
        "QUICKCONF_ANSWERS": str(file),
    }
    return replace(tree, env=tree.env | more)


@dataclass(frozen=True)
class _Server:
    """A conf that has read the Kconfig files, and the connection to it."""

    process: subprocess.Popen[bytes]
    stream: TextIO

    def status_of(self, config: Path) -> str:
        """The exit status for the config; empty if conf is no longer there."""
        with contextlib.suppress(OSError):
            print(config, file=self.stream, flush=True)
            return self.stream.readline().rstrip("\n")
        return ""


class QuickConf:
    """conf at work in `folder`, which is for nothing else; a context manager.

    `answers` are commands that need not be run, and what they print. Both methods
    raise TreeError with conf's own words if it fails.
    """

    def __init__(self, tree: Tree, folder: Path, answers: Mapping[str, str]) -> None:
        self._tree = knowing(tree, folder, answers)
        self._config = folder / "config"
        self._server: _Server | None = None
        self._messages = tempfile.TemporaryFile("w+", errors="replace")
        self._env = {k: v for k, v in self._tree.env.items() if k not in _NOT_OURS} | {
            "KCONFIG_CONFIG": str(self._config),
            # Where there is no auto.conf yet, conf would make one.
            "KCONFIG_AUTOCONFIG": os.devnull,
        }

    def __enter__(self) -> QuickConf:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server:
            with contextlib.suppress(OSError):  # something may be left to be sent
                self._server.stream.close()
            self._server.process.kill()
            self._server.process.wait()
        self._messages.close()

    def all_config(self, kind: str) -> str:
        """The .config that conf --<kind>config makes of nothing."""
        self._config.unlink(missing_ok=True)
        if self._start(f"--{kind}config").wait():
            raise self._failure()
        return self._read()

    def settle(self, text: str) -> str:
        """What conf --olddefconfig makes of a .config text."""
        with told(self._config, "written"):
            self._config.write_bytes(text.encode("utf-8", "surrogateescape"))
        # Keep what conf says about this config alone
        self._messages.seek(0)
        self._messages.truncate()
        if self._server is None:
            self._server = self._serve()
        if self._server.status_of(self._config) != "0":
            raise self._failure()
        return self._read()

    def _serve(self) -> _Server:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            process = self._start("--olddefconfig", theirs)
            return _Server(process, ours.makefile("rw"))

    def _start(
        self, mode: str, stdin: socket.socket | None = None
    ) -> subprocess.Popen[bytes]:
        """Start conf; with a stdin, it is to serve."""
        try:
            return subprocess.Popen(
                [self._tree.conf, "-s", mode, self._tree.kconfig],
                cwd=self._tree.output,
                env=self._env | ({"QUICKCONF_SERVE": "1"} if stdin else {}),
                stdin=stdin.fileno() if stdin else subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
            )
        except OSError as error:
            raise TreeError(
                f"{self._tree.conf}: cannot run ({error.strerror}); "
                "remove it, and it will be built again"
            ) from error

    def _read(self) -> str:
        with told(self._config, "read"):
            return self._config.read_bytes().decode("utf-8", "surrogateescape")

    def _failure(self) -> TreeError:
        self._messages.seek(0)
        words = "".join(self._messages.readlines()[-_STDERR_LINES:]).rstrip()
        return TreeError(f"{self._tree.source}: the tree's own conf failed:\n{words}")
