"""Whether an actor behaves differently after a message: Pykka has no ``become``, so its attributes tell.

Flags, enumerations, functions, and whether an attribute is there or None decide how an actor answers
the next message; numbers, texts and collections are what it has learned.
"""

from __future__ import annotations

from enum import Enum
from types import FunctionType, MethodType

_DECIDES = (bool, type(None), Enum, FunctionType, MethodType, type)
_FRAMEWORK = frozenset({"actor_inbox", "actor_stopped", "actor_ref", "_actor_ref", "actor_urn"})


class _Deciding(dict[type, bool]):
    """Whether values of a type decide; each type is looked at once."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = found = issubclass(kind, _DECIDES)
        return found


_deciding = _Deciding()


def behaviour_of(actor: object) -> dict[str, object]:
    """What decides how an actor answers; equal while it behaves in the same way."""
    attributes = getattr(actor, "__dict__", {})
    deciding, framework = _deciding, _FRAMEWORK
    return {
        name: value if deciding[kind := type(value)] else kind
        for name, value in attributes.items()
        if name not in framework
    }


def traits_of(actor: object) -> list[object]:
    """The same for a quick look: equal only where ``behaviour_of`` is, which takes twice as long."""
    attributes = getattr(actor, "__dict__", {})
    deciding = _deciding
    traits: list[object] = [
        value if deciding[kind := type(value)] else kind for value in attributes.values()
    ]
    traits += attributes
    return traits
