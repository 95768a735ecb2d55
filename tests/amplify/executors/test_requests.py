"""What crosses between processes comes out as it went in."""

from __future__ import annotations

import json

import pytest

from socrates_amplify.executors.pipe import Unpacker, pack
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.record.index import Known

FULL = Request(
    "test_a.py::test_a",
    Scenario.of([Fault("t1", "duplicate", "test", "A#1", "Add(1)")]),
    Known({"t1": "s1"}, {"k1": "A#1"}, {"t2": "GET /"}, {"t2": "a.org"}),
    {"pykka": {"at_least_once": ["*"]}},
    "/tmp/x",
    Rounds(3, 1.5, True),
    "/tmp/own",
)


@pytest.mark.parametrize("request_", [FULL, Request("t", Scenario())], ids=["full", "plain"])
def test_request_comes_back(request_: Request) -> None:
    assert Request.from_json(json.loads(json.dumps(request_.to_json()))) == request_


def test_request_as_it_is_written() -> None:
    told = FULL.to_json()
    assert {key: told[key] for key in told if key != "scenario"} == {
        "nodeid": "test_a.py::test_a",
        "slots": {"t1": "s1"},
        "addresses": {"k1": "A#1"},
        "labels": {"t2": "GET /"},
        "hosts": {"t2": "a.org"},
        "probes": {"pykka": {"at_least_once": ["*"]}},
        "tmp": "/tmp/x",
        "own": "/tmp/own",
        "repeat": 3,
        "recovery": 1.5,
        "aftermath": True,
    }


GROUP = GroupRequest(("a", "b"), {"pykka": {"x": 1}}, "/tmp/x")


def test_group_comes_back() -> None:
    told = json.loads(json.dumps(GROUP.to_json()))
    assert (GroupRequest.from_json(told), sorted(told)) == (GROUP, ["nodeids", "probes", "tmp"])


def test_request_of_one_in_a_group() -> None:
    one = GROUP.of("b")
    assert one == Request("b", Scenario(), probes={"pykka": {"x": 1}}, tmp="/tmp/x")


MESSAGES = [({"a": 1}, b""), ({"b": "é"}, b"body"), ({}, b"x" * 300)]


@pytest.mark.parametrize("size", [1, 7, 8, 9, 10_000])
def test_messages_are_cut_out_of_a_stream(size: int) -> None:
    stream = b"".join(pack(dict(header), body) for header, body in MESSAGES)
    unpacker = Unpacker()
    parts = (stream[start : start + size] for start in range(0, len(stream), size))
    assert [message for part in parts for message in unpacker.feed(part)] == MESSAGES
