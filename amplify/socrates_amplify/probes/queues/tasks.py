"""What a task of a queue is: its address, its readable call, its promises. For all queue probes.

A task's address is its name, with the queue in front if that is not the framework's usual one:
``charge``, ``mails/welcome``. Arguments are shown by ``name(args)``, long ones cut, secret ones
masked.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from types import CodeType

from socrates_amplify.model.events import Offer
from socrates_amplify.model.kinds import TASK
from socrates_amplify.record.identity import short
from socrates_amplify.record.masking import globs_of, hider
from socrates_amplify.record.messages import Actor, Context, Described, Message
from socrates_amplify.record.snapshot import UNSAFE, snapshot

LATER = ("delay", "reorder")
"""Kinds of faults that change when a task is handled."""

UNSEEN = "unseen"
"""Offered in place of faults by a task that a worker handles in a way of its own, many as one say."""

MASKED = "***"
_NOTHING: dict[str, object] = {}
_GONE: tuple[tuple[object, ...], dict[str, object]] = ((), _NOTHING)
_WIDE = 40
_LONG = 80


class Mask:
    """Hides values by globs that fit an argument's name, a key, or a text itself."""

    def __init__(self, globs: Iterable[str] = ()) -> None:
        self._values = tuple(globs)
        self._hides = hider(self._values)

    def __call__(self, value: object, name: str = "") -> object:
        """``value``, or what may be shown of it."""
        if name and self._hides(name):
            return MASKED
        if isinstance(value, str):
            fits = any(fnmatchcase(value, glob) for glob in self._values)
            return MASKED if fits else value
        if type(value) is dict:
            return {key: self(item, key if type(key) is str else "") for key, item in value.items()}
        if type(value) is list:
            return [self(item) for item in value]
        if type(value) is tuple:
            return tuple(self(item) for item in value)
        return value


def mask_in(config: Mapping[str, object], table: str) -> Mask:
    """The mask that a probe's table asks for; raises ``SocratesError`` for anything but globs."""
    return Mask(globs_of(config.get("mask", ()), f"[tool.socrates.amplify.{table}] mask"))


class TaskType:
    """All that messages for one task have in common."""

    def __init__(
        self,
        name: str,
        function: Callable[..., object] | None,
        *,
        queue: str = "",
        offers: Sequence[str] = (),
        promise: str = "",
        because: str = "",
        mask: Mask | None = None,
        root: str = "",
    ) -> None:
        self.call = name.rpartition(".")[2]
        self.type = type_of(function) or f":{name}"
        self.handler = handler_of(function, root)
        self._offers = tuple(Offer(kind) for kind in offers)
        self._offers_joining = in_line(self._offers)
        self.promise = promise
        self._because = because
        self._mask = mask or Mask()
        self._names = _parameters(function)
        self._promised = "duplicate" in offers
        self.actor = Actor(object, None, False, self.describe)
        self.actor.key = self.actor.address = f"{queue}/{name}" if queue else name

    def describe(self, sent: Message, content: object) -> Described:
        """What the trace says about one message."""
        args, kwargs = self._masked(*content)  # type: ignore[misc]
        note, offers = "", self._offers
        if isinstance(sent, Task):
            note = sent.note
            offers = self._offers_joining if sent.joins else offers
        return Described(
            type=self.type,
            content=(args, kwargs),
            label=self._label(args, kwargs, note),
            at_least_once=self._promised,
            handler=self.handler,
            promise=self.promise,
            offers=offers,
            channel=TASK,
            because=self._because,
        )

    def result(self, value: object) -> object:
        """What may be shown of a result."""
        return self._mask(value)

    def _masked(
        self, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object]]:
        names = [*self._names, *[""] * len(args)]
        shown = tuple(self._mask(item, name) for item, name in zip(args, names, strict=False))
        return shown, {key: self._mask(item, str(key)) for key, item in kwargs.items()}

    def _label(self, args: Sequence[object], kwargs: Mapping[str, object], note: str) -> str:
        parts = [_shown(item) for item in args]
        parts += [f"{name}={_shown(item)}" for name, item in kwargs.items()]
        inner = ", ".join(parts)
        room = max(_LONG - len(self.call) - 2, 12)
        inner = inner if len(inner) <= room else inner[: room - 3] + "..."
        return f"{self.call}({inner})" + (f" {note}" if note else "")


class Task(Message):
    """One message for a task. ``note`` says what is special about it, such as ``retry 1``.

    ``joins``: it is sent when others have been handled, so it can't overtake them.
    """

    __slots__ = ("_given", "answered", "joins", "kind", "note", "token", "turns")
    token: str
    """What processes of their own call it; only where one of them has it."""

    def __init__(
        self,
        kind: TaskType,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        context: Context,
        site: tuple[CodeType, int],
        note: str = "",
    ) -> None:
        # Not by way of ``Message.__init__``: there is one task for each message of a run.
        self.payload = self._given = (args, kwargs)
        self.actor = kind.actor
        self.context = context
        self.code, self.lasti = site
        self.wants_reply = False
        self.kind = kind
        self.note = note
        self.joins = False
        self.answered = False
        self.turns = 0

    def keep(self) -> bool:
        """Make the content safe to be read after the run; False when it must be read at once."""
        args, kwargs = self._given
        kept = snapshot(args if type(args) is tuple else tuple(args))
        named = snapshot(dict(kwargs)) if kwargs else _NOTHING
        if kept is UNSAFE or named is UNSAFE:
            return False
        self.content = (kept, named)
        return True

    def forget(self) -> None:
        """Let go of what was sent: the log keeps the note to the end of the run."""
        self.payload = self._given = _GONE


def in_line(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """What is offered by a task that others can't overtake."""
    return tuple(offer for offer in offers if offer.kind not in LATER)


def _shown(value: object) -> str:
    return value if value is MASKED else short(value, limit=_WIDE)


def _parameters(function: Callable[..., object] | None) -> tuple[str, ...]:
    try:
        signature = inspect.signature(function) if function is not None else None
    except (TypeError, ValueError):
        signature = None
    if signature is None:
        return ()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(name for name, item in signature.parameters.items() if item.kind in positional)


def type_of(function: Callable[..., object] | None) -> str:
    """``module:function``, by which settings speak of a task."""
    plain = inspect.unwrap(function) if function is not None else None
    module, name = getattr(plain, "__module__", ""), getattr(plain, "__qualname__", "")
    return f"{module}:{name}" if module and name else ""


def handler_of(function: Callable[..., object] | None, root: str) -> str:
    """``file:line`` of a task's code, relative to the project."""
    plain = inspect.unwrap(function) if function is not None else None
    code = getattr(plain, "__code__", None)
    if code is None:
        return ""
    filename = code.co_filename
    if root and filename.startswith(root + os.sep):
        filename = filename[len(root) + 1 :].replace(os.sep, "/")
    return f"{filename}:{code.co_firstlineno}"
