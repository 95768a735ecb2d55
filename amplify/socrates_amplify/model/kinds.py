"""The kinds of faults, one row per kind: what reports, searches and settings know of a kind.

A kind is a row, here or from a plugin's hook ``socrates_fault_kinds``, and the code of a probe
that applies it. No other module knows a kind by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError

Channel = Literal["message", "task", "call", "step", "circumstance"]
"""What a fault happens to: a message of an actor, a task of a queue, a remote call, a step of a
thread, or the circumstances that a test runs in."""
MESSAGE: Channel = "message"
TASK: Channel = "task"
CALL: Channel = "call"
STEP: Channel = "step"
CIRCUMSTANCE: Channel = "circumstance"

Promise = Literal["", "at-least-once", "persistent"]
AT_LEAST_ONCE: Promise = "at-least-once"
PERSISTENT: Promise = "persistent"

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ALONE = (CALL, CIRCUMSTANCE)


@dataclass(frozen=True, slots=True)
class OnChannel:
    """What a kind means on one channel.

    ``why`` is a sentence for the text, HTML and JSON reports: what the fault should have meant.
    With ``default`` the kind is tried unless the user asks for other kinds. ``needs`` is what an
    actor's message or its receiver must promise; without it, what the message offers decides.
    """

    channel: Channel
    why: str
    default: bool = False
    needs: Promise = ""


@dataclass(frozen=True, slots=True)
class Details:
    """The details by which ``--faults`` names one fault of a kind: ``status:503``.

    ``pattern`` is what a detail must look like, ``words`` say it, and ``example`` is one.
    """

    pattern: str
    words: str
    example: str


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One kind of fault. Only ``name``, ``on`` and ``rule`` are needed.

    A kind for calls or for circumstances has one channel only: faults don't name their channel,
    and a call fails in one way at a time.
    """

    name: str
    on: tuple[OnChannel, ...]
    """The channels on which it can happen; the sentence of the first is the usual one."""
    rule: str
    """A sentence for SARIF: what is wrong with a system that this kind breaks."""
    changes_order: bool = False
    """It changes in which order messages are handled, so another message must be there."""
    schedules: bool = False
    """Its faults are read off runs under control, and are asked in an order of their own."""
    of_steps: bool = False
    """It is done to steps of asyncio tasks, which are followed only where such a kind is tried."""
    swaps: bool = False
    """It lets two messages change places; the fault's detail is the target of the second."""
    redelivers: bool = False
    """The receiver gets the message once more, so the trace shows what the copy did."""
    of_receiver: bool = False
    """It is done to the receiver rather than to a message, so the message's type says nothing."""
    outage: bool = False
    """Callers of a service see this while the service is down."""
    succeeds_unseen: bool = False
    """The service does what it is asked, and the caller sees a failure: effects stay behind."""
    lasts: bool = False
    """All later calls of the service fail as this one does, until the run is over."""
    needs_limit: bool = False
    """Only a caller that says how long it waits can meet it."""
    answers: bool = False
    """The fault's detail is the status that the service answers with."""
    details: Details | None = None
    untried: str = ""
    """Why a test has no targets when its messages offer this kind and no kind that is tried."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Where it can happen."""
        return tuple(on.channel for on in self.on)

    def on_channel(self, channel: Channel) -> OnChannel | None:
        """What it means on ``channel``; None where it can't happen."""
        return next((on for on in self.on if on.channel == channel), None)

    def why(self, channel: Channel | None = None) -> str:
        """What it should have meant on ``channel``, else on the first of its channels."""
        found = self.on_channel(channel) if channel else None
        return (found or self.on[0]).why


