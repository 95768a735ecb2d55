"""The probes of this distribution, by name; a probe's module is imported when it is made."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping

from socrates.classes.lazy import dataclass
from socrates_amplify.model.kinds import CALL, CIRCUMSTANCE, MESSAGE, STEP, TASK, Channel
from socrates_amplify.probes.base import Probe


def _circumstances() -> Probe:
    from socrates_amplify.probes.circumstances import CircumstancesProbe

    return CircumstancesProbe()


def _pykka() -> Probe:
    from socrates_amplify.probes.pykka.probe import PykkaProbe

    return PykkaProbe()


def _dramatiq() -> Probe:
    from socrates_amplify.probes.queues.dramatiq import DramatiqProbe

    return DramatiqProbe()


def _celery() -> Probe:
    from socrates_amplify.probes.queues.celery import CeleryProbe

    return CeleryProbe()


def _rq() -> Probe:
    from socrates_amplify.probes.queues.rq import RqProbe

    return RqProbe()


def _http() -> Probe:
    from socrates_amplify.probes.http.probe import HttpProbe

    return HttpProbe()


def _orders() -> Probe:
    from socrates_amplify.probes.orders.probe import OrdersProbe

    return OrdersProbe()


def _cancelling() -> Probe:
    from socrates_amplify.probes.cancelling.probe import CancellingProbe

    return CancellingProbe()


@dataclass(frozen=True, slots=True)
class Own:
    """What makes a probe, what it sees, and the modules of which it needs one, or nothing."""

    make: Callable[[], Probe]
    channel: Channel
    modules: tuple[str, ...] = ()

    def may_be_available(self) -> bool:
        """Whether one of the modules is there; the probe itself may know more."""
        return not self.modules or any(
            name in sys.modules or importlib.util.find_spec(name) is not None
            for name in self.modules
        )


OWN: Mapping[str, Own] = {
    "circumstances": Own(_circumstances, CIRCUMSTANCE),
    "pykka": Own(_pykka, MESSAGE, ("pykka",)),
    "dramatiq": Own(_dramatiq, TASK, ("dramatiq",)),
    "celery": Own(_celery, TASK, ("celery",)),
    "rq": Own(_rq, TASK, ("rq",)),
    "http": Own(_http, CALL, ("urllib3", "requests", "httpx", "httpx2", "aiohttp")),
    "asyncio": Own(_cancelling, STEP),
    "orders": Own(_orders, MESSAGE),
}
"""The probes in the order in which they are installed."""


def present_probes() -> list[Probe]:
    """The probes of this distribution whose framework may be there."""
    return [own.make() for own in OWN.values() if own.may_be_available()]


def known_packages() -> frozenset[str]:
    """The packages whose messages, tasks and calls these probes see."""
    return frozenset(name for own in OWN.values() for name in own.modules)
