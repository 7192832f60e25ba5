# SPDX-License-Identifier: GPL-2.0-only
"""Faults and bad input: a clear message, exit code 2, and the .config unharmed."""

import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time

import pytest
from small_tree import ENTRIES, UNMET, make_tree, settle, write_catalogue
from surroundings import ROOT, clean_environment

CONFIG = '# a comment of the user\nCONFIG_LABEL="mine"\n# CONFIG_EXPERT is not set\n'
FAULT = 2


# -- Small trees, and the two ways to run -----------------------------------------


@pytest.fixture(scope="session")
def template(kernel_tree, tmp_path_factory):
    return make_tree(kernel_tree("6.12"), tmp_path_factory.mktemp("small") / "linux")


@pytest.fixture(scope="session")
def output(template, tmp_path_factory):
    """An output folder of the template, with conf but without a .config."""
    folder = tmp_path_factory.mktemp("output")
    settle(template, f"O={folder}")
    (folder / ".config").unlink()
    return folder


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory):
    return write_catalogue(tmp_path_factory.mktemp("few") / "catalogue", ENTRIES)


@pytest.fixture
def tree(template, tmp_path):
    """A fresh small tree with a .config of the user's."""
    folder = tmp_path / "linux"
    shutil.copytree(template, folder, symlinks=True)
    (folder / ".config").write_text(CONFIG, encoding="utf-8")
    return folder


