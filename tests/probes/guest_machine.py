# SPDX-License-Identifier: GPL-2.0-only
"""Virtual machines that hold nothing but guest/init.c and probes.

QEMU interprets every instruction (TCG), so that this needs no privilege, is the same
on every host, and has a CPU that can do all that QEMU knows.

A "counting" machine has -icount: time in it is the number of instructions executed.
Ratios are then the same in every run, whatever else the host does (A/A 1.000 at a
load of 6 on 2 CPUs, where the clock of a plain one gives 0.95 to 1.19); but a slow
instruction counts like a fast one, and waiting takes no time. So costs are looked at
in a counting machine, and that clocks, waits and timeouts work in a plain one.
"""

import json
import re
import resource
import stat
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from building import built
from surroundings import fetched

#: guest/init.c ends the machine with 21; isa-debug-exit makes 2n+1 of it.
DONE = 43
#: Five times what all probes need on an idle machine.
DEADLINE = 240


@dataclass
class Ended:
    """How one probe ended in a guest."""

    name: str
    output: str
    how: str = "nothing is known"  # or "exited", "signaled"
    number: int = -1
    milliseconds: int = 0
    #: Did a process of it live on?
    strays: bool = False
    #: net.core.bpf_jit_enable: when a signal was sent, at its end, later
    jit: str = "?,?,?"

    @property
    def report(self) -> dict[str, Any]:
        """What the probe printed."""
        assert self.output.strip(), f"{self.name} printed nothing"
        report: dict[str, Any] = json.loads(self.output)
        return report

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        """The report's results by name."""
        return {result["name"]: result for result in self.report["results"]}


@dataclass
class Boot:
    """What came of one guest."""

    #: of the host's CPU, which is what it takes on a host that does nothing else
    seconds: float
    console: str
    #: Did it run to its end? A machine that panics or hangs did not.
    done: bool
    ended: list[Ended] = field(default_factory=list)

    def __getitem__(self, name: str) -> Ended:
        (ended,) = [ended for ended in self.ended if ended.name == name]
        return ended


def archive(files: Mapping[str, Path]) -> bytes:
    """An initramfs of these files, in cpio's "newc" format.

    Documentation/driver-api/early-userspace/buffer-format.rst has the format. The
    kernel's own initramfs brings /dev/console.
    """
    out = bytearray()

    def add(name: str, mode: int, content: bytes = b"") -> None:
        encoded = name.encode() + b"\0"
        fields = (len(out) + 1, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0)
        header = "".join(f"{value:08x}" for value in (*fields, len(encoded), 0))
        for part in (b"070701" + header.encode() + encoded, content):
            out.extend(part + b"\0" * (-len(part) % 4))

    for name, path in files.items():
        add(name, stat.S_IFREG | 0o755, path.read_bytes())
    add("TRAILER!!!", 0)
    return bytes(out)


def parse(text: str) -> list[Ended]:
    """Read what guest/init.c tells."""
    ended = []
    for part in re.split(r"^begin ", text, flags=re.MULTILINE)[1:]:
        name, output = part.split("\n", 1)
        end = re.search(
            r"^end \S+ (\w+) (\d+) ms=(\d+) strays=(\d) jit=(.,.,.)$",
            output,
            re.MULTILINE,
        )
        if not end:
            ended.append(Ended(name, output))
            continue
        how, number, ms, strays, jit = end.groups()
        output = output[: end.start()]
        ended.append(Ended(name, output, how, int(number), int(ms), strays != "0", jit))
    return ended


def cpu_seconds() -> float:
    """What our children used that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def boot(
    kernel: str,
    words: Sequence[str],
    files: Mapping[str, Path] | None = None,
    append: str = "",
    counting: bool = False,
    cpu: str = "max",
    deadline: float = DEADLINE,
) -> Boot:
    """Boot Debian's cloud kernel of that version and run these probes.

    The words are those of guest/init.c. All static probes named by them are put into
    the machine, or instead these files. What is appended goes to the kernel.
    """
    image = fetched("debian-kernel.sh", kernel, "cloud", "amd64")
    if files is None:
        names = {word.split(":")[0] for word in words}
        files = {name: built(f"static/{name}") for name in names}
        files["init"] = built("init")
    with tempfile.TemporaryDirectory() as folder:
        initrd, console, port = (Path(folder, n) for n in ("initrd", "console", "port"))
        initrd.write_bytes(archive(files))
        command = (
            f"qemu-system-x86_64 -accel tcg -cpu {cpu} -smp 1 -m 1024 -nodefaults"
            " -display none -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=4"
            f" -serial file:{console} -serial file:{port} -kernel {image}"
            f" -initrd {initrd} -append"
        ).split()
        if counting:
            command[1:1] = ["-icount", "shift=0,sleep=off"]
        command.append(f"console=ttyS0 quiet panic=-1 {append} -- {' '.join(words)}")
        began = cpu_seconds()
        try:
            status = subprocess.run(
                command, stdin=subprocess.DEVNULL, timeout=deadline, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            status = -1
        told = port.read_text(errors="replace") if port.exists() else ""
        return Boot(
            cpu_seconds() - began,
            console.read_text(errors="replace") if console.exists() else "",
            status == DONE and told.endswith("\ndone\n"),
            parse(told),
        )
