"""The probe of circumstances: settings are set for one run, and what is not in place is told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CIRCUMSTANCE
from socrates_amplify.probes import circumstances
from socrates_amplify.probes.circumstances import CircumstancesProbe
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.settings.circumstances import ABSENT, Circumstance
from socrates_amplify.settings.circumstances_table import read_table

SETTING: dict[str, object] = {"setting": "around_app:LIMIT", "simple": 1, "general": 9}
DEEP: dict[str, object] = {"setting": "around_app:OPTIONS.batch", "general": 64}
PLAIN: dict[str, object] = {"environment": "AROUND_WORKERS", "general": 4}


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module with settings."""
    module = ModuleType("around_app")
    module.__dict__.update(LIMIT=5, OPTIONS={"batch": 8}, part=SimpleNamespace(deep=1))
    monkeypatch.setitem(sys.modules, "around_app", module)
    return module


def recorder_for(table: dict[str, object], *general: str) -> Recorder:
    faults = [one.fault() for one in read_table(table) if one.name in general]
    return Recorder(Scenario.of(faults))


@pytest.mark.parametrize(("general", "during"), [((), 1), (("limit",), 9)])
def test_setting_has_its_value_during_the_run(
    general: tuple[str, ...], during: int, app: ModuleType
) -> None:
    recorder = recorder_for({"limit": SETTING}, *general)
    undo = CircumstancesProbe().install(recorder, {"limit": SETTING})
    inside = app.LIMIT
    undo()
    assert (inside, app.LIMIT, recorder.unapplied) == (during, 5, [])


@pytest.mark.parametrize(("general", "during"), [((), 8), (("batch",), 64)])
def test_setting_without_a_simple_value_is_the_projects_own(
    general: tuple[str, ...], during: int, app: ModuleType
) -> None:
    undo = CircumstancesProbe().install(recorder_for({"batch": DEEP}, *general), {"batch": DEEP})
    inside = app.OPTIONS["batch"]
    undo()
    assert (inside, app.OPTIONS) == (during, {"batch": 8})


def test_setting_of_an_object_in_a_module(app: ModuleType) -> None:
    table: dict[str, object] = {"deep": {"setting": "around_app:part.deep", "general": 2}}
    undo = CircumstancesProbe().install(recorder_for(table, "deep"), table)
    inside = app.part.deep
    undo()
    assert (inside, app.part.deep) == (2, 1)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("around_nowhere:X", "limit: around_nowhere cannot be imported: ModuleNotFoundError"),
        ("around_app:LIMT", "limit: around_app:LIMT does not exist; did you mean 'LIMIT'"),
        ("around_app:OPTIONS.bach", "limit: around_app:OPTIONS.bach does not exist; did you mean"),
        ("around_app:gone.x", "limit: around_app:gone.x does not exist"),
    ],
)
@pytest.mark.usefixtures("app")
def test_setting_that_is_not_there_is_named(place: str, said: str) -> None:
    table: dict[str, object] = {"limit": {"setting": place, "simple": 1, "general": 9}}
    with pytest.raises(SocratesError) as caught:
        CircumstancesProbe().install(recorder_for(table), table)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("value", "unapplied"),
    [("4", []), ("5", ["the tests change AROUND_WORKERS themselves"])],
)
def test_variable_has_to_be_in_place(
    value: str, unapplied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AROUND_WORKERS", value)
    recorder = recorder_for({"workers": PLAIN}, "workers")
    CircumstancesProbe().install(recorder, {"workers": PLAIN})
    assert [reason for _, reason in recorder.unapplied] == unapplied


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("circumstance:limit", "limit is declared with another value now"),
        ("circumstance:gone", "no circumstance gone is declared any more"),
    ],
)
@pytest.mark.usefixtures("app")
def test_fault_that_is_not_declared_is_told(target: str, reason: str) -> None:
    recorder = Recorder(Scenario.of([Fault(target, CIRCUMSTANCE, detail="7")]))
    CircumstancesProbe().install(recorder, {"limit": SETTING})()
    assert [told for _, told in recorder.unapplied] == [reason]


@pytest.mark.parametrize(
    ("how", "simple", "general", "said"),
    [
        ("time-zone", "UTC", "Nowhere/No", "zone.general: no time zone 'Nowhere/No' is known here"),
        ("time-zone", "Nowhere/No", "UTC", "zone.simple: no time zone 'Nowhere/No' is known here"),
        ("locale", "C", "xx_XX", "zone.general: the locale 'xx_XX' is not installed"),
    ],
)
def test_what_the_machine_has_not_is_named(
    how: str, simple: str, general: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circumstances.zoneinfo, "available_timezones", lambda: {"UTC"})
    with pytest.raises(SocratesError) as caught:
        circumstances.check([Circumstance("zone", how, "P", simple, general)])  # type: ignore[arg-type]
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("zones", "value"), [({"UTC"}, "UTC"), (set(), "Nowhere/No")], ids=["known", "no list"]
)
def test_zone_that_may_be_there_is_taken(
    zones: set[str], value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circumstances.zoneinfo, "available_timezones", lambda: zones)
    one = Circumstance("zone", "time-zone", "TZ", value, value)
    other = Circumstance("w", "environment", "W", ABSENT, "x")
    assert circumstances.check([one, other]) is None  # type: ignore[func-returns-value]


def test_faults_come_from_no_trace() -> None:
    probe = CircumstancesProbe()
    assert (probe.available(), probe.faults_of(Recorder().trace(), ["duplicate"])) == (True, [])
