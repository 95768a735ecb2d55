"""Plain JSON there and back, and what is said about anything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates.errors import SocratesError
from socrates_amplify.model.events import Create, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.serial import (
    outcome_from_json,
    outcome_to_json,
    scenario_from_json,
    trace_from_json,
)

events = st.one_of([st.builds(kind) for kind in (Create, Send, Turn, Reply, Injected)])
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