class Run:
    """A finished run: `code`, `out` and `err`."""

    def __init__(self, words, **environment):
        result = subprocess.run(
            words,
            env=clean_environment(**environment),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        self.code = result.returncode
        self.out = result.stdout.decode("utf-8", "surrogateescape")
        self.err = result.stderr.decode("utf-8", "surrogateescape")

    def failed(self, *words):
        """It was a fault that the message explains with all of `words`."""
        assert self.code == FAULT, (self.code, self.out, self.err)
        assert "Traceback" not in self.err, self.err
        for word in words:
            assert str(word) in self.err, self.err
        return self

    def worked(self):
        assert self.code == 0, (self.code, self.err)
        assert "Traceback" not in self.err, self.err
        return self


@pytest.fixture
def gen_words(catalogue):
    """Words that run the generator with the small catalogue."""

    def words(kdir, *more, level="low"):
        program = [sys.executable, "-m", "gen", "--catalogue", catalogue, "config"]
        return [*program, "--level", level, "--kdir", kdir, *more]

    return words


@pytest.fixture
def gen(gen_words):
    def run(kdir, *more, **environment):
        return Run(gen_words(kdir, *more), **environment)

    return run


def make(*words, **environment):
    """The target of the Makefile, which reads the real catalogue."""
    return Run(["make", "hardenedlowconfig", *words], **environment)


def names(folder):
    """What is in a folder, but for what the kernel's make leaves there anyway.

    That includes .tmp_NUMBER of compiler tests that an interrupt has ended.
    """
    own = {"scripts", "source", "Makefile", ".gitignore", "include", "arch"}
    found = sorted(p.name for p in folder.iterdir() if p.name not in own)
    return [name for name in found if not name.startswith(".tmp_")]


class Unharmed:
    """Shows on leaving that a config and the names beside it are as they were."""

    def __init__(self, config):
        self.config = config

    def __enter__(self):
        self.text = self.config.read_bytes()
        self.names = names(self.config.parent)

    def __exit__(self, kind, *_):
        if kind is None:
            assert self.config.read_bytes() == self.text
            assert names(self.config.parent) == self.names


def namespace(setup, words):
    """The words that run `words` in a mount namespace of their own, after `setup`."""
    return ["unshare", "-m", "sh", "-ec", f'{setup}\nexec "$@"', "sh", *words]


def can_mount():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    probe = namespace("mount -t tmpfs none /mnt", ["true"])
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


needs_mount = pytest.mark.skipif(
    not can_mount(), reason="needs root and mount namespaces (unshare -m)"
)


# -- The kernel tree --------------------------------------------------------------


@pytest.mark.parametrize("start", ["gen", "make"])
def test_no_such_kdir(gen, start, tmp_path):
    kdir = tmp_path / "nowhere"
    run = gen(kdir) if start == "gen" else make(f"KDIR={kdir}")
    run.failed(kdir, "no such folder", "KDIR")
    assert not kdir.exists()


@pytest.mark.parametrize("start", ["gen", "make"])
def test_kdir_is_a_file(gen, start, tmp_path):
    kdir = tmp_path / "file"
    kdir.write_text("text", encoding="utf-8")
    run = gen(kdir) if start == "gen" else make(f"KDIR={kdir}")
    run.failed(kdir, "not a folder")


@pytest.mark.parametrize("start", ["gen", "make"])
def test_kdir_is_no_kernel(gen, start, tmp_path):
    (tmp_path / "Makefile").write_text("olddefconfig:\n\ttouch ran\n", encoding="utf-8")
    run = gen(tmp_path) if start == "gen" else make(f"KDIR={tmp_path}")
    run.failed(tmp_path, "not a kernel tree", "Kconfig")
    assert names(tmp_path) == []


@pytest.mark.parametrize("start", ["gen", "make"])
def test_unknown_architecture(gen, start, tree):
    with Unharmed(tree / ".config"):
        if start == "gen":
            gen(tree, "--make", "ARCH=vax").failed(tree, "vax")
        else:
            make(f"KDIR={tree}", "ARCH=vax").failed(tree, "vax")


def test_missing_compiler(gen, tree):
    with Unharmed(tree / ".config"):
        run = gen(tree, "--make", "CROSS_COMPILE=no-such-target-")
        run.failed("no-such-target-gcc")


def test_a_mistake_in_the_trees_kconfig(gen, tree):
    with open(tree / "Kconfig", "a", encoding="utf-8") as file:
        file.write("config BROKEN\n\tboool\n")
    with Unharmed(tree / ".config"):
        gen(tree).failed(tree, "Kconfig:")


@needs_mount
@pytest.mark.parametrize("start", ["gen", "make"])
def test_read_only_tree(gen_words, start, tree):
    words = gen_words(tree)
    if start == "make":
        words = ["make", "hardenedlowconfig", f"KDIR={tree}"]
    setup = f"mount --bind '{tree}' '{tree}'; mount -o remount,bind,ro '{tree}'"
    with Unharmed(tree / ".config"):
        Run(namespace(setup, words)).failed(tree, "O=")


@needs_mount
def test_read_only_tree_with_an_output_folder(gen_words, tree, tmp_path):
    (tree / ".config").unlink()
    words = gen_words(tree, "--make", f"O={tmp_path}/out")
    setup = f"mount --bind '{tree}' '{tree}'; mount -o remount,bind,ro '{tree}'"
    Run(namespace(setup, words)).worked()
    assert (tmp_path / "out/.config").is_file()
    assert not (tree / ".config").exists()


# -- Configs and other files ------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "CONFIG_EXPERT",
        "CONFIG_EXPERT=maybe",
        "rubbish",
        'CONFIG_LABEL="open',
        "CONFIG-A=y",
    ],
)
@pytest.mark.parametrize("where", [".config", "BASE"])
def test_broken_line(gen, tree, tmp_path, line, where):
    file = tree / ".config" if where == ".config" else tmp_path / "base"
    file.write_text(f"{CONFIG}{line}\nCONFIG_DEVMEM=y\n", encoding="utf-8")
    with Unharmed(tree / ".config"):
        more = [] if where == ".config" else ["--base", file]
        gen(tree, *more).failed(f"{file}:4:", line)


def test_all_broken_lines_are_told_at_once(tree):
    (tree / ".config").write_text("one\nCONFIG_EXPERT=y\ntwo\n", encoding="utf-8")
    with Unharmed(tree / ".config"):
        config = tree / ".config"
        make(f"KDIR={tree}").failed(f"{config}:1:", f"{config}:3:")


def test_base_is_missing(tree, tmp_path):
    base = tmp_path / "no base"
    with Unharmed(tree / ".config"):
        make(f"KDIR={tree}", f"BASE={base}").failed(base, "No such file")


def test_base_is_a_folder(gen, tree, tmp_path):
    with Unharmed(tree / ".config"):
        gen(tree, "--base", tmp_path).failed(tmp_path, "directory")


