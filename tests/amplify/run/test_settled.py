"""Tests of which the traced pass says all there is: their results, and that they are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from socrates_amplify.model.events import Create, Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.results import Status
from socrates_amplify.run.no_targets import settle
from socrates_amplify.store.store import Store

TEST = "test_a.py::test_a"
PASSED = Outcome(Scenario(), Verdict.PASS, duration=1.5, status="passed", files=("a.py",))
SKIPPED = Outcome(Scenario(), Verdict.UNRESOLVED, reason="no network", status="skipped")


class Offers:
    """No trace offers anything."""

    def faults_of(self, trace: Trace) -> object:
        return ()


@pytest.mark.parametrize(
    ("outcome", "status", "note"),
    [
        pytest.param(
            PASSED, Status.NO_TARGETS, "nothing that can be faulted was sent", id="passed"
        ),
        pytest.param(
            replace(PASSED, reason="a patch replaces requests.get"),
            Status.NO_TARGETS,
            "nothing that can be faulted was sent: a patch replaces requests.get",
            id="with its client replaced",
        ),
        pytest.param(SKIPPED, Status.NOT_RUN, "no network", id="skipped"),
        pytest.param(
            Outcome(Scenario(), Verdict.UNRESOLVED, status="xfailed"),
            Status.NOT_RUN,
            "xfailed",
            id="without a reason",
        ),
    ],
)
def test_quiet_test_is_settled(outcome: Outcome, status: Status, note: str, tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        result = settle({TEST: outcome}, {TEST: "test_a.py:3"}, Offers(), store, "a")[TEST]
        kept = store.statuses("a")
    assert (result.status, result.note, result.location, kept) == (
        status,
        note,
        "test_a.py:3",
        {TEST: status.value},
    )


def test_what_is_known_of_it_is_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        result = settle({TEST: PASSED}, {TEST: "test_a.py:3"}, Offers(), store, "a")[TEST]
        [kept] = store.latest()
        runs = store.control_runs("a", TEST)
    assert (result.duration, result.files, kept.document["files"], len(runs)) == (
        1.5,
        ("a.py",),
        ["a.py"],
        1,
    )


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(Outcome(Scenario(), Verdict.FAIL, status="failed"), id="failed"),
        pytest.param(Outcome(Scenario(), Verdict.PASS, final=False), id="not final"),
        pytest.param(
            Outcome(Scenario(), Verdict.PASS, trace=Trace((Create("test", "A#1"),))), id="sends"
        ),
    ],
)
def test_other_test_is_not_settled(outcome: Outcome, tmp_path: Path) -> None:
    quiet = "test_a.py::test_b"
    with Store.open(tmp_path) as store:
        seen = {TEST: outcome, quiet: PASSED}
        settled = settle(seen, dict.fromkeys(seen, "test_a.py:3"), Offers(), store, "a")
    assert list(settled) == [quiet]
