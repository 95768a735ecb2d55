"""Names and captions as a drawing has room for them."""

from __future__ import annotations

from socrates_amplify.model.kinds import CALL, TASK
from socrates_amplify.report.system_map import Link
from socrates_amplify.report.words import counted, shorten

_NAME = 25
_CAPTION = 24


def short_name(name: str, limit: int = _NAME) -> str:
    """A name, cut where it says least: the front of a path or host, else the end."""
    line = " ".join(name.split())
    if len(line) <= limit:
        return line
    *parts, kept = line.split("/")
    while parts and len(parts[-1]) + len(kept) + 3 <= limit:
        kept = f"{parts.pop()}/{kept}"
    return shorten(f"…/{kept}" if parts else kept, limit)


def caption(link: Link, limit: int = _CAPTION) -> str:
    """What goes along a link: the one thing, or how many."""
    if len(link.exchanges) == 1:
        return shorten(link.exchanges[0].what, limit)
    whats = {one.what for one in link.exchanges}
    if len(whats) == 1:
        return shorten(whats.pop(), limit)
    noun = "call" if link.channel == CALL else "task" if link.channel == TASK else "message"
    return counted(len(whats), noun)
