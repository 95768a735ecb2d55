"""Celery under its probe: workers on the in-memory broker, eager tasks, canvas, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import Celery, Task, chain, chord, group
from celery.contrib.testing.worker import start_worker
from celery.exceptions import Retry

from socrates_amplify.probes.queues.celery import CeleryProbe

PROBE = CeleryProbe
Code = Callable[[], object]


class Shop(Celery):
    """An app whose tasks are its own: other tests have apps too."""

    def task(self, *args: Any, **options: Any) -> Any:
        return super().task(*args, **{"shared": False, **options})


@pytest.fixture
def done() -> list[object]:
    """What tasks did, in order."""
    return []


@pytest.fixture
def app() -> Iterator[Celery]:
    """An app of its own, on the in-memory broker."""
    fresh = Shop("shop", broker="memory://", backend="cache+memory://", set_as_current=False)
    fresh.conf.broker_transport_options = {"polling_interval": 0.01}
    fresh.conf.worker_hijack_root_logger = False
    yield fresh
    fresh.close()


@pytest.fixture
def charge(app: Celery, done: list[object]) -> Task:
    """A task that is acknowledged late and is not safe to repeat."""

    @app.task(name="shop.charge", acks_late=True)
    def charge(order: int, amount: int = 1) -> int:
        done.append(order)
        return len(done)

    return charge


@pytest.fixture
def work(app: Celery) -> Callable[[Code], Code]:
    """Code that runs beside a worker in a thread."""

    def working(send: Code) -> Code:
        def code() -> object:
            with start_worker(app, perform_ping_check=False, loglevel="ERROR"):
                return send()

        return code

    return working


@pytest.fixture
def eager(app: Celery) -> Celery:
    """The app, with tasks that are run where they are called."""
    app.conf.task_always_eager = True
    return app


def nothing() -> None:
    """A task without effect."""


def add_up(amounts: list[int]) -> int:
    """The end of a chord."""
    return sum(amounts)


def get(result: Any) -> Any:
    """What a task answered."""
    return result.get(timeout=5, interval=0.01)


def test_a_message_is_named_by_its_call(run, eager, charge):
    ran = run(lambda: charge.delay(7, amount=10))
    assert ran.messages == [("test", "shop.charge", "charge(7, amount=10)")]


@pytest.mark.parametrize(
    ("options", "offers"),
    [
        ({"acks_late": True}, ["duplicate"]),
        ({"autoretry_for": (ValueError,)}, ["duplicate", "lose"]),
        ({}, ["duplicate", "lose"]),
    ],
    ids=["late", "autoretry", "early"],
)
def test_what_an_eager_task_offers(run, eager, options, offers):
    task = eager.task(nothing, name="shop.task", **options)
    assert run(task.delay).kinds_offered == offers


@pytest.mark.parametrize(
    ("options", "offers"),
    [
        ({"acks_late": True}, ["duplicate", "restart", "delay", "reorder"]),
        ({"autoretry_for": (ValueError,)}, ["duplicate", "lose", "delay", "reorder"]),
        ({}, ["duplicate", "lose", "delay", "reorder"]),
        ({"Strategy": "shop.batches:strategy"}, ["unseen"]),
    ],
    ids=["late", "autoretry", "early", "own strategy"],
)
def test_what_a_task_in_a_queue_offers(run, app, options, offers):
    task = app.task(nothing, name="shop.task", **options)
    assert run(task.delay).kinds_offered == offers


@pytest.mark.parametrize(
    "settings",
    [{"task_publish_retry": False}, {"task_publish_retry_policy": {"max_retries": 0}}],
    ids=["off", "no retries"],
)
def test_what_is_published_once_comes_once(run, app, settings):
    app.conf.update(settings)
    task = app.task(nothing, name="shop.task")
    assert run(task.delay).kinds_offered == ["lose", "delay", "reorder"]


def test_a_call_that_is_published_once_comes_once(run, app):
    task = app.task(nothing, name="shop.task")
    assert "duplicate" not in run(lambda: task.apply_async(retry=False)).kinds_offered


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "Celery publishes it again after a lost connection (task_publish_retry)"),
        ({"acks_late": True}, ""),
    ],
    ids=["early", "late"],
)
def test_why_a_task_may_come_twice_is_told(run, app, options, reason):
    task = app.task(nothing, name="shop.task", **options)
    assert [send.because for send in run(task.delay).trace.sends] == [reason]


def test_the_setting_for_all_tasks_counts(run, eager):
    eager.conf.task_acks_late = True
    task = eager.task(nothing, name="shop.task")
    assert run(task.delay).sends[0].at_least_once


def test_a_task_can_be_promised_in_the_settings(run, eager):
    def pay() -> None: ...

    task = eager.task(pay, name="shop.pay")
    ran = run(task.delay, config={"at-least-once": ["*pay"]})
    assert ran.sends[0].at_least_once


def test_the_duplicate_of_an_eager_task_is_the_call_itself(run, eager, charge, done):
    def code() -> object:
        return charge.delay(7).get()

    fault = run(code).fault("duplicate", "charge(7)")
    done.clear()
    again = run(code, [fault])
    assert (done, again.value) == ([7, 7], 1)


def test_eager_tasks_in_tasks_are_caused_by_them(run, eager, charge):
    @eager.task(name="shop.place")
    def place(order: int) -> None:
        charge.delay(order)

    first, second = run(lambda: place.delay(1)).sends
    assert (second.sender, second.cause) == ("shop.place", first.target)


def test_an_eager_chain_is_traced_step_by_step(run, eager, charge):
    ran = run(lambda: chain(charge.s(5), charge.s())().get())
    assert [message for _, _, message in ran.messages] == ["charge(5)", "charge(1)"]


@pytest.fixture
def patient(eager: Celery, charge: Task, done: list[object]) -> Task:
    """An eager task that fails, and is retried, once an order was charged twice."""
    eager.conf.task_eager_propagates = True

    @eager.task(name="shop.patient", autoretry_for=(ValueError,), default_retry_delay=0)
    def patient() -> int:
        charge.delay(7)
        if len(done) == 2:
            raise ValueError
        return len(done)

    return patient


def test_an_eager_task_that_a_fault_makes_retry_is_retried(run, patient, done):
    fault = run(patient.delay).fault("duplicate", "charge(7)")
    done.clear()
    assert run(patient.delay, [fault]).value.get() == 3


def test_an_eager_task_that_retries_without_faults_is_left_to_its_test(run, patient, charge, done):
    done.append(0)

    def code() -> object:
        with pytest.raises(Retry):
            patient.delay()
        return charge.delay(8)

    fault = run(code).fault("duplicate", "charge(8)")
    done[1:] = []
    assert run(code, [fault]).recorder.unapplied == []


@pytest.mark.parametrize(("kind", "counts"), [("duplicate", 1), ("restart", 2)])
def test_which_answer_of_two_deliveries_counts(run, work, charge, done, kind, counts):
    code = work(lambda: get(charge.delay(7)))
    fault = run(code).fault(kind, "charge(7)")
    done.clear()
    again = run(code, [fault])
    assert (done, again.value) == ([7, 7], counts)


def test_the_second_worker_knows_that_the_message_came_again(run, work, app, done):
    @app.task(name="shop.look", bind=True, acks_late=True)
    def look(task: Task) -> None:
        done.append(bool(task.request.delivery_info.get("redelivered")))

    code = work(lambda: get(look.delay()))
    fault = run(code).fault("restart", "look()")
    done.clear()
    run(code, [fault])
    assert done == [False, True]


def test_two_messages_of_one_sender_change_places(run, work, charge, done):
    def send() -> list[object]:
        return [get(result) for result in [charge.delay(1), charge.delay(2)]]

    fault = run(work(send)).fault("reorder", "charge(1)")
    done.clear()
    run(work(send), [fault])
    assert done == [2, 1]


def test_a_message_that_is_lost_is_never_done(run, work, app, done):
    @app.task(name="shop.remind")
    def remind(customer: str) -> None:
        done.append(customer)

    @app.task(name="shop.ask")
    def ask() -> int:
        return len(done)

    def send() -> int:
        remind.delay("Ada")
        return get(ask.delay())

    fault = run(work(send)).fault("lose", "remind('Ada')")
    done.clear()
    assert run(work(send), [fault]).value == 0


def test_a_chord_goes_on_once_though_a_part_comes_twice(run, work, app, charge, done):
    total = app.task(add_up, name="shop.total", acks_late=True)

    def send() -> object:
        return get(chord([charge.s(1), charge.s(2)], total.s())())

    ran = run(work(send))
    done.clear()
    again = run(work(send), [ran.fault("duplicate", "charge(1)")], known=ran.trace)
    assert ([send.target for send in again.sends], done) == (
        [send.target for send in ran.sends],
        [1, 1, 2],
    )


def test_a_chain_in_a_worker_is_caused_step_by_step(run, work, charge):
    first, second = run(work(lambda: get(chain(charge.s(5), charge.s())()))).sends
    assert second.cause == first.target


def test_a_group_is_looked_at_as_a_whole(run, work, charge):
    ran = run(work(lambda: get(group(charge.s(1), charge.s(2))())))
    assert [taken.sent.actor.address for taken in ran.recorder.reply_reads[-2:]] == [
        "shop.charge",
        "shop.charge",
    ]


def test_a_task_that_retries_is_sent_again_by_itself(run, work, app, done):
    @app.task(name="shop.flaky", autoretry_for=(ValueError,), default_retry_delay=0)
    def flaky() -> int:
        done.append(1)
        if len(done) < 2:
            raise ValueError
        return len(done)

    first, second = run(work(lambda: get(flaky.delay()))).sends
    assert (second.message, second.cause) == ("flaky() retry 1", first.target)


def test_a_countdown_is_one_message(run, work, charge):
    ran = run(work(lambda: get(charge.apply_async((5,), countdown=0.05))))
    assert ran.messages == [("test", "shop.charge", "charge(5)")]


def test_what_a_session_commits_after_the_task_is_lost_with_the_worker(run, work, app, done):
    class Committing(Task):
        def after_return(self, *args: Any) -> None:
            done.append("commit")

    @app.task(name="shop.book", base=Committing, acks_late=True)
    def book() -> None:
        done.append("book")

    fault = run(work(lambda: get(book.delay()))).fault("restart", "book()")
    done.clear()
    run(work(lambda: get(book.delay())), [fault])
    assert done == ["book", "book", "commit"]
