"""The class of one defect: what happened to the fault on its way through production code.

Decided by frames: who raised the exception that reached the test, by a ``raise`` or by a slip, and
which code it passed. Names of exceptions alone decide nothing but what a slip looks like.
"""

from __future__ import annotations

import re
from dataclasses import replace

from socrates.findings import Severity
from socrates_amplify.model.judgement import (
    CAUGHT_IN,
    ERROR_HANDLER,
    UNREAD,
    DefectClass,
    Judgement,
    Site,
)
from socrates_amplify.model.outcomes import HANG
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.triage.answers import (
    answered,
    compared,
    cut,
    is_reply,
    noted,
    shows_status,
)
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.chain import Surfaced, called, clients_of, libraries_of, surfaced
from socrates_amplify.triage.sites import site_of

_WORD = re.compile(r"\w+")
_REPLY = "the error reply"
_WAITED = ("Timeout", "TimeoutError", "Empty", "TimedOut")


def classify(case: Case) -> Judgement:
    """The class of the defect, and why."""
    judgement = _classify(case)
    error = surfaced(case.evidence.links)
    if judgement.raw and not (error is not None and error.link.again):
        # One that is caught by name and raised again is let through on purpose, by whatever way.
        judgement = replace(judgement, way=case.way)
    if case.only_outages and not case.reduced and judgement.severity is not Severity.INFO:
        unsure = "which of its faults are needed is not known: the search ended before"
        return replace(judgement, severity=Severity.INFO, unsure=unsure)
    return judgement


def _classify(case: Case) -> Judgement:
    site = site_of(case)
    if case.aftermath:
        why = f"still fails once the service is up again: {cut(case.aftermath)}"
        return _judged(DefectClass.UNRECOVERED, why, site, "stays broken")
    if case.failure.type == NOT_RECOVERED:
        return _judged(DefectClass.UNRECOVERED, "it fails without any fault afterwards", site)
    if case.failure.type == HANG and case.only_outages and _waits_by_itself(case):
        why = "the test waits for something that does not come; no code of the project waits"
        return _judged(DefectClass.ABSORBED, why, site)
    if case.failure.type == HANG or _waits_in_vain(case):
        return _judged(DefectClass.STUCK, _where_it_waits(case), site)
    if case.failure.type == "Crash":
        return _judged(DefectClass.UNPREPARED, f"the process ended: {case.failure.told}", site)
    error = surfaced(case.evidence.links)
    if error is not None:
        return _of_error(error, case, site)
    if case.only_outages and case.reaches_the_test:
        why = f"{case.failure.type} reaches the test, which makes the call itself"
        return _handed(why, case.failure.type, site)
    if not case.evidence.links and case.failure.type not in ("AssertionError", "Failed"):
        return _unseen(case, site)
    return _of_caught(case, site) or _of_answer(case, site)


def _of_caught(case: Case, site: Site) -> Judgement | None:
    """An exception came out, and the test, which expects one, finds another than it expects.

    What the test catches by its type is nobody's slip; what is no honest error is judged by the
    assertion that failed.
    """
    chain = tuple(replace(link, promised=()) for link in case.evidence.caught)
    error = surfaced(chain)
    if error is None or not case.only_outages or case.repeats_a_done_call:
        return None
    if case.noted_by_fake and not case.evidence.asserted.exits:
        return None
    if error.is_deliberate and not error.follows_fault and case.fails_by_itself:
        return None  # it is about that answer
    judged = _of_error(error, case, site)
    # What ended a command that the test runs in its own process has ended it for good.
    honest = judged.kind is DefectClass.PASSED_ON or case.evidence.asserted.exits
    return judged if honest else None


