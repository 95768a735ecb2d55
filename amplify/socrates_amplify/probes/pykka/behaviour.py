"""Whether an actor behaves differently after a message: Pykka has no ``become``, so its attributes tell.

Flags, enumerations, functions, and whether an attribute is there or None decide how an actor answers
the next message; numbers, texts and collections are what it has learned.
"""

from __future__ import annotations

from enum import Enum
from types import FunctionType, MethodType

_DECIDES = (bool, type(None), Enum, FunctionType, MethodType, type)
_FRAMEWORK = frozenset({"actor_inbox", "actor_stopped", "actor_ref", "_actor_ref", "actor_urn"})


def behaviour_of(actor: object) -> dict[str, object]:
    """What decides how an actor answers; equal while it behaves in the same way."""
    attributes = getattr(actor, "__dict__", {})
    return {
        name: value if isinstance(value, _DECIDES) else type(value)
        for name, value in attributes.items()
        if name not in _FRAMEWORK
    }
