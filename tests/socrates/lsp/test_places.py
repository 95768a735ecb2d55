"""Settings and projects that the language server keeps between questions, in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.findings import Span
from socrates.lsp import checker as module
from socrates.lsp.checker import Answer, Checker, Question
from socrates.lsp.options import Options

EAGER = "def test_sum():\n    assert sum([1]) == 1\n    assert sum([2]) == 2\n"
Ask = Callable[[], Answer]


@pytest.fixture
def checker() -> Checker:
    return Checker(Options())


@pytest.fixture
def ask(checker: Checker, tmp_path: Path) -> Ask:
    """Check a smelly test anew."""
    return lambda: checker.check(Question(tmp_path / "test_a.py", EAGER, {}))


def write(folder: Path, text: str) -> None:
    (folder / "socrates.toml").write_text(text)


def codes(answer: Answer) -> set[str]:
    return {finding.code for finding in answer.findings}


def test_settings_that_change_hold_from_then_on(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, "")
    [code] = codes(ask())
    write(tmp_path, f'ignore = ["{code}"]\n')
    assert codes(ask()) == set()


def test_settings_that_stay_are_read_once(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "")
    opened: list[Path] = []
    original = module.open_place
    monkeypatch.setattr(
        module, "open_place", lambda path, options: opened.append(path) or original(path, options)
    )
    ask()
    ask()
    assert len(opened) == 1


def test_wrong_settings_are_told_and_the_last_good_ones_hold(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, "")
    before = codes(ask())
    write(tmp_path, "unknown-key = 1\n")
    answer = ask()
    assert ("unknown-key" in answer.problem, codes(answer)) == (True, before)


def test_problem_is_told_with_every_answer(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, "unknown-key = 1\n")
    problems = [ask().problem, ask().problem]
    assert (problems[0], "unknown-key" in problems[0]) == (problems[1], True)


def test_project_is_kept_where_other_settings_say_the_same(
    checker: Checker, ask: Ask, tmp_path: Path
) -> None:
    write(tmp_path, "")
    ask()
    before = checker._place(tmp_path / "test_a.py")[0]
    write(tmp_path, "# the same\n")
    assert checker._place(tmp_path / "test_a.py")[0] is before


def test_file_that_is_no_test_has_no_findings(checker: Checker, tmp_path: Path) -> None:
    write(tmp_path, "")
    answer = checker.check(Question(tmp_path / "shop.py", EAGER, {}))
    assert (answer.findings, answer.root, answer.broken) == ((), tmp_path, False)


def test_text_that_does_not_parse_is_broken(checker: Checker, tmp_path: Path) -> None:
    write(tmp_path, "")
    assert checker.check(Question(tmp_path / "test_a.py", "def test_it(:\n", {})).broken


def test_smelly_text_is_not_broken(ask: Ask, tmp_path: Path) -> None:
    write(tmp_path, "")
    assert not ask().broken


@pytest.mark.parametrize("name", ["shop.py", "test_a.py"])
def test_nothing_is_fixed_in_a_text_that_is_no_test_or_no_program(
    name: str, checker: Checker, tmp_path: Path
) -> None:
    write(tmp_path, "")
    assert checker.fixed(Question(tmp_path / name, "def test_it(:\n", {})) is None


def test_finding_behind_a_comment_is_what_the_comment_silences(
    checker: Checker, ask: Ask, tmp_path: Path
) -> None:
    write(tmp_path, "")
    [code] = codes(ask())
    silent = EAGER.replace("test_sum():", "test_sum():  # socrates: ignore")
    question = Question(tmp_path / "test_a.py", silent, {})
    start = silent.index("#") + 1
    span = Span(1, start, 1, silent.index("\n") + 1)
    comment = module.Suppression("ignore", None, span)
    assert {finding.code for finding in checker.silenced(question, comment)} == {code}
