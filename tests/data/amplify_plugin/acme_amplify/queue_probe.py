"""The probe for tinyqueue 1.x, and a kind of fault that only it knows how to apply."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from socrates_amplify.model.kinds import TASK, FaultKind, OnChannel
from socrates_amplify.probes.queues.delivery import ended
from socrates_amplify.probes.queues.probe import QueueInstallation, QueueProbe
from socrates_amplify.probes.queues.tasks import Task
from socrates_amplify.probes.versions import SupportedVersions

DEAD_LETTER = FaultKind(
    "dead-letter",
    (OnChannel(TASK, "a task that was put aside should be missed by somebody"),),
    "A task that is put aside changes the result",
)


def offers(promised: bool) -> tuple[str, ...]:
    """What can happen to a task of this queue: a worker removes a job only when it is done."""
    return ("duplicate", "restart", DEAD_LETTER.name)


class Installation(QueueInstallation):
    """The patches of one run. In a worker's own process, ``deliveries`` asks the test."""

    def modules(self) -> Mapping[str, Callable[[ModuleType], None]]:
        """Patched when they are imported, here and in processes that a test starts."""
        return {"tinyqueue": self._patch}

    def _patch(self, module: ModuleType) -> None:
        send, perform, run = module.Queue.send, module.Queue.perform, module.Job.run

        def recorded_send(queue: Any, job: Any) -> None:
            name = job.task.replace(":", ".")
            task_type = self.kinds.get((name, "")) or self.kind(name, name, "", None, offers)
            frame = sys._getframe(1)
            site = (frame.f_code, frame.f_lasti)
            self.deliveries.post(job.id, Task(task_type, job.args, {}, self.here.context, site))
            send(queue, job)

        def recorded_run(job: Any) -> Any:
            return self.deliveries.around_task_code(run, (job,), {})

        def recorded_perform(queue: Any, job: Any) -> None:
            task = self.deliveries.take(job.id)
            if task is None:  # sent before the test, or after it
                perform(queue, job)
            elif not self.recorder.eager:
                self.deliveries.deliver_unfaulted(task, perform, queue, job)
            elif DEAD_LETTER.name in (planned := self.deliveries.planned(task)):
                self.recorder.turn(task)
                self.recorder.injected(task, planned[DEAD_LETTER.name])
                queue.put_aside(job)
            else:
                self.deliveries.deliver(
                    task, lambda dies: ended(lambda: run(job)), lambda: perform(queue, job)
                )

        self.patches.set(module.Queue, "send", recorded_send)
        self.patches.set(module.Queue, "perform", recorded_perform)
        self.patches.set(module.Job, "run", recorded_run)


class TinyQueueProbe(QueueProbe):
    """Records what is sent and handled, in the test's process and in workers that it starts."""

    name = "tinyqueue"
    known = SupportedVersions("tinyqueue", "tinyqueue", (1,))
    installation = Installation
