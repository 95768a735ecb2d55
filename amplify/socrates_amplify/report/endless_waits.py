"""Calls whose caller does not say how long it waits: that a service does not answer is not tried there."""

from __future__ import annotations

from socrates_amplify.model.defect_groups.groups import each_once
from socrates_amplify.model.events import Send
from socrates_amplify.model.kinds import CALL, kind_of
from socrates_amplify.model.results import RunResult
from socrates_amplify.report.words import counted

_MOST = 3


def line_about(run: RunResult) -> str:
    """``Calls from 1 place set no timeout, so none was tried there: get (shop/client.py)``; empty for none."""
    calls = [send for test in run.tests for send in test.control.sends if _can_fail(send)]
    limited = {send.site for send in calls if _has_limit(send)}
    sites = each_once(send.site for send in calls if send.site and not _has_limit(send))
    if not sites:
        return ""
    never = [site for site in sites if site not in limited]
    named = [*map(_named, never), *(f"some calls of {_named(s)}" for s in sites if s in limited)]
    names = ", ".join(named[:_MOST])
    more = f" and {len(sites) - _MOST} more" if len(sites) > _MOST else ""
    places = counted(len(sites), "place")
    return f"Calls from {places} set no timeout, so none was tried there: {names}{more}"


def _can_fail(send: Send) -> bool:
    """Whether it is a call that can be faulted."""
    return send.channel == CALL and any(kind_of(offer.kind).outage for offer in send.offers)


def _has_limit(send: Send) -> bool:
    return any(kind_of(offer.kind).needs_limit for offer in send.offers)


def _named(site: str) -> str:
    file, _, function = site.rpartition(":")
    return f"{function} ({file})"
