"""The map for people: each sender with what it sends to whom, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Console
from rich.text import Text

from socrates_amplify.model.exchanges import Exchange, Tried
from socrates_amplify.report.console import printed
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.fault_coverage import line_about
from socrates_amplify.report.system_map import EdgeState, SystemMap, state_of
from socrates_amplify.report.words import counted, printable, shorten

STYLES = {
    EdgeState.BROKE: "bold red",
    EdgeState.UNEXERCISED: "magenta",
    EdgeState.UNTRIED: "yellow",
    EdgeState.PARTLY: "yellow",
    EdgeState.NOTICED: "cyan",
    EdgeState.SURVIVED: "green",
    EdgeState.NOTHING: "dim",
}
_WIDEST = 60


def render(drawn: SystemMap, context: ReportContext) -> str:
    """Sender by sender, then fault coverage and what the map rests on."""
    return printed(lambda console: _show(drawn, console, context), context)


def _show(drawn: SystemMap, console: Console, context: ReportContext) -> None:
    for sender, sent in groupby(drawn.exchanges, key=lambda one: (one.sender, one.sender_kind)):
        console.print(Text(f"{printable(sender[0])}  ({sender[1]})", style="bold"))
        for line in _lines(list(sent)):
            console.print(line, soft_wrap=True)
        console.print()
    if context.quiet:
        return
    if drawn.coverage.of:
        console.print(Text(line_about(drawn.coverage)), soft_wrap=True)
    console.print(Text(based_on(drawn), style="dim"), soft_wrap=True)


def based_on(drawn: SystemMap) -> str:
    """What the map was made of."""
    made = f"from the traces of {counted(drawn.tests, 'test')}"
    if drawn.earlier:
        made += f"; {drawn.earlier} of them last ran on other code"
    return made


def _lines(sent: list[Exchange]) -> Iterator[Text]:
    heads = [_head(one) for one in sent]
    width = min(_WIDEST, max(map(len, heads)))
    for head, one in zip(heads, sent, strict=True):
        state = state_of(one)
        line = Text(f"  {head.ljust(width)}  ")
        line.append(told_of(one), style=STYLES[state])
        yield line


def _head(one: Exchange) -> str:
    own_name = one.receiver.rpartition("/")[2] == one.what
    return shorten(printable(f"-> {one.receiver}{'' if own_name else f' {one.what}'}"), _WIDEST)


def told_of(exchange: Exchange) -> str:
    """What is known of an exchange, in a few words."""
    state, kinds = state_of(exchange), kinds_told(exchange)
    if state is EdgeState.UNEXERCISED:
        return f"{state.value}; {kinds}" if kinds else state.value
    return kinds or state.value


def kinds_told(exchange: Exchange) -> str:
    """``broke timeout; survived status``: the kinds by what is known of them."""
    words = []
    for tried in Tried:
        kinds = [printable(kind) for kind, state in exchange.kinds.items() if state is tried]
        if kinds:
            words.append(f"{tried.value} {', '.join(kinds)}")
    return "; ".join(words)