def test_report_into_a_missing_folder(tree, tmp_path):
    report = tmp_path / "missing/report.json"
    with Unharmed(tree / ".config"):
        make(f"KDIR={tree}", f"REPORT={report}").failed(report, "No such file")
    assert not report.parent.exists()


def test_report_is_a_folder(gen, tree, tmp_path):
    report = tmp_path / "report"
    report.mkdir()
    with Unharmed(tree / ".config"):
        gen(tree, "--report", report).failed(report)
    assert names(tmp_path) == ["linux", "report"]


def test_report_to_a_device_does_not_replace_it(gen, tree, tmp_path):
    """REPORT=/dev/stdout and /dev/null are what people write."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open(os.open(pipe, os.O_RDWR), "rb") as reader:
        # room for the report of a small tree is in the pipe itself
        gen(tree, "--report", pipe)
        assert stat.S_ISFIFO(os.stat(pipe).st_mode)
        os.set_blocking(reader.fileno(), False)
        report = reader.read1()
        assert not report or json.loads(report)["level"] == "low"


def test_report_through_a_symbolic_link(gen, tree, tmp_path):
    (tmp_path / "link").symlink_to("real.json")
    gen(tree, "--report", tmp_path / "link").worked()
    assert json.loads((tmp_path / "link").read_text())["level"] == "low"


def test_config_is_a_folder(gen, tree):
    (tree / ".config").unlink()
    (tree / ".config").mkdir()
    before = names(tree)
    gen(tree).failed(tree / ".config", "directory")
    assert (tree / ".config").is_dir()
    assert names(tree) == before


def test_catalogue_with_mistakes(tree, tmp_path):
    folder = write_catalogue(
        tmp_path / "bad", {"CONFIG_X=maybe": "", "CONFIG_Y=y": "No: x"}
    )
    words = [sys.executable, "-m", "gen", "--catalogue", folder, "config"]
    with Unharmed(tree / ".config"):
        run = Run([*words, "--level", "low", "--kdir", tree])
        run.failed(f"{folder}/entries.rst:4:", "maybe", "unknown field 'No'")


@pytest.mark.parametrize(
    "words", [["--level", "utmost"], ["--level", "low", "--make", "V=1"]]
)
def test_mistakes_on_the_command_line(tree, words):
    with Unharmed(tree / ".config"):
        program = [sys.executable, "-m", "gen", "config", "--kdir", tree]
        Run([*program, *words]).failed(words[-1])


# -- The same as conf -------------------------------------------------------------


def _plain(folder):
    folder.joinpath(".config").write_text(CONFIG, encoding="utf-8")


def _absent(folder):
    del folder


def _link(folder):
    (folder / "kept").write_text(CONFIG, encoding="utf-8")
    (folder / ".config").symlink_to("kept")


def _absolute_link(folder):
    (folder / "kept").write_text(CONFIG, encoding="utf-8")
    (folder / ".config").symlink_to(folder / "kept")


def _link_to_link(folder):
    _link(folder)
    (folder / ".config").rename(folder / "first")
    (folder / ".config").symlink_to("first")


def _dangling(folder):
    (folder / ".config").symlink_to("new")


def _old_is_there(folder):
    _plain(folder)
    (folder / ".config.old").write_text("older\n", encoding="utf-8")


def _dos(folder):
    (folder / ".config").write_bytes(CONFIG.replace("\n", "\r\n").encode())


def _latin1(folder):
    text = CONFIG.replace("comment", "café").replace("mine", "größer")
    (folder / ".config").write_bytes(text.encode("latin-1"))


def _twice(folder):
    (folder / ".config").write_text(CONFIG + 'CONFIG_LABEL="last"\n', encoding="utf-8")


def _no_newline(folder):
    (folder / ".config").write_text(CONFIG + 'CONFIG_LABEL="last"', encoding="utf-8")


def _shape(folder):
    """Names with their kinds, link targets and contents."""
    found = {}
    for name in names(folder):
        path = folder / name
        if path.is_symlink():
            target = os.readlink(path)
            found[name] = "->", target.replace(str(folder), "")
        else:
            found[name] = oct(path.stat().st_mode), path.read_bytes()
    return found


@pytest.mark.parametrize("overwrite", ["", "1"])
@pytest.mark.parametrize(
    "prepare",
    [
        _plain,
        _absent,
        _link,
        _absolute_link,
        _link_to_link,
        _dangling,
        _old_is_there,
        _dos,
        _latin1,
        _twice,
        _no_newline,
    ],
)
def test_as_conf_does(template, output, tmp_path, prepare, overwrite):
    """With nothing to ask for, a run does to the files what olddefconfig does."""
    nothing = write_catalogue(tmp_path / "nothing", {"CONFIG_ABSENT=y": ""})
    words = [sys.executable, "-m", "gen", "--catalogue", nothing, "config"]
    environment = {"KCONFIG_OVERWRITECONFIG": overwrite} if overwrite else {}
    shapes = []
    for who in ("conf", "gen"):
        folder = tmp_path / who
        shutil.copytree(output, folder, symlinks=True)
        prepare(folder)
        if who == "conf":
            goal = settle
            if prepare in (_absent, _dangling):
                # without a .config we begin with the defconfig, as people do
                goal = _defconfig
            assert goal(template, f"O={folder}", **environment).returncode == 0
        else:
            more = ["--level", "low", "--kdir", template, "--make", f"O={folder}"]
            Run([*words, *more], **environment).worked()
        shapes.append(_shape(folder))
    if overwrite:
        # conf keeps no old file then; that we keep one does no harm
        for shape in shapes:
            for name in ("kept.old", ".config.old"):
                shape.pop(name, None)
    assert shapes[0] == shapes[1]


def _defconfig(folder, *words, **environment):
    return subprocess.run(
        ["make", "-s", "-C", folder, *words, "defconfig"],
        env=clean_environment(**environment),
        capture_output=True,
        check=False,
    )


def test_without_a_change_the_old_config_stays(gen, tree):
    """conf leaves both files alone then; the user's first .config is in the old one."""
    gen(tree).worked()
    first = (tree / ".config").read_bytes()
    assert (tree / ".config.old").read_text(encoding="utf-8") == CONFIG
    gen(tree).worked()
    assert (tree / ".config").read_bytes() == first
    assert (tree / ".config.old").read_text(encoding="utf-8") == CONFIG


