"""The inbox of an actor in a controlled run: the order of different senders is ours to choose."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from socrates_amplify.model.events import Offer
from socrates_amplify.model.orders import Names, again
from socrates_amplify.originals import Clock
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.holds import Holds, may_wait
from socrates_amplify.probes.orders.receives import Mail, Receives
from socrates_amplify.probes.orders.shared import patch_future
from socrates_amplify.probes.orders.strands import Moment, Strand
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.pykka.behaviour import behaviour_of, traits_of
from socrates_amplify.probes.pykka.letters import Letter, Redelivery
from socrates_amplify.record.messages import address_of

if TYPE_CHECKING:
    import pykka

_ident = threading.get_ident


_NAMELESS = "?"
"""The name of a message until it gets one."""


class Inboxes:
    """All inboxes of one run. ``resolve`` lets the recorder work out what messages have been sent."""

    def __init__(
        self,
        baton: Baton,
        holds: Holds,
        resolve: Callable[[], None],
        chance: Chance | None = None,
        causal: bool = False,
    ) -> None:
        self.baton = baton
        self.holds = holds
        self.chance = chance
        self.causal = causal
        self.receives = Receives()
        self._resolve = resolve
        self._names = Names()
        self._nameless: list[Mail] = []
        self._chosen = holds.any or chance is not None
        """Whether the order is chosen by names, so that each message needs one when it is sent."""
        self._sent = 0
        self._all: list[Inbox] = []

    def make(self) -> Inbox:
        """An inbox for a new actor."""
        inbox = Inbox(self)
        self._all.append(inbox)
        return inbox

    def mail(self, item: object, sent: Moment, copy: str = "", stop: Letter | None = None) -> Mail:
        """``item`` as it goes into an inbox; only letters can be told apart, and so be held.

        ``copy`` is the name of a second delivery, ``stop`` stands for a bare request to stop.
        """
        self._sent = number = self._sent + 1
        letter = item if isinstance(item, Letter) else stop
        if copy:
            return Mail(item, copy, sent, False, number, letter=letter, copy=True)
        if letter is None:
            return Mail(item, "", sent, False, number)
        from_test = letter.context is None
        mail = Mail(item, _NAMELESS, sent, from_test, number, None, self.causal, letter)
        self._nameless.append(mail)
        if self._chosen:
            self._give_names()
            mail.late = self.holds.late(letter)
        return mail

    def name_of(self, mail: Mail) -> str:
        """The name of what was sent."""
        if mail.name == _NAMELESS:
            self._give_names()
        return mail.name

    def offers(self) -> dict[str, tuple[Offer, ...]]:
        """See ``Receives.offers``."""
        self._resolve()
        return self.receives.offers(self.name_of)

    def _give_names(self) -> None:
        """Names count messages of a kind, so they are given in the order of sending."""
        self._resolve()
        name = self._names.name
        for mail in self._nameless:
            letter = mail.letter
            if letter is not None:
                mail.name = name(address_of(letter.context), letter.actor.address, letter.sort)
        self._nameless.clear()

    def let_go(self, sleeper: Strand | None) -> bool:
        """No thread can go on: deliver the first message that is held; False where none is."""
        held = [(inbox, mail) for inbox in self._all for mail in inbox.held()]
        if not held or may_wait(sleeper, self.baton):
            return False
        inbox, mail = min(held, key=lambda one: one[1].number)
        self.holds.drop(mail.name)
        if mail.late is not None:
            self.holds.in_vain(mail.late)
            mail.late = None
        inbox.look_again()
        return True


class Inbox:
    """What Pykka needs of an inbox: ``put``, ``get`` and ``empty``."""

    def __init__(self, inboxes: Inboxes) -> None:
        self._inboxes = inboxes
        self._baton = inboxes.baton
        self._holds = inboxes.holds
        self._mails: list[Mail] = []
        self._reader: Strand | None = None
        self._stopped = False
        self._owner: Callable[[], object] | None = None
        self._traits: list[object] = []
        self._behaviour: dict[str, object] = {}
        self._last: Mail | None = None
        """The letter that is being handled."""
        self._received = inboxes.receives.of_receiver()
        self._stop: Letter | None = None

    def announce_stop(self, letter: Letter) -> None:
        """The next item is a request to stop, which travels bare; ``letter`` tells whose it is."""
        self._stop = letter

    def put(self, item: object, /) -> None:
        """Add an item; its sender goes on."""
        strand = self._baton.controlled.get(_ident())
        sent = strand.tick() if strand is not None else Moment(-1, 0, {})
        if type(item) is Redelivery and self._last is not None:
            # At once, as a copy comes without control, unless it is held.
            copied = again(self._inboxes.name_of(self._last))
            self._mails.insert(0, self._inboxes.mail(item, sent, copied))
        else:
            self._mails.append(self._inboxes.mail(item, sent, stop=self._stop))
            self._stop = None
        self.look_again()

    def look_again(self) -> None:
        """Let the reader go on if there is something for it."""
        reader = self._reader
        mail = self._next() if reader is not None else None
        if reader is not None and mail is not None:
            self._reader = None
            reader.chain = mail.chain if self._inboxes.chance is not None else ""
            self._baton.wake(reader, unseen=True)

    def get(self) -> Any:
        """The next item; waits until there is one."""
        if self._owner is None:
            # The loop of the actor whose inbox this is; weakly, for the actor holds its inbox.
            self._owner = weakref.ref(sys._getframe(1).f_locals["self"])
        self._end_turn(self._owner())
        strand = self._baton.controlled.get(_ident())
        while True:
            mail = None
            if self._mails:
                mail = self._next() if strand is not None else self._mails[0]
            if mail is not None:
                self._mails.remove(mail)
                return self._taken(mail, strand)
            if strand is None:
                Clock.sleep(0.001)
                continue
            self._reader = strand
            self._baton.pause(strand)
            strand = self._baton.controlled.get(_ident())

    def _end_turn(self, actor: object) -> None:
        """The actor has handled its last message: see whether it behaves differently now."""
        last, self._last = self._last, None
        traits = traits_of(actor)
        if traits == self._traits:
            return
        self._traits = traits
        behaviour = behaviour_of(actor)
        if behaviour != self._behaviour and last is not None and last.letter is not None:
            self._inboxes.receives.changing.append(last.letter)
        self._behaviour = behaviour

    def empty(self) -> bool:
        """Whether nothing is there."""
        return not self._mails

    def held(self) -> list[Mail]:
        """The messages that nothing but a scenario keeps from being handled."""
        if self._reader is None:
            return []
        return [mail for mail in self._mails if self._waits(mail)][:1]

    def _waits(self, mail: Mail) -> bool:
        """Whether a scenario keeps this from being handled."""
        return bool(mail.name) and (mail.late is not None or self._holds.holds(mail.name))

    def _overtake(self, mail: Mail) -> None:
        """``mail`` is handled: what waited for it, or for any message of another sender, may go."""
        for other in self._mails:
            fault = other.late
            if fault is not None and _is_awaited(mail, other):
                other.late = None
                self._holds.overtaken(other.item, fault)  # type: ignore[arg-type]

    def _taken(self, mail: Mail, strand: Strand | None) -> object:
        letter = mail.letter
        if mail.item is letter is not None:
            self._last = mail
        else:
            # A stop: what comes after it is thrown away, in whichever order.
            self._stopped = True
        if letter is not None:
            if self._holds.forces:
                self._holds.handle(mail.name, letter)
            if self._holds.any:
                self._overtake(mail)
            if self._inboxes.chance is not None:
                self._inboxes.chance.handle(mail.chain)
            if strand is not None:
                strand.hears(mail.sent)
                self._received.append((mail, letter, strand.tick()))
        return mail.item

    def _next(self) -> Mail | None:
        """The first item that neither the scenario nor a promise keeps behind another."""
        if self._inboxes.chance is not None and not self._stopped:
            return self._by_chance(self._inboxes.chance)
        if self._stopped or not self._holds.any:
            return self._mails[0] if self._mails else None
        passed: list[Mail] = []
        for mail in self._mails:
            kept = any(
                mail.keeps_behind(other) and not _is_awaited(mail, other) for other in passed
            )
            if kept or self._waits(mail):
                passed.append(mail)
            else:
                return mail
        return None

    def _by_chance(self, chance: Chance) -> Mail | None:
        passed: list[Mail] = []
        open_mails: list[Mail] = []
        for mail in self._mails:
            if not any(mail.keeps_behind(other) for other in passed):
                open_mails.append(mail)
            passed.append(mail)
        return max(open_mails, key=lambda mail: chance.priority(mail.chain), default=None)


def _is_awaited(mail: Mail, late: Mail) -> bool:
    """Whether ``late`` waits by a ``delay`` or a ``reorder`` for ``mail``, which then may overtake it."""
    fault = late.late
    if fault is None or not isinstance(mail.item, Letter):
        return False
    by_any = not fault.detail and late.sent.strand != mail.sent.strand
    return by_any or fault.detail == mail.item.target


def patch_pykka(patches: Patches, inboxes: Inboxes) -> None:
    """Give every actor from now on an inbox of ours."""
    import pykka

    original_get: Callable[..., Any] = pykka.ThreadingFuture.get
    baton = inboxes.baton

    def get(future: pykka.Future[Any], *, timeout: float | None = None) -> Any:
        strand, sent = baton.here(), getattr(future, "_socrates_sent", None)
        if strand is not None and isinstance(sent, Letter):
            strand.waits_for = f"the reply of {sent.actor.address}"
        try:
            return original_get(future, timeout=timeout)
        finally:
            if strand is not None:
                strand.waits_for = ""

    patches.set(pykka.ThreadingActor, "_create_actor_inbox", staticmethod(inboxes.make))
    patches.set(pykka.ThreadingFuture, "get", get)
    patch_future(patches, baton, pykka.ThreadingFuture, ("set", "set_exception"), ("get",))
