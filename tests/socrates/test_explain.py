"""A rule's page: which examples it shows, and how."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from socrates.example import Example, safe, unsafe
from socrates.explain import as_data, markdown, on_page
from socrates.findings import Finding
from socrates.model.context import FileContext
from socrates.rule import Option, Rule

UNIT = "def add(a, b):\n    return a + b\n"


class Sums(Rule):
    """Sums."""

    code = "ACME101"
    name = "sums"
    summary = "sums"
    advice = "Don't."
    examples = (
        Example(
            "reported",
            {"unit.py": UNIT, "test_unit.py": "def test_a():\n    assert 1  # <-\n"},
            {"test_a": "info: says `1`"},
            fixed=unsafe("def test_a():\n    assert True\n"),
            page=True,
        ),
        Example("not shown", "def test_hidden(): ...\n", {"test_hidden": "info"}),
        Example(
            "silent",
            {"unit.py": UNIT, "test_unit.py": "def test_b(): ...\n"},
            options={"most": 2},
            page=True,
        ),
    )

    def check(self, file: FileContext) -> Iterable[Finding]:
        return ()


@pytest.fixture
def page() -> str:
    return markdown(Sums, "acme")


def test_page_shows_marked_examples_only(page: str) -> None:
    assert ("test_b" in page, "test_hidden" in page) == (True, False)


def test_page_shows_all_where_none_is_marked() -> None:
    class Unmarked(Sums):
        examples = tuple(Example(name, "") for name in ("one", "two"))

    assert [example.name for example in on_page(Unmarked)] == ["one", "two"]


def test_example_is_shown_with_its_findings_and_its_fix(page: str) -> None:
    shown = page.partition("### reported\n\n")[2].partition("\n\n## Not reported")[0]
    assert shown == (
        "`unit.py`\n\n```python\ndef add(a, b):\n    return a + b\n```\n\n"
        "`test_unit.py`\n\n```python\ndef test_a():\n    assert 1  # <-\n```\n\n"
        "- `test_a`: info: `` says `1` ``\n\n"
        "After `--fix --unsafe-fixes`:\n\n```python\ndef test_a():\n    assert True\n```"
    )


def test_safe_fix_needs_no_further_flag() -> None:
    class Safe(Sums):
        examples = (Example("one", "A = 1\n", {"test_a": "info"}, fixed=safe("A = 2\n")),)

    assert "After `--fix`:\n" in markdown(Safe, "acme")


def test_file_that_stands_on_the_page_already_is_not_repeated(page: str) -> None:
    shown = page.partition("### silent\n\n")[2]
    assert shown == (
        "With `most = 2`:\n\nBeside `unit.py` as above:\n\n```python\ndef test_b(): ...\n```\n"
    )


def test_data_has_every_example_as_it_is_checked() -> None:
    examples = as_data(Sums, "acme")["examples"]
    assert [example["name"] for example in examples] == ["reported", "not shown", "silent"]
    assert examples[0] == {
        "name": "reported",
        "files": {"unit.py": UNIT, "test_unit.py": "def test_a():\n    assert 1\n"},
        "expect": {"test_a": "info"},
        "messages": {"test_a": "says `1`"},
        "note": "",
        "options": {},
        "fixed": {
            "applicability": "unsafe",
            "files": {"test_unit.py": "def test_a():\n    assert True\n"},
        },
        "page": True,
    }


def test_data_says_everything_of_a_rule() -> None:
    class Limited(Sums):
        """Sums.

        What it does
            Adds.
        """

        options = (Option("most", "int", 3, "So many."),)
        severities = ("info",)

    data = as_data(Limited, "acme")
    del data["examples"]
    assert data == {
        "code": "ACME101",
        "name": "sums",
        "summary": "sums",
        "severities": ["info"],
        "since": "0.1.0",
        "plugin": "acme",
        "url": "",
        "advice": "Don't.",
        "description": "Sums.",
        "sections": {"What it does": "Adds."},
        "options": [{"name": "most", "type": "int", "default": 3, "help": "So many."}],
    }