@pytest.mark.parametrize("name", ["other", "sub/other"])
def test_another_name_for_the_config(gen, tree, name):
    with Unharmed(tree / ".config"):
        gen(tree, "--make", f"KCONFIG_CONFIG={tree}/{name}").worked()
        assert "CONFIG_WALL=y" in (tree / name).read_text(encoding="utf-8")
        (tree / name).unlink()
        if (tree / name).parent != tree:
            (tree / name).parent.rmdir()


def test_another_name_through_make(tree):
    with Unharmed(tree / ".config"):
        make(f"KDIR={tree}", "KCONFIG_CONFIG=other").worked()
        assert "CONFIG_STRICT_DEVMEM=y" in (tree / "other").read_text(encoding="utf-8")
        (tree / "other").unlink()


# -- Odd surroundings -------------------------------------------------------------


def test_names_with_spaces(tree, tmp_path):
    base, report = tmp_path / "my base", tmp_path / "my report"
    base.write_text('CONFIG_LABEL="from base"\n', encoding="utf-8")
    make(f"KDIR={tree}", f"BASE={base}", f"REPORT={report}").worked()
    assert 'CONFIG_LABEL="from base"' in (tree / ".config").read_text(encoding="utf-8")
    assert json.loads(report.read_text(encoding="utf-8"))["source"] == str(base)


@pytest.mark.parametrize("start", ["gen", "make"])
def test_an_output_folder_with_a_space(gen, start, tree, tmp_path):
    """The kernel's own make cannot have that; here it gets a message."""
    output = tmp_path / "out put"
    output.mkdir()
    (tree / ".config").unlink()
    if start == "gen":
        gen(tree, "--make", f"O={output}").failed(output)
    else:
        make(f"KDIR={tree}", f"O={output}").failed(output)
    assert names(tmp_path) == ["linux", "out put"]


@pytest.mark.parametrize(
    "name, locale",
    [
        ("it's", "C"),
        ("a$b `c`", "POSIX"),
        ("größe", "C"),
        ("größe", "xx_XX.nonsense"),
        ("caf\udce9", "C"),  # a Latin-1 name
        ("caf\udce9", "C.UTF-8"),
    ],
)
def test_odd_names_and_locales(gen, tree, tmp_path, name, locale):
    base = tmp_path / name
    base.write_text('CONFIG_LABEL="x"\n', encoding="utf-8")
    report = tmp_path / f"{name}.json"
    gen(tree, "--base", base, "--report", report, LC_ALL=locale).worked()
    assert json.loads(report.read_text(encoding="utf-8"))["level"] == "low"


