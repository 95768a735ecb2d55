"""Where the results of a command go: stdout, a file, stderr."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates_amplify.model.results import RunResult
from socrates_amplify.report import junit, sarif, text


def console_for(choice: str, *, stderr: bool = False) -> Console:
    """A console that follows ``--color`` and prints names as they are: no markup, no emoji."""
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


@contextlib.contextmanager
def stdout(choice: str) -> Iterator[Console]:
    """A console whose text goes to stdout at the end, whatever stdout can encode."""
    console = console_for(choice)
    console.begin_capture()
    yield console
    captured = ""
    with terminal.guarded_stdout():
        # An unbuffered stdout is written to even when there is nothing to write.
        captured = console.end_capture()
    terminal.write_stdout(captured)


def write_result(
    result: RunResult,
    args: argparse.Namespace,
    document: Callable[[], str],
    *,
    verbose: bool = False,
) -> None:
    """Machine formats go to stdout alone; text goes there with colours. ``document`` is the JSON."""
    render: dict[str, Callable[[], str]] = {
        "json": document,
        "junit": lambda: junit.render(result),
        "sarif": lambda: sarif.render(result, Path.cwd()),
        "text": lambda: "\n".join(text.lines_of(result)) + "\n",
    }
    if args.output_file is not None:
        write_file(args.output_file, render[args.output_format](), "--output-file")
    elif args.output_format == "text":
        with stdout(args.color) as console:
            text.show(result, console, quiet=args.quiet, verbose=verbose)
    else:
        terminal.write_stdout(render[args.output_format]())


def write_file(path: Path, content: str, flag: str) -> None:
    """Write what a flag asked for; the folder is made when it is missing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise SocratesError(f"{flag}: cannot write {path}: {error.strerror}") from None


def check_writable(path: Path | None, flag: str) -> None:
    """Complain before a long run, not after it."""
    if path is not None and path.is_dir():
        raise SocratesError(f"{flag}: {path} is a folder; give a file")
