"""Plugins in memory, and the extensions that they make."""

from __future__ import annotations

import types
from collections.abc import Callable

import pytest

from socrates.plugins import Plugins, hookimpl, load
from socrates_amplify.extensions.collect import Extensions

Extend = Callable[..., Extensions]


@pytest.fixture
def extend() -> Extend:
    """What plugins add whose hooks are given: ``extend(acme={"socrates_probes": ...})``."""

    def made(**plugins: dict[str, Callable[..., object]]) -> Extensions:
        loaded: Plugins = load(entry_points=())
        for name, hooks in plugins.items():
            module = types.ModuleType(name)
            for hook, function in hooks.items():
                function.__name__ = hook
                setattr(module, hook, hookimpl(function))
            loaded.manager.register(module, name=name)
        return Extensions(loaded)

    return made
