"""How the failure of a plugin's object becomes a message with the plugin's name, file and line."""

from __future__ import annotations

import inspect

from socrates.findings import PluginError
from socrates.plugins import failure
from socrates_amplify.model.notices import Notice


class PluginFailedError(Exception):
    """A part of the search that a plugin brought has failed; its test can't be amplified."""

    def __init__(self, error: PluginError) -> None:
        super().__init__(str(Notice.of(error)))
        self.error = error


def failure_of(plugin: str, item: object, error: Exception) -> PluginError:
    """What went wrong in ``item``, which ``plugin`` brought.

    The location is the innermost line of the plugin's own package, else where the class of
    ``item`` is defined.
    """
    kind = type(item)
    return failure(plugin, kind.__module__, error, _place_of(kind))


def _place_of(kind: type) -> str:
    try:
        return f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return ""
