"""Notes in the log of a run, besides actors and messages. Light, because there may be one per message."""

from __future__ import annotations

from socrates_amplify.record.messages import Message


class Redelivery:
    """A message is handled once more."""

    __slots__ = ("copy", "sent")

    def __init__(self, sent: Message, copy: int) -> None:
        self.sent = sent
        self.copy = copy


class Answer:
    """The first turn of a message answered; the value is let go of once it is resolved."""

    __slots__ = ("sent", "value")

    def __init__(self, sent: Message, value: object) -> None:
        self.sent = sent
        self.value = value


class Hit:
    """A fault was applied to a message."""

    __slots__ = ("kind", "sent")

    def __init__(self, sent: Message, kind: str) -> None:
        self.sent = sent
        self.kind = kind
