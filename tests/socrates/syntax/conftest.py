"""Random programs and the comparison of trees, which the benchmark uses, too."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(Path(__file__).parents[3] / "benchmarks")
    from parity import programs, trees


@pytest.fixture(scope="session")
def program() -> Callable[[random.Random], str]:
    """Makes a program at random."""
    return programs.program


@pytest.fixture(scope="session")
def first_difference() -> Callable[[object, object], str]:
    """Where two trees differ; empty when they are the same."""
    return trees.first_difference
