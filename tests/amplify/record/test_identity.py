"""Content free of what runs differ in, and indices that mean the same message in every run."""

from __future__ import annotations

import datetime
import enum
import os
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates_amplify.record.identity import canonical, scrub, short


class Colour(enum.Enum):
    """An enumeration."""

    RED = 1


@dataclass
class Order:
    """A message with an identifier of its own."""

    key: object
    amount: int


class Plain:
    """An object without a representation."""

    def __init__(self, value: object) -> None:
        self.value = value


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (uuid.uuid4(), uuid.uuid4()),
        (str(uuid.uuid4()), str(uuid.uuid4())),
        (uuid.uuid4().hex, uuid.uuid4().hex),
        (Order(uuid.uuid4(), 3), Order(uuid.uuid4(), 3)),
        (object(), object()),
        (f"{object()}", f"{object()}"),
        (Plain(1), Plain(1)),
        (time.time(), time.time() + 5.5),
        (time.time_ns(), time.time_ns() + 5),
        (datetime.datetime(2030, 1, 1), datetime.datetime(2031, 1, 1)),
        ("at 2030-01-01T10:00:00.123Z", "at 2031-02-03 11:12:13"),
        ("/tmp/pytest-of-me/pytest-1/a0/x", "/tmp/pytest-of-you/pytest-22/a0/x"),
        ({"a", "b", "c"}, {"c", "b", "a"}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (threading.Lock(), threading.Lock()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_runs_differ_in_is_the_same(one: object, two: object) -> None:
    assert canonical(one) == canonical(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (1, 2),
        (1, 1.0),
        (1, True),
        ("a", "b"),
        ("1", 1),
        ((1, 2), [1, 2]),
        (Order(1, 3), Order(1, 4)),
        (Plain(1), Plain(2)),
        ({"a": 1}, {"a": 2}),
        (Colour.RED, 1),
        (b"a", b"b"),
        (ValueError("a"), ValueError("b")),
        (sorted, len),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_means_something_else_differs(one: object, two: object) -> None:
    assert canonical(one) != canonical(two)


def test_a_cycle_ends() -> None:
    knot: list[object] = []
    knot.append(knot)
    assert canonical(knot) == "list(<list...>)"


def test_an_object_that_can_not_show_itself_has_its_type() -> None:
    class Shy:
        __slots__ = ()

        def __repr__(self) -> str:
            raise RuntimeError("no")

    assert ("Shy" in canonical(Shy()), "Shy" in short(Shy())) == (True, True)


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_like)
def test_canonical_is_a_function_of_content(value: object) -> None:
    import copy

    assert canonical(value) == canonical(copy.deepcopy(value))


@given(st.text())
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)


@given(json_like)
def test_the_short_form_is_one_short_line(value: object) -> None:
    text = short(value)
    assert len(text) <= 80
    assert "\n" not in text


def test_the_short_form_names_references_inside() -> None:
    class Ref:
        def __repr__(self) -> str:
            return "<Ref 4711>"

    order = Order(Ref(), 3)
    assert short(order, lambda value: "Endpoint#1" if isinstance(value, Ref) else None) == (
        "Order(key=Endpoint#1, amount=3)"
    )


SYSTEM = """
    import random, sys, threading, time, uuid
    from dataclasses import dataclass
    import pykka
    from socrates_amplify.probes.pykka.probe import PykkaProbe
    from socrates_amplify.record.recorder import Recorder

    @dataclass(frozen=True)
    class Item:
        delivery_id: str
        name: str
        at: float

    class Worker(pykka.ThreadingActor):
        def on_receive(self, message):
            time.sleep(random.random() / 500)
            return len(message.name)

    class Shop(pykka.ThreadingActor):
        def on_start(self):
            self.helper = Worker.start()
        def on_receive(self, message):
            worker = Worker.start()
            for name in {message.name + letter for letter in "xyz"}:
                worker.tell(Item(str(uuid.uuid4()), name, time.time()))
                self.helper.tell(Item(uuid.uuid4().hex, name, time.time()))
            return worker.ask(message)

    recorder = Recorder()
    undo = PykkaProbe().install(recorder, {})
    shop = Shop.start()
    def order(name):
        time.sleep(random.random() / 200)
        shop.ask(Item(str(uuid.uuid4()), name, time.time()))
    threads = [threading.Thread(target=order, args=(name,)) for name in ("a", "b", "b", "c")]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    pykka.ActorRegistry.stop_all()
    undo()
    print(*sorted(send.target for send in recorder.trace().sends if not send.internal))
"""


@pytest.fixture(scope="module")
def targets_by_seed(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The targets of one system in five processes, each with another hash seed."""
    script = tmp_path_factory.mktemp("system") / "system.py"
    script.write_text(dedent(SYSTEM), encoding="utf-8")
    return [_targets(script, seed) for seed in range(5)]


def _targets(script: Path, seed: int) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.split()


def test_targets_survive_threads_uuids_clocks_and_hash_seeds(
    targets_by_seed: list[list[str]],
) -> None:
    assert len({tuple(targets) for targets in targets_by_seed}) == 1


def test_equal_messages_are_different_targets(targets_by_seed: list[list[str]]) -> None:
    targets = targets_by_seed[0]
    assert len(set(targets)) == len(targets) == 4 + 4 * 7


class Slotted:
    """An object with slots, one of them empty, below one with a single slot."""

    __slots__ = ("filled", "unfilled")

    def __init__(self) -> None:
        self.filled = 1


class Shown:
    """An object that shows itself."""

    def __repr__(self) -> str:
        return "Shown()"


class Pair(NamedTuple):
    """A tuple with names."""

    one: int
    two: str


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        (3, "3"),
        (True, "True"),
        (None, "None"),
        (2j, "2j"),
        ([1, (2,)], "list(1,tuple(2))"),
        ({2, 1}, "set(1,2)"),
        (frozenset({"b", "a"}), "set('a','b')"),
        ({"b": 1, "a": [2]}, "dict{'a':list(2),'b':1}"),
        (Colour.RED, "Colour.RED"),
        (uuid.uuid4(), "<UUID>"),
        (datetime.date(2030, 1, 1), "<date>"),
        (datetime.time(10), "<time>"),
        (len, "builtins:len"),
        (Order, f"{__name__}:Order"),
        (ValueError("a", 1), "ValueError('a',1)"),
        (Pair(1, "a"), "Pair(1,'a')"),
        (Order(1, 2), "Order(key=1,amount=2)"),
        (Plain([1]), "Plain(value=list(1))"),
        (Slotted(), "Slotted(filled=1)"),
        (object(), "<object>"),
        (threading.Lock(), "<lock>"),
        (Shown(), "Shown:Shown()"),
        (1_600_000_000, "<time>"),
        (1_600_000_000.5, "<time>"),
        (1_600_000_000.0, "1600000000.0"),
        (1_600_000_000_000, "<time>"),
        (1_600_000_000_000_000, "<time>"),
        (1_600_000_000_000_000_000, "<time>"),
        (1_499_999_999, "1499999999"),
        (1_500_000_000, "<time>"),
        (2_300_000_000, "<time>"),
        (2_300_000_001, "2300000001"),
        ("a" * 19_999, repr("a" * 19_999)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_canonical_text(value: object, text: str) -> None:
    assert canonical(value) == text


def test_bytes_are_told_by_their_digest() -> None:
    told = canonical(b"a")
    assert (told.startswith("bytes("), len(told), told == canonical(b"b")) == (True, 19, False)


def test_a_huge_text_is_told_by_its_digest() -> None:
    one, other = canonical("a" * 20_000), canonical("b" * 20_000)
    assert (one.startswith("str("), len(one), one == other) == (True, 17, False)


def test_what_is_nested_too_deeply_is_cut() -> None:
    value: object = 1
    for _ in range(20):
        value = [value]
    assert canonical(value) == "list(" * 13 + "<list...>" + ")" * 13


def test_what_has_too_many_parts_is_cut() -> None:
    assert canonical([[]] * 20_001).count("<list...>") == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a b", "'a b'"),
        ([1, 2], "[1, 2]"),
        (list(range(11)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]"),
        (Order(1, 2), "Order(key=1, amount=2)"),
        (Plain(1), "Plain(value=1)"),
        (Shown(), "Shown()"),
        (Slotted(), "Slotted(filled=1)"),
        (f"password={'x' * 9}", "'password=***'"),
        ("a" * 200, "'" + "a" * 47 + "..." + "a" * 26 + "..."),
        ("a\n  b", "'a\\n b'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_short_text(value: object, text: str) -> None:
    assert short(value) == text


def test_names_stand_in_for_references() -> None:
    one, other = object(), object()
    names = {id(one): "A#1"}
    stand_in = lambda value: names.get(id(value))  # noqa: E731
    told = [short(value, stand_in) for value in (one, [one, other], {"to": one})]
    assert (told[0], told[1][:5], told[2]) == ("A#1", "[A#1,", "{'to': A#1}")
    assert canonical([one], stand_in) == "list(<A#1>)"
