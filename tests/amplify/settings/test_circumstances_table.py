"""The table of circumstances: what it may say, and what is said about a mistake in it."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.settings.circumstances import ABSENT, Circumstance
from socrates_amplify.settings.circumstances_table import environment, read_table

PAIR = ["Reserve*", "Cancel*"]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("time-zone", {"general": "CET"}, ("time-zone", "TZ", "UTC", "CET")),
        ("locale", {"general": "tr_TR"}, ("locale", "LC_ALL", "C.UTF-8", "tr_TR")),
        ("hash-seed", {"general": 7}, ("hash-seed", "PYTHONHASHSEED", 0, 7)),
        ("hash-seed", {"general": 4_294_967_295}, ("hash-seed", "PYTHONHASHSEED", 0, 4294967295)),
        ("hash-seed", {"simple": 1, "general": 0}, ("hash-seed", "PYTHONHASHSEED", 1, 0)),
        ("w", {"environment": "WORKERS", "general": 4}, ("environment", "WORKERS", ABSENT, 4)),
        ("w", {"environment": "A", "simple": 1, "general": 1.5}, ("environment", "A", 1, 1.5)),
        ("s", {"setting": "app.cfg:A.b", "general": []}, ("setting", "app.cfg:A.b", ABSENT, [])),
        ("o", {"order": PAIR}, ("order", "", ABSENT, ABSENT)),
    ],
)
def test_circumstance(
    name: str, value: dict[str, object], expected: tuple[str, str, object, object]
) -> None:
    [read] = read_table({name: value})
    assert (read.how, read.place, read.simple, read.general) == expected


def test_order_has_two_patterns() -> None:
    [read] = read_table({"o": {"order": PAIR}})
    assert read.pair == ("Reserve*", "Cancel*")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("w", 1, "w must be a table like"),
        ("w", {"general": 1, "enviroment": "A"}, "w: unknown key 'enviroment'"),
        ("w", {"general": 1, "zzz": "A"}, "w: unknown key 'zzz'; use environment, setting, order"),
        (
            "w",
            {"general": 1, "environment": "A", "setting": "a:b"},
            "w: environment and setting exclude each other",
        ),
        ("w", {"environment": "A"}, "w: needs general"),
        ("w", {"general": 1}, "w: say what it is"),
        ("time-zon", {"general": 1}, "time-zon: say what it is"),
        ("w", {"setting": "app", "general": 1}, "w.setting: 'app' is not a name like"),
        ("w", {"setting": "1a:b", "general": 1}, "w.setting: '1a:b' is not a name like"),
        ("w", {"environment": "A=B", "general": 1}, "w.environment: 'A=B' is not a name like"),
        ("w", {"environment": "", "general": 1}, "w.environment: '' is not a name like"),
        ("w", {"environment": 3, "general": 1}, "w.environment: 3 is not a name like"),
        ("w", {"environment": "A", "general": True}, "w.general must be a text or a number"),
        ("w", {"environment": "A", "general": []}, "w.general must be a text or a number"),
        ("w", {"environment": "A", "general": 1, "simple": False}, "w.simple must be a text"),
        ("w", {"environment": "A", "general": "\0"}, "w.general must not contain a null"),
        ("w", {"environment": "A", "general": 1, "simple": 1}, "w: simple and general are both 1"),
        ("time-zone", {"general": ""}, "time-zone.general must be the name of a time-zone, not ''"),
        ("locale", {"general": 3}, "locale.general must be the name of a locale, not 3"),
        ("hash-seed", {"general": -1}, "hash-seed.general must be a whole number up to 4294967295"),
        ("hash-seed", {"general": 4_294_967_296}, "hash-seed.general must be a whole number up"),
        ("hash-seed", {"general": True}, "hash-seed.general must be a whole number up"),
        ("hash-seed", {"general": "1"}, "hash-seed.general must be a whole number up"),
        ("o", {"order": "Reserve*"}, "o.order must be two patterns"),
        ("o", {"order": ["a"]}, "o.order must be two patterns"),
        ("o", {"order": ["a", ""]}, "o.order must be two patterns"),
        ("o", {"order": ["a", 1]}, "o.order must be two patterns"),
        ("o", {"order": PAIR, "general": 1}, "o: an order has neither simple nor general"),
    ],
)
def test_mistake_is_named(name: str, value: object, said: str) -> None:
    with pytest.raises(SocratesError) as caught:
        read_table({name: value})
    assert str(caught.value).startswith(f"tool.socrates.amplify.circumstances.{said}")


def test_two_circumstances_of_one_variable_are_named() -> None:
    one = {"environment": "A", "general": 1}
    with pytest.raises(SocratesError, match=r"circumstances: a and b both set A; keep one"):
        read_table({"a": one, "b": one})


def test_two_orders_set_nothing_twice() -> None:
    assert len(read_table({"a": {"order": PAIR}, "b": {"order": PAIR}})) == 2


TABLE: dict[str, object] = {
    "w": {"environment": "WORKERS", "general": 4},
    "time-zone": {"general": "CET"},
    "s": {"setting": "app:A", "general": 1},
}


@pytest.mark.parametrize(
    ("general", "expected"),
    [
        ((), {"WORKERS": None, "TZ": "UTC"}),
        (("w",), {"WORKERS": "4", "TZ": "UTC"}),
        (("time-zone", "s"), {"WORKERS": None, "TZ": "CET"}),
    ],
)
def test_variables_of_a_process(general: tuple[str, ...], expected: dict[str, str | None]) -> None:
    declared: dict[str, Circumstance] = {one.name: one for one in read_table(TABLE)}
    scenario = Scenario(frozenset(declared[name].fault() for name in general))
    assert environment(TABLE, scenario) == expected
