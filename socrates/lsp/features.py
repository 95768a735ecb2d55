"""The requests and notifications that the server understands, one function each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from socrates import registry
from socrates.baseline import DEFAULT_FILE
from socrates.findings import Finding
from socrates.lsp import actions, streams
from socrates.lsp import hover as hovering
from socrates.lsp.changes import changed
from socrates.lsp.checker import Stale
from socrates.lsp.documents import Document
from socrates.lsp.place import CONFIG_FILES
from socrates.lsp.server import Server, modified
from socrates.rule import Rule
from socrates.suppress import Suppression

WATCHED = (
    *(f"**/{name}" for name in CONFIG_FILES),
    "**/*.py",
    "**/.gitignore",
    f"**/{DEFAULT_FILE}",
)


def register(server: Server) -> None:
    """Register all of them with a server."""
    plain: dict[str, Callable[..., object]] = {
        types.INITIALIZE: initialize,
        types.INITIALIZED: initialized,
        types.TEXT_DOCUMENT_DID_OPEN: did_open,
        types.TEXT_DOCUMENT_DID_CHANGE: did_change,
        types.TEXT_DOCUMENT_DID_SAVE: did_save,
        types.TEXT_DOCUMENT_DID_CLOSE: did_close,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
        types.TEXT_DOCUMENT_HOVER: hover,
        types.CODE_ACTION_RESOLVE: resolve,
    }
    for name, handler in plain.items():
        server.feature(name)(handler)
    kinds = types.CodeActionOptions(code_action_kinds=actions.KINDS, resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(code_actions)


# -- the client comes and goes ------------------------------------------------------------------


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Take options and abilities; capabilities are built from what is registered after this."""
    for problem in ls.configure(params.initialization_options):
        ls.tell(problem)
    ls.meet(params.capabilities)
    if ls.pulls:
        pulling = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier="socrates"
        )
        ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pulling)(pull)
    streams.end_with(params.process_id)


def initialized(ls: Server, _: types.InitializedParams) -> None:
    """Ask to be told of files that change outside the editor."""
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching is None or not watching.dynamic_registration:
        return
    patterns = types.DidChangeWatchedFilesRegistrationOptions(
        [types.FileSystemWatcher(pattern) for pattern in WATCHED]
    )
    name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    ls.client_register_capability(
        types.RegistrationParams([types.Registration("socrates-files", name, patterns)])
    )


# -- texts change -------------------------------------------------------------------------------


async def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Check what is opened, at once."""
    item = params.text_document
    document = ls.documents.open(item.uri, item.text, item.version)
    if document is not None and not ls.pulls:
        ls.checks.ask(document.uri)


async def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Check what is typed, soon."""
    document = ls.documents.get(params.text_document.uri)
    if document is not None and params.content_changes:
        text = changed(document.text, params.content_changes, ls.encoding)
        document.change(text, params.text_document.version)
        ls.changed(document)


async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Check what is saved, at once; saved settings are settings that hold."""
    document = ls.documents.get(params.text_document.uri)
    if document is not None and not ls.pulls:
        ls.checks.ask(document.uri)
    ls.touched(params.text_document.uri)


async def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Take back what was shown; open files that use this one are checked with what is on disk."""
    uri = params.text_document.uri
    document = ls.documents.close(uri)
    if document is None:
        return
    ls.checks.drop(uri)
    if not ls.pulls:
        ls.clear(uri)
    ls.touched(uri)


async def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check again what rests on files that changed outside the editor."""
    for change in params.changes:
        ls.touched(change.uri, listed=change.type is not types.FileChangeType.Changed)


async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take new options, if there are any for us, and check everything again."""
    settings = params.settings.get("socrates") if isinstance(params.settings, dict) else None
    if isinstance(settings, dict):
        way = ls.options.diagnostics
        for problem in ls.configure(settings):
            ls.tell(problem)
        if ls.options.diagnostics not in ("auto", way):
            ls.tell("diagnostics: takes effect when the server starts again")
    ls.recheck()


