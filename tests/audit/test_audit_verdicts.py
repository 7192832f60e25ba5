# SPDX-License-Identifier: GPL-2.0-only
"""What hardened-audit says of a kernel, class by class of what auditors get wrong.

Each test changes a real config by as little as its class needs, and has a control in
which the verdict is another one.  The numbers of reports are those that the classes
were gathered from: khc is kernel-hardening-checker.
"""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from audit_building import audit_json, audit_run
from surroundings import ROOT, kernel_source

from gen.catalogue import read_catalogue
from gen.settings import KCONFIG

SHARED_CONFIGS = ROOT.parent / "shared/configs"
CLANG = {"GCC_VERSION": "0", "CLANG_VERSION": "180108"}
GCC = {"GCC_VERSION": "120200", "CLANG_VERSION": "0"}
#: Enough lines, and one that always is there: a whole /proc/sys.
WHOLE = "kernel.ostype = Linux\n" + "".join(
    f"net.ipv4.conf.eth{i}.forwarding = 0\n" for i in range(300)
)

Answer = dict[str, Any]
Judged = Callable[..., Answer]


def shared(name: str) -> Path:
    """A config of a distribution, or what else is in that folder."""
    path = SHARED_CONFIGS / name
    if not path.exists():
        pytest.skip(f"no {name} in {SHARED_CONFIGS}")
    return path


def edited(text: str, version: str | None = None, **values: str | None) -> str:
    """A config whose heading and options are others; None: it has no line."""
    if version:
        heading = r"^(# Linux/\w+) \S+ (?=Kernel Configuration)"
        text, count = re.subn(heading, rf"\1 {version} ", text, flags=re.MULTILINE)
        assert count == 1
    for name, value in values.items():
        text = re.sub(
            rf"^(?:CONFIG_{name}=.*|# CONFIG_{name} is not set)\n",
            "",
            text,
            flags=re.MULTILINE,
        )
        line = f"CONFIG_{name}={value}\n"
        if value == "n":
            line = f"# CONFIG_{name} is not set\n"
        if value is not None:
            # behind the heading, that is the first empty line or option
            text = re.sub(r"(?m)^(?!#$|# )", lambda _, new=line: new, text, count=1)
    return text


def title(answer: Answer) -> str:
    """CONFIG_LSM contains "yama", sysctl:kernel.kptr_restrict=2"""
    wanted = answer["wanted"]
    if wanted.startswith("contains"):
        return f"{answer['setting']} {wanted}"
    return answer["setting"] + ("" if wanted.startswith(">") else "=") + wanted


def answer_of(report: Any, setting: str) -> Answer:
    found = [a for a in report["settings"] if setting in (a["setting"], title(a))]
    assert len(found) == 1, f"{setting}: {found}"
    return found[0]


@pytest.fixture(name="cloud")
def fixture_cloud(debian_config: Callable[..., Path]) -> Path:
    return debian_config("6.12", "cloud", "amd64")


@pytest.fixture(name="old")
def fixture_old(debian_config: Callable[..., Path]) -> Path:
    return debian_config("6.1", "cloud", "amd64")


@pytest.fixture(name="report")
def fixture_report(tmp_path: Path) -> Callable[..., Any]:
    """report(config, "6.6.8", cmdline=..., sysctl=..., level=..., NAME="y")"""

    def report(
        base: Path,
        version: str | None = None,
        cmdline: str | None = None,
        sysctl: str | None = None,
        level: str = "extreme",
        **values: str | None,
    ) -> Any:
        config = tmp_path / "config"
        config.write_text(edited(base.read_text(), version, **values))
        words: list[str | Path] = ["--level", level]
        for option, text in (("--cmdline", cmdline), ("--sysctl", sysctl)):
            if text is not None:
                path = tmp_path / option.strip("-")
                path.write_text(f"{text}\n")
                words += [option, path]
        return audit_json(*words, config)

    return report


@pytest.fixture(name="judged")
def fixture_judged(report: Callable[..., Any]) -> Judged:
    """As report(), of one setting, which comes first."""
    return lambda setting, *what, **more: answer_of(report(*what, **more), setting)


def verdict(answer: Answer) -> tuple[str, str]:
    return answer["verdict"], answer["reason"]


# Symbols, names and versions


@lru_cache(maxsize=None)
def symbols_of(version: str) -> frozenset[str]:
    """All symbols that the Kconfig files of a tree define."""
    found: set[str] = set()
    define = re.compile(r"^\s*(?:menu)?config\s+(\w+)", re.MULTILINE)
    for top in sorted(kernel_source(version).iterdir()):
        files = top.rglob("Kconfig*") if top.is_dir() else iter([top])
        for file in files:
            if file.name.startswith("Kconfig") and file.is_file():
                found.update(define.findall(file.read_text(errors="replace")))
    return frozenset(found)


@lru_cache(maxsize=None)
def names() -> dict[str, set[str]]:
    """All names that the catalogue has for a symbol."""
    found: dict[str, set[str]] = {}
    for entry in read_catalogue(ROOT / "docs/catalogue"):
        if entry.setting.kind == KCONFIG:
            mine = found.setdefault(entry.setting.name, {entry.setting.name})
            mine.update(other.name for other in entry.other_names)
    return found


@pytest.mark.parametrize("version, flavour", [("6.1", "cloud"), ("6.12", "default")])
@pytest.mark.parametrize("arch", ["amd64", "arm64"])
def test_no_failure_names_what_the_tree_does_not_have(
    debian_config: Callable[..., Path], version: str, flavour: str, arch: str
) -> None:
    """A well-known checker: 23 of 132 on 6.1, 5 of 109 on 6.12.

    Also khc#71, stephrobert/pavois#113, ComplianceAsCode/content#10993 (a typo).
    """
    report = audit_json("--level=extreme", debian_config(version, flavour, arch))
    strange, absent = [], 0
    for answer in report["settings"]:
        if answer["kind"] != "kconfig":
            continue
        name = answer["setting"].removeprefix("CONFIG_")
        there = symbols_of(version) & names()[name]
        if answer["verdict"] in ("fail", "weaker", "unknown") and not there:
            strange.append(answer)
        if answer["verdict"] == "n/a" and answer["reason"].startswith("not in "):
            # which is there for some architectures only, by what it depends on
            assert not there or name == "LIVEPATCH", answer
            assert re.search(r"since \d|\d - \d|up to \d", answer["reason"]), answer
            absent += 1
    assert not strange
    assert absent >= 3


