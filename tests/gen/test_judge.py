# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts and their reasons, one of each kind, on Debian's 6.12 with gcc."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_catalogue import entry

from gen import dotconfig
from gen.apply import Plan
from gen.catalogue import read_texts
from gen.entries import Level
from gen.levels import wanted
from gen.pins import marked
from gen.target import target_of
from gen.tree.kbuild import Tree, open_tree
from gen.tree.model import Model
from gen.verdicts import Judge, Verdict

JudgeOne = Callable[[str, str], Verdict]


@pytest.fixture(scope="module", name="tree")
def fixture_tree(
    kernel_tree: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Tree:
    output = tmp_path_factory.mktemp("judge")
    return open_tree(kernel_tree("6.12"), {"O": str(output), "ARCH": "x86_64"})


@pytest.fixture(scope="module", name="model")
def fixture_model(tree: Tree) -> Model:
    return Model(tree, None)


@pytest.fixture(name="judge")
def fixture_judge(tree: Tree, model: Model) -> JudgeOne:
    """The verdict on the first entry, from x86_64_defconfig and some lines."""
    assert tree.defconfig
    defconfig = tree.defconfig.read_text()

    def judge(text: str, base: str = "") -> Verdict:
        catalogue = read_texts([("a.rst", text)])
        model.load(defconfig + base)
        target = target_of(tree, model)
        plan = Plan(model, target, catalogue, marked(base, "base"))
        plan.make(wanted(catalogue, Level.EXTREME, target))
        config = dotconfig.parse(model.text(), "final")
        return Judge(config, model, tree, target).judge(plan.wishes[0])

    return judge


NO_EXPERT = "# keep\n# CONFIG_EXPERT is not set\n"


@pytest.mark.parametrize(
    "text, base, verdict, reason, file",
    [
        # held
        (entry("CONFIG_SECURITY=y"), "", "ok", "already so", ""),
        (entry("CONFIG_SECURITY_YAMA=y"), "", "ok", "set", ""),
        (
            entry("CONFIG_NEW=y", ":Other names: SECURITY_YAMA (up to 7.0)"),
            "",
            "ok",
            "called NEW in other versions",
            "",
        ),
        (
            entry("CONFIG_UBSAN_TRAP=n"),
            "# CONFIG_UBSAN is not set\n",
            "ok",
            "already off, like what",
            "",
        ),
        (
            entry("CONFIG_X86_SMAP=y", ":Always on: since 5.19"),
            "",
            "ok",
            "always so (since 5.19)",
            "",
        ),
        # something else stands in its place
        (
            entry("CONFIG_STRICT_DEVMEM=y", ":Stronger: DEVMEM=n"),
            "# CONFIG_DEVMEM is not set\n",
            "stronger",
            "CONFIG_DEVMEM=n",
            "drivers/char/Kconfig",
        ),
        (
            entry("CONFIG_GONE=y", ":Stronger: SECURITY=y"),
            "",
            "stronger",
            "CONFIG_SECURITY=y",
            "security/Kconfig",
        ),
        # cannot be had here
        (entry("CONFIG_X=y", ":Architectures: arm"), "", "n/a", "for arm only", ""),
        (entry("CONFIG_X=n", ":Kernels: up to 6.8"), "", "n/a", "not in 6.12.", ""),
        (entry("CONFIG_X=n", ":Kernels: since 6.13"), "", "n/a", "X since 6.13", ""),
        (entry("CONFIG_X=y"), "", "n/a", "does not define it", ""),
        (entry("CONFIG_ARM64_PAN=y"), "", "n/a", "another architecture", "arch/arm64"),
        (
            entry("CONFIG_CFI_CLANG=y", ":Compiler: clang >= 16"),
            "",
            "n/a",
            "needs clang >= 16; this is gcc",
            "arch/Kconfig",
        ),
        (entry("CONFIG_CFI_CLANG=y"), "", "n/a", "$(cc-option,", "arch/Kconfig"),
        (
            entry("CONFIG_SHADOW_CALL_STACK=y"),
            "",
            "n/a",
            "ARCH_SUPPORTS_SHADOW_CALL_STACK, not to be had on x86_64",
            "arch/Kconfig",
        ),
        (
            entry("CONFIG_THREAD_INFO_IN_TASK=n"),
            "",
            "n/a",
            "cannot be had on x86_64; select X86",
            "arch/x86/Kconfig",
        ),
        # partly there
        (
            entry("CONFIG_DM_CRYPT=y"),
            "# keep\nCONFIG_BLK_DEV_DM=m\n",
            "weaker",
            "m, not built in; the search found no way to get it without giving up "
            "CONFIG_BLK_DEV_DM=m, which is to be kept (base:2); depends on BLK_DEV_DM",
            "drivers/md/Kconfig",
        ),
        (
            entry("CONFIG_MODIFY_LDT_SYSCALL=n", ":Weaker: SECURITY=y"),
            NO_EXPERT,
            "weaker",
            "only CONFIG_SECURITY=y; excluded by # CONFIG_EXPERT is not set, which is "
            "to be kept (base:2); prompt if EXPERT",
            "arch/x86/Kconfig",
        ),
        (
            entry("CONFIG_HARDENED_NOWHERE=y", ":Other names: BLK_DEV_FD (up to 9.0)"),
            "CONFIG_BLK_DEV_FD=m\nCONFIG_BLOCK=y\n",
            "ok",
            "set",
            "",
        ),
        # missing, and why
        (
            entry("CONFIG_MODIFY_LDT_SYSCALL=n"),
            NO_EXPERT,
            "fail",
            "prompt if EXPERT",
            "arch/x86/Kconfig",
        ),
        (
            entry("CONFIG_UBSAN_TRAP=y"),
            "# keep\n# CONFIG_UBSAN is not set\n",
            "fail",
            "if UBSAN",
            "lib/Kconfig.ubsan",
        ),
        (
            entry("CONFIG_KEXEC_CORE=n"),
            "# keep\nCONFIG_KEXEC=y\n",
            "fail",
            "select KEXEC",
            "kernel/Kconfig.kexec",
        ),
        (
            entry("CONFIG_NR_CPUS>=100000"),
            "",
            "n/a",
            "range",
            "arch/x86/Kconfig",
        ),
        (
            entry("CONFIG_KFENCE_SAMPLE_INTERVAL>=5"),
            "# keep\n# CONFIG_KFENCE is not set\n",
            "fail",
            "if KFENCE",
            "lib/Kconfig.kfence",
        ),
        (
            entry("CONFIG_ARCH_MMAP_RND_BITS=max"),
            NO_EXPERT,
            "fail",
            "prompt if EXPERT",
            "arch/Kconfig",
        ),
        (
            entry("CONFIG_MODULE_SIG=y", level="High") + entry("CONFIG_MODULES=n"),
            "",
            "fail",
            "excluded by CONFIG_MODULES=n (level low); if MODULES",
            "kernel/module/Kconfig",
        ),
    ],
)
def test_verdict_and_reason(
    judge: JudgeOne, text: str, base: str, verdict: str, reason: str, file: str
) -> None:
    result = judge(text, base)
    assert result.verdict == verdict, result
    assert reason in result.reason
    assert result.where.startswith(file) and bool(result.where) is bool(file)
