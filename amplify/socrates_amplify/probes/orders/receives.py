"""Which two messages of a receiver could have come in the other order."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from socrates.classes.lazy import dataclass
from socrates_amplify.model.events import Offer
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.orders import CHANGES, forced
from socrates_amplify.probes.orders.holds import KIND
from socrates_amplify.probes.orders.strands import Moment, saw
from socrates_amplify.record.messages import Message

_NEAREST = 40
"""With so many later messages of its receiver a message is compared: long inboxes stay cheap."""


@dataclass(slots=True, eq=False)
class Mail:
    """A message in an inbox: who put it there, when, and under which name.

    Without a ``name`` it is the framework's own and keeps its place.
    """

    item: object
    name: str
    sent: Moment
    from_test: bool
    number: int
    late: Fault | None = None
    """A ``delay`` or a ``reorder`` that keeps it until another message was handled."""
    causal: bool = False
    """Whether what was sent before it stays before it, whoever sent that."""
    letter: Message | None = None
    """What it is, or what stands for a request to stop."""
    copy: bool = False

    @property
    def chain(self) -> str:
        """All messages of its sender to its receiver."""
        return self.name.partition(" ")[0]

    def keeps_behind(self, other: Mail) -> bool:
        """Whether this must be handled after ``other``, which was put in before.

        What one thread sends stays in order, and what was sent after somebody waited. So does what the test sends and all that it knows or
        causes: it sees the system from outside, and its own steps are the story that it tells.
        """
        if self.copy or other.copy:
            return not self.name  # a second delivery comes when it comes
        if self.sent.strand == other.sent.strand or not self.name:
            return True
        if self.sent.awaited(other.sent):
            return True
        kept = self.causal or self.from_test or other.from_test
        return kept and other.sent.before(self.sent)


Receive = tuple[Mail, Message, Moment]
"""What was handled, and when."""


class Receives:
    """What was handled, receiver by receiver, in the order in which it was."""

    def __init__(self) -> None:
        self._by_receiver: list[list[Receive]] = []
        self.changing: list[Message] = []
        """The messages after which their receiver behaved differently."""

    def of_receiver(self) -> list[Receive]:
        """Where what one more receiver handles is noted, in its order."""
        received: list[Receive] = []
        self._by_receiver.append(received)
        return received

    def offers(
        self, name_of: Callable[[Mail], str] = attrgetter("name")
    ) -> dict[str, tuple[Offer, ...]]:
        """By target: the later messages that could have come before it.

        Those are not sent because it was handled, and no promise orders the two.
        """
        offers: dict[str, tuple[Offer, ...]] = {}
        changing = {message.target for message in self.changing}
        for received in self._by_receiver:
            # Most inboxes hear of one sender for long: what it sends in a row is not compared.
            others = _next_of_others(received)
            for position, (mail, message, turn) in enumerate(received):
                end, target = position + 1 + _NEAREST, message.target
                if others[position] >= end and target not in changing:
                    continue
                found = [
                    Offer(KIND, forced(name_of(mail), name_of(later)))
                    for later, _, _ in received[others[position] : end]
                    if not saw(later.sent, turn.strand, turn.own) and not later.keeps_behind(mail)
                ]
                if target in changing and not mail.copy:
                    found.append(Offer(KIND, CHANGES))
                if found:
                    offers[target] = (*offers.get(target, ()), *found)
        return offers


def _next_of_others(received: list[Receive]) -> list[int]:
    """For each place the next one behind it where something comes that its sender has not sent.

    A second delivery comes from nobody.
    """
    following = len(received)
    found = [following] * len(received)
    for position in range(len(received) - 2, -1, -1):
        mail, after = received[position][0], received[position + 1][0]
        if mail.copy or after.copy or mail.sent.strand != after.sent.strand:
            following = position + 1
        found[position] = following
    return found
