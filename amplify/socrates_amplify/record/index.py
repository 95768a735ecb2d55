"""Execution indices: which message, and which actor, is the same one in another run.

An index has two forms. ``target`` hashes the path of causing messages, sender, receiver, message
type, call site and content, and counts equal ones under one cause. ``slot`` leaves the content
out and counts all that one call site sent to one receiver. A run that knows an earlier one takes
over the earlier target when the target agrees, else when the slot does: a message whose content
changed under a fault, or by interleaving, is still the same message.

Remote calls say more of themselves, so slots are trusted less: what was said before is a retry and
none of the calls that are still to come, and a path that is known from another call is no change.
The host that is called belongs to the place. Only where a run has shown that hosts differ from run to
run (``moved_hosts``), a planned call is found at another host, too: where all else agrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from pathlib import PurePath
from types import CodeType
from typing import NamedTuple

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import TEST, Create, Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import CALL, is_call_kind
from socrates_amplify.model.labels import open_numbers
from socrates_amplify.record.identity import digest


@dataclass(frozen=True, slots=True)
class Known:
    """What earlier runs of the same test called things."""

    slots: Mapping[str, str] = field(default_factory=dict)
    """Targets and their slots."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Addresses by creation key."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Method and path of remote calls by target."""
    hosts: Mapping[str, str] = field(default_factory=dict)
    """By target: the host of a planned call that may have another one in this run."""

    @classmethod
    def of(cls, trace: Trace) -> Known:
        """The names that this trace uses."""
        return cls(
            {send.target: send.slot for send in trace.sends},
            {event.key: event.child for event in trace.events if isinstance(event, Create)},
            {send.target: send.message for send in trace.sends if send.channel == CALL},
        )

    def including(self, scenario: Scenario) -> Known:
        """These names and the targets that a scenario speaks of."""
        planned = {fault.target: fault.slot for fault in scenario if fault.slot}
        labels = {fault.target: fault.message for fault in scenario if is_call_kind(fault.kind)}
        labels.update(self.labels)
        return Known({**planned, **self.slots}, self.addresses, labels, self.hosts)


class Stamp(NamedTuple):
    """Where something is counted: the causing message's target and slot, and the acting actor."""

    target: str
    slot: str
    actor: str


class Indexer:
    """Hands out targets and addresses, each once. Call it in the order in which things happened."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._by_slot = {slot: target for target, slot in known.slots.items() if slot}
        self._labels = frozenset(known.labels.values())
        self._counts: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._taken: set[str] = set()
        self._ordinals: Counter[str] = Counter()
        self._reserved = set(known.addresses.values())

    def message(
        self, cause: Stamp, place: str, content: str, label: str = "", to: str = ""
    ) -> tuple[str, str]:
        """The target and slot of the next message at ``place`` (who, ``to`` whom, what kind, where).

        A remote call has a ``label``, its method and path.
        """
        of_target, of_slot, _ = cause
        said = f"t|{of_target}|{place}|{content}"
        again = bool(label) and said in self._counts
        spot = f"s|{of_slot}|{place}"
        if again:
            # By the place of what is said again: contents may be other ones in each run.
            spot = f"r|{of_slot}|{place}|{self._first[said]}"
        slot = self._next(spot)
        target = self._next(said)
        self._first.setdefault(said, self._counts[spot])
        known, taken = self._known.slots, self._taken
        if target not in known or target in taken:
            old = self._by_slot.get(slot)
            if old is not None and old not in taken and self._alike(label, old):
                target = old
            elif self._known.hosts and label and (moved := self._moved(spot, label, to)):
                target = moved
            elif target in taken:
                # An earlier message with other content took this name over by its slot.
                target = self._next(f"x|{target}")
        taken.add(target)
        return target, known.get(target) or slot

    def _moved(self, spot: str, label: str, to: str) -> str:
        """The planned call that this is but for its host; empty where it is none."""
        for target, host in self._known.hosts.items():
            there = spot.replace(f">{to}|", f">{host}|", 1)
            slot = digest(f"{there}|{self._counts[spot]}", 8)
            if slot == self._known.slots.get(target) and target not in self._taken:
                return target if self._alike(label, target) else ""
        return ""

    def _alike(self, label: str, target: str) -> bool:
        """Whether a call may be the known one with other content."""
        known = self._known.labels.get(target, "")
        if not label or not known or label == known:
            return True
        return label not in self._labels and open_numbers(label) == open_numbers(known)

    def actor(self, cause: Stamp, parent: str, kind: str, name: str) -> tuple[str, str]:
        """The key and address of the next ``kind`` that this cause creates."""
        key = self._next(f"a|{cause.target}|{cause.actor}|{kind}")
        address = self._known.addresses.get(key)
        return key, address or self._fresh_address(parent, name)

    def _fresh_address(self, parent: str, name: str) -> str:
        stem = name if parent == TEST else f"{parent}/{name}"
        while True:
            self._ordinals[stem] += 1
            address = f"{stem}#{self._ordinals[stem]}"
            if address not in self._reserved:
                return address

    def _next(self, base: str) -> str:
        counts = self._counts
        number = counts[base] = counts.get(base, -1) + 1
        return digest(f"{base}|{number}", 8)


def line_of(code: CodeType, lasti: int) -> int:
    """The line at which a frame of this code was."""
    lines = (line for start, end, line in code.co_lines() if start <= lasti < end and line)
    return next(lines, code.co_firstlineno)


def site_of(code: CodeType, lasti: int) -> str:
    """A call site that edits elsewhere in the file don't move: function and line within it."""
    # By id, because a code object hashes all that it is made of; kept, so that ids stay theirs.
    known = _sites.get((id(code), lasti))
    if known is None or known[0] is not code:
        line = line_of(code, lasti) - code.co_firstlineno
        known = (code, f"{PurePath(code.co_filename).name}:{code.co_qualname}+{line}")
        _sites[id(code), lasti] = known
    return known[1]


_sites: dict[tuple[int, int], tuple[CodeType, str]] = {}
