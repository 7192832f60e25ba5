# SPDX-License-Identifier: GPL-2.0-only
"""hardened-audit --root: the kernels of another system's tree."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from audit_building import audit_run

OLD, NEW = "6.1.0-9-cloud-amd64", "6.12.0-1-cloud-amd64"


@pytest.fixture(name="root")
def fixture_root(debian_config: Callable[..., Path], tmp_path: Path) -> Path:
    """Two kernels; what a removed one has left; and links that lead out of the tree."""
    root = tmp_path / "root"
    for folder in (
        "boot/grub",
        f"usr/lib/modules/{OLD}",
        "usr/lib/modules/left-over/kernel",
        "usr/lib/sysctl.d",
        "etc/sysctl.d",
    ):
        (root / folder).mkdir(parents=True)
    old = debian_config("6.1", "cloud", "amd64").read_bytes()
    (root / "usr/lib/modules" / OLD / "config").write_bytes(old)
    new = debian_config("6.12", "cloud", "amd64").read_bytes()
    (root / "boot" / f"config-{NEW}").write_bytes(new)
    (root / "boot/grub/grub.cfg").write_text(
        f"entry a {{\n\tlinux\t/boot/vmlinuz-{NEW} root=/dev/x mitigations=off\n}}\n"
        f"\tlinux /vmlinuz-{NEW} single\n"
        f"\tlinux /vmlinuz-{OLD} root=$root quiet\n"
    )
    (root / "usr/lib/sysctl.d/50-a.conf").write_text("kernel.kptr_restrict = 0\n")
    (root / "etc/sysctl.d/50-a.conf").write_text("kernel.kptr_restrict = 2\n")
    (root / "etc/sysctl.d/10-b.conf").write_text("kernel.kptr_restrict = 1\n")
    (root / "boot/config-elsewhere").symlink_to(debian_config("6.1", "rt", "amd64"))
    return root


def audits(root: Path, *words: str) -> list[dict[str, Any]]:
    run = audit_run("--json", "--level=high", "--root", root, *words)
    assert run.status == 1, run.stderr
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def verdict(audit: dict[str, Any], setting: str) -> str:
    return str(next(s for s in audit["settings"] if s["setting"] == setting)["verdict"])


def test_its_kernels_and_no_others(root: Path) -> None:
    assert [audit["source"] for audit in audits(root)] == [
        f"{root}/usr/lib/modules/{OLD}/config",
        f"{root}/boot/config-{NEW}",
    ]


def test_the_command_line_is_that_of_the_first_entry(root: Path) -> None:
    """A line with a variable in it is not known, and is not taken for one."""
    old, new = audits(root)
    assert verdict(new, "cmdline:mitigations") == "fail"
    assert verdict(old, "cmdline:mitigations") == "unknown"
    menu = root / "boot/grub/grub.cfg"
    menu.write_text(menu.read_text().replace("mitigations=off", "quiet"))
    assert "mitigations=off" not in json.dumps(audits(root))


def test_the_last_of_the_sysctl_files_counts(root: Path) -> None:
    """By their names, whatever folder they are in; /etc hides /usr/lib."""
    assert [verdict(a, "sysctl:kernel.kptr_restrict") for a in audits(root)] == [
        "ok",
        "ok",
    ]
    (root / "etc/sysctl.conf").write_text("kernel.kptr_restrict = 0\n")
    assert [verdict(a, "sysctl:kernel.kptr_restrict") for a in audits(root)] == [
        "fail",
        "fail",
    ]


def test_a_link_within_the_tree_is_followed(root: Path) -> None:
    link = root / "boot/config-9.9"
    link.symlink_to(f"/usr/lib/modules/{OLD}/config")
    assert f"{root}/boot/config-9.9" in [audit["source"] for audit in audits(root)]


def test_a_command_line_for_two_kernels_is_refused(root: Path) -> None:
    run = audit_run("--root", root, "--cmdline", root / "boot/grub/grub.cfg")
    assert run.status == 2
    assert "there are 2 kernels in it, but --cmdline is that of one" in run.stderr


def test_no_kernel(tmp_path: Path) -> None:
    run = audit_run("--root", tmp_path)
    assert run.status == 2 and f"{tmp_path}: no kernel is in it" in run.stderr
    run = audit_run("--root", tmp_path / "missing")
    assert run.status == 2 and "missing: No such file or directory" in run.stderr
