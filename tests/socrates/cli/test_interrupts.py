"""SIGINT is heeded while a command runs, and left as it was found."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from socrates.cli import interrupts


@pytest.fixture
def handler() -> Iterator[Callable[..., object]]:
    """What handles SIGINT before, within and after; it can be set, and is put back in the end."""
    before = signal.getsignal(signal.SIGINT)

    def get_or_set(*new: signal.Handlers | Callable[..., object]) -> object:
        if new:
            signal.signal(signal.SIGINT, new[0])
        return signal.getsignal(signal.SIGINT)

    yield get_or_set
    signal.signal(signal.SIGINT, before)


def seen_within(handler: Callable[..., object]) -> object:
    """The handler while a command runs."""
    with interrupts.heeded():
        return handler()


def test_ignored_signal_is_heeded_within_only(handler) -> None:
    handler(signal.SIG_IGN)
    assert (seen_within(handler), handler()) == (signal.default_int_handler, signal.SIG_IGN)


def test_handler_of_the_caller_stays(handler) -> None:
    ours = handler(lambda *_: None)
    assert (seen_within(handler), handler()) == (ours, ours)


def test_thread_changes_nothing(handler) -> None:
    handler(signal.SIG_IGN)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(seen_within, handler).result(60) == signal.SIG_IGN
