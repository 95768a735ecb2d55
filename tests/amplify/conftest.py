"""What all tests of the amplifier share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def bare_pytest() -> Iterator[None]:
    """The many pytest processes that these tests start load no plugin that they don't name.

    Whatever happens to be installed here would else be imported in each of them, which takes ten
    times as long as the tests do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield
