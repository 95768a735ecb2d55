"""Where a fault left our hands: the production code whose call, message or task it struck."""

from __future__ import annotations

from dataclasses import replace

from socrates_amplify.model.events import Send, Turn
from socrates_amplify.model.evidence import Frame
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.judgement import Site
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, MESSAGE, STEP, kind_of
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.chain import surfaced


def site_of(case: Case) -> Site:
    """The site of the last fault whose code is known: what it did is what the test saw last.

    Of a scenario that was not reduced to its end, any fault may be it: then the one through whose
    code the error came, else the last one, with the number of the others.
    """
    calls = _sites_of_calls(case)
    if calls and case.minimal:
        return calls[-1][0]
    if calls:
        error = surfaced(case.evidence.links)
        passed = {(at.file, at.function) for at in error.link.frames} if error else set()
        on_the_way = [site for site, at in calls if (at.file, at.function) in passed]
        if on_the_way:
            return on_the_way[-1]
        others = len({site.key for site, _ in calls}) - 1
        last = calls[-1][0]
        name = f"{last.name} or {others} other call{'s' if others > 1 else ''}"
        # Which of them it is can't be told, so it is no group with those of which it can.
        return replace(last, name=name, key=f"{last.key}|or others") if others else last
    if not case.faults:
        return Site("", "nowhere")
    return _without_frames(case.faults[-1], case)


def _sites_of_calls(case: Case) -> list[tuple[Site, Frame]]:
    """Where production code made the faulted calls, in the order in which they were struck."""
    placed = {one.target: one for one in case.evidence.injections if one.site is not None}
    found: list[tuple[Site, Frame]] = []
    for fault in case.faults:
        one = placed.get(fault.target)
        if one is not None and one.site is not None and CALL in kind_of(fault.kind).channels:
            key = f"{one.site.file}|{one.site.function}|{one.call}"
            found.append((Site(key, one.site.function, one.site.place), one.site))
    return found


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
    own_name = stem.rpartition(".")[2] == message.rpartition(".")[2]
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
