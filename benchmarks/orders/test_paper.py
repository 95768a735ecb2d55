"""The subjects as they are, and repaired. Plain pytest passes nearly always."""

from __future__ import annotations

import pytest
from paper import barber, listing_1, messenger, registry


@pytest.mark.parametrize("action", [listing_1.Action, listing_1.RepairedAction])
def test_every_result_is_written(action: type[listing_1.Action]) -> None:
    assert sorted(listing_1.run(action, ("a", "b"))) == ["a", "b"]


@pytest.mark.parametrize("shop", [barber.Shop, barber.RepairedShop])
def test_every_customer_is_served(shop: type[barber.Shop]) -> None:
    assert barber.run(shop, 3) == 3


@pytest.mark.parametrize("server", [messenger.Server, messenger.RepairedServer])
def test_what_is_said_is_heard(server: type[messenger.Server]) -> None:
    assert messenger.run(server) == "hello"


@pytest.mark.parametrize("kind", [registry.Registry, registry.RepairedRegistry])
def test_a_service_is_started_once(kind: type[registry.Registry]) -> None:
    assert registry.run(kind) < 2
