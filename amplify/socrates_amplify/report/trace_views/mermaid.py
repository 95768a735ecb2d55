"""A trace for documents: a mermaid sequence diagram."""

from __future__ import annotations

from collections import defaultdict

from socrates_amplify.model.events import TEST, Injected, Reply, Send
from socrates_amplify.model.results import TracedTest
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.words import printable, shorten

_ESCAPES = str.maketrans(
    {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", '"': "#quot;", ":": "#58;", "%": "#37;"}
)


def render(traced: TracedTest, context: ReportContext) -> str:
    """The messages, their answers and applied faults. No name can break mermaid's grammar."""
    trace = traced.trace
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
    names = [f"participant {alias} as {_quoted(name)}" for name, alias in aliases.items()]
    return "\n    ".join(["sequenceDiagram", *names, *body]) + "\n"


def _quoted(text: str) -> str:
    return shorten(printable(text), 80).translate(_ESCAPES) or "#32;"
