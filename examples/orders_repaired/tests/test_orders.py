"""What a customer asks for happens."""

from __future__ import annotations

from conftest import Wait
from orders import Bank, Carrier, Mailbox, Store, change_address, place


def test_money_is_taken(wait: Wait, bank: Bank) -> None:
    place("A-1", 30, "Main Street 1")
    wait()

    assert bank.taken == 30


def test_parcel_is_fetched(wait: Wait, carrier: Carrier) -> None:
    place("A-2", 30, "Main Street 2")
    wait()

    assert len(carrier.parcels) == 1


def test_customer_is_told(wait: Wait, mailbox: Mailbox) -> None:
    place("A-3", 30, "Main Street 3")
    wait()

    assert list(mailbox.mails) == ["confirmation of A-3"]


def test_last_address_counts(wait: Wait, store: Store) -> None:
    change_address.send("Ada", "Main Street 4", version=1)
    change_address.send("Ada", "Side Street 5", version=2)
    wait()

    assert store.read("Ada")["address"] == "Side Street 5"
