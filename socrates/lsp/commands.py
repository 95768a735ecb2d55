"""Commands that a client may run by name, without a place in a text."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from socrates import __version__, registry
from socrates.lsp.documents import Document
from socrates.lsp.features import all_fixed
from socrates.lsp.server import Server, modified
from socrates.printable import one_line

FIX_ALL = "socrates.applyAutofix"
RECHECK = "socrates.recheck"
DEBUG = "socrates.printDebugInformation"


def register(server: Server) -> None:
    """Register all of them with a server."""
    commands: dict[str, Callable[..., object]] = {
        FIX_ALL: apply_autofix,
        RECHECK: recheck,
        DEBUG: print_debug_information,
    }
    for name, command in commands.items():
        server.command(name)(command)


async def apply_autofix(ls: Server, *arguments: object) -> None:
    """Mend what can be mended safely in one document, named by ``{"uri": ..., "version": ...}``."""
    document = _document(ls, arguments)
    edit = await all_fixed(ls, document)
    if edit is not None:
        ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, "Socrates: fix all"))


async def recheck(ls: Server, *arguments: object) -> None:
    """Forget everything, settings and projects included, and check all open files again."""
    ls.start_anew()


async def print_debug_information(ls: Server, *arguments: object) -> str:
    """What a report of a defect of ours should hold: to the client's log, and as the answer."""
    workspace = ls.workspace
    lines = [
        f"Socrates {__version__} on Python {platform.python_version()}",
        f"rules: {', '.join(rule.code for rule in registry.installed())}",
        f"diagnostics: {'pull' if ls.pulls else 'push'}; positions: {ls.encoding}",
        f"workspace: {workspace.root_path or 'none'}; open files: {len(list(ls.documents))}",
        f"options: {dict(ls.options.flags)}",
    ]
    for line in lines:
        ls.window_log_message(types.LogMessageParams(types.MessageType.Info, one_line(line)))
    return "\n".join(one_line(line) for line in lines)


def _document(ls: Server, arguments: tuple[object, ...]) -> Document:
    """The open document that the first argument names. Raises for one that is not, or is older."""
    first = arguments[0] if arguments else None
    uri = first.get("uri") if isinstance(first, Mapping) else first
    version = first.get("version") if isinstance(first, Mapping) else None
    document = ls.documents.get(uri) if isinstance(uri, str) else None
    if document is None:
        message = f'{FIX_ALL}: give an open file, as {{"uri": "file:///...", "version": 1}}'
        raise JsonRpcInvalidParams(message)
    if version is not None and version != document.version:
        raise modified()
    return document
