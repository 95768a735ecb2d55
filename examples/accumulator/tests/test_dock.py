"""What comes in at the dock is counted in stock."""

from __future__ import annotations

from typing import Any

from pykka import ActorRef
from warehouse import Arrival, OnHand, Waiting


def test_total_is_kept(dock: ActorRef[Any], stock: ActorRef[Any]) -> None:
    for quantity in range(1, 11):
        dock.ask(Arrival(quantity))

    assert stock.ask(OnHand()) == 55


def test_every_delivery_is_confirmed(dock: ActorRef[Any], stock: ActorRef[Any]) -> None:
    for quantity in (5, 7, 9):
        dock.ask(Arrival(quantity))
    stock.ask(OnHand())  # the confirmations are on their way before this answer

    assert dock.ask(Waiting()) == []
