"""What tests do that control can't follow, or has to bear: never a hang, never another result."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from time import sleep as nap
from time import time as clock

import freezegun
import pytest
import time_machine

from socrates_amplify.probes.asyncio_tasks import AsyncioTasks
from socrates_amplify.probes.orders import baton, watchdog

NEW_YEAR = datetime(2020, 1, 1, tzinfo=UTC)


def in_a_thread(code):
    """What ``code`` returns in a thread of its own."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(code()))
    thread.start()
    thread.join()
    return answers[0]


def leaves_a_thread() -> int:
    """A thread that waits for what never comes is left behind."""
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    return 1


def runs_a_process() -> int:
    return subprocess.run([sys.executable, "-S", "-c", ""], check=True, timeout=60).returncode + 1


def sleeps_by_another_name() -> int:
    began = clock()
    in_a_thread(lambda: nap(600))
    return int(clock() - began >= 600)


def looks_at_the_clock_until_time_has_passed() -> int:
    over = clock() + 3
    while clock() < over:
        pass
    return 1


def freezes_the_clock() -> int:
    with freezegun.freeze_time(NEW_YEAR):
        frozen = {clock(), time.time(), NEW_YEAR.timestamp()}
    return len(frozen)


def travels_in_time() -> int:
    with time_machine.travel(NEW_YEAR, tick=False):
        frozen = {clock(), time.time(), NEW_YEAR.timestamp()}
    return len(frozen)


def runs_loops_one_after_the_other() -> int:
    async def main() -> float:
        await asyncio.sleep(60)
        return 0.5

    return int(asyncio.run(main()) + asyncio.run(main()))


def runs_a_loop_beside_a_loop() -> int:
    async def inner() -> int:
        await asyncio.sleep(60)
        return 1

    async def outer() -> int:
        return await asyncio.to_thread(lambda: asyncio.run(inner()))

    return asyncio.run(outer())


def cancels_a_task() -> int:
    async def main() -> int:
        task = asyncio.ensure_future(asyncio.sleep(600))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return int(task.cancelled())

    return asyncio.run(main())


def maps_with_a_pool() -> int:
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(lambda number: number, [0, 1]))


def runs_a_loop_in_a_loop() -> int:
    async def inner() -> None:
        await asyncio.sleep(60)

    async def outer() -> int:
        coroutine = inner()
        try:
            asyncio.run(coroutine)
        except RuntimeError:
            coroutine.close()
            return 1
        return 0

    return asyncio.run(outer())


def is_sent_a_signal() -> int:
    heard: list[int] = []
    before = signal.signal(signal.SIGVTALRM, lambda *_: heard.append(1))
    signal.raise_signal(signal.SIGVTALRM)
    signal.signal(signal.SIGVTALRM, before)
    return len(heard)


def runs_anyio() -> int:
    anyio = pytest.importorskip("anyio")

    async def main() -> int:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep, 600)
        return 1

    return int(anyio.run(main))


def runs_trio() -> int:
    trio = pytest.importorskip("trio")

    async def main() -> int:
        await trio.sleep(0.001)
        return 1

    return int(trio.run(main))


@pytest.mark.parametrize(
    "code",
    [
        maps_with_a_pool,
        runs_a_loop_in_a_loop,
        is_sent_a_signal,
        runs_anyio,
        runs_trio,
        leaves_a_thread,
        runs_a_process,
        sleeps_by_another_name,
        looks_at_the_clock_until_time_has_passed,
        freezes_the_clock,
        travels_in_time,
        runs_loops_one_after_the_other,
        runs_a_loop_beside_a_loop,
        cancels_a_task,
    ],
)
def test_under_control_it_is_as_ever(controlled, code) -> None:
    ended = controlled(code)
    assert (ended.value, ended.error, ended.lost) == (1, None, "")


def test_a_pool_from_before_the_test_is_controlled(controlled) -> None:
    pool = ThreadPoolExecutor(2)
    ended = controlled(lambda: list(pool.map(lambda number: number, [0, 1])))
    assert (ended.value, ended.lost) == ([0, 1], "")


def waits_for_a_lock_from_before() -> None:
    """A lock of C, out of sight, that another thread of the test gives back."""
    (lock,) = LOCKS
    lock.acquire()
    thread = threading.Thread(target=lock.acquire)
    thread.start()
    time.sleep(1)
    lock.release()
    thread.join()


