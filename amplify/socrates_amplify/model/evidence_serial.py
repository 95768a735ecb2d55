"""Evidence as plain JSON values, and back again, checked field by field like all that is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar, get_args

from socrates.errors import SocratesError
from socrates_amplify.model.evidence import (
    Asserted,
    Caught,
    Evidence,
    Frame,
    Injection,
    Link,
    Relation,
    Role,
    Side,
)
from socrates_amplify.model.secrets import without_secrets

Json = dict[str, object]
T = TypeVar("T")


def evidence_to_json(evidence: Evidence) -> Json:
    """Frames are short lists, because there are many; texts are without secrets."""
    return {
        "links": [_link_to_json(link) for link in evidence.links],
        "injections": [
            {
                "target": one.target,
                "kind": one.kind,
                "frames": [_frame_to_json(frame) for frame in one.frames],
                "call": without_secrets(one.call),
                "caught": one.caught
                and {"by": _frame_to_json(one.caught.by), "name": one.caught.name},
            }
            for one in evidence.injections
        ],
        "escapes": [_link_to_json(link) for link in evidence.escapes],
        "caught": [_link_to_json(link) for link in evidence.caught],
        "asserted": {
            "text": without_secrets(evidence.asserted.text),
            "log": evidence.asserted.log,
            "of_production": evidence.asserted.of_production,
            "of_mock": evidence.asserted.of_mock,
            "exits": evidence.asserted.exits,
            "of_reply": evidence.asserted.of_reply,
            "of_time": evidence.asserted.of_time,
            "of_body": evidence.asserted.of_body,
            "expected": evidence.asserted.expected,
            "computed": evidence.asserted.computed,
        },
    }


def evidence_from_json(value: object, where: str = "evidence") -> Evidence:
    """The evidence that ``evidence_to_json`` wrote; none where an earlier version wrote nothing."""
    if value is None:
        return Evidence()
    fields = _object(value, where)
    return Evidence(
        _each(_link, fields.get("links"), f"{where}.links"),
        _each(_injection, fields.get("injections"), f"{where}.injections"),
        _each(_link, fields.get("escapes", []), f"{where}.escapes"),
        _each(_link, fields.get("caught", []), f"{where}.caught"),
        _asserted(fields.get("asserted", {}), f"{where}.asserted"),
    )


def _link_to_json(link: Link) -> Json:
    return {
        "type": link.type,
        "module": link.module,
        "message": without_secrets(link.message),
        "relation": link.relation,
        "frames": [_frame_to_json(frame) for frame in link.frames],
        "raised": link.raised,
        "bases": list(link.bases),
        "promised": list(link.promised),
        "again": link.again,
    }


def _frame_to_json(frame: Frame) -> list[object]:
    return [frame.role, frame.module, frame.file, frame.function, frame.line]


def _link(value: object, where: str) -> Link:
    fields = _object(value, where)
    relations: tuple[Relation, ...] = get_args(Relation)
    return Link(
        _text(fields, "type", where),
        _text(fields, "module", where),
        _text(fields, "message", where),
        _one_of(relations, fields, "relation", where),
        _each(_frame, fields.get("frames"), f"{where}.frames"),
        fields.get("raised") is True,
        _each(_word, fields.get("bases"), f"{where}.bases"),
        _each(_word, fields.get("promised", []), f"{where}.promised"),
        fields.get("again") is True,
    )


def _injection(value: object, where: str) -> Injection:
    fields = _object(value, where)
    return Injection(
        _text(fields, "target", where),
        _text(fields, "kind", where),
        _each(_frame, fields.get("frames"), f"{where}.frames"),
        _text(fields, "call", where),
        None if (caught := fields.get("caught")) is None else _caught(caught, f"{where}.caught"),
    )


def _caught(value: object, where: str) -> Caught:
    fields = _object(value, where)
    return Caught(_frame(fields.get("by"), f"{where}.by"), _text(fields, "name", where))


def _asserted(value: object, where: str) -> Asserted:
    fields = _object(value, where)
    sides: tuple[Side, ...] = get_args(Side)
    log = _one_of(sides, fields, "log", where)
    names = ("of_production", "of_mock", "exits", "of_reply", "of_time", "of_body", "computed")
    flags: Mapping[str, Any] = {name: fields.get(name) is True for name in names}
    expected = _one_of(sides, {"expected": "", **fields}, "expected", where)
    return Asserted(_text(fields, "text", where), log, expected=expected, **flags)


def _one_of(known: Iterable[T], fields: Json, key: str, where: str) -> T:
    told = _text(fields, key, where)
    found = next((one for one in known if one == told), None)
    if found is None:
        _refuse(f"{where}.{key}")
    return found


def _frame(value: object, where: str) -> Frame:
    match value:
        case [str(role), str(module), str(file), str(function), int(line)]:
            known: tuple[Role, ...] = get_args(Role)
            found = next((one for one in known if one == role), None)
            if found is not None:
                return Frame(found, module, file, function, line)
    return _refuse(where)


def _word(value: object, where: str) -> str:
    return value if isinstance(value, str) else _refuse(where)


def _text(fields: Json, key: str, where: str) -> str:
    return _word(fields.get(key, ""), f"{where}.{key}")


def _each(read: Callable[[object, str], T], value: object, where: str) -> tuple[T, ...]:
    if not isinstance(value, list):
        _refuse(where)
    return tuple(read(item, f"{where}[{number}]") for number, item in enumerate(value))


def _object(value: object, where: str) -> Json:
    return value if isinstance(value, dict) else _refuse(where)


def _refuse(where: str) -> NoReturn:
    raise SocratesError(f"{where} is not what socrates writes; write the file anew with socrates")
