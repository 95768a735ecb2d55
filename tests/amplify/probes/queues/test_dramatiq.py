"""dramatiq under its probe: what is traced, what faults do, and what stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import dramatiq
import pykka
import pytest
from dramatiq import Worker, group
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import AsyncIO, GroupCallbacks, Middleware
from dramatiq.rate_limits.backends import StubBackend as Limits
from dramatiq.results import Results
from dramatiq.results.backends import StubBackend

from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe

PROBE = DramatiqProbe
Actor = Callable[..., Any]


@pytest.fixture
def broker() -> Iterator[StubBroker]:
    """An in-memory broker with results and group callbacks."""
    stub = StubBroker()
    stub.add_middleware(Results(backend=StubBackend()))
    stub.add_middleware(GroupCallbacks(Limits()))
    before = dramatiq.broker.global_broker
    dramatiq.set_broker(stub)
    yield stub
    stub.close()
    dramatiq.broker.global_broker = before


@pytest.fixture
def done() -> list[object]:
    """What tasks did, in order."""
    return []


@pytest.fixture
def work(broker: StubBroker) -> Callable[..., Callable[[], object]]:
    """Code that sends, and waits until a worker has handled everything."""

    def working(send: Callable[[], Any], threads: int = 2) -> Callable[[], object]:
        def code() -> object:
            worker = Worker(broker, worker_timeout=10, worker_threads=threads)
            worker.start()
            try:
                value = send()
                for queue in broker.get_declared_queues() - broker.get_declared_delay_queues():
                    broker.join(queue, timeout=5_000)
                worker.join()
                return value
            finally:
                worker.stop(timeout=2_000)

        return code

    return working


@pytest.fixture
def charge(broker: StubBroker, done: list[object]) -> Actor:
    """A task that is not safe to repeat."""

    @dramatiq.actor(store_results=True)
    def charge(order: int, amount: int = 1) -> int:
        done.append(order)
        return len(done)

    return charge


def test_a_message_is_named_by_its_call(run, work, charge):
    ran = run(work(lambda: charge.send(7, amount=10)))
    assert ran.messages == [("test", "charge", "charge(7, amount=10)")]


def test_a_queue_of_its_own_is_part_of_the_address(run, work, broker):
    mail = dramatiq.actor(lambda: None, actor_name="mail", queue_name="mails")
    assert run(work(mail.send)).sends[0].receiver == "mails/mail"


def test_what_a_task_sends_is_caused_by_its_message(run, work, charge):
    @dramatiq.actor
    def place(order: int) -> None:
        charge.send(order)

    first, second = run(work(lambda: place.send(1))).sends
    assert (second.sender, second.cause) == ("place", first.target)


def test_fan_outs_of_fan_outs_have_the_same_targets_in_every_run(run, work, charge):
    @dramatiq.actor
    def branch(depth: int) -> None:
        for _ in range(2):
            branch.send(depth - 1) if depth else charge.send(0)

    runs = [run(work(lambda: branch.send(2), threads=4)) for _ in range(3)]
    assert len({frozenset(send.target for send in ran.sends) for ran in runs}) == 1


@pytest.mark.parametrize("kind", ["duplicate", "restart"])
def test_a_second_delivery_does_it_again(run, work, charge, done, kind):
    code = work(lambda: charge.send(7))
    fault = run(code).fault(kind, "charge(7)")
    done.clear()
    run(code, [fault])
    assert done == [7, 7]


@pytest.mark.parametrize(("kind", "counts"), [("duplicate", 1), ("restart", 2)])
def test_which_answer_counts(run, work, charge, done, kind, counts):
    code = work(lambda: charge.send(7).get_result(block=True, timeout=5_000))
    fault = run(code).fault(kind, "charge(7)")
    done.clear()
    assert run(code, [fault]).value == counts


def test_what_is_committed_after_the_task_is_lost_with_the_worker(run, work, broker, done):
    class Committing(Middleware):
        def before_process_message(self, broker: Any, message: Any) -> None:
            done.append("begin")

        def after_process_message(self, broker: Any, message: Any, **ended: Any) -> None:
            done.append("commit")

    broker.add_middleware(Committing())
    book = dramatiq.actor(lambda: done.append("book"), actor_name="book")
    fault = run(work(book.send)).fault("restart", "book()")
    done.clear()
    run(work(book.send), [fault])
    assert done == ["begin", "book", "begin", "book", "commit"]


def test_a_copy_gets_arguments_of_its_own(run, work, broker, done):
    @dramatiq.actor
    def add(items: list[int]) -> None:
        items.append(len(items))
        done.append(items)

    code = work(lambda: add.send([1]))
    fault = run(code).fault("duplicate", "add([1])")
    done.clear()
    run(code, [fault])
    assert done == [[1, 1], [1, 1]]


def test_two_messages_of_one_sender_change_places(run, work, charge, done):
    def send() -> None:
        charge.send(1)
        charge.send(2)

    fault = run(work(send)).fault("reorder", "charge(1)")
    done.clear()
    run(work(send), [fault])
    assert done == [2, 1]


def test_nothing_is_reordered_across_a_wait(run, work, broker, charge):
    def send() -> None:
        charge.send(1)
        broker.join("default")
        charge.send(2)

    assert run(work(send)).faults("reorder") == []


def test_a_fault_that_nothing_overtakes_is_not_applied(run, work, charge):
    orders = [1, 2]

    def send() -> None:
        for order in orders:
            charge.send(order)

    fault = run(work(send)).fault("reorder", "charge(1)")
    orders.pop()
    alone = run(work(send), [fault])
    assert [why for _, why in alone.recorder.unapplied] == ["nothing overtook it"]


def test_retries_are_messages_of_their_own(run, work, broker, done):
    @dramatiq.actor(max_retries=2, min_backoff=1, max_backoff=2)
    def flaky(order: int) -> None:
        done.append(order)
        if len(done) < 3:
            raise ValueError(order)

    ran = run(work(lambda: flaky.send(1)))
    assert [send.message for send in ran.sends] == [
        "flaky(1)",
        "flaky(1) retry 1",
        "flaky(1) retry 2",
    ]


def test_a_delivery_that_fails_anyway_offers_no_fault(run, work, broker, done):
    @dramatiq.actor(max_retries=1, min_backoff=1, max_backoff=2)
    def flaky(order: int) -> None:
        done.append(order)
        if len(done) < 2:
            raise ValueError(order)

    ran = run(work(lambda: flaky.send(1)))
    assert [fault.message for fault in ran.faults("duplicate")] == ["flaky(1) retry 1"]


def test_a_delayed_message_is_one_message(run, work, charge, done):
    ran = run(work(lambda: charge.send_with_options(args=(5,), delay=20)))
    assert (ran.messages, done) == ([("test", "charge", "charge(5)")], [5])


def test_a_pipeline_goes_on_once_though_a_step_comes_twice(run, work, broker, charge, done):
    @dramatiq.actor(store_results=True)
    def double(value: int) -> int:
        return 2 * value

    def send() -> object:
        return (charge.message(7) | double.message()).run().get_result(block=True, timeout=5_000)

    ran = run(work(send))
    done.clear()
    again = run(work(send), [ran.fault("duplicate", "charge(7)")], known=ran.trace)
    assert (again.messages, again.value) == (ran.messages, 2)


def test_a_group_is_done_when_all_its_parts_are(run, work, broker, charge, done):
    finish = dramatiq.actor(lambda: done.append("finished"), actor_name="finish")

    def send() -> None:
        parts = group([charge.message(1), charge.message(2)])
        parts.add_completion_callback(finish.message())
        parts.run()

    ran = run(work(send))
    done.clear()
    run(work(send), ran.faults("duplicate"), known=ran.trace)
    assert done == [1, 1, 2, 2, "finished", "finished"]


def test_the_end_of_a_group_is_caused_by_who_started_it(run, work, broker, charge):
    finish = dramatiq.actor(lambda: None, actor_name="finish")

    def send() -> None:
        parts = group([charge.message(1), charge.message(2)])
        parts.add_completion_callback(finish.message())
        parts.run()

    assert [send.cause for send in run(work(send)).sends] == [None, None, None]


def test_what_an_async_task_sends_is_caused_by_its_message(run, work, broker, charge):
    broker.add_middleware(AsyncIO())

    @dramatiq.actor
    async def place(order: int) -> None:
        charge.send(order)

    first, second = run(work(lambda: place.send(1))).sends
    assert second.cause == first.target


def test_a_pykka_actor_that_sends_is_the_sender(run, work, charge):
    class Shop(pykka.ThreadingActor):
        def buy(self, order: int) -> None:
            charge.send(order)

    def send() -> None:
        shop = Shop.start().proxy()
        shop.buy(3).get()
        shop.stop().get()

    class Both(DramatiqProbe):
        def install(self, recorder, config):
            undos = [PykkaProbe().install(recorder, {}), super().install(recorder, config)]
            return lambda: [undo() for undo in reversed(undos)]

    ran = run(work(send), probe=Both)
    assert ("Shop#1", "charge", "charge(3)") in ran.messages


def test_the_test_looked_at_the_answer_of_the_task(run, work, charge):
    ran = run(work(lambda: charge.send(1).get_result(block=True, timeout=5_000)))
    assert [taken.sent.actor.address for taken in ran.recorder.reply_reads] == ["charge"]


def test_secrets_are_masked_by_name(run, work, broker):
    login = dramatiq.actor(lambda user, password, card: None, actor_name="login")
    ran = run(work(lambda: login.send("ada", "hush", card="41")), config={"mask": ["card"]})
    assert ran.sends[0].message == "login('ada', ***, card=***)"


def test_everything_is_put_back(run, work, charge):
    before = (Worker.join, dramatiq.Broker.emit_before, dramatiq.Actor.__call__)
    run(work(lambda: charge.send(1)))
    assert (Worker.join, dramatiq.Broker.emit_before, dramatiq.Actor.__call__) == before
