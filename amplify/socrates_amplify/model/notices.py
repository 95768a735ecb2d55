"""What the user must hear of a run beside its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socrates.classes.lazy import dataclass

if TYPE_CHECKING:
    from socrates.findings import PluginError


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell the user. With ``plugin`` it is the failure of that plugin, else a warning.

    ``location`` is ``file:line`` of a plugin's failure; a warning says all in its message.
    """

    message: str
    plugin: str = ""
    location: str = ""

    def __str__(self) -> str:
        """The notice in one line."""
        if not self.plugin:
            return self.message
        return f"plugin {self.plugin!r} failed: {self.message} ({self.location})"

    @classmethod
    def of(cls, error: PluginError) -> Notice:
        """The failure of a plugin as a notice."""
        return cls(error.message, error.plugin, error.location)

    @property
    def failure(self) -> PluginError | None:
        """The failure of a plugin; None for a warning."""
        # Processes that a test starts never ask, and should load as little as can be.
        from socrates.findings import PluginError

        return PluginError(self.plugin, self.message, self.location) if self.plugin else None
