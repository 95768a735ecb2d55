"""What is set aside for one order is not sold to another."""

from __future__ import annotations

from typing import Any

from pykka import ActorRef
from warehouse import Available, Reserve


def test_reserved_pieces_are_not_available(full_stock: ActorRef[Any]) -> None:
    full_stock.ask(Reserve(order="A-1", quantity=4))

    assert full_stock.ask(Available()) == 6


def test_more_than_there_is_can_not_be_reserved(stock: ActorRef[Any]) -> None:
    assert stock.ask(Reserve(order="A-2", quantity=1)) is False
