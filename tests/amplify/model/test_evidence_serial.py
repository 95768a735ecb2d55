"""Evidence as plain JSON there and back, field by field, and what is said about anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.evidence import Asserted, Caught, Evidence, Frame, Injection, Link
from socrates_amplify.model.evidence_serial import evidence_from_json, evidence_to_json

FRAME = Frame("production", "shop", "shop.py", "Shop.buy", 7)
LINK = Link(
    "KeyError", "builtins", "'a'", "cause", (FRAME,), True, ("LookupError",), ("ValueError",), True
)
INJECTION = Injection("t1", "drop", (FRAME,), "GET /a", Caught(FRAME, "ShopError"))
EVIDENCE = Evidence((LINK,), (INJECTION,), (Link("E", "shop"),))
FRAME_JSON = ["production", "shop", "shop.py", "Shop.buy", 7]
LINK_JSON: dict[str, Any] = {
    "type": "KeyError",
    "module": "builtins",
    "message": "'a'",
    "relation": "cause",
    "frames": [FRAME_JSON],
    "raised": True,
    "bases": ["LookupError"],
    "promised": ["ValueError"],
    "again": True,
}
INJECTION_JSON: dict[str, Any] = {
    "target": "t1",
    "kind": "drop",
    "frames": [FRAME_JSON],
    "call": "GET /a",
    "caught": {"by": FRAME_JSON, "name": "ShopError"},
}


def test_evidence_as_it_is_written() -> None:
    asserted = Asserted("assert 1 == 2", "first", of_production=True, exits=True)
    assert evidence_to_json(Evidence((LINK,), (INJECTION,), (LINK,), (LINK,), asserted)) == {
        "links": [LINK_JSON],
        "injections": [INJECTION_JSON],
        "escapes": [LINK_JSON],
        "caught": [LINK_JSON],
        "asserted": {
            "text": "assert 1 == 2",
            "log": "first",
            "of_production": True,
            "of_mock": False,
            "exits": True,
            "of_reply": False,
            "of_time": False,
            "of_body": False,
            "expected": "",
            "computed": False,
        },
    }


def test_evidence_comes_back() -> None:
    assert evidence_from_json(json.loads(json.dumps(evidence_to_json(EVIDENCE)))) == EVIDENCE


def test_nothing_is_no_evidence() -> None:
    assert evidence_from_json(None) == Evidence()


def test_fields_of_later_versions_may_be_missing() -> None:
    link = {key: value for key, value in LINK_JSON.items() if key != "promised"}
    read = evidence_from_json({"links": [link], "injections": []})
    assert (read.links[0].promised, read.escapes) == ((), ())


@pytest.mark.parametrize("told", ["message", "call"])
def test_texts_are_without_secrets(told: str) -> None:
    secret = "password=hunter2hunter2"
    evidence = Evidence((Link("E", "m", secret),), (Injection("t", "k", (), secret),))
    assert "hunter2" not in json.dumps(evidence_to_json(evidence)), told


@pytest.mark.parametrize(
    ("document", "place"),
    [
        pytest.param([], "evidence", id="no object"),
        pytest.param({"injections": []}, "evidence.links", id="no links"),
        pytest.param({"links": []}, "evidence.injections", id="no injections"),
        pytest.param({"links": [1], "injections": []}, "evidence.links[0]", id="link"),
        pytest.param(
            {"links": [], "injections": [], "asserted": {"log": "left"}},
            "evidence.asserted.log",
            id="side",
        ),
        pytest.param({"links": [], "injections": [1]}, "evidence.injections[0]", id="injection"),
        pytest.param(
            {"links": [], "injections": [], "escapes": 1}, "evidence.escapes", id="escapes"
        ),
    ],
)
def test_evidence_of_another_form_is_refused_by_place(document: object, place: str) -> None:
    with pytest.raises(SocratesError) as caught:
        evidence_from_json(document)
    assert str(caught.value).startswith(f"{place} is not what socrates writes")


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("relation", "uncle", "relation"),
        ("type", 1, "type"),
        ("module", None, "module"),
        ("message", [], "message"),
        ("frames", None, "frames"),
        ("frames", [["production", "shop", "shop.py", "f", "7"]], "frames[0]"),
        ("frames", [FRAME_JSON, ["uncle", "shop", "shop.py", "f", 7]], "frames[1]"),
        ("frames", [["production", "shop"]], "frames[0]"),
        ("bases", "LookupError", "bases"),
        ("bases", [1], "bases[0]"),
        ("promised", [1], "promised[0]"),
    ],
)
def test_link_of_another_form_is_refused_by_place(key: str, value: object, place: str) -> None:
    with pytest.raises(SocratesError) as caught:
        evidence_from_json({"links": [{**LINK_JSON, key: value}], "injections": []})
    assert str(caught.value).startswith(f"evidence.links[0].{place} is not")


@pytest.mark.parametrize("key", ["target", "kind", "frames", "call"])
def test_injection_of_another_form_is_refused_by_place(key: str) -> None:
    with pytest.raises(SocratesError) as caught:
        evidence_from_json({"links": [], "injections": [{**INJECTION_JSON, key: 1}]})
    assert str(caught.value).startswith(f"evidence.injections[0].{key} is not")


@pytest.mark.parametrize(("raised", "expected"), [(True, True), (1, False), (None, False)])
def test_raised_is_true_only_as_written(raised: object, expected: bool) -> None:
    read = evidence_from_json({"links": [{**LINK_JSON, "raised": raised}], "injections": []})
    assert read.links[0].raised is expected
