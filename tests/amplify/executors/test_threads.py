"""Tickets, quarantine, and the threads that a fork loses or starts again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.fork import lost_threads
from socrates_amplify.executors.fork.quarantine import Quarantine


def test_new_ticket_is_not_cancelled() -> None:
    ticket = Ticket()
    ticket.check()
    assert ticket.cancelled is False


def test_cancelled_ticket_says_so() -> None:
    ticket = Ticket()
    ticket.cancel()
    with pytest.raises(Cancelled):
        ticket.check()


def test_what_runs_is_ended_once_for_each_cancel() -> None:
    ticket, ended = Ticket(), []
    with ticket.ended_by(lambda: ended.append(ticket.cancelled)):
        before = list(ended)
        ticket.cancel()
    assert (before, ended) == ([], [True])


def test_what_starts_too_late_is_ended_at_once() -> None:
    ticket, ended = Ticket(), []
    ticket.cancel()
    with ticket.ended_by(lambda: ended.append(1)):
        assert ended == [1]


def test_what_is_over_is_not_ended() -> None:
    ticket, ended = Ticket(), []
    with ticket.ended_by(lambda: ended.append(1)):
        pass
    ticket.cancel()
    assert ended == []


def test_what_has_failed_is_not_ended() -> None:
    ticket, ended = Ticket(), []
    with pytest.raises(KeyError), ticket.ended_by(lambda: ended.append(1)):
        raise KeyError
    ticket.cancel()
    assert ended == []


def test_any_number_may_be_inside_together() -> None:
    quarantine = Quarantine()
    with quarantine.together(), quarantine.together():
        inside = quarantine._inside
    assert (inside, quarantine._inside) == (2, 0)


def test_who_is_alone_keeps_others_out_until_it_leaves() -> None:
    quarantine = Quarantine()
    with quarantine.alone():
        during = (quarantine._suspects, quarantine._alone)
    assert (during, quarantine._suspects, quarantine._alone) == ((1, True), 0, False)


@pytest.mark.parametrize("way", ["together", "alone"])
def test_room_is_free_again_after_a_failure(way: str) -> None:
    quarantine = Quarantine()
    with pytest.raises(KeyError), getattr(quarantine, way)():
        raise KeyError
    with quarantine.alone():
        assert quarantine._inside == 0


class Quick(threading.Thread):
    """A thread that keeps its state in itself, and ends at once."""

    def __init__(self) -> None:
        super().__init__(name="quick")
        self.lock = threading.RLock()
        self.value = 7
        self.ran: list[int] = []

    def run(self) -> None:
        with self.lock:
            self.ran.append(self.value)


Started = Callable[..., threading.Thread]


@pytest.fixture
def started() -> Iterator[Started]:
    """Starts threads that wait until the test is over."""
    over = threading.Event()
    threads: list[threading.Thread] = []

    def start(module: str | None, name: str) -> threading.Thread:
        def target() -> None:
            over.wait(60)

        target.__module__ = module  # type: ignore[assignment]
        threads.append(threading.Thread(target=target, name=name))
        threads[-1].start()
        return threads[-1]

    yield start
    over.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("shop.workers", True),
        (None, True),
        ("pytest_retry.server", False),
        ("pytest_rerunfailures", False),
        ("pytest_rerunfailures_too", True),
    ],
)
def test_thread_that_a_fork_would_miss(module: str, expected: bool, started: Started) -> None:
    started(module, "mine")
    assert ("mine" in lost_threads.lost_threads()) is expected


def test_this_thread_is_not_lost() -> None:
    assert threading.main_thread().name not in lost_threads.lost_threads()


def test_thread_that_begins_again_is_not_lost(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = started("shop", "mine")
    monkeypatch.setattr(lost_threads, "_REVIVED", ("threading.Thread",))
    assert ("mine" in lost_threads.lost_threads(), thread in lost_threads.threads_to_revive()) == (
        False,
        True,
    )


def test_other_threads_do_not_begin_again(started: Started) -> None:
    assert started("shop", "mine") not in lost_threads.threads_to_revive()


@pytest.fixture
def revived() -> Any:
    """A thread that has ended with a lock that somebody holds, and was started again."""
    thread = Quick()
    held = thread.lock
    holder = threading.Thread(target=held.acquire)
    holder.start()
    holder.join()
    lost_threads.revive([thread])
    thread.join(60)
    return thread


def test_revived_thread_runs_with_locks_that_nobody_holds(revived: Quick) -> None:
    assert revived.ran == [7]


def test_revived_thread_keeps_its_name_and_ends_with_the_process(revived: Quick) -> None:
    assert (revived.name, revived.daemon) == ("quick", True)
