# SPDX-License-Identifier: GPL-2.0-only
"""Finding what breaks a hardened kernel: on Debian's 6.12, and on a tree of a few
symbols where runs are short."""

import fcntl
import itertools
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from small_catalogue import entry
from surroundings import KEPT, ROOT, clean_environment
from tree_support import PAIRS, differences, kernel_model, kernel_tree, tiny_tree

from gen.compare.bisect import Bisection, Outcome
from gen.compare.bisectreport import as_text
from gen.catalogue import read_catalogue
from gen.compare.deltas import Deltas
from gen.dotconfig import parse
from gen.entries import Entry
from gen.errors import UserError
from gen.tree.kbuild import Tree
from gen.tree.model import Model
from gen.tree.quickconf import QuickConf

PAIR = "6.12-x86_64"
pytestmark = pytest.mark.xdist_group(PAIR)


@dataclass(frozen=True)
class Kernel:
    """A tree with its model and conf, and a catalogue."""

    tree: Tree
    model: Model
    conf: QuickConf
    catalogue: list[Entry]


class Search:
    """Bisections between two configs; every test that is run leaves a line."""

    def __init__(self, kernel: Kernel, configs: tuple[Path, Path], folder: Path):
        self.kernel, self.configs, self.folder = kernel, configs, folder
        folder.mkdir(exist_ok=True)
        self.runs = folder / "runs"
        self.said: list[str] = []

    def run(self, script: str) -> Outcome:
        note = f'sha256sum <"$CONFIG" >>{shlex.quote(str(self.runs))}'
        kernel = self.kernel
        bisection = Bisection(
            kernel.tree,
            kernel.model,
            kernel.catalogue,
            kernel.conf.settle,
            f"{note}; {script}",
            self.folder,
            self.said.append,
        )
        return bisection.run(*self.configs)

    def fails(self, script: str, *words: str) -> None:
        """It ends in a message that has these words."""
        with pytest.raises(UserError) as info:
            self.run(script)
        for word in words:
            assert word in str(info.value)

    @property
    def results(self) -> list[str]:
        return [line for line in self.log.splitlines() if line[:1] not in ("#", "")]

    def settled(self, config: Path) -> str:
        return self.kernel.conf.settle(config.read_text())

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    @property
    def count(self) -> int:
        return len(self.runs.read_text().splitlines()) if self.runs.exists() else 0


def has(*lines: str) -> str:
    """A shell condition: the config has all these lines."""
    return " && ".join(f"""grep -qx '{line}' "$CONFIG\"""" for line in lines)


def breaks(*lines: str) -> str:
    """A test that fails with all of them together."""
    return f"! {{ {has(*lines)}; }}"


def names(outcome: Outcome) -> list[str]:
    return sorted(c.name for c in outcome.culprits)


def bound(count: int, culprits: int = 1) -> int:
    """Tests for so many culprits, and the good, the bad and the hardened config."""
    logarithm = (count - 1).bit_length()
    return 3 + (logarithm + 1 if culprits == 1 else culprits * (logarithm + 2))


# -- Debian's 6.12 ------------------------------------------------------------------


@pytest.fixture(name="kernel", scope="module")
def fixture_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    tree, model = kernel_tree(PAIR), kernel_model(PAIR)
    with QuickConf(tree, tmp_path_factory.mktemp("conf"), model.answers()) as conf:
        yield Kernel(tree, model, conf, read_catalogue(ROOT / "docs/catalogue"))


