"""Tasks of queues under control: which orders are offered, and what happens when one is forced."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import dramatiq
import kombu.transport.memory  # noqa: F401  before a run under control, whose clocks it would keep
import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from dramatiq import Worker
from dramatiq.brokers.stub import StubBroker

from socrates_amplify.exploration.orders.swaps import asked_only_here
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import by_chance
from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.space import task_faults

LATE = "cancel('A') after ship of pay"
"""What no other kind asks for: two tasks of different senders."""


class Shop:
    """An order is paid, shipped by a task of that task, and cancelled by the test meanwhile."""

    def __init__(self, broker: StubBroker) -> None:
        self._cancelled = threading.Event()
        self.done: list[str] = []
        self._broker = broker
        self._tasks: dict[str, dramatiq.Actor[..., None]] = {}
        for task in (self.pay, self.ship, self.cancel):
            self._tasks[task.__name__] = dramatiq.actor(
                task, actor_name=task.__name__, broker=broker
            )

    def pay(self, order: str) -> None:
        self._tasks["ship"].send(order)
        self.done.append("pay")

    def ship(self, order: str) -> None:
        self.done.append("ship")

    def cancel(self, order: str) -> None:
        self.done.append("cancel")
        self._cancelled.set()

    def sell(self, over: Callable[[], None], threads: int = 2, wait: bool = True) -> None:
        """What the test does, and its fixture after it is ``over``."""
        self.done.clear()
        self._cancelled.clear()
        worker = Worker(self._broker, worker_timeout=1000, worker_threads=threads)
        worker.start()
        self._tasks["pay"].send("A")
        self._tasks["cancel"].send("A")
        if wait:
            self._broker.join("default")
            worker.join()
        else:
            self._cancelled.wait(60)
        over()
        worker.stop()


@pytest.fixture
def shop() -> Iterator[Shop]:
    broker = StubBroker()
    yield Shop(broker)
    broker.close()


def test_tasks_run_in_the_order_in_which_they_were_sent(shop, ordered) -> None:
    ordered(shop.sell, DramatiqProbe)
    assert shop.done == ["pay", "cancel", "ship"]


def test_tasks_of_different_senders_may_change_places(shop, ordered) -> None:
    assert LATE in ordered(shop.sell, DramatiqProbe).orders()


def test_what_a_task_sends_comes_after_it(shop, ordered) -> None:
    offered = ordered(shop.sell, DramatiqProbe).orders()
    assert "pay('A') after ship of pay" not in offered


def test_what_reorder_asks_for_is_not_asked_twice(shop, ordered) -> None:
    ran = ordered(shop.sell, DramatiqProbe)
    faults = [*ran.orders().values(), *task_faults(ran.trace, ["reorder"])]
    assert [
        fault.message for fault in faults if fault not in asked_only_here(faults, ran.trace)
    ] == ["pay('A') after cancel of test"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_held_task_runs_after_the_other_one(shop, ordered, threads) -> None:
    late = ordered(shop.sell, DramatiqProbe).orders()[LATE]
    ran = ordered(lambda over: shop.sell(over, threads), DramatiqProbe, late)
    assert (shop.done, ran.missed) == (["pay", "ship", "cancel"], [])


def test_a_task_that_the_test_does_not_wait_for_is_not_offered(shop, ordered) -> None:
    assert LATE not in ordered(lambda over: shop.sell(over, wait=False), DramatiqProbe).orders()


def test_an_order_that_the_test_does_not_wait_for_proves_nothing(shop, ordered) -> None:
    late = ordered(shop.sell, DramatiqProbe).orders()[LATE]
    ran = ordered(lambda over: shop.sell(over, wait=False), DramatiqProbe, late)
    assert ran.recorder.void == "the test did not wait for it"


def test_chance_proves_nothing_of_tasks_that_the_test_does_not_wait_for(shop, ordered) -> None:
    chance = Fault("order", "order", detail=by_chance(0, 3, 3))
    ran = ordered(lambda over: shop.sell(over, wait=False), DramatiqProbe, chance)
    assert ran.recorder.void == "the test did not wait for it"


def test_a_task_that_waits_for_what_does_not_come_goes_when_nothing_else_can(shop, ordered) -> None:
    late = ordered(shop.sell, DramatiqProbe).orders()[LATE]
    vain = replace(late, detail=late.detail.replace("ship", "shop"))
    ran = ordered(shop.sell, DramatiqProbe, vain)
    assert (shop.done, len(ran.missed)) == (["pay", "ship", "cancel"], 1)


def test_a_held_task_waits_for_one_that_was_sent_with_a_delay(ordered) -> None:
    broker, done = StubBroker(), []
    note = dramatiq.actor(done.append, actor_name="note", broker=broker)

    def send() -> None:
        done.clear()
        note.send("now")
        note.send_with_options(args=("later",), delay=1000)

    sale = awaited(broker, send)
    late = ordered(sale, DramatiqProbe).orders()["note('now') after note no. 2 of test"]
    ran = ordered(sale, DramatiqProbe, late)
    broker.close()
    assert (done, ran.missed) == (["later", "now"], [])


def test_a_held_task_waits_for_what_others_like_it_send(ordered) -> None:
    broker, done = StubBroker(), []
    index = dramatiq.actor(done.append, actor_name="index", broker=broker)
    save = dramatiq.actor(lambda book: index.send(book), actor_name="save", broker=broker)

    def send() -> None:
        done.clear()
        save.send("A")
        save.send("B")

    sale = awaited(broker, send)
    late = ordered(sale, DramatiqProbe).orders()["save('A') after index of save"]
    ran = ordered(sale, DramatiqProbe, late)
    broker.close()
    assert (done, ran.missed) == (["B", "A"], [])


def awaited(broker: StubBroker, send: Callable[[], None]) -> Callable[[Callable[[], None]], None]:
    """A test that sends, waits for all tasks and is over."""

    def run(over: Callable[[], None]) -> None:
        worker = Worker(broker, worker_timeout=100)
        worker.start()
        send()
        broker.join("default")
        worker.join()
        over()
        worker.stop()

    return run


def test_a_delayed_task_runs_after_one_that_came_later(shop, ordered) -> None:
    late = ordered(shop.sell, DramatiqProbe).orders()["pay('A') after cancel of test"]
    delayed = replace(late, kind="delay", detail="")
    ran = ordered(lambda over: shop.sell(over, 1), DramatiqProbe, delayed)
    assert (shop.done, ran.missed) == (["cancel", "pay", "ship"], [])


def test_a_reordered_task_runs_after_the_next_one(shop, ordered) -> None:
    before = ordered(shop.sell, DramatiqProbe)
    targets = {send.message: send.target for send in before.trace.sends}
    late = before.orders()["pay('A') after cancel of test"]
    swapped = replace(late, kind="reorder", detail=targets["cancel('A')"])
    ran = ordered(lambda over: shop.sell(over, 1), DramatiqProbe, swapped)
    assert (shop.done, ran.missed) == (["cancel", "pay", "ship"], [])


def test_chance_lets_tasks_change_places(shop, ordered) -> None:
    orders = set()
    for seed in range(6):
        chance = Fault("order", "order", detail=by_chance(seed, 3, 3))
        ordered(shop.sell, DramatiqProbe, chance)
        orders.add(tuple(shop.done))
    assert orders == {
        ("pay", "cancel", "ship"),
        ("pay", "ship", "cancel"),
        ("cancel", "pay", "ship"),
    }


@pytest.fixture
def celery_sale() -> Callable[[Callable[[], None]], list[str]]:
    """The same with a worker of Celery; what its tasks did, in order."""
    app = Celery("shop", broker="memory://", backend="cache+memory://", set_as_current=False)
    done: list[str] = []
    tasks = {}

    def pay(order: str) -> None:
        tasks["ship"].delay(order)
        done.append("pay")

    def ship(order: str) -> None:
        done.append("ship")

    def cancel(order: str) -> None:
        done.append("cancel")

    for task in (pay, ship, cancel):
        tasks[task.__name__] = app.task(task, name=task.__name__)

    def sell(over: Callable[[], None]) -> list[str]:
        done.clear()
        with start_worker(app, perform_ping_check=False):
            sent = [tasks["pay"].delay("A"), tasks["cancel"].delay("A")]
            for result in sent:
                result.get(timeout=10)
            time.sleep(10)
            over()
        return done

    return sell


def test_tasks_of_celery_change_places(celery_sale, ordered) -> None:
    late = ordered(celery_sale, CeleryProbe).orders()[LATE]
    done: list[str] = []
    ran = ordered(lambda over: done.extend(celery_sale(over)), CeleryProbe, late)
    assert (done, ran.missed) == (["pay", "ship", "cancel"], [])
