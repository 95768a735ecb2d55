"""``[tool.socrates.amplify]``: what it may say, and what is said back when it says something else."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.settings.table import read_table
from socrates_amplify.settings.values import parse_duration


def test_an_empty_table_is_the_defaults() -> None:
    assert read_table({}) == AmplifySettings()


def test_every_key_is_taken() -> None:
    table = {
        "gate": "info",
        "faults": ["restart"],
        "budget": 7,
        "time-budget": "1m",
        "max-defects": 2,
        "allow-flaky": True,
        "pykka": {"persistent": ["app:*"]},
    }

    assert read_table(table) == AmplifySettings(
        gate="info",
        faults=("restart",),
        budget=7,
        time_budget=60.0,
        max_defects=2,
        allow_flaky=True,
        probes={"pykka": {"persistent": ["app:*"]}},
    )


def test_a_flag_wins_over_the_table() -> None:
    assert read_table({"budget": 7}).overridden(budget=9, seed=None).budget == 9


def test_a_flag_that_was_not_given_changes_nothing() -> None:
    assert read_table({"budget": 7}).overridden(budget=None).budget == 7


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param({"budgett": 7}, "budgett: unknown key; did you mean 'budget'?", id="typo"),
        pytest.param({"budget": 0}, "budget must be a whole number from 1 up", id="no budget"),
        pytest.param({"budget": True}, "budget must be a whole number", id="a flag for a number"),
        pytest.param({"gate": "warn"}, "gate must be one of .*did you mean 'warning'", id="gate"),
        pytest.param({"faults": "restart"}, "faults must be a list of texts", id="one fault"),
        pytest.param({"time-budget": "soon"}, "time-budget: 'soon' is no duration", id="soon"),
        pytest.param({"time-budget": "0s"}, "time-budget: '0s' leaves no time", id="no time"),
        pytest.param({"allow-flaky": "no"}, "allow-flaky must be true or false", id="a word"),
    ],
)
def test_a_mistake_starts_with_its_key(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(SocratesError, match=f"^{complaint}"):
        read_table(table)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90.0), ("45s", 45.0), ("10m", 600.0), ("1h30m", 5400.0), ("0.5s", 0.5)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text, "--time-budget") == seconds


@pytest.mark.parametrize(
    ("table", "limit"),
    [
        pytest.param({}, 100, id="a hundred executions a test"),
        pytest.param({"budget": 7}, 7, id="as many as the user says"),
        pytest.param({"explorer": "exhaustive"}, None, id="as many as there are"),
        pytest.param({"explorer": "exhaustive", "budget": 7}, 7, id="no more than the user says"),
    ],
)
def test_how_many_executions_a_test_may_take(table: dict[str, object], limit: int | None) -> None:
    assert read_table(table).limit == limit


def test_the_probe_of_orders_is_told_which_orders_are_tried() -> None:
    table = {"orders": "all", "pykka": {"persistent": ["Stock"]}}
    assert read_table(table).tables == {
        "orders": {"tried": "all"},
        "pykka": {"persistent": ["Stock"]},
    }


def test_a_table_of_the_name_of_a_setting_belongs_to_a_probe() -> None:
    settings = read_table({"orders": {"delivery": "in-process"}})
    assert (settings.orders, settings.probes) == (
        "promised",
        {"orders": {"delivery": "in-process"}},
    )
