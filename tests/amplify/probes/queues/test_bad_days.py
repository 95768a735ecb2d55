"""Workers that hang and brokers that are not there: a clear outcome, never a hang of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.model.faults import Scenario
from socrates_amplify.probes.queues.space import task_faults
from socrates_amplify.run.control_runs import run_controls

TESTS = """
    import threading

    import dramatiq
    import pytest
    from dramatiq.brokers.redis import RedisBroker
    from dramatiq.brokers.stub import StubBroker
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    broker = StubBroker()
    done = []


    @dramatiq.actor(broker=broker)
    def charge(order):
        if order in done:
            threading.Event().wait()
        done.append(order)


    @pytest.fixture
    def worker():
        started = dramatiq.Worker(broker, worker_timeout=10, worker_threads=1)
        started.start()
        yield
        started.stop(timeout=100)


    def test_charge(worker):
        charge.send(1)
        broker.join("default")
        assert done == [1]


    def test_broker_is_gone():
        at_once = Retry(NoBackoff(), retries=0)
        gone = RedisBroker(host="127.0.0.1", port=1, retry=at_once)
        dramatiq.actor(lambda: None, actor_name="task", broker=gone).send()
"""


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkExecutor]:
    """A project with a task that does not come to an end when it is done again."""
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "test_shop.py").write_text(dedent(TESTS), encoding="utf-8")
    opened = ForkExecutor(Suite(folder, pytest_args=("-p", "no:cacheprovider")))
    yield opened
    opened.close()


def duplicates(trace):
    """The usual kind of fault."""
    return task_faults(trace, ["duplicate"])


def test_a_worker_that_hangs_is_a_failure(executor):
    control = run_controls(executor, "test_shop.py::test_charge", duplicates)
    outcome = executor.run("test_shop.py::test_charge", Scenario.of(control.faults), limit=1.0)
    line = dedent(TESTS).splitlines().index('    broker.join("default")') + 1
    failure = outcome.failure
    assert (failure and failure.type, failure and failure.location) == (
        "Hang",
        f"test_shop.py:{line}",
    )


def test_a_broker_that_is_gone_is_a_failing_test(executor):
    control = run_controls(executor, "test_shop.py::test_broker_is_gone", duplicates)
    assert (control.status, "ConnectionError" in control.note) == ("failing", True)
