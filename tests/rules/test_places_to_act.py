"""The line that each smell points at: where the trouble is, not where the test starts."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from socrates import registry
from socrates.session import Session, check
from socrates.settings import Settings

MARK = "# here"
SHELF = """\
class Shelf:
    def __init__(self, items=()):
        self.items = list(items)

    def put(self, item):
        self.items.append(item)

    def find(self, item):
        return self.items.index(item)
"""
CASES = {
    "SOC101 second assertion": """
        def test_pair():
            pair = (1, 2)
            assert pair[0] == 1
            assert pair[1] == 2  # here
            assert len(pair) == 2
        """,
    "SOC101 second one that shows no values": """
        from unittest import TestCase

        class TestPair(TestCase):
            def test_pair(self):
                self.assertEqual(1, 1)
                self.assertTrue([1])
                self.assertTrue([2])  # here
        """,
    "SOC102 second method": """
        from shelf import Shelf

        class TestShelf:
            def test_shelf(self):
                shelf = Shelf()
                shelf.put(1)
                assert shelf.items == [1]
                assert shelf.find(1) == 0  # here
        """,
    "SOC104 part of the set-up that is not read": """
        class TestPair:
            def setup_method(self):
                self.one = 1
                self.two = 2  # here

            def test_one(self):
                assert self.one == 1
        """,
    "SOC104 parameter that is not read": """
        import pytest

        @pytest.fixture
        def rate():
            return 3

        def test_one(rate):  # here
            assert sum([1]) == 1
        """,
    "SOC105 call that reaches out": """
        def test_file():
            expected = "x"
            text = open("/etc/hostname").read()  # here
            assert text == expected
        """,
}


@pytest.fixture
def places(tmp_path: Path):
    """The rows to act on that a rule names for a text."""

    def find(code: str, text: str) -> list[int]:
        (tmp_path / "shelf.py").write_text(SHELF)
        (tmp_path / "test_shelf.py").write_text(text)
        settings = Settings(tmp_path, select=(code,), jobs=1)
        session = Session(settings, registry.installed(), (".",), tmp_path)
        return [finding.act.row for finding in check(session, use_cache=False).findings]

    return find


@pytest.mark.parametrize("name", CASES)
def test_finding_points_at(places, name: str) -> None:
    text = dedent(CASES[name]).lstrip("\n")
    marked = [row for row, line in enumerate(text.splitlines(), 1) if line.endswith(MARK)]
    assert places(name.partition(" ")[0], text) == marked


@pytest.mark.parametrize("name", [name for name in CASES if "parameter" not in name])
def test_comment_on_that_line_silences_it(places, name: str) -> None:
    code = name.partition(" ")[0]
    text = dedent(CASES[name]).replace(MARK, f"# socrates: ignore[{code}] for a reason")
    assert places(code, text) == []
