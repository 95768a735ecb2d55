"""What the command that started this process handed over in a variable of the environment."""

from __future__ import annotations

import os

import pytest

_TAKEN = pytest.StashKey[str]()


def take(config: pytest.Config, variable: str) -> None:
    """Take the variable before any ``conftest.py`` is loaded: one may clear the whole environment."""
    config.stash[_TAKEN] = os.environ.pop(variable, "")


def taken(config: pytest.Config) -> str:
    """What it said; empty where there was none, as in processes that the test starts."""
    return config.stash.get(_TAKEN, "")
