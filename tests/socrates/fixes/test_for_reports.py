"""The fixes that reports show are worked out once, and kept for the next run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from socrates.engine.run import check
from socrates.findings import CheckResult, Finding, PluginError, Severity
from socrates.fix import Edit, Fix
from socrates.fixes.for_reports import ReportedFixes
from socrates.model.context import FileContext
from socrates.registry import Registry
from socrates.report import ReportContext, render
from socrates.rule import Rule
from socrates.session import Session
from socrates.settings import Settings

TESTS = {"test_a.py": "def test_one():\n    pass\n", "test_b.py": "def test_two():\n    pass\n"}


class Renames(Rule):
    """Gives a test the name that names.py holds, and counts how often it was asked."""

    code, name, summary, advice = "X001", "every-test", "a test", "Do something."
    fixes_safely = True
    asked = 0
    failing = False

    def check(self, file: FileContext) -> Iterable[Finding]:
        return [file.finding(self, Severity.INFO, "a test", test) for test in file.tests]

    def fix(self, finding: Finding, file: FileContext) -> Fix | None:
        type(self).asked += 1
        if self.failing:
            raise KeyError("oops")
        names = file.project.module("names")
        assert names is not None
        return Fix("Rename", "safe", (Edit(finding.span, names.source.text.strip("# \n")),))


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> Renames:
    """The rule, asked by nobody yet."""
    monkeypatch.setattr(Renames, "asked", 0)
    monkeypatch.setattr(Renames, "failing", False)
    return Renames()


@pytest.fixture
def session(tmp_path: Path, rule: Renames) -> Session:
    """A project of two test files and what the fixes rest on."""
    for name, text in {**TESTS, "names.py": "# test_first\n"}.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = Session(Settings(tmp_path), Registry({}, ()), cwd=tmp_path)
    object.__setattr__(found, "rules", [rule])
    return found


Report = Callable[..., tuple[list[object], list[PluginError]]]


@pytest.fixture
def report(session: Session) -> Report:
    """Check, and read the fixes and the errors off the JSON report."""

    def written(**options: bool) -> tuple[list[object], list[PluginError]]:
        result = _checked(session)
        context = _context(session, result, **options)
        findings = json.loads(render(result, "json", context))
        return [finding["fix"] for finding in findings], context.errors

    return written


def _checked(session: Session) -> CheckResult:
    root = session.settings.root
    return check([str(root)], session.settings, rules=session.rules, use_cache=False, cwd=root)


def _context(session: Session, result: CheckResult, **options: bool) -> ReportContext:
    context = session.context()
    fixes = ReportedFixes(session, result, context.errors, **options)
    return replace(context, fix_of=fixes.of)


def _new_names(fixes: list[object]) -> list[object]:
    return [fix["edits"][0]["content"] for fix in fixes]  # type: ignore[index]


def test_second_run_asks_no_rule(report: Report, rule: Renames) -> None:
    report()
    before = rule.asked
    report()
    assert (before, rule.asked) == (2, 2)


def test_kept_fixes_are_the_same(report: Report) -> None:
    assert report() == report() == report(use_cache=False)


def test_fix_is_made_again_when_what_it_rests_on_changes(report: Report, session: Session) -> None:
    report()
    (session.settings.root / "names.py").write_text("# test_other\n", "utf-8")
    assert _new_names(report()[0]) == ["test_other", "test_other"]


def test_without_a_cache_nothing_is_kept(report: Report, session: Session) -> None:
    report(use_cache=False)
    assert not (session.settings.root / ".socrates_cache").exists()


@pytest.mark.parametrize(
    "forged",
    ["[]", '{"fixes": []}', '{"0": {"applicability": "safe"}}', '{"7": null}', '{"-1": 1}'],
)
def test_entry_of_another_form_is_a_miss(
    report: Report, session: Session, rule: Renames, forged: str
) -> None:
    expected = report()
    for path in (session.settings.root / ".socrates_cache").rglob("*.json"):
        entry = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({**entry, "fixes": json.loads(forged)}), "utf-8")
    assert (report(), rule.asked) == (expected, 4)


def test_rule_that_fails_is_named_each_time(report: Report, rule: Renames) -> None:
    rule.__class__.failing = True
    report()
    fixes, errors = report()
    assert (fixes, [error.plugin for error in errors]) == ([None, None], ["X001 every-test"] * 2)


def test_sarif_names_rules_that_failed_while_it_was_written(
    session: Session, rule: Renames
) -> None:
    rule.__class__.failing = True
    result = _checked(session)
    (run,) = json.loads(render(result, "sarif", _context(session, result)))["runs"]
    (invocation,) = run["invocations"]
    said = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert (invocation["executionSuccessful"], len(said)) == (False, 2)
