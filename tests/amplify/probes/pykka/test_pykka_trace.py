"""What the Pykka probe sees: every way to send, who sent it and why, and who was made by whom."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pykka
import pytest

from socrates_amplify.model.events import TEST, Create, Turn
from socrates_amplify.probes.pykka.messages import Describer


@dataclass(frozen=True)
class Deposit:
    """A message that is promised to arrive."""

    delivery_id: int
    amount: int


class Account(pykka.ThreadingActor):
    """Counts deposits and passes them on."""

    def __init__(self, partner: pykka.ActorRef | None = None) -> None:
        super().__init__()
        self.balance = 0
        self._partner = partner

    def on_receive(self, message: object) -> object:
        """Deposits and questions."""
        if isinstance(message, Deposit):
            self.balance += message.amount
            if self._partner:
                self._partner.tell(message)
        if message == "fail":
            raise LookupError("no such account")
        return self.balance

    def deposit(self, amount: int) -> int:
        """The same through a proxy."""
        self.balance += amount
        return self.balance


class Branch(pykka.ThreadingActor):
    """Opens an account when it starts and another when asked."""

    persistence_id = "branch"

    def on_start(self) -> None:
        """A branch has a first account."""
        self.first = Account.start()

    def on_receive(self, message: object) -> object:
        """Any message opens an account."""
        return Account.start()


def test_a_tell_from_the_test_comes_from_the_test(run) -> None:
    ran = run(lambda: Account.start().tell(Deposit(1, 10)))
    send = ran.messages[0]
    assert (send.sender, send.receiver, send.cause) == (TEST, "Account#1", None)


def test_a_nested_send_names_the_message_that_caused_it(run) -> None:
    def body() -> None:
        first = Account.start(Account.start())
        first.tell(Deposit(1, 10))
        first.stop()

    first, second = run(body).messages
    assert (second.sender, second.receiver, second.cause) == (
        "Account#2",
        "Account#1",
        first.target,
    )


def test_an_ask_has_a_reply(run) -> None:
    def body() -> None:
        account = Account.start()
        account.tell(Deposit(1, 10))
        account.ask("balance")

    assert run(body).replies("Account#1") == ["10"]


@pytest.mark.parametrize(
    ("call", "message", "wants_reply"),
    [
        (lambda proxy: proxy.deposit(5).get(), "deposit(5)", True),
        (lambda proxy: proxy.deposit.defer(amount=5), "deposit(amount=5)", False),
        (lambda proxy: setattr(proxy, "balance", 3), ".balance = 3", True),
    ],
    ids=["call", "defer", "assignment"],
)
def test_proxies_are_traced(run, call, message: str, wants_reply: bool) -> None:
    send = run(lambda: call(Account.start().proxy())).messages[0]
    assert (send.message, send.wants_reply) == (message, wants_reply)


def test_reads_of_attributes_are_internal(run) -> None:
    ran = run(lambda: Account.start().proxy().balance.get())
    assert [send.message for send in ran.trace.sends if send.internal] == [".balance", "stop"]


def test_internal_messages_are_no_targets(run) -> None:
    ran = run(lambda: Account.start().proxy().balance.get(), patterns={"persistent": ["*:Account"]})
    assert ran.faults("restart", "duplicate", "delay", "reorder", "drop") == []


def test_creation_tells_parent_type_and_persistence(run) -> None:
    ran = run(lambda: Branch.start().ask("open"))
    creations = [event for event in ran.trace.events if isinstance(event, Create)]
    assert [(event.parent, event.child, event.persistent) for event in creations] == [
        (TEST, "Branch#1", True),
        ("Branch#1", "Branch#1/Account#1", False),
        ("Branch#1", "Branch#1/Account#2", False),
    ]


def test_a_failing_turn_says_what_was_raised(run) -> None:
    def body() -> None:
        with pytest.raises(LookupError):
            Account.start().ask("fail")

    failed = [event.failed for event in run(body).trace.events if isinstance(event, Turn)]
    assert failed == ["LookupError"]


def test_futures_that_are_joined_and_mapped_work_as_before(run) -> None:
    results = []

    def body() -> None:
        one, two = Account.start().proxy(), Account.start().proxy()
        joined = one.deposit(1).join(two.deposit(2)).map(sum)
        results.append(joined.get(timeout=5))

    run(body)
    assert results == [3]


def test_the_handler_is_where_the_message_is_received(run) -> None:
    send = run(lambda: Account.start().tell(Deposit(1, 10))).messages[0]
    line = Account.on_receive.__code__.co_firstlineno
    assert send.handler == f"{__file__}:{line}"


@pytest.mark.parametrize(
    ("patterns", "message", "expected"),
    [
        ({}, Deposit(1, 2), True),
        ({}, {"delivery_id": 1}, True),
        ({}, "plain", False),
        ({"at-least-once": ["*:str"]}, "plain", True),
        ({"at-least-once": ["other:str"]}, "plain", False),
    ],
    ids=["attribute", "key", "no promise", "pattern", "other module"],
)
def test_promised_messages_are_found_or_told(run, patterns, message, expected: bool) -> None:
    send = run(lambda: Account.start().tell(message), patterns=patterns).messages[0]
    assert send.at_least_once is expected


def test_a_method_can_be_promised(run) -> None:
    patterns = {"at-least-once": ["*:Account.deposit"]}
    ran = run(lambda: Account.start().proxy().deposit(1).get(), patterns=patterns)
    assert [fault.message for fault in ran.faults("duplicate")] == ["deposit(1)"]


def test_nothing_stays_patched(run) -> None:
    before = (pykka.ActorRef.tell, pykka.ActorRef.ask, pykka.Actor._handle_receive)
    run(lambda: Account.start().ask("balance"))
    assert (pykka.ActorRef.tell, pykka.ActorRef.ask, pykka.Actor._handle_receive) == before


class Clerk(pykka.ThreadingActor):
    """Has its sending done elsewhere, and waits for it."""

    def __init__(self, elsewhere: Callable[[Callable[[], None]], None], to: pykka.ActorRef) -> None:
        super().__init__()
        self._elsewhere = elsewhere
        self._to = to

    def on_receive(self, message: object) -> None:
        """Passes everything on."""
        self._elsewhere(lambda: self._to.tell(message))


def by_thread(work: Callable[[], None]) -> None:
    """A thread for each piece of work."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def by_timer(work: Callable[[], None]) -> None:
    """A timer that goes off at once."""
    timer = threading.Timer(0, work)
    timer.start()
    timer.join()


