"""The actions themselves: titles, kinds and edits, without a server."""

from __future__ import annotations

import pytest
from lsprotocol import types

from socrates.findings import Finding, Severity, Span
from socrates.fix import Edit, Fix
from socrates.lsp.actions import (
    FIX_ALL,
    EditTarget,
    fixing,
    fixing_all,
    replacing,
    silencing,
    wants,
)
from socrates.lsp.positions import Positions

TEXT = "def test_a():\n    assert 1\n\ndef test_b():\n    assert 2\n"
URI = "file:///test_a.py"


def target(*, versioned: bool = True) -> EditTarget:
    return EditTarget(URI, 7, TEXT, Positions.of(TEXT), versioned)


def finding(row: int, code: str = "SOC101") -> Finding:
    return Finding(code, "roulette", Severity.INFO, "", "test_a.py", Span(row, 1, row, 4))


def shown(*findings: Finding) -> dict[Finding, types.Diagnostic]:
    """Findings as an editor has them, each with its row for a message."""
    place = types.Range(types.Position(0, 0), types.Position(0, 0))
    return {one: types.Diagnostic(place, f"row {one.span.row}") for one in findings}


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (None, True),
        ([], False),
        ([""], True),
        (["source"], True),
        (["source.fixAll"], True),
        ([FIX_ALL], True),
        (["source.fix"], False),
        ([f"{FIX_ALL}.more"], False),
        ([types.CodeActionKind.SourceFixAll], True),
        ([types.CodeActionKind.QuickFix], False),
        (["quickfix", "source"], True),
    ],
)
def test_kinds_that_a_client_asks_for(only: list[str] | None, expected: bool) -> None:
    assert wants(only, FIX_ALL) is expected


def test_rule_is_silenced_in_a_file_once() -> None:
    actions = silencing(target(), shown(finding(1), finding(4), finding(4, "SOC102")))
    assert [action.title for action in actions] == [
        "Ignore SOC101 (roulette) on this line",
        "Ignore SOC101 (roulette) in this file",
        "Ignore SOC101 (roulette) on this line",
        "Ignore SOC102 (roulette) on this line",
        "Ignore SOC102 (roulette) in this file",
    ]


def test_action_belongs_to_its_finding() -> None:
    actions = silencing(target(), shown(finding(4)))
    assert [action.diagnostics[0].message for action in actions if action.diagnostics] == [
        "row 4",
        "row 4",
    ]


@pytest.mark.parametrize("code", ["SOC000", "SOC001"])
def test_what_no_comment_helps_against_is_not_silenced(code: str) -> None:
    actions = silencing(target(), shown(finding(1, code), finding(4)))
    assert len(actions) == 2


def test_finding_on_no_statement_is_silenced_in_the_file_only() -> None:
    actions = silencing(target(), shown(finding(9)))
    assert [action.title for action in actions] == ["Ignore SOC101 (roulette) in this file"]


EDIT = Edit(Span(2, 5, 2, 13), "pass")


@pytest.mark.parametrize(
    ("safe", "title", "preferred"),
    [(True, "Drop it", True), (False, "Drop it (unsafe: look at it)", None)],
)
def test_fix_is_preferred_where_it_is_safe(safe: bool, title: str, preferred: bool | None) -> None:
    fix = Fix("drop it", "safe" if safe else "unsafe", (EDIT,))
    [action] = fixing(target(), {finding(1): fix}, shown(finding(1)))
    assert (action.title, action.is_preferred) == (title, preferred)


def test_one_fix_of_two_findings_is_one_action() -> None:
    fix = Fix("drop it", "safe", (EDIT,))
    both = finding(1), finding(4)
    [action] = fixing(target(), dict.fromkeys(both, fix), shown(*both))
    assert [one.message for one in action.diagnostics or ()] == ["row 1", "row 4"]


def test_edit_of_a_version() -> None:
    [change] = target().edit([EDIT]).document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 7
    assert change.edits == [
        types.TextEdit(types.Range(types.Position(1, 4), types.Position(1, 12)), "pass")
    ]


def test_edit_for_a_client_without_versions() -> None:
    edit = target(versioned=False).edit([EDIT])
    assert list(edit.changes or ()) == [URI]


def test_all_is_fixed_when_the_action_is_resolved() -> None:
    action = fixing_all(target())
    assert (action.kind, action.edit, action.data) == (FIX_ALL, None, {"uri": URI, "version": 7})


def test_text_is_replaced_by_the_lines_that_differ() -> None:
    edit = replacing(target(versioned=False), TEXT.replace("assert 2", "assert 3"))
    assert edit.changes == {
        URI: [
            types.TextEdit(
                types.Range(types.Position(4, 0), types.Position(5, 0)), "    assert 3\n"
            )
        ]
    }