def test_a_failure_is_told_by_the_name_of_this_version(
    judged: Judged, old: Path
) -> None:
    """Or a reader looks for a symbol that the tree does not have."""
    for name in ("GCC_PLUGIN_STACKLEAK", "GCC_PLUGINS"):
        got = judged("CONFIG_KSTACK_ERASE", old, **{name: "n"})
        assert got["verdict"] == "fail"
        assert "GCC_PLUGIN_STACKLEAK" in got["reason"], name
    # the name of the title needs no words
    got = judged("CONFIG_KSTACK_ERASE", old, "6.17.1", KSTACK_ERASE="n")
    assert verdict(got) == ("fail", "")


@pytest.mark.parametrize(
    "now, then, renamed",
    [
        ("MITIGATION_RETHUNK", "RETHUNK", "6.9"),
        ("MITIGATION_RETPOLINE", "RETPOLINE", "6.9"),
        ("MITIGATION_PAGE_TABLE_ISOLATION", "PAGE_TABLE_ISOLATION", "6.9"),
        ("MITIGATION_SLS", "SLS", "6.9"),
    ],
)
def test_renamed_mitigations(
    judged: Judged, old: Path, cloud: Path, now: str, then: str, renamed: str
) -> None:
    """khc#117, khc#127, speed47/spectre-meltdown-checker#490"""
    setting = f"CONFIG_{now}"
    got = judged(setting, old, **{then: "y"})
    assert verdict(got) == ("ok", f"called {then} in 6.1.192")
    assert (got["got"], got["setting"]) == ("y", setting)
    assert judged(setting, old, **{then: "n"})["verdict"] == "fail"
    # the last version with the old name, the first with the new one
    last = judged(setting, old, "6.8.12", **{then: "y"})
    assert verdict(last) == ("ok", f"called {then} in 6.8.12")
    first = {then: None, now: "y"}
    assert verdict(judged(setting, cloud, f"{renamed}.0", **first)) == ("ok", "")
    assert judged(setting, cloud, **{now: "n", then: None})["verdict"] == "fail"


@pytest.mark.parametrize("suffix", ["", "_STRONG"])
@pytest.mark.parametrize("version", ["3.16.85", "4.17.19"])
def test_stack_protector_before_4_18(
    judged: Judged, old: Path, suffix: str, version: str
) -> None:
    """Also slimm609/checksec#170: options missed on 3.x."""
    setting = f"CONFIG_STACKPROTECTOR{suffix}"
    none = {"STACKPROTECTOR": None, "STACKPROTECTOR_STRONG": None}
    there = {f"CC_STACKPROTECTOR{suffix}": "y"}
    got = judged(setting, old, version, **none, **there)
    assert verdict(got) == ("ok", f"called CC_STACKPROTECTOR{suffix} in {version}")
    there = {f"CC_STACKPROTECTOR{suffix}": "n"}
    assert judged(setting, old, version, **none, **there)["verdict"] == "fail"
    assert verdict(judged(setting, old, "4.18.0")) == ("ok", "")


def test_stack_protector_of_a_telephone() -> None:
    report = audit_json("--level=extreme", shared("android_pixel-3a.config"))
    got = answer_of(report, "CONFIG_STACKPROTECTOR_STRONG")
    assert verdict(got) == ("ok", "called CC_STACKPROTECTOR_STRONG in 4.9.165")
    # which had no such thing yet
    landlock = answer_of(report, "CONFIG_SECURITY_LANDLOCK")
    assert landlock["verdict"] == "n/a" and "since 5.13" in landlock["reason"]


def test_renamed_plugin_and_what_became_unconditional(
    judged: Judged, old: Path
) -> None:
    """khc#71: X86_SMAP since 5.19, and RANDSTRUCT's new name."""
    setting = "CONFIG_RANDSTRUCT_FULL"
    got = judged(setting, old, "5.18.19", GCC_PLUGIN_RANDSTRUCT="y")
    assert verdict(got) == ("ok", "called GCC_PLUGIN_RANDSTRUCT in 5.18.19")
    assert judged(setting, old, "5.18.19")["verdict"] == "fail"

    assert judged("CONFIG_X86_SMAP", old, "5.18.19")["verdict"] == "fail"
    got = judged("CONFIG_X86_SMAP", old, "5.19.0")
    assert verdict(got) == ("ok", "always so (since 5.19), no symbol needed")


@pytest.mark.parametrize("value", ["n", None])
def test_ranges_go_down_to_point_releases(
    judged: Judged, old: Path, value: str | None
) -> None:
    """khc#97: DEBUG_CREDENTIALS left in 6.6.8."""
    setting = "CONFIG_DEBUG_CREDENTIALS"
    for version in ("6.6.7", "6.6.2", "6.5.13"):
        got = judged(setting, old, version, DEBUG_CREDENTIALS=value)
        assert got["verdict"] == "fail", version
    for version in ("6.6.8", "6.6.10", "6.6.102", "6.7.0", "6.10.1"):
        got = judged(setting, old, version, DEBUG_CREDENTIALS=None)
        assert verdict(got) == ("n/a", f"not in {version} (up to 6.6.7)")


def test_an_option_of_a_later_kernel_in_a_vendor_s(judged: Judged, old: Path) -> None:
    """A backport: the config contradicts the version, and wins."""
    setting = "CONFIG_LEGACY_TIOCSTI"
    assert verdict(judged(setting, old)) == ("n/a", "not in 6.1.192 (since 6.2)")
    for value, word in (("y", "fail"), ("n", "ok")):
        got = judged(setting, old, LEGACY_TIOCSTI=value)
        assert (got["verdict"], got["got"]) == (word, value)
        assert "LEGACY_TIOCSTI" in got["reason"] and "6.1.192" in got["reason"]
    assert verdict(judged(setting, old, "6.2.0", LEGACY_TIOCSTI="n")) == ("ok", "")
    # under a name that is not this version's
    got = judged("CONFIG_MITIGATION_SLS", old, SLS=None, MITIGATION_SLS="y")
    assert got["verdict"] == "ok" and "MITIGATION_SLS" in got["reason"]


def test_a_line_contradicts_that_something_is_always_on(
    judged: Judged, old: Path
) -> None:
    assert judged("CONFIG_X86_SMAP", old, X86_SMAP=None)["verdict"] == "ok"
    got = judged("CONFIG_X86_SMAP", old, X86_SMAP="n")
    assert (got["verdict"], got["got"]) == ("fail", "n")
    assert "6.1.192" in got["reason"]
    assert judged("CONFIG_X86_SMAP", old, X86_SMAP="y")["verdict"] == "ok"