@pytest.mark.parametrize("elsewhere", [by_thread, by_timer])
def test_what_a_thread_of_a_turn_sends_comes_from_the_actor(run, elsewhere) -> None:
    ran = run(lambda: Clerk.start(elsewhere, Account.start()).ask(Deposit(1, 10)))
    asked, passed_on = ran.messages
    assert (passed_on.sender, passed_on.cause) == ("Clerk#1", asked.target)


def test_a_pool_thread_sends_for_whoever_gave_it_the_work(run) -> None:
    with ThreadPoolExecutor(1) as pool:

        def by_pool(work: Callable[[], None]) -> None:
            pool.submit(work).result()

        def code() -> None:
            account = Account.start()
            for number in (1, 2):
                Clerk.start(by_pool, account).ask(Deposit(number, 10))
            by_pool(lambda: account.tell(Deposit(3, 10)))

        senders = [send.sender for send in run(code).messages if send.receiver == "Account#1"]
    assert senders == ["Clerk#1", "Clerk#2", TEST]


def test_a_stop_through_a_proxy_is_the_frameworks_own(run) -> None:
    ran = run(lambda: Account.start().proxy().stop().get(), patterns={"at-least-once": ["*"]})
    assert ran.faults("duplicate", "drop") == []


@pytest.mark.parametrize(
    ("package", "expected"),
    [("bank", "bank/accounts.py:1"), ("mopidy", "/venv/site-packages/mopidy/accounts.py:1")],
)
def test_the_handler_of_an_installed_copy_is_placed_as_in_the_project(
    package: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "__init__.py").touch()
    names: dict[str, Any] = {}
    source = "def on_receive(self, message): pass\n"
    exec(compile(source, f"/venv/site-packages/{package}/accounts.py", "exec"), names)
    kind = type("Account", (pykka.ThreadingActor,), {"on_receive": names["on_receive"]})
    reader = Describer((), (), str(tmp_path), lambda value: None)
    assert reader._find_handler(kind, "on_receive") == expected


class Peeker(pykka.ThreadingActor):
    """Looks at what waits in its inbox while it handles its first message."""

    def __init__(self, go_on: threading.Event) -> None:
        super().__init__()
        self.go_on = go_on
        self.waiting: list[object] = []

    def on_receive(self, message: object) -> object:
        """Look, the first time."""
        if message == "look":
            self.go_on.wait(5)
            self.waiting = [letter.message for letter in list(self.actor_inbox.queue)]
        return self.waiting


def test_an_actor_that_looks_into_its_inbox_sees_what_was_sent(run) -> None:
    found = []

    def code() -> None:
        go_on = threading.Event()
        peeker = Peeker.start(go_on)
        for message in ("look", Deposit(1, 5), "b"):
            peeker.tell(message)
        go_on.set()
        found.append(peeker.ask("what", timeout=5))

    ran = run(code)
    assert found[0][:2] == [Deposit(1, 5), "b"]
    assert [send.message for send in ran.messages][1:3] == [
        "Deposit(delivery_id=1, amount=5)",
        "'b'",
    ]
