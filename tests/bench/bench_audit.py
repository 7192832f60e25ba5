# SPDX-License-Identifier: GPL-2.0-only
"""How long hardened-audit takes, and how much memory.

Each command in turn, round by round, so that a machine that slows down slows all of
them, and each time once more before that, since what ran last decides what is in the
caches; the first command twice, whose ratio (A/A) says what differences mean nothing.
Wall time from before fork() to the end, process start included: "start" is
hardened-audit --version, which reads nothing, and "nothing" a static program that only
returns. Output goes to /dev/null. Last, 10,000 configs in one run.

"regex" is Python that does the least that any checker in Python must do: start, read
the config with one regular expression into a dict, and look up one name for each entry
of the catalogue. It judges nothing; it is a bound from below for such checkers, not one
of them.
"""

from __future__ import annotations

import gzip
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from surroundings import clean_environment, fetched  # noqa: E402

ROUNDS = 100
MANY = 10_000

REGEX = """
import re, sys
text = open(sys.argv[1]).read()
values = dict(re.findall(r"^(?:# )?CONFIG_(\\w+)(?:=| is )(.*)$", text, re.M))
names = open(sys.argv[2]).read().split()
print(sum(values.get(name) == "y" for name in names))
"""


def build() -> Path:
    """The program as `make hardened-audit` builds it, without its messages."""
    folder = ROOT / "build/audit"
    words = ["make", "-s", "-C", str(ROOT / "audit"), f"BUILD={folder}", "static"]
    subprocess.run(words, env=clean_environment(), check=True, stdout=sys.stderr)
    return folder / "hardened-audit"


def nothing(scratch: Path) -> Path:
    """A static program that does nothing."""
    source, program = scratch / "nothing.c", scratch / "nothing"
    source.write_text("int main(void)\n{\n\treturn 0;\n}\n")
    words = ["gcc", "-O2", "-static", "-o", str(program), str(source)]
    subprocess.run(words, check=True)
    return program


def pack(config: Path, scratch: Path) -> dict[str, Path]:
    """The config compressed, and in a package as Debian makes them."""
    data = config.read_bytes()
    packed = scratch / "config.gz"
    packed.write_bytes(gzip.compress(data, 9))
    tree = scratch / "package"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(
        "Package: linux-image-test\nVersion: 1\nArchitecture: amd64\n"
        "Maintainer: none <none@example.org>\nDescription: none\n"
    )
    (tree / "boot").mkdir()
    (tree / "boot/config-6.12").write_bytes(data)
    # What else a kernel's package holds: modules, which hardly compress.
    (tree / "boot/System.map").write_bytes(os.urandom(8 << 20))
    deb = scratch / "linux-image.deb"
    words = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "-b", str(tree), str(deb)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return {"gz": packed, "deb": deb}


#: Prints the most memory, in KiB, of a command. (A child of Python is charged for
#: Python's, which it has until exec().)
MEMORY = """
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct rusage usage = {0};
    if (argc > 1 && !fork()) {
        if (!freopen("/dev/null", "w", stdout))
            return 2;
        execv(argv[1], argv + 1);
    }
    wait4(-1, NULL, 0, &usage);
    printf("%ld", usage.ru_maxrss);
    return 0;
}
"""


def memory(words: list[str], scratch: Path) -> float:
    """The most memory of any process of a run, in MiB."""
    program = scratch / "memory"
    if not program.exists():
        words_cc = ["gcc", "-O2", "-static", "-x", "c", "-o", str(program), "-"]
        subprocess.run(words_cc, input=MEMORY, text=True, check=True)
    out = subprocess.run([program, *words], stdout=subprocess.PIPE, check=True)
    return int(out.stdout) / 1024


def timed(words: list[str]) -> float:
    """Milliseconds."""
    out = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(words[0], words, os.environ, file_actions=out)
    _, status = os.waitpid(pid, 0)
    milliseconds = (time.perf_counter() - start) * 1000
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"failed: {' '.join(words)}")
    return milliseconds


def row(name: str, times: list[float], peak: float, base: float) -> str:
    median = statistics.median(times)
    low, high = (statistics.quantiles(times, n=20)[i] for i in (0, -1))
    spread = f"({low:.3f}-{high:.3f})"
    return f"{name:14} {median:8.3f} {spread:15} {median / base:8.2f} {peak:7.1f}"


def measure(commands: dict[str, list[str]], scratch: Path) -> None:
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, words in commands.items():
            timed(words)
            times[name].append(timed(words))
    base = statistics.median(next(iter(times.values())))
    print(f"{'':14} {'ms: median (5 %-95 %)':>24} {'ratio':>8} {'MiB':>7}")
    for name, values in times.items():
        print(row(name, values, memory(commands[name], scratch), base))


def many(program: Path, configs: list[Path], scratch: Path) -> None:
    """10,000 configs in one run, of all the kernels that there are here."""
    listed = scratch / "list"
    chosen = (configs * (MANY // len(configs) + 1))[:MANY]
    listed.write_text("".join(f"{path}\n" for path in chosen))
    size = sum(path.stat().st_size for path in chosen) / MANY / 1024
    print(f"\n{MANY} configs, {size:.0f} KiB on average:")
    for format_ in ("csv", "json"):
        for jobs in ("1", "2", "2"):
            words = [str(program), "--format", format_, "--jobs", jobs]
            words += ["--files-from", str(listed)]
            milliseconds, peak = timed(words), memory(words, scratch)
            print(
                f"--format {format_:4} --jobs {jobs}"
                f" {milliseconds / 1000:7.2f} s {peak:7.1f} MiB"
            )


def symbols(program: Path, config: Path) -> str:
    """The names of all symbols that a report of the highest level speaks of."""
    words = [str(program), "--format=csv", "--level=extreme", str(config)]
    text = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout
    lines = [line.split(",")[0].strip('"') for line in io.StringIO(text)]
    names = [line.removeprefix("CONFIG_") for line in lines if line[:7] == "CONFIG_"]
    return "\n".join(name.split("=")[0] for name in names)


def main() -> None:
    program = build()
    config = fetched("debian-config.sh", "6.12", "default", "amd64")
    print(
        f"{config.name}, {config.stat().st_size // 1024} KiB; {os.cpu_count()} cores;"
        f" Linux {os.uname().release}; {ROUNDS} rounds"
    )
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        packed = pack(config, scratch)
        (scratch / "names").write_text(symbols(program, config))
        plain = [str(program), str(config)]
        measure(
            {
                "plain": plain,
                "plain (A/A)": plain,
                "plain, json": [*plain, "--json"],
                "plain, html": [*plain, "--html"],
                "gz": [str(program), str(packed["gz"])],
                "start": [str(program), "--version"],
                "nothing": [str(nothing(scratch))],
                "deb": [str(program), str(packed["deb"])],
                "regex": ["/usr/bin/python3", "-c", REGEX, str(config)]
                + [str(scratch / "names")],
            },
            scratch,
        )
        many(program, sorted((ROOT / "build/configs").glob("*.config")), scratch)


if __name__ == "__main__":
    main()
