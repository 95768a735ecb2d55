"""Where the results of a command go: stdout, a file, stderr."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates.files import writing
from socrates_amplify.model.results import RunResult, Status
from socrates_amplify.report import RESULTS, ReportContext

if TYPE_CHECKING:
    from rich.console import Console


def console_for(choice: str, *, stderr: bool = False) -> Console:
    """A console that follows ``--color`` and prints names as they are: no markup, no emoji."""
    from rich.console import Console  # slow to import, and for terminals and colours only

    stream = sys.stderr if stderr else sys.stdout
    colored = terminal.wants_color(choice, stream)
    return Console(
        file=stream,
        force_terminal=True if colored and choice == "always" else None,
        no_color=not colored,
        color_system="auto" if colored else None,
        markup=False,
        emoji=False,
        highlight=False,
    )


def stdout_context(args: argparse.Namespace) -> ReportContext:
    """What a report on stdout is to look like."""
    stream: TextIO | None = sys.stdout  # None when the process was started with it closed
    colored = terminal.wants_color(args.color, stream)
    return ReportContext(
        Path.cwd(),
        quiet=args.quiet,
        verbose=getattr(args, "verbose", False),
        show_tests=getattr(args, "show_tests", False),
        color=colored and console_for(args.color).color_system is not None,
        encoding=getattr(stream, "encoding", None) or "utf-8",
    )


def write_result(result: RunResult, args: argparse.Namespace) -> None:
    """Write a result as ``--output-format`` says: to ``--output-file``, else to stdout."""
    if args.output_file is not None:
        content = RESULTS.render(result, args.output_format, ReportContext(Path.cwd()))
        write_file(args.output_file, content, "--output-file")
    else:
        terminal.write_stdout(RESULTS.render(result, args.output_format, stdout_context(args)))


def write_text(text: str, args: argparse.Namespace) -> None:
    """Write a text to ``--output-file``, else to stdout."""
    if args.output_file is not None:
        write_file(args.output_file, text, "--output-file")
    else:
        terminal.write_stdout(text)


def tell_if_unexamined(result: RunResult) -> None:
    """Say why no test could be examined, and the way out: the exit code alone does not."""
    if result.unexamined:
        smelly = "`socrates check` shows the smells, --gate off lets smelly tests in"
        failing = "run pytest first: a test that fails without faults says nothing about them"
        mostly_smelly = result.count(Status.SMELLY) > result.count(Status.FAILING)
        way_out = smelly if mostly_smelly else failing
        if result.out_of_time:
            way_out = "give it more, or fewer tests"
        terminal.note(f"error: {result.unexamined}; {way_out}")


def write_file(path: Path, content: str, flag: str, folder: Path | None = None) -> None:
    """Write the file that ``flag`` names; its folder is made when it is missing.

    ``folder`` is where a file has to lie that the user has not named, links followed.
    """
    try:
        if folder is not None:
            writing.inside(folder, folder.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8", "backslashreplace")
        if folder is None:
            path.write_bytes(data)
        else:
            writing.write(path, data, folder, durable=False)
    except writing.Failed as error:
        raise SocratesError(f"{flag}: cannot write {path}: {error.reason}") from None
    except writing.NotWritten as error:
        raise SocratesError(f"{flag}: cannot write {path}: {error}") from None
    except OSError as error:
        raise SocratesError(f"{flag}: cannot write {path}: {error.strerror}") from None


def check_writable(path: Path | None, flag: str) -> None:
    """Raise SocratesError if the file that ``flag`` names is a folder: before a long run."""
    if path is not None and path.is_dir():
        raise SocratesError(f"{flag}: {path} is a folder; give a file")
