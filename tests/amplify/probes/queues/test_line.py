"""The line that tasks stand in: open by itself, and in the hands of whoever controls the run."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.queues.line import ControlledLine, Go, Line
from socrates_amplify.record.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socrates_amplify.probes.queues.tasks import Task

TASK = cast("Task", "task")


class Told(Line):
    """A line that writes down what it is told, and lets nothing go."""

    def __init__(self) -> None:
        self.log: list[object] = []

    def sent(self, task: Task) -> None:
        self.log.append(("sent", task))

    def arrive(self, task: Task, go: Go, only_here: bool = False) -> None:
        self.log.append(("arrive", task, only_here))

    @contextmanager
    def turn(self, task: Task) -> Iterator[None]:
        self.log.append(("turn", task))
        yield

    def finished(self, task: Task) -> None:
        self.log.append(("finished", task))

    def awaited(self, task: Task | None = None) -> None:
        self.log.append(("awaited", task))

    @property
    def empty(self) -> bool:
        return False

    def wait(self) -> None:
        self.log.append("wait")

    def flush(self, why: str) -> None:
        self.log.append(("flush", why))

    def close(self) -> None:
        self.log.append("close")


def test_an_open_line_lets_a_task_go_at_once() -> None:
    gone: list[int] = []
    Line().arrive(TASK, lambda: gone.append(1))
    assert gone == [1]


@pytest.mark.parametrize("line", [Line(), ControlledLine()], ids=["open", "controlled by nobody"])
def test_nothing_is_held_back_by_itself(line: Line) -> None:
    assert line.empty is True


def test_who_controls_a_run_is_told_everything() -> None:
    line = ControlledLine()
    line.by = told = Told()
    line.sent(TASK)
    line.arrive(TASK, lambda: None, only_here=True)
    with line.turn(TASK):
        line.finished(TASK)
    line.awaited(TASK)
    for tell in (line.awaited, line.wait):
        tell()
    line.flush("why")
    line.close()
    assert told.log == [
        ("sent", TASK),
        ("arrive", TASK, True),
        ("turn", TASK),
        ("finished", TASK),
        ("awaited", TASK),
        ("awaited", None),
        "wait",
        ("flush", "why"),
        "close",
    ]


def test_a_task_may_go_in_any_thread_unless_somebody_says_so() -> None:
    line = ControlledLine()
    line.by = told = Told()
    line.arrive(TASK, lambda: None)
    assert told.log == [("arrive", TASK, False)]


def test_who_controls_a_run_says_whether_something_is_held() -> None:
    line = ControlledLine()
    line.by = Told()
    assert line.empty is False


def test_a_run_under_control_has_one_line() -> None:
    recorder = Recorder(Scenario.of([Fault("t", "order")]))
    first = ControlledLine.of(recorder)
    assert first is not None
    assert ControlledLine.of(recorder) is first


def test_two_runs_under_control_have_two_lines() -> None:
    one, other = (Recorder(Scenario.of([Fault("t", "order")])) for _ in range(2))
    assert ControlledLine.of(one) is not ControlledLine.of(other)


@pytest.mark.parametrize("faults", [[], [Fault("t", "delay")]], ids=["no faults", "delay"])
def test_other_runs_have_none(faults: list[Fault]) -> None:
    assert ControlledLine.of(Recorder(Scenario.of(faults))) is None
