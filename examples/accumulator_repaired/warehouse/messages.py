"""What the actors say to each other. A message with a ``delivery_id`` is sent at least once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pykka import ActorRef


@dataclass(frozen=True)
class Arrival:
    """A lorry brought ``quantity`` pieces. The dock answers with the number of the delivery."""

    quantity: int


@dataclass(frozen=True)
class CountIn:
    """Dock to stock: count these pieces, then confirm to ``sender``."""

    delivery_id: int
    quantity: int
    sender: ActorRef[Any] = field(repr=False)


@dataclass(frozen=True)
class Counted:
    """Stock to dock: this delivery has been counted and need not be sent again."""

    delivery_id: int


@dataclass(frozen=True)
class Retry:
    """From a timer, in production: send again what has not been confirmed."""


@dataclass(frozen=True)
class Waiting:
    """Asks the dock for the deliveries that stock has not confirmed."""


@dataclass(frozen=True)
class Reserve:
    """Sets ``quantity`` pieces aside for an order. Answers whether there were enough."""

    order: str
    quantity: int


@dataclass(frozen=True)
class OpeningBalance:
    """The first entry of a stock's journal: what was there before we counted."""

    quantity: int


@dataclass(frozen=True)
class OnHand:
    """Asks for the number of pieces in the house."""


@dataclass(frozen=True)
class Available:
    """Asks for the number of pieces that nobody has reserved."""
