"""What the probes of task queues have in common: versions, settings, lazy patching, the faults."""

from __future__ import annotations

import functools
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import ClassVar

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import TASK
from socrates_amplify.probes.base import Probe, Undo, Wire
from socrates_amplify.probes.importing import ImportPatches
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.patterns import fitting, patterns_in
from socrates_amplify.probes.processes.group import ProcessGroup
from socrates_amplify.probes.queues.delayed import DelayedTasks
from socrates_amplify.probes.queues.delivery import Deliveries
from socrates_amplify.probes.queues.endpoint import QueueEndpoint
from socrates_amplify.probes.queues.line import ControlledLine, Line
from socrates_amplify.probes.queues.remote_worker import RemoteDeliveries, RemoteRecorder
from socrates_amplify.probes.queues.space import task_faults
from socrates_amplify.probes.queues.tasks import LATER, TaskType, mask_in, type_of
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.probes.versions import SupportedVersions
from socrates_amplify.record.recorder import Recorder


class QueueInstallation:
    """The patches of one run and what they share. Subclasses patch module by module."""

    def __init__(self, name: str, deliveries: Deliveries, config: Mapping[str, object]) -> None:
        recorder = self.recorder = deliveries.recorder
        self.deliveries = deliveries
        """Another one in a fork, so it is looked up whenever it is needed there."""
        self.here = recorder.here
        self.name = name
        self.config = config
        self.mask = mask_in(config, name)
        self.promised = patterns_in(config, "at-least-once", name)
        controlled = ControlledLine.of(recorder)
        later = any(fault.kind in LATER for fault in recorder.scenario)
        self.line: Line | None = controlled or (DelayedTasks(recorder) if later else None)
        deliveries.line = controlled
        self.patches = Patches()
        self._imports = ImportPatches(self.patches, recorder.notices)
        self.kinds: dict[tuple[object, str], TaskType] = {}

    @abstractmethod
    def modules(self) -> Mapping[str, Callable[[ModuleType], None]]:
        """What patches which module of the framework, once it is imported."""

    def apart(self) -> bool:
        """Whether a worker that forks now is out of the test's hands."""
        return True

    def forked(self, wire: Wire) -> None:
        """This is a fork: what is handled here, the test is told."""
        recorder = RemoteRecorder(
            wire,
            self.name,
            eager=self.recorder.eager,
            root=self.recorder.root,
            apart=self.apart(),
        )
        self.recorder = recorder
        self.deliveries = RemoteDeliveries(recorder, self.config)

    def install(self) -> Undo:
        """Patch what is imported now, and the rest when it is."""
        inherit_context(self.patches, self.here)
        for name, patch in self.modules().items():
            self._imports.when(name, functools.partial(_patch, patch, name))
        return self._uninstall

    def _uninstall(self) -> None:
        self._imports.close()
        if self.line is not None:
            self.line.close()
        self.patches.undo()

    def kind(
        self,
        owner: object,
        name: str,
        queue: str,
        function: Callable[..., object] | None,
        offers: Callable[[bool], tuple[str, ...]],
        because: str = "",
    ) -> TaskType:
        """What the messages for one task have in common, from now on in ``kinds``.

        ``offers`` is told whether the user promises that it is delivered at least once;
        ``because`` is why it may be although nobody promises it.
        """
        promise = fitting(self.promised, [type_of(function) or f":{name}"])
        made = self.kinds[owner, queue] = TaskType(
            name,
            function,
            queue=queue,
            offers=offers(bool(promise)),
            promise=promise,
            because="" if promise else because,
            mask=self.mask,
            root=self.recorder.root,
        )
        return made


class QueueProbe(Probe):
    """A probe for one task queue."""

    known: ClassVar[SupportedVersions]
    installation: ClassVar[type[QueueInstallation]]
    channel = TASK

    def available(self) -> bool:
        """Whether the framework is installed, in a version that is known here."""
        return self.known.present() and not self.known.unfit()

    def warnings(self) -> Iterable[str]:
        """A version that is not known."""
        unfit = self.known.unfit()
        return [unfit] if unfit else []

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the framework's classes until the returned function is called."""
        deliveries, group = Deliveries(recorder), ProcessGroup.of(recorder)
        installation = self.installation(self.name, deliveries, config)
        endpoint = QueueEndpoint(
            self.name,
            deliveries,
            config,
            group.context_of,
            installation.forked,
            tuple(installation.modules()),
        )
        group.join(endpoint)
        undo = installation.install()

        def leave() -> None:
            undo()
            group.leave(endpoint)

        return leave

    def install_remote(self, wire: Wire) -> None:
        """Patch the framework in a process that the test has started, for good."""
        told = wire.ask(self.name, "hello")
        if isinstance(told, dict):
            recorder = RemoteRecorder(
                wire, self.name, eager=told["eager"], root=told["root"], apart=True
            )
            config = told["config"]
            self.installation(self.name, RemoteDeliveries(recorder, config), config).install()

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the tasks of this trace offer, of whatever queue they are."""
        return task_faults(trace, kinds)


def _patch(patch: Callable[[ModuleType], None], name: str) -> None:
    patch(sys.modules[name])
