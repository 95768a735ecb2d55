"""The probe for dramatiq 2.x: brokers, workers, results, retries, pipelines, groups.

Messages are acknowledged after they were handled, so each is delivered at least once. What is
enqueued is seen by way of the broker's own signals, and everything else happens where a worker
handles a message, so that it is the same for every broker.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType, ModuleType
from typing import Any, ClassVar

from socrates_amplify.probes.queues.delivery import Ended, caller, ended
from socrates_amplify.probes.queues.probe import QueueInstallation, QueueProbe
from socrates_amplify.probes.queues.tasks import Task, TaskType
from socrates_amplify.probes.versions import SupportedVersions

_PACKAGES = ("dramatiq.", "socrates_amplify.")
_USUAL = "default"
_OFFERS = ("duplicate", "restart", "delay", "reorder")
_DELAYED = ".DQ"


class _Installation(QueueInstallation):
    def modules(self) -> Mapping[str, Callable[[ModuleType], None]]:
        return {
            "dramatiq.broker": self._patch_broker,
            "dramatiq.actor": self._patch_actor,
            "dramatiq.message": self._patch_message,
            "dramatiq.worker": self._patch_worker,
            "dramatiq.brokers.stub": self._patch_join("StubBroker"),
            "dramatiq.brokers.redis": self._patch_join("RedisBroker"),
            "dramatiq.brokers.rabbitmq": self._patch_join("RabbitmqBroker"),
        }

    def _patch_broker(self, module: ModuleType) -> None:
        original, original_after = module.Broker.emit_before, module.Broker.emit_after
        note = self._note

        def emit_before(broker: Any, signal: str, *args: Any, **kwargs: Any) -> None:
            original(broker, signal, *args, **kwargs)
            if signal == "enqueue":
                note(broker, args[0], sys._getframe(1))

        def emit_after(broker: Any, signal: str, *args: Any, **kwargs: Any) -> None:
            original_after(broker, signal, *args, **kwargs)
            if signal == "enqueue":
                self.deliveries.posted(args[0].message_id)

        self.patches.set(module.Broker, "emit_before", emit_before)
        self.patches.set(module.Broker, "emit_after", emit_after)

    def _note(self, broker: Any, message: Any, frame: FrameType) -> None:
        actor = broker.actors.get(message.actor_name)
        queue, options = message.queue_name, message.options
        kind = self.kinds.get((actor, queue)) or self._new_kind(actor, message, queue)
        if _moves(frame):
            return
        frame = caller(frame, _PACKAGES)
        key, context = message.message_id, self.here.context
        if "group_completion_callbacks" in options or "pipe_target" in options:
            for callback in _callbacks_of(options):
                self.deliveries.remember(callback, context)
        retries = options.get("retries")
        note = f"retry {retries}" if retries else ""
        site = (frame.f_code, frame.f_lasti)
        task = Task(kind, message.args, message.kwargs, context, site, note)
        self.deliveries.post(key, task)

    def _new_kind(self, actor: Any, message: Any, queue: str) -> TaskType:
        usual = queue.removesuffix(_DELAYED)
        kind = self.kind(
            actor,
            message.actor_name,
            "" if usual == _USUAL else usual,
            getattr(actor, "fn", None),
            lambda promised: _OFFERS,
        )
        if actor is not None:
            self.kinds[actor, queue] = kind
        return kind

    def _patch_actor(self, module: ModuleType) -> None:
        original = module.Actor.__call__

        def call(actor: Any, *args: Any, **kwargs: Any) -> Any:
            return self.deliveries.around_task_code(original, (actor, *args), kwargs)

        self.patches.set(module.Actor, "__call__", call)

    def _patch_message(self, module: ModuleType) -> None:
        original, deliveries = module.Message.get_result, self.deliveries

        def get_result(message: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if kwargs.get("block"):
                deliveries.waiting(_queue_name(message.queue_name), frame)
            return deliveries.read_result(
                message.message_id, frame, lambda: original(message, **kwargs)
            )

        self.patches.set(module.Message, "get_result", get_result)

    def _patch_join(self, name: str) -> Callable[[ModuleType], None]:
        def patch(module: ModuleType) -> None:
            kind, waiting = getattr(module, name), self.deliveries.waiting
            waited = self.deliveries.waited
            original = kind.join

            def join(broker: Any, queue_name: str, *args: Any, **kwargs: Any) -> None:
                waiting(_queue_name(queue_name), sys._getframe(1))
                original(broker, queue_name, *args, **kwargs)
                waited()

            self.patches.set(kind, "join", join)

        return patch

    def _patch_worker(self, module: ModuleType) -> None:
        self._patch_processing(module.WorkerThread)
        self._patch_consuming(module.ConsumerThread)
        original, line = module.Worker.join, self.line
        waiting, waited = self.deliveries.waiting, self.deliveries.waited

        def join(worker: Any) -> None:
            waiting(_USUAL, sys._getframe(1))
            original(worker)
            while line is not None and not line.empty:
                # Held back, so in the worker's hands: it is not done yet.
                line.wait()
                original(worker)
            waited()

        self.patches.set(module.Worker, "join", join)

    def _patch_processing(self, worker_thread: Any) -> None:
        original, line, eager = worker_thread.process_message, self.line, self.recorder.eager

        def process_message(worker: Any, message: Any) -> None:
            deliveries = self.deliveries
            task = deliveries.take(message.message_id)
            if task is None:
                original(worker, message)
                return
            if not eager:
                deliveries.deliver_unfaulted(task, original, worker, message)
                return
            spare = message.encode() if deliveries.planned(task) else b""
            deliveries.deliver(
                task,
                lambda dies: _live(worker.broker, spare, dies),
                lambda: original(worker, message),
            )
            if line is not None:
                line.finished(task)

        self.patches.set(worker_thread, "process_message", process_message)

    def _patch_consuming(self, consumer_thread: Any) -> None:
        original_handle, line = consumer_thread.handle_message, self.line
        if line is None:
            return

        def handle_message(consumer: Any, message: Any) -> None:
            task = self.deliveries.next(message.message_id)
            if task is None or message.options.get("eta"):
                original_handle(consumer, message)
            else:
                line.arrive(task, lambda: original_handle(consumer, message))

        self.patches.set(consumer_thread, "handle_message", handle_message)


class DramatiqProbe(QueueProbe):
    """Holds on to brokers' signals, workers' threads, and what the test waits for."""

    name = "dramatiq"
    known: ClassVar[SupportedVersions] = SupportedVersions("dramatiq", "dramatiq", (2,))
    installation: ClassVar[type[QueueInstallation]] = _Installation


def _moves(frame: FrameType) -> bool:
    """Whether a delayed message is moved to its queue, now that its time has come: no new one."""
    while frame.f_code.co_name == "enqueue" and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_name == "handle_delayed_messages"


def _queue_name(queue: str) -> str:
    return queue.removesuffix(_DELAYED)


def _callbacks_of(options: Mapping[str, Any]) -> list[str]:
    """The messages that are sent when the group is done that this message is, or leads, a part of.

    Which part ends last is chance: they are caused by whoever started the group.
    """
    while (target := options.get("pipe_target")) and not options.get("group_completion_callbacks"):
        options = target["options"]
    return [callback["message_id"] for callback in options.get("group_completion_callbacks") or ()]


def _live(broker: Any, spare: bytes, dies: bool) -> Ended:
    """Handle a copy of a message; when the worker dies, nothing that comes after its code."""
    from dramatiq import Message, MessageProxy

    copy = MessageProxy(Message.decode(spare))

    def run() -> object:
        broker.emit_before("process_message", copy)
        return broker.get_actor(copy.actor_name)(*copy.args, **copy.kwargs)

    result = ended(run)
    if not dies:
        for middleware in reversed(broker.middleware):
            if not isinstance(middleware, _bookkeepers()):
                after = middleware.after_process_message
                ended(partial(after, broker, copy, result=result.value, exception=result.error))
    return result


def _bookkeepers() -> tuple[type, ...]:
    """Middleware that does what the queue promises to do once for each message."""
    from dramatiq.middleware import Callbacks, GroupCallbacks, Pipelines, Retries
    from dramatiq.results import Results

    return (Callbacks, GroupCallbacks, Pipelines, Retries, Results)
