"""What callers of one site get while a service is down: its honest errors in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from socrates_amplify.lazy_pattern import later
from socrates_amplify.model.faults import Fault, are_one
from socrates_amplify.model.judgement import RAISES, Judgement
from socrates_amplify.model.results import FoundDefect

_BUT = ", but "
_RAW = " comes through as it is"
"""How ``triage.classify`` ends what it says of an error that production code lets through."""
_LINE = later(r"(?<=\.py):[0-9]+(?=\))")

Way = list[tuple[Judgement, FoundDefect]]
"""Defects by which callers get their errors in one way: raised, let through, or as one sentence says."""


def without_lines(said: str) -> str:
    """A sentence whose places are files only."""
    return _LINE.sub("", said)


def how_often(defects: Sequence[FoundDefect]) -> list[str]:
    """What was done in any of them; where a caller tries again, how often it takes at the least.

    Of a scenario that was not reduced to its end, it is at most so often if it is all the same fault, else
    only the last fault is known to matter.
    """
    done = [[fault.what for fault in found.faults] for found in defects if found.defect.minimal]
    unsure = [_in_question(found.faults) for found in defects if not found.defect.minimal]
    told: list[str] = []
    for what in dict.fromkeys(one for struck in (*done, *unsure) for one in struck):
        least = min((struck.count(what) for struck in done if what in struck), default=0)
        most = min((struck.count(what) for struck in unsure if what in struck), default=1)
        if least > 1:
            told.append(f"{what} {least} times")
        else:
            told.append(what if least or most == 1 else f"{what} at most {most} times")
    return told


def _in_question(faults: Sequence[Fault]) -> list[str]:
    """What is known to matter of faults of which not all may be needed."""
    return [fault.what for fault in (faults if are_one(faults) else faults[-1:])]


def told(members: Sequence[tuple[Judgement, FoundDefect]]) -> str:
    """All ways in which tests get an error; where there are several, each with its faults."""
    ways: dict[str, Way] = {}
    for one, found in members:
        way = RAISES if one.raises else _RAW if one.raw else without_lines(one.why)
        ways.setdefault(way, []).append((one, found))
    alone = len(ways) == 1
    return "; ".join(_way(way, alone=alone) for _, way in sorted(ways.items(), key=_rank))


def names_of_leaks(judged: Sequence[Judgement]) -> list[str]:
    """The errors that come through as they are, by name; their sentences may begin with a promise."""
    leaks = (one.why for one in judged if one.raw and one.why.endswith(_RAW))
    return sorted({why.rpartition(_BUT)[2].removesuffix(_RAW) for why in leaks})


def come_through(names: Sequence[str]) -> str:
    """``A, B come through as they are``."""
    return f"{', '.join(names)}{_RAW if len(names) == 1 else ' come through as they are'}"


def promise_of(judged: Sequence[Judgement]) -> str:
    """What is documented or done beside errors that come through, up to their names."""
    first = next(one.why for one in judged if one.raw and one.why.endswith(_RAW))
    promise, but, _ = first.rpartition(_BUT)
    return promise + but


def _rank(way: tuple[str, Way]) -> tuple[bool, bool, str]:
    return (way[0] != RAISES, way[0] != _RAW, way[0])


def _way(way: Way, *, alone: bool) -> str:
    judged = [one for one, _ in way]
    faults = ", ".join(sorted(how_often([found for _, found in way])))
    if judged[0].raises:
        plain = {without_lines(one.why) for one in judged}
        if alone and len(plain) == 1:
            return judged[0].why if len({one.why for one in judged}) == 1 else plain.pop()
        return _raised(way, "it" if alone else faults)
    if judged[0].raw:
        # An error that left a request handler, or one of an earlier version's report, is told as it stands.
        names_through = names_of_leaks(judged)
        return come_through(names_through) if names_through else judged[0].why
    said = faults.removeprefix("status ") in judged[0].why
    return judged[0].why if alone or said else f"{judged[0].why} ({faults})"


def _raised(way: Way, all_faults: str) -> str:
    """Which errors are raised for which faults; functions above the site may do so, so it is not said who does."""
    raised_in: dict[str, list[FoundDefect]] = {}
    for one, found in way:
        raised_in.setdefault(one.raises, []).append(found)
    names: dict[str, list[str]] = {}
    for name, defects in sorted(raised_in.items()):
        names.setdefault(", ".join(sorted(how_often(defects))), []).append(name)
    told = [(", ".join(raised), len(raised), struck) for struck, raised in names.items()]
    if len(told) == 1:
        told = [(*told[0][:2], all_faults)]
    return "; ".join(
        f"{raised} {'is' if count == 1 else 'are'} raised for {struck}"
        for raised, count, struck in told
    )
