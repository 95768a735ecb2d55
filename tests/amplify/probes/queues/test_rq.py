"""RQ under its probe, on a real Redis: simple workers, synchronous queues, retried jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import redis
from rq import Queue, Retry, SimpleWorker

from socrates_amplify.probes.queues.rq import RqProbe

PROBE = RqProbe
DONE: list[object] = []
"""What jobs did, in order; they are imported by name, so it can't be a fixture's own."""


def charge(order: int, amount: int = 1) -> int:
    """A job that is not safe to repeat."""
    DONE.append(order)
    return len(DONE)


def flaky() -> int:
    """A job that fails at first."""
    DONE.append(1)
    if len(DONE) < 2:
        raise ValueError
    return len(DONE)


def place(order: int) -> None:
    """A job that asks for another one."""
    from rq import get_current_job

    job = get_current_job()
    assert job is not None
    Queue(connection=job.connection).enqueue(charge, order, retry=Retry(max=1))


@pytest.fixture(autouse=True)
def _nothing_done() -> None:
    DONE.clear()


@pytest.fixture
def work(queue: Queue) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Code that sends, and has a worker handle everything."""

    def working(send: Callable[[], Any]) -> Callable[[], Any]:
        def code() -> Any:
            DONE.clear()
            job = send()
            SimpleWorker([queue], connection=queue.connection).work(burst=True)
            return job.return_value() if job is not None else None

        return code

    return working


def test_a_job_is_named_by_its_call(run, work, queue):
    ran = run(work(lambda: queue.enqueue(charge, 7, amount=10)))
    assert ran.messages == [("test", f"{__name__}.charge", "charge(7, amount=10)")]


@pytest.mark.parametrize(
    ("retry", "offers"),
    [
        (Retry(max=1), ["duplicate", "restart", "delay", "reorder"]),
        (None, ["lose", "delay", "reorder"]),
    ],
    ids=["with retries", "without"],
)
def test_what_a_job_offers(run, work, queue, retry, offers):
    assert run(work(lambda: queue.enqueue(charge, 1, retry=retry))).kinds_offered == offers


def test_a_job_that_the_client_sends_again_may_come_twice(run, queue):
    known = queue.connection.get_connection_kwargs()
    with redis.Redis(known["host"], known["port"]) as client:
        ran = run(lambda: Queue(connection=client, is_async=False).enqueue(charge, 1))
    told = "redis-py sends the command again after a lost connection (its retries)"
    assert [(send.because, ran.kinds_offered) for send in ran.trace.sends] == [
        (told, ["duplicate", "lose"])
    ]


@pytest.mark.parametrize(("kind", "counts"), [("duplicate", 1), ("restart", 2)])
def test_which_answer_of_two_deliveries_counts(run, work, queue, kind, counts):
    code = work(lambda: queue.enqueue(charge, 7, retry=Retry(max=1)))
    again = run(code, [run(code).fault(kind, "charge(7)")])
    assert (DONE, again.value) == ([7, 7], counts)


def test_two_jobs_of_one_sender_change_places(run, work, queue):
    def send() -> None:
        queue.enqueue(charge, 1)
        queue.enqueue(charge, 2)

    run(work(send), [run(work(send)).fault("reorder", "charge(1)")])
    assert DONE == [2, 1]


def test_a_job_that_is_lost_is_never_done(run, work, queue):
    code = work(lambda: queue.enqueue(charge, 1))
    run(code, [run(code).fault("lose", "charge(1)")])
    assert DONE == []


def test_a_retried_job_is_sent_again_by_itself(run, work, queue):
    first, second = run(work(lambda: queue.enqueue(flaky, retry=Retry(max=2)))).sends
    assert (second.message, second.cause) == ("flaky() retry 1", first.target)


def test_a_job_that_a_job_asks_for_is_caused_by_it(run, work, queue):
    first, second = run(work(lambda: queue.enqueue(place, 4))).sends
    assert second.cause == first.target


def test_a_job_that_depends_on_others_is_caused_by_who_asked_for_it(run, work, queue):
    def send() -> Any:
        parts = [queue.enqueue(charge, number) for number in (1, 2)]
        return queue.enqueue(charge, 3, depends_on=parts)

    assert [send.cause for send in run(work(send)).sends] == [None, None, None]


def test_the_duplicate_of_a_synchronous_job_is_the_call_itself(run, connection):
    queue = Queue(connection=connection, is_async=False)

    def code() -> object:
        DONE.clear()
        return queue.enqueue(charge, 7, retry=Retry(max=1)).return_value()

    again = run(code, [run(code).fault("duplicate", "charge(7)")])
    assert (DONE, again.value) == ([7, 7], 1)
