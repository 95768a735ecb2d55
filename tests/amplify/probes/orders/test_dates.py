"""Dates under control: what day and what time it is follows the virtual clock, and nothing else changes."""

from __future__ import annotations

import copy
import datetime as days
import functools
import os
import pickle
import sys
import time
import warnings
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from email import utils as of_the_standard_library
from types import ModuleType
from unittest import mock

import celery.utils.time
import freezegun
import pydantic._internal._generate_schema  # before freezegun looks at all that it has
import pydantic.types
import pytest
import time_machine
from django.utils import timezone as of_django

from socrates_amplify.probes.orders.earlier import dates


class Real:
    """Out of sight of what replaces names of modules."""

    datetime, date = datetime, date


DAY = 86_400
NEW_YEAR = datetime(2020, 1, 1, tzinfo=UTC)


def utcnow() -> datetime:
    """As every Python tells it, without a word on its future."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return datetime.utcnow()


@pytest.mark.parametrize(
    "tell",
    [
        pytest.param(lambda: datetime.now(), id="now"),
        pytest.param(lambda: datetime.now(UTC), id="now in UTC"),
        pytest.param(lambda: datetime.now(tz=timezone(timedelta(hours=5))), id="now elsewhere"),
        pytest.param(utcnow, id="utcnow"),
        pytest.param(lambda: datetime.today(), id="datetime.today"),
        pytest.param(lambda: date.today(), id="date.today"),
        pytest.param(lambda: days.datetime.now(), id="now of the module"),
        pytest.param(lambda: days.date.today(), id="today of the module"),
        pytest.param(lambda: of_django.datetime.now(UTC), id="Django's now"),
    ],
)
def test_what_was_slept_has_passed(controlled, tell: Callable[[], date]) -> None:
    def code() -> tuple[timedelta, object]:
        before = tell()
        time.sleep(3 * DAY)
        return tell() - before, type(before)

    kind = type(tell())
    passed, told = controlled(code).value
    assert (passed.days, told is kind) == (3, True)


def test_all_clocks_agree(controlled) -> None:
    def code() -> tuple[float, float, float]:
        time.sleep(DAY)
        seconds = time.time()
        return (
            datetime.now().timestamp() - seconds,
            datetime.now(UTC).timestamp() - seconds,
            utcnow().replace(tzinfo=UTC).timestamp() - seconds,
        )

    assert max(map(abs, controlled(code).value)) < 0.001


def test_afterwards_names_stand_for_what_they_stood_for(controlled) -> None:
    module = days
    inside = controlled(
        lambda: (datetime is Real.datetime, date is Real.date, days is module)
    ).value
    assert inside == (False, False, False)
    assert (datetime is Real.datetime, date is Real.date, days is module) == (True, True, True)


def test_when_control_is_lost_dates_go_on_from_where_they_were(controlled) -> None:
    def code() -> timedelta:
        before = datetime.now(UTC)
        time.sleep(DAY)
        pid = os.fork()
        if not pid:  # another process is not controlled
            os._exit(0 if DAY <= (datetime.now(UTC) - before).total_seconds() < DAY + 60 else 1)
        return timedelta(days=1, seconds=os.waitpid(pid, 0)[1])

    assert controlled(code).value == timedelta(days=1)


def test_the_standard_library_and_other_libraries_keep_real_dates(controlled) -> None:
    def code() -> tuple[object, object]:
        return of_the_standard_library.datetime.datetime, pydantic.types.date

    assert all(one in (Real.datetime, Real.date) for one in controlled(code).value)
    assert controlled(lambda: type(celery.utils.time.datetime)).value is not type


@pytest.mark.parametrize("setting", [freezegun.freeze_time, time_machine.travel])
def test_whoever_sets_the_time_tells_it(controlled, setting) -> None:
    def code() -> tuple[datetime, int]:
        with setting(NEW_YEAR):
            frozen = datetime.now(UTC)
        before = datetime.now(UTC)
        time.sleep(DAY)
        return frozen, (datetime.now(UTC) - before).days

    frozen, passed = controlled(code).value
    assert (frozen.date(), passed) == (NEW_YEAR.date(), 1)


MOMENT = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)


def matches(value: object) -> int:
    match value:
        case datetime(year=year):
            return year
        case _:
            return 0


class InOneTest:
    """Ways to use the class, each of which ends in the same with the real one."""

    made = staticmethod(lambda: (datetime(2024, 1, 1), type(datetime(2024, 1, 1)) is Real.datetime))
    instances = staticmethod(lambda: [isinstance(x, datetime) for x in (MOMENT, MOMENT.date(), 1)])
    among = staticmethod(lambda: isinstance(MOMENT, (int, datetime)))
    united = staticmethod(lambda: isinstance(MOMENT, datetime | None))
    subclasses = staticmethod(
        lambda: (
            issubclass(datetime, date),
            issubclass(date, datetime),
            issubclass(Real.datetime, datetime),
        )
    )
    equal = staticmethod(
        lambda: (datetime == Real.datetime, Real.datetime == datetime, datetime == date)
    )
    unequal = staticmethod(lambda: (datetime != Real.datetime, datetime != date, datetime != 1))
    found = staticmethod(
        lambda: ({Real.datetime: 1}.get(datetime), {datetime: 1}.get(Real.datetime))
    )
    listed = staticmethod(lambda: type(MOMENT) in (datetime, date))
    read = staticmethod(lambda: datetime.strptime("2024-01-02", "%Y-%m-%d"))
    told = staticmethod(lambda: datetime.fromtimestamp(86_400, UTC))
    combined = staticmethod(lambda: datetime.combine(date(2024, 1, 2), MOMENT.timetz()))
    limits = staticmethod(lambda: (datetime.min, datetime.max, date.resolution))
    shown = staticmethod(lambda: (repr(datetime), datetime.__name__, datetime.__module__))
    documented = staticmethod(lambda: (datetime.__doc__, dir(datetime), dir(days)))
    matched = staticmethod(lambda: (matches(MOMENT), matches(1)))
    copied = staticmethod(lambda: copy.deepcopy(datetime(2024, 1, 1)))
    pickled = staticmethod(lambda: pickle.loads(pickle.dumps(datetime(2024, 1, 1))))
    module = staticmethod(lambda: (days.timedelta(1), repr(days), days == sys.modules["datetime"]))


@pytest.mark.parametrize("use", [name for name in vars(InOneTest) if name[0] != "_"])
def test_a_class_is_used_as_ever(controlled, use: str) -> None:
    code = getattr(InOneTest, use)
    ended = controlled(code)
    assert (ended.value, ended.error) == (code(), None)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: datetime.now("UTC"),
        lambda: datetime.now(1, 2),
        lambda: datetime(),
        lambda: setattr(datetime, "now", None),
        lambda: delattr(datetime, "now"),
        lambda: datetime.nothing,
        lambda: days.nothing,
    ],
)
def test_a_mistake_is_the_same_mistake(controlled, wrong) -> None:
    with pytest.raises((TypeError, AttributeError)) as raised:
        wrong()
    assert type(controlled(wrong).error) is raised.type


def test_a_class_that_is_derived_in_the_run_is_derived_from_the_real_one(controlled) -> None:
    def derive() -> type:
        class Moment(datetime):
            def __repr__(self) -> str:
                return "a moment after " + super().__repr__()

        return Moment

    kind = controlled(derive).value
    assert (kind.__bases__, type(kind)) == ((Real.datetime,), type)
    assert repr(kind(2024, 1, 1)).startswith("a moment after ")


def test_what_is_registered_for_the_class_is_found_for_its_instances(controlled) -> None:
    @functools.singledispatch
    def show(value: object) -> str:
        return "something"

    controlled(lambda: show.register(datetime, lambda value: "a moment"))
    assert (show(MOMENT), show(1)) == ("a moment", "something")


def test_pydantic_knows_what_stands_for_the_class(controlled) -> None:
    def code() -> object:
        kind = pydantic.create_model("Kind", at=(datetime, ...), on=(date | None, None))
        return kind(at="2024-01-02T03:04:05", on="2024-01-02")

    ended = controlled(code)
    assert ended.error is None
    made = ended.value
    assert (made.at, made.on) == (datetime(2024, 1, 2, 3, 4, 5), date(2024, 1, 2))


@pytest.mark.parametrize("target", [f"{__name__}.datetime", f"{__name__}.days.datetime"])
def test_a_mock_in_its_place_is_used_and_taken_away(controlled, target: str) -> None:
    def code() -> tuple[object, bool]:
        by_module = target.endswith("days.datetime")
        with mock.patch(target) as fake:
            fake.now.return_value = NEW_YEAR
            told = days.datetime.now() if by_module else datetime.now()
        return told, isinstance(days.datetime.now(), datetime)

    assert controlled(code).value == (NEW_YEAR, True)
    assert days.datetime is Real.datetime


def test_what_is_set_in_the_module_is_set_for_all(controlled) -> None:
    def code() -> tuple[object, bool]:
        days.own = 1  # type: ignore[attr-defined]
        found = sys.modules["datetime"].own
        del days.own  # type: ignore[attr-defined]
        days.datetime = days.datetime  # type: ignore[misc]
        return found, hasattr(sys.modules["datetime"], "own")

    assert (controlled(code).value, days.datetime is Real.datetime) == ((1, False), True)


def test_two_runs_make_stand_ins_that_are_equal() -> None:
    one, other = (dates.stand_ins(time.time) for _ in range(2))
    assert [one[key] == other[key] for key in one] == [True, True, True]
    assert [hash(one[key]) == hash(other[key]) for key in one] == [True, True, True]


def test_utcnow_warns_where_the_real_one_does(controlled) -> None:
    def warned() -> list[tuple[str, str]]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            datetime.utcnow()
        return [(str(one.message), one.filename) for one in caught]

    assert controlled(warned).value == warned()


def test_a_module_of_a_library_keeps_the_real_class(
    controlled, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ModuleType("library_of_dates")
    made.__file__ = "/usr/lib/python3/site-packages/library_of_dates.py"
    made.__dict__["datetime"] = datetime
    monkeypatch.setitem(sys.modules, "library_of_dates", made)
    assert controlled(lambda: made.__dict__["datetime"] is Real.datetime).value
