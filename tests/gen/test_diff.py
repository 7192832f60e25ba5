# SPDX-License-Identifier: GPL-2.0-only
"""What changed between two configs: on Debian's, edited and whole, and on texts of any
version beside a tree of a few symbols."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_catalogue import entry
from surroundings import KEPT, ROOT, clean_environment
from tree_support import kernel_model, kernel_tree, tiny_tree

from gen.apply import make_wish
from gen.catalogue import read_catalogue
from gen.compare.diff import Change, Difference, Group, compare
from gen.compare.diffreport import as_json, as_text
from gen.entries import Entry, Level
from gen.errors import UserError
from gen.compare.kernelconfig import read_for
from gen.settings import KCONFIG
from gen.compare.standing import Standings
from gen.target import target_of
from gen.tree.model import Model
from gen.verdicts import OK, STRONGER, Judge
from gen.versions import release_version

PAIR = "6.12-x86_64"
pytestmark = pytest.mark.xdist_group(PAIR)
Config = Callable[..., Path]


@pytest.fixture(name="catalogue", scope="module")
def fixture_catalogue() -> list[Entry]:
    return read_catalogue(ROOT / "docs/catalogue")


@pytest.fixture(name="edited")
def fixture_edited(debian_config: Config, tmp_path: Path) -> Callable[..., Path]:
    """edited(NAME="m", OTHER="n"): Debian's 6.12 with these lines, settled."""

    def edit(**values: str) -> Path:
        lines = debian_config("6.12", "cloud", "amd64").read_text()
        for name, value in values.items():
            lines += f"CONFIG_{name}={value}\n"
        model = kernel_model(PAIR)
        model.load(lines)
        file = tmp_path / f"edited-{len(list(tmp_path.iterdir()))}"
        file.write_text(model.text())
        return file

    return edit


def diff(before: Path, after: Path, catalogue: list[Entry]) -> Difference:
    return compare(before, after, catalogue, kernel_tree(PAIR), kernel_model(PAIR))


def by_entry(difference: Difference) -> dict[str, Change]:
    return {str(c.entry.setting): c for c in difference.changes}


def groups(difference: Difference) -> dict[str, Group]:
    return {name: c.group for name, c in by_entry(difference).items()}


def why(change: Change) -> str:
    return "\n".join(map(str, change.why))


# -- Edits of one config ------------------------------------------------------------


def test_a_config_does_not_differ_from_itself(
    debian_config: Config, catalogue: list[Entry]
) -> None:
    for version in ("6.1", "6.12", "7.3"):
        file = debian_config(version, "cloud", "amd64")
        difference = diff(file, file, catalogue)
        assert difference.changes == []
        assert all(before == after for before, after in difference.summary.values())
        assert "no hardening differs" in as_text(difference)


def test_a_choice_is_told_as_one_in_both_directions(
    edited: Callable[..., Path], catalogue: list[Entry]
) -> None:
    with_it, without = edited(), edited(SECURITY_DMESG_RESTRICT="n")
    lost = by_entry(diff(with_it, without, catalogue))
    assert list(lost) == ["CONFIG_SECURITY_DMESG_RESTRICT=y"]
    (change,) = lost.values()
    assert change.group is Group.LOST
    assert (change.before.value, change.after.value) == ("y", "n")
    assert why(change) == "after, SECURITY_DMESG_RESTRICT=n by default"
    (change,) = diff(without, with_it, catalogue).changes
    assert change.group is Group.GAINED
    assert why(change) == "before, SECURITY_DMESG_RESTRICT=n by default"
    # Against the default, somebody has decided
    (change,) = diff(edited(), edited(RANDOMIZE_MEMORY="n"), catalogue).changes
    assert "RANDOMIZE_MEMORY=n was chosen; 6.12.117 has y by default" in why(change)


