"""What all tests of the amplifier share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

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


@pytest.fixture(scope="session")
def alive() -> Callable[[int], bool]:
    """Whether a process runs; one that has ended, but that nobody has waited for yet, does not."""

    def runs(pid: int) -> bool:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
        except (ProcessLookupError, FileNotFoundError):
            return False

    return runs
