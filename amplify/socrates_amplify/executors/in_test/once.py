"""An execution runs its test once, though plugins of the project would run a failed test again.

In a second try the fault does not happen again, so it would hide the failure of the first one.
"""

from __future__ import annotations

import pytest

_RERUNNING = ("rerunfailures", "pytest-retry", "flaky")
"""Plugins that run failed tests again, by the names that pytest knows them by."""


def without_reruns(config: pytest.Config) -> None:
    """Unregister such plugins; their options and markers stay known."""
    for name in _RERUNNING:
        plugin = config.pluginmanager.get_plugin(name)
        if plugin is not None:
            config.pluginmanager.unregister(plugin)
