"""The probe for Celery 5.x: workers in the test's process, eager tasks, results, canvas.

A task that is acknowledged late is delivered at least once. One that is acknowledged early is
lost when its worker dies (``lose``); it runs twice if it retries by itself, or if Celery publishes
it again after a lost connection, as it does by default. Everything
happens where a task is traced by Celery's own tracer, so it is the same for every transport, and
for ``task_always_eager``. Celery's own tasks (``celery.chord_unlock`` for one) are no messages of
anybody: what they send counts as sent by whoever caused them.
"""

from __future__ import annotations

import copy
import functools
import sys
from collections.abc import Callable, Mapping
from types import FrameType, ModuleType
from typing import Any, ClassVar

from socrates_amplify.model.faults import Fault
from socrates_amplify.originals import Clock
from socrates_amplify.probes.queues.celery_imports import import_early
from socrates_amplify.probes.queues.celery_promises import (
    PUBLISHED_AGAIN,
    offers,
    publishes_again,
    runs_again,
)
from socrates_amplify.probes.queues.delivery import Ended, caller, ended
from socrates_amplify.probes.queues.probe import QueueInstallation, QueueProbe
from socrates_amplify.probes.queues.tasks import Task, TaskType
from socrates_amplify.probes.versions import SupportedVersions
from socrates_amplify.record.messages import Context

_PACKAGES = ("celery.", "kombu.", "vine.", "billiard.", "socrates_amplify.")
_OWN = "celery."
_ALONE: dict[str, object] = dict.fromkeys(("callbacks", "errbacks", "chain", "chord", "group"))
"""What the request of a copy lacks: the queue goes on from a message once."""
_POLL = 0.05
"""Seconds after which a worker that waits for messages looks whether it shall end."""


