"""``socrates lsp``: the language server, over standard input and output."""

from __future__ import annotations

import argparse
import importlib.util
import sys

from socrates.errors import SocratesError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates lsp``."""
    parser.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output (always)"
    )
    parser.epilog = "Editors start it: docs/editors.md says how."


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0 after an orderly end, 1 when the client just went away."""
    if not _is_installed("pygls"):
        raise SocratesError("lsp: needs pygls; install it with `pip install 'pygls>=2.0'`")
    if sys.stdin.isatty():
        raise SocratesError("lsp: waits for an editor, not for a terminal; see docs/editors.md")
    from socrates.lsp.server import serve

    return serve()


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
