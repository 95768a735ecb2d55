"""The probe for RQ 2.x: workers in the test's process, ``is_async=False``, retried jobs.

RQ has no acknowledgement. A job whose worker died is run again if it has retries left, and is
lost for good (``lose``) if it has not. Any job is queued twice if redis-py sends the command again
after a lost connection, as it does by default since version 6.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType, ModuleType
from typing import Any, ClassVar

from socrates_amplify.probes.queues.delivery import caller, ended
from socrates_amplify.probes.queues.probe import QueueInstallation, QueueProbe
from socrates_amplify.probes.queues.tasks import Task
from socrates_amplify.probes.versions import SupportedVersions

_PACKAGES = ("rq.", "socrates_amplify.")
_USUAL = "default"
_SENT_AGAIN = "redis-py sends the command again after a lost connection (its retries)"


class _Installation(QueueInstallation):
    _working = 0
    """How many workers work in this process now."""

    def modules(self) -> Mapping[str, Callable[[ModuleType], None]]:
        return {
            "rq.queue": self._patch_queue,
            "rq.job": self._patch_job,
            "rq.worker": self._patch_workers,
        }

    def _patch_queue(self, module: ModuleType) -> None:
        queue_type = module.Queue
        enqueue, enqueue_now, run_sync = (
            queue_type.enqueue_job,
            queue_type._enqueue_job,
            queue_type.run_sync,
        )

        def enqueue_job(queue: Any, job: Any, *args: Any, **kwargs: Any) -> Any:
            if getattr(job, "_dependency_ids", None):
                # Which of its dependencies ends last is chance: it is caused by who asked for it.
                self.deliveries.remember(job.id, self.here.context)
            return enqueue(queue, job, *args, **kwargs)

        def _enqueue_job(queue: Any, job: Any, *args: Any, **kwargs: Any) -> Any:
            self._note(queue, job, sys._getframe(1))
            return enqueue_now(queue, job, *args, **kwargs)

        def run_job_sync(queue: Any, job: Any) -> Any:
            return self._deliver(job, lambda: run_sync(queue, job), job)

        self.patches.set(queue_type, "enqueue_job", enqueue_job)
        self.patches.set(queue_type, "_enqueue_job", _enqueue_job)
        self.patches.set(queue_type, "run_sync", run_job_sync)

    def _note(self, queue: Any, job: Any, frame: FrameType) -> None:
        retried, waits = job.retries_left is not None, queue._is_async
        sent_again = _sends_again(queue.connection)
        owner = (job.func_name, retried, waits, sent_again)
        name = "" if queue.name == _USUAL else queue.name
        kind = self.kinds.get((owner, name)) or self.kind(
            owner,
            job.func_name,
            name,
            ended(lambda: job.func).value,  # type: ignore[arg-type]
            lambda promised: _offers(retried or promised, sent_again, waits),
            "" if retried else _SENT_AGAIN,
        )
        frame = caller(frame, _PACKAGES)
        number = self.deliveries.count(job.id)
        note, site = f"retry {number}" if number else "", (frame.f_code, frame.f_lasti)
        task = Task(kind, job.args, job.kwargs, self.here.context, site, note)
        self.deliveries.post(job.id, task)

    def _deliver(self, job: Any, official: Callable[[], Any], lost: Any) -> Any:
        """Let a worker run a job; ``lost`` is what there is when it died before."""
        note = self.deliveries.take(job.id)
        if note is None:
            return official()
        if not self.recorder.eager:
            return self.deliveries.deliver_unfaulted(note, official)
        planned = self.deliveries.planned(note)
        if "lose" in planned:
            self.recorder.turn(note)
            self.recorder.injected(note, planned["lose"])
            return lost
        return self.deliveries.deliver(note, lambda dies: ended(lambda: _again(job)), official)

    def _patch_job(self, module: ModuleType) -> None:
        execute, deliveries = module.Job._execute, self.deliveries

        def _execute(job: Any) -> Any:
            return self.deliveries.around_task_code(execute, (job,), {})

        self.patches.set(module.Job, "_execute", _execute)
        for name in ("return_value", "latest_result"):
            original = getattr(module.Job, name)

            def read(job: Any, *args: Any, _original: Any = original, **kwargs: Any) -> Any:
                frame = sys._getframe(1)
                return deliveries.read_result(
                    job.id, frame, lambda: _original(job, *args, **kwargs)
                )

            self.patches.set(module.Job, name, read)

    def _patch_workers(self, module: ModuleType) -> None:
        kinds = {
            base
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, module.BaseWorker)
            for base in kind.__mro__
            if base.__module__.startswith("rq.")
        }
        for kind in kinds:
            for name, patch in self._worker_methods().items():
                if name in vars(kind):
                    self.patches.set(kind, name, patch(vars(kind)[name]))

    def apart(self) -> bool:
        """A work-horse is in the hands of the worker that forked it, if that works here."""
        return not self._working

    def _worker_methods(self) -> dict[str, Callable[[Any], Any]]:
        line = self.line

        def perform(original: Any) -> Any:
            def perform_job(worker: Any, job: Any, queue: Any) -> Any:
                return self._deliver(job, lambda: original(worker, job, queue), False)

            return perform_job

        def wait(original: Any) -> Any:
            def work(worker: Any, *args: Any, **kwargs: Any) -> Any:
                self.deliveries.waiting(_USUAL, sys._getframe(1))
                self._working += 1
                try:
                    return original(worker, *args, **kwargs)
                finally:
                    self._working -= 1
                    if line is not None:
                        line.flush("the worker found nothing else to do")

            return work

        def hold(original: Any) -> Any:
            def execute_job(worker: Any, job: Any, queue: Any) -> None:
                note = self.deliveries.next(job.id)
                if note is None or line is None:
                    original(worker, job, queue)
                    return

                def go() -> None:
                    original(worker, job, queue)
                    line.finished(note)

                line.arrive(note, go, only_here=True)

            return execute_job

        return {"perform_job": perform, "work": wait, **({"execute_job": hold} if line else {})}


class RqProbe(QueueProbe):
    """Holds on to what is enqueued, how a worker in this process performs it, and its results."""

    name = "rq"
    known: ClassVar[SupportedVersions] = SupportedVersions("rq", "rq", (2,))
    installation: ClassVar[type[QueueInstallation]] = _Installation


def _offers(again: bool, sent_again: bool, waits: bool) -> tuple[str, ...]:
    return (
        *(("duplicate",) if again or sent_again else ()),
        *(("restart",) if again and waits else ()),
        *(() if again else ("lose",)),
        *(("delay", "reorder") if waits else ()),
    )


def _sends_again(connection: Any) -> bool:
    """Whether the client sends a command again when the connection breaks before the answer."""
    retry = getattr(connection, "get_retry", lambda: None)()
    tries = getattr(retry, "_retries", 0)
    return isinstance(tries, int) and tries != 0


def _again(job: Any) -> object:
    """Run what a job asks for once more, as another worker that read it from the queue."""
    from rq import job as module

    stack: Any = module._job_stack
    copy = type(job).fetch(job.id, connection=job.connection, serializer=job.serializer)
    stack.push(copy)
    try:
        return copy._execute()
    finally:
        stack.pop()
