"""Clocks that functions have kept since they were made are virtual, too, and theirs again afterwards."""

from __future__ import annotations

import sched
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import dramatiq
import freezegun
import kombu.transport.memory  # noqa: F401  before a run under control, whose clocks it would keep
import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from dramatiq.brokers.stub import StubBroker
from fakeredis import FakeStrictRedis
from rq import Queue, SimpleWorker
from rq.registry import ScheduledJobRegistry

from socrates_amplify.originals import Clock

DAY = 86_400


def by_default(clock: Callable[[], float] = time.monotonic) -> float:
    return clock()


def by_name(*, clock: Callable[[], float] = time.time) -> float:
    return clock()


def of_dates(now: Callable[..., datetime] = datetime.now) -> float:
    return now(UTC).timestamp()


def made(clock: Callable[[], float]) -> Callable[[], float]:
    return lambda: clock()


out_of_a_function = made(time.perf_counter)


class Watch:
    def look(self, clock: Callable[[], float] = time.monotonic) -> float:
        return clock()

    @staticmethod
    def look_at_any(clock: Callable[[], float] = time.monotonic) -> float:
        return clock()


@dataclass
class Event:
    at: datetime = field(default_factory=datetime.now)


TOLD = [
    by_default,
    by_name,
    of_dates,
    out_of_a_function,
    Watch().look,
    Watch.look_at_any,
    lambda: Event().at.timestamp(),
]


@pytest.mark.parametrize("tell", TOLD)
def test_what_was_slept_has_passed(controlled, tell: Callable[[], float]) -> None:
    def code() -> float:
        before = tell()
        time.sleep(DAY)
        return tell() - before

    assert DAY <= controlled(code).value < DAY + 1


def test_afterwards_all_is_as_it_was(controlled) -> None:
    def kept() -> tuple[object, ...]:
        cells = [cell.cell_contents for cell in out_of_a_function.__closure__ or ()]  # type: ignore[attr-defined]
        return by_default.__defaults__, by_name.__kwdefaults__, of_dates.__defaults__, cells

    before = kept()
    assert controlled(kept).value != before
    assert kept() == before


def test_where_the_time_is_set_kept_clocks_are_as_without_us(controlled) -> None:
    def code() -> bool:
        with freezegun.freeze_time("2020-01-01"):
            return by_default.__defaults__ == (Kept.clock,)

    assert controlled(code).value


class Kept:
    clock = time.monotonic


def test_a_scheduler_of_the_standard_library_waits_for_no_clock(controlled) -> None:
    def code() -> list[str]:
        seen: list[str] = []
        scheduler = sched.scheduler()
        scheduler.enter(DAY, 1, seen.append, ("late",))
        scheduler.run()
        return seen

    began = Clock.now()
    assert controlled(code).value == ["late"]
    assert Clock.now() - began < 60


@pytest.mark.parametrize("when", ["countdown", "eta"])
def test_a_task_of_celery_comes_when_its_time_has_come(controlled, when: str) -> None:
    app = Celery(when, broker="memory://", backend="cache+memory://", set_as_current=False)
    app.conf.update(worker_hijack_root_logger=False)

    @app.task(name=f"stamp_by_{when}")  # type: ignore[untyped-decorator]
    def stamp() -> float:
        return time.time()

    def code() -> float:
        with start_worker(app, perform_ping_check=False, pool="solo", concurrency=1):
            began = time.time()
            late = datetime.fromtimestamp(began + 600, UTC)
            options = {"countdown": 600} if when == "countdown" else {"eta": late}
            return float(stamp.apply_async(**options).get(timeout=900)) - began

    ended = controlled(code)
    assert (ended.error, ended.lost) == (None, "")
    assert 599 < ended.value < 610


def test_a_delayed_task_of_dramatiq_comes_when_its_time_has_come(controlled) -> None:
    broker, seen = StubBroker(), list[float]()

    @dramatiq.actor(broker=broker)
    def stamp() -> None:
        seen.append(time.time())

    def code() -> float:
        worker = dramatiq.Worker(broker, worker_timeout=100)
        worker.start()
        try:
            began = time.time()
            stamp.send_with_options(delay=60_000)
            time.sleep(90)
            return seen[0] - began
        finally:
            worker.stop()

    ended = controlled(code)
    assert (ended.error, ended.lost) == (None, "")
    assert 59 < ended.value < 61


def test_a_job_of_rq_is_due_when_its_time_has_come(controlled) -> None:
    queue = Queue(connection=FakeStrictRedis())

    def code() -> list[int]:
        registry = ScheduledJobRegistry(queue=queue)
        job = queue.enqueue_at(datetime.fromtimestamp(time.time() + 600, UTC), abs, -1)
        due = [len(registry.get_jobs_to_schedule())]
        time.sleep(601)
        due.append(len(registry.get_jobs_to_schedule()))
        queue._enqueue_job(job)
        SimpleWorker([queue], connection=queue.connection).work(burst=True)
        return [*due, job.return_value()]

    ended = controlled(code)
    assert (ended.error, ended.value) == (None, [0, 1, 1])
