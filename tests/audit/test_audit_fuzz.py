# SPDX-License-Identifier: GPL-2.0-only
"""libFuzzer on every parser: fuzz/*.c, with ASan and UBSan.

Half a minute for all of them together; with --long ten minutes. What a run learns is
kept under build/ for the next one. A target's first inputs are those of audit_seeds.py
and of fuzz/NAME.seeds/.
"""

import base64
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from audit_building import built, make
from audit_seeds import SEEDS, write_seeds
from compiled import VARIANTS
from surroundings import ROOT

FUZZ = Path(__file__).parent / "fuzz"
TARGETS = sorted(path.stem for path in FUZZ.glob("*.c"))
KEPT = ROOT / "build/audit-test/corpus"
SECONDS, LONG_SECONDS = 30, 600


def can_fuzz(folder: Path) -> bool:
    """Whether clang brings libFuzzer along."""
    source = folder / "nothing.c"
    source.write_text(
        "int LLVMFuzzerTestOneInput(void);\n"
        "int LLVMFuzzerTestOneInput(void) { return 0; }\n"
    )
    words = ["clang", "-fsanitize=fuzzer,address", "-o", "nothing", source.name]
    return not subprocess.run(words, cwd=folder, capture_output=True).returncode


@pytest.fixture(scope="session", autouse=True)
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if not can_fuzz(tmp_path_factory.mktemp("fuzzer")):
        pytest.skip("clang has no libFuzzer here (package libclang-rt-dev)")
    yield


def fuzz(
    program: Path, scratch: Path, corpus: list[Path], seconds: float
) -> subprocess.CompletedProcess[str]:
    """Run a target for so long, or until it finds a defect."""
    return subprocess.run(
        [
            program,
            f"-max_total_time={max(1, round(seconds))}",
            "-timeout=20",
            "-rss_limit_mb=1024",
            "-max_len=65536",
            "-print_final_stats=1",
            f"-artifact_prefix={scratch}/found-",
            *corpus,
        ],
        env=os.environ | {"ASAN_OPTIONS": "detect_stack_use_after_return=1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def found(scratch: Path) -> str:
    """The inputs that show a defect, to be put into a test."""
    return "\n".join(
        f"{path.name}: {base64.b64encode(path.read_bytes()).decode()}"
        for path in scratch.glob("found-*")
    )


def test_there_are_targets() -> None:
    assert {"config", "cmdline", "sysctl", "waivers", "image", "package"} <= set(
        TARGETS
    )


@pytest.mark.parametrize("target", TARGETS)
def test_fuzz(target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    total = LONG_SECONDS if request.config.getoption("--long") else SECONDS
    seeds = tmp_path / "seeds"
    if target in SEEDS:
        write_seeds(target, seeds)
    for path in (FUZZ / f"{target}.seeds").glob("*"):
        seeds.mkdir(exist_ok=True)
        shutil.copy(path, seeds)
    assert any(seeds.glob("*")), f"{target} has nothing to start from"
    kept = KEPT / target
    kept.mkdir(parents=True, exist_ok=True)
    program = built(f"fuzz/{target}", "fuzz")
    done = fuzz(program, tmp_path, [kept, seeds], total / len(TARGETS))
    assert done.returncode == 0, f"{done.stderr[-4000:]}\n{found(tmp_path)}"
    runs = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    assert runs and int(runs[1]) > 100, done.stderr


def test_a_defect_is_found(tmp_path: Path) -> None:
    """The control: a target that reads one byte too many for some inputs."""
    folder = tmp_path / "fuzz"
    folder.mkdir()
    (folder / "defect.c").write_text(
        "#include <stddef.h>\n"
        "int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);\n"
        "int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)\n"
        "{\n"
        "\treturn size && bytes[0] == 'C' && bytes[size] == 1 ? -1 : 0;\n"
        "}\n"
    )
    (tmp_path / "seed").mkdir()
    (tmp_path / "seed/seed").write_bytes(b"B")
    # Only what is needed is built: the library is there already.
    build = built("libaudit.a", "fuzz").parent
    program = tmp_path / "build/fuzz/defect"
    shutil.copytree(build, tmp_path / "build", symlinks=True)
    words = (*VARIANTS["fuzz"], f"TESTS={tmp_path}", str(program))
    result = make(tmp_path / "build", *words)
    assert result.returncode == 0, result.stderr
    done = fuzz(program, tmp_path, [tmp_path / "seed"], 20)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr and found(tmp_path)
