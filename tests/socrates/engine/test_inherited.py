"""Tests that a class inherits from another module: reported, and silenced where they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.findings import ALSO, CheckResult

Check = Callable[..., CheckResult]
MIXIN = """
class PairTests:
    def test_pair(self):{comment}
        pair = (1, 2)
        assert pair[0] == 1
        assert pair[1] == 2
"""


@pytest.fixture
def inherited(project: Path, checked: Check) -> Callable[[str], CheckResult]:
    """Check a class that inherits its only test from a module that pytest does not collect."""

    def run(comment: str) -> CheckResult:
        (project / "tests").mkdir()
        (project / "tests" / "__init__.py").write_text("", "utf-8")
        (project / "tests" / "mixins.py").write_text(MIXIN.format(comment=comment), "utf-8")
        (project / "tests" / "test_pair.py").write_text(
            "from tests.mixins import PairTests\n\n\nclass TestPair(PairTests):\n    pass\n",
            "utf-8",
        )
        return checked()

    return run


def test_an_inherited_test_is_reported_where_it_is_written(
    inherited: Callable[[str], CheckResult],
) -> None:
    found = [(f.filename, f.test) for f in inherited("").findings]
    assert found == [("tests/mixins.py", "tests/test_pair.py::TestPair::test_pair")]


def test_a_comment_there_silences_it(inherited: Callable[[str], CheckResult]) -> None:
    assert inherited("  # socrates: ignore[SOC101] a pair is one thing").findings == ()


TWO_CLASSES = """
import unittest


class PairTest(unittest.TestCase):
    def test_pair(self):
        self.assertTrue(self.pair == 1)
        self.assertTrue(self.other == 2)


class OtherPairTest(PairTest):
    pass


class ThirdPairTest(PairTest):
    def test_pair(self):
        self.assertTrue(self.pair == 1)
        self.assertTrue(self.other == 2)
"""


def test_a_smell_that_classes_inherit_is_a_warning_once(project: Path, checked: Check) -> None:
    (project / "test_pairs.py").write_text(TWO_CLASSES, "utf-8")

    found = {str(finding.test): finding.severity.value for finding in checked().findings}

    assert found == {
        "test_pairs.py::PairTest::test_pair": "warning",
        "test_pairs.py::OtherPairTest::test_pair": "info",
        "test_pairs.py::ThirdPairTest::test_pair": "warning",
    }


def test_the_warning_knows_the_tests_that_inherit_it(project: Path, checked: Check) -> None:
    (project / "test_pairs.py").write_text(TWO_CLASSES, "utf-8")

    assert checked().findings[0].data[ALSO] == ["test_pairs.py::OtherPairTest::test_pair"]
