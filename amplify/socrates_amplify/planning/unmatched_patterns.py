"""Patterns that promise something about classes that no test ever showed: probably misspelt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.spelling import did_you_mean
from socrates_amplify.model.events import Create, Send, Trace
from socrates_amplify.probes.patterns import fits

_ABOUT = {"persistent": "actor", "at-least-once": "message"}


@dataclass(slots=True)
class _Seen:
    """Class names that traces have shown, and the patterns that fitted one of them or a base."""

    names: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def see(self, name: str, promise: str) -> None:
        if name:
            self.names.add(name)
        self.used.update(promise.splitlines())

    def knows(self, pattern: str) -> bool:
        return pattern in self.used or any(fits(pattern, name) for name in self.names)


@dataclass(slots=True)
class SeenTypes:
    """The classes of actors and messages that traces have shown."""

    actors: _Seen = field(default_factory=_Seen)
    messages: _Seen = field(default_factory=_Seen)

    def see(self, trace: Trace) -> None:
        """Take in the classes of one trace."""
        for event in trace.events:
            if isinstance(event, Create):
                self.actors.see(event.type, event.promise)
            elif isinstance(event, Send) and not event.internal:
                self.messages.see(event.type, event.promise)


def unmatched_promises(
    probes: Mapping[str, Mapping[str, object]], types: SeenTypes
) -> Iterator[str]:
    """One warning for each ``module:Class`` pattern that fits no class in any trace."""
    seen = {"persistent": types.actors, "at-least-once": types.messages}
    for probe, table in probes.items():
        for key, about in _ABOUT.items():
            listed = table.get(key, ())
            patterns = [str(item) for item in listed] if isinstance(listed, (list, tuple)) else []
            for pattern in patterns:
                if seen[key].names and not seen[key].knows(pattern):
                    hint = did_you_mean(pattern, seen[key].names)
                    yield (
                        f"[tool.socrates.amplify.{probe}] {key}: {pattern!r} "
                        f"matches no {about} of any test{hint}"
                    )
