"""Who sends what to whom, whatever its content: the edges of the map, and what was tried on each."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePosixPath
from typing import Literal, get_args

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Create, Injected, Reply, Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel
from socrates_amplify.model.labels import message_type, open_numbers
from socrates_amplify.model.serial import Json

NodeKind = Literal["test", "module", "actor", "task", "service"]
"""What stands at an end of an exchange; ``module`` is production code that no actor runs."""
_RECEIVERS: Mapping[Channel, NodeKind] = {MESSAGE: "actor", TASK: "task", CALL: "service"}
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})


class Tried(enum.Enum):
    """What is known of a kind of fault at one place. The values stand in reports.

    A fault is noticed that made a test fail in a way that may be intended: an honest error, a fallback.
    """

    BROKE = "broke"
    NOTICED = "noticed"
    SURVIVED = "survived"
    UNTRIED = "untried"

    @property
    def says_something(self) -> bool:
        """Whether a run under the fault had an answer."""
        return self is not Tried.UNTRIED


_WORST_FIRST = tuple(Tried)
_MOST = 10_000
"""So many exchanges of one test are read; no test has as many."""
_NODE_KINDS = {kind: kind for kind in get_args(NodeKind)}
_CHANNELS = {channel: channel for channel in get_args(Channel)}
_TRIED = {tried.value: tried for tried in Tried}


@dataclass(frozen=True, slots=True)
class Exchange:
    """Messages of one type from one place to one receiver, in one test or in many.

    ``site`` is ``file:function`` of the code that sends. ``what`` is the type of a message, the name
    of a task, or method and path of a call, numbers left open. ``kinds`` are the kinds of faults that
    it offers and that are in force, with what is known of each. ``clean`` says that a test exercised
    it that could be relied on: neither smelly nor failing nor flaky.
    """

    sender: str
    sender_kind: NodeKind
    receiver: str
    channel: Channel
    what: str
    site: str = ""
    clean: bool = True
    kinds: Mapping[str, Tried] = field(default_factory=dict)
    tests: int = 1
    """How many tests exercised it."""

    @property
    def receiver_kind(self) -> NodeKind:
        """What the receiver is."""
        return _RECEIVERS.get(self.channel, "actor")

    @property
    def place(self) -> tuple[str, ...]:
        """What fault coverage counts: a call by its site, others by receiver and type."""
        site = self.site or self.sender
        return (
            (site, self.receiver, self.what) if self.channel == CALL else (self.receiver, self.what)
        )

    @property
    def edge(self) -> tuple[str, ...]:
        """What makes two of them the same edge of the map."""
        return (self.sender, self.receiver, self.channel, self.what, self.site)


@dataclass(frozen=True, slots=True)
class FaultCoverage:
    """Of all that traces show: how many kinds of faults in force were tried, at how many places."""

    tried: int
    of: int
    places: int

    @property
    def percent(self) -> float:
        """Rounded down, so that 100 means all; 100 where there is nothing to try."""
        return math.floor(1000 * self.tried / self.of) / 10 if self.of else 100.0


def exchanges_of(
    nodeid: str,
    trace: Trace,
    faults: Iterable[Fault] = (),
    known: Callable[[Fault], Tried] = lambda fault: Tried.UNTRIED,
    *,
    clean: bool = True,
) -> tuple[Exchange, ...]:
    """What a test exercised. ``faults`` are those in force, ``known`` tells what each one did.

    Calls that the test's own code makes are there, too; nothing is tried on them. What a framework
    does for itself is not.
    """
    offered: dict[str, dict[str, Tried]] = {}
    for fault in faults:
        kinds = offered.setdefault(fault.target, {})
        kinds[fault.kind] = _worse(kinds.get(fault.kind), known(fault))
    ends = _ends(trace)
    found = [
        replace(
            _exchange(send, ends, nodeid),
            clean=clean,
            kinds=dict(sorted(offered.get(send.target, {}).items())),
        )
        for send in trace.sends
        if not send.internal or send.channel == CALL
    ]
    return tuple(replace(one, tests=1) for one in together(found))


def together(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """Each edge once, sorted: what any test found out about it counts."""
    joined: dict[tuple[str, ...], Exchange] = {}
    for one in exchanges:
        known = joined.get(one.edge)
        joined[one.edge] = one if known is None else _join(known, one)
    return tuple(joined[edge] for edge in sorted(joined))


def fault_coverage(exchanges: Iterable[Exchange]) -> FaultCoverage:
    """How much of what these show was tried. Edges to one place count once."""
    places: dict[tuple[str, ...], dict[str, bool]] = {}
    for one in exchanges:
        for kind, tried in one.kinds.items():
            kinds = places.setdefault(one.place, {})
            kinds[kind] = kinds.get(kind, False) or tried.says_something
    states = [state for kinds in places.values() for state in kinds.values()]
    return FaultCoverage(sum(states), len(states), len(places))


def _join(one: Exchange, other: Exchange) -> Exchange:
    kinds = dict(one.kinds)
    for kind, tried in other.kinds.items():
        kinds[kind] = _worse(kinds.get(kind), tried)
    return replace(
        one,
        clean=one.clean or other.clean,
        kinds=dict(sorted(kinds.items())),
        tests=one.tests + other.tests,
    )


def _worse(one: Tried | None, other: Tried) -> Tried:
    return other if one is None else min(one, other, key=_WORST_FIRST.index)


def _ends(trace: Trace) -> Mapping[str, NodeKind]:
    """What stands behind each address of a trace."""
    kinds: dict[str, NodeKind] = {
        event.child: "actor" for event in trace.events if isinstance(event, Create)
    }
    return {
        **{send.receiver: _RECEIVERS.get(send.channel, "actor") for send in trace.sends},
        **kinds,
    }


def _exchange(send: Send, ends: Mapping[str, NodeKind], nodeid: str) -> Exchange:
    kind: NodeKind
    if send.sender == TEST:
        sender = send.site.partition(":")[0] or nodeid.partition("::")[0]
        kind = "test" if is_test_file(sender, nodeid.partition("::")[0]) else "module"
    else:
        kind = ends.get(send.sender, "service")
        sender = _name(send.sender, kind)
    receiver = _name(send.receiver, _RECEIVERS.get(send.channel, "actor"))
    return Exchange(sender, kind, receiver, send.channel, _what(send), send.site)


def _name(address: str, kind: NodeKind) -> str:
    """``Stock`` for ``Dock#1/Stock#2``; a task keeps its queue, a service its host."""
    name = address.rpartition("/")[2] if kind == "actor" else address
    return name.partition("#")[0] or address


