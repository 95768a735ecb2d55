"""A trace for people: every message under the one whose turn sent it, with its answer."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from socrates_amplify.model.events import Reply, Send, Turn
from socrates_amplify.model.results import TracedTest
from socrates_amplify.report.console import printed
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.words import printable, shorten


def render(traced: TracedTest, context: ReportContext) -> str:
    """The tree, its root the test itself."""
    drawn = _tree(traced)
    return printed(lambda console: console.print(drawn, soft_wrap=True), context)


def _tree(traced: TracedTest) -> Tree:
    events = traced.trace.events
    replies = {event.target: event.value for event in reversed(events) if isinstance(event, Reply)}
    failed = {event.target for event in events if isinstance(event, Turn) and event.failed}
    root = Tree(Text(printable(traced.nodeid), style="bold"))
    branches: dict[str | None, Tree] = {None: root}
    for send in (send for send in traced.trace.sends if not send.internal):
        parent = branches.get(send.cause, root)
        value = replies.get(send.target) if send.wants_reply else None
        branches[send.target] = parent.add(_label(send, value, send.target in failed))
    return root


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