_BUILT_IN = (
    FaultKind(
        "duplicate",
        (
            OnChannel(MESSAGE, "a second delivery should change nothing", True, AT_LEAST_ONCE),
            OnChannel(TASK, "a task that is delivered twice should be done once", True),
        ),
        "A message that arrives twice changes the result",
        redelivers=True,
    ),
    FaultKind(
        "restart",
        (
            OnChannel(MESSAGE, "a restart should lose nothing", True, PERSISTENT),
            OnChannel(
                TASK, "its worker died before the acknowledgement, so it was delivered again", True
            ),
        ),
        "An actor that restarts loses what it should remember",
        of_receiver=True,
    ),
    FaultKind(
        "drop",
        (OnChannel(MESSAGE, "a late redelivery should change nothing", needs=AT_LEAST_ONCE),),
        "A message that is redelivered late changes the result",
    ),
    FaultKind(
        "delay",
        (
            OnChannel(MESSAGE, "a delay should change nothing"),
            OnChannel(TASK, "a task that comes late should change nothing"),
        ),
        "A message that comes late changes the result",
        changes_order=True,
    ),
    FaultKind(
        "reorder",
        (
            OnChannel(MESSAGE, "the order of two senders should not matter"),
            OnChannel(TASK, "a queue promises no order: the next one came first", True),
        ),
        "The order of messages from different senders changes the result",
        changes_order=True,
        swaps=True,
    ),
    FaultKind(
        "order",
        (
            OnChannel(MESSAGE, "no promise orders these two", True),
            OnChannel(TASK, "a queue promises no order: either may be handled first", True),
            OnChannel(STEP, "nothing makes one wait for the other", True),
        ),
        "The order of messages that no promise orders changes the result",
        schedules=True,
    ),
    FaultKind(
        "cancel",
        (OnChannel(STEP, "a task that is cancelled where it waits should leave nothing behind"),),
        "A task that is cancelled leaves something behind that changes the result",
        of_steps=True,
    ),
    FaultKind(
        "lose",
        (OnChannel(TASK, "its worker died after the acknowledgement, so it was lost"),),
        "A task that is lost when its worker dies changes the result",
        untried="its tasks are acknowledged early, so none comes twice; --faults lose loses them",
    ),
    FaultKind(
        "connection-error",
        (OnChannel(CALL, "a caller should bear with a service that is down", True),),
        "A service that is down changes the result",
        outage=True,
    ),
    FaultKind(
        "timeout",
        (OnChannel(CALL, "a caller should bear with a service that does not answer", True),),
        "A service that does not answer in time changes the result",
        outage=True,
        needs_limit=True,
    ),
    FaultKind(
        "lost-reply",
        (
            OnChannel(
                CALL, "the service did it, the answer was lost: trying again should do no harm"
            ),
        ),
        "A call that was done, but whose reply is lost, changes the result",
        succeeds_unseen=True,
    ),
    FaultKind(
        "status",
        (OnChannel(CALL, "a caller should bear with a service that answers with an error", True),),
        "A service that answers with an error changes the result",
        outage=True,
        answers=True,
        details=Details("[45][0-9][0-9]", "a status from 400 to 599", "503"),
    ),
    FaultKind(
        "slow",
        (OnChannel(CALL, "a slow answer should change nothing"),),
        "A service that answers slowly changes the result",
        outage=True,
    ),
    FaultKind(
        "down",
        (OnChannel(CALL, "a caller should give up on a service that stays down"),),
        "A service that stays down changes the result, or keeps its caller without end",
        outage=True,
        lasts=True,
    ),
    FaultKind(
        CIRCUMSTANCE,
        (OnChannel(CIRCUMSTANCE, "the result should not depend on it", True),),
        "The result depends on the circumstances of the run",
    ),
)

DEFAULT_KINDS = tuple(kind.name for kind in _BUILT_IN if all(on.default for on in kind.on))
"""The kinds in the settings when nobody asks for others; ``default_names`` says what they mean."""

_known: dict[str, FaultKind] = {}
_calls: set[str] = set()


def register(kinds: Iterable[FaultKind]) -> None:
    """Add kinds to the table; one that is there already, equal in all, changes nothing.

    Raises SocratesError for a row that can't be told from others, or that contradicts itself.
    """
    for kind in kinds:
        known = _known.get(kind.name)
        if known is not None and known != kind:
            raise SocratesError(f"fault kind {kind.name!r}: there is another kind of that name")
        _check(kind)
        _known[kind.name] = kind
        if CALL in kind.channels:
            _calls.add(kind.name)


def _check(kind: FaultKind) -> None:
    channels = kind.channels
    if not _NAME.fullmatch(kind.name):
        raise SocratesError(f"fault kind {kind.name!r}: name it in lower case, like cache-miss")
    if not channels or len(set(channels)) != len(channels):
        raise SocratesError(f"fault kind {kind.name!r}: name each of its channels once in `on`")
    if len(channels) > 1 and not set(_ALONE).isdisjoint(channels):
        raise SocratesError(
            f"fault kind {kind.name!r}: a kind for calls or circumstances has no other channel; "
            "give the others a kind of their own"
        )


def kind_of(name: str) -> FaultKind:
    """The row of a kind. A kind whose plugin is not installed has one that says little."""
    return _known.get(name) or FaultKind(
        name,
        (OnChannel(MESSAGE, "a resilient system would not notice"),),
        f"The system does not survive the fault {name}",
    )


def all_kinds() -> tuple[FaultKind, ...]:
    """Every kind there is, ours first."""
    return tuple(_known.values())


def all_names() -> tuple[str, ...]:
    """The name of every kind there is, ours first."""
    return tuple(_known)


def default_names(channel: Channel) -> tuple[str, ...]:
    """The kinds that are tried on ``channel`` when the user asks for no others."""
    return tuple(
        kind.name
        for kind in _known.values()
        if (on := kind.on_channel(channel)) is not None and on.default
    )


def is_call_kind(name: str) -> bool:
    """Whether faults of this kind are ways for a remote call to fail: one call, one fault."""
    return name in _calls


register(_BUILT_IN)
