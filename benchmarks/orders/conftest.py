"""Every test of the subjects leaves no actor behind."""

from __future__ import annotations

from collections.abc import Iterator

import pykka
import pytest


@pytest.fixture(autouse=True)
def no_actor_is_left() -> Iterator[None]:
    yield
    pykka.ActorRegistry.stop_all()
