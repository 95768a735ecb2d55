"""An order service: what a customer asks for is done by tasks, one after the other."""

from orders.tasks import broker, change_address, charge, confirm, place, ship
from orders.world import Bank, Carrier, Mailbox, Store

__all__ = [
    "Bank",
    "Carrier",
    "Mailbox",
    "Store",
    "broker",
    "change_address",
    "charge",
    "confirm",
    "place",
    "ship",
]
