"""What a probe is. Subclass ``Probe`` and return an instance from the hook ``socrates_probes``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import MESSAGE, Channel
from socrates_amplify.model.notices import Notice

if TYPE_CHECKING:  # commands need probes for their names, and no recorder
    from socrates_amplify.record.recorder import Recorder

Undo = Callable[[], None]
"""Takes every patch back."""


class Wire(Protocol):
    """How a child process of the test speaks to the test. Safe to use from any thread."""

    def ask(self, endpoint: str, do: str, **details: object) -> object:
        """What an endpoint of the test answers; None when the test is gone."""

    def notice(self, notice: Notice) -> None:
        """Have the test tell the user something."""


class Probe(ABC):
    """Records what one framework does while a test runs, and applies faults to it.

    A probe patches the framework's own code, never the user's. It hands what happens to the
    recorder. When ``Message.faults`` names faults for a message, it applies each of them and says
    so with ``Recorder.injected``, or says why not with ``Recorder.not_applied``. A library that it
    can't patch it reports with ``Recorder.notices.unpatched``.

    What a probe of a plugin raises is reported with file and line, and the run goes on without
    what the probe would have done; a ``SocratesError`` is a mistake of the user, and ends the run.
    """

    name: str
    """The framework; also the name of the probe's table under ``[tool.socrates.amplify]``."""
    channel: Channel = MESSAGE
    """What this probe sees: it says which kinds are tried when the user asks for no others."""
    root: str = ""
    """Where relative paths in traces start; known when ``faults_of`` is asked in a run."""

    @abstractmethod
    def available(self) -> bool:
        """Whether the user's project can use the framework. Must not import it."""

    def warnings(self) -> Iterable[str]:
        """What to warn the user of before a run, such as a version that the probe does not know."""
        return ()

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Called once before a run, in the process of the command.

        ``root`` and ``config`` are as above and in ``install``. Raises SocratesError for a mistake
        in ``config``.
        """
        self.root = root

    @abstractmethod
    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the framework for one run, in the process of the test.

        ``config`` is the probe's table of the settings, and may be empty. Raises SocratesError for a
        mistake in it.
        """

    def warm_up(self) -> None:
        """Do what each execution would else do anew, in a process that is forked for each of them.

        Called once, when the tests have been collected. By default the framework is patched and put
        back, so that all is imported that ``install`` needs.
        """
        from socrates_amplify.record.recorder import Recorder

        self.install(Recorder(), {})()

    def install_remote(self, wire: Wire) -> None:
        """Patch the framework for good, in a process that the test has started.

        Called where the process imports one of the modules that the probe's endpoint names, and
        only if the probe has joined the ``ProcessGroup`` of its recorder with an endpoint. By
        default nothing is patched there.
        """
        return

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Seconds that the faults of ``scenario`` take by themselves, however fast the test is."""
        return 0.0

    @abstractmethod
    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults of these kinds that this trace offers, in the order of its messages."""
