"""A test is run once in an execution, though a plugin would run a failed one again.

A second try meets no fault any more, or another one: it would hide what the first one showed.
"""

from __future__ import annotations

import threading

import pytest

_RERUNNING = {
    "rerunfailures": "pytest_rerunfailures",
    "pytest-retry": "pytest_retry",
    "flaky": "flaky",
}
"""Plugins that run failed tests again, by the names that pytest knows them by, and their modules."""


def without_reruns(config: pytest.Config) -> None:
    """Take the hooks of such plugins away; their options and markers stay known."""
    for name in _RERUNNING:
        plugin = config.pluginmanager.get_plugin(name)
        if plugin is not None:
            config.pluginmanager.unregister(plugin)


def threads_that_matter() -> list[str]:
    """Names of the threads that a fork would miss.

    Plugins that run tests again listen to the processes of pytest-xdist in a thread; there are none.
    """
    return [
        thread.name
        for thread in threading.enumerate()
        if thread is not threading.main_thread() and not _listens_to_workers(thread)
    ]


def _listens_to_workers(thread: threading.Thread) -> bool:
    module = getattr(getattr(thread, "_target", None), "__module__", None) or ""
    return module.partition(".")[0] in _RERUNNING.values()
