"""Which message, and which actor, is the same one in another run."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import TEST, Create, Send, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.record.index import Indexer, Known, Stamp, site_of

ROOT = Stamp("", "", TEST)


def said(known: Known, *messages: tuple[str, str], label: bool = False) -> list[tuple[str, str]]:
    """Targets and slots of messages at places with contents; calls have their content for a label."""
    indexer = Indexer(known)
    return [
        indexer.message(ROOT, place, content, content if label else "")
        for place, content in messages
    ]


def known_from(*messages: tuple[str, str], label: bool = False) -> tuple[Known, list[str]]:
    """What a run with these messages makes known, and their targets."""
    told = said(Known(), *messages, label=label)
    labels = {target: content for (target, _), (_, content) in zip(told, messages, strict=True)}
    return Known(dict(told), {}, labels if label else {}), [target for target, _ in told]


A, B, C = ("p", "a"), ("p", "b"), ("p", "c")


def test_same_messages_have_the_same_targets() -> None:
    assert said(Known(), A, B) == said(Known(), A, B)


def test_equal_messages_are_counted() -> None:
    told = said(Known(), A, A, B)
    assert (len({target for target, _ in told}), len({slot for _, slot in told})) == (3, 3)


def test_cause_tells_messages_apart() -> None:
    one, other = (Indexer(Known()).message(Stamp(c, c, TEST), *A) for c in ("x", "y"))
    assert (one[0] != other[0], one[1] != other[1]) == (True, True)


def test_known_messages_keep_their_targets() -> None:
    known, targets = known_from(A, B)
    assert [target for target, _ in said(known, A, B)] == targets


def test_message_with_other_content_is_known_by_its_slot() -> None:
    known, targets = known_from(A)
    assert said(known, B) == [(targets[0], known.slots[targets[0]])]


def test_content_goes_before_the_slot() -> None:
    known, (a, b) = known_from(A, B)
    assert [target for target, _ in said(known, B, A)] == [b, a]


def test_target_that_a_slot_has_taken_is_given_once() -> None:
    known, (a, b) = known_from(A, B)
    told = [target for target, _ in said(known, C, A, B)]
    assert (told[:2], len(set(told))) == ([a, b], 3)


def test_call_that_is_made_again_is_none_of_those_to_come() -> None:
    known, (a, b) = known_from(("p", "GET /a"), ("p", "GET /b"), label=True)
    told = [t for t, _ in said(known, ("p", "GET /a"), ("p", "GET /a"), label=True)]
    assert (told[0], told[1] in (a, b)) == (a, False)


def test_repeat_of_a_call_is_known_whatever_it_says_in_this_run() -> None:
    runs = []
    for contents in ("xyy", "vww"):
        indexer = Indexer(Known())
        runs.append([indexer.message(ROOT, "p", one, "POST /a")[1] for one in contents])
    assert (runs[0], len(set(runs[0]))) == (runs[1], 3)


@pytest.mark.parametrize(
    ("content", "same"),
    [("GET /a/2", True), ("GET /b", False), ("GET /other", False), ("GET /a/1", True)],
)
def test_call_with_another_path_is_known_if_only_numbers_differ(content: str, same: bool) -> None:
    known, (first, _) = known_from(("p", "GET /a/1"), ("q", "GET /b"), label=True)
    [(target, _)] = said(known, ("p", content), label=True)
    assert (target == first) is same


def actors(known: Known, *names: str, parent: str = TEST) -> list[tuple[str, str]]:
    indexer = Indexer(known)
    return [indexer.actor(ROOT, parent, f"app:{name}", name) for name in names]


def test_actors_are_numbered_by_name() -> None:
    assert [address for _, address in actors(Known(), "A", "B", "A")] == ["A#1", "B#1", "A#2"]


def test_actor_of_an_actor_is_below_it() -> None:
    assert [address for _, address in actors(Known(), "B", parent="A#1")] == ["A#1/B#1"]


def test_known_actor_keeps_its_address() -> None:
    [(key, _)] = actors(Known(), "A")
    assert actors(Known(addresses={key: "A#7"}), "A") == [(key, "A#7")]


def test_address_of_a_known_actor_is_given_to_no_other() -> None:
    assert actors(Known(addresses={"other": "A#1"}), "A")[0][1] == "A#2"


CALLED = Send("t1", "test", "bank", "GET /", "d", None, channel=CALL, slot="s1")
TOLD = Send("t2", "test", "A#1", "Go()", "d", None, slot="s2")


def test_what_a_trace_makes_known() -> None:
    known = Known.of(Trace((Create("test", "A#1", key="k1"), CALLED, TOLD)))
    assert (known.slots, known.addresses, known.labels) == (
        {"t1": "s1", "t2": "s2"},
        {"k1": "A#1"},
        {"t1": "GET /"},
    )


def test_what_a_scenario_adds() -> None:
    faults = [
        Fault("t1", "timeout", message="GET /", slot="s1"),
        Fault("t2", "duplicate", message="Go()", slot="s2"),
        Fault("t3", "timeout", message="GET /x"),
    ]
    known = Known({"t1": "old"}, {"k": "A#1"}, {"t3": "GET /y"}).including(Scenario.of(faults))
    assert known == Known({"t1": "old", "t2": "s2"}, {"k": "A#1"}, {"t1": "GET /", "t3": "GET /y"})


def test_site_is_the_line_within_its_function() -> None:
    def sends() -> None:
        one = 1
        print(one)

    code = sends.__code__
    last = [start for start, _, line in code.co_lines() if line == code.co_firstlineno + 2]
    name = "test_index.py:test_site_is_the_line_within_its_function.<locals>.sends"
    assert [site_of(code, at) for at in (last[0], last[0])] == [f"{name}+2"] * 2
