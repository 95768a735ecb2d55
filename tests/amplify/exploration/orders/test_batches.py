"""Which orders can be forced in one run: none that would need another one to be broken."""

from __future__ import annotations

from socrates_amplify.exploration.orders.batches import MOST_MESSAGES, Batch
from socrates_amplify.model.events import Send, Trace, Turn
from socrates_amplify.model.orders import Names, Pair


def message(sender: str, receiver: str, cause: str | None = None, asks: bool = False) -> Send:
    target = f"{sender} to {receiver}"
    return Send(target, sender, receiver, "Text()", "", cause, type="app:Text", wants_reply=asks)


def pair(first: tuple[str, str], second: tuple[str, str]) -> Pair:
    return Names().name(*first, "app:Text"), Names().name(*second, "app:Text")


def free(*pairs: Pair) -> set[frozenset[str]]:
    return {frozenset(one) for one in pairs}


def trace_of(*sends: Send) -> Trace:
    """All are handled in the order in which they are sent."""
    return Trace((*sends, *(Turn(send.receiver, send.target) for send in sends)))


A_THEN_B = pair(("a", "R"), ("b", "R"))
B_THEN_A = (A_THEN_B[1], A_THEN_B[0])


def test_two_orders_of_one_pair_are_not_forced_together() -> None:
    batch = Batch(trace_of(message("a", "R"), message("b", "R")), free(A_THEN_B))
    assert [batch.add(B_THEN_A), batch.add(A_THEN_B)] == [True, False]


def test_what_a_promise_orders_stays() -> None:
    batch = Batch(trace_of(message("a", "R"), message("b", "R")), free())
    assert not batch.add(B_THEN_A)


def test_a_message_does_not_wait_for_what_it_causes() -> None:
    cause = message("a", "R")
    trace = trace_of(cause, message("R", "b", cause.target), message("b", "R", "R to b"))
    assert not Batch(trace, free(A_THEN_B)).add(B_THEN_A)


def test_a_question_does_not_wait_for_what_its_answer_leads_to() -> None:
    question = message("a", "R", asks=True)
    trace = trace_of(question, message("a", "b"), message("b", "R", "a to b"))
    assert not Batch(trace, free(A_THEN_B)).add(B_THEN_A)


def test_a_message_that_the_run_did_not_have_fits_to_nothing() -> None:
    batch = Batch(trace_of(message("a", "R")), free(A_THEN_B))
    assert not batch.add(B_THEN_A)


def test_nothing_is_worked_out_of_very_many_messages() -> None:
    senders = [f"s{number}" for number in range(MOST_MESSAGES)]
    sends = [message(sender, "R") for sender in ("a", "b", *senders)]
    assert not Batch(trace_of(*sends), free(A_THEN_B)).add(B_THEN_A)
