"""The published numbers again, with real services: Flask on loopback, real calls, real faults."""

from __future__ import annotations

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.gateway import Gateway
from socrates_amplify.model.search import ExploreOptions
from socrates_amplify.run.suite_runner import SuiteRunner

pytestmark = pytest.mark.slow

TEST = "test_application.py::test_answers"
KINDS = ("connection-error", "timeout", "status")


@pytest.fixture(scope="module")
def apps(benchmark_module):
    """The benchmark's module."""
    return benchmark_module("outages.apps")


@pytest.fixture
def executions(apps, tmp_path):
    """How many executions one of the applications takes."""

    def count(name, **options):
        apps.write(name, tmp_path)
        suite = Suite(tmp_path, probes={"http": {"statuses": "service"}})
        with SuiteRunner(suite, KINDS, spares_errors=False) as runner:
            control = runner.control_runs(TEST)
            gateway = Gateway(
                control.trace,
                control.faults,
                lambda scenario: runner.run(TEST, scenario, control),
                faults_of=runner.faults_of,
                budget=None,
            )
            ExhaustiveExplorer().explore(gateway, ExploreOptions(**options))
        return gateway.calls

    return count


@pytest.mark.parametrize(
    ("name", "published"), [("cinema-2", 9), ("cinema-8", 21), ("audible", 31)]
)
def test_reduced_as_published(executions, name, published):
    assert executions(name) == published


def test_unreduced_as_published(executions):
    assert executions("cinema-2", reduction=False) == 10
