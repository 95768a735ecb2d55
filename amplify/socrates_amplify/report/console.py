"""Text for people: the same on every terminal but for colour and encoding.

rich is slow to import. Lines without colours need nothing of it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.line import Line

if TYPE_CHECKING:
    from rich.console import Console

_WIDE = 10_000
"""Columns. A console cuts off what is wider; a long line is better than half a message."""


def printed(show: Callable[[Console], None], context: ReportContext) -> str:
    """What ``show`` prints. Names come out as they are: no markup, no emoji, no highlighting."""
    from rich.console import Console

    console = Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding=context.encoding),
        width=_WIDE,
        force_terminal=context.color,
        no_color=not context.color,
        color_system="auto" if context.color else None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    with console.capture() as captured:
        show(console)
    return captured.get()


def printed_lines(lines: Iterable[Line], context: ReportContext) -> str:
    """These lines, in colour where the context asks for it."""
    if not context.color:
        return "".join(f"{line.plain.expandtabs()}\n" for line in lines)

    def show(console: Console) -> None:
        from rich.text import Text

        for line in lines:
            console.print(Text.assemble(*line.parts), soft_wrap=True)

    return printed(show, context)