def test_a_quote_in_a_name_through_make(tree, tmp_path):
    base = tmp_path / "it's a; touch ran"
    base.write_text('CONFIG_LABEL="x"\n', encoding="utf-8")
    make(f"KDIR={tree}", f"BASE={base}").worked()
    assert not (ROOT / "ran").exists()


@pytest.mark.parametrize("flags", ["-j4", "-k", "-j4 -k --no-print-directory", "-e"])
def test_below_another_make(tree, tmp_path, flags):
    outer = tmp_path / "outer.mk"
    text = f"all:\n\t$(MAKE) -C '{ROOT}' hardenedlowconfig KDIR='{tree}'\n"
    outer.write_text(text, encoding="utf-8")
    run = Run(["make", *flags.split(), "-f", outer, "all"]).worked()
    assert "settings:" in run.out
    assert "CONFIG_STRICT_DEVMEM=y" in (tree / ".config").read_text(encoding="utf-8")


def test_a_fault_below_another_make(tree, tmp_path):
    outer = tmp_path / "outer.mk"
    text = f"all:\n\t$(MAKE) -C '{ROOT}' hardenedlowconfig KDIR='{tree}' ARCH=vax\n"
    outer.write_text(text, encoding="utf-8")
    with Unharmed(tree / ".config"):
        Run(["make", "-k", "-f", outer, "all"]).failed("vax")


@pytest.mark.parametrize(
    "environment",
    [
        {"KCONFIG_ALLCONFIG": "/nonexistent"},
        {"KCONFIG_NOSILENTUPDATE": "1"},
        {"KCONFIG_SEED": "1", "KBUILD_VERBOSE": "1"},
        {"CDPATH": "/tmp", "GREP_OPTIONS": "-v", "POSIXLY_CORRECT": "1"},
        {"PYTHONHASHSEED": "1", "PYTHONOPTIMIZE": "2"},
        {"HOME": "/nonexistent"},
        {"MAKEFLAGS": "kj2", "MAKELEVEL": "3"},
        {"CONFIG_LABEL": "other", "CONFIG_": "MY_"},
    ],
    ids=lambda e: "+".join(e),
)
def test_environment_makes_no_difference(gen, tree, tmp_path, environment):
    gen(tree).worked()
    plain = (tree / ".config").read_bytes()
    (tree / ".config").write_text(CONFIG, encoding="utf-8")
    gen(tree, **environment).worked()
    assert (tree / ".config").read_bytes() == plain


@pytest.mark.parametrize("where", ["closed", "/dev/full"])
def test_nobody_reads_the_report(gen_words, tree, where):
    """The .config is complete or as it was, and there is no traceback."""
    words = gen_words(tree)
    tail = "| true" if where == "closed" else "> /dev/full"
    run = Run(["sh", "-c", f'"$@" {tail}', "sh", *words])
    assert "Traceback" not in run.err and "Exception ignored" not in run.err
    text = (tree / ".config").read_text(encoding="utf-8")
    assert text == CONFIG or "CONFIG_WALL=y" in text


# -- Nothing is executed ----------------------------------------------------------


def test_a_config_is_not_executed(tree, tmp_path):
    mark = tmp_path / "ran"
    label = f"$(shell touch {mark}) `touch {mark}` $(touch {mark}) ; touch {mark}"
    base = tmp_path / "base"
    base.write_text(
        f'CONFIG_LABEL="{label}"\n# $(shell touch {mark})\n', encoding="utf-8"
    )
    make(f"KDIR={tree}", f"BASE={base}").worked()
    assert not mark.exists()
    assert f'CONFIG_LABEL="{label}"\n' in (tree / ".config").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "form", ["$(shell touch {0})", "`touch {0}`", "CONFIG_A=$(touch {0})"]
)
def test_a_broken_line_is_not_executed(tree, tmp_path, form):
    mark = tmp_path / "ran"
    (tree / ".config").write_text(form.format(mark) + "\n", encoding="utf-8")
    with Unharmed(tree / ".config"):
        make(f"KDIR={tree}").failed(f"{tree}/.config:1:")
    assert not mark.exists()