def _of_error(error: Surfaced, case: Case, site: Site) -> Judgement:
    """An exception came out of production code."""
    name, at = error.name, error.production
    if error.left_a_handler:
        return _escaped(error, case, site)
    if name == "SystemExit" and case.only_outages:
        why = f"the command ends with an error ({at.place})"
        return _handed(why, "an exit", site, f"exit in {at.file}:{at.function}")
    slipped = f"{name} at {at.place} in {at.function}"
    did = f"{name} in {at.file}:{at.function}"
    slip = UNREAD if _is_unread(error, case) else did
    if not case.only_outages:
        if error.is_deliberate or error.is_fault:
            return _judged(DefectClass.EFFECT, f"{_what_was_done(case)}: raises {name}", site)
        return _judged(DefectClass.UNPREPARED, slipped, site, did)
    if error.tells_of_nothing and not (case.only_status and error.may_tell_of_a_reply):
        why = f"raises {name} ({error.last.place}), which says nothing of it"
        return _judged(DefectClass.ABSORBED, why, site, did)
    if case.borne_by_a_retry and not error.follows_fault and error.innermost_of(case.way) is None:
        return _otherwise(case, site, answered(case))
    if error.last.module == "_pytest.capture":
        return _otherwise(case, site, "asks for input, which the test does not give")
    fake = error.refused_by or ("" if error.is_fault else error.follows_fake)
    if fake:
        why = f"goes on with a call that the test's {fake} refuses"
        return _judged(DefectClass.ABSORBED, why, site)
    if error.is_deliberate and not error.follows_fault and case.goes_on_unanswered:
        return _otherwise(case, site, "goes on with a call that nothing in the test answers")
    if error.is_refused_by(clients_of(case.evidence)) and not error.follows_fault:
        library = error.last.module.partition(".")[0]
        why = f"goes on with an answer of the test's fake that {library} does not take"
        return _judged(DefectClass.ABSORBED, why, site)
    raw = error.is_fault or error.is_of(libraries_of(case.evidence))
    meant = error.meant_behind
    if (raw or error.is_group) and meant is not None and not error.is_fault:
        place = meant.frames[-1].place
        why = f"raises {meant.type} for it ({place}), which comes out as {name}"
        return _handed(why, name, site, f"{meant.type} in {place}")
    if raw and error.asks_for_another_try:
        why = "the task asks Celery for another try, which raises the error where a test calls it directly"
        return _handed(why, name, site, "asks for another try")
    if raw and error.link.promised:
        why = f"{error.link.promised[-1]}, but {name} comes through as it is"
        # Whichever error comes through, it is one promise that is broken.
        return _judged(DefectClass.INCONSISTENT, why, site, error.link.promised[-1], raw=True)
    wrapped = error.wrapped_by(clients_of(case.evidence)) if raw else None
    if wrapped is not None:
        why = f"{wrapped.type} comes out as {name}"
        return _handed(why, name, site, f"as {name}")
    if raw:
        return _handed(f"{name} comes through as it is", name, site, raw=True)
    if error.is_deliberate and error.link.promised and not case.only_status:
        why = f"{error.link.promised[-1]}, but {name} is raised ({error.last.place})"
        return _judged(DefectClass.INCONSISTENT, why, site, error.link.promised[-1])
    if error.is_deliberate:
        return _raised(error, case, site)
    return _judged(DefectClass.UNPREPARED, slipped, site, slip)


def _is_unread(error: Surfaced, case: Case) -> bool:
    """Whether nobody has looked at the error reply; of a page, what another reply leads to at its site says so."""
    return bool(case.only_status) and not case.shows_a_page and not error.was_read


def _raised(error: Surfaced, case: Case, site: Site) -> Judgement:
    """Production code raised it for the fault, on purpose."""
    name, last = error.name, error.last
    # The place of the site stands beside it anyway.
    here = site.key.startswith(f"{last.file}|{last.function}|")
    where = "" if last.function == site.name else f" in {last.function}"
    why = f"raises {name} for it" + ("" if here else f"{where} ({last.place})")
    outer = case.evidence.links[0] if error.link in case.evidence.links else error.link
    wraps = outer.origin == "library" and outer is not error.link
    if wraps:
        why += f", which comes out as {outer.type}"
    # What a helper raises is translated by who calls it: the code that was there when the fault struck.
    by = error.innermost_of(case.way) or error.production
    did = f"{name} in {by.file}:{by.function}"
    return _handed(why, outer.type if wraps else name, site, did)


