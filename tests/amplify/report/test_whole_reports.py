"""Every report of one run, word for word as the files in ``data`` have it (see ``kept``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import socrates
from socrates.findings import PluginError
from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.model.events import Reply, Send, Trace
from socrates_amplify.model.exchanges import Exchange, Tried
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.results import (
    ExplainedFault,
    FoundDefect,
    Part,
    RunResult,
    Shard,
    Status,
    TestResult,
)
from socrates_amplify.model.search import Defect, Question, Tally
from socrates_amplify.report import ReportContext, json_report, junit, sarif, text
from socrates_amplify.report.page import html
from socrates_amplify.triage.judge import finish
from tests.amplify.report.conftest import outline

TWICE = Fault("t1", "duplicate", "test", "Stock#1", "Count(1)")
BUSY = Fault("t2", "status", "shop", "stock", "GET /stock", "503")
SEND = Send("t1", "test", "Stock#1", "Count(1)", "d", None, handler="stock.py:7")
CONTROL = Trace((SEND, Reply("Stock#1", "t9", "1", "x")))
FAILING = Trace((SEND, Reply("Stock#1", "t9", "2", "y")))
FIRST = FoundDefect(
    Defect(
        Scenario.of([TWICE]), Failure("AssertionError", "assert 2 == 1", "test_a.py:9", "Stock#1")
    ),
    ".socrates/scenarios/a.json",
    FAILING,
)
SECOND = FoundDefect(
    Defect(
        Scenario.of([TWICE, BUSY]), Failure("KeyError", "", "test_a.py:12"), False, "no budget left"
    ),
    ".socrates/scenarios/b.json",
    told=(
        ExplainedFault(BUSY, "no way round it", "shop.py:3"),
        ExplainedFault(TWICE, "counted twice", "stock.py:7"),
    ),
    pytest_args=("-k", "a b"),
)
TESTS = (
    TestResult(
        "test_a.py::TestA::test_it[x::y]",
        Status.DEFECTIVE,
        "test_a.py:5",
        targets=2,
        faults=3,
        executions=4,
        unresolved=1,
        duration=1.23456,
        defects=(FIRST, SECOND),
        note="ended early",
        control=CONTROL,
        questions=(
            Question(Scenario.of([TWICE, BUSY]), "", "fail: KeyError"),
            Question(Scenario.of([TWICE]), "only Stock#1", "Pass", cached=True),
        ),
        pruned=(BUSY,),
        speculation=Tally(4, 3, 1, 2),
    ),
    TestResult("test_a.py::test_fine", Status.RESILIENT, targets=1, faults=1, executions=1),
    TestResult("test_a.py::test_smelly", Status.SMELLY, smells=("SOC101", "SOC102")),
    TestResult("test_a.py::test_odd", Status.ERROR, note="killed"),
)
RUN = finish(
    RunResult(
        TESTS,
        duration=2.5,
        warnings=("an old library",),
        interrupted=True,
        report="report.html",
        rootdir="sub",
        coverage=Coverage(
            (FileCoverage("shop.py", 10, 6, (3, 4, 8), (1, 2)), FileCoverage("stock.py", 6, 6))
        ),
        errors=(PluginError("acme", "boom", "acme.py:3"),),
        shard=Part(Shard(3, 2), "p1an", 12, ("test_a.py::test_fine",)),
    )
)
UNTRIED = TestResult(
    "test_a.py::test_part",
    Status.RESILIENT,
    exchanges=(
        Exchange(
            *("Dock", "actor", "Stock", "message", "Add"),
            kinds={"duplicate": Tried.SURVIVED, "restart": Tried.UNTRIED},
        ),
    ),
)
HERE = Path("/home/ann/project")


@pytest.mark.parametrize(
    ("render", "context", "name"),
    [
        (json_report.render, ReportContext(HERE), "run.json"),
        (sarif.render, ReportContext(HERE), "run.sarif"),
        (junit.render, ReportContext(HERE), "run.xml"),
        (text.render, ReportContext(HERE, verbose=True), "run.verbose.txt"),
        (text.render, ReportContext(HERE, quiet=True), "run.quiet.txt"),
        (text.render, ReportContext(HERE, color=True), "run.colour.txt"),
        (lambda run, context: outline(html.render(run, context)), ReportContext(HERE), "run.html"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("coloured_terminal")
def test_whole_report(
    render: Callable[[RunResult, ReportContext], str],
    context: ReportContext,
    name: str,
    kept: Callable[[str, str], str],
) -> None:
    told = render(RUN, context).replace(socrates.__version__, "VERSION")
    assert told == kept(name, told)


def test_a_run_without_tests_is_told_in_every_report() -> None:
    context = ReportContext(HERE)
    assert text.render(RunResult(), context) == "no tests; 0 defects in 0 executions, 0.0 s\n"
    assert "<h1>No tests were amplified</h1>" in html.render(RunResult(), context)


def test_a_run_without_defects_says_so_in_its_headline() -> None:
    page = html.render(RunResult(TESTS[1:]), ReportContext(HERE))
    assert "<h1>No defects in 1 amplified test</h1>" in page


@pytest.mark.parametrize(
    ("result", "code"),
    [
        pytest.param(RunResult(), 0, id="nothing wrong"),
        pytest.param(RunResult(TESTS[:1]), 1, id="defects"),
        pytest.param(
            RunResult(TESTS[:1], interrupted=True), 1, id="defects before an interruption"
        ),
        pytest.param(RunResult(interrupted=True), 2, id="interrupted"),
        pytest.param(RunResult(TESTS[3:]), 2, id="an error"),
        pytest.param(RUN, 2, id="a plugin failed"),
        pytest.param(RunResult(TESTS[2:3]), 2, id="nothing could be examined"),
        pytest.param(RunResult(TESTS[1:3]), 0, id="something could be examined"),
        pytest.param(RunResult((UNTRIED,), fail_under=50.0), 0, id="enough was tried"),
        pytest.param(RunResult((UNTRIED,), fail_under=51.0), 1, id="too little was tried"),
        pytest.param(RunResult(TESTS[1:2], fail_under=100.0), 0, id="nothing could be tried"),
        pytest.param(
            RunResult((UNTRIED,), fail_under=51.0, shard=RUN.shard),
            0,
            id="a part is not held to it",
        ),
        pytest.param(
            RunResult((UNTRIED,), fail_under=51.0, interrupted=True), 2, id="interrupted before it"
        ),
    ],
)
def test_exit_code(result: RunResult, code: int) -> None:
    assert result.exit_code == code


@pytest.mark.parametrize(
    ("limit", "line"),
    [
        (0.0, "fault coverage: 50 % (1 of 2 kinds of faults at 1 endpoint)"),
        (80.0, "fault coverage: 50 % (1 of 2 kinds of faults at 1 endpoint), below 80 %"),
    ],
)
def test_fault_coverage_in_one_line(limit: float, line: str) -> None:
    told = text.render(RunResult((UNTRIED,), fail_under=limit), ReportContext(HERE))
    assert line in told.splitlines()


def test_reused_results_have_no_drawings_of_their_runs() -> None:
    page = html.render(RunResult((replace(UNTRIED, reused=True),)), ReportContext(HERE))
    assert ("What led to what" in page, "Known from an earlier run" in page) == (False, True)


def test_only_so_many_resilient_tests_have_a_section() -> None:
    many = RunResult((*(TESTS[1] for _ in range(41)), TESTS[0]))
    page = html.render(many, ReportContext(HERE))
    assert (page.count('<section class="test"'), 'id="test-42"' in page) == (41, True)
