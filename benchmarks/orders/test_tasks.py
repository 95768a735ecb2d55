"""Tasks of asyncio that sleep where real ones would wait for a service, as they are and repaired."""

from __future__ import annotations

import asyncio

import pytest
import tasks


@pytest.mark.parametrize("stock", [tasks.Stock, tasks.RepairedStock])
def test_one_piece_is_sold_once(stock: type[tasks.Stock]) -> None:
    assert asyncio.run(tasks.sold(stock)) == 1


@pytest.mark.parametrize("profile", [tasks.Profile, tasks.RepairedProfile])
def test_the_new_name_is_shown(profile: type[tasks.Profile]) -> None:
    assert asyncio.run(tasks.shown(profile)) == "new"