def waits_for_a_process() -> None:
    """A process that is waited for while another thread could run."""
    thread = threading.Thread(target=time.sleep, args=(0.1,))
    thread.start()
    subprocess.run(
        [sys.executable, "-S", "-c", "import time; time.sleep(3)"], check=True, timeout=60
    )
    thread.join()


def sets_a_timer() -> None:
    """A signal that ends a sleep."""
    before = signal.signal(signal.SIGVTALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_VIRTUAL, 10)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def spins() -> None:
    """A thread that looks for what another one does, without ever waiting."""
    seen: list[int] = []
    thread = threading.Thread(target=seen.append, args=(1,))
    thread.start()
    while not seen:
        pass
    thread.join()


LOCKS = (threading.Lock(),)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (waits_for_a_lock_from_before, "acquire#1 waits for something that is not controlled"),
        (waits_for_a_process, "test waits for something that is not controlled"),
        (sets_a_timer, "a signal comes by the real clock"),
        (spins, "test runs on without waiting for anything"),
    ],
)
def test_what_is_not_controlled_comes_to_its_end_and_is_told(
    controlled, monkeypatch, code, why
) -> None:
    monkeypatch.setattr(watchdog, "_MOST_COMPUTING", 0.2)
    if code is waits_for_a_process:
        # It looks for the process now and then, and a busy machine sees it run for longer.
        monkeypatch.setattr(watchdog, "_BLOCKED", 3)
    ended = controlled(code)
    assert (ended.error, ended.lost.partition(": ")[2]) == (None, why)


def test_threads_that_hand_over_without_an_end_are_a_livelock(controlled, monkeypatch) -> None:
    monkeypatch.setattr(baton, "MOST_STEPS", 1_000)

    def code() -> None:
        over: list[int] = []

        def wait() -> None:
            while not over:
                time.sleep(0)

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        thread.join()

    error = controlled(code).error
    assert (type(error).__name__, str(error)) == (
        "Livelock",
        "no end after 1000 hand-overs between 2 threads",
    )


def test_looking_at_the_clock_without_an_end_is_a_livelock(controlled, monkeypatch) -> None:
    monkeypatch.setattr(baton, "MOST_STEPS", 1_000)

    def code() -> None:
        while True:
            clock()

    assert type(controlled(code).error).__name__ == "Livelock"


_DEADLOCKED = """
import threading
from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.record.recorder import Recorder
undo = OrdersProbe().install(Recorder(Scenario.of([UNFORCED])), {})
thread = threading.Thread(target=threading.Event().wait)
thread.start()
try:
    thread.join()
except BaseException as error:
    print(type(error).__name__)
undo()
"""


def test_a_process_with_threads_in_a_deadlock_comes_to_its_end() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _DEADLOCKED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.returncode) == ("Deadlock\n", 0)


def test_a_loop_of_uvloop_is_not_controlled(controlled) -> None:
    uvloop = pytest.importorskip("uvloop")

    async def main() -> int:
        return 1

    def code() -> int:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(main())

    ended = controlled(code)
    assert (ended.value, ended.lost.partition(": ")[2]) == (1, "uvloop runs its tasks")


_GREEN = """
from gevent import monkey
monkey.patch_all()
import threading
from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.record.recorder import Recorder
recorder = Recorder(Scenario.of([UNFORCED]))
undo = OrdersProbe().install(recorder, {})
thread = threading.Thread(target=print, args=("ran",))
thread.start()
thread.join()
undo()
print(recorder.missed[UNFORCED.key])
"""


def test_threads_of_gevent_are_not_controlled() -> None:
    pytest.importorskip("gevent")
    done = subprocess.run(
        [sys.executable, "-c", _GREEN], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "ran\nthe order was not controlled: gevent schedules what runs\n"


def test_a_task_that_anyio_runs_and_nobody_has_named_is_that_of_the_test() -> None:
    anyio = {"__name__": "anyio._backends", "current": asyncio.current_task}
    exec("async def runner(names):\n    return names.name_of(current())", anyio)
    assert asyncio.run(anyio["runner"](AsyncioTasks())) == "test#1"