def test_a_kernel_of_another_architecture(judged: Judged, cloud: Path) -> None:
    got = judged("CONFIG_ARM64_PTR_AUTH_KERNEL", cloud)
    assert verdict(got) == ("n/a", "for arm64 only")
    assert judged("CONFIG_X86_64", cloud)["verdict"] == "ok"


def test_riscv_is_understood() -> None:
    """khc#56, khc#172, armbian/build#6401"""
    report = audit_json(
        "--level=extreme", shared("Ubuntu_24.04_LTS_Noble_riscv64.config")
    )
    assert report["arch"] == "riscv"
    assert answer_of(report, "CONFIG_RISCV")["verdict"] == "ok"
    assert answer_of(report, "CONFIG_X86_UMIP")["verdict"] == "n/a"
    assert answer_of(report, "CONFIG_SHADOW_CALL_STACK")["verdict"] == "n/a"


# Absent is neither safe nor unsafe


def test_strict_devmem_without_devmem(judged: Judged, cloud: Path) -> None:
    """khc#1"""
    for name in ("STRICT_DEVMEM", "IO_STRICT_DEVMEM"):
        for value in (None, "n"):
            there = {"DEVMEM": "n", name: value}
            got = judged(f"CONFIG_{name}", cloud, **there)
            assert verdict(got) == ("stronger", "CONFIG_DEVMEM=n"), there
        got = judged(f"CONFIG_{name}", cloud, DEVMEM="y", **{name: None})
        assert got["verdict"] == "fail"


def test_a_parent_that_is_off_makes_nothing_safe(judged: Judged, cloud: Path) -> None:
    """khc#13: "OK: not found"; clearlinux/kernel-config-checker#1."""
    got = judged("CONFIG_UBSAN_BOUNDS", cloud, UBSAN="n")
    assert verdict(got) == ("fail", "needs CONFIG_UBSAN=y, which is n")
    got = judged("CONFIG_UBSAN_BOUNDS", cloud, UBSAN="y", UBSAN_BOUNDS="y")
    assert verdict(got) == ("ok", "")
    # What is to be off is off then, and the reason says why it has no line.
    got = judged("CONFIG_UBSAN_ALIGNMENT", cloud, UBSAN="n", UBSAN_ALIGNMENT=None)
    assert verdict(got) == ("ok", "off, like what it depends on")
    got = judged("CONFIG_UBSAN_ALIGNMENT", cloud, UBSAN="y", UBSAN_ALIGNMENT="y")
    assert got["verdict"] == "fail"


def test_a_missing_parent_has_no_place(report: Callable[..., Any], old: Path) -> None:
    for answer in report(old)["settings"]:
        assert not answer["where"].endswith(":0"), answer


def test_a_result_depends_on_nothing_unrelated(
    report: Callable[..., Any], debian_config: Callable[..., Path]
) -> None:
    """siderolabs/pkgs#1253: an arm64 failure, by another option's result."""
    config = debian_config("6.12", "cloud", "arm64")
    alone = {title(a): verdict(a) for a in report(config)["settings"]}
    other = {title(a): verdict(a) for a in report(config, WERROR="y")["settings"]}
    assert {t for t in alone if alone[t] != other[t]} == {"CONFIG_WERROR=y"}


def test_a_sysctl_of_what_is_compiled_out(judged: Judged, cloud: Path) -> None:
    """khc#125, khc#174, khc#152"""
    setting = "sysctl:kernel.yama.ptrace_scope"
    got = judged(setting, cloud, sysctl=WHOLE, SECURITY_YAMA="n")
    assert got["verdict"] == "n/a" and "CONFIG_SECURITY_YAMA=y" in got["reason"]
    got = judged(setting, cloud, sysctl=WHOLE)
    assert got["verdict"] == "unknown" and "this kernel has it" in got["reason"]
    assert "unchecked" not in got
    there = f"{WHOLE}kernel.yama.ptrace_scope = 3"
    assert judged(setting, cloud, sysctl=there)["verdict"] == "ok"
    # a kernel that is too old for it
    got = judged("sysctl:fs.protected_fifos", cloud, "4.18.0", sysctl=WHOLE)
    assert verdict(got) == ("n/a", "not in 4.18.0 (since 4.19)")


def test_a_sysctl_that_stands_for_nothing_any_more(judged: Judged, old: Path) -> None:
    setting = "sysctl:kernel.unprivileged_bpf_disabled"
    got = judged(setting, old, sysctl=WHOLE, BPF_SYSCALL="n")
    assert verdict(got) == ("stronger", "CONFIG_BPF_SYSCALL=n")
    assert judged(setting, old, sysctl=WHOLE)["verdict"] == "unknown"


def test_a_part_of_the_sysctls(judged: Judged, cloud: Path) -> None:
    """What a file of sysctl.d leaves out may be anything."""
    got = judged("sysctl:kernel.kptr_restrict", cloud, sysctl="kernel.panic = 5")
    assert got["verdict"] == "unknown" and "only a part" in got["reason"]


@pytest.mark.parametrize(
    "name", ["GCC_PLUGINS", "GCC_PLUGIN_LATENT_ENTROPY", "GCC_PLUGIN_STRUCTLEAK"]
)
def test_a_gcc_plugin_under_clang(judged: Judged, old: Path, name: str) -> None:
    setting = f"CONFIG_{name}"
    rest = {"INIT_STACK_ALL_ZERO": "n"}
    got = judged(setting, old, **CLANG, **rest)
    assert verdict(got) == ("n/a", "needs gcc; this is clang 18.1.8")
    got = judged(setting, old, **GCC, **rest)
    assert got["verdict"] == "fail"


def test_a_gcc_plugin_on_android(judged: Judged) -> None:
    config = shared("Android_15_6.6_aarch64.config")
    setting = "CONFIG_GCC_PLUGIN_LATENT_ENTROPY"
    got = judged(setting, config)
    assert verdict(got) == ("n/a", "needs gcc; this is clang 18.0.0")
    got = judged(setting, config, **GCC)
    assert got["verdict"] == "fail"
    # and the other way round
    assert judged("CONFIG_CFI", config)["verdict"] == "ok"
    got = judged("CONFIG_CFI", config, CFI_CLANG=None, **GCC)
    assert got["verdict"] == "n/a" and "this is gcc 12.2.0" in got["reason"]


# Unreadable is not missing


