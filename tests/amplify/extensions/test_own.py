"""Probes of this distribution are made where their framework may be, and only there."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from socrates_amplify.extensions.own import OWN, present_probes
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import all_names


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No framework can be imported, none has been."""
    for own in OWN.values():
        for module in own.modules:
            monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


@pytest.mark.usefixtures("nothing_installed")
def test_without_frameworks_only_probes_that_need_none_are_made() -> None:
    assert [probe.name for probe in present_probes()] == [
        "circumstances",
        "asyncio",
        "orders",
    ]


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("name", OWN)
def test_a_probe_is_available_only_where_its_modules_are(name: str) -> None:
    assert OWN[name].make().available() is OWN[name].may_be_available()


@pytest.mark.parametrize("name", OWN)
def test_a_probe_is_listed_under_its_name(name: str) -> None:
    assert OWN[name].make().name == name


@pytest.mark.parametrize("name", OWN)
def test_a_probe_is_listed_with_its_channel(name: str) -> None:
    assert OWN[name].make().channel == OWN[name].channel


@pytest.mark.parametrize("name", OWN)
def test_a_trace_without_events_offers_nothing(name: str) -> None:
    assert OWN[name].make().faults_of(Trace(), all_names()) == []


@pytest.mark.parametrize("name", OWN)
def test_a_scenario_without_faults_takes_no_time(name: str) -> None:
    assert OWN[name].make().takes(Scenario(), Trace()) == 0


@pytest.mark.parametrize("name", [name for name in OWN if not OWN[name].modules])
def test_a_probe_that_needs_nothing_is_always_there(name: str) -> None:
    assert OWN[name].make().available()


@pytest.mark.parametrize("name", [name for name in OWN if not OWN[name].modules])
def test_a_probe_that_needs_nothing_has_nothing_to_warn_of(name: str) -> None:
    assert not list(OWN[name].make().warnings())


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("name", OWN)
def test_a_framework_that_is_missing_is_nothing_to_warn_of(name: str) -> None:
    assert not list(OWN[name].make().warnings())
