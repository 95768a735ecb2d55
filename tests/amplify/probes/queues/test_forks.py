"""RQ's usual worker, which forks for each job, under the probe, on a real Redis."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable
from typing import Any

import pytest
import redis
import requests
from rq import Queue, Retry, SimpleWorker, Worker, get_current_job

from socrates_amplify.probes.http.probe import HttpProbe
from socrates_amplify.probes.queues.rq import RqProbe
from socrates_amplify.record.recorder import Recorder

PROBE = RqProbe


def _done(what: object) -> int:
    """Write down what was done where every process sees it; how much has been done."""
    job = get_current_job()
    assert job is not None
    return int(job.connection.rpush("done", str(what)))


def charge(order: int) -> int:
    """A job that is not safe to repeat."""
    return _done(order)


def flaky() -> None:
    """A job that fails at first."""
    if _done("flaky") < 3:
        raise ValueError


def place(order: int) -> None:
    """A job that asks for another one."""
    job = get_current_job()
    assert job is not None
    Queue(connection=job.connection).enqueue(charge, order, retry=Retry(max=1))


def report(url: str) -> None:
    """A job that calls a service."""
    with contextlib.suppress(requests.ConnectionError):
        requests.get(url, timeout=5)


@pytest.fixture
def work(queue: Queue) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Code that sends, and has a worker handle everything."""

    def working(send: Callable[[], Any]) -> Callable[[], Any]:
        def code() -> Any:
            queue.connection.flushall()
            job = send()
            Worker([queue], connection=queue.connection).work(burst=True)
            return job.return_value() if job is not None else None

        return code

    return working


@pytest.fixture
def done(connection: redis.Redis) -> Callable[[], list[str]]:
    """What jobs did, in order."""
    return lambda: [item.decode() for item in connection.lrange("done", 0, -1)]  # type: ignore[union-attr]


def test_a_job_in_a_fork_is_handled_and_answers(run, work, queue):
    ran = run(work(lambda: queue.enqueue(charge, 7)))
    assert (ran.turns(), ran.replies()) == (["charge(7)"], ["1"])


@pytest.mark.parametrize(("kind", "counts"), [("duplicate", 1), ("restart", 2)])
def test_which_answer_of_two_deliveries_counts(run, work, queue, done, kind, counts):
    code = work(lambda: queue.enqueue(charge, 7, retry=Retry(max=1)))
    again = run(code, [run(code).fault(kind, "charge(7)")])
    assert (done(), again.value, again.recorder.unapplied) == (["7", "7"], counts, [])


def test_a_job_that_is_lost_is_never_done(run, work, queue, done):
    code = work(lambda: queue.enqueue(charge, 1))
    run(code, [run(code).fault("lose", "charge(1)")])
    assert done() == []


def test_two_jobs_of_one_sender_change_places(run, work, queue, done):
    def send() -> None:
        queue.enqueue(charge, 1)
        queue.enqueue(charge, 2)

    run(work(send), [run(work(send)).fault("reorder", "charge(1)")])
    assert done() == ["2", "1"]


def test_a_job_that_a_job_asks_for_is_caused_by_it(run, work, queue):
    first, second = run(work(lambda: queue.enqueue(place, 4))).sends
    assert second.cause == first.target


def test_a_job_that_a_job_asks_for_can_be_faulted(run, work, queue, done):
    code = work(lambda: queue.enqueue(place, 4))
    run(code, [run(code).fault("duplicate", "charge(4)")])
    assert done() == ["4", "4"]


def test_each_retry_is_a_message_caused_by_the_one_before(run, work, queue):
    first, second, third = run(work(lambda: queue.enqueue(flaky, retry=Retry(max=2)))).sends
    assert [(second.message, second.cause), (third.message, third.cause)] == [
        ("flaky() retry 1", first.target),
        ("flaky() retry 2", second.target),
    ]


def test_a_job_that_another_process_sends_is_handled_here(run, queue, done):
    def send() -> None:
        queue.enqueue(charge, 5, retry=Retry(max=1))

    def code() -> None:
        queue.connection.flushall()
        sender = multiprocessing.get_context("fork").Process(target=send)
        sender.start()
        sender.join()
        SimpleWorker([queue], connection=queue.connection).work(burst=True)

    run(code, [run(code).fault("duplicate", "charge(5)")])
    assert done() == ["5", "5"]


def test_a_job_that_depends_on_others_is_caused_by_who_asked_for_it(run, work, queue):
    def send() -> Any:
        parts = [queue.enqueue(charge, number) for number in (1, 2)]
        return queue.enqueue(charge, 3, depends_on=parts)

    assert [send.cause for send in run(work(send)).sends] == [None, None, None]


def test_a_call_that_a_job_makes_is_caused_by_it(work, queue):
    recorder = Recorder()
    undos = [probe.install(recorder, {}) for probe in (RqProbe(), HttpProbe())]
    work(lambda: queue.enqueue(report, "http://127.0.0.1:9/sales"))()
    for undo in reversed(undos):
        undo()
    job, call = [send for send in recorder.trace().sends if not send.internal]
    assert (call.message, call.cause) == ("GET /sales", job.target)
