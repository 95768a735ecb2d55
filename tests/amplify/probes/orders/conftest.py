"""Code under control, in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pytest

from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
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