@pytest.mark.parametrize(
    "line",
    [
        "sysctl: permission denied on key 'fs.protected_fifos'",
        "sysctl: permission denied on key 'fs/protected_fifos'",
        'sysctl: permission denied on key "fs.protected_fifos"',
        "sysctl: error: permission denied on key 'fs.protected_fifos', ignoring",
        "sysctl: error reading key 'fs.protected_fifos': Permission denied",
        "grep: /proc/sys/fs/protected_fifos: Permission denied",
        "cat: /proc/sys/fs/protected_fifos: Operation not permitted",
    ],
)
def test_an_unreadable_sysctl(judged: Judged, cloud: Path, line: str) -> None:
    """khc#210, freedomofpress/securedrop#4217"""
    setting = "sysctl:fs.protected_fifos"
    got = judged(setting, cloud, sysctl=f"{line}\n{WHOLE}")
    assert verdict(got) == ("unknown", "permission denied")
    assert "unchecked" not in got
    assert re.search(r"/sysctl:1$", got["where"])
    # of that one sysctl alone
    got = judged("sysctl:fs.protected_regular", cloud, sysctl=f"{line}\n{WHOLE}")
    assert got["verdict"] == "unknown" and "denied" not in got["reason"]
    # somebody could read it
    both = f"{line}\n{WHOLE}fs.protected_fifos = 2\n{line}"
    assert judged(setting, cloud, sysctl=both)["verdict"] == "ok"


def test_noise_in_a_capture(report: Callable[..., Any], cloud: Path) -> None:
    """What sysctl says on stderr, between the lines and at both ends."""
    clean = f"{WHOLE}fs.protected_fifos = 2\nkernel.kptr_restrict = 1\n"
    noise = (
        'sysctl: reading key "net.ipv6.conf.all.stable_secret"\n'
        "sysctl: cannot stat /proc/sys/kernel/kptr_restrict2: No such file\n"
        "sysctl: permission denied on key 'kernel.cad_pid'\n"
    )
    loud = noise + clean.replace("fs.prot", f"{noise}fs.prot") + noise
    quiet, noisy = (report(cloud, sysctl=text) for text in (clean, loud))
    assert [verdict(a) for a in noisy["settings"]] == [
        verdict(a) for a in quiet["settings"]
    ]
    assert answer_of(noisy, "sysctl:fs.protected_fifos")["verdict"] == "ok"
    assert answer_of(noisy, "sysctl:kernel.kptr_restrict")["verdict"] == "weaker"
    without = report(cloud, sysctl=noise + WHOLE)
    assert answer_of(without, "sysctl:fs.protected_fifos")["verdict"] == "unknown"


def test_an_option_whose_sysctl_is_unreadable(judged: Judged, cloud: Path) -> None:
    setting = "CONFIG_SECURITY_DMESG_RESTRICT"
    denied = "sysctl: permission denied on key 'kernel.dmesg_restrict'\n"
    got = judged(setting, cloud, sysctl=denied + WHOLE)
    assert got["verdict"] == "unknown" and "permission denied" in got["reason"]
    assert got["stages"]["build"]["verdict"] == "ok"
    for value, word in (("1", "ok"), ("0", "fail")):
        text = f"{WHOLE}kernel.dmesg_restrict = {value}"
        assert judged(setting, cloud, sysctl=text)["verdict"] == word
    got = judged(setting, cloud, sysctl=f"{WHOLE}kernel.dmesg_restrict = 0")
    assert got["reason"] == "undone by kernel.dmesg_restrict = 0"
    off = {"SECURITY_DMESG_RESTRICT": "n"}
    good = f"{WHOLE}kernel.dmesg_restrict = 1"
    assert judged(setting, cloud, sysctl=good, **off)["verdict"] == "ok"
    assert judged(setting, cloud, **off)["verdict"] == "fail"


@pytest.mark.parametrize(
    "value, word, reason",
    [
        ("-1", "ok", "kernel.panic = -1"),
        ("60", "weaker", "only kernel.panic = 60"),
        ("0", "fail", "undone by kernel.panic = 0"),
        ("601", "fail", "undone by kernel.panic = 601"),
    ],
)
def test_a_sysctl_has_the_last_word(
    judged: Judged, cloud: Path, value: str, word: str, reason: str
) -> None:
    """Over the boot parameter, and that over the config."""
    text = f"{WHOLE}kernel.panic = {value}"
    line = "panic=-1"
    got = judged("CONFIG_PANIC_TIMEOUT", cloud, cmdline=line, sysctl=text)
    assert verdict(got) == (word, reason)
    stages = [got["stages"][stage]["verdict"] for stage in ("build", "boot", "run")]
    assert stages == ["fail", "ok", word]
    got = judged("CONFIG_PANIC_TIMEOUT", cloud, cmdline=line, sysctl=WHOLE)
    assert got["verdict"] == "ok"


@pytest.mark.parametrize(
    "setting, option, text, stage, word",
    [
        (
            "LOCK_DOWN_KERNEL_FORCE_INTEGRITY",
            "cmdline",
            "lockdown=confidentiality",
            "boot",
            "stronger",
        ),
        ("X86_MSR", "cmdline", "msr.allow_writes=off", "boot", "weaker"),
        ("MODULES", "sysctl", "kernel.modules_disabled = 1", "run", "weaker"),
    ],
)
def test_each_stage_has_its_own_facts(
    judged: Judged,
    cloud: Path,
    setting: str,
    option: str,
    text: str,
    stage: str,
    word: str,
) -> None:
    """What comes later does not change what was built."""
    got = judged(f"CONFIG_{setting}", cloud, **{option: text})
    assert got["verdict"] == word
    assert got["stages"]["build"]["verdict"] == "fail"
    assert got["stages"][stage]["verdict"] == word
    assert judged(f"CONFIG_{setting}", cloud)["verdict"] == "fail"


def test_real_sysctls(judged: Judged, cloud: Path) -> None:
    text = shared("example_sysctls.txt").read_text()
    wanted = {
        "sysctl:kernel.yama.ptrace_scope": "weaker",  # 1
        "sysctl:kernel.unprivileged_bpf_disabled": "weaker",  # 2
        "sysctl:kernel.perf_event_paranoid": "stronger",  # 4
        "sysctl:net.core.bpf_jit_harden": "fail",  # 0
        "sysctl:fs.protected_regular": "ok",  # 2
        "sysctl:kernel.printk": "stronger",  # three tabs between four numbers
        "CONFIG_SECURITY_DMESG_RESTRICT": "ok",
    }
    for setting, word in wanted.items():
        assert judged(setting, cloud, sysctl=text)["verdict"] == word, setting
        name = setting.removeprefix("sysctl:")
        if name == setting:
            continue
        without = re.sub(rf"(?m)^{re.escape(name)} .*\n", "", text)
        assert len(without) < len(text)
        assert judged(setting, cloud, sysctl=without)["verdict"] == "unknown", setting


