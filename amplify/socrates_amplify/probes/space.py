"""The faults that a trace offers: on its messages, and on its remote calls. Shared by probes."""

from __future__ import annotations

from collections.abc import Iterable

from socrates_amplify.model.events import Create, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault


def message_faults(trace: Trace, kinds: Iterable[str]) -> list[Fault]:
    """All faults of ``kinds`` on messages that were handled, in the order of the messages.

    ``duplicate`` and ``drop`` need a message that is delivered at least once, ``restart`` a
    persistent receiver. ``delay`` and ``reorder`` need another sender to the same receiver, since
    the order between one sender and one receiver is the framework's promise.
    """
    wanted = list(dict.fromkeys(kinds))
    persistent = {
        event.child for event in trace.events if isinstance(event, Create) and event.persistent
    }
    inboxes = _inboxes(trace)
    handled = {send.target for inbox in inboxes.values() for send in inbox}
    faults: list[Fault] = []
    for send in trace.sends:
        if send.internal or send.offers or send.target not in handled:
            continue
        for kind in wanted:
            promised = kind in ("duplicate", "drop") and send.at_least_once
            if promised or (kind == "restart" and send.receiver in persistent):
                faults.append(_fault(send, kind))
            elif kind in ("delay", "reorder"):
                faults.extend(_overtakings(send, kind, inboxes[send.receiver]))
    return faults


def call_faults(trace: Trace, kinds: Iterable[str]) -> list[Fault]:
    """All faults of ``kinds`` that the remote calls of this trace offer, in their order.

    The kind ``status`` stands for every status that a call offers, ``status:503`` for that one,
    whether or not it is offered. A call that fails without a fault is left as it is: then failing
    is what the test is about.
    """
    faults: list[Fault] = []
    ended = {event.target for event in trace.events if isinstance(event, (Reply, Injected))}
    for send in trace.sends:
        if send.internal or not send.offers or send.queued or send.target not in ended:
            continue
        offered = [offer.partition(":")[::2] for offer in send.offers.split(",")]
        for wanted in dict.fromkeys(kinds):
            kind, _, detail = wanted.partition(":")
            details = [detail] if detail else [own for name, own in offered if name == kind]
            faults.extend(_fault(send, kind, own) for own in details)
    return list(dict.fromkeys(faults))


def _fault(send: Send, kind: str, detail: str = "") -> Fault:
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


def _overtakings(send: Send, kind: str, inbox: list[Send]) -> list[Fault]:
    """``delay`` or ``reorder`` of a message that the next one in the inbox may overtake."""
    position = inbox.index(send)
    following = inbox[position + 1 : position + 2]
    if not following or following[0].sender == send.sender or following[0].internal:
        return []
    if following[0].cause == send.target:
        return []
    return [_fault(send, kind, following[0].target if kind == "reorder" else "")]
