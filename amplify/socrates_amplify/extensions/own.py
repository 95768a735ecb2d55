"""The probes of this distribution, by name; a probe's module is imported when it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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


OWN: Mapping[str, Callable[[], Probe]] = {
    "circumstances": _circumstances,
    "pykka": _pykka,
    "dramatiq": _dramatiq,
    "celery": _celery,
    "rq": _rq,
    "http": _http,
    "orders": _orders,
}
"""What makes each probe, in the order in which they are installed."""


def own_probes() -> list[Probe]:
    """All probes of this distribution."""
    return [make() for make in OWN.values()]
