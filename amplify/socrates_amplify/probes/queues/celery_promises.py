"""What Celery promises of a task, read off the task and its app."""

from __future__ import annotations

from typing import Any

PUBLISHED_AGAIN = "Celery publishes it again after a lost connection (task_publish_retry)"


def offers(task: Any, promised: bool, eager: bool, published_again: bool) -> tuple[str, ...]:
    """The kinds of faults that a message for this task offers."""
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


def runs_again(task: Any) -> bool:
    """Whether the task itself says that it may run twice."""
    return bool(getattr(task, "acks_late", False) or getattr(task, "autoretry_for", ()))


def publishes_again(app: Any) -> bool:
    """Whether a message is published again when the connection breaks before the broker's answer.

    Celery does so unless it is told not to; the broker may have taken the first one.
    """
    policy = app.conf.task_publish_retry_policy or {}
    return bool(app.conf.task_publish_retry) and policy.get("max_retries", 3) != 0
