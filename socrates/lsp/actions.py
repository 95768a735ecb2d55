"""What an editor can do about findings: fix one, silence one, fix all that is safe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lsprotocol import types

from socrates.classes.lazy import dataclass
from socrates.findings import Finding
from socrates.fix import Edit, Fix
from socrates.fixes.lines import line_edits
from socrates.lsp import silence
from socrates.lsp.positions import Positions

FIX_ALL = "source.fixAll.socrates"
KINDS: tuple[types.CodeActionKind | str, ...] = (types.CodeActionKind.QuickFix, FIX_ALL)


@dataclass(frozen=True, slots=True)
class EditTarget:
    """The document that actions change. ``versioned``: the client takes edits with versions."""

    uri: str
    version: int | None
    text: str
    positions: Positions
    versioned: bool = True

    def edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        """Edits of the document, refused by the editor when the text has moved on."""
        changes: list[types.TextEdit] = [
            types.TextEdit(self.positions.range(edit.span), edit.text) for edit in edits
        ]
        if not self.versioned:
            return types.WorkspaceEdit(changes={self.uri: changes})
        name = types.OptionalVersionedTextDocumentIdentifier(self.uri, self.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(name, list(changes))])


def wants(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether a client that asks for some kinds asks for this one: a kind includes its children."""
    if only is None:
        return True
    asked = [str(getattr(item, "value", item)) for item in only]
    return any(not item or kind == item or kind.startswith(f"{item}.") for item in asked)


def fixing(
    target: EditTarget, fixes: Mapping[Finding, Fix], shown: Mapping[Finding, types.Diagnostic]
) -> list[types.CodeAction]:
    """One quickfix for each distinct fix, with all findings that it takes away."""
    mended: dict[Fix, list[types.Diagnostic]] = {}
    for finding, fix in fixes.items():
        mended.setdefault(fix, []).append(shown[finding])
    return [
        types.CodeAction(
            title=_title(fix),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=diagnostics,
            is_preferred=fix.is_safe or None,
            edit=target.edit(fix.edits),
        )
        for fix, diagnostics in mended.items()
    ]


def silencing(
    target: EditTarget, shown: Mapping[Finding, types.Diagnostic]
) -> list[types.CodeAction]:
    """For each finding: ignore it on its line, ignore its rule in the file."""
    found = []
    files: set[str] = set()
    for finding, diagnostic in shown.items():
        if not silence.can_be_silenced(finding):
            continue
        label = f"{finding.code} ({finding.name})"
        ways = [(f"Ignore {label} on this line", silence.on_line(finding, target.text))]
        if finding.code not in files:
            files.add(finding.code)
            ways.append((f"Ignore {label} in this file", silence.in_file(finding, target.text)))
        found += [
            types.CodeAction(
                title=title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                edit=target.edit([edit]),
            )
            for title, edit in ways
            if edit is not None
        ]
    return found


def fixing_all(target: EditTarget) -> types.CodeAction:
    """The action that mends what can be mended safely; its edit is made when it is resolved."""
    return types.CodeAction(
        title="Socrates: fix all that is safe",
        kind=FIX_ALL,
        data={"uri": target.uri, "version": target.version},
    )


def replacing(target: EditTarget, text: str) -> types.WorkspaceEdit:
    """The edit that makes a new text of the document, line by line."""
    return target.edit(line_edits(target.text, text, 1))


def _title(fix: Fix) -> str:
    text = fix.message[:1].upper() + fix.message[1:]
    return text if fix.is_safe else f"{text} (unsafe: look at it)"
