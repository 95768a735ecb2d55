"""``socrates docs``: the guides that ship with Socrates, wherever it is installed."""

from __future__ import annotations

import argparse

from socrates import pages
from socrates.cli import markdown, terminal
from socrates.errors import SocratesError
from socrates.spelling import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates docs``."""
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="the name of a guide; without it, their list"
    )
    markdown.add_color_option(parser)


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0."""
    guides = pages.guides()
    if args.page is None:
        terminal.write_lines("\n".join(f"{name:<20} {_title(name)}" for name in guides))
        return 0
    if args.page not in guides:
        hint = did_you_mean(args.page, guides) or "; `socrates docs` lists them"
        raise SocratesError(f"docs: no page {args.page!r}{hint}")
    markdown.show(pages.guide(args.page), args.color)
    return 0


def _title(name: str) -> str:
    return pages.guide(name).partition("\n")[0].lstrip("# ")
