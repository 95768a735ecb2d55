"""Circumstances as faults: what they are about, and how they are told."""

from __future__ import annotations

import pytest

from socrates_amplify.settings.circumstances import ABSENT, Circumstance


@pytest.mark.parametrize(
    ("how", "simple", "expected"),
    [
        ("environment", ABSENT, ("environment", "PLACE=b instead of nothing", "PLACE")),
        ("environment", "a", ("environment", "PLACE=b instead of a", "PLACE")),
        ("setting", ABSENT, ("setting", "PLACE=b instead of the project's own", "")),
        ("setting", "a", ("setting", "PLACE=b instead of a", "")),
        ("time-zone", "a", ("process", "name=b instead of a", "PLACE")),
        ("order", "a", ("process", "name=b instead of a", "")),
    ],
)
def test_circumstance_as_a_fault(how: str, simple: object, expected: tuple[str, str, str]) -> None:
    made = Circumstance("name", how, "PLACE", simple, "b")  # type: ignore[arg-type]
    fault = made.fault()
    assert (fault.sender, fault.message, made.variable) == expected


def test_circumstance_is_known_by_its_name() -> None:
    fault = Circumstance("name", "setting", "PLACE", 1, {"b": 2, "a": 1}).fault()
    assert (fault.target, fault.receiver, fault.detail) == (
        "circumstance:name",
        "name",
        '{"a": 1, "b": 2}',
    )
