"""An execution runs its test once, and in this process, though plugins of the project would not.

In a second try the fault does not happen again, so it would hide the failure of the first one. In a
process of its own the test is out of sight.
"""

from __future__ import annotations

import pytest

_RERUNNING = ("rerunfailures", "pytest-retry", "flaky")
_RUNNING_ELSEWHERE = ("pytest_forked",)
"""Plugins that run failed tests again or tests elsewhere, by the names that pytest knows them by."""


def without_reruns(config: pytest.Config) -> None:
    """Unregister such plugins; their options and markers stay known."""
    for name in (*_RERUNNING, *_RUNNING_ELSEWHERE):
        plugin = config.pluginmanager.get_plugin(name)
        if plugin is not None:
            config.pluginmanager.unregister(plugin)
