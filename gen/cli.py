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

from gen.catalogue import read_catalogue, read_folder
from gen.compare import bisectreport, diffreport
from gen.compare.bisect import bisect
from gen.compare.diff import compare
from gen.configure import Outcome, Request, configure
from gen.conformance import conformance
from gen.entries import Level
from gen.errors import UserError
from gen.explain import explainjson, explaintext
from gen.explain.explain import Question, explain, parse_goal
from gen.fragments import write_fragments
from gen.lint import lint
from gen.report import as_text
from gen.savefile import check_apart, replacement
from gen.settings import Setting
from gen.table.table import as_c
from gen.tree.kbuild import VARIABLES, open_tree
from gen.tree.model import Model

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
        keep=options.keep,
        dry_run=options.dry_run,
    )
    unheard = False

    def announce(outcome: Outcome) -> None:
        """Whoever stays at the terminal sees what will change before it does."""
        nonlocal unheard
        for warning in outcome.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        try:
            print(as_text(outcome.report), end="", flush=True)
        except BrokenPipeError:
            _mute()
            unheard = True

    outcome = configure(request, announce)
    done = "not written" if options.dry_run else "written"
    print(f"{done if outcome.changed else 'no change to'}: {outcome.config}")
    if unheard:
        return 141
    return 1 if options.strict and not outcome.report.met else 0


def _diff(options: argparse.Namespace) -> int:
    check_apart(options.json, options.before, options.after)
    entries = read_catalogue(options.catalogue)
    tree = open_tree(options.kdir, dict(options.make))
    model = Model(tree, options.cache)
    difference = compare(options.before, options.after, entries, tree, model)
    model.keep_cache()
    if options.json:
        with replacement(options.json, diffreport.as_json(difference)) as commit:
            commit()
    print(diffreport.as_text(difference), end="")
    return 0


