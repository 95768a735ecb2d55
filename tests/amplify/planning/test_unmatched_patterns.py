"""Patterns that fit no class of any test are told, with the nearest name."""

from __future__ import annotations

import pytest

from socrates_amplify.model.events import Create, Send, Trace
from socrates_amplify.planning.unmatched_patterns import SeenTypes, unmatched_promises

TRACE = Trace(
    (
        Create("test", "Account#1", type="app.bank:Account", promise="*Base"),
        Send("t1", "test", "Account#1", "Deposit(1)", "d", None, type="app.bank:Deposit"),
        Send("t2", "test", "Account#1", "stop", "d", None, type="pykka:Stop", internal=True),
    )
)


def warnings(key: str, value: object, *traces: Trace) -> list[str]:
    types = SeenTypes()
    for trace in traces:
        types.see(trace)
    return list(unmatched_promises({"pykka": {key: value}}, types))


@pytest.mark.parametrize(
    ("key", "pattern", "about"),
    [
        pytest.param("persistent", "app.bank:Account", "", id="actor"),
        pytest.param("persistent", "*Base", "", id="base of an actor"),
        pytest.param("persistent", "Acc*", "", id="in every module"),
        pytest.param("persistent", "app.bank:Acount", "actor", id="misspelt actor"),
        pytest.param("persistent", "app.bank:Deposit", "actor", id="message"),
        pytest.param("at-least-once", "app.bank:Deposit", "", id="message that may come twice"),
        pytest.param("at-least-once", "app.bank:Account", "message", id="actor for a message"),
        pytest.param("at-least-once", "pykka:Stop", "message", id="message of the framework"),
    ],
)
def test_pattern(key: str, pattern: str, about: str) -> None:
    said = f"[tool.socrates.amplify.pykka] {key}: '{pattern}' matches no {about} of any test"
    told = warnings(key, [pattern], TRACE)
    assert [warning.partition(";")[0] for warning in told] == ([said] if about else [])


def test_nearest_name_is_told() -> None:
    [warning] = warnings("persistent", ("app.bank:Acount",), TRACE)
    assert "did you mean 'app.bank:Account'" in warning


@pytest.mark.parametrize("value", ["app.bank:Acount", None, 3])
def test_what_is_no_list_has_no_patterns(value: object) -> None:
    assert warnings("persistent", value, TRACE) == []


def test_nothing_is_told_where_nothing_was_seen() -> None:
    assert warnings("persistent", ["app.bank:Acount"], Trace(), Trace()) == []
