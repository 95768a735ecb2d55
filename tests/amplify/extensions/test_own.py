"""Probes of this distribution are made where their framework may be, and only there."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from socrates_amplify.extensions.own import OWN, own_probes


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No framework can be imported, none has been."""
    for own in OWN.values():
        for module in own.modules:
            monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


@pytest.mark.usefixtures("nothing_installed")
def test_without_frameworks_only_probes_that_need_none_are_made() -> None:
    assert [probe.name for probe in own_probes(present=True)] == [
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
