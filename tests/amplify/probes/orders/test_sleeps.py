"""Sleeps of the system's tasks: what follows one may wait until the next one is over, in one round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

SYSTEM = '''
import asyncio

class Limiter:
    """Lets one in at a time. A slot is handed on where ``hands_on`` says so, else it is free for a moment."""

    def __init__(self, hands_on):
        self.active, self.peak, self.waiters, self.hands_on = 0, 0, [], hands_on

    async def enter(self):
        waits = self.active >= 1
        if waits:
            self.waiters.append(asyncio.get_running_loop().create_future())
            await self.waiters[-1]
        if not (waits and self.hands_on):
            self.active += 1
        self.peak = max(self.peak, self.active)

    def leave(self):
        if not (self.waiters and self.hands_on):
            self.active -= 1
        if self.waiters:
            self.waiters.pop(0).set_result(None)

async def download(limiter, starts, takes):
    await asyncio.sleep(starts)
    await limiter.enter()
    await asyncio.sleep(takes)
    limiter.leave()

async def sleep(seconds):
    await asyncio.sleep(seconds)
'''
WANTED = "what follows sleep at system.py:28 after sleep of download#3"
"""The first download ends while the third one begins."""


@pytest.fixture
def system(request: pytest.FixtureRequest) -> SimpleNamespace:
    names: dict[str, object] = {"__name__": "system"}
    exec(compile(SYSTEM, str(Path(request.path).parent / "system.py"), "exec"), names)
    return SimpleNamespace(**names)


@pytest.fixture
def peak(system: SimpleNamespace) -> Callable[[bool], Callable[[], int]]:
    """How many downloads had a slot at once at most."""

    def of(hands_on: bool) -> Callable[[], int]:
        async def main() -> int:
            limiter = system.Limiter(hands_on)
            plan = [(0.01, 0.03), (0.02, 0.03), (0.06, 0.01)]
            await asyncio.gather(*(system.download(limiter, *each) for each in plan))
            return int(limiter.peak)

        return lambda: asyncio.run(main())

    return of


def test_two_sleeps_may_be_over_in_one_round(in_order, peak) -> None:
    code = peak(False)
    forced = in_order(code, in_order(code).orders()[WANTED])
    assert (forced.value, forced.missed) == (2, [])


def test_what_bears_two_sleeps_in_one_round_is_left_alone(in_order, peak) -> None:
    code = peak(True)
    first = in_order(code)
    runs = [in_order(code, fault) for told, fault in first.orders().items() if "follows" in told]
    assert {(run.value, *run.missed) for run in runs} == {(1,)}


def test_a_sleep_that_begins_after_another_one_is_never_over_with_it(in_order, system) -> None:
    async def one_after_the_other() -> None:
        await asyncio.create_task(system.sleep(0.1))
        await asyncio.create_task(system.sleep(0.1))

    assert in_order(lambda: asyncio.run(one_after_the_other())).orders() == {}


def test_what_follows_the_tests_own_sleep_is_not_held(in_order, system) -> None:
    async def beside_the_test() -> None:
        task = asyncio.create_task(system.sleep(0.2))
        await asyncio.sleep(0.1)
        await task

    assert in_order(lambda: asyncio.run(beside_the_test())).orders() == {}


def test_no_timeout_comes_because_something_was_held(in_order, system) -> None:
    async def main() -> str:
        late = asyncio.create_task(system.sleep(5))
        try:
            await asyncio.wait_for(system.sleep(0.1), timeout=1)
        except TimeoutError:
            return "too late"
        finally:
            await late
        return "in time"

    def code() -> str:
        return asyncio.run(main())

    (fault,) = (one for told, one in in_order(code).orders().items() if "follows" in told)
    assert in_order(code, fault).value == "in time"


class Jumping(asyncio.SelectorEventLoop):
    """A loop whose clock is its own, as suites have them that don't want to wait."""

    now = 0.0

    def time(self) -> float:
        self.now += 1.0
        return self.now


def test_sleeps_of_a_loop_with_a_clock_of_its_own_end_as_that_says(in_order, system) -> None:
    async def main() -> None:
        await asyncio.gather(system.sleep(5), system.sleep(1))

    def code() -> None:
        with asyncio.Runner(loop_factory=Jumping) as runner:
            runner.run(main())

    assert in_order(code).orders() == {}


def test_tasks_that_only_sleep_are_left_alone(in_order) -> None:
    async def main() -> None:
        await asyncio.gather(asyncio.sleep(0.02), asyncio.sleep(0.01))

    assert in_order(lambda: asyncio.run(main())).orders() == {}
