# SPDX-License-Identifier: GPL-2.0-only
"""What reach.py proves to be impossible, no configuration ever has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from surroundings import ROOT
from test_tree_equality import CONFIGS, defconfig
from tree_random import RandomKconfig
from tree_support import (
    HOST_PAIRS,
    SHARED_CONFIGS,
    each,
    kernel_model,
    quick_tree,
    settle,
    tiny_tree,
)

from gen.catalogue import read_catalogue
from gen.tree.kbuild import TreeError
from gen.tree.model import Model
from gen.tree.search.search import Exact, Found, Search

SIZE = 7  # symbols in a random tree
TREES = 60  # of these, and
SAMPLES = 150  # configs for each

HIDING = "menu 'x'\n visible if NEVER\n"
ALWAYS = "config YES\n def_bool y\n"
NEVER = "config NEVER\n bool\n"
BASE = (
    ALWAYS
    + NEVER
    + "config MODULES\n bool 'M'\n modules\n"
    + """\
config B
 bool 'B'
config T
 tristate 'T'
config VERSION
 int
 default 4
config VERSION_4
 def_bool VERSION = 4
config EITHER
 int
 default 2 if B
 default 3
"""
)


def made_up(pair: str, config: Path, mode: str, seed: int = 0) -> str:
    """A .config that conf makes up."""
    tree = quick_tree(pair)
    env = tree.env | {
        "KCONFIG_CONFIG": str(config),
        "KCONFIG_AUTOCONFIG": "/dev/null",
        "KCONFIG_SEED": str(seed),
    }
    command = [tree.conf, "-s", f"--{mode}", tree.kconfig]
    subprocess.run(command, cwd=tree.output, env=env, check=True, capture_output=True)
    return config.read_text()


def contradictions(model: Model, text: str) -> list[str]:
    """The lines of a .config (or what it leaves out) that are proved impossible."""
    found = dict(re.findall(r'^CONFIG_(\w+)="?(.*?)"?$', text, re.M))
    assert len(found) > 200
    wrong = []
    for name in model.names():
        if model.type(name) in ("bool", "tristate"):
            value = found.get(name, "n")
            if value not in model.possible(name):
                wrong.append(f"{name}={value}")
            if model.out_of_reach(name) and value != "n":
                wrong.append(f"{name}={value} is out of reach")
        elif name in found and model.proof(name, found[name]):
            wrong.append(f"{name}={found[name]}")
    return wrong


# -- Real trees ----------------------------------------------------------------------


@each(HOST_PAIRS)
def test_no_config_contradicts_a_proof(pair: str, tmp_path: Path) -> None:
    model = kernel_model(pair)
    config = tmp_path / ".config"
    for mode in ("allyesconfig", "allnoconfig"):
        assert contradictions(model, made_up(pair, config, mode)) == [], mode
    for seed in (1, 2):
        text = made_up(pair, config, "randconfig", seed)
        assert contradictions(model, text) == [], seed


@each()
def test_no_distribution_contradicts_a_proof(pair: str, tmp_path: Path) -> None:
    model = kernel_model(pair)
    file = SHARED_CONFIGS / f"{CONFIGS[pair.split('-')[1]][0]}.config"
    if not file.exists():
        pytest.skip(f"no {file}")
    text = file.read_text()
    text = settle(quick_tree(pair), tmp_path, text)
    assert contradictions(model, text) == []


@pytest.mark.long
@each()
def test_more_configs(pair: str, tmp_path: Path, debian_config) -> None:
    model = kernel_model(pair)
    tree = quick_tree(pair)
    config = tmp_path / ".config"
    for mode in ("alldefconfig", "allmodconfig"):
        assert contradictions(model, made_up(pair, config, mode)) == [], mode
    for seed in range(3, 40):
        text = made_up(pair, config, "randconfig", seed)
        assert contradictions(model, text) == [], seed
    kernel, arch = pair.split("-")
    debian = debian_config(kernel, "cloud", {"x86_64": "amd64"}.get(arch, arch))
    texts = [defconfig(pair), debian.read_text()]
    files = [SHARED_CONFIGS / f"{name}.config" for name in CONFIGS[arch]]
    texts += [file.read_text() for file in files if file.exists()]
    for text in texts:
        assert contradictions(model, settle(tree, tmp_path, text)) == []


@each(HOST_PAIRS)
def test_what_is_proved(pair: str) -> None:
    model = kernel_model(pair)
    # No select in arch/x86, another compiler, or no symbol at all
    cfi = "CFI" if pair.startswith("7") else "CFI_CLANG"
    for name in ("SHADOW_CALL_STACK", "KASAN_HW_TAGS", cfi, "NO_SUCH_SYMBOL"):
        assert model.out_of_reach(name), name
    for name in ("SECURITY_YAMA", "UBSAN_TRAP", "X86_KERNEL_IBT", "SECCOMP_FILTER"):
        assert not model.out_of_reach(name), name
    for name in ("THREAD_INFO_IN_TASK", "STRICT_KERNEL_RWX", "X86_64", "MMU"):
        assert model.possible(name) == {"y"}, name
    for name in ("EXPERT", "MODULES", "HZ_1000"):
        assert model.possible(name) == {"n", "y"}, name
    # depends on m
    assert model.possible("TEST_LKM") == {"n", "m"}
    assert model.possible("CRYPTO_SHA256") == {"n", "m", "y"}
    # neither a bool nor a name has any of these
    assert model.possible("NR_CPUS") == model.possible("NO_SUCH_SYMBOL") == set()


@each(HOST_PAIRS)
def test_numbers(pair: str) -> None:
    model = kernel_model(pair)
    for name, value in (
        ("NR_CPUS", "99999"),
        ("ARCH_MMAP_RND_BITS", "33"),
        ("ARCH_MMAP_RND_BITS", "27"),
        ("PHYSICAL_ALIGN", "0x100000"),
        ("GCC_VERSION", "1"),
        ("PGTABLE_LEVELS", "3"),
    ):
        assert model.proof(name, value), (name, value)
    for name, value in (
        ("NR_CPUS", "8192"),
        ("NR_CPUS", "2"),
        ("ARCH_MMAP_RND_BITS", "32"),
        ("ARCH_MMAP_RND_BITS", "28"),
        ("PHYSICAL_ALIGN", "200000"),
        ("PGTABLE_LEVELS", "5"),
        ("DEFAULT_HOSTNAME", "anything"),
        ("NR_CPUS", "many"),
        ("NO_SUCH_SYMBOL", "1"),
    ):
        assert not model.proof(name, value), (name, value)


@each(["6.12-x86_64", "6.12-arm64"], long=("6.1", "7.2", "7.3"))
def test_the_catalogue_is_decided(pair: str) -> None:
    """Each y or n that the catalogue asks for can be had, or is proved impossible."""
    model = kernel_model(pair)
    names: dict[bool, int] = {True: 0, False: 0}
    model.load("")
    for entry in read_catalogue(ROOT / "docs/catalogue"):
        name, value = entry.setting.name, entry.setting.value
        if model.type(name) not in ("bool", "tristate") or value not in ("y", "n"):
            continue
        found = Search(model).smallest([Exact(name, value)])
        possible = value in model.possible(name)
        assert isinstance(found, Found) is possible, (name, value, found)
        names[possible] += 1
    assert names[True] > 100 and names[False] > 10


# -- Small trees ---------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["6.1", "6.12", "7.3"])
@pytest.mark.parametrize(
    "lines, values",
    [
        # no way to y
        ("bool 'A'", "ny"),
        ("tristate 'A'", "nmy"),
        ("bool", "n"),
        ("def_bool n", "n"),
        ("def_bool $(shell,echo n)", "n"),
        ("bool 'A'\n depends on NOWHERE || B", "ny"),
        ("bool 'A'\n depends on NOWHERE && B", "n"),
        ("bool 'A' if NEVER\n default B", "ny"),
        ("bool 'A' if NEVER\n default B if NEVER", "n"),
        ("bool\n default B if NEVER || B", "ny"),
        # negation, comparisons
        ("bool 'A'\n depends on !B", "ny"),
        ("bool 'A'\n depends on !YES", "n"),
        ("bool 'A'\n depends on VERSION >= 5", "n"),
        ("bool 'A'\n depends on VERSION >= 4", "ny"),
        ("bool 'A'\n depends on VERSION < 4 || !VERSION_4", "n"),
        ("bool 'A'\n depends on EITHER > 2", "ny"),
        ("bool 'A'\n depends on EITHER > 3", "n"),
        ("def_bool EITHER < 4", "y"),
        ("bool 'A'\n depends on NEVER = y", "n"),
        ("bool 'A'\n depends on NEVER != n", "n"),
        ("bool 'A'\n depends on NEVER = n", "ny"),
        ("bool 'A'\n depends on NEVER > T", "n"),
        ("bool 'A'\n depends on NEVER >= T && T", "n"),
        # no way to n
        ("def_bool y", "y"),
        ("bool 'A'\n default y", "ny"),
        ("bool 'A' if NEVER\n default y", "y"),
        ("bool\n default B\n default y", "ny"),
        ("bool\n default y if B\n default y", "y"),
        ("bool\n default y if B\n default y if !B", "y"),
        ("bool\n default y if B\n default n if YES\n default y", "ny"),
        ("bool 'A'\nconfig C\n def_bool y\n select A", "y"),
        ("bool 'A'\nconfig C\n def_bool y\n select A if B", "ny"),
        ("bool 'A'\nconfig C\n def_bool y\n imply A", "ny"),
        ("bool\nconfig C\n def_bool y\n imply A", "y"),
        ("bool\n depends on B\nconfig C\n def_bool y\n imply A", "ny"),
        # select and imply that never come
        ("bool\nconfig C\n bool 'C'\n select A", "ny"),
        ("bool\nconfig C\n bool\n select A", "n"),
        ("bool\nconfig C\n bool 'C'\n select A if NEVER", "n"),
        ("bool\nconfig C\n bool 'C'\n imply A", "ny"),
        ("bool\n depends on NEVER\nconfig C\n bool 'C'\n imply A", "n"),
        # conditions that exclude each other
        ("bool 'A'\n depends on B && !B", "n"),
        ("bool 'A' if !B\n depends on B", "n"),
        ("bool 'A'\n depends on C && B\nconfig C\n bool 'C'\n depends on !B", "n"),
        ("bool 'A'\n depends on C && !B\nconfig C\n bool 'C'\n select B", "n"),
        ("bool 'A'\n depends on T && !T", "ny"),
        ("bool 'A'\n depends on T = y && T = m", "n"),
        ("bool\n default y if B && C\nconfig C\n def_bool !B", "n"),
        # m
        ("tristate 'A'\n depends on m", "nm"),
        ("tristate 'A'\n depends on T && NEVER", "n"),
        ("tristate 'A'\n depends on T\n depends on MODULES", "nmy"),
        ("bool 'A'\n depends on m", "ny"),
        ("tristate\nconfig C\n tristate 'C'\n depends on m\n select A", "nm"),
        ("tristate\nconfig C\n def_bool y\n select A", "y"),
        ("tristate\n default m", "my"),
        ("tristate\n default y if T\nconfig C\n bool 'C'\n depends on !T", "nmy"),
        # blocks
        ("bool 'A'\nif B\nconfig C\n bool 'C'\nendif", "ny"),
        ("bool\nif NEVER\nconfig C\n bool 'C'\n select A\nendif", "n"),
        ("bool\n" + HIDING + "config C\n bool 'C'\n select A\nendmenu", "n"),
        ("bool\n" + HIDING + "config C\n def_bool y\n select A\nendmenu", "y"),
    ],
)
def test_rules(kernel: str, lines: str, values: str, tmp_path: Path) -> None:
    tree = tiny_tree(f"{kernel}-x86_64", tmp_path, f"{BASE}config A\n {lines}\n")
    model = Model(tree, None)
    assert model.possible("A") == set(values)
    assert model.out_of_reach("A") is (values == "n")
    for value in set("nmy" if model.type("A") == "tristate" else "ny"):
        assert bool(model.proof("A", value)) is (value not in values)


@pytest.mark.parametrize(
    "kernel, prompt, members, values",
    [
        ("6.12", "", "", "ny"),
        ("6.12", "", " depends on NEVER\n", "y"),
        ("6.12", " if B", " depends on NEVER\n", "y"),
        ("6.12", "\n depends on B", " depends on NEVER\n", "ny"),
        ("6.12", "\n depends on NEVER", "", "n"),
        ("6.1", "", "", "ny"),
        ("6.1", "\n depends on NEVER", "", "n"),
        ("6.1", " if NEVER", "", "n"),
    ],
)
def test_choice(
    kernel: str, prompt: str, members: str, values: str, tmp_path: Path
) -> None:
    kind = "bool" if kernel == "6.1" else "prompt"
    kconfig = BASE + f"choice\n {kind} 'choice'{prompt}\nconfig A\n bool 'A'\n"
    kconfig += f"config OTHER\n bool 'O'\n{members}endchoice\n"
    kconfig += "config BOTH\n bool 'both'\n depends on A && OTHER\n"
    model = Model(tiny_tree(f"{kernel}-x86_64", tmp_path, kconfig), None)
    assert model.possible("A") == set(values)
    assert model.out_of_reach("BOTH")


def test_transitional(tmp_path: Path) -> None:
    kconfig = BASE + "config OLD\n bool\n transitional\nconfig A\n def_bool OLD\n"
    model = Model(tiny_tree("7.3-x86_64", tmp_path, kconfig), None)
    assert model.possible("A") == model.possible("OLD") == {"n", "y"}


def test_no_modules(tmp_path: Path) -> None:
    """Without a modules symbol nothing is ever m."""
    kconfig = "config A\n tristate 'A'\nconfig C\n tristate 'C'\n depends on m\n"
    model = Model(tiny_tree("6.12-x86_64", tmp_path, kconfig), None)
    assert model.possible("A") == {"n", "y"}
    assert model.out_of_reach("C")


def test_before_modules(tmp_path: Path) -> None:
    """What the modules symbol depends on is computed without modules."""
    kconfig = "config T\n tristate 'T'\nconfig MODULES\n bool 'M'\n modules\n"
    kconfig += " depends on T\n"
    model = Model(tiny_tree("6.12-x86_64", tmp_path, kconfig), None)
    model.load("CONFIG_T=m\nCONFIG_MODULES=y\n")
    assert (model.value("T"), model.value("MODULES")) == ("y", "y")
    assert model.possible("T") == {"n", "y"}
    kconfig = "config T\n tristate\n default m\nconfig MODULES\n def_bool y\n modules\n"
    model = Model(tiny_tree("6.12-x86_64", tmp_path, kconfig + " depends on T\n"), None)
    assert model.value("T") == "y"
    assert model.possible("T") == {"y"}


def test_one_member_is_selected(tmp_path: Path) -> None:
    kconfig = "choice\n prompt 'choice'\nconfig A\n bool 'A'\n select C\n"
    kconfig += "config B\n bool 'B'\n select C\nendchoice\nconfig C\n bool\n"
    model = Model(tiny_tree("6.12-x86_64", tmp_path, kconfig), None)
    assert model.possible("C") == {"y"}


def test_hidden_member(tmp_path: Path) -> None:
    """In older trees, a member without a visible prompt has its default."""
    kconfig = NEVER + "choice\n bool 'choice'\nconfig A\n bool 'A'\n"
    kconfig += "config C\n bool 'C' if NEVER\n default y\nendchoice\n"
    kconfig += "config BOTH\n def_bool A && C\n"
    model = Model(tiny_tree("6.1-x86_64", tmp_path, kconfig), None)
    model.load("CONFIG_A=y\n")
    assert model.value("BOTH") == "y"
    assert model.possible("BOTH") == {"n", "y"}


def test_bound_of_another_type(tmp_path: Path) -> None:
    kconfig = "config H\n hex\n default 0x10\nconfig A\n int 'A'\n range 1 H\n"
    model = Model(tiny_tree("6.12-x86_64", tmp_path, kconfig), None)
    model.load("CONFIG_A=16\n")
    assert model.value("A") == "16"
    assert not model.proof("A", "16")


# -- Random trees --------------------------------------------------------------------


def compare(pair: str, seed: int, folder: Path) -> tuple[int, int]:
    """Check the proofs of a random tree; the number of claims, and of exact ones.

    A claim says which of y and n a symbol can have.
    """
    kconfig = RandomKconfig(Random(seed), pair, SIZE)
    try:
        model = Model(tiny_tree(pair, folder, kconfig.text), None)
    except TreeError:
        return 0, 0
    seen: dict[str, set[str]] = {name: set() for name in model.names()}
    for _ in range(SAMPLES):
        model.load(kconfig.config())
        for name, values in seen.items():
            values.add(str(model.value(name)))
    exact = 0
    bools = [name for name in seen if model.type(name) in ("bool", "tristate")]
    for name, values in seen.items():
        wrong = [value for value in values if model.proof(name, value)]
        assert not wrong, f"seed {seed}: {name}={wrong}\n{kconfig.text}"
        if name in bools:
            possible = model.possible(name)
            assert values <= possible, f"seed {seed}: {name}\n{kconfig.text}"
            exact += possible - {"m"} == values - {"m"}
            for value in {"n", "y"} - possible:
                assert model.proof(name, value), f"seed {seed}: {name}={value}"
    return len(bools), exact


@each(HOST_PAIRS)
def test_random(pair: str, tmp_path: Path) -> None:
    results = [compare(pair, seed, tmp_path / str(seed)) for seed in range(TREES)]
    claims, exact = map(sum, zip(*results))
    assert claims > TREES
    # Trees that compare a symbol with itself are about half of the rest
    assert exact / claims > 0.85


@pytest.mark.long
@each(HOST_PAIRS)
def test_more_random(pair: str, tmp_path: Path) -> None:
    for seed in range(TREES, 20 * TREES):
        compare(pair, seed, tmp_path / str(seed))
