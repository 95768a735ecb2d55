"""What a probe is. Subclass ``Probe`` and return it from the ``socrates_probes`` hook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import MESSAGE, Channel
from socrates_amplify.record.recorder import Recorder

Undo = Callable[[], None]
"""Takes every patch back."""


class Probe(ABC):
    """Holds on to one framework while a test runs.

    A probe patches the framework's own seams, never the user's code. It hands what happens to the
    recorder, and when ``Message.faults`` names faults for a message it applies each of them and says
    so with ``Recorder.injected``, or says why not with ``Recorder.not_applied``.
    """

    name: ClassVar[str]
    """The framework; also the name of the probe's table under ``[tool.socrates.amplify]``."""
    channel: Channel = MESSAGE
    """What this probe sees: it says which kinds are tried when the user asks for no others."""
    root: str = ""
    """Where relative paths in traces start; known when ``faults_of`` is asked in a run."""

    @abstractmethod
    def available(self) -> bool:
        """Whether the user's project can use the framework. Must not import it."""

    def warnings(self) -> Iterable[str]:
        """What the user should know beforehand: a version that is unknown here, for one."""
        return ()

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Before a run: ``root`` as above, ``config`` as in ``install``. A mistake is a ``SocratesError``."""
        self.root = root

    @abstractmethod
    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the framework for one run. ``config`` is the probe's own table, may be empty."""

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Seconds that the faults take by themselves, however quick the system is."""
        return 0.0

    @abstractmethod
    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults of these kinds that this trace offers, in the order of its messages."""
