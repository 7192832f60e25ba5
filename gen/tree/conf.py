# SPDX-License-Identifier: GPL-2.0-only
"""The tree's own conf, running `--olddefconfig`.

conf reads the Kconfig files first, with some hundred compiler tests on the way, and
opens the .config only then.  So it is started before anybody knows what the .config
is to hold: it finds a FIFO under the name, and waits there while the model is read.
That takes more than half a second off a run that lasts two.
"""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

from gen.savefile import told, write

from gen.tree.kbuild import Tree, TreeError

_POLL = 0.002  # seconds
_STDERR_LINES = 12


class Conf:
    """conf --olddefconfig at work on a file in `folder`, which is still to come.

    A context manager: on leaving it, conf is no longer running.
    """

    def __init__(self, tree: Tree, folder: Path) -> None:
        self._tree = tree
        self._config = folder / "config"
        self._messages = tempfile.TemporaryFile()
        with told(folder, "used for a FIFO"):
            os.mkfifo(self._config)
        env = tree.env | {
            "KCONFIG_CONFIG": str(self._config),
            # Where there is no auto.conf yet, conf would make one, and with it a
            # file per symbol below include/config.  A build does that itself.
            "KCONFIG_AUTOCONFIG": os.devnull,
        }
        # Would have conf write to its input's name in place; see settle()
        env.pop("KCONFIG_OVERWRITECONFIG", None)
        try:
            self._process = subprocess.Popen(
                [tree.conf, "-s", "--olddefconfig", tree.kconfig],
                cwd=tree.output,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._messages,
            )
        except OSError as error:
            raise TreeError(
                f"{tree.conf}: cannot run ({error.strerror}); "
                "remove it, and it will be built again"
            ) from error

    def __enter__(self) -> Conf:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._messages.close()

    def settle(self, text: str) -> str:
        """Give conf a .config text and return what it makes of it.

        Raises TreeError with conf's own words if it fails.
        """
        pipe = self._wait_for_reader()
        # conf has the FIFO open; when it comes back to the name in order to write,
        # it is to find an ordinary file.
        ordinary = self._config.with_name("text")
        write(ordinary, text)
        os.replace(ordinary, self._config)
        try:
            with open(pipe, "wb") as stream:
                stream.write(text.encode("utf-8", "surrogateescape"))
        except BrokenPipeError:
            pass  # conf has failed, and says why
        if self._process.wait():
            raise self._failure()
        return self._config.read_text(encoding="utf-8", errors="surrogateescape")

    def _wait_for_reader(self) -> int:
        """The writing end of the FIFO, once conf reads from it."""
        while self._process.poll() is None:
            try:
                pipe = os.open(self._config, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                time.sleep(_POLL)
            else:
                os.set_blocking(pipe, True)
                return pipe
        raise self._failure()

    def _failure(self) -> TreeError:
        self._messages.seek(0)
        lines = self._messages.read().decode("utf-8", "replace").splitlines()
        words = "\n".join(lines[-_STDERR_LINES:])
        return TreeError(f"{self._tree.source}: the tree's own conf failed:\n{words}")
