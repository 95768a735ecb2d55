"""``pytest --amplify``: does nothing at all unless it is asked for.

This module is loaded in every pytest run of every project that has Socrates installed, so it
imports nothing beyond what pytest has imported already.
"""

from __future__ import annotations

from types import ModuleType

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Define the one option."""
    parser.getgroup("socrates").addoption(
        "--amplify",
        action="store_true",
        help="run clean tests again under faults and find the smallest that breaks one",
    )


@pytest.fixture
def faults() -> ModuleType:
    """What ``socrates amplify`` has injected so far: ``faults.injected_on("reviews")``.

    Always false in a run of pytest itself, so one test can state both truths.
    """
    from socrates_amplify import faults

    return faults


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Hand the run over to ``socrates amplify`` when asked to."""
    if not config.option.amplify:
        return None
    from socrates_amplify.pytest_handover import hand_over

    return hand_over(config)
