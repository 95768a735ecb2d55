"""The project that a file belongs to, what is kept of it, and rules that fail."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates.discovery.files import TestFile
from socrates.engine.analyse import Analyser, deep_recursion
from socrates.findings import Finding
from socrates.model.context import FileContext
from socrates.rule import Rule
from socrates.settings import Settings

SMELLY = b"def test_it():\n    assert 1\n"


class _TooDeep(Rule):
    """Looks deeper than Python lets it."""

    code = "T1"
    name = "too-deep"

    def check(self, file: FileContext) -> Iterator[Finding]:
        raise RecursionError


class _Wrong(Rule):
    """Has a defect."""

    code = "T2"
    name = "wrong"

    def check(self, file: FileContext) -> Iterator[Finding]:
        raise ZeroDivisionError


def rule(kind: type[Rule]) -> Rule:
    return object.__new__(kind)


@pytest.fixture
def analyser(tmp_path: Path) -> Analyser:
    """One without rules, for a project in a folder of its own."""
    return Analyser(Settings(tmp_path), [])


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.py", "setup.cfg"])
def test_folder_with_a_project_file_is_a_project_of_its_own(
    name: str, analyser: Analyser, tmp_path: Path
) -> None:
    inner = tmp_path / "packages" / "one"
    (inner / "tests").mkdir(parents=True)
    (inner / name).touch()
    assert analyser.project(inner / "tests" / "test_a.py").root == inner


def test_folder_without_one_belongs_to_the_root(analyser: Analyser, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    assert analyser.project(tmp_path / "tests" / "test_a.py").root == tmp_path


def test_project_file_above_the_root_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "setup.py").touch()
    root = tmp_path / "inner"
    root.mkdir()
    assert Analyser(Settings(root), []).project(root / "test_a.py").root == root


def test_file_outside_belongs_to_the_project_above_it(tmp_path: Path) -> None:
    root, other = tmp_path / "one", tmp_path / "two"
    (other / "tests").mkdir(parents=True)
    (other / "setup.py").touch()
    assert Analyser(Settings(root), []).project(other / "tests" / "test_a.py").root == other


def test_files_of_a_project_share_it(analyser: Analyser, tmp_path: Path) -> None:
    assert analyser.project(tmp_path / "test_a.py") is analyser.project(tmp_path / "test_b.py")


def test_forgotten_project_is_made_anew(analyser: Analyser, tmp_path: Path) -> None:
    before = analyser.project(tmp_path / "test_a.py")
    analyser.forget(tmp_path / "test_a.py")
    assert analyser.project(tmp_path / "test_a.py") is not before


def test_four_projects_are_kept_and_the_oldest_goes(analyser: Analyser, tmp_path: Path) -> None:
    tests = [tmp_path / str(number) / "test_a.py" for number in range(5)]
    for test in tests:
        test.parent.mkdir()
        (test.parent / "setup.py").touch()
    first, *others = [analyser.project(test) for test in tests]
    kept = [analyser.project(test) for test in tests[1:]]
    assert (kept == others, analyser.project(tests[0]) is first) == (True, False)


def test_rule_that_goes_too_deep_is_one_finding(tmp_path: Path) -> None:
    analyser = Analyser(Settings(tmp_path), [rule(_TooDeep), rule(_TooDeep)])
    [finding] = analyser.analyse(TestFile(tmp_path / "test_a.py"), SMELLY).findings
    assert (finding.code, finding.message) == (
        "SOC000",
        "nested too deeply to be analysed completely",
    )


def test_rule_with_a_defect_is_named_and_others_go_on(tmp_path: Path) -> None:
    analyser = Analyser(Settings(tmp_path), [rule(_Wrong), rule(_TooDeep)])
    result = analyser.analyse(TestFile(tmp_path / "test_a.py"), SMELLY)
    assert (len(result.errors), [one.code for one in result.findings]) == (1, ["SOC000"])


def test_limit_of_recursion_is_higher_only_within() -> None:
    before = sys.getrecursionlimit()
    with deep_recursion():
        within = sys.getrecursionlimit()
    assert (within, sys.getrecursionlimit()) == (max(before, 6000), before)


def test_higher_limit_of_recursion_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to: list[int] = []
    monkeypatch.setattr(sys, "getrecursionlimit", lambda: 9000)
    monkeypatch.setattr(sys, "setrecursionlimit", set_to.append)
    with deep_recursion():
        pass
    assert set_to == [9000, 9000]