def test_what_went_with_a_dependency_is_traced_to_it(
    edited: Callable[..., Path], catalogue: list[Entry]
) -> None:
    changes = by_entry(diff(edited(), edited(SECURITY_LOCKDOWN_LSM="n"), catalogue))
    change = changes["CONFIG_SECURITY_LOCKDOWN_LSM_EARLY=y"]
    assert change.group is Group.LOST
    depends, decided = change.why
    assert "depends on SECURITY_LOCKDOWN_LSM; after, SECURITY_LOCKDOWN_LSM=n" in (
        depends.text
    )
    assert re.fullmatch(r"security/lockdown/Kconfig:\d+", depends.where)
    assert decided.text.startswith("after, SECURITY_LOCKDOWN_LSM=n ")


def test_numbers_and_lists(edited: Callable[..., Path], catalogue: list[Entry]) -> None:
    changes = by_entry(
        diff(
            edited(DEFAULT_MMAP_MIN_ADDR="65536", LSM='"yama,landlock"'),
            edited(DEFAULT_MMAP_MIN_ADDR="131072", LSM='"landlock,apparmor"'),
            catalogue,
        )
    )
    assert {name: c.group for name, c in changes.items()} == {
        "CONFIG_DEFAULT_MMAP_MIN_ADDR>=65536": Group.CHANGED,
        'CONFIG_LSM contains "yama"': Group.LOST,
    }
    assert 'contains "yama"  medium: with (ok) -> without (fail)' in as_text(
        diff(edited(LSM='"yama"'), edited(LSM='"apparmor"'), catalogue)
    )


def test_something_stronger_is_no_loss(
    edited: Callable[..., Path], catalogue: list[Entry]
) -> None:
    changes = by_entry(diff(edited(), edited(DEVMEM="n"), catalogue))
    assert changes["CONFIG_DEVMEM=n"].group is Group.GAINED
    strict = changes["CONFIG_STRICT_DEVMEM=y"]
    assert (strict.group, strict.after.verdict) == (Group.CHANGED, STRONGER)
    assert str(strict.after.by) == "CONFIG_DEVMEM=n"
    # Where it was lost, it is what is missed
    without = edited(DEVMEM="y", STRICT_DEVMEM="n")
    strict = by_entry(diff(edited(DEVMEM="n"), without, catalogue))[
        "CONFIG_STRICT_DEVMEM=y"
    ]
    assert strict.group is Group.LOST
    assert why(strict) == "CONFIG_DEVMEM=n does more\nafter, DEVMEM=y by default"


def test_another_compiler_explains_what_needs_it(
    edited: Callable[..., Path], catalogue: list[Entry]
) -> None:
    """A config of gcc 11, which knows nothing of -mharden-sls."""
    new, old = edited(), edited().with_name("gcc11.config")
    lines = new.read_text().splitlines(keepends=True)
    kept = (x for x in lines if not re.match("CONFIG_(CC_HAS_SLS|MITIGATION_SLS)=", x))
    text = "".join(kept).replace("GCC_VERSION=120200", "GCC_VERSION=110400")
    old.write_text(text)
    (change,) = diff(new, old, catalogue).changes
    assert change.group is Group.LOST
    assert why(change) == "needs gcc >= 12 or clang >= 15, this is gcc 11.4.0"
    (change,) = diff(old, new, catalogue).changes
    assert change.group is Group.GAINED
    assert why(change) == "needs gcc >= 12 or clang >= 15, this is gcc 11.4.0"


# -- Whole configs ------------------------------------------------------------------