class _Installation(QueueInstallation):
    def modules(self) -> Mapping[str, Callable[[ModuleType], None]]:
        self._queues: dict[tuple[object, str], str] = {}
        return {
            "celery.app.base": self._patch_app,
            "celery.app.task": self._patch_task,
            "celery.app.trace": self._patch_tracing,
            "celery.worker.consumer.consumer": self._patch_tracing,
            "celery.worker.worker": self._patch_worker,
            "celery.result": self._patch_results,
            "kombu.transport.virtual.base": self._patch_waiting,
        }

    def _patch_app(self, module: ModuleType) -> None:
        original = module.Celery.send_task

        def send_task(
            app: Any, name: str, args: Any = None, kwargs: Any = None, *rest: Any, **options: Any
        ) -> Any:
            if len(rest) < 3 and _well_formed(args, kwargs):  # countdown, eta, task_id
                options["task_id"] = options.get("task_id") or _new_id()
                self._note_sent(app, name, args, kwargs, options, sys._getframe(1))
            result = original(app, name, args, kwargs, *rest, **options)
            self.deliveries.posted(options.get("task_id", ""))
            return result

        self.patches.set(module.Celery, "send_task", send_task)

    def _note_sent(
        self, app: Any, name: str, args: Any, kwargs: Any, options: dict[str, Any], frame: FrameType
    ) -> None:
        key, context = options["task_id"], self.here.context
        if name.startswith(_OWN):
            self.deliveries.remember(key, context)
            return
        self._remember_chord(options.get("chord"))
        find = getattr(app._tasks, "get", None)
        task_type = options.get("task_type") or (find(name) if find else None)
        again = options.get("retry") is not False and _comes_again(app, task_type)
        queue = self._queue(app, name, options)
        kind = self._kind_of(app, name, task_type, queue, eager=False, again=again)
        self._post(kind, key, args, kwargs, context, frame, options.get("retries"))

    def _patch_task(self, module: ModuleType) -> None:
        original = module.Task.apply

        def apply(
            task: Any, args: Any = None, kwargs: Any = None, *rest: Any, **options: Any
        ) -> Any:
            if not rest and not task.name.startswith(_OWN) and _well_formed(args, kwargs):
                key = options["task_id"] = options.get("task_id") or _new_id()
                app = task._get_app()
                found = app._tasks[task.name]
                again = _comes_again(app, found)
                kind = self._kind_of(app, task.name, found, "", eager=True, again=again)
                frame, retries = sys._getframe(1), options.get("retries")
                self._post(kind, key, args, kwargs, self.here.context, frame, retries)
                if self.recorder.eager:
                    return self._retrying(lambda: original(task, args, kwargs, **options), options)
            return original(task, args, kwargs, *rest, **options)

        self.patches.set(module.Task, "apply", apply)

    def _retrying(self, apply: Callable[[], Any], options: Mapping[str, Any]) -> Any:
        """Call an eager task; a retry that a fault asks for happens, as it does in a worker.

        Celery does so by itself unless errors are passed on to the caller
        (``task_eager_propagates``); then the caller sees the retry, as no caller of a worker does.
        A retry without a fault in this attempt is what the test is about, and left as it is.
        """
        from celery.exceptions import Retry

        to_come = len(self.recorder.unapplied)
        try:
            return apply()
        except Retry as retry:
            if retry.sig is None or len(self.recorder.unapplied) == to_come:
                raise
            again = retry.sig
        retries = (options.get("retries") or 0) + 1
        return again.apply(retries=retries, throw=options.get("throw"))

    def _post(
        self,
        kind: TaskType,
        key: str,
        args: Any,
        kwargs: Any,
        context: Context,
        frame: FrameType,
        retries: int | None,
    ) -> None:
        frame = caller(frame, _PACKAGES)
        note = f"retry {retries}" if retries else ""
        site = (frame.f_code, frame.f_lasti)
        task = Task(kind, args or (), kwargs or {}, context, site, note)
        self.deliveries.post(key, task)

    def _remember_chord(self, chord: Any) -> None:
        """Which task of a chord ends last is chance: its body is caused by who started it."""
        key = chord["options"].get("task_id") if chord else None
        if key:
            self.deliveries.remember(key, self.here.context)

    def _kind_of(
        self, app: Any, name: str, task: Any, queue: str, *, eager: bool, again: bool
    ) -> TaskType:
        owner = (id(app), name, eager, again)
        return self.kinds.get((owner, queue)) or self.kind(
            owner,
            name,
            queue,
            getattr(task, "run", None),
            lambda promised: offers(task, promised, eager, again),
            "" if runs_again(task) else PUBLISHED_AGAIN,
        )

    def _queue(self, app: Any, name: str, options: Mapping[str, Any]) -> str:
        given = options.get("queue")
        if given:
            queue = str(getattr(given, "name", given))
            return "" if queue == app.conf.task_default_queue else queue
        if not app.conf.task_routes:
            return ""
        if (app, name) not in self._queues:
            routed = app.amqp.router.route({}, name).get("queue")
            queue = str(getattr(routed, "name", routed or ""))
            self._queues[app, name] = "" if queue == app.conf.task_default_queue else queue
        return self._queues[app, name]

    def _patch_tracing(self, module: ModuleType) -> None:
        original: Callable[..., Any] = module.build_tracer
        eager = self.recorder.eager

        def build_tracer(name: str, task: Any, *args: Any, **kwargs: Any) -> Any:
            self._wrap_run(task)
            tracer = original(name, task, *args, **kwargs)

            def trace_task(key: str, args: Any, kwargs: Any, request: Any = None) -> Any:
                deliveries = self.deliveries
                note = deliveries.take(key)
                if note is None or eager:
                    return self._trace(tracer, task, note, key, args, kwargs, request)
                return deliveries.deliver_unfaulted(note, tracer, key, args, kwargs, request)

            return trace_task

        if getattr(original, "__module__", "") == "celery.app.trace":
            self.patches.set(module, "build_tracer", build_tracer)

    def _wrap_run(self, task: Any) -> None:
        run = task.run
        if getattr(run, "_socrates", None) is self:
            return

        @functools.wraps(run)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return self.deliveries.around_task_code(run, args, kwargs)

        wrapped._socrates = self  # type: ignore[attr-defined]
        self.patches.set(task, "run", wrapped)

    def _trace(
        self,
        tracer: Any,
        task: Any,
        note: Task | None,
        key: str,
        args: Any,
        kwargs: Any,
        request: Any,
    ) -> Any:
        if note is None:
            before, self.here.context = self.here.context, self.deliveries.cause(key)
            try:
                return tracer(key, args, kwargs, request)
            finally:
                self.here.context = before
        planned = self.deliveries.planned(note)
        if "lose" in planned:
            return self._lose(planned["lose"], note, lambda: tracer(key, args, kwargs, request))
        spare = _spare(args, kwargs) if planned else ((), {})

        def life(dies: bool) -> Ended:
            copied = _spare(*spare)
            if dies:
                return ended(lambda: _die(task, key, *copied, request))
            return _ended(
                lambda: tracer(key, *copied, {**(request or {}), **_ALONE, "ignore_result": True})
            )

        final = _redelivered(request) if "restart" in planned else request
        try:
            return self.deliveries.deliver(note, life, lambda: tracer(key, args, kwargs, final))
        finally:
            if self.line is not None:
                self.line.finished(note)

    def _lose(self, fault: Fault, note: Task, trace: Callable[[], Any]) -> Any:
        """The worker took the message off the queue and died before it did anything."""
        from celery.exceptions import Ignore

        def gone() -> object:
            self.recorder.injected(note, fault)
            raise Ignore

        return self.deliveries.deliver(note, lambda dies: Ended(), trace, instead=gone)

    def _patch_worker(self, module: ModuleType) -> None:
        line = self.line
        if line is None:
            return
        original = module.WorkController._process_task

        def process_task(controller: Any, request: Any) -> None:
            note = self.deliveries.next(request.id)
            if note is None:
                original(controller, request)
            else:
                line.arrive(note, lambda: original(controller, request))

        self.patches.set(module.WorkController, "_process_task", process_task)

    def _patch_waiting(self, module: ModuleType) -> None:
        """Let a worker that shall end do so at once: it would wait seconds for a last message."""
        original = module.Transport.drain_events

        def drain_events(transport: Any, connection: Any, timeout: float | None = None) -> None:
            if timeout is None or timeout <= _POLL or self.recorder.controlled:
                original(transport, connection, timeout)
                return
            over = Clock.now() + timeout
            while True:
                try:
                    original(transport, connection, min(_POLL, over - Clock.now()))
                    return
                except TimeoutError:
                    if _ending() or Clock.now() >= over - 0.001:
                        raise

        self.patches.set(module.Transport, "drain_events", drain_events)

    def _patch_results(self, module: ModuleType) -> None:
        for kind in (module.AsyncResult, module.EagerResult):
            self._patch_get(kind)
        original, deliveries = module.ResultSet.join_native, self.deliveries

        def join_native(results: Any, *args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            deliveries.waiting("celery", frame)
            keys = [result.id for result in results.results]
            return deliveries.read_results(keys, frame, lambda: original(results, *args, **kwargs))

        self.patches.set(module.ResultSet, "join_native", join_native)

    def _patch_get(self, kind: Any) -> None:
        original, deliveries = kind.get, self.deliveries

        def get(result: Any, *args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            deliveries.waiting("celery", frame)
            return deliveries.read_result(
                result.id, frame, lambda: original(result, *args, **kwargs)
            )

        self.patches.set(kind, "get", get)
        self.patches.set(kind, "wait", get)


class CeleryProbe(QueueProbe):
    """Holds on to what an app sends, how its tasks are traced, and what the test waits for."""

    name = "celery"
    known: ClassVar[SupportedVersions] = SupportedVersions("celery", "celery", (5,))
    installation: ClassVar[type[QueueInstallation]] = _Installation

    def warm_up(self) -> None:
        """Import what the tests will make Celery import."""
        import_early()
        super().warm_up()


def _comes_again(app: Any, task: Any) -> bool:
    """Whether a message may come twice; the app's settings, which are slow to read, come last."""
    return runs_again(task) or publishes_again(app)


def _well_formed(args: Any, kwargs: Any) -> bool:
    """Whether these can be arguments; what can't be, Celery refuses in its own words."""
    positional = args is None or isinstance(args, (list, tuple))
    return positional and (kwargs is None or isinstance(kwargs, Mapping))


def _ending() -> bool:
    """Whether the worker of this process was told to stop."""
    state: Any = sys.modules.get("celery.worker.state")
    told = (getattr(state, name, None) for name in ("should_stop", "should_terminate"))
    return any(item is not None and item is not False for item in told)


def _new_id() -> str:
    from celery.utils import uuid

    return str(uuid())


def _spare(args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Arguments of their own for a copy, as if they had been read from the queue again."""
    try:
        return copy.deepcopy((args, kwargs))
    except Exception:
        # Only an eager task can have such arguments; then its copy has the same ones.
        return args, kwargs


def _redelivered(request: Any) -> dict[str, Any]:
    info = (request or {}).get("delivery_info") or {}
    return {**(request or {}), "delivery_info": {**info, "redelivered": True}}


def _ended(trace: Callable[[], Any]) -> Ended:
    """How a traced copy ended: the tracer keeps exceptions and tells of them."""
    result = ended(trace)
    if result.error is not None:
        return result
    value, info = result.value[:2]  # type: ignore[index]
    if info is None:
        return Ended(value)
    error = info.retval
    return Ended(error=error if isinstance(error, BaseException) else RuntimeError(str(error)))


def _die(task: Any, key: str, args: Any, kwargs: Any, request: Any) -> object:
    """What a worker does for a task up to the end of the task's own code."""
    from celery import signals
    from celery._state import _task_stack
    from celery.app.task import Context as RequestContext
    from celery.app.trace import task_has_custom

    run = task if task_has_custom(task, "__call__") else task.run
    about = RequestContext(request or {}, args=args, called_directly=False, kwargs=kwargs)
    _task_stack.push(task)
    task.request_stack.push(about)
    try:
        signals.task_prerun.send(sender=task, task_id=key, task=task, args=args, kwargs=kwargs)
        return run(*args, **kwargs)
    finally:
        _task_stack.pop()
        task.request_stack.pop()
