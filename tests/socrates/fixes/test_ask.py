"""Asking rules for fixes, as editors and reports do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from socrates.findings import Finding, PluginError, Severity, Span
from socrates.fixes import Edit, Fix, NoFix, fixes_for
from socrates.model.context import FileContext
from socrates.rule import Rule
from socrates.settings import Settings

SOURCE = b"def test_it():\n    assert True\n"


class _Finds(Rule):
    """Finds every test."""

    code, name, summary, advice = "X001", "every-test", "a test", "Do something."

    def check(self, file: FileContext) -> Iterable[Finding]:
        return [file.finding(self, Severity.INFO, "a test", test) for test in file.tests]


class _Renames(_Finds):
    """Gives a test another name."""

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        return Fix("Rename", "safe", (Edit(finding.span, "test_other"),))


class _Refuses(_Finds):
    """Has no fix."""

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        raise NoFix("not for this one")


class _Fails(_Finds):
    """Has a mistake."""

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        raise KeyError("oops")


def finding() -> Finding:
    return Finding(
        "X001",
        "every-test",
        Severity.INFO,
        "a test",
        "test_a.py",
        Span(1, 5, 1, 12),
        "test_a.py::test_it",
    )


def ask(
    rule: Rule, folder: Path, source: bytes = SOURCE
) -> tuple[dict[Finding, Fix], list[PluginError]]:
    errors: list[PluginError] = []
    path = folder / "test_a.py"
    return fixes_for(path, source, [finding()], Settings(folder), [rule], errors), errors


def test_source_need_not_be_on_disk(tmp_path: Path) -> None:
    fixes, _ = ask(_Renames(), tmp_path)
    assert fixes == {finding(): Fix("Rename", "safe", (Edit(Span(1, 5, 1, 12), "test_other"),))}


@pytest.mark.parametrize(
    "rule",
    [pytest.param(_Finds(), id="makes none"), pytest.param(_Refuses(), id="refuses this one")],
)
def test_rules_without_a_fix(rule: Rule, tmp_path: Path) -> None:
    assert ask(rule, tmp_path) == ({}, [])


def test_text_that_does_not_parse_has_no_fixes(tmp_path: Path) -> None:
    assert ask(_Renames(), tmp_path, b"def test_it(:\n") == ({}, [])


def test_rule_that_fails_is_named(tmp_path: Path) -> None:
    fixes, errors = ask(_Fails(), tmp_path)
    assert (fixes, [(e.plugin, e.message) for e in errors]) == (
        {},
        [("X001 every-test", "KeyError: 'oops' (while fixing test_a.py)")],
    )


class _Nonsense(_Finds):
    """Gives what is no fix."""

    given: object = None

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        return self.given  # type: ignore[return-value]


@pytest.mark.parametrize(
    "given",
    [
        "a fix, honestly",
        Fix("Rename", "sometimes", ()),  # type: ignore[arg-type]
        Fix("Rename", "safe", ["x"]),  # type: ignore[arg-type]
        Fix("Rename", "safe", ("x",)),  # type: ignore[arg-type]
        Fix(None, "safe", ()),  # type: ignore[arg-type]
        Fix("Rename", "safe", (Edit(Span(1, 5, 1, 12), b"x"),)),  # type: ignore[arg-type]
        Fix("Rename", "safe", (Edit(Span(0, 0, 1, 12), "x"),)),
    ],
    ids=str,
)
def test_rule_whose_fix_is_wrong_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: object
) -> None:
    monkeypatch.setattr(_Nonsense, "given", given)
    fixes, errors = ask(_Nonsense(), tmp_path)
    assert (fixes, [error.plugin for error in errors]) == ({}, ["X001 every-test"])


@pytest.mark.parametrize("depth", [900, 90_000])
def test_deep_code_is_no_failure_of_ours(tmp_path: Path, depth: int) -> None:
    source = SOURCE + b"x = 1" + b" + 1" * depth + b"\n"
    assert ask(_Renames(), tmp_path, source)[1] == []
