"""Where the test answers what its services ask through the channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from socrates_amplify.probes.http.calls.journal import LocalJournal
from socrates_amplify.probes.http.calls.outgoing import Outgoing
from socrates_amplify.record.messages import Context


def answer(
    journal: LocalJournal, request: Mapping[str, Any], context_of: Callable[[str], Context]
) -> object:
    """The reply to one request; both ends are ours, so nothing else comes in.

    ``context_of`` says what a token stands for: a call, or a message of whatever kind.
    """
    match request["do"]:
        case "hello":
            settings = journal.settings
            return {
                "header": settings.header,
                "slow": settings.slow,
                "honest_timeouts": settings.honest_timeouts,
            }
        case "begin":
            outgoing = Outgoing(**request["outgoing"])
            context = context_of(request["cause"])
            begun = journal.begin_for(context, request["sender"], outgoing, request["way"])
            return [begun.number, begun.token, begun.kind, begun.detail]
        case "enter" | "handled":
            call = journal.call_of(request["token"])
            if call is not None:
                journal.entered(call)
                journal.placed(call, request.get("place", ""))
        case "listening":
            return journal.listening(request["port"], request["hint"], request["shown"])
        case "tell":
            journal.tell(request["what"], request["number"], *request["details"])
    return None
