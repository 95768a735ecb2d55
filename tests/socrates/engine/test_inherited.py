"""Tests that a class inherits from another module: reported, and silenced where they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.findings import CheckResult

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
