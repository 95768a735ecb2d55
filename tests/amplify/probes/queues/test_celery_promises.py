"""Which faults a task of Celery offers, by what it and its app say about delivery."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.probes.queues.celery_promises import offers, publishes_again, runs_again

PLAIN = SimpleNamespace()
LATE = SimpleNamespace(acks_late=True)
RETRIED = SimpleNamespace(acks_late=False, autoretry_for=(KeyError,))
OWN_STRATEGY = SimpleNamespace(Strategy="batches:Strategy")


@pytest.mark.parametrize(
    ("task", "promised", "published_again", "expected"),
    [
        pytest.param(PLAIN, False, False, ("lose", "delay", "reorder"), id="nothing is said"),
        pytest.param(PLAIN, True, False, ("duplicate", "restart", "delay", "reorder"), id="user"),
        pytest.param(
            PLAIN, False, True, ("duplicate", "lose", "delay", "reorder"), id="sent again"
        ),
        pytest.param(LATE, False, False, ("duplicate", "restart", "delay", "reorder"), id="late"),
        pytest.param(
            RETRIED, False, False, ("duplicate", "lose", "delay", "reorder"), id="retried"
        ),
        pytest.param(OWN_STRATEGY, True, True, ("unseen",), id="strategy of its own"),
    ],
)
def test_what_a_worker_may_do(
    task: Any, promised: bool, published_again: bool, expected: tuple[str, ...]
) -> None:
    assert offers(task, promised, False, published_again) == expected


@pytest.mark.parametrize(
    ("task", "promised", "expected"),
    [
        pytest.param(PLAIN, False, ("lose",), id="nothing is said"),
        pytest.param(PLAIN, True, ("duplicate",), id="user"),
        pytest.param(LATE, False, ("duplicate",), id="late"),
        pytest.param(RETRIED, False, ("duplicate", "lose"), id="retried"),
        pytest.param(OWN_STRATEGY, False, ("lose",), id="strategy of its own"),
    ],
)
def test_what_may_happen_where_tasks_run_at_once(
    task: Any, promised: bool, expected: tuple[str, ...]
) -> None:
    assert offers(task, promised, True, False) == expected


def test_the_usual_strategy_is_no_strategy_of_its_own() -> None:
    task = SimpleNamespace(Strategy="celery.worker.strategy:default")
    assert offers(task, False, False, False) == ("lose", "delay", "reorder")


@pytest.mark.parametrize(
    ("task", "expected"), [(PLAIN, False), (LATE, True), (RETRIED, True)], ids=["", "late", "again"]
)
def test_a_task_says_that_it_may_run_twice(task: Any, expected: bool) -> None:
    assert runs_again(task) is expected


@pytest.mark.parametrize(
    ("retry", "policy", "expected"),
    [
        pytest.param(True, None, True, id="usual policy"),
        pytest.param(True, {"max_retries": 1}, True, id="once more"),
        pytest.param(True, {"max_retries": None}, True, id="for ever"),
        pytest.param(True, {"max_retries": 0}, False, id="never"),
        pytest.param(False, {"max_retries": 3}, False, id="switched off"),
    ],
)
def test_a_message_is_published_again(
    retry: bool, policy: dict[str, object] | None, expected: bool
) -> None:
    conf = SimpleNamespace(task_publish_retry=retry, task_publish_retry_policy=policy)
    assert publishes_again(SimpleNamespace(conf=conf)) is expected
