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