def _what(send: Send) -> str:
    if send.channel == CALL:
        return open_numbers(send.message)
    return send.type.rpartition(":")[2] or message_type(send.message)


def is_test_file(file: str, test_file: str) -> bool:
    """Whether a file of the project belongs to the tests rather than to what they test."""
    path = PurePosixPath(file)
    named = path.name.startswith("test_") or path.stem.endswith("_test")
    below = not _TEST_FOLDERS.isdisjoint(path.parts[:-1])
    return file == test_file or path.name == "conftest.py" or named or below


def exchange_to_json(exchange: Exchange) -> Json:
    """One exchange, as the JSON report tells it."""
    return {
        "from": exchange.sender,
        "from_kind": exchange.sender_kind,
        "to": exchange.receiver,
        "channel": exchange.channel,
        "what": exchange.what,
        "site": exchange.site,
        "clean": exchange.clean,
        "kinds": {kind: tried.value for kind, tried in exchange.kinds.items()},
    }


def exchanges_from_json(value: object) -> tuple[Exchange, ...]:
    """What a report or a store tells; what is none of ours in it is left out, whoever wrote it."""
    items = value[:_MOST] if isinstance(value, list) else []
    found = (_read(item) for item in items if isinstance(item, dict))
    return tuple(one for one in found if one is not None)


def _read(item: Mapping[str, object]) -> Exchange | None:
    texts = [item.get(key) for key in ("from", "to", "what", "site")]
    kind, channel = (
        _NODE_KINDS.get(str(item.get("from_kind"))),
        _CHANNELS.get(str(item.get("channel"))),
    )
    told = item.get("kinds")
    if kind is None or channel is None or not isinstance(told, dict):
        return None
    if not all(isinstance(text, str) for text in texts):
        return None
    sender, receiver, what, site = map(str, texts)
    kinds = {str(name): _TRIED[state] for name, state in told.items() if _is_state(state)}
    clean = item.get("clean") is True
    return Exchange(sender, kind, receiver, channel, what, site, clean, kinds)


def _is_state(value: object) -> bool:
    return isinstance(value, str) and value in _TRIED


def fails_by_itself(faults: Sequence[Fault], trace: Trace) -> bool:
    """Whether a call that was struck is made once more, unharmed, and not answered, or by an error."""
    struck = {event.target for event in trace.events if isinstance(event, Injected)}
    answers = {event.target: event.value for event in trace.events if isinstance(event, Reply)}
    calls = {(fault.receiver, fault.message) for fault in faults}
    if not struck.issuperset(fault.target for fault in faults):
        return False  # the trace is not at hand, or not all of it
    return any(
        send.channel == CALL
        and send.target not in struck
        and (send.receiver, send.message) in calls
        and answers.get(send.target, "4")[:1] in ("4", "5")
        for send in trace.sends
    )
