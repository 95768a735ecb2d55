"""The probe for orders: runs a test under control where its scenario has a fault of this kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from socrates.errors import SocratesError
from socrates_amplify.model.events import Send, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import MESSAGE
from socrates_amplify.model.orders import (
    has_place,
    named_sends,
    order_kind,
    pair_of,
    races,
    told_order,
    unforced,
    without_then,
)
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.noticing import notice_strands
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.recorder import Recorder

KIND = order_kind()
UNFORCED = unforced()
"""The run under control in which every message is handled in the order in which it was sent."""

DELIVERY, PROMISED, IN_PROCESS = "delivery", "promised", "in-process"
"""A setting: orders that no promise excludes, or only those that one process can show."""
TRIED, ALL = "tried", "all"
"""A setting: whether tasks of asyncio keep the order that ``call_soon`` promises."""
_VALUES = {DELIVERY: (PROMISED, IN_PROCESS), TRIED: (PROMISED, ALL)}


class OrdersProbe(Probe):
    """Controls threads, clocks and inboxes; without a fault of its kind it does nothing."""

    name = "orders"

    def available(self) -> bool:
        """Threads are always there."""
        return True

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Check the settings."""
        super().prepare(root, config)
        _check(config)

    def warm_up(self) -> None:
        """Load what takes control, and look for clocks."""
        from socrates_amplify.probes.orders import clock_names, control  # noqa: F401  # for all forks

        super().warm_up()
        clock_names.remember()

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Take control if the scenario asks for it, until the returned function is called."""
        if any(fault.kind == KIND for fault in recorder.scenario):
            from socrates_amplify.probes.orders.control import take_control  # most runs have none

            return take_control(recorder, _delivery(config) == IN_PROCESS, _tried(config) == ALL)
        noticed = Patches()
        notice_strands(noticed, recorder, _tried(config) == ALL)
        return noticed.undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """What a run under control offers; of any other run, that it be run under control."""
        if KIND not in kinds:
            return []
        if not any(offer.kind == KIND for send in trace.sends for offer in send.offers):
            return [UNFORCED] if _may_have_orders(trace) else []
        sends = named_sends(trace)
        faults: list[Fault] = []
        for name, send in sends.items():
            for offer in send.offers:
                pair = pair_of(offer.detail) if offer.kind == KIND else None
                if pair is None or without_then(pair[1]) != name or not has_place(send):
                    continue
                other = sends.get(pair[0])
                if other is not None and has_place(other):
                    told = told_order(send, other, offer.detail)
                    ends = (send.sender, send.receiver)
                    faults.append(Fault(send.target, KIND, *ends, told, offer.detail))
        return faults


def _delivery(config: Mapping[str, object]) -> str:
    """What the settings say of messages between actors."""
    return str(config.get(DELIVERY, PROMISED))


def _tried(config: Mapping[str, object]) -> str:
    """What the settings say of tasks that are ready together."""
    return str(config.get(TRIED, PROMISED))


def _check(config: Mapping[str, object]) -> None:
    """Raises SocratesError for what is no setting, or no value of one."""
    for key, found in config.items():
        if key not in _VALUES:
            known = " or ".join(_VALUES)
            raise SocratesError(f"[tool.socrates.amplify.orders]: unknown key {key!r}; use {known}")
        if found not in _VALUES[key]:
            raise SocratesError(
                f"[tool.socrates.amplify.orders]: {key} is {found!r}; use {' or '.join(_VALUES[key])}"
            )


def _may_have_orders(trace: Trace) -> bool:
    """Whether it races, or an actor got something after a message that may come twice, and so late."""
    return races(trace) or _may_come_late(trace)


def _may_come_late(trace: Trace) -> bool:
    repeatable: set[str] = set()
    for event in trace.events:
        if isinstance(event, Send) and event.channel == MESSAGE and has_place(event):
            if event.receiver in repeatable:
                return True
            if event.at_least_once:
                repeatable.add(event.receiver)
    return False
