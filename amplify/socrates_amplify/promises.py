"""Patterns that promise something about classes that no test ever showed: probably misspelt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from socrates.spelling import did_you_mean
from socrates_amplify.events import Create, Send, Trace

_ABOUT = {"persistent": "actor", "at-least-once": "message"}


@dataclass(slots=True)
class SeenTypes:
    """The classes of actors and messages that traces have shown, and whether they are promised."""

    actors: dict[str, bool] = field(default_factory=dict)
    messages: dict[str, bool] = field(default_factory=dict)

    def see(self, trace: Trace) -> None:
        """Take in the classes of one trace."""
        for event in trace.events:
            if isinstance(event, Create) and event.type:
                self.actors[event.type] = event.persistent
            elif isinstance(event, Send) and event.type and not event.internal:
                self.messages[event.type] = event.at_least_once


def unmatched_promises(
    probes: Mapping[str, Mapping[str, object]], types: SeenTypes
) -> Iterator[str]:
    """One warning for each ``module:Class`` pattern that fits no class in any trace.

    A pattern may also fit a base class, which a trace does not name. So nothing is said while
    there is a class whose promise no other pattern explains: it may be this one's doing.
    """
    seen = {"persistent": types.actors, "at-least-once": types.messages}
    for probe, table in probes.items():
        for key, about in _ABOUT.items():
            listed = table.get(key, ())
            patterns = [str(item) for item in listed] if isinstance(listed, (list, tuple)) else []
            for pattern in _strange(patterns, seen[key]):
                hint = did_you_mean(pattern, seen[key])
                yield (
                    f"[tool.socrates.amplify.{probe}] {key}: {pattern!r} "
                    f"matches no {about} of any test{hint}"
                )


def _strange(patterns: Sequence[str], names: Mapping[str, bool]) -> list[str]:
    """The patterns that fit none of the names; ``names`` says of each whether it is promised."""
    unexplained = any(
        promised and not any(_fits(pattern, name) for pattern in patterns)
        for name, promised in names.items()
    )
    if unexplained or not names:
        return []
    return [pattern for pattern in patterns if not any(_fits(pattern, name) for name in names)]


def _fits(pattern: str, name: str) -> bool:
    wanted = pattern if ":" in pattern else f"*:{pattern}"
    return fnmatchcase(name, wanted)