def _escaped(error: Surfaced, case: Case, site: Site) -> Judgement:
    """An exception left a request handler."""
    name, at = error.link.type, error.production
    here = at.function == site.name
    where = "" if here else f" from {at.function}"
    why = f"{name}{where} ({at.place}) leaves the request handler: a 500"
    meant = error.is_fault or error.is_deliberate or error.is_of(libraries_of(case.evidence))
    did = UNREAD if not meant and _is_unread(error, case) else f"escapes {at.function}"
    return _judged(DefectClass.UNPREPARED, why, site, did, raw=error.is_fault)


def _of_answer(case: Case, site: Site) -> Judgement:
    """Production code went on, and the test saw something else than it expects."""
    escaped = case.escaped
    if escaped is not None and case.only_outages:
        return _escaped(escaped, case, site)
    slip = case.slipped_in_library
    if slip is not None and case.only_outages:
        at = slip.frames[-1]
        library = at.module.partition(".")[0]
        why = (
            f"{slip.type} in {library}, which {site.name} hands the reply to, is not caught: a 500"
        )
        return _judged(DefectClass.UNPREPARED, why, site, f"escapes {library}:{at.function}")
    if case.broken_service and case.only_status == "500":
        why = f"{case.broken_service} answers with the 500 that it got"
        return _handed(why, _REPLY, site, f"500 of {case.broken_service}")
    kept = case.kept_by is not None or case.answered_by_error_handler
    if case.broken_service and case.only_outages and not kept:
        why = f"{case.broken_service} answers with 500: its handler did not catch it"
        return _judged(DefectClass.UNPREPARED, why, site, f"500 of {case.broken_service}")
    if not case.only_outages or case.repeats_a_done_call:
        done = _what_was_done(case)
        hardly = _shown_by_the_test_alone(case)
        if hardly:
            return Judgement(DefectClass.EFFECT, Severity.INFO, f"{done}, but {hardly}", site)
        return _judged(DefectClass.EFFECT, done, site)
    handed_on = _handed_on(case)
    if handed_on is not None:
        return _handed(*handed_on, site, "handed on")
    if case.only_status and _is_body(case):
        why = f"answers with the body of the {case.only_status}"
        return _judged(DefectClass.ABSORBED, why, site, UNREAD)
    return _otherwise(case, site, answered(case))


def _otherwise(case: Case, site: Site, what: str) -> Judgement:
    """Production code did something else instead.

    Who keeps the error, where that is not who made the call, is one place, whatever tests see of it.
    """
    did = ""
    if case.kept_by is not None and case.kept_by.by.function != site.name:
        did = f"{CAUGHT_IN}{case.kept_by.by.file}:{case.kept_by.by.function}"
    elif case.answered_by_error_handler:
        did = f"{CAUGHT_IN}{ERROR_HANDLER}".rstrip()
    return _judged(DefectClass.ABSORBED, f"{_kept(case, site)}{what}", site, did)


def _shown_by_the_test_alone(case: Case) -> str:
    """Why an effect says little about production code; empty where it says something."""
    if case.of_the_test_itself:
        return "the test defines the task itself"
    if case.of_test_steps:
        return "the steps are the test's own"
    if case.of_libraries:
        return "no code of the project handles it"
    if case.evidence.asserted.of_time and all(kind.schedules for kind in case.kinds):
        # What is held back takes longer, whether or not anything else goes wrong by it.
        return "only a time that the test measures shows it"
    if case.of_the_tests:
        return "the task is the tests' own, and nothing else shows it"
    if case.of_tasks and case.comes_twice and case.noted_by_fake:
        # Whoever is called again may know it by then; that something was changed twice is not shown.
        return f"only the test's fake shows it: {noted(case)}"
    return ""


def _kept(case: Case, site: Site) -> str:
    """``X is caught in FUNCTION (place): ``, the code of production that kept the error; unnamed where it is the site.

    ``in LIBRARY`` where that is a library above it, or an error handler that it calls; empty where nobody did,
    or nobody knows.
    """
    caught, library = case.kept_by, case.caught_by_library
    if library:
        by = f"{ERROR_HANDLER}{library[1]}" if case.answered_by_error_handler else library[1]
        return f"{library[0]} is caught in {by}: "
    if caught is None:
        return ""
    where = f" in {caught.by.function} ({caught.by.place})"
    return f"{caught.name} is caught{'' if caught.by.function == site.name else where}: "


