"""A probe of ours that is made when it is needed, in the process of a command."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from socrates_amplify.extensions.own import Own
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.base import Probe, Undo, Wire

if TYPE_CHECKING:
    from socrates_amplify.record.recorder import Recorder


class LaterProbe(Probe):
    """Answers for a probe what can be answered without it, and makes it for anything else.

    Most tests of most projects send nothing, and most frameworks are not installed: the modules of
    all probes would take a command longer to import than many a suite takes to run.
    """

    def __init__(self, name: str, own: Own) -> None:
        self.name = name
        self.channel = own.channel
        self._own = own
        self._unprepared: tuple[str, Mapping[str, object]] | None = None

    @functools.cached_property
    def probe(self) -> Probe:
        """The probe itself, prepared if it should have been by now."""
        probe = self._own.make()
        if self._unprepared is not None:
            probe.prepare(*self._unprepared)
        return probe

    def available(self) -> bool:
        """Whether the framework is there."""
        if not self._own.modules:
            return True
        return self._own.may_be_available() and self.probe.available()

    def warnings(self) -> Iterable[str]:
        """What is known of the framework's version, if it is there."""
        return self.probe.warnings() if self._own.modules and self._own.may_be_available() else ()

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Have settings checked at once; where there are none, nothing can be wrong with them."""
        self.root = root
        if config or "probe" in vars(self):
            self.probe.prepare(root, config)
        else:
            self._unprepared = (root, config)

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Install the probe."""
        return self.probe.install(recorder, config)

    def warm_up(self) -> None:
        """Warm the probe up."""
        self.probe.warm_up()

    def install_remote(self, wire: Wire) -> None:
        """Install the probe in a started process."""
        self.probe.install_remote(wire)

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Seconds that the faults take: without faults, none."""
        return self.probe.takes(scenario, control) if scenario.faults else 0.0

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that a trace offers: where nothing happened, none."""
        return self.probe.faults_of(trace, kinds) if trace.events else []
