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
        self._counted: set[int] = set()

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
        if delivery.delivery_id not in self._counted:
            self._persist(delivery)
        delivery.sender.tell(Counted(delivery.delivery_id))

    def _reserve(self, order: Reserve) -> bool:
        if order.quantity > self._on_hand - self._reserved:
            return False
        self._persist(order)
        return True

    def _persist(self, event: CountIn | Reserve) -> None:
        self._journal.write(event)
        self._apply(event)

    def _apply(self, event: object) -> None:
        match event:
            case CountIn(delivery_id, quantity):
                self._counted.add(delivery_id)
                self._on_hand += quantity
            case Reserve(_, quantity):
                self._reserved += quantity
            case OpeningBalance(quantity):
                self._on_hand += quantity