def test_from_debians_6_1_to_6_12(
    debian_config: Config, catalogue: list[Entry]
) -> None:
    difference = diff(
        debian_config("6.1", "cloud", "amd64"),
        debian_config("6.12", "cloud", "amd64"),
        catalogue,
    )
    found = groups(difference)
    assert Group.LOST not in found.values()
    expected = {
        "CONFIG_KFENCE=y": Group.GAINED,
        "CONFIG_SLAB_BUCKETS=y": Group.GAINED,  # new and taken
        "CONFIG_UBSAN_SANITIZE_ALL=y": Group.GAINED,  # 6.12 always does it
        "CONFIG_KMALLOC_PARTITION_CACHES=y": Group.OFFERED,
        "CONFIG_AMD_IOMMU_V2=y": Group.GONE,
        "CONFIG_MITIGATION_RETPOLINE=y": Group.SAME,  # renamed
        "CONFIG_RANDOM_TRUST_CPU=y": Group.SAME,  # no symbol any more
        "CONFIG_LEGACY_TIOCSTI=n": Group.SAME,  # could not be off before
    }
    assert {name: found.get(name) for name in expected} == expected
    text = as_text(difference)
    assert "RETPOLINE is called MITIGATION_RETPOLINE in 6.12.117" in text
    assert "CONFIG_RANDOM_TRUST_CPU=y: 6.12.117 always does it (since 6.2)" in text
    before, after = difference.summary[Level.HIGH]
    assert f"high: {before.met} of {before.applicable} met before, {after.met}" in text
    assert before.met < after.met < after.applicable


def test_the_other_way_round_what_was_lost_is_gained(
    debian_config: Config, catalogue: list[Entry]
) -> None:
    old = debian_config("6.1", "cloud", "amd64")
    new = debian_config("6.12", "cloud", "amd64")
    there, back = (groups(diff(*pair, catalogue)) for pair in ((old, new), (new, old)))
    turned = {
        Group.LOST: {Group.GAINED, Group.OFFERED},
        Group.GAINED: {Group.LOST, Group.GONE},
        Group.CHANGED: {Group.CHANGED},
        Group.OFFERED: {Group.GONE},
        Group.GONE: {Group.OFFERED, Group.GAINED},
        Group.SAME: {Group.SAME, Group.GONE},
    }
    assert there.keys() == back.keys()
    assert all(back[name] in turned[group] for name, group in there.items())


@pytest.mark.parametrize("flavour", ["cloud", "default", "rt"])
def test_the_verdicts_are_those_of_a_run_on_the_same_tree(
    flavour: str, debian_config: Config, catalogue: list[Entry]
) -> None:
    """On a config of the tree's own version, both judges agree on what is met."""
    tree, model = kernel_tree(PAIR), kernel_model(PAIR)
    config = read_for(tree, model, debian_config("6.12", flavour, "amd64"))
    model.load(config.text)
    entries = [
        e for e in catalogue if e.setting.kind == KCONFIG and e.concerns("x86_64")
    ]
    standings = Standings(config, model, release_version(tree.version), entries)
    judge = Judge(config.values, model, tree, target_of(tree, model))
    for item in entries:
        verdict = judge.judge(make_wish(model, item)).verdict
        assert standings.of(item).met == (verdict in (OK, STRONGER)), item.setting


def test_a_defconfig_is_completed(catalogue: list[Entry], tmp_path: Path) -> None:
    tree, model = kernel_tree(PAIR), kernel_model(PAIR)
    assert tree.defconfig
    whole = tmp_path / "whole"
    model.load(tree.defconfig.read_text())
    whole.write_text(model.text())
    difference = diff(tree.defconfig, whole, catalogue)
    assert difference.changes == []
    assert (difference.before.header, difference.after.header) == (False, True)
    assert "completed by the tree at hand" in as_text(difference)
    assert json.loads(as_json(difference))["before"]["complete"] is False


# -- Versions, on texts -------------------------------------------------------------

