"""Every report of a run in which much went another way, word for word as the files in ``data`` have it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import socrates
from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.evidence import Evidence, Frame, Link
from socrates_amplify.model.exchanges import Exchange, Tried
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CIRCUMSTANCE
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.model.search import Defect, Question
from socrates_amplify.report import ReportContext, json_report, junit, sarif, text
from socrates_amplify.report.page import html
from socrates_amplify.triage.judge import finish
from tests.amplify.report.conftest import outline

TWICE = Fault("t1", "duplicate", "test", "Stock#1", "Count(1)")
DOWN = Fault("t2", "connection-error", "shop", "bank", "GET /balance")
ZONE = Fault("circumstance:zone", CIRCUMSTANCE, "process", "zone", "zone=CET instead of UTC")
SEND = Send(
    *("t1", "test", "Stock#1", "Count(1)", "d", None),
    at_least_once=True,
    wants_reply=True,
    because="it is sent by a queue",
)
ASKED = Send("t2", "shop", "bank", "GET /balance", "d", "t1", channel="call", handler="bank.py:3")
CONTROL = Trace((SEND, ASKED, Turn("Stock#1", "t1"), Reply("Stock#1", "t1", "1", "x")))
ANSWERS = Trace((SEND, ASKED, Turn("Stock#1", "t1"), Reply("Stock#1", "t1", "2", "y")))
CRASHES = Trace((SEND, ASKED, Turn("Stock#1", "t1", failed="KeyError: 'a'")))
LINK = Link(
    "KeyError",
    "builtins",
    "'a'",
    frames=(
        Frame("test", "test_a", "tests/test_a.py", "test_a", 3),
        Frame("production", "shop", "shop.py", "buy", 7),
    ),
)


def found(fault: Fault, failed: str, trace: Trace, *links: Link, name: str = "a") -> FoundDefect:
    kind, _, message = failed.partition(": ")
    failure = Failure(kind, message, "tests/test_a.py:3", "Stock#1")
    return FoundDefect(
        Defect(Scenario.of([fault]), failure),
        f".socrates/scenarios/{name}.json",
        trace,
        evidence=Evidence(links),
    )


def result(name: str, status: Status, note: str = "", *defects: FoundDefect) -> TestResult:
    count = len(defects)
    place = f"tests/test_a.py:{len(name)}"
    return TestResult(
        f"tests/test_a.py::{name}",
        status,
        place,
        faults=count,
        executions=count,
        defects=defects,
        note=note,
        control=CONTROL,
    )


TESTS = (
    result("test_answers", Status.DEFECTIVE, "", found(TWICE, "AssertionError: 1 == 2", ANSWERS)),
    result(
        "TestShop::test_crashes",
        Status.DEFECTIVE,
        "ended early",
        found(TWICE, "KeyError: 'a'", CRASHES, LINK, name="b"),
        found(DOWN, "KeyError: 'a'", CRASHES, LINK, name="c"),
    ),
    result(
        "test_down",
        Status.DEFECTIVE,
        "",
        found(DOWN, "AssertionError: assert 'no' == 'yes'", Trace(), name="d"),
        found(DOWN, f"{NOT_RECOVERED}: again: E: m", Trace(), name="e"),
        found(DOWN, "Hang: did not end within 5 s", Trace(), name="f"),
    ),
    TestResult(
        "tests/test_a.py::test_zone",
        Status.RESILIENT,
        faults=1,
        executions=2,
        unresolved=1,
        note="one was not applied",
        questions=(Question(Scenario.of([ZONE]), "zone matters", "Pass"),),
    ),
    result("test_f1[a::b]", Status.FAILING, "failed: KeyError: 'a'"),
    result("test_f2", Status.FAILING, "failed: KeyError: 'b'"),
    result("test_f3", Status.FAILING, "failed: OSError"),
    result("test_flaky", Status.FLAKY, "passes and fails"),
    result("test_late", Status.NOT_RUN, "the time budget is spent"),
    result("test_broken", Status.ERROR, "killed \x1b[31m"),
    result("test_quiet", Status.NO_TARGETS, "sends nothing"),
    TestResult("tests/test_a.py::test_smelly", Status.SMELLY, smells=("SOC101",)),
    TestResult(
        "tests/test_a.py::test_known",
        Status.RESILIENT,
        reused=True,
        exchanges=(
            Exchange("Dock", "actor", "Stock", "message", "Add", kinds={"restart": Tried.UNTRIED}),
            Exchange("Dock", "actor", "Stock", "message", "Go", kinds={"restart": Tried.SURVIVED}),
        ),
    ),
)
RUN = finish(
    RunResult(
        TESTS,
        61.25,
        ("pykka could not be patched",),
        True,
        "report.html",
        coverage=Coverage((FileCoverage("shop.py", 10, 5, (7, 8)), FileCoverage("a.py", 4, 4))),
        fail_under=80.0,
        resumed="12 of 30 tests were known",
        accepted=frozenset({"group of old"}),
        gone=("old one", "old two"),
    )
)
HERE = Path("/home/ann/project")


@pytest.mark.parametrize(
    ("render", "context", "name"),
    [
        (json_report.render, ReportContext(HERE), "odd.json"),
        (sarif.render, ReportContext(HERE), "odd.sarif"),
        (junit.render, ReportContext(HERE), "odd.xml"),
        (text.render, ReportContext(HERE), "odd.txt"),
        (text.render, ReportContext(HERE, verbose=True), "odd.verbose.txt"),
        (text.render, ReportContext(HERE, quiet=True), "odd.quiet.txt"),
        (text.render, ReportContext(HERE, color=True), "odd.colour.txt"),
        (text.render, ReportContext(HERE, color=True, show_tests=True), "odd.tests.txt"),
        (lambda run, context: outline(html.render(run, context)), ReportContext(HERE), "odd.html"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("coloured_terminal")
def test_report_of_an_odd_run(
    render: Callable[[RunResult, ReportContext], str],
    context: ReportContext,
    name: str,
    kept: Callable[[str, str], str],
) -> None:
    told = render(RUN, context).replace(socrates.__version__, "VERSION")
    assert told == kept(name, told)