def _setting(text: str) -> Setting:
    try:
        return parse_goal(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _explain(options: argparse.Namespace) -> int:
    if not options.settings and options.level is None:
        raise UserError("give a setting to explain, such as CONFIG_X=y, or --level")
    question = Question(
        settings=options.settings,
        level=options.level,
        kdir=options.kdir,
        catalogue=options.catalogue,
        variables=dict(options.make),
        config=options.config,
        cache=options.cache,
    )
    answer = explain(question)
    check_apart(options.json, options.config, answer.tree.config)
    target = answer.target
    print(
        f"{answer.source}, Linux {answer.tree.version}, {target.architecture}, "
        f"{target.compiler}",
        file=sys.stderr,
    )
    if options.json:
        with replacement(options.json, explainjson.as_json(answer)) as commit:
            commit()
    print(explaintext.as_text(answer), end="")
    for warning in answer.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 0


def _bisect(options: argparse.Namespace) -> int:
    entries = read_catalogue(options.catalogue)
    tree = open_tree(options.kdir, dict(options.make))
    model = Model(tree, options.cache)
    outcome = bisect(
        tree,
        model,
        entries,
        command=options.test,
        folder=options.folder,
        say=lambda text: print(text, file=sys.stderr, flush=True),
        configs=(options.good, options.bad),
    )
    model.keep_cache()
    print(bisectreport.as_text(outcome), end="")
    return 0


def _check(options: argparse.Namespace) -> int:
    entries = read_catalogue(options.catalogue)
    print(f"{options.catalogue}: {len(entries)} entries, no mistake")
    return 0


def _fragments(options: argparse.Namespace) -> int:
    write_fragments(read_catalogue(options.catalogue), options.folder)
    return 0


def _table(options: argparse.Namespace) -> int:
    text = as_c(read_folder(options.catalogue))
    with replacement(options.output, text) as commit:
        commit()
    return 0


def _lint(options: argparse.Namespace) -> int:
    entries = read_catalogue(options.catalogue)
    variables = dict(options.make)
    findings = lint(entries, options.kdir, variables, options.cache)
    for finding in findings:
        print(finding)
    print(f"findings: {len(findings)}")
    return 1 if any(f.serious for f in findings) else 0


def _conformance(options: argparse.Namespace) -> int:
    request = conformance.Request(
        kdir=options.kdir,
        archs=options.arch,
        variables=dict(options.make),
        seeds=options.seeds,
        configs=options.config,
        folder=options.folder,
    )
    print(conformance.rules(options.kdir), flush=True)
    results = []
    for result in conformance.compare_all(request):
        print(conformance.as_text(result), flush=True)
        results.append(result)
    return conformance.exit_code(results)


def _mute() -> None:
    """The reader has gone, as in `... | head`; nor may the last flush fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m gen", description=__doc__)
    parser.add_argument(
        "--catalogue",
        type=Path,
        default=_ROOT / "docs/catalogue",
        help="folder of the catalogue's rst files",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    kernel = argparse.ArgumentParser(add_help=False)
    kernel.add_argument("--kdir", type=Path, required=True, help="kernel source tree")
    kernel.add_argument(
        "--make",
        action="append",
        default=[],
        type=_variable,
        metavar="NAME=VALUE",
        help="variable for the kernel's make: O, ARCH, CROSS_COMPILE, LLVM, ...",
    )
    tree = argparse.ArgumentParser(add_help=False, parents=[kernel])
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
        "--keep", type=Path, help="file of settings that are to stay as they are"
    )
    command.add_argument(
        "--dry-run", action="store_true", help="report, but leave the .config alone"
    )
    command.add_argument(
        "--strict", action="store_true", help="exit 1 on any fail or weaker"
    )
    command.set_defaults(run=_config)

    command = commands.add_parser(
        "diff",
        parents=[tree],
        help="tell which hardening changed between two configs, and why",
        epilog="Exit codes: 0 whatever has changed; 2 if the configs cannot be "
        "compared.",
    )
    command.add_argument("before", type=Path, metavar="A.config")
    command.add_argument("after", type=Path, metavar="B.config")
    command.add_argument("--json", type=Path, help="write the answer as JSON")
    command.set_defaults(run=_diff)

    command = commands.add_parser(
        "explain",
        parents=[tree],
        help="tell why a config does not have a setting, and what it takes",
        epilog="Exit codes: 0 whatever the answers are; 2 if there are none. "
        "No .config is written.",
    )
    command.add_argument("settings", nargs="*", type=_setting, metavar="NAME=VALUE")
    command.add_argument("--config", type=Path, help="the config in question")
    command.add_argument(
        "--level", type=_level, help="explain all that the config misses of a level"
    )
    command.add_argument("--json", type=Path, help="write the answers as JSON")
    command.set_defaults(run=_explain)

    command = commands.add_parser(
        "bisect",
        parents=[tree],
        help="find the hardening setting that breaks something",
        epilog="Exit codes: 0 found; 2 not, for the reason that the message gives. "
        "What has been tested is kept in the folder; the same command goes on there.",
    )
    command.add_argument("--good", type=Path, required=True, metavar="A.config")
    command.add_argument("--bad", type=Path, required=True, metavar="B.config")
    command.add_argument(
        "--test",
        required=True,
        metavar="CMD",
        help="shell command that tests the config in the file $CONFIG; its exit code: "
        "0 good, 1 to 124 bad, 125 cannot be tested, others end the search",
    )
    command.add_argument(
        "--folder",
        type=Path,
        default=Path("hardened-bisect"),
        help="for the log and the configs; default: %(default)s",
    )
    command.set_defaults(run=_bisect)

    command = commands.add_parser("check", help="read the catalogue, tell mistakes")
    command.set_defaults(run=_check)

    command = commands.add_parser("fragments", help="write fragments/")
    command.add_argument("--folder", type=Path, default=_ROOT / "fragments")
    command.set_defaults(run=_fragments)

    command = commands.add_parser(
        "table", help="write the catalogue as the table that hardened-audit is built of"
    )
    command.add_argument("--output", type=Path, required=True, metavar="FILE.c")
    command.set_defaults(run=_table)

    command = commands.add_parser(
        "lint", parents=[tree], help="compare the catalogue with a kernel tree"
    )
    command.set_defaults(run=_lint)

    command = commands.add_parser(
        "conformance",
        parents=[kernel],
        help="compare the model of a tree with the tree's own conf",
    )
    command.add_argument("--arch", nargs="+", required=True, help="ARCH= of the kernel")
    command.add_argument(
        "--seeds", type=int, default=100, help="random configs (default: 100)"
    )
    command.add_argument(
        "--config", nargs="+", type=Path, default=[], help="further configs"
    )
    command.add_argument(
        "--folder",
        type=Path,
        default=_ROOT / "build/conformance",
        help="where configs that differ are kept",
    )
    command.set_defaults(run=_conformance)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        if sys.stdout:  # which may have been closed from the start
            sys.stdout.flush()
        return code
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _mute()
        return 141
    except OSError as error:
        # Most likely the output: files tell their own errors
        print(f"error: {error}", file=sys.stderr)
        _mute()
        return 2
