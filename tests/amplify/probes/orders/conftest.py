"""Code under control, in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import pytest

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.probes.queues.probe import QueueProbe
from socrates_amplify.record.recorder import Recorder

T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """What code under control returned or raised, and why control was lost, if it was."""

    value: object
    error: BaseException | None
    lost: str


@pytest.fixture
def controlled() -> Callable[[Callable[[], object]], Ended]:
    """Runs a function with one thread at a time."""

    def run(code: Callable[[], object]) -> Ended:
        recorder = Recorder(Scenario.of([UNFORCED]))
        value, error = None, None
        undo = OrdersProbe().install(recorder, {})
        try:
            value = code()
        except BaseException as raised:
            error = raised
        finally:
            undo()
        return Ended(value, error, recorder.missed.get(UNFORCED.key, ""))

    return run


@dataclass(frozen=True)
class Ran:
    """One run of some code under control."""

    recorder: Recorder
    trace: Trace
    value: object = None

    def orders(self) -> dict[str, Fault]:
        """The orders that it offers, by what people read."""
        faults = OrdersProbe().faults_of(self.trace, ["order"])
        return {fault.message: fault for fault in faults}

    @property
    def missed(self) -> list[str]:
        """Why faults were not applied."""
        return [why for _, why in self.recorder.unapplied]


@pytest.fixture
def in_order(request: pytest.FixtureRequest) -> Callable[..., Ran]:
    """Runs a function with one thread at a time, and in the orders that are forced."""

    def run(
        code: Callable[[], object], *faults: Fault, config: Mapping[str, object] | None = None
    ) -> Ran:
        recorder = Recorder(Scenario.of([UNFORCED, *faults]), root=str(request.path.parent))
        recorder.test_file = str(request.path)
        undo = OrdersProbe().install(recorder, config or {})
        try:
            value = code()
        finally:
            undo()
        return Ran(recorder, recorder.trace(), value)

    return run


@pytest.fixture
def ordered() -> Callable[..., Ran]:
    """Runs a function with one thread at a time, and faults on its tasks.

    The function is given what to call when the test's own code is over.
    """

    def run(
        code: Callable[[Callable[[], None]], object], probe: type[QueueProbe], *faults: Fault
    ) -> Ran:
        recorder = Recorder(Scenario.of([UNFORCED, *faults]))
        undo = [one.install(recorder, {}) for one in (probe(), OrdersProbe())]
        try:
            code(recorder.end_of_test)
        finally:
            for each in reversed(undo):
                each()
        return Ran(recorder, recorder.trace())

    return run