# -- the client asks ----------------------------------------------------------------------------

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> Report:
    """What there is to show, or that it is what the client has."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    try:
        await ls.brought_up_to_date(document)
    except JsonRpcException as error:
        again = types.LSPErrorCodes.ServerCancelled.value
        raise JsonRpcException(error.message, again, {"retriggerRequest": True}) from None
    items = list(ls.shown(document).values())
    text = json.dumps(ls.protocol._converter.unstructure(items), sort_keys=True)
    result_id = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=result_id)


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The pages of the rules whose findings lie under the pointer, or what a comment silences."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    found = [
        (finding, item)
        for finding, item in ls.shown(document).items()
        if hovering.is_in(params.position, item.range)
    ]
    parts = [hovering.of_finding(finding, _link(item)) for finding, item in found]
    place = found[0][1].range if found else None
    positions = ls.positions(document.text)
    comment = hovering.comment_at(document.text, positions, params.position)
    if comment is not None:
        place = comment[1]
        parts.append(await _explained(ls, document, comment[0]))
    if not parts:
        return None
    text = "\n\n---\n\n".join(parts)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


async def _explained(ls: Server, document: Document, comment: Suppression) -> str:
    text = document.text
    question = ls.question(document, lambda: document.text != text)
    checker = ls.checker
    try:
        silenced = await ls.worker.run(lambda: checker.silenced(question, comment))
    except Stale:
        raise modified() from None
    return hovering.of_suppression(comment, silenced)


def _link(item: types.Diagnostic) -> str:
    return item.code_description.href if item.code_description else ""


async def code_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Fixes and comments for the findings on the chosen lines, and fixing all that is safe."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return []
    await ls.brought_up_to_date(document)
    if document.is_broken:
        return []
    only = params.context.only
    target = _target(ls, document)
    shown = ls.shown(document)
    here = {finding: item for finding, item in shown.items() if _meet(item.range, params.range)}
    found: list[types.CodeAction] = []
    if here and actions.wants(only, types.CodeActionKind.QuickFix.value):
        question = ls.question(document, lambda: False)
        checker = ls.checker
        fixes = await ls.worker.run(lambda: checker.fixes(question, list(here)))
        if document.text != target.text:
            raise modified()
        found += actions.fixing(target, fixes, here)
        found += actions.silencing(target, here)
    if actions.wants(only, actions.FIX_ALL):
        found += await _fix_all(ls, document, target, list(shown), lazily=only is None)
    return found


async def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was offered without one."""
    data = action.data if isinstance(action.data, dict) else {}
    document = ls.documents.get(str(data.get("uri")))
    if action.edit is not None or action.kind != actions.FIX_ALL or document is None:
        return action
    if document.version != data.get("version"):
        raise modified()
    action.edit = await all_fixed(ls, document)
    return action


async def _fix_all(
    ls: Server,
    document: Document,
    target: actions.EditTarget,
    findings: Sequence[Finding],
    lazily: bool,
) -> list[types.CodeAction]:
    """The action, if it may do something; with its edit unless it can be asked for later."""
    rules = registry.installed().rules
    able = {code for code, entry in rules.items() if entry.rule.fix is not Rule.fix}
    if not any(finding.code in able for finding in findings):
        return []
    action = actions.fixing_all(target)
    if lazily and _resolves(ls):
        return [action]
    action.edit = await all_fixed(ls, document)
    return [action] if action.edit is not None else []


async def all_fixed(ls: Server, document: Document) -> types.WorkspaceEdit | None:
    """The edit that makes all safe fixes of a document; None when there are none."""
    target = _target(ls, document)
    question = ls.question(document, lambda: document.text != target.text)
    checker = ls.checker
    try:
        text = await ls.worker.run(lambda: checker.fixed(question))
    except Stale:
        raise modified() from None
    if document.text != target.text:
        raise modified()
    return None if text is None else actions.replacing(target, text)


def _target(ls: Server, document: Document) -> actions.EditTarget:
    workspace = ls.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace else None
    return actions.EditTarget(
        document.uri,
        document.version,
        document.text,
        ls.positions(document.text),
        versioned=bool(edits and edits.document_changes),
    )


def _resolves(ls: Server) -> bool:
    """Whether the client fetches an action's edit when it is chosen."""
    document = ls.client_capabilities.text_document
    ability = document.code_action.resolve_support if document and document.code_action else None
    return ability is not None and "edit" in ability.properties


def _meet(one: types.Range, other: types.Range) -> bool:
    """Whether two stretches share a line: the pointer need not be on the exact word."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line
