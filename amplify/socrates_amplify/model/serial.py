"""Traces, scenarios and outcomes as plain JSON values, and back again.

What is read back is checked field by field: a value that this module did not write raises a
``SocratesError`` that names the place in the document. Nothing read is ever executed.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import NoReturn, get_args

from socrates.errors import SocratesError
from socrates_amplify.model.events import (
    Concurrent,
    Create,
    Event,
    Injected,
    Offer,
    Reply,
    Send,
    Trace,
    Turn,
)
from socrates_amplify.model.evidence import NOTHING, Evidence
from socrates_amplify.model.evidence_serial import evidence_from_json, evidence_to_json
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL, MESSAGE, TASK, Channel, kind_of
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.secrets import without_secrets

Json = dict[str, object]
"""A JSON object: only strings, numbers, booleans, None, lists and objects inside."""

_EVENTS: dict[str, type[Event]] = {
    "create": Create,
    "send": Send,
    "turn": Turn,
    "reply": Reply,
    "injected": Injected,
    "concurrent": Concurrent,
}
_NAMES: dict[type, str] = {kind: name for name, kind in _EVENTS.items()}
_FIELDS: dict[type, Mapping[str, dataclasses.Field[object]]] = {
    kind: {field.name: field for field in dataclasses.fields(kind)}
    for kind in (*_EVENTS.values(), Fault, Failure, Notice)
}


def fault_to_json(fault: Fault) -> Json:
    """A fault with all its fields, what people read without secrets."""
    return _without_secrets(_fields_of(fault), "sender", "receiver", "message")


def fault_from_json(value: object, where: str = "fault") -> Fault:
    """The fault that ``fault_to_json`` wrote."""
    return Fault(**_texts(Fault, _object(value, where), where))


def scenario_to_json(scenario: Scenario) -> Json:
    """A scenario, its faults in their order."""
    return {"faults": [fault_to_json(fault) for fault in scenario]}


def scenario_from_json(value: object, where: str = "scenario") -> Scenario:
    """The scenario that ``scenario_to_json`` wrote."""
    faults = _list(_object(value, where).get("faults"), f"{where}.faults")
    return Scenario.of(
        fault_from_json(fault, f"{where}.faults[{number}]") for number, fault in enumerate(faults)
    )


def event_to_json(event: Event) -> Json:
    """An event; its kind stands under ``event``."""
    fields = {"event": _NAMES[type(event)], **_fields_of(event)}
    if isinstance(event, Send):
        fields["offers"] = _offers_text(event.offers)
    return fields


def event_from_json(value: object, where: str = "event") -> Event:
    """The event that ``event_to_json`` wrote."""
    fields = _object(value, where)
    name = fields.get("event")
    kind = _EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        _refuse(f"{where}.event", "one of " + ", ".join(_EVENTS), name)
    rest = {key: item for key, item in fields.items() if key != "event"}
    if kind is Send:
        rest.update(_offered(rest, where))
    # ``_typed`` has compared every field with its declaration, which a checker can't follow.
    return kind(**_typed(kind, rest, where))  # type: ignore[arg-type]


def _offered(fields: Mapping[str, object], where: str) -> Json:
    """What a message offers, and its channel, which earlier versions did not write."""
    text = fields.get("offers", "")
    if not isinstance(text, str):
        _refuse(f"{where}.offers", "str", text)
    offers = _offers_in(text)
    if "channel" in fields:
        return {"offers": offers}
    if offers:
        # Only tasks and calls offered anything, and no kind is for both.
        channel = TASK if any(TASK in kind_of(offer.kind).channels for offer in offers) else CALL
    else:
        # A call of the test's own code is internal and offers nothing: ``requests:GET``.
        method = str(fields.get("type", "")).rpartition(":")[2]
        channel = CALL if fields.get("internal") and method.isupper() else MESSAGE
    return {"offers": offers, "channel": channel}


@functools.lru_cache(maxsize=1024)
def _offers_text(offers: tuple[Offer, ...]) -> str:
    """``connection-error,timeout,status:503``."""
    return ",".join(f"{kind}:{_escaped(detail)}" if detail else kind for kind, detail in offers)


@functools.lru_cache(maxsize=1024)
def _offers_in(text: str) -> tuple[Offer, ...]:
    pairs = (offer.partition(":") for offer in text.split(",")) if text else ()
    return tuple(Offer(kind, _unescaped(detail)) for kind, _, detail in pairs)


def _escaped(detail: str) -> str:
    return detail.replace("%", "%25").replace(",", "%2C")


def _unescaped(detail: str) -> str:
    return detail.replace("%2C", ",").replace("%25", "%")


def trace_to_json(trace: Trace) -> Json:
    """A trace, its events in their order."""
    return {"events": [event_to_json(event) for event in trace.events]}


def trace_from_json(value: object, where: str = "trace") -> Trace:
    """The trace that ``trace_to_json`` wrote."""
    events = _list(_object(value, where).get("events"), f"{where}.events")
    return Trace(
        tuple(
            event_from_json(event, f"{where}.events[{number}]")
            for number, event in enumerate(events)
        )
    )


def failure_to_json(failure: Failure) -> Json:
    """A failure with all its fields, without secrets."""
    return _without_secrets(_fields_of(failure), "message", "actor", "shown")


def failure_from_json(value: object, where: str = "failure") -> Failure:
    """The failure that ``failure_to_json`` wrote."""
    return Failure(**_texts(Failure, _object(value, where), where))


def outcome_to_json(outcome: Outcome) -> Json:
    """An outcome with its scenario and its trace."""
    return {
        "scenario": scenario_to_json(outcome.scenario),
        "verdict": outcome.verdict.value,
        "failure": failure_to_json(outcome.failure) if outcome.failure else None,
        "reason": without_secrets(outcome.reason),
        "trace": trace_to_json(outcome.trace),
        "duration": outcome.duration,
        "final": outcome.final,
        "status": outcome.status,
        "evidence": _evidence(outcome.evidence),
        "notices": [_without_secrets(_fields_of(one), "message") for one in outcome.notices],
        **({"skipped": list(map(without_secrets, outcome.skipped))} if outcome.skipped else {}),
        **({"aftermath": without_secrets(outcome.aftermath)} if outcome.aftermath else {}),
        **({"files": list(outcome.files)} if outcome.files else {}),
    }


def _evidence(evidence: Evidence) -> Json | None:
    return None if evidence == NOTHING else evidence_to_json(evidence)


def outcome_from_json(value: object, where: str = "outcome") -> Outcome:
    """The outcome that ``outcome_to_json`` wrote."""
    fields = _object(value, where)
    verdict = fields.get("verdict")
    reason, status = fields.get("reason", ""), fields.get("status", "")
    duration, final = fields.get("duration", 0.0), fields.get("final", True)
    if verdict not in {item.value for item in Verdict}:
        _refuse(f"{where}.verdict", "pass, fail or unresolved", verdict)
    if not isinstance(reason, str) or not isinstance(status, str):
        _refuse(f"{where}.reason and .status", "texts", (reason, status))
    if isinstance(duration, bool) or not isinstance(duration, (int, float)):
        _refuse(f"{where}.duration", "a number", duration)
    if not isinstance(final, bool):
        _refuse(f"{where}.final", "true or false", final)
    failure = fields.get("failure")
    return Outcome(
        scenario=scenario_from_json(fields.get("scenario"), f"{where}.scenario"),
        verdict=Verdict(verdict),
        failure=None if failure is None else failure_from_json(failure, f"{where}.failure"),
        reason=reason,
        trace=trace_from_json(fields.get("trace"), f"{where}.trace"),
        duration=float(duration),
        final=final,
        status=status,
        evidence=evidence_from_json(fields.get("evidence"), f"{where}.evidence"),
        notices=tuple(
            Notice(**_texts(Notice, _object(notice, f"{where}.notices"), f"{where}.notices"))
            for notice in _list(fields.get("notices", []), f"{where}.notices")
        ),
        skipped=tuple(map(str, _list(fields.get("skipped", []), f"{where}.skipped"))),
        aftermath=str(fields.get("aftermath", "")),
        files=tuple(map(str, _list(fields.get("files", []), f"{where}.files"))),
    )


def _fields_of(item: Event | Fault | Failure | Notice) -> Json:
    return {name: getattr(item, name) for name in _FIELDS[type(item)]}


def _without_secrets(fields: Json, *names: str) -> Json:
    """``fields``, the texts of these names without secrets; whatever made them, this is kept.

    Events are left alone: the recorder has hidden what is in them, and there are many.
    """
    return fields | {name: without_secrets(str(fields[name])) for name in names}


def _typed(
    kind: type[Event | Fault | Failure | Notice], fields: Mapping[str, object], where: str
) -> dict[str, object]:
    """``fields`` if each is known, of its declared type, and none without default is missing."""
    known = _FIELDS[kind]
    for key, value in fields.items():
        if key not in known:
            _refuse(where, "only " + ", ".join(known), key)
        if not _fits(value, str(known[key].type)):
            _refuse(f"{where}.{key}", str(known[key].type), value)
    for field in known.values():
        if field.name not in fields and field.default is dataclasses.MISSING:
            raise SocratesError(
                f"{where}.{field.name} is missing; write the file anew with socrates"
            )
    return dict(fields)


def _texts(
    kind: type[Fault | Failure | Notice], fields: Mapping[str, object], where: str
) -> dict[str, str]:
    checked = _typed(kind, fields, where)
    return {key: str(value) for key, value in checked.items()}


def _fits(value: object, declared: str) -> bool:
    match declared:
        case "str":
            return isinstance(value, str)
        case "str | None":
            return value is None or isinstance(value, str)
        case "bool":
            return isinstance(value, bool)
        case "Channel":
            return value in get_args(Channel)
        case "tuple[Offer, ...]":
            return isinstance(value, tuple)
        case _:
            return isinstance(value, int) and not isinstance(value, bool)


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        _refuse(where, "an object", value)
    return value


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        _refuse(where, "a list", value)
    return value


def _refuse(where: str, expected: str, found: object) -> NoReturn:
    shown = repr(found)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise SocratesError(
        f"{where} must be {expected}, not {shown}; write the file anew with socrates"
    )
