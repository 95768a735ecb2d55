"""The probe for Pykka 4.x: tell, ask, proxies, defer, futures, creation, restart and stop.

A message travels through the inbox inside its note, which the actor's loop hands on to
``_handle_receive``; there it is taken out again, so user code never sees the note. Stops travel
bare, because the loop looks for them. Reads of attributes and stops are traced as internal.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import TYPE_CHECKING, Any

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import kind_of
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.patterns import patterns_in
from socrates_amplify.probes.pykka.delayed import KINDS as HELD
from socrates_amplify.probes.pykka.delayed import LATE, DelayedMessages
from socrates_amplify.probes.pykka.letters import Letter, Redelivery, forget, instance_of, post
from socrates_amplify.probes.space import message_faults
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.record.messages import CONTEXT, Actor, Message, Phase
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.record.snapshot import UNSAFE, snapshot

if TYPE_CHECKING:
    import pykka

    from socrates_amplify.probes.pykka.messages import Describer

# Pykka's Actor is abstract, and a checker won't have abstract classes passed as ``type[Actor]``.
ActorType = Any


class PykkaProbe(Probe):
    """Holds on to ``ActorRef.tell`` and ``ask``, the actors' loop, their birth and futures."""

    name = "pykka"

    def available(self) -> bool:
        """Whether Pykka can be imported."""
        return "pykka" in sys.modules or importlib.util.find_spec("pykka") is not None

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch Pykka's classes until the returned function is called."""
        from socrates_amplify.probes.pykka.messages import Describer

        describer = Describer(
            persistent=patterns_in(config, "persistent", self.name),
            at_least_once=patterns_in(config, "at-least-once", self.name),
            root=recorder.root,
            name_of=recorder.name_of,
        )
        return _Installation(recorder, describer).install()

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the messages of this trace offer."""
        return message_faults(trace, kinds)


class _Installation:
    """The patches of one run and what they share."""

    def __init__(self, recorder: Recorder, describer: Describer) -> None:
        self.recorder = recorder
        self.describer = describer
        self.here = recorder.here
        self.actors: dict[str, Actor] = {}
        self.arguments: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self.stops: dict[str, Message] = {}
        self.at_once = not recorder.only_orders
        """Whether each message has to be known, with its faults, when it is sent."""
        self._strange: set[type] = set()
        """Types that are none of Pykka's."""
        planned = {fault.kind for fault in recorder.scenario}
        controlled = any(kind_of(kind).schedules for kind in planned)
        held = [kind for kind in HELD if kind in planned and not (controlled and kind in LATE)]
        self.holding = DelayedMessages(recorder, held) if held else None

    def install(self) -> Undo:
        import pykka

        patches = Patches()
        self.recorder.find_actor(self._find_actor)
        try:
            self._patch_sending(patches, pykka.ActorRef)
            self._patch_turns(patches, pykka.Actor)
            self._patch_births(patches, pykka.Actor, pykka.ActorRegistry)
            self._patch_futures(patches, pykka.ThreadingFuture)
        except Exception as error:
            # Other insides than those that are known here.
            patches.undo()
            self.recorder.notices.unpatched("pykka", error)
        inherit_context(patches, self.here)
        return lambda: self._uninstall(patches)

    def _uninstall(self, patches: Patches) -> None:
        if self.holding is not None:
            self.holding.close()
        patches.undo()

    def _find_actor(self, value: object) -> Actor | None:
        kind = type(value)
        if kind in self._strange or kind.__module__.partition(".")[0] != "pykka":
            self._strange.add(kind)
            return None
        ref = getattr(value, "actor_ref", value)
        return self.actors.get(getattr(ref, "actor_urn", ""))

    def _patch_sending(self, patches: Patches, ref_type: type[pykka.ActorRef[Any]]) -> None:
        original_tell, original_ask = ref_type.tell, ref_type.ask
        write, holding = self._writer(), self.holding

        def tell(ref: pykka.ActorRef[Any], message: Any) -> None:
            letter = write(ref, message, sys._getframe(1), None)
            if letter is None:
                original_tell(ref, message)
            elif holding is None:
                ref.actor_inbox.put(letter)  # type: ignore[arg-type]
            else:
                holding.send(ref.actor_urn, letter, lambda: post(ref, letter))

        def ask(
            ref: pykka.ActorRef[Any],
            message: Any,
            *,
            block: bool = True,
            timeout: float | None = None,
        ) -> Any:
            future = ref.actor_class._create_future()
            letter = write(ref, message, sys._getframe(1), future)
            if letter is None:
                return original_ask(ref, message, block=block, timeout=timeout)
            future._socrates_sent = letter
            if holding is None:
                ref.actor_inbox.put(letter)  # type: ignore[arg-type]
            else:
                holding.send(ref.actor_urn, letter, lambda: post(ref, letter))
            return future.get(timeout=timeout) if block else future

        patches.set(ref_type, "tell", tell)
        patches.set(ref_type, "ask", ask)

    def _writer(self) -> Callable[[pykka.ActorRef[Any], Any, FrameType, Any], Letter | None]:
        """Makes notes of messages. A closure over locals, since every message goes through it."""
        actors, context = self.actors, CONTEXT.get
        record, note, at_once = self.recorder.sent, self.recorder.turn, self.at_once
        stop, stopping = self.describer.stop, self._stopping

        def write(
            ref: pykka.ActorRef[Any], message: Any, frame: FrameType, reply_to: Any
        ) -> Letter | None:
            """The note that travels; None when the bare message must, as to a dead actor."""
            actor = actors.get(ref.actor_urn)
            if actor is None or ref.actor_stopped.is_set():
                return None
            while frame.f_globals.get("__package__") == "pykka" and frame.f_back is not None:
                frame = frame.f_back
            letter = Letter(message, actor, context(), frame.f_code, frame.f_lasti, reply_to)
            content = UNSAFE if at_once else snapshot(message)
            if content is UNSAFE:
                record(letter)
            else:
                # The same as ``record`` does in this case, without a call.
                letter.content = content
                note(letter)
            if type(message) is stop:
                return stopping(ref, letter)
            return letter

        return write

    def _stopping(self, ref: pykka.ActorRef[Any], letter: Letter) -> None:
        """A stop is on its way: remember why, and let it overtake nothing that was held back."""
        self.stops[ref.actor_urn] = letter
        announce = getattr(ref.actor_inbox, "announce_stop", None)
        if announce is not None:
            announce(letter)
        if self.holding is not None:
            self.holding.let_go(ref.actor_urn)

    def _patch_turns(self, patches: Patches, actor_type: ActorType) -> None:
        original = actor_type._handle_receive
        here, begin, stops = self.here, self.recorder.turn, self.stops
        failed, replied = self.recorder.failed, self.recorder.replied
        perturbed, at_once, enter = self._perturbed_turn, self.at_once, CONTEXT.set
        controlled = any(kind_of(fault.kind).schedules for fault in self.recorder.scenario)

        # Pykka's own dispatch looks for its own messages first and then calls ``on_receive``. For
        # types that are known to be none of those the look is saved, which pays for our notes.
        plain: set[type] = set()
        genuine = original.__module__ == "pykka._actor"

        def learn(kind: type) -> None:
            if genuine and not issubclass(kind, self.describer.own):
                plain.add(kind)

        def handle_receive(actor: pykka.Actor, message: Any) -> Any:
            if type(message) is Redelivery:
                return self._deliver_copy(original, actor, message.copy_of, message.payload)
            if type(message) is not Letter:
                stop = stops.get(actor.actor_urn)
                if stop is not None:
                    here.context = stop
                    if controlled:
                        begin(stop)
                return original(actor, message)
            if at_once and message.faults:
                return perturbed(original, actor, message)
            enter(message)
            begin(message)
            payload = message.payload
            # The log keeps the note to the end of the run; what it carried may go.
            message.payload = None
            try:
                if type(payload) in plain:
                    result = actor.on_receive(payload)
                else:
                    result = original(actor, payload)
                    learn(type(payload))
            except BaseException as error:
                failed(message, 0, error)
                raise
            if message.wants_reply:
                replied(message, result)
            return result

        patches.set(actor_type, "_handle_receive", handle_receive)

    def _perturbed_turn(
        self, original: Callable[[Any, Any], Any], actor: pykka.Actor, sent: Message
    ) -> Any:
        """The turn of a message that has faults: the turn, then a restart, then a second copy.

        That is the order in which production does it: the receiver dies before it could say that
        it was done, comes back, and is given the message again. The first reply counts.
        """
        kinds = {fault.kind: fault for fault in sent.faults if fault.kind not in HELD}
        spare = sent.payload.copy() if type(sent.payload) is dict else sent.payload
        try:
            result = self._deliver(original, actor, sent, sent.payload, 0)
        except Exception:
            if not sent.wants_reply:
                for fault in kinds.values():
                    self.recorder.not_applied(fault, "its receiver failed on the first delivery")
                raise
            self._aftermath(original, actor, sent, spare, kinds)
            raise
        if sent.wants_reply:
            self.recorder.replied(sent, result)
        self._aftermath(original, actor, sent, spare, kinds)
        return result

    def _aftermath(
        self,
        original: Callable[[Any, Any], Any],
        actor: pykka.Actor,
        sent: Message,
        spare: Any,
        kinds: Mapping[str, Fault],
    ) -> None:
        if "restart" in kinds:
            self.recorder.injected(sent, kinds["restart"])
            self._restart(actor, sent)
        if "duplicate" in kinds and not actor.actor_stopped.is_set():
            self.recorder.injected(sent, kinds["duplicate"])
            if self.recorder.controlled and isinstance(sent, Letter):
                # Its place among the other messages is what a search for orders may change.
                actor.actor_inbox.put(Redelivery(sent, spare))  # type: ignore[arg-type]
            else:
                self._deliver_copy(original, actor, sent, spare)

    def _deliver_copy(
        self, original: Callable[[Any, Any], Any], actor: pykka.Actor, sent: Message, payload: Any
    ) -> None:
        try:
            self._deliver(original, actor, sent, payload, 1)
        except Exception:
            # The reply to a copy is thrown away, and with it what the copy raised.
            if not sent.wants_reply:
                raise

    def _deliver(
        self,
        original: Callable[[Any, Any], Any],
        actor: pykka.Actor,
        sent: Message,
        message: Any,
        copy: int,
    ) -> Any:
        self.here.context = Phase(sent, f"copy{copy}") if copy else sent
        self.recorder.redelivered(sent, copy)
        try:
            return original(actor, message)
        except BaseException as error:
            self.recorder.failed(sent, copy, error)
            raise

    def _restart(self, actor: pykka.Actor, sent: Message) -> None:
        """Take the actor's memory away in place: same thread, reference, address and inbox."""
        args, kwargs = self.arguments[actor.actor_urn]
        self.here.context = Phase(sent, "restart")
        self.here.rebuilding = actor
        try:
            actor.on_stop()
            forget(actor)
            type(actor).__init__(actor, *args, **kwargs)
            self.here.rebuilding = None
            actor.on_start()
        except Exception:
            # What Pykka does with an actor that can't start: it is logged and stopped.
            actor._handle_failure(*sys.exc_info())
        finally:
            self.here.rebuilding = None

    def _patch_births(
        self,
        patches: Patches,
        actor_type: ActorType,
        registry: type[pykka.ActorRegistry],
    ) -> None:
        here = self.here
        original_init = actor_type.__init__
        original_start: Callable[..., Any] = actor_type.__dict__["start"].__func__
        original_setup = actor_type._actor_loop_setup
        original_register: Callable[..., Any] = registry.__dict__["register"].__func__

        def init(actor: pykka.Actor, *args: Any, **kwargs: Any) -> None:
            if here.rebuilding is not actor:
                original_init(actor, *args, **kwargs)

        def start(cls: ActorType, *args: Any, **kwargs: Any) -> Any:
            here.births = (*here.births, (args, kwargs))
            try:
                return original_start(cls, *args, **kwargs)
            finally:
                here.births = here.births[:-1]

        def register(cls: type[pykka.ActorRegistry], actor_ref: pykka.ActorRef[Any]) -> None:
            if here.births and actor_ref.actor_urn not in self.actors:
                self.arguments[actor_ref.actor_urn] = here.births[-1]
                self._born(actor_ref)
            original_register(cls, actor_ref)

        def setup(actor: pykka.Actor) -> None:
            here.context = self.actors.get(actor.actor_urn)
            original_setup(actor)

        patches.set(actor_type, "__init__", init)
        patches.set(actor_type, "start", classmethod(start))
        patches.set(actor_type, "_actor_loop_setup", setup)
        patches.set(registry, "register", classmethod(register))

    def _born(self, ref: pykka.ActorRef[Any]) -> None:
        kind, describer = ref.actor_class, self.describer
        told = describer.persistent_by(kind)
        persistent = bool(told) or describer.found_persistent(kind, instance_of(ref))
        actor = Actor(kind, self.here.context, persistent, describer.describe, told)
        self.recorder.created(actor)
        self.actors[ref.actor_urn] = actor

    def _patch_futures(self, patches: Patches, future_type: type[pykka.Future[Any]]) -> None:
        original = future_type.get
        here, recorder = self.here, self.recorder

        def get(future: pykka.Future[Any], *, timeout: float | None = None) -> Any:
            sent = getattr(future, "_socrates_sent", None)
            if sent is None or here.context is not None:
                return original(future, timeout=timeout)
            with recorder.reading_reply(sent, sys._getframe(1)) as consumption:
                value = original(future, timeout=timeout)
                consumption.keep(value)
                return value

        patches.set(future_type, "get", get)
