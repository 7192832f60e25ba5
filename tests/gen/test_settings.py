# SPDX-License-Identifier: GPL-2.0-only
import pytest

from gen.settings import Setting


@pytest.mark.parametrize(
    "title, value, highest, held",
    [
        ("CONFIG_X=y", "y", None, True),
        ("CONFIG_X=y", "m", None, False),
        ("CONFIG_X=n", "n", None, True),
        ("CONFIG_X=100", "100", None, True),
        ("CONFIG_X=256", "0x100", None, True),
        ("CONFIG_X=-1", "0", None, False),
        ("CONFIG_X>=65536", "65536", None, True),
        ("CONFIG_X>=65536", "131072", None, True),
        ("CONFIG_X>=65536", "4096", None, False),
        ("CONFIG_X>=65536", "", None, False),
        ("CONFIG_X=max", "32", 32, True),
        ("CONFIG_X=max", "28", 32, False),
        ("CONFIG_X=max", "32", None, False),
        ("CONFIG_X=1..99", "25", None, True),
        ("CONFIG_X=1..99", "0", None, False),
        ("CONFIG_X=1..99", "100", None, False),
        ("CONFIG_X=any", "x", None, True),
        ("CONFIG_X=any", "", None, False),
        ('CONFIG_X="sha512"', "sha512", None, True),
        ('CONFIG_X="sha512"', "sha256", None, False),
        ('CONFIG_LSM contains "yama"', "landlock,yama,bpf", None, True),
        ('CONFIG_LSM contains "yama"', "landlock,notyama", None, False),
        ('CONFIG_LSM contains "yama"', "", None, False),
    ],
)
def test_held_by(title: str, value: str, highest: int | None, held: bool) -> None:
    setting = Setting.parse(title)
    assert setting.held_by(value, highest) is held
    assert str(setting) == title


def test_run_time_settings() -> None:
    printk = Setting.parse("sysctl:kernel.printk=3 4 1 7")
    assert (printk.kind, printk.name, printk.value) == (
        "sysctl",
        "kernel.printk",
        "3 4 1 7",
    )
    assert str(Setting.parse("cmdline:slab_nomerge")) == "cmdline:slab_nomerge"
    assert Setting.parse("cmdline:mitigations=auto,nosmt").value == "auto,nosmt"


@pytest.mark.parametrize(
    "title",
    [
        "CONFIG_X",
        "CONFIG_X=",
        "CONFIG_X=yes",
        "CONFIG_X=Y",
        'CONFIG_X="open',
        "CONFIG_X>=y",
        "CONFIG_X>=",
        "CONFIG_X contains yama",
        'CONFIG_X contains "a,b"',
        "CONFIG_X=08",
        "CONFIG-X=y",
        "sysctl:kernel.printk",
    ],
)
def test_malformed(title: str) -> None:
    with pytest.raises(ValueError):
        Setting.parse(title)