# The command line


@pytest.mark.parametrize(
    "setting, undoing, harmless",
    [
        ("INIT_ON_ALLOC_DEFAULT_ON", "init_on_alloc=0", "init_on_alloc=1"),
        ("INIT_ON_ALLOC_DEFAULT_ON", "init_on_alloc=off", "init_on_free=off"),
        ("RANDOMIZE_BASE", "nokaslr", "kaslr"),
        ("RANDOMIZE_MEMORY", "nokaslr", "nokaslrx"),
        ("MITIGATION_RETPOLINE", "mitigations=off", "mitigations=auto"),
        ("MITIGATION_RETPOLINE", "nospectre_v2", "spectre_v2=on"),
        ("MITIGATION_PAGE_TABLE_ISOLATION", "mitigations=off", "mitigations=no"),
        ("MITIGATION_PAGE_TABLE_ISOLATION", "nopti", "pti=on"),
        ("HARDENED_USERCOPY", "hardened_usercopy=off", "hardened_usercopy=on"),
        ("STRICT_KERNEL_RWX", "rodata=off", "rodata=on"),
    ],
)
def test_a_parameter_that_undoes(
    judged: Judged, cloud: Path, setting: str, undoing: str, harmless: str
) -> None:
    line = "root=/dev/sda1 {} quiet"
    got = judged(f"CONFIG_{setting}", cloud, cmdline=line.format(undoing))
    assert verdict(got) == ("fail", f"undone by {undoing} on the command line")
    stages = got["stages"]
    assert (stages["build"]["verdict"], stages["boot"]["verdict"]) == ("ok", "fail")
    got = judged(f"CONFIG_{setting}", cloud, cmdline=line.format(harmless))
    assert got["verdict"] == "ok"


@pytest.mark.parametrize(
    "setting, off, line",
    [
        ("INIT_ON_ALLOC_DEFAULT_ON", "n", "init_on_alloc=1"),
        ("INIT_ON_FREE_DEFAULT_ON", "n", "init_on_free=yes"),
        ("SLAB_MERGE_DEFAULT", "y", "slab_nomerge"),
        ("HIBERNATION", "y", "nohibernate"),
        ("RANDOMIZE_KSTACK_OFFSET_DEFAULT", "n", "randomize-kstack-offset=on"),
    ],
)
def test_a_parameter_that_makes_good(
    judged: Judged, cloud: Path, setting: str, off: str, line: str
) -> None:
    got = judged(f"CONFIG_{setting}", cloud, cmdline=f"quiet {line}", **{setting: off})
    assert got["verdict"] == "ok" and line in got["reason"]
    assert got["stages"]["build"]["verdict"] == "fail"
    got = judged(f"CONFIG_{setting}", cloud, cmdline="quiet", **{setting: off})
    assert got["verdict"] == "fail"


def test_a_sysctl_that_makes_good(judged: Judged, cloud: Path) -> None:
    for value, word in (("1", "ok"), ("0", "fail")):
        text = f"{WHOLE}kernel.kexec_load_disabled = {value}"
        assert judged("CONFIG_KEXEC", cloud, sysctl=text)["verdict"] == word


def test_a_parameter_has_no_effect_on_what_is_compiled_out(
    judged: Judged, cloud: Path
) -> None:
    setting = "CONFIG_HARDENED_USERCOPY_DEFAULT_ON"
    words = {"cmdline": "hardened_usercopy=1", "HARDENED_USERCOPY_DEFAULT_ON": "n"}
    got = judged(setting, cloud, "6.15.1", HARDENED_USERCOPY="n", **words)
    assert got["verdict"] == "fail"
    assert "hardened_usercopy=1 has no effect" in got["reason"]
    assert "CONFIG_HARDENED_USERCOPY=y" in got["reason"]
    got = judged(setting, cloud, "6.15.1", HARDENED_USERCOPY="y", **words)
    assert got["verdict"] == "ok"
    # nor on a kernel that is too old for it
    words = {"cmdline": "init_on_free=1", "INIT_ON_FREE_DEFAULT_ON": "n"}
    setting = "CONFIG_INIT_ON_FREE_DEFAULT_ON"
    assert judged(setting, cloud, "5.3.0", **words)["verdict"] == "ok"
    assert judged(setting, cloud, "5.2.0", **words)["verdict"] != "ok"


@pytest.mark.parametrize(
    "line, word",
    [
        ("init_on_alloc=0 init_on_alloc=1", "ok"),
        ("init_on_alloc=1 init_on_alloc=0", "fail"),
        ("init-on-alloc=1 init_on_alloc=0", "fail"),
        ("init_on_alloc=0 init-on-alloc=1", "ok"),
        # nonsense leaves things as they were
        ("init_on_alloc=0 init_on_alloc=maybe", "fail"),
        ("init_on_alloc=1 init_on_alloc=maybe", "ok"),
        ("init_on_alloc=maybe", "ok"),
        ("init_on_alloc", "ok"),
        # the rest is for init
        ("quiet -- init_on_alloc=0", "ok"),
        ("init_on_alloc=0 -- init_on_alloc=1", "fail"),
        ("--x init_on_alloc=0", "fail"),
        # names are whole names
        ("xinit_on_alloc=0 init_on_alloc.x=0", "ok"),
        ('dyndbg="init_on_alloc=0 +p" quiet', "ok"),
        ('"init_on_alloc=0"', "fail"),
    ],
)
def test_which_of_several_counts(
    judged: Judged, cloud: Path, line: str, word: str
) -> None:
    got = judged("CONFIG_INIT_ON_ALLOC_DEFAULT_ON", cloud, cmdline=line)
    assert got["verdict"] == word


def test_a_parameter_that_this_version_does_not_know(
    judged: Judged, cloud: Path
) -> None:
    """nosmap went in 5.19; clearcpuid learnt names in 5.18."""
    setting = "CONFIG_X86_SMAP"
    for version, line, word in (
        ("5.18.1", "nosmap", "fail"),
        ("5.19.0", "nosmap", "ok"),
        ("5.19.0", "clearcpuid=smap", "fail"),
        ("5.19.0", "clearcpuid=smep,308", "fail"),
        ("5.19.0", "clearcpuid=umip,3080", "ok"),
    ):
        there = "y" if version == "5.18.1" else None
        got = judged(setting, cloud, version, cmdline=line, X86_SMAP=there)
        assert got["verdict"] == word, (version, line)


