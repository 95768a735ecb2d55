"""``socrates check``: find smells, print them, say by the exit code whether any matters."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from socrates.cli import fixing, terminal
from socrates.cli.options import add_run_options, add_selection_options, flags_of
from socrates.cli.show import shown_settings
from socrates.config.schema import SEVERITIES
from socrates.engine.gc_tuning import collect_rarely
from socrates.errors import SocratesError
from socrates.files.looking import is_folder
from socrates.findings import CheckResult, PluginError
from socrates.printable import visible
from socrates.report import FORMATS, pieces
from socrates.select import fails
from socrates.session import Session, check, prepare

TEXT_FORMATS = ("full", "concise", "grouped")
STDIN = "-"
STDIN_NAME = "stdin.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates check``."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="folders, files or node ids (tests/test_a.py::TestX::test_y); `-` reads standard "
        "input; pytest's testpaths or this folder if none is given",
    )
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="the name of what comes from standard input"
    )
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out named files too that no walk over the project would find: for pre-commit",
    )
    add_selection_options(parser)
    verdict = parser.add_argument_group("verdict")
    verdict.add_argument(
        "--fail-on", choices=SEVERITIES, help="exit with 1 from this severity on (warning)"
    )
    verdict.add_argument(
        "--min-severity", choices=SEVERITIES, help="show findings from this severity on (info)"
    )
    verdict.add_argument("--exit-zero", action="store_true", help="exit with 0 despite findings")
    verdict.add_argument(
        "--baseline",
        metavar="FILE",
        help="leave out what this file accepts; see `socrates baseline`",
    )
    fixing.add_fix_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, metavar="FORMAT", help=_formats())
    output.add_argument("--output-file", metavar="FILE", help="write the report here")
    output.add_argument(
        "--statistics", action="store_true", help="print how far each smell has spread instead"
    )
    output.add_argument("--show-files", action="store_true", help="list the test files and stop")
    output.add_argument("--show-settings", action="store_true", help="print the settings and stop")
    add_run_options(parser)


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0, 1 or 2."""
    code = _run(args)
    for name in args.guessed_files:
        terminal.note(
            f"error: {name}: there is a file of this name, so it was not taken for an option; "
            "end the `args` of the hook with `--`"
        )
    return 2 if args.guessed_files else code


def _run(args: argparse.Namespace) -> int:
    if args.output_file:
        terminal.check_writable(args.output_file)
    fixes = fixing.is_wanted(args)
    session = _session(args)
    if args.force_exclude and args.paths and not _reads_stdin(args):
        session = replace(session, targets=_tests_among(session))
        if not session.targets:
            return terminal.report_failures(session.plugin_errors)
    if args.show_settings:
        terminal.write_lines(shown_settings(session))
        return terminal.report_failures(session.plugin_errors)
    if args.show_files:
        return _show_files(session)
    if args.verbose:
        _tell_setup(session)
    with terminal.ProgressBar(enabled=not args.quiet) as progress:
        collect_rarely()
        result = check(session, use_cache=not args.no_cache, progress=progress)
    terminal.report_warnings(result.warnings)
    if fixes:
        return _fix(args, session, result)
    failures = (*result.errors, *_report(args, session, result, with_fixes=True))
    if args.verbose:
        _tell_run(result)
    if terminal.report_failures(failures):
        return 2
    return 1 if fails(result, session.settings) and not args.exit_zero else 0


def _fix(args: argparse.Namespace, session: Session, result: CheckResult) -> int:
    """Fix, then report what is left: on stdout, which carries the text if that came from stdin."""
    fixed = fixing.fix(args, session, result)
    left = fixed.remaining if fixing.writes(args) else result
    failures = [*result.errors, *fixed.errors]
    if args.diff:
        fixing.print_diff(fixed)
    elif session.stdin is not None and fixing.writes(args):
        fixing.print_fixed_stdin(session, fixed)
    elif not args.fix_only:
        failures += _report(args, session, left)
    fixing.tell(args, fixed)
    if args.verbose:
        _tell_run(left)
    if terminal.report_failures(failures):
        return 2
    return fixing.exit_code(args, fixed, fails(left, session.settings))


