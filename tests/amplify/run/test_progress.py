"""Live progress: what it shows, and that it is silent where nobody looks."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import Question
from socrates_amplify.run.progress import Progress

SCENARIO = Scenario.of([Fault("t1", "duplicate")])


def watched(console: Console | None) -> Progress:
    """A run in the middle of its second and its third test."""
    with Progress(console) as progress:
        progress.collected(3, 100)
        progress.started("test_a.py::test_a")
        watch = progress.started("test_a.py::test_b[\x1b]")
        progress.started("test_[blue].py::test_c[/red]")
        progress.finished("test_a.py::test_a", 0)
        watch.asking(SCENARIO, "the ledger alone")
        watch.answered(
            Question(SCENARIO, "the ledger alone", "fail"), Outcome(SCENARIO, Verdict.FAIL)
        )
        watch.asking(SCENARIO, "the ledger's last message")
    return progress


def shown(progress: Progress) -> str:
    console = Console(file=io.StringIO(), width=120)
    with console.capture() as captured:
        console.print(progress.view())
    return captured.get()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("1/3 tests", id="tests"),
        pytest.param("executions 1", id="executions"),
        pytest.param("budget 1/100", id="budget"),
        pytest.param("the ledger's last message (1 fault)", id="hypothesis"),
        pytest.param(r"test_b[\x1b]", id="name without its escape"),
        pytest.param("test_[blue].py::test_c[/red]  budget 0/100  without faults", id="brackets"),
    ],
)
def test_it_says_where_it_is(words: str) -> None:
    assert words in shown(watched(Console(file=io.StringIO())))


def test_what_is_no_test_is_shown_as_it_is() -> None:
    with Progress(Console(file=io.StringIO())) as progress:
        progress.doing("collecting [bold]tests[/italic]")

    assert "collecting [bold]tests[/italic]" in shown(progress)


def test_without_a_terminal_nothing_is_written() -> None:
    stream = io.StringIO()
    watched(Console(file=stream, force_terminal=False))

    assert stream.getvalue() == ""


def test_on_a_terminal_something_is() -> None:
    stream = io.StringIO()
    watched(Console(file=stream, force_terminal=True))

    assert "1/3 tests" in stream.getvalue()


def test_without_a_console_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    watched(None)

    assert capfd.readouterr() == ("", "")
