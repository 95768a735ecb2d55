"""A test is run once in an execution, though a plugin would run a failed one again.

A second try meets no fault any more, or another one: it would hide what the first one showed.
"""

from __future__ import annotations

import pytest

_RERUNNING = ("rerunfailures", "pytest-retry", "flaky")
"""Plugins that run failed tests again, by the names that pytest knows them by."""


def without_reruns(config: pytest.Config) -> None:
    """Take the hooks of such plugins away; their options and markers stay known."""
    for name in _RERUNNING:
        plugin = config.pluginmanager.get_plugin(name)
        if plugin is not None:
            config.pluginmanager.unregister(plugin)
