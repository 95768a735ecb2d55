"""A probe of a plugin, which can't do harm to a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates_amplify.extensions.failing import failure_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.base import Probe, Undo, Wire

if TYPE_CHECKING:
    from socrates_amplify.record.recorder import Recorder

T = TypeVar("T")


class GuardedProbe(Probe):
    """Does what the plugin's probe does. What that raises is told to ``fail``; nothing else happens.

    A ``SocratesError`` passes: that is how a probe says that its settings are wrong.
    """

    def __init__(self, plugin: str, probe: Probe, fail: Callable[[PluginError], None]) -> None:
        self.probe = probe
        self.name = probe.name
        self.channel = probe.channel
        self._plugin = plugin
        self._fail = fail
        self._unprepared = False

    def available(self) -> bool:
        """Whether the framework is there; False when the probe can't say."""
        return not self._unprepared and self._asked(lambda: bool(self.probe.available()), False)

    def warnings(self) -> Iterable[str]:
        """The warnings of the probe; none when it can't say."""
        return self._asked(lambda: _all(str, self.probe.warnings(), "warnings"), [])

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Prepare the probe; one that fails offers no faults in this run."""

        def prepared() -> bool:
            self.probe.prepare(root, config)
            return True

        self._unprepared = not self._asked(prepared, False)

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Install the probe, if it can be."""

        def installed() -> Undo:
            undo = self.probe.install(recorder, config)
            if not callable(undo):
                raise TypeError(f"install gave {undo!r}, which can't be called to undo it")
            return undo

        undo = self._asked(installed, _nothing)
        return lambda: self._asked(undo, None)

    def install_remote(self, wire: Wire) -> None:
        """Install the probe in a started process, if it can be."""
        self._asked(lambda: self.probe.install_remote(wire), None)

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Seconds that the faults take; none when the probe can't say."""
        return self._asked(lambda: float(self.probe.takes(scenario, control)), 0.0)

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults of the probe; none where it can't say."""
        if self._unprepared:
            return []
        return self._asked(lambda: _all(Fault, self.probe.faults_of(trace, kinds), "faults_of"), [])

    def _asked(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except SocratesError:
            raise
        except Exception as error:
            self._fail(failure_of(self._plugin, self.probe, error))
            return otherwise


def unguarded(probe: Probe) -> Probe:
    """The plugin's own probe, or the probe itself if it is ours."""
    return probe.probe if isinstance(probe, GuardedProbe) else probe


def _all(kind: type[T], given: Iterable[object], method: str) -> list[T]:
    """``given`` as a list; raises TypeError for an item that is of another type."""
    items: list[T] = []
    for item in given:
        if not isinstance(item, kind):
            raise TypeError(f"{method} gave {item!r}, which is no {kind.__name__}")
        items.append(item)
    return items


def _nothing() -> None:
    """Undoes an installation that did not happen."""
