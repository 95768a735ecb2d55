"""What plain data says where nothing is said: reports, stores and searches rely on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.findings import Severity
from socrates_amplify.executors.base import ClusterOptions, Suite
from socrates_amplify.executors.request import Request
from socrates_amplify.model.events import Trace
from socrates_amplify.model.evidence import NOTHING
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.judgement import DefectClass, Judgement, Site
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.model.search import Defect, Exploration, ExploreOptions, Question, Tally
from socrates_amplify.record.index import Known
from socrates_amplify.report.context import ReportContext

FAILURE = Failure("E", "m", "t:1")
DEFECT = Defect(Scenario(), FAILURE)
MEANT = (DefectClass.EFFECT, Severity.WARNING, "why", Site("k", "n", "p"))
JUDGED = Judgement(*MEANT)


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        (Fault("t", "delay"), Fault("t", "delay", "", "", "", "", "")),
        (FAILURE, Failure("E", "m", "t:1", "")),
        (
            Outcome(Scenario(), Verdict.PASS),
            Outcome(
                Scenario(),
                Verdict.PASS,
                failure=None,
                reason="",
                trace=Trace(),
                duration=0.0,
                final=True,
                status="",
                evidence=NOTHING,
                notices=(),
            ),
        ),
        (Question(Scenario(), "h", "a"), Question(Scenario(), "h", "a", False)),
        (DEFECT, Defect(Scenario(), FAILURE, True, "")),
        (Exploration(), Exploration((), True, "", ())),
        (Tally(), Tally(0, 0, 0, 0)),
        (ExploreOptions(), ExploreOptions(None, None, True, False, 0, None, True)),
        (FoundDefect(DEFECT, "a"), FoundDefect(DEFECT, "a", Trace(), (), NOTHING, None)),
        (
            TestResult("t", Status.FLAKY),
            TestResult(
                "t",
                Status.FLAKY,
                location="",
                smells=(),
                targets=0,
                faults=0,
                executions=0,
                unresolved=0,
                duration=0.0,
                defects=(),
                note="",
                control=Trace(),
                questions=(),
                pruned=(),
                survived=(),
                speculation=None,
            ),
        ),
        (
            RunResult(),
            RunResult(
                tests=(),
                duration=0.0,
                warnings=(),
                interrupted=False,
                report="",
                rootdir="",
                coverage=None,
                errors=(),
                shard=None,
                fail_on=Severity.WARNING,
                min_severity=Severity.INFO,
                document=None,
            ),
        ),
        (JUDGED, Judgement(*MEANT, did="", raw=False, unsure="")),
        (Rounds(), Rounds(1, 0.0)),
        (ClusterOptions(), ClusterOptions("", (), 100_000_000)),
        (
            Suite(Path("a")),
            Suite(Path("a"), (), (), {}, "", {}, ClusterOptions(), Rounds(1, 0.0)),
        ),
        (
            Request("t", Scenario()),
            Request("t", Scenario(), Known(), {}, "", Rounds(1, 0.0)),
        ),
        (
            ReportContext(Path("a")),
            ReportContext(
                Path("a"),
                quiet=False,
                verbose=False,
                show_tests=False,
                color=False,
                encoding="utf-8",
            ),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_defaults(short: object, whole: object) -> None:
    assert short == whole


def test_a_request_comes_back_as_it_was() -> None:
    asked = Request(
        "test_a.py::test_a",
        Scenario.of([Fault("t1", "delay")]),
        Known({"s": "t1"}, {"a": "A#1"}, {"l": "m"}),
        {"pykka": {"persistent": ["A"]}},
        "/tmp/x",
        Rounds(3, 2.5),
    )
    assert Request.from_json(asked.to_json()) == asked