@pytest.mark.parametrize(
    "line, word",
    [
        ("mitigations=off mitigations=auto", "ok"),
        ("mitigations=auto mitigations=off", "fail"),
        ("mitigations=off mitigations=banana", "fail"),
        ("mitigations=auto,nosmt", "ok"),
        ("mitigations", "ok"),
    ],
)
def test_several_mitigations(judged: Judged, cloud: Path, line: str, word: str) -> None:
    got = judged("CONFIG_MITIGATION_RETPOLINE", cloud, cmdline=line)
    assert got["verdict"] == word


def test_a_parameter_of_words(judged: Judged, cloud: Path) -> None:
    for line, word in (
        ("pti=off pti=on", "ok"),
        ("pti=on nopti", "fail"),
        ("pti=on pti=banana", "ok"),
        ("pti=banana", "fail"),
        ("", "fail"),
    ):
        assert judged("cmdline:pti", cloud, cmdline=line)["verdict"] == word, line


@pytest.mark.parametrize(
    "line, integrity, confidentiality",
    [
        ("", "fail", "fail"),
        ("lockdown=integrity", "ok", "weaker"),
        ("lockdown=confidentiality", "stronger", "ok"),
        ("lockdown=confidentiality lockdown=integrity", "stronger", "ok"),
        ("lockdown=integrity lockdown=confidentiality", "stronger", "ok"),
        ("lockdown=none", "fail", "fail"),
        ("lockdown=integrity lockdown=none", "ok", "weaker"),
    ],
)
def test_lockdown_can_only_rise(
    report: Callable[..., Any],
    cloud: Path,
    line: str,
    integrity: str,
    confidentiality: str,
) -> None:
    full = report(cloud, cmdline=line)
    force = "CONFIG_LOCK_DOWN_KERNEL_FORCE"
    assert answer_of(full, f"{force}_INTEGRITY")["verdict"] == integrity
    assert answer_of(full, f"{force}_CONFIDENTIALITY")["verdict"] == confidentiality


def test_lockdown_of_the_config_is_not_lowered(judged: Judged, cloud: Path) -> None:
    force = "LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY"
    line = "lockdown=integrity"
    got = judged(f"CONFIG_{force}", cloud, cmdline=line, **{force: "y"})
    assert got["verdict"] == "ok"
    got = judged(f"CONFIG_{force}", cloud, cmdline=line, **{force: "n"})
    assert got["verdict"] == "weaker"


def test_the_command_line_of_an_x86_config(judged: Judged, cloud: Path) -> None:
    setting = "CONFIG_INIT_ON_ALLOC_DEFAULT_ON"
    bad = {"CMDLINE": '"init_on_alloc=0"', "CMDLINE_BOOL": "y"}
    assert judged(setting, cloud, CMDLINE='"init_on_alloc=0"')["verdict"] == "ok"
    got = judged(setting, cloud, **bad)
    assert verdict(got) == ("fail", "undone by init_on_alloc=0 on the command line")
    assert got["where"] == "CONFIG_CMDLINE"
    # the boot loader's comes later, unless it is thrown away
    good = "init_on_alloc=1"
    assert judged(setting, cloud, cmdline=good, **bad)["verdict"] == "ok"
    alone = {**bad, "CMDLINE_OVERRIDE": "y"}
    assert judged(setting, cloud, cmdline=good, **alone)["verdict"] == "fail"
    # what it does not name the boot loader may
    got = judged("cmdline:pti", cloud, CMDLINE_BOOL="y", CMDLINE='"quiet"')
    assert got["verdict"] == "unknown" and got["unchecked"]
    got = judged("cmdline:pti", cloud, CMDLINE_BOOL="y", CMDLINE='"pti=on"')
    assert got["verdict"] == "ok"


def test_the_command_lines_of_other_configs(judged: Judged) -> None:
    arch = shared("Arch_hardened_x86_64.config")
    assert judged("cmdline:pti", arch)["verdict"] == "ok"
    assert judged("cmdline:pti", arch, CMDLINE_BOOL="n")["verdict"] == "unknown"
    android = shared("Android_15_6.6_aarch64.config")
    setting = "CONFIG_INIT_ON_ALLOC_DEFAULT_ON"
    assert judged(setting, android, cmdline="quiet")["verdict"] == "ok"
    bad = {"CMDLINE": '"bootconfig init_on_alloc=0"'}
    assert judged(setting, android, **bad)["verdict"] == "fail"
    # it extends what the boot loader says, behind it
    good = "init_on_alloc=1"
    assert judged(setting, android, cmdline=good, **bad)["verdict"] == "fail"
    loader = {**bad, "CMDLINE_EXTEND": "n", "CMDLINE_FROM_BOOTLOADER": "y"}
    assert judged(setting, android, cmdline=good, **loader)["verdict"] == "ok"


# Values


def test_m_where_y_is_asked(judged: Judged, cloud: Path) -> None:
    got = judged("CONFIG_HW_RANDOM_TPM", cloud, HW_RANDOM_TPM="m")
    assert verdict(got) == ("weaker", "m, not built in")
    for value, word in (("y", "ok"), ("n", "fail")):
        got = judged("CONFIG_HW_RANDOM_TPM", cloud, HW_RANDOM_TPM=value)
        assert got["verdict"] == word
    # where n is asked, m is as bad as y
    for value, word in (("m", "fail"), ("y", "fail"), ("n", "ok")):
        got = judged("CONFIG_BINFMT_MISC", cloud, BINFMT_MISC=value)
        assert (got["verdict"], got["got"]) == (word, value)


