"""Makes instances of frozen dataclasses for what ordinary ones cost.

A frozen dataclass sets each of its fields by a call, and a trace has several events for each message.
Here an ordinary class of the same fields sets them, and the instance then changes its class: from
there on it is frozen like any other.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from socrates.classes.lazy import dataclass

T = TypeVar("T")


def quickly(kind: type[T]) -> type[T]:
    """Called like ``kind``, a frozen dataclass with slots whose defaults are plain values."""

    def become(made: Any) -> None:
        made.__class__ = kind

    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    defaults = {one.name: one.default for one in fields if one.default is not dataclasses.MISSING}
    members = {
        "__annotations__": {one.name: one.type for one in fields},
        "__post_init__": become,
        **defaults,
    }
    twin: Any = dataclass(slots=True, eq=False, repr=False)(type(kind.__name__, (), members))
    return twin  # type: ignore[no-any-return]
