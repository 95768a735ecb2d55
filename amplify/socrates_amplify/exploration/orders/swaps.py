"""What is told once: an order of tasks that another kind of fault asks for, or that steps of tasks repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import TASK, kind_of
from socrates_amplify.model.orders import Pair, is_step, named_sends, pair_of
from socrates_amplify.model.search import Defect

_Swap = tuple[str | None, str, str | None, str]
"""Cause and type of two tasks, of which the first is to be handled after the second."""


def changes_order(defect: Defect) -> bool:
    """Whether it is an order that breaks the test."""
    kinds = [kind_of(fault.kind) for fault in defect.scenario]
    return any(kind.schedules or kind.changes_order for kind in kinds)


def inside_tasks(pairs: Sequence[Pair], control: Trace) -> bool:
    """Whether these are steps of tasks: the order of the tasks themselves says more."""
    tasks = {send.receiver for send in control.sends if send.channel == TASK}
    steps = [name for pair in pairs for name in pair]
    senders = {name.partition(">")[0].rpartition("#")[0] for name in steps}
    return bool(steps) and all(map(is_step, steps)) and senders <= tasks


def asked_only_here(faults: Iterable[Fault], trace: Trace) -> list[Fault]:
    """``faults`` without the orders that others among them stand for: two tasks sent in a row.

    All of them are offered by ``trace``.
    """
    faults = list(faults)
    tasks = {send.target: send for send in trace.sends if send.channel == TASK}
    swaps = {
        _swap(tasks[fault.target], tasks[fault.detail])
        for fault in faults
        if kind_of(fault.kind).swaps and {fault.target, fault.detail} <= tasks.keys()
    }
    if not swaps:
        return faults
    named = named_sends(trace)
    return [fault for fault in faults if _forced_swap(fault, named) not in swaps]


def _forced_swap(fault: Fault, named: Mapping[str, Send]) -> _Swap | None:
    pair = pair_of(fault.detail) if kind_of(fault.kind).schedules else None
    if pair is None or not named.keys() >= set(pair):
        return None
    return _swap(named[pair[1]], named[pair[0]])


def _swap(held: Send, awaited: Send) -> _Swap:
    return held.cause, held.type, awaited.cause, awaited.type
