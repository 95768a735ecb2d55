"""Text for people, printed through rich: the same on every terminal but for colour and encoding."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from socrates_amplify.report.context import ReportContext

_WIDE = 10_000
"""Columns. A console cuts off what is wider; a long line is better than half a message."""


def printed(show: Callable[[Console], None], context: ReportContext) -> str:
    """What ``show`` prints. Names come out as they are: no markup, no emoji, no highlighting."""
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
