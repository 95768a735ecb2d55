"""What Celery promises of a task, read off the task and its app."""

from __future__ import annotations

from typing import Any

from socrates_amplify.probes.queues.tasks import UNSEEN

PUBLISHED_AGAIN = "Celery publishes it again after a lost connection (task_publish_retry)"
_STRATEGY = "celery.worker.strategy:default"


def offers(task: Any, promised: bool, eager: bool, published_again: bool) -> tuple[str, ...]:
    """The kinds of faults that a message for this task offers."""
    if not eager and _has_own_strategy(task):
        return (UNSEEN,)
    late = promised or bool(getattr(task, "acks_late", False))
    twice = promised or published_again or runs_again(task)
    if eager:
        return (*(("duplicate",) if twice else ()), *(() if late else ("lose",)))
    return (
        *(("duplicate",) if twice else ()),
        *(("restart",) if late else ("lose",)),
        "delay",
        "reorder",
    )


def _has_own_strategy(task: Any) -> bool:
    """Whether a worker does not trace each message by itself: celery-batches traces many as one."""
    strategy = getattr(task, "Strategy", _STRATEGY)
    return strategy != _STRATEGY


def runs_again(task: Any) -> bool:
    """Whether the task itself says that it may run twice."""
    return bool(getattr(task, "acks_late", False) or getattr(task, "autoretry_for", ()))


def publishes_again(app: Any) -> bool:
    """Whether a message is published again when the connection breaks before the broker's answer.

    Celery does so unless it is told not to; the broker may have taken the first one.
    """
    settings = app.conf
    if not settings.task_publish_retry:
        return False
    policy = settings.task_publish_retry_policy or {}
    return bool(policy.get("max_retries", 3) != 0)