KCONFIG_TEXT = """
mainmenu "Linux/x86 6.12.1 Kernel Configuration"

config NEWNAME
    bool "Has had another name"

config HOLDER
    bool "Selects the next"
    select HELD

config HELD
    bool "May be selected"

config FOLLOWER
    def_bool HELD

config DRIVER
    bool "Selects what nobody can set"
    select ENGINE

config ENGINE
    bool

config DEMANDING
    bool "Needs two"
    depends on FIRST
    depends on SECOND

config FIRST
    bool "One"

config SECOND
    bool "The other"
"""
VERSIONS = [
    entry("CONFIG_NEWNAME=y", ":Kernels: since 6.5", ":Other names: OLD (up to 6.4)"),
    entry("CONFIG_ALWAYS=y", ":Kernels: up to 5.9", ":Always on: since 5.10"),
    entry("CONFIG_GONE=y", ":Kernels: up to 5.9"),
    entry("CONFIG_TAKEN_OUT=y", ":Kernels: 6.3 - 6.13"),
    entry("CONFIG_NEW=y", ":Kernels: since 6.1"),
    entry("CONFIG_NEWRISK=n", ":Kernels: since 6.1"),
    entry("CONFIG_RISK=n"),
    entry("CONFIG_HELD=n"),
    entry("CONFIG_FOLLOWER=y"),
    entry("CONFIG_ENGINE=y"),
    entry("CONFIG_DEMANDING=y"),
    entry("CONFIG_NUMBER>=10"),
    entry("CONFIG_BUILTIN=y", ":Weaker: SOME=y", level="High"),
    entry("CONFIG_TWICE=y", ":Kernels: up to 5.11", level="High"),
    entry("CONFIG_TWICE=y", ":Kernels: since 5.12", level="Medium"),
    entry("CONFIG_ELSEWHERE=y", ":Architectures: arm64"),
]


