"""What tests get of the calls of one site while a service is down: its honest errors in one sentence."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from socrates_amplify.model.exchanges import fails_by_itself
from socrates_amplify.model.faults import BAD_GATEWAY, Fault, are_one
from socrates_amplify.model.judgement import Judgement
from socrates_amplify.model.results import FoundDefect

_AMID = " beside the test's own errors"
_BUT = ", but "
_SERVER_ERROR = "status 5"
_PAGE = f"status {BAD_GATEWAY}"
_RAW = " comes through as it is"
"""How ``triage.classify`` ends what it says of an error that production code lets through."""


def how_often(defects: Sequence[FoundDefect], *, alike: bool = True) -> list[str]:
    """What was done in any of them; where a caller tries again, how often it takes, from test to test.

    Where all of them do ``alike``, a page is not told beside another error of the server.

    Of a scenario that was not reduced to its end, it is up to so often if it is all the same fault, else
    only the last fault is known to matter. Faults that are only needed together are told together, where none
    of them does it alone. Where what stands for the service fails by itself, too, the number says nothing.
    """
    amid = [found for found in defects if fails_by_itself(found.faults, found.trace)]
    clear = [found for found in defects if not any(found is one for one in amid)]
    known = {fault.what for found in clear for fault in found.faults}
    several = {fault.what for found in amid if len(found.faults) > 1 for fault in found.faults}
    others = dict.fromkeys(fault.what for found in amid for fault in found.faults)
    besides = [
        f"{what}{_AMID}" if what in several else what for what in others if what not in known
    ]
    told = [*_counted(clear), *besides]
    by_reply = any(what.startswith(_SERVER_ERROR) and what != _PAGE for what in told)
    return [what for what in told if what != _PAGE or not (alike and by_reply)]


def _counted(defects: Sequence[FoundDefect]) -> list[str]:
    done = [[fault.what for fault in found.faults] for found in defects if found.defect.minimal]
    alone = {struck[0] for struck in done if len(set(struck)) == 1}
    done = [_together(struck, alone) for struck in done]
    unsure = [_in_question(found.faults) for found in defects if not found.defect.minimal]
    told: list[str] = []
    for what in dict.fromkeys(one for struck in (*done, *unsure) for one in struck):
        known = [struck.count(what) for struck in done if what in struck]
        at_most = [struck.count(what) for struck in unsure if what in struck]
        least = min(known, default=1)
        most = max([*known, min(at_most, default=1)])
        often = f"{least} to {most}" if known else f"up to {most}"
        if most <= 1:
            told.append(what)
        else:
            told.append(f"{what} {most if least == most else often} times")
    return told


def _together(struck: Sequence[str], alone: Collection[str]) -> list[str]:
    """``status 500 with connection-error`` for faults that are needed together; those that do it alone, else."""
    kinds = list(dict.fromkeys(struck))
    if len(kinds) == 1:
        return list(struck)
    return [what for what in kinds if what in alone] or [" with ".join(kinds)]


def _in_question(faults: Sequence[Fault]) -> list[str]:
    """What is known to matter of faults of which not all may be needed."""
    return [fault.what for fault in (faults if are_one(faults) else faults[-1:])]


def told(members: Sequence[tuple[Judgement, FoundDefect]]) -> str:
    """``ApiError by status 500; ReadTimeout by timeout``: which errors tests get, and by which faults."""
    struck: dict[str, list[FoundDefect]] = {}
    for one, found in members:
        struck.setdefault(one.gets or one.why, []).append(found)
    errors: dict[str, list[str]] = {}
    for gets, defects in sorted(struck.items()):
        errors.setdefault(", ".join(sorted(how_often(defects))), []).append(gets)
    return "; ".join(f"{', '.join(names)} by {faults}" for faults, names in errors.items())


def gets_by_fault(
    members: Sequence[tuple[Judgement, FoundDefect]],
) -> frozenset[tuple[str, str, int]]:
    """Which errors tests get by which faults, and how many it takes."""
    return frozenset(
        (one.gets or one.why, fault.what, len(found.faults))
        for one, found in members
        for fault in found.faults
    )


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
