"""Takes goods in and sees to it that stock hears of every delivery."""

from __future__ import annotations

from typing import Any

from pykka import ActorRef, ThreadingActor

from warehouse.journal import Journal
from warehouse.messages import Arrival, Counted, CountIn, Retry, Waiting


class Dock(ThreadingActor):
    """Sends each arrival to ``stock`` until it is confirmed."""

    persistence_id = "dock"

    def __init__(self, journal: Journal, stock: ActorRef[Any]) -> None:
        super().__init__()
        self._journal = journal
        self._stock = stock
        self._last_id = 0
        self._waiting: dict[int, Arrival] = {}

    def on_start(self) -> None:
        """Recover."""
        for entry in self._journal:
            self._apply(entry)

    def on_receive(self, message: object) -> object:
        """Take in, confirm, send again, or answer."""
        match message:
            case Arrival():
                self._persist(message)
                self._deliver(self._last_id)
                return self._last_id
            case Counted():
                self._persist(message)
            case Retry():
                for delivery_id in self._waiting:
                    self._deliver(delivery_id)
            case Waiting():
                return sorted(self._waiting)
        return None

    def _deliver(self, delivery_id: int) -> None:
        arrival = self._waiting[delivery_id]
        self._stock.tell(CountIn(delivery_id, arrival.quantity, self.actor_ref))

    def _persist(self, event: Arrival | Counted) -> None:
        self._journal.write(event)
        self._apply(event)

    def _apply(self, event: object) -> None:
        match event:
            case Arrival():
                self._last_id += 1
                self._waiting[self._last_id] = event
            case Counted(delivery_id):
                self._waiting.pop(delivery_id, None)