def test_python_files_in_a_tree_are_not_loaded(gen, tree, tmp_path):
    """Kconfiglib would import kconfigfunctions.py, and Python what is in sys.path."""
    mark = tmp_path / "ran"
    for name in ("kconfigfunctions", "docutils", "kconfiglib", "json"):
        text = f"open({str(mark)!r}, 'w')\n"
        (tree / f"{name}.py").write_text(text, encoding="utf-8")
    gen(tree, KCONFIG_FUNCTIONS="kconfigfunctions").worked()
    assert not mark.exists()


# -- Interrupts, two at once ------------------------------------------------------


def _wait_for_end(process):
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("target", ["group", "process"])
def test_interrupted(gen_words, tree, signum, target):
    """At many moments of a run: the old .config or the new one, and no scratch."""
    _interrupt_at_moments(gen_words(tree), tree / ".config", signum, target, 8)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_make_is_interrupted(tree, signum):
    words = ["make", "hardenedlowconfig", f"KDIR={tree}"]
    _interrupt_at_moments(words, tree / ".config", signum, "group", 4)


@pytest.mark.xdist_group("6.12-x86_64")
def test_interrupted_on_a_whole_kernel(kernel_tree, shared_scratch, tmp_path):
    """The same where conf and its compiler tests run for seconds."""
    config = tmp_path / ".config"
    config.write_text("CONFIG_64BIT=y\n", encoding="utf-8")
    words = [sys.executable, "-m", "gen", "config", "--level", "high"]
    words += ["--kdir", kernel_tree("6.12"), "--make", f"O={tmp_path}"]
    words += ["--cache", shared_scratch / "cache"]
    _interrupt_at_moments(words, config, signal.SIGINT, "group", 4)


def _interrupt_at_moments(words, config, signum, target, moments):
    old = config.read_bytes()
    first = time.monotonic()
    Run(words).worked()
    first = time.monotonic()  # the second run, with conf built, gives the pace
    new = config.read_bytes()
    (config.parent / ".config.old").unlink()
    config.write_bytes(old)
    Run(words).worked()
    pace = time.monotonic() - first
    (config.parent / ".config.old").unlink()
    config.write_bytes(old)
    before = names(config.parent)
    codes = set()
    for i in range(moments):
        process = subprocess.Popen(
            words,
            env=clean_environment(),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        time.sleep(pace * (i + 0.5) / moments)
        if target == "group":
            os.killpg(process.pid, signum)
        else:
            process.send_signal(signum)
        _, err = _wait_for_end(process)
        codes.add(process.returncode)
        after = config.read_bytes()
        assert after in (old, new)
        # Python's own start is not ours to guard
        assert b"Traceback" not in err or b"/gen/" not in err, err.decode()
        if after == new:
            (config.parent / ".config.old").unlink()
            config.write_bytes(old)
        _settles(lambda: names(config.parent) == before, config.parent)
        # A Python that is not yet at our own code dies of the signal; so does make.
        assert process.returncode in (0, FAULT, -signum, 128 + signum), err.decode()
    assert codes != {0}


def _settles(condition, folder):
    """Compiler tests of an interrupted conf may need a moment to tidy up."""
    for _ in range(30):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"left behind: {names(folder)}")


