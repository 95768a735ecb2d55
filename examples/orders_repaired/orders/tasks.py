"""An order is placed, and tasks charge, ship and confirm it."""

from __future__ import annotations

from typing import Any

import dramatiq
from dramatiq.brokers.stub import StubBroker

from orders.world import bank, carrier, mailbox, store


class UnitOfWork(dramatiq.Middleware):
    """One transaction for each message: what a task changed is committed when it is done."""

    def before_process_message(self, broker: dramatiq.Broker, message: Any) -> None:
        store.begin()

    def after_process_message(
        self,
        broker: dramatiq.Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        if exception is None:
            store.commit()


broker = StubBroker()  # in production a RedisBroker
broker.add_middleware(UnitOfWork())
dramatiq.set_broker(broker)


def place(order: str, amount: int, address: str) -> None:
    """Take an order: what the web page calls."""
    store.begin()
    store.write(order, amount=amount, address=address)
    store.commit()
    charge.send(order, amount)


@dramatiq.actor
def charge(order: str, amount: int) -> None:
    """Take the money."""
    bank.charge(amount, key=order)
    store.write(order, paid=True)
    ship.send(order)
    confirm.send(order)


@dramatiq.actor
def ship(order: str) -> None:
    """Have the parcel fetched, once."""
    row = store.read(order)
    if row.get("shipped"):
        return
    carrier.book(row["address"], key=order)
    store.write(order, shipped=True)


@dramatiq.actor(queue_name="mails")
def confirm(order: str) -> None:
    """Tell the customer."""
    mailbox.send(f"confirmation of {order}", f"Your order {order} is on its way.")


@dramatiq.actor
def change_address(customer: str, address: str, version: int) -> None:
    """Remember where a customer lives; the newest change is the one that counts."""
    store.write(customer, address=address, version=version)
