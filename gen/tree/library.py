# SPDX-License-Identifier: GPL-2.0-only
"""The installed Kconfiglib, loaded a second time for this package alone.

Kconfiglib makes its own Symbol, Choice and MenuNode objects and compares classes
with "is", so a subclass is used only if it replaces the global of that name. That
is done to this private copy (see parser.py); whoever imports kconfiglib in the
same process sees the library as it is.
"""

import importlib.util
from typing import Any


def _load() -> Any:
    spec = importlib.util.find_spec("kconfiglib")
    if spec is None or spec.loader is None:
        raise ImportError("kconfiglib is missing: apt install python3-kconfiglib")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kl: Any = _load()