def test_two_at_once(gen_words, tree):
    """One waits or is refused; the .config is whole either way."""
    words = gen_words(tree)
    runs = [
        subprocess.Popen(
            words,
            env=clean_environment(),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ends = [(_wait_for_end(run)[1], run.returncode) for run in runs]
    assert 0 in [code for _, code in ends]
    for err, code in ends:
        assert code == 0 or (code == FAULT and str(tree) in err and "another" in err)
    assert "CONFIG_WALL=y" in (tree / ".config").read_text(encoding="utf-8")
    assert names(tree) == [".config", ".config.old", "Kconfig"]


def test_a_second_run_is_refused_while_one_is_at_work(gen, tree):
    folder = os.open(tree, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with Unharmed(tree / ".config"):
            gen(tree).failed(tree, "another run")
    finally:
        os.close(folder)
    gen(tree).worked()


# -- A full disk ------------------------------------------------------------------


@needs_mount
def test_full_disk(gen_words, template, tmp_path):
    """From no room at all to enough: a fault with the old .config, or success.

    The output folder is a small file system of its own, with conf in it already.
    """
    words = gen_words(template, "--make", f"O={tmp_path}/disk")
    words += ["--report", tmp_path / "disk/report.json"]
    (tmp_path / "disk").mkdir()
    script = tmp_path / "script"
    script.write_text(FULL_DISK, encoding="utf-8")
    run = Run(["unshare", "-m", "sh", script, tmp_path / "disk", CONFIG, *words])
    assert run.code == 0, (run.out, run.err)
    results = [line.split() for line in run.out.splitlines() if line.startswith("at ")]
    codes = [code for _, _, code in results]
    assert codes[0] == "2" and codes[-1] == "0", run.out
    assert set(codes) == {"0", "2"}
    assert "No space left" in run.out


#: Prints "at KB CODE" for each amount of free space; fails when something is wrong.
FULL_DISK = r"""
set -eu
disk=$1 config=$2
shift 2
mount -t tmpfs -o size=4m none "$disk"
fresh() {
    rm -f "$disk/filler" "$disk/report.json" "$disk/.config.old"
    printf %s "$config" >"$disk/.config"
}
fresh
"$@" >/dev/null   # builds conf
cp "$disk/.config" "$disk.wanted"
for free in 0 4 8 12 16 24 32 64 256; do
    fresh
    ls -A "$disk" >"$disk.before"
    room=$(($(stat -f -c '%a * %S / 1024' "$disk") - free))
    dd if=/dev/zero of="$disk/filler" bs=1k count=$room 2>/dev/null
    code=0
    "$@" >/dev/null 2>"$disk.err" || code=$?
    echo "at $free $code"
    cat "$disk.err"
    rm -f "$disk/filler"
    ! grep -q Traceback "$disk.err"
    if [ $code = 0 ]; then
        cmp "$disk/.config" "$disk.wanted"
        [ -s "$disk/report.json" ]
    else
        printf %s "$config" | cmp - "$disk/.config"
        ls -A "$disk" | diff "$disk.before" -
    fi
done
"""


@needs_mount
def test_no_room_to_build_conf(gen_words, template, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    words = gen_words(template, "--make", f"O={disk}")
    setup = f"mount -t tmpfs -o size=64k none '{disk}'"
    Run(namespace(setup, words)).failed(template, "make failed")


@needs_mount
def test_a_full_disk_spoils_no_later_run(gen_words, template, tmp_path):
    """Compiler tests fail on a full disk; their results must not be remembered."""
    disk, cache = tmp_path / "disk", tmp_path / "cache"
    disk.mkdir()
    words = gen_words(template, "--make", f"O={disk}", "--cache", cache)
    words += ["--report", tmp_path / "report.json"]
    script = r"""
    set -eu
    disk=$1 cache=$2
    shift 2
    mount -t tmpfs -o size=4m none "$disk"
    "$@" >/dev/null
    rm -rf "$cache" "$disk/.config"*
    dd if=/dev/zero of="$disk/filler" 2>/dev/null || :
    code=0
    "$@" >/dev/null 2>&1 || code=$?
    [ $code = 2 ]
    rm -f "$disk/filler"
    "$@"
    """
    Run(["unshare", "-m", "sh", "-c", script, "sh", disk, cache, *words]).worked()
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    wall = next(s for s in report["settings"] if s["setting"] == "CONFIG_WALL")
    assert (wall["verdict"], wall["got"]) == ("ok", "y")


# -- STRICT, and what the user has that is stronger -------------------------------


def pin_label(tree):
    """Keep what HIDDEN needs out of reach."""
    text = CONFIG.replace("CONFIG_LABEL", "# keep\nCONFIG_LABEL")
    (tree / ".config").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("strict, code", [([], 0), (["--strict"], 1)])
def test_strict(tree, tmp_path, strict, code):
    """A setting that fails: the .config is written, the exit code tells."""
    pin_label(tree)
    folder = write_catalogue(tmp_path / "unmet", {UNMET: "", "CONFIG_WALL=y": ""})
    words = [sys.executable, "-m", "gen", "--catalogue", folder, "config"]
    run = Run([*words, "--level", "low", "--kdir", tree, *strict])
    assert run.code == code, run.err
    assert "fail" in run.out and "Kconfig:" in run.out
    assert "CONFIG_WALL=y" in (tree / ".config").read_text(encoding="utf-8")


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_strict_without_a_failure(gen, tree, strict):
    gen(tree, *strict).worked()


@pytest.mark.parametrize(
    "word, code", [("STRICT=1", 2), ("STRICT=0", 0), ("STRICT=", 0)]
)
def test_strict_through_make(tree, word, code):
    """VMAP_STACK is a Low setting of the real catalogue; here a pin is in its way."""
    pin_label(tree)
    with open(tree / "Kconfig", "a", encoding="utf-8") as file:
        file.write('config VMAP_STACK\n\tbool "x"\n\tdepends on LABEL = "open"\n')
    run = make(f"KDIR={tree}", word)
    assert run.code == code, (run.out, run.err)
    assert "fail     CONFIG_VMAP_STACK" in run.out


def _settings(report):
    rows = json.loads(report.read_text(encoding="utf-8"))["settings"]
    return {row["entry"]: (row["verdict"], row["got"]) for row in rows}


@pytest.mark.parametrize(
    "base, entry, result",
    [
        ("CONFIG_LOCK_CONFIDENTIALITY=y", "CONFIG_LOCK_INTEGRITY=y", ("stronger", "n")),
        ("# CONFIG_DEVMEM is not set", "CONFIG_STRICT_DEVMEM=y", ("stronger", "n")),
        ("CONFIG_MIN_ADDR=98304", "CONFIG_MIN_ADDR>=65536", ("ok", "98304")),
        ("CONFIG_MIN_ADDR=4096", "CONFIG_MIN_ADDR>=65536", ("ok", "65536")),
        (
            'CONFIG_LSM="tomoyo,lockdown,a"',
            'CONFIG_LSM contains "yama"',
            ("ok", "tomoyo,lockdown,a,yama"),
        ),
        (
            'CONFIG_LSM="yama,lockdown"',
            'CONFIG_LSM contains "yama"',
            ("ok", "yama,lockdown"),
        ),
        ('CONFIG_LSM=""', 'CONFIG_LSM contains "yama"', ("ok", "yama")),
    ],
)
def test_what_is_stronger_stays(gen, tree, tmp_path, base, entry, result):
    (tree / ".config").write_text(f"{base}\n", encoding="utf-8")
    gen(tree, "--report", tmp_path / "report.json").worked()
    assert _settings(tmp_path / "report.json")[entry] == result


@pytest.mark.xdist_group("6.12-x86_64")
def test_what_is_stronger_stays_in_a_whole_kernel(kernel_tree, tmp_path):
    """The real catalogue at High, on a base that goes beyond it."""
    base = tmp_path / "base"
    lines = [
        "CONFIG_64BIT=y",
        "CONFIG_SECURITY=y",
        "CONFIG_SECURITY_LOCKDOWN_LSM=y",
        "CONFIG_SECURITY_LOCKDOWN_LSM_EARLY=y",
        "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y",
        "CONFIG_DEFAULT_MMAP_MIN_ADDR=131072",
        'CONFIG_LSM="integrity,apparmor,lockdown"',
    ]
    base.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = [sys.executable, "-m", "gen", "config", "--level", "high"]
    words += ["--kdir", kernel_tree("6.12"), "--make", f"O={tmp_path}", "--base", base]
    Run([*words, "--report", tmp_path / "report.json"]).worked()
    config = (tmp_path / ".config").read_text(encoding="utf-8").splitlines()
    assert "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY=y" in config
    assert "CONFIG_DEFAULT_MMAP_MIN_ADDR=131072" in config
    lsm = next(line for line in config if line.startswith("CONFIG_LSM="))
    items = lsm.split('"')[1].split(",")
    assert items[:3] == ["integrity", "apparmor", "lockdown"]
    assert "yama" in items and len(set(items)) == len(items)
    settings = _settings(tmp_path / "report.json")
    integrity = settings["CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY=y"]
    assert integrity == ("stronger", "n")
