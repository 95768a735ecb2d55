"""The faults that a trace offers: on its messages, and on its remote calls. Shared by probes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from socrates_amplify.model.events import Create, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import (
    AT_LEAST_ONCE,
    CALL,
    MESSAGE,
    PERSISTENT,
    FaultKind,
    kind_of,
)


def message_faults(trace: Trace, kinds: Iterable[str]) -> list[Fault]:
    """All faults of ``kinds`` on messages that were handled, in the order of the messages.

    A kind may need a message that is delivered at least once, or a persistent receiver. Kinds that
    change the order need another sender to the same receiver, since the order between one sender
    and one receiver is the framework's promise. All others happen to messages that offer them.
    """
    wanted = [(asked, kind_of(asked.partition(":")[0])) for asked in dict.fromkeys(kinds)]
    persistent = {
        event.child for event in trace.events if isinstance(event, Create) and event.persistent
    }
    inboxes = _inboxes(trace)
    handled = {send.target for inbox in inboxes.values() for send in inbox}
    faults: list[Fault] = []
    for send in trace.sends:
        if send.internal or send.channel != MESSAGE or send.target not in handled:
            continue
        promises = {AT_LEAST_ONCE: send.at_least_once, PERSISTENT: send.receiver in persistent}
        for asked, kind in wanted:
            on = kind.on_channel(MESSAGE)
            if on is None or kind.schedules:
                continue
            if kind.changes_order:
                faults.extend(_overtakings(send, kind, inboxes[send.receiver]))
            elif on.needs and promises[on.needs]:
                faults.append(fault_on(send, kind.name))
            elif not on.needs:
                faults.extend(offered(send, asked))
    return faults


def call_faults(trace: Trace, kinds: Iterable[str], applied: Collection[str]) -> list[Fault]:
    """All faults of ``kinds`` that the remote calls of this trace offer, in their order.

    ``applied`` are the kinds that a probe applies: it gets no others, and no calls that offer none
    of them.
    """
    wanted = [asked for asked in dict.fromkeys(kinds) if asked.partition(":")[0] in applied]
    faults: list[Fault] = []
    for send in trace.sends:
        if send.internal or send.channel != CALL:
            continue
        if any(map(send.may, applied)):
            faults.extend(fault for asked in wanted for fault in offered(send, asked))
    return list(dict.fromkeys(faults))


def offered(send: Send, asked: str) -> list[Fault]:
    """The faults on a message that the user asks for.

    The kind ``status`` stands for every status that it offers, ``status:503`` for that one, whether
    or not it is offered.
    """
    kind, _, detail = asked.partition(":")
    if detail:
        return [fault_on(send, kind, detail)]
    return [fault_on(send, kind, offer.detail) for offer in send.offers if offer.kind == kind]


def fault_on(send: Send, kind: str, detail: str = "") -> Fault:
    """A fault of this kind on a message."""
    return Fault(
        send.target, kind, send.sender, send.receiver, send.message, detail, slot=send.slot
    )


def _inboxes(trace: Trace) -> dict[str, list[Send]]:
    """The messages of each receiver in the order in which it first handled them."""
    by_target = {send.target: send for send in trace.sends}
    inboxes: dict[str, list[Send]] = {}
    for event in trace.events:
        if isinstance(event, Turn) and event.copy == 0 and event.target in by_target:
            inboxes.setdefault(event.actor, []).append(by_target[event.target])
    return inboxes


def _overtakings(send: Send, kind: FaultKind, inbox: list[Send]) -> list[Fault]:
    """The fault on a message that the next one in the inbox may overtake."""
    position = inbox.index(send)
    following = inbox[position + 1 : position + 2]
    if not following or following[0].sender == send.sender or following[0].internal:
        return []
    if following[0].cause == send.target:
        return []
    return [fault_on(send, kind.name, following[0].target if kind.swaps else "")]
