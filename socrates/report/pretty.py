"""JSON for people, piece by piece.

``json.dumps`` with an indent takes its slow way in Python and returns one text of everything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring_ascii as quoted

_STEP = "  "


def pretty(value: object, level: int = 0) -> str:
    """The same text as ``json.dumps(value, indent=2)``, whose first line stands at ``level``."""
    if type(value) is str:
        return quoted(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, Mapping):
        items = [f"{_key(key)}: {pretty(item, level + 1)}" for key, item in value.items()]
        return _enclosed("{", items, "}", level)
    if isinstance(value, (list, tuple)):
        return _enclosed("[", [pretty(item, level + 1) for item in value], "]", level)
    return json.dumps(value)


def pretty_items(items: Iterable[object], level: int = 0) -> Iterator[str]:
    """The pieces of a list as ``pretty`` would write it, one for each item."""
    line = "\n" + _STEP * (level + 1)
    start = "["
    for item in items:
        yield f"{start}{line}{pretty(item, level + 1)}"
        start = ","
    yield "[]" if start == "[" else f"\n{_STEP * level}]"


def _key(key: object) -> str:
    return quoted(key) if isinstance(key, str) else json.dumps({key: 0})[1:-4]


def _enclosed(start: str, items: list[str], end: str, level: int) -> str:
    if not items:
        return start + end
    line = "\n" + _STEP * (level + 1)
    return f"{start}{line}{(',' + line).join(items)}\n{_STEP * level}{end}"
