"""The log of one run: what is told of messages, turns, replies and faults, with and without a scenario."""

from __future__ import annotations

import sys

import pytest

from socrates_amplify.model.events import Create, Event, Injected, Offer, Reply, Send, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.record.messages import (
    Actor,
    Context,
    Described,
    Message,
    Phase,
    ReplyRead,
    address_of,
    cause_of,
    stamp_of,
)
from socrates_amplify.record.recorder import Recorder


class Shop:
    pass


def describe(sent: Message, content: object) -> Described:
    return Described("app:Go", content)


def actor(recorder: Recorder, context: Context = None) -> Actor:
    made = Actor(Shop, context, False, describe)
    recorder.created(made)
    return made


def message(
    recorder: Recorder, to: Actor, payload: object = "go", context: Context = None
) -> Message:
    sent = Message(payload, to, context, describe.__code__, 0, False)
    recorder.sent(sent)
    return sent


def sends(recorder: Recorder) -> list[Send]:
    return list(recorder.trace().sends)


def events(recorder: Recorder, kind: type[Event]) -> list[Event]:
    return [event for event in recorder.trace().events if isinstance(event, kind)]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def test_actor_is_told_with_its_parent(recorder: Recorder) -> None:
    outer = actor(recorder)
    actor(recorder, outer)
    told = [(one.parent, one.child) for one in events(recorder, Create) if isinstance(one, Create)]
    assert told == [("test", "Shop#1"), ("Shop#1", "Shop#1/Shop#1")]


def test_message_is_told_with_its_ends(recorder: Recorder) -> None:
    message(recorder, actor(recorder))
    [send] = sends(recorder)
    assert (send.sender, send.receiver, send.cause, send.type) == ("test", "Shop#1", None, "app:Go")


def test_message_of_a_turn_has_its_cause(recorder: Recorder) -> None:
    shop = actor(recorder)
    first = message(recorder, shop)
    message(recorder, shop, context=first)
    one, other = sends(recorder)
    assert (other.cause, other.sender) == (one.target, "Shop#1")


@pytest.mark.parametrize("payload", [["go"], "go"], ids=["may change", "can't change"])
def test_message_says_what_it_said_when_it_was_sent(payload: object, recorder: Recorder) -> None:
    shop = actor(recorder)
    message(recorder, shop, payload)
    before = sends(recorder)
    if isinstance(payload, list):
        payload.append("changed")
    assert sends(recorder) == before


def test_second_time_of_a_message_is_its_turn(recorder: Recorder) -> None:
    sent = message(recorder, actor(recorder))
    recorder.turn(sent)
    recorder.redelivered(sent, 1)
    assert events(recorder, Turn) == [Turn("Shop#1", sent.target), Turn("Shop#1", sent.target, 1)]


@pytest.mark.parametrize("error", [ValueError("no"), "ValueError"])
def test_turn_that_failed(error: BaseException | str, recorder: Recorder) -> None:
    sent = message(recorder, actor(recorder))
    recorder.turn(sent)
    recorder.redelivered(sent, 1)
    recorder.failed(sent, 1, error)
    told = [one.failed for one in events(recorder, Turn) if isinstance(one, Turn)]
    assert told == ["", "ValueError"]


def test_turn_with_its_handler_and_elsewhere(recorder: Recorder) -> None:
    shop = actor(recorder)
    here, there = message(recorder, shop), message(recorder, shop)
    for sent in (here, there):
        recorder.turn(sent)
    recorder.handled_by(here, "shop.py:3")
    recorder.handled_elsewhere(there)
    told = [(one.handler, one.apart) for one in events(recorder, Turn) if isinstance(one, Turn)]
    assert told == [("shop.py:3", False), ("", True)]


def test_reply_is_told(recorder: Recorder) -> None:
    sent = message(recorder, actor(recorder))
    recorder.turn(sent)
    recorder.replied(sent, 7)
    [reply] = events(recorder, Reply)
    assert isinstance(reply, Reply)
    assert (reply.actor, reply.target, reply.value) == ("Shop#1", sent.target, "7")


def test_reply_that_may_change_says_what_it_said(recorder: Recorder) -> None:
    sent = message(recorder, actor(recorder))
    answer = ["a"]
    recorder.replied(sent, answer)
    answer.append("b")
    [reply] = events(recorder, Reply)
    assert isinstance(reply, Reply)
    assert reply.value == "['a']"


def test_offers_that_only_the_whole_run_shows(recorder: Recorder) -> None:
    sent = message(recorder, actor(recorder))
    recorder.trace()
    recorder.offer_late({sent.target: (Offer("order", "late"),)})
    assert sends(recorder)[0].offers[-1:] == (Offer("order", "late"),)