def _handed_on(case: Case) -> tuple[str, str] | None:
    """How the test itself got to see the error, and what it got; None where production code kept it."""
    failure, status = case.failure, case.only_status
    if case.evidence.asserted.exits or failure.type == "SystemExit" or case.ended_a_command:
        return "the command ends with an error", "an exit"
    # What a request handler got for its own call is not what it answers the test with.
    seen = shows_status(case) or case.evidence.asserted.of_reply
    if status and seen and not case.behind_a_handler:
        return f"the test gets the {status}", _REPLY
    if status and failure.type != "AssertionError" and status in _WORD.findall(failure.told):
        return f"the test gets the {status}: {failure.type}", failure.type
    caught = case.caught
    if status and case.noted_by_fake and case.calls_more:
        # An error that the test catches after a retry may be of the answer that came then.
        return None
    if caught is not None and caught.by.role == "test" and caught.name == "SystemExit":
        return "the command ends with an error", "an exit"
    if caught is not None and caught.by.role == "test" and caught.name != failure.type:
        return f"the test catches {caught.name} itself", caught.name
    return None


def _is_body(case: Case) -> bool:
    """Whether the test got what was in the error reply for an answer, from a request handler, too."""
    read = case.evidence.asserted.of_body and not case.behind_a_handler
    return read or any(map(is_reply, compared(case)))


def _unseen(case: Case, site: Site) -> Judgement:
    """Something else than an assertion, and nobody saw where it was raised."""
    unsure = f"where {case.failure.type} was raised was not recorded"
    kind = DefectClass.UNPREPARED if case.only_outages else DefectClass.EFFECT
    return Judgement(kind, kind.severity, f"{case.failure.type}; {unsure}", site, unsure=unsure)


def _what_was_done(case: Case) -> str:
    """What the kinds of the faults mean for what production code does."""
    if case.circumstance:
        return f"depends on {case.circumstance}"
    kinds = case.kinds
    if any(kind.redelivers or kind.succeeds_unseen for kind in kinds):
        return "is done twice"
    if any(kind.of_receiver for kind in kinds):
        return "is done twice when its worker dies" if case.of_tasks else "forgets in a restart"
    if any(kind.of_steps for kind in kinds):
        return "does not bear being cancelled"
    if any(kind.changes_order or kind.schedules for kind in kinds):
        return "depends on the order"
    return "is not what it was"


def _waits_by_itself(case: Case) -> bool:
    """Whether it is known where everything waits, and production code does so nowhere."""
    waiting = case.evidence.links[0].frames if case.evidence.links else ()
    return bool(waiting) and all(frame.role != "production" for frame in waiting)


def _waits_in_vain(case: Case) -> bool:
    """Whether the test gave up waiting for an answer of production code."""
    if not case.evidence.links or surfaced(case.evidence.links) is not None:
        return False
    first = case.evidence.links[0]
    waited = bool(called(first)) and first.type.endswith(_WAITED)
    return waited and not any(link.origin == "ours" for link in case.evidence.links)


def _where_it_waits(case: Case) -> str:
    frames = case.evidence.links[0].frames if case.evidence.links else ()
    inner = [frame for frame in frames if frame.role == "production"]
    where = f" in {inner[-1].function} ({inner[-1].place})" if inner else ""
    calls = max((_attempts(case, fault.receiver) for fault in case.faults), default=0)
    again = f" after {calls} calls" if calls > _MANY else ""
    told, type_ = case.failure.told, case.failure.type
    if type_ != HANG:
        told = f"the test waits in vain ({type_}: {told})" if told else "the test waits in vain"
    return f"{told}{where}{again}"


_MANY = 20
"""Calls of one service in a test that did not end: that many are retries without a bound."""


def _attempts(case: Case, receiver: str) -> int:
    return sum(send.receiver == receiver for send in case.failing.sends)


def _judged(
    kind: DefectClass, why: str, site: Site, did: str = "", *, raw: bool = False
) -> Judgement:
    return Judgement(kind, kind.severity, why, site, did, raw)


def _handed(why: str, gets: str, site: Site, did: str = "", *, raw: bool = False) -> Judgement:
    """The test gets an honest error."""
    return replace(_judged(DefectClass.PASSED_ON, why, site, did, raw=raw), gets=gets)
