"""Finds the probes: our own and those that other distributions bring."""

from __future__ import annotations

from importlib.metadata import entry_points

import pluggy

from socrates_amplify import hooks as hookspecs
from socrates_amplify.model import kinds
from socrates_amplify.probes.base import Probe
from socrates_amplify.probes.circumstances import CircumstancesProbe
from socrates_amplify.probes.http.probe import HttpProbe
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.rq import RqProbe

_OURS = ("socrates_rules", "socrates_amplify.plugin")
"""Entry points of this distribution: they bring no probes, and rules are slow to import."""


def load_probes() -> list[Probe]:
    """All probes, whether or not their framework is there."""
    manager = pluggy.PluginManager("socrates")
    manager.add_hookspecs(hookspecs)
    for entry in entry_points(group="socrates"):
        if entry.value not in _OURS:
            manager.register(entry.load(), name=entry.name)
    for rows in manager.hook.socrates_fault_kinds():
        kinds.register(rows)
    brought = [probe for probes in manager.hook.socrates_probes() for probe in probes]
    return [
        CircumstancesProbe(),
        PykkaProbe(),
        DramatiqProbe(),
        CeleryProbe(),
        RqProbe(),
        HttpProbe(),
        *brought,
    ]


def available_probes() -> list[Probe]:
    """The probes whose framework the project has."""
    return [probe for probe in load_probes() if probe.available()]
