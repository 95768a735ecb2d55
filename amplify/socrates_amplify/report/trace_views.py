"""One trace, shown: as a tree for people, as JSON for programs, as mermaid for documents."""

from __future__ import annotations

import json
from collections import defaultdict

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from socrates_amplify.model.events import TEST, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.serial import trace_to_json
from socrates_amplify.report.explain import shorten
from socrates_amplify.report.text import printable

_MERMAID = str.maketrans(
    {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", '"': "#quot;", ":": "#58;", "%": "#37;"}
)


def tree(nodeid: str, trace: Trace) -> RenderableType:
    """Every message under the one whose turn sent it, with its answer."""
    replies = {
        event.target: event.value for event in reversed(trace.events) if isinstance(event, Reply)
    }
    failed = {event.target for event in trace.events if isinstance(event, Turn) and event.failed}
    root = Tree(Text(printable(nodeid), style="bold"))
    branches: dict[str | None, Tree] = {None: root}
    for send in (send for send in trace.sends if not send.internal):
        parent = branches.get(send.cause, root)
        value = replies.get(send.target) if send.wants_reply else None
        branches[send.target] = parent.add(_label(send, value, send.target in failed))
    return root


def as_json(nodeid: str, trace: Trace) -> str:
    """The whole trace as one document."""
    return json.dumps({"nodeid": nodeid, **trace_to_json(trace)}, indent=2) + "\n"


def mermaid(trace: Trace) -> str:
    """A mermaid sequence diagram. Names are quoted, so that no name can break its grammar."""
    sends = {send.target: send for send in trace.sends if not send.internal}
    aliases: dict[str, str] = defaultdict(lambda: f"a{len(aliases)}")
    body: list[str] = []
    aliases[TEST]
    for event in trace.events:
        match event:
            case Send(target, sender, receiver, message) if target in sends:
                body.append(f"{aliases[sender]}->>{aliases[receiver]}: {_quoted(message)}")
            case Reply(actor, target, value, _) if target in sends and sends[target].wants_reply:
                asker = sends[target].sender
                body.append(f"{aliases[actor]}-->>{aliases[asker]}: {_quoted(value)}")
            case Injected(target, kind) if target in sends:
                body.append(f"note over {aliases[sends[target].receiver]}: {_quoted(kind)}")
            case _:
                pass
    people = [f"participant {alias} as {_quoted(name)}" for name, alias in aliases.items()]
    return "\n    ".join(["sequenceDiagram", *people, *body]) + "\n"


def _label(send: Send, value: str | None, failed: bool) -> Text:
    label = Text.assemble(
        (printable(f"{send.sender} -> {send.receiver}"), "cyan"),
        "  ",
        shorten(printable(send.message), 90),
    )
    if send.at_least_once:
        label.append("  at least once", style="dim")
    if value is not None:
        label.append(f"  = {shorten(printable(value))}", style="green")
    if failed:
        label.append("  failed", style="red")
    return label


def _quoted(text: str) -> str:
    return shorten(printable(text), 80).translate(_MERMAID) or "#32;"
