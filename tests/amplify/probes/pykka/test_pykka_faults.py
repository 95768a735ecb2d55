"""What each kind of fault does to a real Pykka system, and what it leaves alone."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import ClassVar

import pykka
import pytest

from socrates_amplify.model.events import Injected, Turn


@dataclass(frozen=True)
class Deposit:
    """A message that is promised to arrive."""

    delivery_id: int
    amount: int


class Account(pykka.ThreadingActor):
    """Counts every deposit that it is given; forgets when it is restarted."""

    persistence_id = "account"
    lives: ClassVar[list[str]] = []

    def __init__(self, opening: int = 0) -> None:
        super().__init__()
        self.balance = opening
        self.me = self.actor_ref

    def on_start(self) -> None:
        """Remember that a life began."""
        self.lives.append("start")

    def on_stop(self) -> None:
        """Remember that a life ended."""
        self.lives.append("stop")

    def on_receive(self, message: object) -> object:
        """Deposits, withdrawals and questions."""
        if isinstance(message, Deposit):
            self.balance += message.amount
        if isinstance(message, dict):
            self.balance += message.pop("amount")
        if message == "self":
            return self.me
        return self.balance


class Relay(pykka.ThreadingActor):
    """Passes a message on to another actor."""

    def __init__(self, receiver: pykka.ActorRef) -> None:
        super().__init__()
        self._receiver = receiver

    def on_receive(self, message: object) -> None:
        """Every message goes on."""
        self._receiver.tell(message)


class Notebook(pykka.ThreadingActor):
    """Writes down what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[object] = []

    def on_receive(self, message: object) -> object:
        """Everything but a question is written down."""
        if message == "pages":
            return tuple(self.pages)
        self.pages.append(message)
        return None


def two_deposits() -> None:
    """The system of most tests here."""
    account = Account.start(5)
    account.tell(Deposit(1, 10))
    account.tell(Deposit(2, 20))
    account.ask("balance")


def test_duplicate_delivers_once_more_right_after_the_first(run) -> None:
    first = run(two_deposits).faults("duplicate")[0]
    ran = run(two_deposits, [first])
    copies = [event.copy for event in ran.trace.events if isinstance(event, Turn)]
    assert copies == [0, 1, 0, 0]


def test_duplicate_is_counted_by_a_naive_receiver(run) -> None:
    first = run(two_deposits).faults("duplicate")[0]
    assert run(two_deposits, [first]).replies("Account#1") == ["45"]


def test_the_first_reply_to_a_duplicated_ask_counts(run) -> None:
    answers: list[object] = []

    def body() -> None:
        answers.append(Account.start().ask(Deposit(1, 10)))

    fault = run(body).faults("duplicate")[0]
    run(body, [fault])
    assert answers == [10, 10]


def test_a_handler_that_empties_its_message_gets_a_whole_copy(run) -> None:
    def body() -> None:
        account = Account.start()
        account.tell({"delivery_id": 1, "amount": 10})
        account.ask("balance")

    fault = run(body).faults("duplicate")[0]
    assert run(body, [fault]).replies("Account#1") == ["20"]


def test_restart_takes_the_memory_away(run) -> None:
    first = run(two_deposits).faults("restart")[0]
    assert run(two_deposits, [first]).replies("Account#1") == ["25"]


def test_restart_runs_the_hooks_of_a_life(run) -> None:
    first = run(two_deposits).faults("restart")[0]
    Account.lives.clear()
    run(two_deposits, [first])
    assert Account.lives == ["start", "stop", "start", "stop"]


def test_restart_keeps_the_reference(run) -> None:
    kept: list[bool] = []

    def body() -> None:
        account = Account.start()
        account.tell(Deposit(1, 10))
        kept.append(account.ask("self") is account)

    fault = run(body).faults("restart")[0]
    run(body, [fault])
    assert kept == [True, True]


def test_restart_needs_a_persistent_actor(run) -> None:
    ran = run(lambda: Notebook.start().ask("hello"))
    assert ran.faults("restart") == []


def test_duplicate_and_restart_of_one_message_restart_before_the_copy(run) -> None:
    faults = run(two_deposits).faults("duplicate", "restart")[:2]
    ran = run(two_deposits, faults)
    assert ran.replies("Account#1") == ["35"]


def relayed(alone: bool = False) -> None:
    """Two senders, one inbox; the relay's message is sent after the test's, if it is sent."""
    notebook = Notebook.start()
    relay = Relay.start(notebook)
    notebook.tell({"delivery_id": 1, "from": "test"})
    if not alone:
        relay.ask({"delivery_id": 2, "from": "relay"})
    notebook.ask("pages")


def test_reorder_swaps_messages_of_two_senders(run) -> None:
    control = run(relayed)
    fault = next(fault for fault in control.faults("reorder") if fault.sender == "test")
    ran = run(relayed, [fault], known=control.trace)
    origins = [turn.split("'from': ")[1] for turn in ran.turns("Notebook#1")[:2]]
    assert origins == ["'relay'}", "'test'}"]


def test_delay_lets_another_sender_overtake(run) -> None:
    control = run(relayed)
    fault = next(fault for fault in control.faults("delay") if fault.sender == "test")
    ran = run(relayed, [fault], known=control.trace)
    assert "relay" in ran.turns("Notebook#1")[0]


def several_from_one() -> None:
    """One sender; nothing may change its order."""
    notebook = Notebook.start()
    for number in range(5):
        notebook.tell({"delivery_id": number})
    notebook.ask("pages")


@pytest.mark.parametrize("count", [1, 5])
def test_drop_delivers_later_and_keeps_the_order_of_the_sender(run, count: int) -> None:
    faults = run(several_from_one).faults("drop")[:count]
    ran = run(several_from_one, faults)
    assert ran.turns("Notebook#1") == run(several_from_one).turns("Notebook#1")


def test_a_drop_is_seen_in_the_trace(run) -> None:
    fault = run(several_from_one).faults("drop")[0]
    events = run(several_from_one, [fault]).trace.events
    assert Injected(fault.target, "drop") in events


def test_one_sender_offers_no_reordering(run) -> None:
    assert run(several_from_one).faults("reorder", "delay") == []


def test_a_fault_without_its_message_is_named(run) -> None:
    fault = run(two_deposits).faults("duplicate")[0]
    ran = run(lambda: Account.start().ask("balance"), [fault])
    assert ran.recorder.unapplied == [(fault, "its message never came")]


def test_a_wait_that_nothing_ends_is_given_up_and_named(run) -> None:
    control = run(relayed)
    fault = next(fault for fault in control.faults("delay") if fault.sender == "test")

    ran = run(lambda: relayed(alone=True), [fault], known=control.trace)
    assert [why for _, why in ran.recorder.unapplied] == ["nothing overtook it"]


def test_a_copy_of_a_tell_that_raises_stops_the_actor_as_it_would(run) -> None:
    class Once(pykka.ThreadingActor):
        """Can't stand the same message twice."""

        def __init__(self, done: threading.Event) -> None:
            super().__init__()
            self.seen = False
            self.done = done

        def on_receive(self, message: object) -> None:
            """Fails the second time."""
            if self.seen:
                self.done.set()
                raise RuntimeError("again")
            self.seen = True

    def body() -> None:
        done = threading.Event()
        once = Once.start(done)
        once.tell({"delivery_id": 1})
        done.wait(0.2)
        once.stop()

    ran = run(body, run(body).faults("duplicate"))
    failed = [event.failed for event in ran.trace.events if isinstance(event, Turn)]
    assert failed == ["", "RuntimeError"]
