"""Where files of ours go in a test's process: beside its temporary directories, or in a folder of ours."""

from __future__ import annotations

import pytest

from socrates_amplify.executors.in_test.execution import recorder_for
from socrates_amplify.executors.request import Request
from socrates_amplify.model.faults import Scenario


@pytest.mark.parametrize(
    ("tmp", "own", "expected"), [("/t", "", "/t"), ("/t", "/o", "/t"), ("", "/o", "/o")]
)
def test_files_of_ours_have_a_folder_that_somebody_owns(
    request: pytest.FixtureRequest, tmp: str, own: str, expected: str
) -> None:
    asked = Request("test_a.py::test_a", Scenario(), tmp=tmp, own=own)
    received = Request.from_json(asked.to_json())
    assert recorder_for(request.node, received).tmp == expected