@pytest.fixture(name="configs", scope="module")
def fixture_configs(
    kernel: Kernel, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The defconfig, and the same with the fragments of the level high."""
    folder = tmp_path_factory.mktemp("configs")
    assert kernel.tree.defconfig
    text = kernel.tree.defconfig.read_text()
    good, bad = folder / "good.config", folder / "bad.config"
    good.write_text(kernel.conf.settle(text))
    for fragment in ("hardenedhigh.config", "x86/hardenedhigh.config"):
        text += (ROOT / "fragments" / fragment).read_text()
    text += "CONFIG_ZRAM=y\nCONFIG_BTRFS_FS=m\n"  # and what has to do with nothing
    bad.write_text(kernel.conf.settle(text))
    return good, bad


@pytest.fixture(name="search")
def fixture_search(
    kernel: Kernel, configs: tuple[Path, Path], tmp_path: Path
) -> Search:
    return Search(kernel, configs, tmp_path / "hardened-bisect")


def test_one_setting_breaks_it(search: Search) -> None:
    outcome = search.run(breaks("CONFIG_DEBUG_NOTIFIERS=y"))
    assert names(outcome) == ["DEBUG_NOTIFIERS"]
    assert outcome.alone and outcome.hardening > 50
    assert search.count == outcome.tests <= bound(outcome.hardening)
    # What is bad differs from the good config in nothing else
    good, least = parse(search.configs[0].read_text(), ""), parse(
        outcome.smallest.read_text(), ""
    )
    changed = {n for n, _ in good.items() ^ least.items()}
    assert changed == {"DEBUG_NOTIFIERS"}
    text = as_text(outcome)
    assert "CONFIG_DEBUG_NOTIFIERS: n -> y" in text
    assert "CONFIG_DEBUG_NOTIFIERS=y, level medium, self-protection" in text
    assert "protects: notifier chains call kernel code only" in text


def test_what_the_catalogue_says_of_a_culprit_is_told(search: Search) -> None:
    text = as_text(search.run(breaks("# CONFIG_MODIFY_LDT_SYSCALL is not set")))
    assert "CONFIG_MODIFY_LDT_SYSCALL: y -> n" in text
    assert "known to break: " in text
    assert "  n -> y  EXPERT\n" in text  # without which it cannot be had


def test_two_settings_break_it_together(search: Search) -> None:
    outcome = search.run(breaks("CONFIG_DEBUG_NOTIFIERS=y", "CONFIG_KFENCE=y"))
    assert names(outcome) == ["DEBUG_NOTIFIERS", "KFENCE"]
    assert search.count == outcome.tests <= bound(outcome.hardening, 2)
    assert "Only a combination of 2 settings breaks it" in as_text(outcome)


def test_what_follows_a_setting_is_traced_to_it(search: Search) -> None:
    """Nobody can set MODULE_SIG_FORMAT: MODULE_SIG selects it."""
    assert not kernel_model(PAIR).has_prompt("MODULE_SIG_FORMAT")
    outcome = search.run(breaks("CONFIG_MODULE_SIG_FORMAT=y"))
    assert names(outcome) == ["MODULE_SIG"]
    assert "MODULE_SIG_FORMAT" in [c.name for c in outcome.changes if not c.own]
    assert "Follows, as nobody can set it:\n  - -> y  MODULE_SIG_FORMAT\n" in (
        as_text(outcome)
    )
    assert search.count <= bound(outcome.hardening)


def test_other_settings_are_searched_where_hardening_is_not_enough(
    search: Search,
) -> None:
    outcome = search.run(breaks("CONFIG_ZRAM=y"))
    assert names(outcome) == ["ZRAM"]
    assert not outcome.alone
    assert any("alone do not break it" in line for line in search.said)
    assert "hardening settings alone do not break it" in as_text(outcome)
    assert search.count <= bound(outcome.others)
    # What is known to be good is not divided any more
    sizes = [int(n) for n in re.findall(r": (\d+) of the bad", "\n".join(search.said))]
    assert sizes[0] == outcome.hardening == min(sizes[:-1])


def test_every_candidate_is_what_conf_makes_of_it(
    search: Search, tmp_path: Path
) -> None:
    """Whatever the test sees, olddefconfig leaves it as it is."""
    seen = tmp_path / "seen"
    seen.mkdir()
    keep = f'cp "$CONFIG" {shlex.quote(str(seen))}/$$; '
    search.run(keep + breaks("CONFIG_MODULE_SIG_FORCE=y"))
    texts = [file.read_text() for file in seen.iterdir()]
    assert len(texts) == search.count
    for text in texts:
        assert search.kernel.conf.settle(text) == text


def assert_ends_meet(model: Model, good: str, bad: str) -> None:
    """All differences make the bad config of the good one, none leaves it as it is."""
    for wanted in (good, bad):
        deltas = Deltas(model, good, bad)
        model.load(deltas.text(deltas.row if wanted == bad else []))
        ours = model.text()
        assert ours == wanted, differences(ours, wanted)[:20]


def test_all_differences_together_make_the_bad_config(search: Search) -> None:
    good, bad = (file.read_text() for file in search.configs)
    assert_ends_meet(search.kernel.model, good, bad)
    assert_ends_meet(search.kernel.model, bad, good)


@pytest.mark.long
@pytest.mark.parametrize("pair", PAIRS)
def test_the_same_between_configs_that_have_little_in_common(
    pair: str, debian_config: Callable[..., Path]
) -> None:
    tree, model = kernel_tree(pair), kernel_model(pair)
    kernel, arch = pair.split("-")
    flavour = "default" if (kernel, arch) != ("7.3", "x86_64") else "cloud"
    debian = debian_config(kernel, flavour, arch.replace("x86_64", "amd64"))
    assert tree.defconfig
    texts = []
    for text in ("", tree.defconfig.read_text(), debian.read_text()):
        model.load(text)
        texts.append(model.text())
    for good, bad in itertools.permutations(texts, 2):
        assert_ends_meet(model, good, bad)


# -- A tree of a few symbols --------------------------------------------------------

KCONFIG = """
mainmenu "Linux/x86 6.12.1 Kernel Configuration"

config LABEL
    string "A text without a meaning"
    default "none"

config DEVMEM
    bool "/dev/mem"
    default y

config WALL
    bool "A wall"

config MIN_ADDR
    int "A lowest address"
    default 4096

config LSM
    string "Ordered list"
    default "landlock"

choice
    prompt "Lockdown"
    default LOCK_NONE

config LOCK_NONE
    bool "None"

config LOCK_INTEGRITY
    bool "Integrity"

endchoice

config SHIELD
    bool "Needs a helper"
    depends on HELPER

config HELPER
    bool "For SHIELD"
"""
BAD = """
# CONFIG_DEVMEM is not set
CONFIG_WALL=y
CONFIG_MIN_ADDR=65536
CONFIG_LSM="yama"
CONFIG_LOCK_INTEGRITY=y
CONFIG_SHIELD=y
CONFIG_HELPER=y
CONFIG_LABEL="something else"
"""
ENTRIES = [
    "CONFIG_DEVMEM=n",
    "CONFIG_WALL=y",
    "CONFIG_MIN_ADDR>=65536",
    'CONFIG_LSM contains "yama"',
    "CONFIG_LOCK_INTEGRITY=y",
    "CONFIG_SHIELD=y",
]


@pytest.fixture(name="little", scope="module")
def fixture_little(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("little")
    catalogue = folder / "catalogue"
    catalogue.mkdir()
    text = "Entries\n=======\n\n" + "".join(map(entry, ENTRIES))
    (catalogue / "entries.rst").write_text(text)
    (folder / "good").write_text("")
    (folder / "bad").write_text(BAD)
    tree = tiny_tree(PAIR, folder, KCONFIG)
    with QuickConf(tree, tmp_path_factory.mktemp("conf"), {}) as conf:
        yield Kernel(tree, Model(tree, None), conf, read_catalogue(catalogue))


@pytest.fixture(name="short")
def fixture_short(little: Kernel, tmp_path: Path) -> Search:
    folder = little.tree.output
    return Search(little, (folder / "good", folder / "bad"), tmp_path / "work")


LOCK = "CONFIG_LOCK_INTEGRITY=y"


def test_a_needed_setting_is_told_from_what_needs_it(short: Search) -> None:
    """HELPER is not in the catalogue, and SHIELD cannot do without it."""
    outcome = short.run(breaks("CONFIG_HELPER=y"))
    assert names(outcome) == ["HELPER"]
    assert "not in the catalogue; needed by SHIELD" in as_text(outcome)


def test_what_a_culprit_needs_is_told(short: Search) -> None:
    outcome = short.run(breaks("CONFIG_SHIELD=y"))
    assert names(outcome) == ["SHIELD"]
    assert [(c.name, c.before, c.after) for c in outcome.changes] == [
        ("HELPER", "n", "y")
    ]


def test_no_config_is_tested_twice(short: Search) -> None:
    outcome = short.run(breaks(LOCK, "CONFIG_WALL=y", "CONFIG_MIN_ADDR=65536"))
    assert names(outcome) == ["LOCK_INTEGRITY", "MIN_ADDR", "WALL"]
    tested = short.runs.read_text().splitlines()
    assert len(tested) == len(set(tested)) == outcome.tests
    # Nor in another run
    assert short.run(breaks(LOCK, "CONFIG_WALL=y", "CONFIG_MIN_ADDR=65536")).tests == 0
    assert short.runs.read_text().splitlines() == tested


def test_a_mixed_cause_is_found(short: Search) -> None:
    """A hardening setting that only breaks what another setting switches on."""
    outcome = short.run(breaks(LOCK, 'CONFIG_LABEL="something else"'))
    assert names(outcome) == ["LABEL", "LOCK_INTEGRITY"]
    assert not outcome.alone


def test_a_good_config_that_is_bad_ends_it(short: Search) -> None:
    short.fails("false", str(short.configs[0]), "is bad, not good")
    assert short.count == 1


def test_a_bad_config_that_is_good_ends_it(short: Search) -> None:
    short.fails("true", str(short.configs[1]), "is good, not bad")
    assert short.count == 2


def test_a_config_that_must_be_tested_and_cannot_be_ends_it(short: Search) -> None:
    short.fails("exit 125", str(short.configs[0]), "is untestable, not good")


def test_configs_without_a_difference_end_it(short: Search) -> None:
    short.configs = (short.configs[1], short.configs[1])
    short.fails("true", "do not differ")
    assert short.count == 0


def test_untestable_configs_are_passed_by(short: Search) -> None:
    """What has LOCK_INTEGRITY can only be built with WALL."""
    script = f"{has(LOCK)} && ! {has('CONFIG_WALL=y')} && exit 125; {breaks(LOCK)}"
    outcome = short.run(script)
    assert names(outcome) == ["LOCK_INTEGRITY", "WALL"]
    assert any("untestable exit 125" in line for line in short.results)


def test_what_cannot_be_told_apart_is_said(short: Search) -> None:
    """Configs that have one of the two and not the other cannot be built."""
    wall, lock = has("CONFIG_WALL=y"), has(LOCK)
    either = f"{{ {wall} && ! {lock}; }} || {{ {lock} && ! {wall}; }}"
    outcome = short.run(f"{{ {either}; }} && exit 125; {breaks(LOCK)}")
    assert {"WALL", "LOCK_INTEGRITY"} <= set(names(outcome))
    assert "what would tell them apart cannot be tested" in as_text(outcome)


@pytest.mark.parametrize(
    "ending, words",
    [
        ("{ no-such-command; exit; }", "exit code 127"),
        ("exit 128", "exit code 128"),
        ("kill -9 $$", "SIGKILL"),
    ],
)
def test_a_test_that_goes_wrong_ends_it_and_costs_nothing(
    ending: str, words: str, short: Search, tmp_path: Path
) -> None:
    flag = tmp_path / "repaired"
    script = f"test -e {flag} || {has('CONFIG_WALL=y')} || {ending}; {breaks(LOCK)}"
    # The good config has no WALL
    short.fails(script, words)
    assert short.count == 1 and not short.results
    flag.touch()
    assert names(short.run(script)) == ["LOCK_INTEGRITY"]


def test_a_search_goes_on_where_it_stopped(short: Search, tmp_path: Path) -> None:
    """Even if the machine went down while a result was being written."""
    whole = short.run(breaks(LOCK))
    runs = short.runs.read_text().splitlines()
    for kept in range(len(runs)):
        short.runs.unlink(missing_ok=True)
        lines = short.log.splitlines(keepends=True)
        head = [x for x in lines if x.startswith("#")]
        results = [x for x in lines if not x.startswith("#") and "exit" in x]
        cut = results[kept][:30]
        (short.folder / "log").write_text("".join([*head, *results[:kept], cut]))
        again = short.run(breaks(LOCK))
        assert names(again) == names(whole)
        assert short.runs.read_text().splitlines() == runs[kept:]


def test_a_log_of_other_inputs_is_refused(short: Search) -> None:
    short.run(breaks(LOCK))
    short.fails(breaks("CONFIG_WALL=y"), "other inputs", "another folder")
    short.configs = (short.configs[0], short.folder / "bad")
    short.configs[1].write_text(BAD + 'CONFIG_LSM="yama,landlock"\n')
    short.fails(breaks(LOCK), "other inputs")


def test_two_runs_do_not_share_a_folder(short: Search) -> None:
    with open(short.folder / "log", "w", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        short.fails(breaks(LOCK), "another run")


# -- The command --------------------------------------------------------------------


def command(search: Search, script: str) -> list[str]:
    good, bad = map(str, search.configs)
    words = [sys.executable, "-m", "gen", "bisect", "--good", good, "--bad", bad]
    words += ["--test", script]  # in the default folder
    tree = kernel_tree(PAIR)
    words += ["--kdir", str(tree.source), "--make", f"O={tree.output}"]
    return [*words, "--make", "ARCH=x86_64", "--cache", str(KEPT / "cache")]


def running(process: int) -> bool:
    """Whether it is there, and not dead while nobody has asked how it ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_an_interrupt_loses_nothing_and_leaves_nothing_running(
    search: Search, tmp_path: Path
) -> None:
    begun, go_on = tmp_path / "begun", tmp_path / "go-on"
    # The third config takes for ever, until it is allowed to end
    script = (
        f"echo >>{search.runs}; test -e {go_on} || "
        f"test $(wc -l <{search.runs}) -lt 3 || "
        f"{{ sleep 200 & echo $! >{begun}.new; mv {begun}.new {begun}; wait; }}; "
        f"{breaks('CONFIG_KFENCE=y')}"
    )
    environment = clean_environment()
    with subprocess.Popen(
        command(search, script),
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        end = time.monotonic() + 300
        while not begun.exists() and process.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
    assert process.returncode == 2 and "interrupted" in err and not out, err
    sleeper = int(begun.read_text())
    assert not running(sleeper)
    assert len(search.results) == 2
    assert sorted(p.name for p in search.folder.iterdir()) == [
        "candidate.config",
        "log",
        "runs",
    ]
    go_on.touch()
    result = subprocess.run(
        command(search, script),
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "CONFIG_KFENCE: n -> y" in result.stdout
    # one test was interrupted, and the first two are not run again
    assert search.count == 1 + len(search.results)
    assert " to the next culprit: " in result.stderr
