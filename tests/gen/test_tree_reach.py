# SPDX-License-Identifier: GPL-2.0-only
"""What reach.py proves to be out of reach, conf never switches on."""

import subprocess
from pathlib import Path

import pytest
from tree_support import HOST_PAIRS, each, kernel_model, quick_tree, tiny_tree

from gen.tree.model import Model

SEEDS = (1, 2, 3)


def switched_on(pair: str, config: Path, mode: str, seed: int = 0) -> set[str]:
    """The symbols that are m or y in a config that conf makes up."""
    tree = quick_tree(pair)
    env = tree.env | {
        "KCONFIG_CONFIG": str(config),
        "KCONFIG_AUTOCONFIG": "/dev/null",
        "KCONFIG_SEED": str(seed),
    }
    command = [tree.conf, "-s", f"--{mode}", tree.kconfig]
    subprocess.run(command, cwd=tree.output, env=env, check=True, capture_output=True)
    lines = (line.partition("=") for line in config.read_text().splitlines())
    return {name[7:] for name, _, value in lines if value in ("y", "m")}


@each(HOST_PAIRS)
def test_conf_never_contradicts_a_proof(pair: str, tmp_path: Path) -> None:
    model = kernel_model(pair)
    config = tmp_path / ".config"
    modes = [("allyesconfig", 0), ("allmodconfig", 0), ("allnoconfig", 0)]
    modes += [("randconfig", seed) for seed in SEEDS]
    for mode, seed in modes:
        names = switched_on(pair, config, mode, seed)
        assert len(names) > 50
        assert [name for name in names if model.out_of_reach(name)] == [], (mode, seed)


@each(HOST_PAIRS)
def test_what_is_proved(pair: str) -> None:
    model = kernel_model(pair)
    # No select in arch/x86, another compiler, or no symbol at all
    cfi = "CFI" if pair.startswith("7") else "CFI_CLANG"
    for name in ("SHADOW_CALL_STACK", "KASAN_HW_TAGS", cfi, "NO_SUCH_SYMBOL"):
        assert model.out_of_reach(name), name
    for name in ("SECURITY_YAMA", "UBSAN_TRAP", "X86_KERNEL_IBT", "SECCOMP_FILTER"):
        assert not model.out_of_reach(name), name


@pytest.mark.parametrize(
    "lines, never",
    [
        ("bool 'A'", False),
        ("bool", True),
        ("def_bool n", True),
        ("def_bool $(shell,echo n)", True),
        ("def_bool y\n depends on NOWHERE", True),
        ("bool 'A'\n depends on NOWHERE || B", False),
        ("bool 'A'\n depends on NOWHERE && B", True),
        ("bool 'A'\n depends on !B", False),
        ("bool 'A'\n depends on VERSION >= 5", True),
        ("bool 'A'\n depends on VERSION >= 4", False),
        ("bool 'A'\n depends on VERSION < 4 || !VERSION_4", True),
        ("bool 'A'\n depends on NEVER = y", True),
        ("bool 'A'\n depends on NEVER != n", True),
        ("bool 'A'\n depends on NEVER = n", False),
        ("bool\nconfig C\n bool 'C'\n select A", False),
        ("bool\nconfig C\n bool\n select A", True),
        ("bool 'A' if NEVER\n default B", False),
        ("bool 'A' if NEVER\n default B if NEVER", True),
        ("bool\n default C\nconfig C\n bool\n default A", False),
    ],
)
def test_rules(lines: str, never: bool, tmp_path: Path) -> None:
    kconfig = "config B\n bool 'B'\nconfig NEVER\n bool\n"
    kconfig += "config VERSION\n int\n default 4\n"
    kconfig += "config VERSION_4\n def_bool VERSION = 4\nconfig A\n " + lines + "\n"
    tree = tiny_tree("6.12-x86_64", tmp_path, kconfig)
    assert Model(tree, None).out_of_reach("A") is never
