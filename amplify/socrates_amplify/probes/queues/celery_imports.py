"""What Celery imports with the first message or the first worker: in each fork, unless before.

Some of it looks through all installed distributions.
"""

from __future__ import annotations

import contextlib
import importlib
import sys

_WITH_A_MESSAGE = (
    *("celery.app.amqp", "celery.app.routes", "celery.app.trace", "celery.backends.cache"),
    *("kombu.message", "kombu.transport.memory"),
)
_WITH_A_WORKER = (
    *("celery.app.control", "celery.app.events", "celery.app.log", "celery.concurrency.solo"),
    *("celery.events.receiver", "celery.worker.autoscale", "celery.worker.components"),
    *("celery.worker.consumer.delayed_delivery", "celery.worker.strategy", "kombu.matcher"),
)
_LATER = {
    "celery.app.base": _WITH_A_MESSAGE,
    "celery.contrib.pytest": _WITH_A_WORKER,
    "celery.worker.worker": _WITH_A_WORKER,
}
"""What is imported later, by the module that shows that it will be."""


def import_early() -> None:
    """Import it now, where the modules that are loaded show that it will be needed."""
    for sign, names in _LATER.items():
        if sign in sys.modules:
            for name in names:
                # Not every version has it, and what can't be imported, a test may not need.
                with contextlib.suppress(Exception):
                    importlib.import_module(name)
