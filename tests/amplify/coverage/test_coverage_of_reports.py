"""Coverage that several reports tell: joined line by line, and refused where it can't be."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.coverage import merge
from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.report.coverage import as_document

FILE = {"filename": "a.py", "statements": 9, "suite_lines": "1-2, 5", "added": [7]}


def test_coverage_is_read_back() -> None:
    expected = FileCoverage("a.py", 9, 3, (7,), (1, 2, 5))
    assert merge.read({"files": [FILE]}) == Coverage((expected,))


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"files": {}},
        {"files": [1]},
        {"files": [{**FILE, "filename": 1}]},
        {"files": [{**FILE, "statements": "9"}]},
        {"files": [{**FILE, "added": None}]},
        {"files": [{**FILE, "added": ["7"]}]},
        {"files": [{**FILE, "suite_lines": None}]},
        {"files": [{**FILE, "suite_lines": "one"}]},
    ],
)
def test_coverage_that_says_no_lines_is_refused(document: object) -> None:
    with pytest.raises(SocratesError, match="its coverage does not say which lines"):
        merge.read(document)


def test_percentages_have_two_digits() -> None:
    document = as_document(Coverage((FileCoverage("a.py", 3, 1, (2,), (1,)),)))
    assert (document["suite"], document["amplified"]) == (33.33, 66.67)
