"""Orders that only hurt together with another fault, as they are and repaired."""

from __future__ import annotations

import pytest
import together


@pytest.mark.parametrize("store", [together.Store, together.RepairedStore])
def test_the_last_value_stays(store: type[together.Store]) -> None:
    assert together.stored(store) == 2


@pytest.mark.parametrize("desk", [together.Desk, together.RepairedDesk])
def test_every_letter_is_filed(desk: type[together.Desk]) -> None:
    assert together.filed(desk) == "a letter"
