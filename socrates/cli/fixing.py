"""``socrates check --fix`` and the flags around it: what they mean, and what they print."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates.findings import CheckResult
from socrates.printable import visible
from socrates.report import ReportContext
from socrates.session import Session

if TYPE_CHECKING:
    from socrates.fixes.apply import FixedFile, FixResult

FORMATS_WITH_FIXES = ("json", "json-lines", "sarif")
"""Reports that carry fixes, which cost a second look at each file with findings."""


def add_fix_options(parser: argparse.ArgumentParser) -> None:
    """Whether to fix, and what to show of it."""
    group = parser.add_argument_group("fixes")
    group.add_argument("--fix", action="store_true", help="mend what can be mended safely")
    group.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="also fixes that rename tests or compare in another way: look at them first",
    )
    group.add_argument(
        "--diff", action="store_true", help="print what would be changed, and change nothing"
    )
    group.add_argument("--show-fixes", action="store_true", help="list every fix")
    group.add_argument("--fix-only", action="store_true", help="fix, and don't report what is left")
    group.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="exit with 1 when a file was fixed"
    )


def is_wanted(args: argparse.Namespace) -> bool:
    """Whether the run makes fixes. Raises SocratesError for flags that need another one."""
    wanted = bool(args.fix or args.fix_only or args.diff or args.show_fixes)
    carried = getattr(args, "output_format", None) in FORMATS_WITH_FIXES
    if args.unsafe_fixes and not wanted and not carried:
        raise SocratesError(
            "--unsafe-fixes: says which fixes; add --fix, --fix-only, --diff, --show-fixes "
            "or --output-format json"
        )
    if args.exit_non_zero_on_fix and not (args.fix or args.fix_only):
        raise SocratesError("--exit-non-zero-on-fix: needs --fix or --fix-only")
    if wanted and args.statistics:
        raise SocratesError("--statistics: counts findings; run it after the fixes")
    return wanted


def writes(args: argparse.Namespace) -> bool:
    """Whether files are changed."""
    return bool((args.fix or args.fix_only) and not args.diff)


def fix(args: argparse.Namespace, session: Session, result: CheckResult) -> FixResult:
    """Fix the files of a run, or find out what would be fixed."""
    from socrates.fixes.apply import fix_all

    with terminal.ProgressBar(enabled=not args.quiet) as progress:
        return fix_all(
            session, result, unsafe=args.unsafe_fixes, write=writes(args), progress=progress
        )


def with_fixes(
    args: argparse.Namespace, session: Session, result: CheckResult, context: ReportContext
) -> ReportContext:
    """The surroundings of a report that shows fixes."""
    from socrates.fixes.for_reports import ReportedFixes

    unsafe, use_cache = args.unsafe_fixes, not args.no_cache
    fixes = ReportedFixes(session, result, context.errors, unsafe=unsafe, use_cache=use_cache)
    return replace(context, fix_of=fixes.of)


def tell(args: argparse.Namespace, fixed: FixResult) -> None:
    """What was done, on stderr: problems always, the rest unless it should be quiet."""
    for file in fixed.files:
        if file.problem:
            terminal.note(f"{file.filename}: not fixed: {file.problem}")
    if args.show_fixes:
        _list(fixed, did=writes(args))
    if args.quiet:
        return
    changed = [file for file in fixed.files if file.changed]
    mended = len(
        {
            (
                finding.code,
                finding.test,
                finding.filename,
                finding.span if not finding.test else None,
            )
            for file in changed
            for change in file.applied
            for finding in change.findings
        }
    )
    withdrawn = sum(len(file.withdrawn) for file in fixed.files)
    held_back = sum(file.held_back for file in fixed.files)
    did = "fixed" if writes(args) else "would fix"
    parts = [f"{did} {_count(mended, 'finding')} in {_count(len(changed), 'file')}"]
    if withdrawn:
        parts.append(f"{_count(withdrawn, 'fix')} withdrawn because the finding would have stayed")
    if held_back:
        parts.append(f"{_count(held_back, 'more')} with --unsafe-fixes")
    unfixed = sum(len(file.unfixed) for file in fixed.files)
    if unfixed and not args.show_fixes:
        parts.append(f"no fix for {_count(unfixed, 'finding')}, --show-fixes says why")
    terminal.note("; ".join(parts))


def print_diff(fixed: FixResult) -> None:
    """A unified diff that ``patch -p1`` and ``git apply`` take; on a terminal, one to look at."""
    text = "".join(_diff(file) for file in fixed.files if file.changed)
    if text and terminal.is_terminal(sys.stdout):
        terminal.write_lines(text)
    else:
        terminal.write_stdout(text)


def print_fixed_stdin(session: Session, fixed: FixResult) -> None:
    """The text that came from standard input, fixed or as it was."""
    assert session.stdin is not None
    data = next(
        (file.after for file in fixed.files if file.filename == session.stdin_name and file.after),
        session.stdin[1],
    )
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        from socrates.model.python.source import decode

        terminal.write_stdout(decode(data))
        return
    with terminal.guarded_stdout():
        stream.write(data)
        stream.flush()


def exit_code(args: argparse.Namespace, fixed: FixResult, remaining_fails: bool) -> int:
    """0 or 1, after fixes; 2 when a file was refused."""
    if any(file.refused for file in fixed.files):
        return 2
    changed = any(file.changed for file in fixed.files)
    if args.diff:
        return 1 if changed and not args.exit_zero else 0
    if args.exit_non_zero_on_fix and changed:
        return 1
    if args.fix_only:
        return 1 if any(file.problem for file in fixed.files) and not args.exit_zero else 0
    return 1 if remaining_fails and not args.exit_zero else 0


def _list(fixed: FixResult, did: bool) -> None:
    for file in fixed.files:
        for change in file.applied:
            first = change.fix.applicability
            names = ", ".join(
                dict.fromkeys(
                    f"{f.code} {(f.test or '').partition('::')[2]}" for f in change.findings
                )
            )
            verb = "fixed" if did else "would fix"
            terminal.note(f"{file.filename}: {verb} ({first}) {names}: {change.fix.message}")
        for message, number in Counter(change.fix.message for change in file.withdrawn).items():
            times = f" ({number} times)" if number > 1 else ""
            terminal.note(f"{file.filename}: withdrawn{times}: {message}")
        for finding, reason in file.unfixed:
            name = (finding.test or "").partition("::")[2]
            terminal.note(f"{file.filename}: no fix for {finding.code} {name}: {reason}")


def _diff(file: FixedFile) -> str:
    from socrates.fixes.lines import lines_of
    from socrates.model.python.source import decode

    before, after = lines_of(decode(file.before)), lines_of(decode(file.after))
    old, new = _quoted(f"a/{file.filename}"), _quoted(f"b/{file.filename}")
    shown = []
    for line in difflib.unified_diff(before, after, old, new):
        if line.endswith(("\n", "\r")):
            shown.append(line)
        else:
            shown.append(f"{line}\n\\ No newline at end of file\n")
    return "".join(shown)


def _quoted(name: str) -> str:
    """A name as git writes it: in quotes and with escapes if it holds anything unusual."""
    if visible(name) == name and not set(name) & {'"', "\\", "\t"}:
        return name
    escaped = (
        f"\\{byte:03o}"
        if byte < 0x20 or byte > 0x7E
        else f"\\{byte:c}"
        if byte in b'"\\'
        else chr(byte)
        for byte in os.fsencode(name)
    )
    return f'"{"".join(escaped)}"'


def _count(number: int, noun: str) -> str:
    plural = noun if noun == "more" else "fixes" if noun == "fix" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
