"""What a Pykka message is: its type, its readable form, and whether it is promised to arrive."""

from __future__ import annotations

import functools
import inspect
import os

from pykka import Actor, messages

from socrates.classes.quick import quickly
from socrates_amplify.probes.patterns import fitting, names_of
from socrates_amplify.record.identity import StandIn, short
from socrates_amplify.record.messages import Described, Message
from socrates_amplify.record.whose import Roles

_described = quickly(Described)


class Describer:
    """Reads messages and actor classes in the light of the project's patterns."""

    def __init__(
        self,
        persistent: tuple[str, ...],
        at_least_once: tuple[str, ...],
        root: str,
        name_of: StandIn,
    ) -> None:
        self._persistent = persistent
        self._at_least_once = at_least_once
        self._roles = Roles(root, "")
        self._name_of = name_of
        self._handler = functools.lru_cache(maxsize=None)(self._find_handler)
        self._promised = functools.lru_cache(maxsize=None)(self._find_promise)
        self._sorts: dict[tuple[type, type], tuple[str, str, str]] = {}

    stop = messages._ActorStop
    """Pykka's own request to stop."""
    own = (messages._ActorStop, messages.ProxyCall, messages.ProxyGetAttr, messages.ProxySetAttr)
    """All messages that Pykka handles itself."""

    def persistent_by(self, kind: type) -> str:
        """The patterns, one a line, that say that such actors survive a restart."""
        return fitting(self._persistent, names_of(kind))

    def found_persistent(self, kind: type, actor: object) -> bool:
        """Whether the actor itself shows that it survives a restart by its own means."""
        return hasattr(kind, "persistence_id") or hasattr(actor, "persistence_id")

    def describe(self, sent: Message, message: object) -> Described:
        """What the trace says about this message."""
        kind = sent.actor.kind
        sort: type = type(message)
        if sort.__module__ != "pykka.messages":
            known = self._sorts.get((sort, kind)) or self._find_sort(sort, kind)
            told, promise, handler = known
            sure = bool(promise) or (sort is not int and _delivery_id_in(message))
            return _described(told, message, None, sure, False, handler, promise)
        if isinstance(message, messages.ProxyCall):
            path = ".".join(message.attr_path)
            if getattr(kind, path, None) is Actor.stop:
                return Described("pykka:stop", None, "stop()", internal=True)
            promise = self._promised(kind, path)
            return Described(
                type=f"{names_of(kind)[0]}.{path}",
                content=(path, tuple(message.args), message.kwargs),
                label=self._call(path, message),
                at_least_once=bool(promise) or _has_delivery_id(message),
                handler=self._handler(kind, path),
                promise=promise,
            )
        if isinstance(message, messages.ProxySetAttr):
            path = ".".join(message.attr_path)
            promise = self._promised(kind, path)
            return Described(
                type=f"{names_of(kind)[0]}.{path}",
                content=(path, message.value),
                label=f".{path} = {short(message.value, self._name_of)}",
                at_least_once=bool(promise),
                promise=promise,
            )
        if isinstance(message, messages.ProxyGetAttr):
            path = ".".join(message.attr_path)
            return Described(f"{names_of(kind)[0]}.{path}", path, f".{path}", internal=True)
        return Described("pykka:stop", None, "stop", internal=True)

    def _call(self, path: str, message: messages.ProxyCall) -> str:
        parts = [short(item, self._name_of) for item in message.args]
        parts += [f"{name}={short(item, self._name_of)}" for name, item in message.kwargs.items()]
        return short(_Verbatim(f"{path}({', '.join(parts)})"))

    def _find_sort(self, sort: type, kind: type) -> tuple[str, str, str]:
        """What all messages of one type to one kind of actors have in common."""
        told = f"{sort.__module__}:{sort.__qualname__}"
        promise, handler = self._promised(sort, ""), self._handler(kind, "on_receive")
        self._sorts[sort, kind] = known = (told, promise, handler)
        return known

    def _find_promise(self, kind: type, member: str) -> str:
        return fitting(self._at_least_once, names_of(kind, member))

    def _find_handler(self, kind: type, path: str) -> str:
        member: object = kind
        for name in path.split("."):
            member = getattr(member, name, None)
        code = getattr(inspect.unwrap(member), "__code__", None) if callable(member) else None
        if code is None:
            return ""
        filename = code.co_filename
        root = self._roles.root
        if self._roles.is_production(code) or (root and filename.startswith(root + os.sep)):
            filename = self._roles.relative(filename)  # also of an installed copy of the project
        return f"{filename}:{code.co_firstlineno}"


class _Verbatim:
    """A text that shows itself without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _has_delivery_id(message: messages.ProxyCall) -> bool:
    return "delivery_id" in message.kwargs or any(_delivery_id_in(item) for item in message.args)


def _delivery_id_in(message: object) -> bool:
    if isinstance(message, dict):
        return "delivery_id" in message
    return hasattr(message, "delivery_id")
