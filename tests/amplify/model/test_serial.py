"""Plain JSON there and back, and what is said about anything else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.events import Create, Injected, Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel
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
