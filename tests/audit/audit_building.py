# SPDX-License-Identifier: GPL-2.0-only
"""Build the auditor and what its tests need, and run it."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import compiled
from compiled import Run

make = partial(compiled.make, "audit")
#: A file of the build folder, such as "hardened-audit", "dynamic/hardened-audit",
#: "unit/test_config", "fuzz/config" or "preload/NAME.so".
built = partial(compiled.built, "audit")

#: What the user's own settings must not change.
ENVIRONMENT = {"NO_COLOR": "", "LC_ALL": "C", "TERM": "dumb"}


def audit_run(
    *words: str | Path,
    target: str = "hardened-audit",
    variant: str = "gcc",
    **more: Any,
) -> Run:
    """hardened-audit WORD..., to its end; more is as for compiled.run()."""
    env = ENVIRONMENT | dict(more.pop("env", {}))
    return compiled.run(built(target, variant), *words, env=env, **more)


def audit_json(*words: str | Path, **more: Any) -> Any:
    """What hardened-audit --json WORD... prints, whatever its status is."""
    return json.loads(audit_run("--json", *words, **more).stdout)


def preload(name: str) -> dict[str, str]:
    """The environment that loads preload/name.c before libc; for the dynamic one."""
    return {"LD_PRELOAD": str(built(f"preload/{name}.so"))}


DYNAMIC = "dynamic/hardened-audit"