class Texts:
    """Compares texts that need no more of a config than its lines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tree = tiny_tree(PAIR, folder, KCONFIG_TEXT)
        self._model = Model(self._tree, None)
        rst = folder / "catalogue"
        rst.mkdir()
        text = "Entries\n=======\n\n" + "".join(VERSIONS)
        (rst / "entries.rst").write_text(text)
        self._catalogue = read_catalogue(rst)

    def config(self, name: str, version: str, *lines: str, arch: str = "x86") -> Path:
        head = f"#\n# Automatically\n# Linux/{arch} {version} Kernel Configuration\n#\n"
        file = self._folder / name
        compiler = "CONFIG_GCC_VERSION=120200\nCONFIG_64BIT=y\n"
        file.write_text(head + compiler + "".join(f"{x}\n" for x in lines))
        return file

    def compare(self, before: Path, after: Path) -> Difference:
        return compare(before, after, self._catalogue, self._tree, self._model)

    def groups(self, before: tuple[str, ...], after: tuple[str, ...]) -> dict[str, str]:
        found = self.compare(self.config("a", *before), self.config("b", *after))
        return {n: g.value for n, g in groups(found).items()}


@pytest.fixture(name="texts")
def fixture_texts(tmp_path: Path) -> Texts:
    return Texts(tmp_path)


def test_a_new_name_is_no_change(texts: Texts) -> None:
    same = {"CONFIG_NEWNAME=y": "the same by other means"}
    old, new = ("6.4.9", "CONFIG_OLD=y"), ("6.5.0", "CONFIG_NEWNAME=y")
    assert texts.groups(old, new) == same
    assert texts.groups(new, old) == same
    # and where it was off under the old name, it has not been lost
    off, still = ("6.4.9", "# CONFIG_OLD is not set"), ("6.5.0",)
    assert texts.groups(off, still) == {}
    assert texts.groups(old, still) == {"CONFIG_NEWNAME=y": "lost"}
    # A distribution may have the new name in an old version
    assert texts.groups(("6.4.9", "CONFIG_NEWNAME=y"), new) == {}


def test_a_setting_whose_level_has_changed_is_one_setting(texts: Texts) -> None:
    old, new = ("5.11.1", "CONFIG_TWICE=y"), ("5.12.1", "CONFIG_TWICE=y")
    assert texts.groups(old, new) == {}
    lost = texts.compare(texts.config("a", *old), texts.config("b", "5.12.1"))
    (change,) = lost.changes
    assert (change.group, change.entry.level) == (Group.LOST, Level.MEDIUM)


def test_what_a_kernel_always_does_is_no_change(texts: Texts) -> None:
    old = ("5.9.1", "CONFIG_ALWAYS=y", "# CONFIG_GONE is not set")
    found = texts.groups(old, ("5.10.1",))
    assert found == {
        "CONFIG_ALWAYS=y": "the same by other means",
        "CONFIG_GONE=y": "gone",
    }
    found = texts.groups(("5.9.1", "# CONFIG_ALWAYS is not set"), ("5.10.1",))
    assert found["CONFIG_ALWAYS=y"] == "gained"


def test_the_tree_knows_its_own_version_better_than_the_catalogue(
    texts: Texts,
) -> None:
    """A stable release may have taken out what the version began with."""
    old = ("6.3.1", "CONFIG_TAKEN_OUT=y")
    version = kernel_tree(PAIR).version
    assert texts.groups(old, (version,))["CONFIG_TAKEN_OUT=y"] == "gone"
    assert texts.groups(old, ("6.12.1",))["CONFIG_TAKEN_OUT=y"] == "lost"


def test_what_is_new_is_offered_or_gained(texts: Texts) -> None:
    old = ("6.0.1",)
    found = texts.groups(old, ("6.1.1", "# CONFIG_NEW is not set", "CONFIG_NEWRISK=y"))
    assert found == {
        "CONFIG_NEW=y": "new, not as wanted",
        "CONFIG_NEWRISK=n": "new, not as wanted",
    }
    found = texts.groups(old, ("6.1.1", "CONFIG_NEW=y", "# CONFIG_NEWRISK is not set"))
    assert found == {
        "CONFIG_NEW=y": "gained",
        "CONFIG_NEWRISK=n": "the same by other means",
    }


def test_part_of_it_is_less_than_all_and_more_than_nothing(texts: Texts) -> None:
    full, part, none = (
        ("5.15.1", line) for line in ("CONFIG_BUILTIN=y", "CONFIG_BUILTIN=m", "")
    )
    other = ("5.15.1", "CONFIG_SOME=y")
    for better, worse in ((full, part), (part, none), (full, other), (other, none)):
        assert texts.groups(better, worse)["CONFIG_BUILTIN=y"] == "lost"
        assert texts.groups(worse, better)["CONFIG_BUILTIN=y"] == "gained"


def test_what_is_to_be_off_is_off_without_a_line(texts: Texts) -> None:
    assert texts.groups(("5.15.1", "CONFIG_RISK=y"), ("5.15.1",)) == {
        "CONFIG_RISK=n": "gained"
    }
    assert texts.groups(("5.15.1", "# CONFIG_RISK is not set"), ("5.15.1",)) == {}
    assert texts.groups(("5.15.1", "CONFIG_NUMBER=10"), ("5.15.1",)) == {
        "CONFIG_NUMBER>=10": "lost"
    }


def test_a_select_is_blamed_and_what_follows_it(texts: Texts) -> None:
    held = ["CONFIG_HOLDER=y", "CONFIG_HELD=y", "CONFIG_FOLLOWER=y"]
    free = [f"# {line[:-2]} is not set" for line in held[:2]]
    before = texts.config("a", "6.12.1", *free)
    after = texts.config("b", "6.12.1", *held)
    changes = by_entry(texts.compare(before, after))
    assert changes["CONFIG_HELD=n"].group is Group.LOST
    assert "select HOLDER; after, HOLDER=y (Kconfig:" in why(changes["CONFIG_HELD=n"])
    follower = changes["CONFIG_FOLLOWER=y"]
    assert follower.group is Group.GAINED
    assert "before, HELD=n" in why(follower)
    assert "before, HELD=n by default" in why(follower)


def test_what_nobody_can_set_is_traced_to_what_selected_it(texts: Texts) -> None:
    before = texts.config("a", "6.12.1", "CONFIG_DRIVER=y", "CONFIG_ENGINE=y")
    after = texts.config("b", "6.12.1", "# CONFIG_DRIVER is not set")
    (change,) = texts.compare(before, after).changes
    assert change.group is Group.LOST
    select, decided = change.why
    assert select.text == "select DRIVER; after, DRIVER=n"
    assert select.where.startswith("Kconfig:")
    assert str(decided) == "after, DRIVER=n by default"


def test_what_is_the_same_in_both_is_not_blamed(texts: Texts) -> None:
    """5.15 seems not to have asked for SECOND."""
    before = texts.config("a", "5.15.1", "CONFIG_DEMANDING=y", "CONFIG_FIRST=y")
    after = texts.config("b", "5.15.1", "# CONFIG_FIRST is not set")
    (change,) = texts.compare(before, after).changes
    assert "depends on FIRST; after, FIRST=n" in why(change)
    assert "SECOND" not in why(change)
    # Where all is the same, that is all that can be said
    after = texts.config("b", "5.15.1", "CONFIG_FIRST=y")
    (change,) = texts.compare(before, after).changes
    assert why(change).startswith("depends on SECOND; in both, SECOND=n")


def test_a_config_of_other_rules_is_not_explained_by_these(texts: Texts) -> None:
    """6.1 may have had no DRIVER to select it, or another name for that."""
    before = texts.config("a", "6.1.1", "CONFIG_ENGINE=y")
    after = texts.config("b", "6.1.1", "CONFIG_DRIVER=y")
    (change,) = texts.compare(before, after).changes
    assert why(change) == (
        "6.1.1 has other rules for ENGINE than 6.12.117, the tree at hand"
    )


# -- What cannot be compared --------------------------------------------------------


def test_configs_of_two_architectures_are_refused(texts: Texts) -> None:
    wide, narrow = texts.config("a", "6.1.1"), texts.config("b", "6.1.1")
    narrow.write_text(narrow.read_text().replace("CONFIG_64BIT=y\n", ""))
    with pytest.raises(UserError, match="a is for x86_64, .*b for i386"):
        texts.compare(wide, narrow)


def test_a_tree_of_another_architecture_is_refused(texts: Texts) -> None:
    both = texts.config("a", "6.1.1", arch="arm64")
    with pytest.raises(UserError, match="for arm64, .* --make ARCH=arm64"):
        texts.compare(both, both)


@pytest.mark.parametrize(
    "text, words",
    [
        ("CONFIG_A\n", r"bad:1: not a line of a \.config"),
        ("# Linux/x86 next Kernel Configuration\n", "third line"),
        ("\0\1\2 no text at all", "bad:1: "),
    ],
)
def test_what_is_no_config_is_refused(texts: Texts, text: str, words: str) -> None:
    good = texts.config("good", "6.1.1")
    bad = good.with_name("bad")
    bad.write_text(text)
    for pair in ((good, bad), (bad, good)):
        with pytest.raises(UserError, match=words):
            texts.compare(*pair)


# -- The command --------------------------------------------------------------------


def run(*words: object) -> "subprocess.CompletedProcess[str]":
    tree = kernel_tree(PAIR)
    options = ["--kdir", tree.source, "--make", f"O={tree.output}"]
    options += ["--make", "ARCH=x86_64", "--cache", KEPT / "cache"]
    return subprocess.run(
        [sys.executable, "-m", "gen", "diff", *map(str, [*words, *options])],
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_writes_text_and_json(
    debian_config: Config, tmp_path: Path
) -> None:
    old = debian_config("6.1", "cloud", "amd64")
    new = debian_config("6.12", "cloud", "amd64")
    result = run(old, new, "--json", tmp_path / "diff.json")
    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "diff.json").read_text())
    assert report["before"]["kernel"].startswith("6.1.")
    assert (report["after"]["arch"], report["tree"]) == ("x86_64", "6.12.117")
    for change in report["changes"]:
        assert change["entry"] in result.stdout
        for step in change["why"]:
            assert step["reason"] in result.stdout
    high = report["summary"]["high"]["after"]
    assert f"{high['met']} of {high['of']} after" in result.stdout


def test_the_command_says_what_it_cannot_do(
    debian_config: Config, tmp_path: Path
) -> None:
    arm = debian_config("6.12", "cloud", "arm64")
    result = run(arm, arm, "--json", tmp_path / "diff.json")
    assert (result.returncode, result.stdout) == (2, "")
    assert "ARCH=arm64" in result.stderr
    assert not (tmp_path / "diff.json").exists()
