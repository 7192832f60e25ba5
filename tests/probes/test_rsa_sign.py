# SPDX-License-Identifier: GPL-2.0-only
"""rsa-sign: right here, and wrong where signing, verifying or entropy is."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from building import Run, can_mount
from surroundings import ROOT

KEYS = ROOT / "probes/rsa-sign/keys.c"
BITS = (2048, 3072, 4096)
LIBRARIES = ("libcrypto", "boringssl")

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="mounts need root")
RunProbe = Callable[..., Run]
Preload = Callable[[str], dict[str, str]]
needs_mounts = pytest.mark.skipif(
    not can_mount(), reason="needs a mount namespace: unshare -m"
)


def signatures(library: str) -> list[str]:
    return [f"{library}-{bits}-signature" for bits in BITS]


def verdicts(run: Run, names: list[str]) -> set[str]:
    return {run.results[name]["verdict"] for name in names}


def reasons(run: Run, names: list[str]) -> str:
    return "\n".join(run.results[name]["reason"] for name in names)


def libraries(run: Run) -> list[str]:
    """Those that could be tried; libcrypto can be everywhere."""
    there = [name for name in LIBRARIES if run.results[name]["verdict"] == "ok"]
    assert "libcrypto" in there
    return there


def timed(run: Run, name: str) -> dict[str, Any]:
    """A result with figures; the machine may be too busy for them."""
    result: dict[str, Any] = run.results[name]
    if re.search("A/A|other programs", result["reason"]):
        pytest.skip(f"{name}: {result['reason']}")
    return result


@pytest.fixture(scope="module", name="here")
def fixture_here(run_probe: RunProbe) -> Run:
    return run_probe("rsa-sign", "--quick")


# --- where all is well


def test_signs_and_verifies_with_each_library(here: Run) -> None:
    for library in libraries(here):
        assert verdicts(here, signatures(library)) == {"ok"}
    assert here.status == (0 if here.report["verdict"] == "ok" else 2)


def test_says_which_library_it_was(here: Run) -> None:
    assert here.results["libcrypto"]["outcome"].startswith("OpenSSL ")
    result = here.results["boringssl"]
    if not list(Path("/usr/lib").glob("*-linux-gnu*/android/libcrypto.so.0")):
        assert result["verdict"] == "n/a"
        assert "is not installed" in result["reason"]
    elif Path("/usr/include/android/openssl/rsa.h").exists():
        assert result["verdict"] == "ok"
        assert "BoringSSL" in result["outcome"]


def test_every_cost_has_a_figure(here: Run) -> None:
    for library in libraries(here):
        for what in ("sign", "import-sign"):
            result = timed(here, f"{library}-2048-{what}")
            assert result["verdict"] == "ok"
            assert result["ns"] > 0
            assert result["ci95"][0] <= result["ratio"] <= result["ci95"][1]


def test_import_costs_something(here: Run) -> None:
    for library in libraries(here):
        assert timed(here, f"{library}-2048-import-sign")["ratio"] > 1.2


def test_blinding_shows_where_each_signature_makes_its_own(here: Run) -> None:
    """The proof that it is off in one half of the comparison and on in the other."""
    for library in libraries(here):
        result = timed(here, f"{library}-2048-import-sign-blinding")
        assert result["ratio"] > 1.1
        assert result["percent"] == pytest.approx(
            100 * (1 - 1 / result["ratio"]), abs=0.01
        )
        assert f"{library}: of importing" in " ".join(here.report["summary"])


def test_blinding_is_no_option(here: Run, run_probe: RunProbe) -> None:
    assert all("not an option" in line for line in here.report["summary"])
    assert "blinding" not in run_probe("rsa-sign", "--help").stdout


def test_first_signature_is_dearer(here: Run) -> None:
    for library in libraries(here):
        result = here.results[f"{library}-2048-first-sign"]
        assert result["verdict"] == "ok"
        for step in ("load", "import", "first", "second"):
            assert result[f"us_{step}"] > 0
    result = here.results["libcrypto-2048-first-sign"]
    assert result["us_first"] > 1.5 * result["us_second"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one CPU only")
def test_all_cpus_share_a_key(here: Run) -> None:
    for library in libraries(here):
        result = timed(here, f"{library}-2048-sign-all-cpus-shared-key")
        # without it, other programs took the CPUs in too many of the common rounds
        assert result.get("shared_to_own", 1) > 0.5


def test_all_cpus_of_one(run_probe: RunProbe) -> None:
    cpu = str(min(os.sched_getaffinity(0)))
    run = run_probe("rsa-sign", "--quick", under=("taskset", "-c", cpu))
    result = run.results["libcrypto-2048-sign-all-cpus-shared-key"]
    assert (result["verdict"], result["reason"]) == ("n/a", "there is one CPU only")


def test_static(run_probe: RunProbe) -> None:
    run = run_probe("rsa-sign", "--quick", static=True)
    assert verdicts(run, signatures("libcrypto")) == {"ok"}
    assert run.results["boringssl"]["verdict"] == "n/a"
    assert "shared library only" in run.results["boringssl"]["reason"]


def test_arm64(run_probe: RunProbe) -> None:
    run = run_probe("rsa-sign", "--quick", static=True, variant="arm64")
    assert verdicts(run, signatures("libcrypto")) == {"ok"}
    assert run.report["machine"]["arch"] == "aarch64"


def test_sanitizers_find_nothing(run_probe: RunProbe) -> None:
    run = run_probe("rsa-sign", "--quick", variant="sanitized")
    assert verdicts(run, signatures("libcrypto")) == {"ok"}
    assert "AddressSanitizer" in run.results["boringssl"]["reason"]
    assert run.stderr == ""


@root_only
@needs_mounts
def test_boringssl_is_not_installed(run_probe: RunProbe, here: Run) -> None:
    if "boringssl" not in libraries(here):
        pytest.skip(here.results["boringssl"]["reason"])
    hide = 'mount -t tmpfs none /usr/lib/*/android && exec "$@"'
    under = ("unshare", "-m", "sh", "-c", hide, "sh")
    run = run_probe("rsa-sign", "--quick", under=under)
    result = run.results["boringssl"]
    assert result["verdict"] == "n/a"
    assert result["reason"] == "android-libboringssl is not installed"
    assert not [name for name in run.results if name.startswith("boringssl-")]


# --- the two libraries have the same names of functions


def test_the_libraries_are_apart(probe: Callable[..., Path], here: Run) -> None:
    if "boringssl" not in libraries(here):
        pytest.skip(here.results["boringssl"]["reason"])
    result = subprocess.run(
        [probe("rsa-sign"), "--quick", "--ktap"],
        env={**os.environ, "LD_DEBUG": "bindings"},
        capture_output=True,
        check=False,
        text=True,
    )
    bindings = re.findall(
        r"binding file (\S+) \[0\] to (\S+) \[0\]: .*`(\w+)'", result.stderr
    )
    used = {
        name: Path(to)
        for file, to, name in bindings
        if "/android/" in file and re.match("(RSA|BN|ERR|RAND|OPENSSL)_", name)
    }
    assert "BN_mod_exp_mont_consttime" in used
    assert {path.parent.name for path in used.values()} == {"android"}


# --- where it must fail


def test_a_wrong_bit(run_probe: RunProbe, preload: Preload) -> None:
    run = run_probe("rsa-sign", "--quick", env=preload("rsa_sign_flips"))
    assert run.status == 1
    assert verdicts(run, signatures("libcrypto")) == {"fail"}
    for name in signatures("libcrypto"):
        reason = run.results[name]["reason"]
        assert reason == "signature differs from the known answer at byte 100"
    if "boringssl" in libraries(run):
        assert verdicts(run, signatures("boringssl")) == {"ok"}


def test_a_wrong_bit_of_boringssl(
    run_probe: RunProbe, preload: Preload, here: Run
) -> None:
    if "boringssl" not in libraries(here):
        pytest.skip(here.results["boringssl"]["reason"])
    run = run_probe("rsa-sign", "--quick", env=preload("rsa_boringssl_flips"))
    assert run.status == 1
    assert verdicts(run, signatures("libcrypto")) == {"ok"}
    assert verdicts(run, signatures("boringssl")) == {"fail"}
    assert "at byte 200" in reasons(run, signatures("boringssl"))


def test_a_wrong_bit_later_on(run_probe: RunProbe, preload: Preload) -> None:
    """The timed loops look at every signature, too."""
    env = preload("rsa_sign_flips") | {"RSA_SIGN_RIGHT": "5"}
    run = run_probe("rsa-sign", "--quick", env=env)
    assert run.status == 1
    assert verdicts(run, signatures("libcrypto")) == {"ok"}
    for what in ("sign", "import-sign", "sign-all-cpus-shared-key"):
        result = run.results[f"libcrypto-2048-{what}"]
        if "one CPU" not in result["reason"]:
            assert (result["verdict"], result["reason"]) == ("fail", "wrong signature")


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("message", "verify accepts the signature for another message"),
        ("signature", "verify accepts a signature with a flipped bit in byte 0"),
    ],
)
def test_a_blind_verify(
    to: str, reason: str, run_probe: RunProbe, preload: Preload
) -> None:
    env = preload("rsa_verify_blind") | {"RSA_VERIFY_BLIND": to}
    run = run_probe("rsa-sign", "--quick", env=env)
    assert run.status == 1
    for name in signatures("libcrypto"):
        assert run.results[name]["verdict"] == "fail"
        assert run.results[name]["reason"] == reason


def test_getrandom_is_refused(run_probe: RunProbe, tool: Callable[..., Path]) -> None:
    under = (tool("with_filter"), "getrandom=EPERM", "--")
    run = run_probe("rsa-sign", "--quick", under=under)
    assert run.status == 1
    for library in libraries(run):
        assert verdicts(run, signatures(library)) == {"fail"}
        for name in signatures(library):
            assert "no entropy from getrandom: EPERM" in run.results[name]["reason"]


@root_only
@needs_mounts
def test_no_source_of_entropy(run_probe: RunProbe, tool: Callable[..., Path]) -> None:
    empty = 'mount -t tmpfs none /dev && exec "$@"'
    filtered = (tool("with_filter"), "getrandom=ENOSYS", "--")
    under = ("unshare", "-m", "sh", "-c", empty, "sh", *filtered)
    for static in (False, True):
        run = run_probe("rsa-sign", "--quick", under=under, static=static)
        assert run.status == 1
        for library in libraries(run):
            assert verdicts(run, signatures(library)) == {"fail"}
            for name in signatures(library):
                reason = run.results[name]["reason"]
                assert "getrandom: ENOSYS, /dev/urandom: ENOENT" in reason
                if library == "libcrypto":
                    assert "no signature: error:" in reason
                else:
                    assert "SIGABRT at: sign" in reason


# --- the known answers, by other means


def arrays() -> dict[str, bytes]:
    found = re.findall(r"char (\w+)\[\] = \{(.*?)\};", KEYS.read_text(), re.DOTALL)
    return {
        name: bytes(int(byte, 16) for byte in re.findall("0x(..)", body))
        for name, body in found
    }


def message() -> bytes:
    found = re.search(r'message\[\] = "(.*)"', KEYS.read_text())
    assert found
    return found[1].encode()


def integers(der: bytes) -> list[int]:
    """The INTEGERs of a DER SEQUENCE of nothing else."""

    def element(at: int) -> tuple[int, int, int]:
        size, at = der[at + 1], at + 2
        if size & 0x80:
            count = size & 0x7F
            size = int.from_bytes(der[at : at + count], "big")
            at += count
        return der[at - 1], at, at + size

    _, at, end = element(0)
    values = []
    while at < end:
        _, start, at = element(at)
        values.append(int.from_bytes(der[start:at], "big"))
    return values


@pytest.mark.parametrize("bits", BITS)
def test_known_answer_by_arithmetic(bits: int) -> None:
    """RFC 8017, 8.2.1 and 9.2, without any library."""
    _, modulus, public, private, *_ = integers(arrays()[f"private_{bits}"])
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    info = prefix + hashlib.sha256(message()).digest()
    encoded = b"\0\1" + b"\xff" * (bits // 8 - len(info) - 3) + b"\0" + info
    signature = int.from_bytes(arrays()[f"signature_{bits}"], "big")
    assert modulus.bit_length() == bits
    assert pow(signature, public, modulus) == int.from_bytes(encoded, "big")
    assert pow(int.from_bytes(encoded, "big"), private, modulus) == signature


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
@pytest.mark.parametrize("bits", BITS)
def test_known_answer_by_openssl(bits: int, tmp_path: Path) -> None:
    """The commands that keys.c names."""
    key, text = tmp_path / "key.der", tmp_path / "message"
    key.write_bytes(arrays()[f"private_{bits}"])
    text.write_bytes(message())

    def openssl(*words: str | Path) -> bytes:
        return subprocess.run(
            ["openssl", *words], check=True, capture_output=True
        ).stdout

    public = openssl("rsa", "-in", key, "-pubout", "-outform", "DER")
    assert public == arrays()[f"public_{bits}"]
    signature = openssl("dgst", "-sha256", "-sign", key, text)
    assert signature == arrays()[f"signature_{bits}"]