def _formats() -> str:
    return f"one of {', '.join(FORMATS)} (full)"


def _session(args: argparse.Namespace) -> Session:
    return prepare(
        [] if _reads_stdin(args) else args.paths,
        config=args.config,
        isolated=args.isolated,
        flags=flags_of(args),
        stdin=_stdin(args) if _reads_stdin(args) else None,
    )


def _reads_stdin(args: argparse.Namespace) -> bool:
    if STDIN in args.paths or (args.stdin_filename and not args.paths):
        if len(args.paths) > 1:
            raise SocratesError("PATH: `-` reads standard input and goes with no other path")
        return True
    if args.stdin_filename:
        raise SocratesError("--stdin-filename: needs `-` as the path")
    return False


def _tests_among(session: Session) -> tuple[str, ...]:
    """The targets without the files that are no tests, or that settings or git leave out."""
    from socrates.discovery import pytest_config
    from socrates.discovery.files import as_test_file, parse_target

    config_of = functools.cache(pytest_config.load)

    def counts(target: str) -> bool:
        path = parse_target(target, session.cwd).path
        if is_folder(path):
            return True
        return as_test_file(path, session.settings, config_of(path.parent)) is not None

    return tuple(target for target in session.targets if counts(target))


def _stdin(args: argparse.Namespace) -> tuple[str, bytes]:
    name = args.stdin_filename or STDIN_NAME
    if "::" in name or is_folder(Path(name)):
        raise SocratesError(f"--stdin-filename: {name!r} is not the name of a file")
    return name, sys.stdin.buffer.read()


def _show_files(session: Session) -> int:
    from socrates.engine.run import list_files

    files = list_files(session.targets, session.settings, session.cwd)
    if files:
        terminal.write_lines("\n".join(visible(name) for name in files))
    return terminal.report_failures(session.plugin_errors)


def _report(
    args: argparse.Namespace, session: Session, result: CheckResult, *, with_fixes: bool = False
) -> Sequence[PluginError]:
    """Write the report piece by piece. Returns what failed on the way."""
    from socrates.report.statistics import statistics

    output_format = session.settings.output_format
    to_file = args.output_file is not None
    color = terminal.wants_color(args.color, sys.stdout) and (not to_file or args.color == "always")
    context = session.context(
        color=color, width=terminal.width(sys.stdout), show_summary=not args.quiet
    )
    if with_fixes and output_format in fixing.FORMATS_WITH_FIXES and not args.statistics:
        context = fixing.with_fixes(args, session, result, context)
    if args.statistics:
        report = iter([statistics(result, context, output_format)])
    else:
        report = pieces(result, output_format, context)
    if to_file:
        terminal.write_file(args.output_file, report)
    else:
        terminal.write_pieces(report)
    says_so = output_format in TEXT_FORMATS and not to_file and not args.statistics
    if not args.quiet and not says_so and not any(file.tests for file in result.files):
        terminal.note(f"warning: no tests found. {result.looked_for}".rstrip())
    return context.errors


def _tell_setup(session: Session) -> None:
    settings = session.settings
    source = str(settings.config_file) if settings.config_file else "defaults, no file found"
    terminal.note(f"settings: {source}")
    terminal.note(f"project: {settings.root}")
    terminal.note(f"rules: {', '.join(rule.code for rule in session.rules) or 'none'}")


def _tell_run(result: CheckResult) -> None:
    tests = sum(len(file.tests) for file in result.files)
    terminal.note(
        f"{len(result.files)} files ({result.cached_files} from the cache), {tests} tests, "
        f"{len(result.findings)} findings, {result.suppressed} suppressed, "
        f"{result.baselined} in the baseline, {result.duration:.2f} s"
    )
