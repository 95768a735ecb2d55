"""Pages in a terminal: laid out where there are colours, as they are elsewhere."""

from __future__ import annotations

import argparse
import sys

from socrates.cli import terminal
from socrates.printable import visible


def add_color_option(parser: argparse.ArgumentParser) -> None:
    """``--color``, as commands that show pages have it."""
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours (auto)"
    )


def show(text: str, color: str) -> None:
    """Write a page to standard output."""
    if terminal.wants_color(color, sys.stdout):
        terminal.write_stdout(_rendered("\n".join(visible(line) for line in text.split("\n"))))
    else:
        terminal.write_lines(text)


def _rendered(text: str) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True, width=terminal.width(sys.stdout))
    with console.capture() as capture:
        console.print(Markdown(text))
    return capture.get()
