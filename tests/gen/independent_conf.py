# SPDX-License-Identifier: GPL-2.0-only
"""A tree's own conf, quick enough to be asked hundreds of times.

Of the second that conf takes, most goes to compiler tests.  Expanded is a copy of the
Kconfig files in which each test is replaced by what it gave; it needs no compiler.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from independent_kconfig import Kconfig, logical_lines

#: What defines macros, calls one for its effect, or is only for the reader.
_LEFT_OUT = re.compile(r"[\w-]+\s*(?::|\+)?=|\s*\$\(|mainmenu\b", re.ASCII)


class Expanded:
    """`macros` are the results of tests (independent_kconfig.macro_values());
    `conf` is the program, `folder` an empty one for the copy."""

    def __init__(
        self, kconfig: Kconfig, macros: Mapping[str, str], conf: Path, folder: Path
    ) -> None:
        self._conf = conf
        self._folder = folder
        self._srcarch = kconfig.srcarch
        # one that stands within another comes later
        values = sorted(macros.items(), key=lambda pair: -len(pair[0]))
        for name in kconfig.files:
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            lines = (text for _, _, text in logical_lines(kconfig.source / name))
            text = "\n".join(
                _expand(line, values) for line in lines if not _LEFT_OUT.match(line)
            )
            copy.write_bytes(text.encode("utf-8", "surrogateescape"))

    def settled(self, text: str) -> str:
        """What olddefconfig makes of a .config text, without the head of the file."""
        config = self._folder / ".config"
        config.write_text(text, encoding="utf-8")
        subprocess.run(
            [self._conf, "-s", "--olddefconfig", "Kconfig"],
            cwd=self._folder,
            env={
                "SRCARCH": self._srcarch,
                "KCONFIG_CONFIG": str(config),
                "KCONFIG_AUTOCONFIG": "/dev/null",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return config.read_text(encoding="utf-8").split("\n", 4)[4]


def _expand(line: str, values: list[tuple[str, str]]) -> str:
    if "$(" not in line or line.lstrip().startswith("source"):
        return line  # conf knows SRCARCH
    for macro, value in values:
        if macro in line:
            quoted = '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
            for spelling in (f'"{macro}"', f"'{macro}'", macro):
                line = line.replace(spelling, quoted)
    return line
