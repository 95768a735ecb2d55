"""Reading a faulted trace against the control: who changed, for what reason, since when."""

from __future__ import annotations

import pytest

from socrates_amplify.exploration.traces.comparison import Conduct, compare
from socrates_amplify.exploration.traces.suspicion import Reader
from socrates_amplify.model.events import Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.outcomes import Failure


def send(target, sender, receiver, message="Update()", digest="d"):
    return Send(target, sender, receiver, message, digest, None)


def asked(target, actor, value):
    return [
        send(target, "test", actor, "State()"),
        Turn(actor, target),
        Reply(actor, target, value, value),
    ]


def run(*parts):
    events = []
    for part in parts:
        events += part if isinstance(part, list) else [part]
    return Trace(tuple(events))


# The test updates A, A updates B; then both are asked.
def system(*during, a="1", b="1"):
    return run(
        send("1", "test", "A"),
        Turn("A", "1"),
        send("2", "A", "B"),
        *during,
        Turn("B", "2"),
        asked("3", "A", a),
        asked("4", "B", b),
    )


BASELINE = system()


def suspects(faulted, control=BASELINE):
    return compare(Conduct(control), faulted).suspects()


def test_equal_runs_have_no_suspects():
    assert suspects(system()) == []


def test_an_actor_that_answers_otherwise_is_suspected():
    assert suspects(system(b="2")) == ["B"]


def test_a_second_delivery_alone_is_no_change():
    assert suspects(system(Turn("A", "1", 1))) == []


def test_an_actor_that_was_sent_more_comes_after_the_one_who_sent_it():
    echo = [Turn("A", "1", 1), send("2x", "A", "B"), Turn("B", "2x")]
    assert suspects(system(*echo, b="2")) == ["A", "B"]


def test_a_failed_turn_is_a_change():
    failed = run(send("1", "test", "A"), Turn("A", "1", failed="ValueError"))
    assert suspects(failed) == ["A"]


def test_a_missing_send_is_a_change():
    silent = run(send("1", "test", "A"), Turn("A", "1"), asked("3", "A", "1"))
    assert suspects(silent) == ["A"]


def test_messages_that_left_another_actor_unchanged_explain_nothing():
    # A and B both got one more Confirm; only B changed, so the Confirm is not why.
    more = [
        Turn("B", "2", 1),
        send("c1", "B", "A", "Confirm()"),
        Turn("A", "c1"),
        send("c2", "A", "B", "Confirm()"),
        Turn("B", "c2"),
    ]
    assert suspects(system(*more, b="2"))[0] == "B"


def test_interleaving_alone_is_no_change():
    one = run(send("1", "test", "A"), send("2", "test", "A"), Turn("A", "1"), Turn("A", "2"))
    other = run(send("1", "test", "A"), send("2", "test", "A"), Turn("A", "2"), Turn("A", "1"))
    assert suspects(other, one) == []


FAULTS = [Fault(t, "duplicate", receiver="A", message="M") for t in ("1", "2", "3")]


def three_updates(*answers):
    parts = []
    for number, answer in enumerate(answers, 1):
        parts += [send(str(number), "test", "A"), Turn("A", str(number))]
        parts += [Turn("A", str(number), 1), *asked(f"q{number}", "A", answer)]
    return run(*parts)


@pytest.mark.parametrize(
    ("answers", "best"),
    [(("1", "2", "9"), "3"), (("1", "9", "9"), "2"), (("9", "9", "9"), "1")],
)
def test_the_last_fault_before_the_first_change_is_guessed_first(answers, best):
    reader = Reader(three_updates("1", "2", "3"))
    suspicion = reader.read(three_updates(*answers), None)
    assert suspicion.best_first("A", FAULTS)[0].target == best


def test_the_actor_that_the_assertion_looked_at_comes_next_then_its_past():
    failure = Failure("AssertionError", "", "t:1", "B")
    assert Reader(BASELINE).read(system(), failure).actors == ("B", "A")


def test_without_traces_nobody_is_suspected():
    failure = Failure("AssertionError", "", "t:1", "B")
    assert Reader(BASELINE, use_traces=False).read(system(b="2"), failure).actors == ()
