"""Patterns that promise something about classes that no test ever showed: probably misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from socrates.spelling import did_you_mean
from socrates_amplify.events import Create, Trace

_ABOUT = {"persistent": "actor", "at-least-once": "message"}


def unmatched_promises(
    probes: Mapping[str, Mapping[str, object]], traces: Sequence[Trace]
) -> Iterator[str]:
    """One warning for each ``module:Class`` pattern that fits no class in any trace.

    A pattern may also fit a base class, which a trace does not name. So nothing is said while
    there is a class whose promise no other pattern explains: it may be this one's doing.
    """
    seen = {"persistent": _actors(traces), "at-least-once": _messages(traces)}
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


def _actors(traces: Iterable[Trace]) -> dict[str, bool]:
    return {
        event.type: event.persistent
        for trace in traces
        for event in trace.events
        if isinstance(event, Create) and event.type
    }


def _messages(traces: Iterable[Trace]) -> dict[str, bool]:
    return {
        send.type: send.at_least_once
        for trace in traces
        for send in trace.sends
        if send.type and not send.internal
    }