@pytest.mark.parametrize(
    "name, value, word",
    [
        ("DEFAULT_MMAP_MIN_ADDR", "65536", "ok"),
        ("DEFAULT_MMAP_MIN_ADDR", "65535", "fail"),
        ("DEFAULT_MMAP_MIN_ADDR", "4096", "fail"),
        ("DEFAULT_MMAP_MIN_ADDR", "9999", "fail"),
        ("DEFAULT_MMAP_MIN_ADDR", "100000", "ok"),
        ("DEFAULT_MMAP_MIN_ADDR", "0x10000", "ok"),
        ("DEFAULT_MMAP_MIN_ADDR", "0xffff", "fail"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "0xb0", "ok"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "0xB0", "ok"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "0x00b0", "ok"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "176", "ok"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "0x0", "stronger"),
        ("MAGIC_SYSRQ_DEFAULT_ENABLE", "0x1b0", "fail"),
        ("PANIC_TIMEOUT", "-1", "ok"),
        ("PANIC_TIMEOUT", "60", "weaker"),
        ("PANIC_TIMEOUT", "0", "fail"),
        ("KFENCE_SAMPLE_INTERVAL", "99", "stronger"),
        ("KFENCE_SAMPLE_INTERVAL", "100", "ok"),
        ("KFENCE_SAMPLE_INTERVAL", "101", "weaker"),
        ("KFENCE_SAMPLE_INTERVAL", "0", "fail"),
        ("ARCH_MMAP_RND_BITS", "32", "ok"),
        ("ARCH_MMAP_RND_BITS", "31", "fail"),
        ("ARCH_MMAP_RND_BITS", "4", "fail"),
    ],
)
def test_numbers_are_numbers(
    judged: Judged, cloud: Path, name: str, value: str, word: str
) -> None:
    got = judged(f"CONFIG_{name}", cloud, **{name: value})
    assert (got["verdict"], got["got"]) == (word, value)


@pytest.mark.parametrize(
    "items, word",
    [
        ("yama", "ok"),
        ("landlock,lockdown,yama,bpf", "ok"),
        ("landlock,yama2,bpf", "fail"),
        ("landlock,yam,bpf", "fail"),
        ("landlock,xyama", "fail"),
        ("", "fail"),
    ],
)
def test_lists_go_by_their_items(
    judged: Judged, cloud: Path, items: str, word: str
) -> None:
    setting = 'CONFIG_LSM contains "yama"'
    assert judged(setting, cloud, LSM=f'"{items}"')["verdict"] == word
    # lsm= replaces the whole list
    got = judged(setting, cloud, cmdline=f"lsm={items}", LSM='"landlock,yama,bpf"')
    assert got["verdict"] == word
    got = judged(setting, cloud, cmdline=f"lsm={items}", LSM='"landlock,bpf"')
    assert got["verdict"] == word


def test_compat_brk_the_right_way_round(judged: Judged, cloud: Path) -> None:
    """slimm609/checksec#296"""
    for value, word in (("n", "ok"), ("y", "fail")):
        got = judged("CONFIG_COMPAT_BRK", cloud, COMPAT_BRK=value)
        assert (got["verdict"], got["wanted"], got["got"]) == (word, "n", value)


def test_slub_debug_is_not_asked_where_it_unhides_pointers(
    report: Callable[..., Any], cloud: Path
) -> None:
    """khc#55: since 5.14 it switches hashing off, unless told otherwise since 6.17."""
    for version, asked in (("5.13.19", True), ("6.12.1", False), ("6.17.0", True)):
        got = answer_of(report(cloud, version, cmdline=""), "cmdline:slab_debug")
        assert (got["verdict"] == "fail") is asked, version
        missing = report(cloud, version, cmdline="")["missing"]["extreme"]
        assert any("slab_debug" in title for title in missing) is asked


def test_newer_defences_are_checked(report: Callable[..., Any], cloud: Path) -> None:
    """CISOfy/lynis#1477: no lockdown, Landlock, init_on_free or shuffle."""
    full = report(cloud)
    for name in (
        "SECURITY_LOCKDOWN_LSM",
        "SECURITY_LANDLOCK",
        "INIT_ON_FREE_DEFAULT_ON",
        "SHUFFLE_PAGE_ALLOCATOR",
    ):
        assert answer_of(full, f"CONFIG_{name}")["verdict"] in ("ok", "fail")


def test_a_packed_config_is_read(cloud: Path, tmp_path: Path) -> None:
    """CISOfy/lynis#920: config.gz was found and then not used."""
    packed = tmp_path / "config.gz"
    packed.write_bytes(gzip.compress(cloud.read_bytes()))
    there, here = audit_json(packed), audit_json(cloud)
    assert there["kernel"] == here["kernel"]
    assert [verdict(a) for a in there["settings"]] == [
        verdict(a) for a in here["settings"]
    ]
    packed.write_bytes(gzip.compress(b""))
    assert audit_run(packed).status == 2


def test_only_one_of_the_sources(report: Callable[..., Any], cloud: Path) -> None:
    """ComplianceAsCode/content#12543: an image has no run time."""
    for answer in report(cloud)["settings"]:
        if answer["kind"] != "kconfig" and answer["verdict"] == "unknown":
            assert answer["unchecked"] and not answer["stages"], answer
    full = report(cloud, cmdline="", sysctl=WHOLE)
    assert not any(answer.get("unchecked") for answer in full["settings"])
    assert full["unchecked"] == 0


# What is not a whole config


def defconfig(text: str) -> str:
    """Without what is off, and without the signs of a whole one."""
    return "".join(re.findall(r"(?m)^CONFIG_.*\n", text))


def fragment(_: str) -> str:
    return "# ours\nCONFIG_RANDOMIZE_BASE=y\n# CONFIG_KEXEC is not set\n"


