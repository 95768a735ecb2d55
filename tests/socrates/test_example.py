"""What an example says of itself: files, findings, the result of its fix."""

from __future__ import annotations

import pytest

from socrates.example import Example, safe, unsafe

CODE = """
    def test_a():
        assert 1  # <-
    """


def test_one_text_is_the_test_module() -> None:
    assert Example("one", CODE).texts == {"test_example.py": "def test_a():\n    assert 1\n"}


def test_marks_are_shown_but_not_checked() -> None:
    example = Example("one", CODE)
    assert example.marked_texts == {"test_example.py": "def test_a():\n    assert 1  # <-\n"}


def test_every_file_is_dedented_by_itself() -> None:
    example = Example("two", {"a.py": "    A = 1\n", "test_a.py": "\n  B = 2\n"})
    assert example.texts == {"a.py": "A = 1\n", "test_a.py": "B = 2\n"}


@pytest.mark.parametrize(
    ("verdict", "severity", "message"),
    [
        pytest.param("info", "info", "", id="severity alone"),
        pytest.param("info: 2 of 3: a, b", "info", "2 of 3: a, b", id="with a message"),
    ],
)
def test_verdict_is_severity_and_message(verdict: str, severity: str, message: str) -> None:
    example = Example("one", CODE, {"test_a": verdict})
    assert (example.severities, example.messages) == ({"test_a": severity}, {"test_a": message})


def test_fixed_text_is_that_of_the_last_file() -> None:
    example = Example("two", {"a.py": "", "test_a.py": CODE}, fixed=safe("\n    B = 2\n"))
    assert example.fixed_texts == {"test_a.py": "B = 2\n"}


def test_fixed_files_can_be_named() -> None:
    files = {"test_a.py": CODE, "test_b.py": CODE}
    assert Example("two", files, fixed=unsafe({"test_a.py": ""})).fixed_texts == {"test_a.py": ""}


def test_nothing_is_fixed_where_nothing_is_said() -> None:
    assert Example("one", CODE).fixed_texts == {}
