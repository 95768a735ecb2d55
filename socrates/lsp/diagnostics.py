"""Findings as editors show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from socrates.classes.lazy import dataclass
from socrates.findings import Finding, Severity
from socrates.lsp.positions import Positions
from socrates.pages import address_of
from socrates.printable import well_formed
from socrates.suppress import UNUSED_CODE

SOURCE = "socrates"
SEVERITIES = {
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ERROR: types.DiagnosticSeverity.Error,
}


@dataclass(frozen=True, slots=True)
class Abilities:
    """The parts of a diagnostic that the client can take; others are left out."""

    related: bool = True
    links: bool = True
    tags: bool = True

    @classmethod
    def of(cls, client: types.ClientCapabilities) -> Abilities:
        """What a client says about itself."""
        document = client.text_document
        can = document.publish_diagnostics if document else None
        pull = document.diagnostic if document else None
        return cls(
            related=bool((can and can.related_information) or (pull and pull.related_information)),
            links=bool(
                (can and can.code_description_support) or (pull and pull.code_description_support)
            ),
            tags=bool((can and can.tag_support) or (pull and pull.tag_support)),
        )


def diagnostic(
    finding: Finding,
    positions: Positions,
    root: Path,
    positions_of: Callable[[Path], Positions | None],
    abilities: Abilities,
    docs_url: str | None = None,
) -> types.Diagnostic:
    """One finding. Related places lie in files whose texts ``positions_of`` knows."""
    link = address_of(finding.code, finding.name, docs_url) if abilities.links else ""
    related = []
    for other in finding.related if abilities.related else ():
        path = root / other.filename
        where = positions if other.filename == finding.filename else positions_of(path)
        uri = from_fs_path(str(path))
        if where is not None and uri is not None:
            location = types.Location(uri, where.range(other.span))
            message = well_formed(other.message)
            related.append(types.DiagnosticRelatedInformation(location, message))
    tags = [types.DiagnosticTag.Unnecessary] if finding.code == UNUSED_CODE else []
    return types.Diagnostic(
        range=positions.range(finding.span),
        message=well_formed(finding.message),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(link) if link else None,
        source=SOURCE,
        tags=tags if tags and abilities.tags else None,
        related_information=related or None,
    )