def cut(text: str) -> str:
    """Cut off between two lines."""
    return text[: text.index("\n", len(text) // 2) + 1]


def cut_late(text: str) -> str:
    return text[: text.index("# end of Kernel hacking")]


@pytest.mark.parametrize("part", [defconfig, fragment, cut, cut_late])
@pytest.mark.parametrize("version", ["6.1", "6.12"])
def test_a_part_of_a_config(
    debian_config: Callable[..., Path],
    tmp_path: Path,
    part: Callable[[str], str],
    version: str,
) -> None:
    """What it does not say is unknown: neither ok nor fail, whatever is asked."""
    text = debian_config(version, "default", "amd64").read_text()
    path = tmp_path / "part"
    path.write_text(part(text))
    report = audit_json("--level=extreme", path)
    lines = path.read_text()
    silent = 0
    for answer in report["settings"]:
        if answer["kind"] != "kconfig":
            continue
        known = names()[answer["setting"].removeprefix("CONFIG_")]
        if any(re.search(rf"\bCONFIG_{name}[= ]", lines) for name in known):
            continue
        decided = answer["verdict"] in ("ok", "fail", "weaker")
        assert not decided or answer["reason"].startswith("always so"), answer
        silent += answer["verdict"] == "unknown"
    assert silent > 5
    assert report["met"] is False
    # what it does say counts
    got = answer_of(report, "CONFIG_RANDOMIZE_BASE")
    assert got["verdict"] == "ok" and got["got"] == "y"
    whole = answer_of(
        audit_json("--level=extreme", debian_config(version, "default", "amd64")),
        "CONFIG_UBSAN_BOUNDS",
    )
    assert whole["verdict"] != "unknown"


@pytest.mark.parametrize("tenths", [1, 5, 9])
def test_a_part_of_an_old_config(tmp_path: Path, tenths: int) -> None:
    """Before 5.4 menus had no end that could be missed."""
    whole = shared("Debian_10_Buster_x86_64.config")
    text = whole.read_text()
    path = tmp_path / "part"
    path.write_text(text[: text.index("\n", len(text) * tenths // 10) + 1])
    full = {title(a): a for a in audit_json("--level=extreme", whole)["settings"]}
    assert not [a for a in full.values() if "whole" in a["reason"]]
    for answer in audit_json("--level=extreme", path)["settings"]:
        was = full.get(title(answer))
        # DEVMEM=y is a failure where STRICT_DEVMEM, further down, is not in sight
        same = {answer["verdict"]} | ({"weaker"} if answer["got"] else set())
        if was and answer["verdict"] in ("ok", "fail"):
            assert was["verdict"] in same, (answer, was)


# Levels


def better(report: Any, text: str) -> str:
    """The config with all that a level of a report lacks, under the titles' names."""
    for answer in report["settings"]:
        if answer["verdict"] not in ("fail", "weaker") or answer["kind"] != "kconfig":
            continue
        name = answer["setting"].removeprefix("CONFIG_")
        value = answer["wanted"].removeprefix(">=")
        if value == "max":
            most = re.search(rf"(?m)^CONFIG_{name}_MAX=(\d+)$", text)
            assert most
            value = most[1]
        text = edited(text, **{other: None for other in names()[name]})
        text = edited(text, **{name: value})
    return text


def test_the_highest_level_and_the_next(cloud: Path, tmp_path: Path) -> None:
    path = tmp_path / "better"
    report = audit_json("--level=low", cloud)
    assert report["highest"] is None and not report["met"]
    assert set(report["missing"]["low"]) <= {
        title(a) for a in report["settings"] if a["verdict"] in ("fail", "weaker")
    }
    path.write_text(better(report, cloud.read_text()))
    run = audit_run("--level=low", path)
    assert run.status == 0, run.stdout
    report = audit_json("--level=medium", path)
    assert report["highest"] == "low" and not report["met"]
    assert not report["missing"]["low"] and report["missing"]["medium"]
    assert audit_run("--level=medium", path).status == 1

    path.write_text(better(report, path.read_text()))
    report = audit_json("--level=medium", path)
    assert report["highest"] == "medium" and report["met"], report["missing"]
    assert audit_run("--level=medium", path).status == 0
    # one step back
    path.write_text(edited(path.read_text(), STACKPROTECTOR_STRONG="n"))
    report = audit_json("--level=medium", path)
    assert report["highest"] is None
    assert report["missing"]["low"] == ["CONFIG_STACKPROTECTOR_STRONG=y"]
    assert audit_run("--level=low", path).status == 1


def test_each_level_asks_for_its_own_value(
    report: Callable[..., Any], debian_config: Callable[..., Path]
) -> None:
    """The highest that suits the kernel, and nothing twice."""
    config = debian_config("6.12", "cloud", "arm64")
    setting = "CONFIG_DEFAULT_MMAP_MIN_ADDR"
    for level, wanted, word in (
        ("low", ">=32768", "ok"),
        ("medium", ">=65536", "fail"),
        ("extreme", ">=65536", "fail"),
    ):
        full = report(config, level=level, DEFAULT_MMAP_MIN_ADDR="32768")
        got = answer_of(full, setting)
        assert (got["wanted"], got["verdict"]) == (wanted, word), level


def test_the_missing_list_is_the_shortest(
    report: Callable[..., Any], cloud: Path
) -> None:
    """DEVMEM=n makes STRICT_DEVMEM needless, but only where DEVMEM=n is asked."""
    strict = "CONFIG_STRICT_DEVMEM=y"
    lacking = report(cloud, STRICT_DEVMEM="n", IO_STRICT_DEVMEM="n")["missing"]
    assert strict in lacking["low"]
    assert "CONFIG_DEVMEM=n" not in lacking["low"]
    assert strict not in lacking["medium"]
    assert "CONFIG_DEVMEM=n" in lacking["medium"]
    assert "CONFIG_IO_STRICT_DEVMEM=y" not in lacking["medium"]
    assert "CONFIG_DEVMEM=n" not in report(cloud, DEVMEM="n")["missing"]["medium"]


def test_what_was_not_asked_stands_in_no_way(
    report: Callable[..., Any], cloud: Path, tmp_path: Path
) -> None:
    first = report(cloud, level="low")
    path = tmp_path / "better"
    path.write_text(better(first, cloud.read_text()))
    second = audit_json("--level=low", path)
    assert second["met"] and second["unchecked"] > 0
    # asked about and not found out: 2, nothing has failed
    sysctl = tmp_path / "sysctl"
    sysctl.write_text(WHOLE)
    run = audit_run("--json", "--level=low", "--sysctl", sysctl, path)
    assert run.status == 2
    sysctl.write_text(f"{WHOLE}kernel.unprivileged_bpf_disabled = 0\n")
    assert audit_run("--level=low", "--sysctl", sysctl, path).status == 1


def test_nothing_to_read(tmp_path: Path) -> None:
    """armbian/build#6369: looks fine while nothing was checked."""
    path = tmp_path / "config"
    assert audit_run(path).status == 2
    path.write_text("")
    assert audit_run(path).status == 2
    path.write_text("# Linux/x86 6.12.1 Kernel Configuration\n")
    run = audit_run("--json", path)
    assert run.status == 2


def test_an_entry_for_later_kernels_is_no_backport(
    debian_config: Callable[..., Path], tmp_path: Path
) -> None:
    """PROFILING: Medium since 5.12, before that Extreme.  Its line is nothing new."""
    config = debian_config("6.1", "cloud", "amd64").read_text(encoding="utf-8")
    old = tmp_path / "config"
    old.write_text(config.replace("6.1.192", "5.11.9"), encoding="utf-8")
    answer = answer_of(audit_json("--level=high", old), "CONFIG_PROFILING")
    assert answer["verdict"] == "n/a", answer
    answer = answer_of(audit_json("--level=extreme", old), "CONFIG_PROFILING")
    assert (answer["verdict"], answer["level"]) == ("fail", "extreme")
