# SPDX-License-Identifier: GPL-2.0-only
"""What applying a level changes, and what it leaves alone, on Debian's 6.12.

Small catalogues and bases, the real tree.  test_verdicts.py does the opposite: the
real catalogue and whole configs.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_catalogue import entry
from tree_support import tiny_tree

from gen.apply import Plan
from gen.catalogue import read_texts
from gen.entries import Compiler, Level
from gen.errors import UserError
from gen.levels import wanted
from gen.pins import marked
from gen.settings import Setting
from gen.target import Target, target_of
from gen.tree.kbuild import open_tree
from gen.tree.model import Model
from gen.tree.search.search import Exact, GaveUp, Impossible
from gen.wishes import held

Apply = Callable[..., dict[str, str]]


@pytest.fixture(scope="module", name="tree_state")
def fixture_tree_state(
    kernel_tree: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Model, Target, str]:
    output = tmp_path_factory.mktemp("apply")
    tree = open_tree(kernel_tree("6.12"), {"O": str(output), "ARCH": "x86_64"})
    model = Model(tree, None)
    assert tree.defconfig
    model.load(tree.defconfig.read_text())
    return model, target_of(tree, model), model.text()


@pytest.fixture(name="apply")
def fixture_apply(tree_state: tuple[Model, Target, str]) -> Apply:
    """Apply entries to x86_64_defconfig plus some lines: what is assigned."""
    model, target, _ = tree_state

    def apply(entries: str, base: str = "", keep: str = "") -> dict[str, str]:
        plan = make_plan(tree_state, entries, base, keep)
        # The plan's prediction is what conf reads from the written lines
        predicted = {name: model.value(name) for name in plan.assignments}
        model.load(plan.text())
        assert {n: model.value(n) for n in plan.assignments} == predicted
        return plan.assignments

    return apply


def make_plan(
    tree_state: tuple[Model, Target, str], entries: str, base: str, keep: str = ""
) -> Plan:
    """A plan from x86_64_defconfig plus some lines, with the pinned settings."""
    model, target, defconfig = tree_state
    catalogue = read_texts([("a.rst", entries)])
    model.load(defconfig + base)
    pins = marked("".join(f"# keep\n{line}\n" for line in keep.splitlines()), "f")
    plan = Plan(model, target, catalogue, pins)
    plan.make(wanted(catalogue, Level.EXTREME, target))
    return plan


def test_what_is_there_already_is_left_alone(apply: Apply) -> None:
    assert apply(entry("CONFIG_STRICT_KERNEL_RWX=y"), "") == {}


def test_what_is_missing_is_added(apply: Apply) -> None:
    assert apply(entry("CONFIG_SECURITY_YAMA=y"), "") == {"SECURITY_YAMA": "y"}


def test_prerequisites_come_only_where_they_are_needed(apply: Apply) -> None:
    text = entry("CONFIG_MODIFY_LDT_SYSCALL=n", ":Prerequisites: EXPERT=y")
    assert apply(text, "") == {"EXPERT": "y", "MODIFY_LDT_SYSCALL": "n"}
    text = entry("CONFIG_SECURITY_YAMA=y", ":Prerequisites: EXPERT=y, SECURITY=y")
    assert apply(text, "") == {"SECURITY_YAMA": "y"}


def test_prerequisites_of_prerequisites(apply: Apply) -> None:
    text = entry("CONFIG_UBSAN_TRAP=y", ":Prerequisites: UBSAN_BOUNDS=y")
    text += entry("CONFIG_UBSAN_BOUNDS=y", ":Prerequisites: UBSAN=y")
    text += entry("CONFIG_UBSAN=y")
    values = apply(text, "# CONFIG_UBSAN is not set\n")
    assert values["UBSAN"] == values["UBSAN_TRAP"] == "y"


def test_what_the_catalogue_does_not_say_is_found(apply: Apply) -> None:
    base = "# CONFIG_UBSAN is not set\n"
    assert apply(entry("CONFIG_UBSAN_TRAP=y"), base)["UBSAN"] == "y"
    # A symbol without a prompt that another one holds up
    assert apply(entry("CONFIG_KEXEC_CORE=n"), "") == {"KEXEC": "n"}


@pytest.mark.parametrize("way", ["KEXEC", "KEXEC_FILE"])
def test_of_two_ways_the_catalogues_is_taken(way: str, apply: Apply) -> None:
    base = "# CONFIG_KEXEC is not set\n# CONFIG_KEXEC_FILE is not set\n"
    text = entry("CONFIG_KEXEC_CORE=y", f":Prerequisites: {way}=y")
    assert apply(text, base) == {way: "y"}


def test_of_two_ways_that_is_taken_that_no_entry_speaks_against(apply: Apply) -> None:
    base = "# CONFIG_IA32_EMULATION is not set\n"
    compat = entry("CONFIG_COMPAT=y", level="Low")
    assert apply(compat, base) == {"X86_X32_ABI": "y"}  # which changes less
    never = entry("CONFIG_SECURITY=y") + entry("CONFIG_X86_X32_ABI=n")
    assert apply(compat + never, base) == {"IA32_EMULATION": "y"}


def test_a_shared_prerequisite_is_listed_once_with_all_that_it_serves(
    tree_state: tuple[Model, Target, str],
) -> None:
    text = entry("CONFIG_UBSAN_TRAP=y") + entry("CONFIG_UBSAN_BOUNDS=y")
    plan = make_plan(tree_state, text, "# CONFIG_UBSAN is not set\n")
    [(setting, users)] = plan.extras
    assert str(setting) == "CONFIG_UBSAN=y"
    assert sorted(map(str, users)) == ["CONFIG_UBSAN_BOUNDS=y", "CONFIG_UBSAN_TRAP=y"]


@pytest.mark.parametrize(
    "levels, stands, falls",
    [
        (("Low", "Low"), "MODULE_SIG", "MODULES"),
        (("High", "Low"), "MODULES", "MODULE_SIG"),
        (("Low", "High"), "MODULE_SIG", "MODULES"),
    ],
)
def test_wishes_that_exclude_each_other(
    tree_state: tuple[Model, Target, str],
    levels: tuple[str, str],
    stands: str,
    falls: str,
) -> None:
    """The lower level stands, or else the first; the other one says why not."""
    text = entry("CONFIG_MODULE_SIG=y", ":Prerequisites: MODULES=y")
    text = text.replace("level: Low", f"level: {levels[0]}")
    text += entry("CONFIG_MODULES=n").replace("level: Low", f"level: {levels[1]}")
    model = tree_state[0]
    plan = make_plan(tree_state, text, "")
    wishes = {wish.name: wish for wish in plan.wishes}
    assert wishes[stands].held(model) and not wishes[falls].held(model)
    assert wishes[falls].answer == Impossible([wishes[stands]])


def test_pins_are_neither_assigned_nor_undone(
    tree_state: tuple[Model, Target, str],
) -> None:
    model = tree_state[0]
    text = entry("CONFIG_UBSAN_TRAP=y") + entry("CONFIG_MODULES=n")
    text += entry("CONFIG_SECURITY_YAMA=y") + entry("CONFIG_HZ_100=y")
    base = "# CONFIG_UBSAN is not set\nCONFIG_MODULE_SIG=y\nCONFIG_HZ_1000=y\n"
    plan = make_plan(tree_state, text, base)
    assert all(wish.held(model) for wish in plan.wishes)
    keep = "# CONFIG_UBSAN is not set\nCONFIG_MODULE_SIG=y\nCONFIG_HZ_1000=y\n"
    plan = make_plan(tree_state, text, base, keep)
    assert plan.assignments == {"UBSAN_TRAP": "y", "SECURITY_YAMA": "y"}
    assert model.value("MODULE_SIG") == model.value("HZ_1000") == "y"
    against = {
        w.name: [str(goal) for goal in w.answer.against]
        for w in plan.wishes
        if isinstance(w.answer, Impossible)
    }
    assert against == {
        "UBSAN_TRAP": ["# CONFIG_UBSAN is not set, which is to be kept (f:2)"],
        "MODULES": ["CONFIG_MODULE_SIG=y, which is to be kept (f:4)"],
        "HZ_100": ["CONFIG_HZ_1000=y, which is to be kept (f:6)"],
    }


def test_prerequisites_that_the_tree_lacks_are_passed_over(apply: Apply) -> None:
    text = entry("CONFIG_SECURITY_YAMA=y", ":Prerequisites: NO_SUCH_SYMBOL=y")
    assert apply(text, "") == {"SECURITY_YAMA": "y"}


@pytest.mark.parametrize(
    "users, result",
    [
        ("selinux,bpf", "selinux,bpf,landlock,yama"),
        ("yama,selinux", "yama,selinux,landlock"),
        ("landlock,yama", None),
        ("", "landlock,yama"),
    ],
)
def test_a_list_keeps_its_items_and_their_order(
    apply: Apply, users: str, result: str | None
) -> None:
    text = entry('CONFIG_LSM contains "landlock"')
    text += entry('CONFIG_LSM contains "yama"')
    assert apply(text, f'CONFIG_LSM="{users}"\n').get("LSM") == result


def test_numbers_are_raised_and_never_lowered(apply: Apply) -> None:
    text = entry("CONFIG_DEFAULT_MMAP_MIN_ADDR>=65536")
    name = "DEFAULT_MMAP_MIN_ADDR"
    assert apply(text, f"CONFIG_{name}=4096\n") == {name: "65536"}
    assert apply(text, f"CONFIG_{name}=131072\n") == {}


def test_the_highest_number_that_the_range_allows(apply: Apply) -> None:
    text = entry("CONFIG_ARCH_MMAP_RND_BITS=max", ":Prerequisites: EXPERT=y")
    assert apply(text, "")["ARCH_MMAP_RND_BITS"] == "32"


def test_a_stronger_choice_of_the_user_stays(apply: Apply) -> None:
    text = entry(
        "CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY=y",
        ":Prerequisites: SECURITY_LOCKDOWN_LSM=y",
        ":Stronger: LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y",
    )
    lockdown = "CONFIG_SECURITY_LOCKDOWN_LSM=y\n"
    force = "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y\n"
    assert apply(text, lockdown + force) == {}
    assert apply(text, lockdown) == {"LOCK_DOWN_KERNEL_FORCE_INTEGRITY": "y"}


def test_a_key_of_the_users_own_stays(apply: Apply) -> None:
    text = entry(
        'CONFIG_MODULE_SIG_KEY="certs/signing_key.pem"',
        ":Prerequisites: MODULE_SIG=y",
        ":Stronger: MODULE_SIG_KEY=any",
    )
    signed = "CONFIG_MODULE_SIG=y\nCONFIG_MODULE_SIG_KEY="
    assert apply(text, f'{signed}"pkcs11:token=build"\n') == {}
    assert apply(text, f'{signed}""\n') == {"MODULE_SIG_KEY": "certs/signing_key.pem"}


def test_the_weaker_wish_waits_for_the_stronger_one(apply: Apply) -> None:
    weaker = entry(
        "CONFIG_INIT_STACK_ALL_PATTERN=y", ":Stronger: INIT_STACK_ALL_ZERO=y"
    )
    none = "CONFIG_INIT_STACK_NONE=y\n"
    zero = entry("CONFIG_INIT_STACK_ALL_ZERO=y")
    assert apply(zero + weaker, none) == {"INIT_STACK_ALL_ZERO": "y"}
    # This one cannot be had with gcc: the weaker wish takes its place
    never = entry("CONFIG_CFI_CLANG=y")
    weaker = entry("CONFIG_INIT_STACK_ALL_PATTERN=y", ":Stronger: CFI_CLANG=y")
    assert apply(never + weaker, none)["INIT_STACK_ALL_PATTERN"] == "y"


def test_hex_numbers_are_compared_as_numbers(
    apply: Apply, tree_state: tuple[Model, Target, str]
) -> None:
    model = tree_state[0]
    apply(entry("CONFIG_MAGIC_SYSRQ_DEFAULT_ENABLE=0xb0"), "")
    assert held(model, Setting.parse("MAGIC_SYSRQ_DEFAULT_ENABLE=0xb0"))
    assert held(model, Setting.parse("MAGIC_SYSRQ_DEFAULT_ENABLE=176"))
    # In a .config, 176 is 0x176 for a hex symbol
    model.load(tree_state[2] + "CONFIG_MAGIC_SYSRQ_DEFAULT_ENABLE=176\n")
    assert not held(model, Setting.parse("MAGIC_SYSRQ_DEFAULT_ENABLE=0xb0"))


def test_prerequisites_that_achieve_nothing_are_taken_back(apply: Apply) -> None:
    # Needs ARM64_MTE as well, which this entry does not say
    text = entry("CONFIG_KASAN_HW_TAGS=y", ":Prerequisites: KASAN=y")
    assert apply(text, "") == {}
    text = entry("CONFIG_PAGE_TABLE_CHECK_ENFORCED=y", ":Prerequisites: EXPERT=y")
    assert "EXPERT" not in apply(text, "# CONFIG_PAGE_TABLE_CHECK is not set\n")


def test_what_a_base_leaves_to_defaults_does_not_move(
    tree_state: tuple[Model, Target, str], kernel_tree: Callable[[str], Path]
) -> None:
    model, target, _ = tree_state
    defconfig = kernel_tree("6.12") / "arch/x86/configs/x86_64_defconfig"
    catalogue = read_texts([("a.rst", entry("CONFIG_EXPERT=y"))])
    model.load(defconfig.read_text())
    assert (model.value("HID_APPLE"), model.value("EXPERT")) == ("y", "n")
    model.load(defconfig.read_text() + "CONFIG_EXPERT=y\n")
    assert model.value("HID_APPLE") == "n"  # what merging the line would do
    model.load(defconfig.read_text())
    Plan(model, target, catalogue).make(wanted(catalogue, Level.LOW, target))
    assert (model.value("HID_APPLE"), model.value("EXPERT")) == ("y", "y")


def test_a_value_of_the_wrong_type_is_a_mistake_of_the_entry(apply: Apply) -> None:
    with pytest.raises(UserError, match="a.rst:1: CONFIG_NR_CPUS=n: 'n' is no value"):
        apply(entry("CONFIG_NR_CPUS=n"), "")


def test_a_number_that_is_as_good_stays(apply: Apply) -> None:
    text = entry(
        "CONFIG_KFENCE_SAMPLE_INTERVAL=100", ":Stronger: KFENCE_SAMPLE_INTERVAL=1..99"
    )
    name = "KFENCE_SAMPLE_INTERVAL"
    base = "CONFIG_KFENCE=y\nCONFIG_KFENCE_SAMPLE_INTERVAL="
    assert apply(text, f"{base}25\n") == {}
    assert apply(text, f"{base}500\n") == apply(text, f"{base}0\n") == {name: "100"}


# -- On trees of a few symbols ----------------------------------------------------


@pytest.fixture(name="small")
def fixture_small(tmp_path: Path) -> Callable[..., Plan]:
    """A plan for entries on a small tree, from a base whose `# keep` lines count."""

    def plan(kconfig: str, entries: str, base: str) -> tuple[Plan, Model]:
        tree = tiny_tree("6.12-x86_64", tmp_path, kconfig)
        model = Model(tree, None)
        model.load(base)
        target = Target((6, 12), "x86_64", Compiler("gcc", (12, 2, 0)))
        catalogue = read_texts([("a.rst", entries)])
        found = Plan(model, target, catalogue, marked(base, "f"))
        found.make(wanted(catalogue, Level.EXTREME, target))
        return found, model

    return plan


def symbols(*lines: str) -> str:
    """A Kconfig file of bool symbols: "P: depends on !A || B"."""
    text = ""
    for line in lines:
        name, _, rest = line.partition(": ")
        text += f'config {name}\n\tbool "{name}"\n' + f"\t{rest}\n" * bool(rest)
    return text


def test_what_keeps_a_pin_is_not_dropped(small: Callable[..., Any]) -> None:
    kconfig = symbols("B", "P: depends on !A || B", "A: depends on X", "X")
    base = "# keep\nCONFIG_P=y\n# CONFIG_A is not set\n# CONFIG_B is not set\n"
    plan, model = small(kconfig, entry("CONFIG_A=y"), base)
    assert model.value("A") == model.value("P") == "y"
    extras = {str(s): [str(u) for u in users] for s, users in plan.extras}
    assert extras == {"CONFIG_B=y": ["CONFIG_P=y"], "CONFIG_X=y": ["CONFIG_A=y"]}


def test_a_wish_without_a_symbol_here_is_kept_by_what_is_stronger(
    small: Callable[..., Any],
) -> None:
    text = entry("CONFIG_GONE=y", ":Stronger: S=y") + entry("CONFIG_W=y")
    plan, model = small(symbols("S", "W: depends on !S"), text, "CONFIG_S=y\n")
    gone, w = plan.wishes
    assert model.value("S") == "y"
    assert w.answer == Impossible([gone])


def test_modules_are_not_turned_off_for_another_wish(
    small: Callable[..., Any],
) -> None:
    kconfig = 'config MODULES\n\tbool "M"\n\tmodules\n' + symbols(
        "X: depends on !MODULES"
    )
    plan, model = small(kconfig, entry("CONFIG_X=y"), "CONFIG_MODULES=y\n")
    assert model.value("MODULES") == "y"
    assert plan.wishes[0].answer == Impossible([Exact("MODULES", "y")])


def test_a_pin_that_does_not_hold_may_exclude_a_wish(small: Callable[..., Any]) -> None:
    kconfig = symbols("R", "P: default R", "W: depends on R && !P")
    base = "# CONFIG_R is not set\n# keep\nCONFIG_P=y\n"
    plan, _ = small(kconfig, entry("CONFIG_W=y"), base)
    answer = plan.wishes[0].answer
    assert [str(goal) for goal in answer.against] == [
        "CONFIG_P=y, which is to be kept (f:3)"
    ]


def test_a_highest_number_without_a_range_is_not_called_impossible(
    small: Callable[..., Any],
) -> None:
    kconfig = symbols("R") + 'config X\n\tint "X"\n\trange 1 10 if R\n'
    plan, _ = small(kconfig, entry("CONFIG_X=max"), "CONFIG_X=3\n")
    assert plan.wishes[0].answer == GaveUp()
