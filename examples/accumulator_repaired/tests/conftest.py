"""A running warehouse for each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pykka import ActorRef, ActorRegistry
from warehouse import Dock, Journal, OpeningBalance, Stock


@pytest.fixture
def stock() -> Iterator[ActorRef[Any]]:
    """An empty stock."""
    yield Stock.start(Journal())
    ActorRegistry.stop_all()


@pytest.fixture
def full_stock() -> Iterator[ActorRef[Any]]:
    """A stock that opens with ten pieces."""
    yield Stock.start(Journal([OpeningBalance(quantity=10)]))
    ActorRegistry.stop_all()


@pytest.fixture
def dock(stock: ActorRef[Any]) -> ActorRef[Any]:
    """A dock that delivers to ``stock``; stopped with it."""
    return Dock.start(Journal(), stock)