def test_forgotten_events_are_not_told(recorder: Recorder) -> None:
    shop = actor(recorder)
    message(recorder, shop)
    recorder.forget()
    message(recorder, shop)
    assert [type(event) for event in recorder.trace().events] == [Send]


def planned() -> tuple[Recorder, Fault]:
    """A recorder with a fault for the message that another run had."""
    before = Recorder()
    sent = message(before, actor(before))
    before.trace()
    fault = Fault(sent.target, "duplicate", slot=sent.slot)
    return Recorder(Scenario.of([fault])), fault


def test_planned_fault_is_known_when_its_message_is_sent() -> None:
    recorder, fault = planned()
    shop = actor(recorder)
    struck, other = message(recorder, shop), message(recorder, shop)
    assert (struck.faults, other.faults) == ((fault,), ())


def test_fault_that_was_applied() -> None:
    recorder, fault = planned()
    sent = message(recorder, actor(recorder))
    recorder.injected(sent, fault)
    assert (recorder.unapplied, events(recorder, Injected), len(recorder.injections)) == (
        [],
        [Injected(fault.target, "duplicate")],
        1,
    )


def test_fault_whose_message_never_came() -> None:
    recorder, fault = planned()
    assert recorder.unapplied == [(fault, "its message never came")]


def test_fault_that_could_not_be_applied() -> None:
    recorder, fault = planned()
    recorder.not_applied(fault, "too late")
    assert recorder.unapplied == [(fault, "too late")]


def test_fault_that_is_withdrawn() -> None:
    recorder, fault = planned()
    recorder.applied_throughout(fault)
    recorder.withdrawn(fault, "not after all")
    assert recorder.unapplied == [(fault, "not after all")]


@pytest.mark.parametrize("over", [False, True])
def test_fault_of_another_process_counts_while_the_test_runs(over: bool) -> None:
    recorder, fault = planned()
    sent = message(recorder, actor(recorder))
    recorder.over = over
    recorder.injected_apart(sent, fault)
    before = len(recorder.unapplied)
    recorder.count_late()
    assert (before, recorder.unapplied, len(recorder.injections)) == (int(over), [], 1)


def test_error_that_leaves_a_handler_counts_after_a_fault() -> None:
    recorder, fault = planned()
    sent = message(recorder, actor(recorder))
    recorder.escaped(KeyError("before"))
    recorder.injected(sent, fault)
    recorder.escaped(ValueError("after"))
    assert [link.type for link in recorder.evidence.escapes] == ["ValueError"]


def test_actor_of_a_value_is_found_by_the_first_that_knows(recorder: Recorder) -> None:
    shop = actor(recorder)
    recorder.trace()
    recorder.find_actor(lambda value: None)
    recorder.find_actor(lambda value: shop if value == 7 else None)
    assert [recorder.name_of(value) for value in (7, 8)] == ["Shop#1", None]


def test_contexts_of_what_runs(recorder: Recorder) -> None:
    shop = actor(recorder)
    sent = message(recorder, shop)
    child = actor(recorder, sent)
    recorder.trace()
    again = Phase(sent, "copy1")
    contexts: tuple[Context, ...] = (None, shop, sent, again, child)
    assert (list(map(address_of, contexts)), list(map(cause_of, contexts))) == (
        ["test", "Shop#1", "Shop#1", "Shop#1", "Shop#1/Shop#1"],
        [None, None, sent.target, sent.target, sent.target],
    )


def test_stamps_of_what_runs(recorder: Recorder) -> None:
    shop = actor(recorder)
    sent = message(recorder, shop)
    recorder.trace()
    assert [tuple(stamp_of(one)) for one in (None, shop, sent, Phase(sent, "x"))] == [
        ("test", "test", "test"),
        (shop.key,) * 3,
        (sent.target, sent.slot, shop.key),
        (f"{sent.target}+x", f"{sent.slot}+x", shop.key),
    ]


def test_reply_that_the_test_reads(recorder: Recorder) -> None:
    recorder.test_file = __file__
    sent = message(recorder, actor(recorder))
    frame = sys._getframe()
    with recorder.reading_reply(sent, frame) as read:
        pending = read.pending
        line = frame.f_lineno
    assert (pending, read.pending, read.lines[0] <= line, recorder.reply_reads) == (
        True,
        False,
        True,
        [read],
    )


@pytest.mark.parametrize(("value", "kept"), [(7, 7), ([7], None)])
def test_only_small_replies_are_kept(value: object, kept: object, recorder: Recorder) -> None:
    read = ReplyRead("", message(recorder, actor(recorder)), None)
    read.keep(value)
    assert read.value == kept
