"""Collects what plugins add: probes, kinds of faults, explorers, pruners and prioritisers.

Every process that needs them collects them itself: that of the command, each process that runs a
test, and each process that a test starts, if a probe of a plugin has an endpoint there.
"""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Callable, Iterable
from typing import Any

from socrates import plugins
from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates.plugins import Found, Plugins, failure, instance_of, iter_errors
from socrates_amplify.extensions.guarded_probe import GuardedProbe
from socrates_amplify.extensions.guarded_search import (
    GuardedExplorer,
    GuardedPrioritiser,
    GuardedPruner,
)
from socrates_amplify.extensions.later_probe import LaterProbe
from socrates_amplify.extensions.own import OWN, present_probes
from socrates_amplify.model import kinds
from socrates_amplify.model.kinds import FaultKind
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.search import Explorer, Prioritiser, Pruner
from socrates_amplify.probes.base import Probe

_OURS = ("socrates_rules", "socrates_amplify.plugin")
"""Entry points of this distribution: they add nothing here, and rules are slow to import."""

_Check = Callable[[object], Any]


class Extensions:
    """All probes, ours and those of plugins, and what else the plugins add.

    Kinds of faults are in the table of kinds from now on. Of two items of one sort with the same
    name the first is kept, ours before those of plugins. With ``present``, there are no probes of
    ours whose framework is not there; without it, ours are imported when they are needed.
    """

    def __init__(self, loaded: Plugins, *, present: bool = False) -> None:
        self._plugins = loaded
        self._later: list[PluginError] = []
        self._register_kinds()
        ours = present_probes() if present else own_probes()
        found = self._found("socrates_probes", _is_probe, "probe", OWN)
        theirs = [GuardedProbe(one.plugin, one.item, self._later.append) for one in found]
        self.probes: list[Probe] = [*ours, *theirs]

    @property
    def failures(self) -> tuple[PluginError, ...]:
        """The failures of plugins so far, each once."""
        return tuple(iter_errors(self._plugins.errors, self._later))

    @property
    def hint(self) -> str:
        """For messages about a name that is not known: it may be that of a plugin which failed."""
        return f"; {Notice.of(self.failures[0])}" if self.failures else ""

    @functools.cached_property
    def available_probes(self) -> list[Probe]:
        """The probes whose framework is there."""
        return [probe for probe in self.probes if probe.available()]

    def explorers(self, taken: Iterable[str]) -> list[Explorer]:
        """The explorers of plugins; ``taken`` are the names of ours."""
        found = self._found("socrates_explorers", _has("explore"), "explorer", taken)
        return [GuardedExplorer(one.item.name, one.plugin, one.item) for one in found]

    def pruners(self, taken: Iterable[str]) -> list[Pruner]:
        """The pruners of plugins; ``taken`` are the names of ours."""
        found = self._found("socrates_pruners", _has("prune"), "pruner", taken)
        return [GuardedPruner(one.item.name, one.plugin, one.item) for one in found]

    def prioritisers(self, taken: Iterable[str]) -> list[Prioritiser]:
        """The prioritisers of plugins; ``taken`` are the names of ours."""
        found = self._found("socrates_prioritisers", _has("prioritise"), "prioritiser", taken)
        return [GuardedPrioritiser(one.item.name, one.plugin, one.item) for one in found]

    def _found(self, hook: str, check: _Check, what: str, taken: Iterable[str]) -> list[Found[Any]]:
        found = self._plugins.collect(hook, check, f"a {what} with a name")
        return self._plugins.unique(found, lambda item: item.name, what, taken)

    def _register_kinds(self) -> None:
        accepts = instance_of(FaultKind)
        for one in self._plugins.collect("socrates_fault_kinds", accepts, "a FaultKind"):
            try:
                kinds.register([one.item])
            except SocratesError as error:
                self._plugins.fail(PluginError(one.plugin, str(error), one.place))
            except Exception as error:
                self._plugins.fail(failure(one.plugin, one.plugin, error, one.place))


def own_probes() -> list[Probe]:
    """All probes of this distribution, each made when it is needed."""
    return [LaterProbe(name, own) for name, own in OWN.items()]


def installed() -> Extensions:
    """What the installed plugins add, in the process of a command."""
    return Extensions(plugins.installed())


def for_test_process() -> Extensions:
    """What the installed plugins add, in a process that runs a test or that a test started."""
    entries = importlib.metadata.entry_points(group=plugins.ENTRY_POINT_GROUP)
    loaded = plugins.load(entry for entry in entries if entry.value not in _OURS)
    return Extensions(loaded, present=True)


def _is_probe(item: object) -> Probe | None:
    return item if isinstance(item, Probe) and _is_named(item) else None


def _has(method: str) -> _Check:
    """Accepts what has a name and the method of a protocol."""

    def accepted(item: object) -> object:
        return item if _is_named(item) and callable(getattr(item, method, None)) else None

    return accepted


def _is_named(item: object) -> bool:
    name = getattr(item, "name", None)
    return isinstance(name, str) and bool(name)
