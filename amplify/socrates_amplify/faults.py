"""Faults and scenarios: what to do to which message. Plain, ordered, hashable data.

Tests import this module, or take the fixture ``faults``, to say what they expect of a system in
distress: ``injected()`` and ``injected_on("reviews")`` are always false outside of an amplified run.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MESSAGE_KINDS = ("duplicate", "restart", "drop", "delay", "reorder", "lose")
"""What can happen to a message."""
CALL_KINDS = ("connection-error", "timeout", "lost-reply", "status", "slow")
"""What can happen to a remote call. A status says which in the fault's detail."""
CIRCUMSTANCE = "circumstance"
"""What a test runs in is another than usual; the target names which of the declared ones."""
KINDS = (*MESSAGE_KINDS, *CALL_KINDS, CIRCUMSTANCE)
"""Every kind that our own probes know; probes may add their own."""
DEFAULT_KINDS = ("duplicate", "restart", "connection-error", "timeout", "status", CIRCUMSTANCE)
"""The kinds that are tried when nobody asks for others."""


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
        return f"{self.kind} {self.detail}" if self.kind == "status" else self.kind

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


_applied: list[Fault] = []


def injected(kind: str = "") -> bool:
    """Whether a fault (of this kind) has happened in this test so far."""
    return any(not kind or fault.kind == kind for fault in _applied)


def injected_on(receiver: str, kind: str = "") -> bool:
    """Whether a fault (of this kind) has happened to a call or a message to ``receiver`` so far.

    ``receiver`` is the name that reports use, or a glob; ``Stock`` is every ``Stock#1``, too.
    """
    return any(
        not kind or fault.kind == kind
        for fault in _applied
        if fnmatch.fnmatchcase(fault.receiver, receiver)
        or fnmatch.fnmatchcase(fault.receiver.partition("#")[0], receiver)
    )


def run_started() -> None:
    """For the recorder: a run begins, in which nothing has been injected yet."""
    _applied.clear()


def was_applied(fault: Fault) -> None:
    """For the recorder: ``fault`` has happened."""
    _applied.append(fault)
