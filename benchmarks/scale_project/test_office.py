"""Twenty tests of which some are longer than others, and one with a long search."""

from __future__ import annotations

import pytest
from office import Clerk, Entry, Total
from pykka import ActorRegistry


def balance(clerks: int, seconds: float, careless: bool) -> list[object]:
    """Two entries for each clerk, one clerk after the other; the totals they tell."""
    found = []
    for number in range(clerks):
        clerk = Clerk.start({}, seconds, careless and number == clerks - 1)
        clerk.tell(Entry(2 * number, 10))
        clerk.tell(Entry(2 * number + 1, 32))
        found.append(clerk.ask(Total()))
    ActorRegistry.stop_all()
    return found


@pytest.mark.parametrize("number", range(20))
def test_totals(number: int) -> None:
    clerks = 1 + number % 4
    assert balance(clerks, 0.04 + 0.01 * (number % 7), number % 5 == 0) == [42] * clerks


def test_long_search() -> None:
    assert balance(12, 0.02, careless=False) == [42] * 12


def test_long_search_with_a_defect() -> None:
    assert balance(12, 0.02, careless=True) == [42] * 12
