"""Names for clocks: all are found, though a process that forks looks only once."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Iterator
from types import ModuleType

import pytest

from socrates_amplify.probes.orders import clock_names

SLEEP = {id(time.sleep)}


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """No test leaves something for another to find."""
    yield
    clock_names._remembered.clear()


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that sleeps."""
    made = ModuleType("napping")
    made.__dict__["nap"] = time.sleep
    monkeypatch.setitem(sys.modules, "napping", made)
    return made


def names() -> list[tuple[str, str]]:
    """The names in the module of the test and in one that comes later."""
    return [
        (found.package, found.name)
        for found in clock_names.find(clock_names.all_sought())
        if found.package in ("napping", "late")
    ]


def test_a_name_in_a_module_is_found(module: ModuleType) -> None:
    assert names() == [("napping", "nap")]


def test_names_for_dates_are_found(module: ModuleType) -> None:
    module.__dict__.update(day=datetime.date, moment=datetime.datetime, both=datetime)
    assert names() == [
        ("napping", "nap"),
        ("napping", "day"),
        ("napping", "moment"),
        ("napping", "both"),
    ]


def test_packages_that_stay_real_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ModuleType("pluggy.late")
    made.__dict__["nap"] = time.sleep
    monkeypatch.setitem(sys.modules, "pluggy.late", made)
    assert [one for one in clock_names.find(SLEEP) if one.module is made] == []


def test_what_was_remembered_is_not_looked_for_again(module: ModuleType) -> None:
    clock_names.remember()
    module.__dict__["doze"] = time.sleep
    assert names() == [("napping", "nap")]


def test_modules_that_came_later_are_looked_at(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock_names.remember()
    late = ModuleType("late")
    late.__dict__["rest"] = time.sleep
    monkeypatch.setitem(sys.modules, "late", late)
    assert names() == [("napping", "nap"), ("late", "rest")]


def test_what_was_remembered_serves_once(module: ModuleType) -> None:
    clock_names.remember()
    names()
    module.__dict__["doze"] = time.sleep
    assert names() == [("napping", "nap"), ("napping", "doze")]


def test_other_functions_are_looked_for_anew(module: ModuleType) -> None:
    clock_names.remember()
    module.__dict__["now"] = time.monotonic
    found = clock_names.find({id(time.monotonic)})
    assert [one.name for one in found if one.module is module] == ["now"]
