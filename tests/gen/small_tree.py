# SPDX-License-Identifier: GPL-2.0-only
"""A kernel tree of two dozen symbols around a real kernel's make and conf.

A run takes a fraction of the time that it takes on a whole kernel, which leaves room
for many tests.  What the tree asks of the compiler is what every kernel asks.
"""

import platform
import shutil
import subprocess

from surroundings import clean_environment

SRCARCH = {"x86_64": "x86", "aarch64": "arm64"}.get(platform.machine(), "x86")

KCONFIG = """\
mainmenu "Linux/$(ARCH) $(KERNELVERSION) Kernel Configuration"

source "scripts/Kconfig.include"

config CC_VERSION_TEXT
    string
    default "$(CC_VERSION_TEXT)"

config CC_IS_GCC
    def_bool $(success,test "$(cc-name)" = GCC)

config GCC_VERSION
    int
    default $(cc-version) if CC_IS_GCC
    default 0

config CC_IS_CLANG
    def_bool $(success,test "$(cc-name)" = Clang)

config CLANG_VERSION
    int
    default $(cc-version) if CC_IS_CLANG
    default 0

config CC_HAS_WALL
    def_bool $(cc-option,-Wall)

config 64BIT
    def_bool y

config MODULES
    bool "Modules"
    modules

config EXPERT
    bool "Expert"

config LABEL
    string "A text without a meaning"
    default "none"

config DEVMEM
    bool "/dev/mem"
    default y

config STRICT_DEVMEM
    bool "Less of /dev/mem"
    depends on DEVMEM

config WALL
    bool "Needs a compiler test"
    depends on CC_HAS_WALL

config HIDDEN
    bool "Needs another label"
    depends on LABEL = "open"

config MIN_ADDR
    int "A lowest address"
    default 4096

config LSM
    string "Ordered list"
    default "landlock,lockdown,integrity"

choice
    prompt "Lockdown"
    default LOCK_NONE

config LOCK_NONE
    bool "None"

config LOCK_INTEGRITY
    bool "Integrity"

config LOCK_CONFIDENTIALITY
    bool "Confidentiality"

endchoice
"""

#: Settings of the catalogue that goes with it, and further fields of each.
ENTRIES = {
    "CONFIG_STRICT_DEVMEM=y": "Stronger: DEVMEM=n",
    "CONFIG_WALL=y": "",
    "CONFIG_MIN_ADDR>=65536": "",
    'CONFIG_LSM contains "yama"': "",
    "CONFIG_LOCK_INTEGRITY=y": "Stronger: LOCK_CONFIDENTIALITY=y",
}
UNMET = "CONFIG_HIDDEN=y"


def write_catalogue(folder, entries):
    """A catalogue of Low entries."""
    folder.mkdir()
    text = "Entries\n=======\n\n"
    for title, field in entries.items():
        text += f"{title}\n{'~' * 40}\n\n:Negative side effects level: Low\n"
        text += ":Protection type: Self-protection\n"
        text += f":{field}\n\nText.\n\n" if field else "\nText.\n\n"
    (folder / "entries.rst").write_text(text, encoding="utf-8")
    return folder


def make_tree(kernel, folder):
    """Make the tree of the files of a real one; its conf is built."""
    folder.mkdir()
    shutil.copy(kernel / "Makefile", folder)
    shutil.copytree(
        kernel / "scripts",
        folder / "scripts",
        ignore=shutil.ignore_patterns("*.o", ".*.cmd", "conf", "dtc", "gdb", "tests"),
    )
    (folder / "Kconfig").write_text(KCONFIG, encoding="utf-8")
    configs = folder / "arch" / SRCARCH / "configs"
    configs.mkdir(parents=True)
    (configs / "small_defconfig").write_text("CONFIG_EXPERT=y\n", encoding="utf-8")
    (configs.parent / "Makefile").write_text(
        "KBUILD_DEFCONFIG := small_defconfig\n", encoding="utf-8"
    )
    (configs.parent / "Kconfig").write_text("", encoding="utf-8")
    settle(folder)
    (folder / ".config").unlink()
    shutil.rmtree(folder / "include")  # with it, O= would be refused as not clean
    return folder


def settle(folder, *words, **environment):
    """Run the tree's own olddefconfig."""
    return subprocess.run(
        ["make", "-s", "-C", folder, *words, "olddefconfig"],
        env=clean_environment(**environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
