"""An actor that counts: a message that comes twice is counted twice, and a restart forgets all."""

from dataclasses import dataclass

import pykka

LIMIT = 100


@dataclass(frozen=True)
class Add:
    delivery_id: int
    amount: int


@dataclass(frozen=True)
class Total:
    pass


class Counter(pykka.ThreadingActor):
    persistence_id = "counter"

    def __init__(self):
        super().__init__()
        self.total = 0

    def on_receive(self, message):
        if isinstance(message, Total):
            return min(self.total, LIMIT)
        self.total += message.amount
        return None
