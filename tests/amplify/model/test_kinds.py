"""The table of fault kinds: what is tried where, what plugins may add, what is said of unknown ones."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model import kinds
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import (
    CALL,
    CIRCUMSTANCE,
    DEFAULT_KINDS,
    MESSAGE,
    TASK,
    Channel,
    Details,
    FaultKind,
    OnChannel,
    all_names,
    default_names,
    is_call_kind,
    kind_of,
    register,
)

MISS = FaultKind("cache-miss", (OnChannel(CALL, "a cache may forget", default=True),), "It relies")


@pytest.fixture(autouse=True)
def _own_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds is gone after it."""
    monkeypatch.setattr(kinds, "_known", dict(kinds._known))
    monkeypatch.setattr(kinds, "_calls", set(kinds._calls))


@pytest.mark.parametrize(
    ("channel", "names"),
    [
        (MESSAGE, ("duplicate", "restart", "order")),
        (TASK, ("duplicate", "restart", "reorder", "order")),
        (CALL, ("connection-error", "timeout", "status")),
        (CIRCUMSTANCE, ("circumstance",)),
    ],
)
def test_what_is_tried_without_asking(channel: Channel, names: tuple[str, ...]) -> None:
    assert default_names(channel) == names


def test_the_settings_name_what_is_tried_on_every_channel() -> None:
    assert DEFAULT_KINDS == (
        "duplicate",
        "restart",
        "order",
        "connection-error",
        "timeout",
        "status",
        "circumstance",
    )


@pytest.mark.parametrize("name", all_names())
def test_every_kind_has_its_sentences(name: str) -> None:
    kind = kind_of(name)
    sentences = [kind.rule, *(on.why for on in kind.on)]
    assert all(sentence and not sentence.endswith(".") for sentence in sentences)
    assert kind.rule[0].isupper()


def test_a_kind_that_a_plugin_adds_is_tried_too() -> None:
    register([MISS])
    assert (all_names()[-1], default_names(CALL)[-1]) == ("cache-miss", "cache-miss")
    assert is_call_kind("cache-miss")


def test_the_same_row_twice_is_one_row() -> None:
    register([MISS])
    register([MISS])
    assert all_names().count("cache-miss") == 1


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        pytest.param(
            FaultKind("restart", MISS.on, "It relies"), "another kind of that name", id="taken"
        ),
        pytest.param(FaultKind("Miss", MISS.on, "It relies"), "lower case", id="capital"),
        pytest.param(FaultKind("miss:all", MISS.on, "It relies"), "lower case", id="colon"),
        pytest.param(FaultKind("miss", (), "It relies"), "each of its channels once", id="nowhere"),
        pytest.param(
            FaultKind("miss", (*MISS.on, *MISS.on), "It relies"), "each of its", id="twice"
        ),
        pytest.param(
            FaultKind("miss", (*MISS.on, OnChannel(TASK, "")), "It relies"),
            "has no other channel",
            id="call and task",
        ),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(kind: FaultKind, said: str) -> None:
    with pytest.raises(SocratesError, match=said):
        register([kind])


def test_a_kind_without_its_plugin_is_told_all_the_same() -> None:
    kind = kind_of("gone")
    assert (kind.why(), kind.rule) == (
        "a resilient system would not notice",
        "The system does not survive the fault gone",
    )


def test_the_sentence_is_that_of_the_channel() -> None:
    told = {kind_of("restart").why(channel) for channel in (MESSAGE, TASK, None)}
    assert told == {
        "a restart should lose nothing",
        "its worker died before the acknowledgement, so it was delivered again",
    }


@pytest.mark.parametrize(
    ("details", "what"),
    [(None, "cache-miss"), (Details("[a-z]+", "a cache", "users"), "cache-miss users")],
    ids=["without details", "with"],
)
def test_a_fault_is_named_with_its_detail_where_kinds_have_them(
    details: Details | None, what: str
) -> None:
    register([FaultKind("cache-miss", MISS.on, MISS.rule, details=details)])
    assert Fault("t", "cache-miss", detail="users").what == what


OURS = ("duplicate", "restart", "drop", "delay", "reorder", "lose", "connection-error", "timeout",
        "lost-reply", "status", "slow", "circumstance")  # fmt: skip


@pytest.mark.parametrize(
    ("trait", "names"),
    [
        ("changes_order", ["delay", "reorder"]),
        ("swaps", ["reorder"]),
        ("redelivers", ["duplicate"]),
        ("of_receiver", ["restart"]),
        ("outage", ["connection-error", "timeout", "status", "slow"]),
        ("succeeds_unseen", ["lost-reply"]),
        ("answers", ["status"]),
        ("details", ["status"]),
        ("untried", ["lose"]),
    ],
)
def test_kinds_of_ours_that_have_a_trait(trait: str, names: list[str]) -> None:
    assert [name for name in OURS if getattr(kind_of(name), trait)] == names


@pytest.mark.parametrize(
    ("channel", "promises"),
    [
        (MESSAGE, {"duplicate": "at-least-once", "restart": "persistent", "drop": "at-least-once"}),
        (TASK, {}),
        (CALL, {}),
    ],
)
def test_what_a_message_must_promise(channel: Channel, promises: dict[str, str]) -> None:
    rows = {name: kind_of(name).on_channel(channel) for name in OURS}
    assert {name: row.needs for name, row in rows.items() if row and row.needs} == promises


def test_channels_of_our_kinds() -> None:
    told = {name: kind_of(name).channels for name in OURS}
    both = dict.fromkeys(("duplicate", "restart", "delay", "reorder"), ("message", "task"))
    calls = ("connection-error", "timeout", "lost-reply", "status", "slow")
    assert told == {
        **both,
        "drop": ("message",),
        "lose": ("task",),
        **dict.fromkeys(calls, ("call",)),
        "circumstance": ("circumstance",),
    }
