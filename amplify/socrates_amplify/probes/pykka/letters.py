"""What travels through a Pykka inbox while the probe is on, and how an actor is taken apart."""

from __future__ import annotations

import sys
from types import CodeType
from typing import TYPE_CHECKING, Any

from socrates_amplify.record.messages import Actor, Context, Message

if TYPE_CHECKING:
    import pykka


class Letter(Message):
    """A note that is its own envelope: what the loop takes out of it is the note again."""

    __slots__ = ("reply_to",)

    def __init__(
        self,
        payload: object,
        actor: Actor,
        context: Context,
        code: CodeType,
        lasti: int,
        reply_to: Any,
    ) -> None:
        # Not by way of ``Message.__init__``: there is one letter for each message of a run.
        self.payload = payload
        self.actor = actor
        self.context = context
        self.code = code
        self.lasti = lasti
        self.wants_reply = reply_to is not None
        self.reply_to = reply_to

    @property
    def message(self) -> object:
        """The note, where Pykka's loop asks; what was sent, for code that looks into an inbox by itself."""
        asker = sys._getframe(1).f_globals.get("__name__", "")
        return self if asker.startswith("pykka.") else self.payload


class Redelivery(Letter):
    """A second delivery of a letter, on its way through the inbox like any other."""

    __slots__ = ("copy_of",)

    def __init__(self, letter: Letter, payload: object) -> None:
        super().__init__(payload, letter.actor, letter.context, letter.code, letter.lasti, None)
        self.copy_of = letter
        self.target = letter.target
        self.faults = ()


def post(ref: pykka.ActorRef[Any], letter: Letter) -> None:
    """What ``tell`` and ``ask`` do with a message, done by whoever lets a held one go."""
    import pykka

    if not ref.actor_stopped.is_set():
        ref.actor_inbox.put(letter)  # type: ignore[arg-type]
    elif letter.reply_to is not None:
        dead = pykka.ActorDeadError(f"{ref} not found")
        letter.reply_to.set_exception((pykka.ActorDeadError, dead, None))


def instance_of(ref: pykka.ActorRef[Any]) -> object:
    """The actor behind a reference; newer versions hold it weakly."""
    weakly = getattr(ref, "_actor_weakref", None)
    return weakly() if weakly is not None else getattr(ref, "_actor", None)


def forget(actor: pykka.Actor) -> None:
    """Leave the instance with nothing but what the framework needs to go on."""
    kept = {
        name: getattr(actor, name)
        for name in ("actor_urn", "actor_inbox", "actor_stopped", "_actor_ref")
    }
    for base in type(actor).__mro__:
        for name in base.__dict__.get("__slots__", ()):
            if name not in ("__dict__", "__weakref__") and hasattr(actor, name):
                delattr(actor, name)
    actor.__dict__.clear()
    actor.__dict__.update(kept)
