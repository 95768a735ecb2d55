"""Faults and scenarios: what to do to which message. Plain, ordered, hashable data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates_amplify.model.kinds import kind_of


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One perturbation of one target: ``target`` (an execution index), ``kind`` and ``detail``.

    ``sender``, ``receiver`` and ``message`` are for people, patterns and prioritisers; they are no
    part of the identity, because what a message says may change under other faults.
    """

    target: str
    kind: str
    sender: str = field(default="", compare=False)
    receiver: str = field(default="", compare=False)
    message: str = field(default="", compare=False)
    detail: str = ""
    slot: str = field(default="", compare=False)
    """The target's place without its content; finds it again when other faults change it."""

    @property
    def what(self) -> str:
        """The kind, and which one where there are several: ``status 503``."""
        return f"{self.kind} {self.detail}" if kind_of(self.kind).details else self.kind

    @property
    def key(self) -> str:
        """What makes two faults the same."""
        return f"{self.kind}:{self.target}:{self.detail}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A set of faults to apply in one run of a test."""

    faults: frozenset[Fault] = frozenset()

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> Scenario:
        """The scenario of these faults."""
        return cls(frozenset(faults))

    @property
    def key(self) -> str:
        """A digest that is the same for the same faults, in every process."""
        text = "\n".join(sorted(fault.key for fault in self.faults))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __iter__(self) -> Iterator[Fault]:
        return iter(sorted(self.faults))

    def __len__(self) -> int:
        return len(self.faults)


BAD_GATEWAY = 502
"""The status that only a proxy before the service answers with, and with a page for people."""


def is_page(fault: Fault) -> bool:
    """Whether it shows a page of HTML in place of an answer in JSON."""
    return kind_of(fault.kind).answers and fault.detail == str(BAD_GATEWAY)


def error_reply(status: int) -> dict[str, str]:
    """What is in an injected error reply: so answer gateways before a service (AWS's API Gateway, Kong), whatever it is."""
    return {"message": reason_of(status)}


def error_body(status: int) -> str:
    """The text of an injected error reply: JSON, because that is what most callers parse, but for a proxy's page."""
    if status != BAD_GATEWAY:
        return f'{{"message": "{reason_of(status)}"}}'
    told = f"{status} {reason_of(status)}"
    return f"<html><head><title>{told}</title></head><body><h1>{told}</h1></body></html>"


def reason_of(status: int) -> str:
    """The phrase that goes with a status."""
    from http import HTTPStatus  # only where a reply is made

    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def are_one(faults: Sequence[Fault]) -> bool:
    """Whether they are the same fault of one call, and of the tries that followed."""
    return len({(fault.what, fault.receiver, fault.message) for fault in faults}) == 1
