"""Knows how many pieces are in the house, and how many of them are spoken for."""

from __future__ import annotations

from pykka import ThreadingActor

from warehouse.journal import Journal
from warehouse.messages import Available, Counted, CountIn, OnHand, OpeningBalance, Reserve


class Stock(ThreadingActor):
    """Counts what the dock delivers and sets pieces aside for orders."""

    persistence_id = "stock"

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal
        self._on_hand = 0
        self._reserved = 0

    def on_start(self) -> None:
        """Recover."""
        for entry in self._journal:
            self._apply(entry)

    def on_receive(self, message: object) -> object:
        """Count, reserve, or answer."""
        match message:
            case CountIn():
                return self._count(message)
            case Reserve():
                return self._reserve(message)
            case OnHand():
                return self._on_hand
            case Available():
                return self._on_hand - self._reserved
        return None

    def _count(self, delivery: CountIn) -> None:
        self._persist(delivery)
        delivery.sender.tell(Counted(delivery.delivery_id))

    def _reserve(self, order: Reserve) -> bool:
        if order.quantity > self._on_hand - self._reserved:
            return False
        self._reserved += order.quantity
        return True

    def _persist(self, event: CountIn) -> None:
        self._journal.write(event)
        self._apply(event)

    def _apply(self, event: object) -> None:
        match event:
            case CountIn(quantity=quantity) | OpeningBalance(quantity):
                self._on_hand += quantity
