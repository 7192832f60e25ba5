# SPDX-License-Identifier: GPL-2.0-only
"""The command line: `python3 -m gen COMMAND`.

Exit codes: 0 done; 1 a setting is missing under --strict, or lint found something;
2 a mistake or fault that the message explains, or an interrupt; 141 the reader of the
output went away.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gen.catalogue import read_catalogue
from gen.configure import Request, configure
from gen.entries import Level
from gen.errors import UserError
from gen.fragments import write_fragments
from gen.lint import lint
from gen.report import as_text
from gen.tree.kbuild import VARIABLES

_ROOT = Path(__file__).resolve().parent.parent


def _level(text: str) -> Level:
    try:
        return Level.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in VARIABLES:
        known = ", ".join(VARIABLES)
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE of {known}")
    return name, value


def _config(options: argparse.Namespace) -> int:
    request = Request(
        level=options.level,
        kdir=options.kdir,
        catalogue=options.catalogue,
        variables=dict(options.make),
        base=options.base,
        report=options.report,
        cache=options.cache,
    )
    outcome = configure(request)
    print(as_text(outcome.report), end="")
    for warning in outcome.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{'written' if outcome.changed else 'no change to'}: {outcome.config}")
    return 1 if options.strict and not outcome.report.met else 0


def _check(options: argparse.Namespace) -> int:
    entries = read_catalogue(options.catalogue)
    print(f"{options.catalogue}: {len(entries)} entries, no mistake")
    return 0


def _fragments(options: argparse.Namespace) -> int:
    write_fragments(read_catalogue(options.catalogue), options.folder)
    return 0


def _lint(options: argparse.Namespace) -> int:
    entries = read_catalogue(options.catalogue)
    variables = dict(options.make)
    findings = lint(entries, options.kdir, variables, options.cache)
    for finding in findings:
        print(finding)
    print(f"findings: {len(findings)}")
    return 1 if any(f.serious for f in findings) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m gen", description=__doc__)
    parser.add_argument(
        "--catalogue",
        type=Path,
        default=_ROOT / "docs/catalogue",
        help="folder of the catalogue's rst files",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    tree = argparse.ArgumentParser(add_help=False)
    tree.add_argument("--kdir", type=Path, required=True, help="kernel source tree")
    tree.add_argument(
        "--make",
        action="append",
        default=[],
        type=_variable,
        metavar="NAME=VALUE",
        help="variable for the kernel's make: O, ARCH, CROSS_COMPILE, LLVM, ...",
    )
    tree.add_argument(
        "--cache", type=Path, help="folder for the results of compiler tests"
    )

    command = commands.add_parser(
        "config", parents=[tree], help="bring a tree's .config to a level"
    )
    command.add_argument("--level", type=_level, required=True)
    command.add_argument("--base", type=Path, help="config to start from")
    command.add_argument("--report", type=Path, help="write the report as JSON")
    command.add_argument(
        "--strict", action="store_true", help="exit 1 on any fail or weaker"
    )
    command.set_defaults(run=_config)

    command = commands.add_parser("check", help="read the catalogue, tell mistakes")
    command.set_defaults(run=_check)

    command = commands.add_parser("fragments", help="write fragments/")
    command.add_argument("--folder", type=Path, default=_ROOT / "fragments")
    command.set_defaults(run=_fragments)

    command = commands.add_parser(
        "lint", parents=[tree], help="compare the catalogue with a kernel tree"
    )
    command.set_defaults(run=_lint)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has seen enough, as in `... | head`; nor may the last flush fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        # Most likely the output: files tell their own errors
        print(f"error: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
