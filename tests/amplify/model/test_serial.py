"""Plain JSON there and back, and what is said about anything else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.events import Create, Event, Injected, Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.serial import (
    event_from_json,
    event_to_json,
    outcome_from_json,
    outcome_to_json,
    scenario_from_json,
    trace_from_json,
)

offers = st.lists(st.builds(Offer, st.sampled_from(["timeout", "status", "cache-miss"]), st.text()))
sends = st.builds(Send, offers=offers.map(tuple), channel=st.sampled_from([MESSAGE, TASK, CALL]))
events = st.one_of([sends, *(st.builds(kind) for kind in (Create, Turn, Reply, Injected))])
outcomes = st.builds(
    Outcome,
    scenario=st.builds(Scenario, st.frozensets(st.builds(Fault), max_size=3)),
    verdict=st.sampled_from(Verdict),
    failure=st.none() | st.builds(Failure),
    trace=st.builds(Trace, st.lists(events, max_size=5).map(tuple)),
    duration=st.floats(allow_nan=False, allow_infinity=False),
)


@given(outcomes)
def test_an_outcome_comes_back_as_it_was(outcome: Outcome) -> None:
    assert outcome_from_json(json.loads(json.dumps(outcome_to_json(outcome)))) == outcome


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "scenario must be an object, not []"),
        ({}, "scenario.faults must be a list, not None"),
        ({"faults": [3]}, "scenario.faults[0] must be an object, not 3"),
        ({"faults": [{"kind": "drop"}]}, "scenario.faults[0].target is missing"),
        (
            {"faults": [{"target": 1, "kind": "drop"}]},
            "scenario.faults[0].target must be str, not 1",
        ),
        (
            {"faults": [{"target": "t", "kind": "drop", "code": "x"}]},
            "scenario.faults[0] must be only target, kind,",
        ),
    ],
    ids=["list", "empty", "number", "missing", "wrong type", "unknown"],
)
def test_a_scenario_that_is_none_is_refused_by_place(value: object, said: str) -> None:
    with pytest.raises(SocratesError) as caught:
        scenario_from_json(value)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("kind", ["explode", None, ["send"]])
def test_an_unknown_event_is_refused(kind: object) -> None:
    with pytest.raises(SocratesError, match=r"trace\.events\[0\]\.event must be one of create"):
        trace_from_json({"events": [{"event": kind}]})


SEND = Send("t1", "test", "reviews", "GET /", "d1", None)


def test_offers_are_written_as_one_text() -> None:
    offers = (Offer("timeout"), Offer("status", "500"), Offer("status", "503"))
    assert event_to_json(replace(SEND, offers=offers))["offers"] == "timeout,status:500,status:503"


@pytest.mark.parametrize(
    ("fields", "channel"),
    [
        pytest.param({"offers": "", "type": "shop:Add"}, MESSAGE, id="message"),
        pytest.param({"offers": "", "type": "shop:ADD"}, MESSAGE, id="message in capitals"),
        pytest.param(
            {"offers": "", "type": "queue:wait", "internal": True}, MESSAGE, id="wait for a queue"
        ),
        pytest.param({"offers": "duplicate,restart,delay,reorder"}, TASK, id="task"),
        pytest.param({"offers": "lose"}, TASK, id="task of an eager app"),
        pytest.param({"offers": "connection-error,within:2,status:500,slow"}, CALL, id="call"),
        pytest.param(
            {"offers": "", "type": "requests:GET", "internal": True}, CALL, id="call of the test"
        ),
    ],
)
def test_the_channel_of_a_message_that_an_earlier_version_wrote(
    fields: dict[str, object], channel: Channel
) -> None:
    before = {**event_to_json(SEND), **fields}
    del before["channel"]
    read = event_from_json(before)
    assert isinstance(read, Send)
    assert event_to_json(read) == {**before, "channel": channel}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"channel": "pigeon"}, "event.channel must be Channel, not 'pigeon'"),
        ({"offers": ["timeout"]}, "event.offers must be str, not ['timeout']"),
    ],
    ids=["channel", "offers"],
)
def test_a_message_that_is_none_is_refused_by_place(fields: dict[str, object], said: str) -> None:
    with pytest.raises(SocratesError) as caught:
        event_from_json({**event_to_json(SEND), **fields})
    assert str(caught.value).startswith(said)


OUTCOME = outcome_to_json(Outcome(Scenario(), Verdict.PASS))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"verdict": "maybe"}, "outcome.verdict must be pass, fail or unresolved, not 'maybe'"),
        ({"reason": 1}, "outcome.reason and .status must be texts, not (1, '')"),
        ({"status": None}, "outcome.reason and .status must be texts, not ('', None)"),
        ({"duration": "1"}, "outcome.duration must be a number, not '1'"),
        ({"duration": True}, "outcome.duration must be a number, not True"),
        ({"final": 1}, "outcome.final must be true or false, not 1"),
        ({"failure": []}, "outcome.failure must be an object, not []"),
        ({"failure": {"type": 1}}, "outcome.failure.type must be str, not 1"),
        ({"trace": None}, "outcome.trace must be an object, not None"),
        ({"scenario": None}, "outcome.scenario must be an object, not None"),
        ({"notices": {}}, "outcome.notices must be a list, not {}"),
        ({"notices": [1]}, "outcome.notices must be an object, not 1"),
        ({"notices": [{"message": 1}]}, "outcome.notices.message must be str, not 1"),
        ({"reason": ["a" * 90]}, f"outcome.reason and .status must be texts, not (['{'a' * 54}..."),
    ],
)
def test_an_outcome_that_is_none_is_refused_by_place(fields: dict[str, object], said: str) -> None:
    with pytest.raises(SocratesError) as caught:
        outcome_from_json({**OUTCOME, **fields})
    assert str(caught.value) == f"{said}; write the file anew with socrates"


def test_what_an_earlier_version_did_not_write_has_its_default() -> None:
    short = {key: OUTCOME[key] for key in ("scenario", "verdict", "trace")}
    assert outcome_from_json(short) == Outcome(Scenario(), Verdict.PASS)


def test_no_secret_is_written() -> None:
    said = "password=hUnT3r2"
    outcome = Outcome(
        Scenario(),
        Verdict.FAIL,
        Failure("E", said, "t:1", said),
        reason=said,
        notices=(Notice(said),),
    )
    assert "hUnT3r2" not in json.dumps(outcome_to_json(outcome))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"copy": True}, "event.copy must be int, not True"),
        ({"copy": "1"}, "event.copy must be int, not '1'"),
        ({"actor": None}, "event.actor must be str, not None"),
    ],
)
def test_a_turn_that_is_none_is_refused_by_place(fields: dict[str, object], said: str) -> None:
    with pytest.raises(SocratesError, match=f"^{said};"):
        event_from_json({**event_to_json(Turn("A", "t1")), **fields})


@pytest.mark.parametrize(
    ("fields", "event"),
    [
        (
            {"event": "create", "parent": "test", "child": "A#1"},
            Create("test", "A#1", persistent=False, type="", key="", promise=""),
        ),
        (
            {key: value for key, value in event_to_json(SEND).items() if value},
            replace(
                SEND,
                at_least_once=False,
                wants_reply=False,
                handler="",
                type="",
                internal=False,
                slot="",
                promise="",
                offers=(),
                channel=MESSAGE,
            ),
        ),
        (
            {"event": "turn", "actor": "A#1", "target": "t1"},
            Turn("A#1", "t1", copy=0, failed="", handler="", apart=False),
        ),
    ],
    ids=["create", "send", "turn"],
)
def test_what_an_event_does_not_say_is_not_so(fields: dict[str, object], event: Event) -> None:
    assert event_from_json({"cause": None, **fields} if "digest" in fields else fields) == event
