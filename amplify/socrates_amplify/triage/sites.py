"""Where a fault left our hands: the production code whose call, message or task it struck."""

from __future__ import annotations

from socrates_amplify.model.events import Send, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.judgement import Site
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, MESSAGE, STEP, kind_of
from socrates_amplify.triage.case import Case


def site_of(case: Case) -> Site:
    """The site of the last fault whose code is known: what it did is what the test saw last."""
    placed = {one.target: one for one in case.evidence.injections if one.site is not None}
    for fault in reversed(case.faults):
        found = placed.get(fault.target)
        if found is not None and found.site is not None and CALL in kind_of(fault.kind).channels:
            frame = found.site
            key = f"{frame.file}|{frame.function}|{found.call}"
            return Site(key, frame.function, frame.place)
    if not case.faults:
        return Site("", "nowhere")
    return _without_frames(case.faults[-1], case)


def _without_frames(fault: Fault, case: Case) -> Site:
    """By what is known of a message: the type of its receiver, and the code that handles it."""
    row = kind_of(fault.kind)
    if CIRCUMSTANCE in row.channels:
        return Site(fault.target, fault.target)
    if CALL in row.channels:
        name = f"{fault.sender} -> {fault.receiver}"
        return Site(name, name)
    stem = fault.receiver.rpartition("/")[2].partition("#")[0]
    send = next((s for s in _sends(case) if s.target == fault.target), None)
    of_actor = row.of_receiver and (send is None or send.channel == MESSAGE)
    message = "" if of_actor or send is None else send.type.rpartition(":")[2].removesuffix("@")
    key = f"{stem}|{message}"
    if send is not None and send.channel == STEP:
        return Site(key, _step(send))
    own_name = stem.rpartition(".")[2] == message
    method = message.startswith(f"{stem}.")
    name = stem if own_name else message if method else f"{stem} {message}".strip()
    return Site(key, name or "the test", _handler(fault, send, case))


def _step(send: Send) -> str:
    """The function in which a thread or a task does something; what it does, where none is known."""
    what, _, where = send.type.partition("@")
    function = where.rpartition(":")[2].rpartition("+")[0]
    doer = send.sender.partition("#")[0]
    return function or (what if what == doer else f"{what} of {doer}")


def _sends(case: Case) -> tuple[Send, ...]:
    return (*case.control.sends, *case.failing.sends)


def _handler(fault: Fault, send: Send | None, case: Case) -> str:
    if send is not None and send.handler:
        return send.handler
    events = (*case.control.events, *case.failing.events)
    turns = (e for e in events if isinstance(e, Turn) and e.target == fault.target and e.handler)
    return next((turn.handler for turn in turns), "")
