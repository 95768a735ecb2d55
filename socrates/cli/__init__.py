"""The ``socrates`` command: one module per subcommand, each imported when it is asked for.

What lives elsewhere: everything that can be said without a terminal (``socrates.session``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from socrates.cli import interrupts, terminal
from socrates.errors import SocratesError

if TYPE_CHECKING:
    import argparse

    from socrates.plugins import Command

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 nothing found, 1 findings, 2 a mistake.

    Never raises: a user's mistake and a defect of ours both end in one line on stderr. Nothing is
    left in the buffers of stdout and stderr, so that Python has nothing to complain of at its end.
    """
    with interrupts.heeded():
        code = _reported(lambda: _dispatch(list(sys.argv[1:] if argv is None else argv)))
        return _reported(lambda: _flushed(code))


def _reported(work: Callable[[], int]) -> int:
    """The exit code of some work; what it raises is told in one line, and the code is 2."""
    try:
        return work()
    except SocratesError as error:
        terminal.note(f"error: {error}")
    except KeyboardInterrupt:
        terminal.note("interrupted")
    except BrokenPipeError:
        pass  # the reader went away; what is left for it is discarded at the last flush
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    except Exception as error:
        if os.environ.get("SOCRATES_DEBUG"):
            raise
        terminal.note(f"internal error: {_describe(error)}; SOCRATES_DEBUG=1 shows the traceback")
    return 2


def _flushed(code: int) -> int:
    terminal.flush()
    return code


def _dispatch(argv: list[str]) -> int:
    from socrates.engine.gc_tuning import collecting_rarely

    with collecting_rarely():  # importing makes many objects and hardly any garbage
        command, args = _parsed(argv)
    return 2 if command is None else command.run(args)


def _parsed(argv: list[str]) -> tuple[Command | None, argparse.Namespace]:
    """The command that was asked for, and its arguments; None, and help on stderr, without one."""
    from socrates import plugins
    from socrates.cli.file_arguments import as_files
    from socrates.cli.parser import build_parser, find_command, split_passthrough

    command = find_command(argv)
    head, tail = split_passthrough(argv, command)
    head, guessed = as_files(head)
    if command is None:
        # The command that the user misses may be that of a plugin which failed.
        terminal.report_failures(plugins.installed().errors)
    parser = build_parser(command)
    args = parser.parse_args(head)
    if command is None:
        parser.print_help(sys.stderr)
    args.passthrough = tail
    args.guessed_files = guessed
    return command, args


def _describe(error: Exception) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    text = str(error).splitlines()[0] if str(error) else ""
    return f"{type(error).__name__}: {text}{place}"
