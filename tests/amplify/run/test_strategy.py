"""Patterns: how they are written, and what is said when they fit nothing."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.events import Create, Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import all_names
from socrates_amplify.model.orders import order_kind
from socrates_amplify.planning.unmatched_patterns import SeenTypes, unmatched_promises
from socrates_amplify.run.strategy import choose, parse_pattern, unmatched
from socrates_amplify.settings.amplify import AmplifySettings

FAULTS = [Fault("t1", "duplicate", "test", "Ledger#1", "Deposit(7)")]


@pytest.mark.parametrize(
    ("text", "globs"),
    [
        pytest.param("kind=restart", {"kind": "restart"}, id="one field"),
        pytest.param("kind=restart, to=A*", {"kind": "restart", "to": "A*"}, id="two fields"),
        pytest.param("Ledger#*", {"to": "Ledger#*"}, id="a bare receiver"),
        pytest.param(
            "message=Deposit(id=*", {"message": "Deposit(id=*"}, id="a second equals sign"
        ),
    ],
)
def test_a_pattern_is_read(text: str, globs: dict[str, str]) -> None:
    assert parse_pattern(text, "--include") == globs


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("form=A", "did you mean 'from'", id="a misspelt field"),
        pytest.param("to=", "names nothing for 'to'", id="no value"),
        pytest.param("", "names nothing for 'to'", id="nothing"),
    ],
)
def test_a_pattern_that_is_none_is_a_mistake(text: str, complaint: str) -> None:
    with pytest.raises(SocratesError, match=complaint):
        parse_pattern(text, "--include")


@pytest.mark.parametrize(
    ("globs", "warnings"),
    [
        pytest.param({"to": "Ledger#*"}, [], id="fits"),
        pytest.param(
            {"to": "Legder#1"},
            ["the pattern 'to=Legder#1' matches no fault of any test; did you mean 'Ledger#1'?"],
            id="misspelt",
        ),
    ],
)
def test_a_pattern_that_fits_nothing_is_told(globs: dict[str, str], warnings: list[str]) -> None:
    assert unmatched([globs], FAULTS) == warnings


def test_without_faults_no_pattern_is_blamed() -> None:
    assert unmatched([{"to": "X"}], []) == []


def seen(promise: str = "") -> SeenTypes:
    types = SeenTypes()
    types.see(
        Trace(
            (
                Create("test", "Savings#1", True, "app.actors:Savings", promise=promise),
                Send("t1", "test", "Savings#1", "x", "d", None, type="app.messages:Deposit"),
            )
        )
    )
    return types


@pytest.mark.parametrize(
    ("pattern", "told"),
    [("app.actors:Sav*", False), ("Savings", False), ("app.actors:Savngs", True)],
    ids=["a glob", "in any module", "misspelt"],
)
def test_a_promise_about_no_actor_is_told(pattern: str, told: bool) -> None:
    warnings = list(unmatched_promises({"pykka": {"persistent": [pattern]}}, seen()))

    assert bool(warnings) == told


def test_a_promise_about_no_message_is_told_with_the_nearest() -> None:
    table = {"pykka": {"at-least-once": ["app.messages:Deposti"]}}

    assert list(unmatched_promises(table, seen())) == [
        "[tool.socrates.amplify.pykka] at-least-once: 'app.messages:Deposti' "
        "matches no message of any test; did you mean 'app.messages:Deposit'?"
    ]


def test_a_pattern_that_fits_a_base_class_is_not_blamed() -> None:
    table = {"pykka": {"persistent": ["app.actors:Account"]}}

    assert list(unmatched_promises(table, seen("*:Other\napp.actors:Account"))) == []


def test_a_limit_for_another_search_is_the_users_mistake() -> None:
    with pytest.raises(SocratesError, match="--max-faults is for --explorer exhaustive"):
        choose(AmplifySettings(faults=(), max_faults=2), ())


def test_a_kind_that_there_is_not_is_a_mistake_with_a_suggestion() -> None:
    settings = AmplifySettings(include=("kind=restrat",))
    with pytest.raises(SocratesError, match=r"--include: .* fits no kind.*did you mean 'restart'"):
        choose(settings, all_names())


@pytest.mark.parametrize(
    ("explorer", "runs"),
    [("socratic", 2), ("schedules", 2), ("exhaustive", 1)],
)
def test_only_explorers_of_orders_are_handed_runs_under_control(explorer: str, runs: int) -> None:
    strategy = choose(AmplifySettings(explorer=explorer), all_names())
    assert len(strategy.searched([*FAULTS, Fault("order", order_kind())])) == runs
