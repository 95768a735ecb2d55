"""The pytest plugin that hands what pytest tells to the execution under way.

To register a plugin takes longer than many a test, so that one serves all tests of a process.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from typing import Protocol

import pytest


class Hearer(Protocol):
    """What hears of one test: ``executors.in_test.execution`` does."""

    def setting_up(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> contextlib.AbstractContextManager[None]:
        """Around the setting up of a fixture."""

    def calling(self, item: pytest.Item) -> None:
        """The test is about to run: its object is there."""

    def made(
        self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        """A phase has ended, and all other plugins have changed its report."""

    def logged(self, report: pytest.TestReport) -> None:
        """A report was logged: of a phase, or of a subtest."""


class Listener:
    """Registered once; ``hearer`` is the execution under way."""

    def __init__(self) -> None:
        self.hearer: Hearer | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        """See ``Hearer.setting_up``."""
        if self.hearer is None or fixturedef.scope == "function":
            return (yield)
        with self.hearer.setting_up(fixturedef):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """See ``Hearer.calling``."""
        if self.hearer is not None:
            self.hearer.calling(item)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """See ``Hearer.made``."""
        report = yield
        if self.hearer is not None:
            self.hearer.made(item, call, report)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See ``Hearer.logged``."""
        if self.hearer is not None:
            self.hearer.logged(report)


@contextlib.contextmanager
def listening(config: pytest.Config) -> Iterator[Listener]:
    """A listener among the plugins, for the block."""
    listener = Listener()
    config.pluginmanager.register(listener, "socrates-execution")
    try:
        yield listener
    finally:
        config.pluginmanager.unregister(listener)
