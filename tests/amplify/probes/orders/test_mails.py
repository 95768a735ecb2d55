"""Which message an actor gets next, and which could have come in the other order; no thread is started."""

from __future__ import annotations

from typing import Any

import pytest

from socrates_amplify.model.events import Offer
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.orders import forced
from socrates_amplify.probes.orders.baton import Baton
from socrates_amplify.probes.orders.chance import Chance
from socrates_amplify.probes.orders.holds import Holds
from socrates_amplify.probes.orders.inbox import Inbox, Inboxes
from socrates_amplify.probes.orders.receives import Mail, Receives
from socrates_amplify.probes.orders.strands import Moment
from socrates_amplify.probes.pykka.letters import Letter, Redelivery
from socrates_amplify.record.messages import Actor
from socrates_amplify.record.recorder import Recorder

ONE, OTHER = Moment(1, 1, {}), Moment(2, 1, {})
AFTER_ONE = Moment(2, 2, {1: 1})
WAITED = Moment(2, 2, {1: 1}, {1: 1})


def mail(sent: Moment, name: str = "a>b x 1", number: int = 1, **given: Any) -> Mail:
    return Mail(None, name, sent, given.pop("from_test", False), number, **given)


@pytest.mark.parametrize(
    ("later", "earlier", "expected"),
    [
        pytest.param(mail(ONE), mail(OTHER), False, id="two senders"),
        pytest.param(mail(ONE), mail(ONE), True, id="one sender"),
        pytest.param(mail(ONE, name=""), mail(OTHER), True, id="of the framework"),
        pytest.param(mail(WAITED), mail(ONE), True, id="somebody waited"),
        pytest.param(mail(AFTER_ONE), mail(ONE), False, id="only seen"),
        pytest.param(mail(AFTER_ONE, causal=True), mail(ONE), True, id="causal"),
        pytest.param(mail(OTHER, causal=True), mail(ONE), False, id="causal, not seen"),
        pytest.param(mail(AFTER_ONE, from_test=True), mail(ONE), True, id="the test is later"),
        pytest.param(mail(AFTER_ONE), mail(ONE, from_test=True), True, id="the test is earlier"),
        pytest.param(mail(ONE, copy=True), mail(ONE), False, id="second delivery"),
        pytest.param(mail(ONE), mail(ONE, copy=True), False, id="after a second delivery"),
        pytest.param(mail(ONE, name=""), mail(ONE, copy=True), True, id="stop after a copy"),
    ],
)
def test_message_stays_behind_another(later: Mail, earlier: Mail, expected: bool) -> None:
    assert later.keeps_behind(earlier) is expected


def test_chain_is_sender_and_receiver() -> None:
    assert mail(ONE, "a>b app:Write 7").chain == "a>b"


def message(target: str) -> Any:
    letter = Letter(None, Actor(object, None, False, lambda *_: None), None, _code(), 0, None)  # type: ignore[arg-type]
    letter.target = target
    return letter


def _code() -> Any:
    return _code.__code__


def offered(*received: tuple[str, Mail], changing: str = "") -> dict[str, list[str]]:
    receives = Receives()
    if changing:
        receives.changing.append(message(changing))
    handled = receives.of_receiver()
    for number, (target, each) in enumerate(received, start=1):
        handled.append((each, message(target), Moment(9, number, {})))
    found = receives.offers()
    return {target: [offer.detail for offer in offers] for target, offers in found.items()}


def test_messages_of_two_senders_could_change_places() -> None:
    first, second = mail(ONE, "a>c x 1"), mail(OTHER, "b>c x 1")
    assert offered(("t1", first), ("t2", second)) == {"t1": [forced("a>c x 1", "b>c x 1")]}


def test_messages_of_one_sender_could_not() -> None:
    assert offered(("t1", mail(ONE)), ("t2", mail(Moment(1, 2, {})))) == {}


def test_message_that_was_sent_because_of_another_comes_after_it() -> None:
    because = mail(Moment(2, 1, {9: 1}))
    assert offered(("t1", mail(ONE)), ("t2", because)) == {}


@pytest.mark.parametrize(("between", "expected"), [(38, 1), (39, 1), (40, 0)])
def test_message_is_compared_with_so_many_later_ones(between: int, expected: int) -> None:
    rest = [(f"r{n}", mail(ONE, f"a>c x {n + 2}")) for n in range(between)]
    last = ("t2", mail(OTHER, "b>c x 1"))
    found = offered(("t1", mail(ONE, "a>c x 1")), *rest, last)
    assert len(found.get("t1", [])) == expected


@pytest.mark.parametrize(("copy", "expected"), [(False, 1), (True, 0)])
def test_change_of_behaviour_is_offered_once(copy: bool, expected: int) -> None:
    found = offered(("t1", mail(ONE, copy=copy)), changing="t1")
    assert len(found.get("t1", [])) == expected


def test_offers_are_of_the_kind_that_orders() -> None:
    receives = Receives()
    handled = receives.of_receiver()
    for target, sent in (("t1", ONE), ("t2", OTHER)):
        handled.append((mail(sent, f"{target}>c x 1"), message(target), Moment(9, 1, {})))
    ((offer,),) = receives.offers().values()
    assert offer == Offer("order", forced("t1>c x 1", "t2>c x 1"))


class Lab:
    """An inbox in the hands of the test's own thread, which has the baton."""

    def __init__(self, *faults: Fault, chance: Chance | None = None) -> None:
        self.recorder = Recorder(Scenario.of(faults))
        self.baton = Baton()
        self.inboxes = Inboxes(self.baton, Holds(self.recorder), self.recorder.advance, chance)
        self.inbox = self.inboxes.make()
        self.actor = Actor(object, None, False, lambda *_: None)  # type: ignore[arg-type]
        self.actor.key = self.actor.address = "b"

    def letter(self, target: str, sender: str = "a", *faults: Fault) -> Letter:
        context = Actor(object, None, False, lambda *_: None)  # type: ignore[arg-type]
        context.key = context.address = sender
        made = Letter(target, self.actor, context, _code(), 0, None)
        made.target, made.faults = target, faults
        made.sort = "app:X"
        return made

    def put(self, item: object, strand: int) -> None:
        """Put an item in as another strand would."""
        sent = Moment(strand, 1, {})
        self.inbox._mails.append(self.inboxes.mail(item, sent))

    def got(self, count: int) -> list[object]:
        return [self.inbox.get() for _ in range(count)]


def test_inbox_gives_what_came_first() -> None:
    lab = Lab()
    letters = [lab.letter(name) for name in ("t1", "t2")]
    for letter in letters:
        lab.inbox.put(letter)
    full = lab.inbox.empty()
    assert (lab.got(2), full, lab.inbox.empty()) == (letters, False, True)


def test_copy_comes_at_once() -> None:
    lab = Lab()
    first, second = lab.letter("t1"), lab.letter("t2")
    lab.inbox.put(first)
    lab.inbox.put(second)
    lab.got(1)
    copy = Redelivery(first, None)
    lab.inbox.put(copy)
    assert lab.got(2) == [copy, second]


@pytest.fixture
def names() -> tuple[str, str]:
    """The names of a message of each of two senders."""
    lab = Lab()
    for strand, sender in ((1, "a"), (2, "c")):
        lab.put(lab.letter("t", sender), strand)
    first, second = map(lab.inboxes.name_of, lab.inbox._mails)
    return first, second


def test_held_message_lets_another_sender_go_first(names: tuple[str, str]) -> None:
    lab = Lab(Fault("t", "order", detail=forced(*names)))
    first, second = lab.letter("t1", "a"), lab.letter("t2", "c")
    lab.put(first, 1)
    lab.put(second, 2)
    assert (lab.got(2), lab.recorder.unapplied) == ([second, first], [])


def test_held_message_keeps_its_sender_behind_it(names: tuple[str, str]) -> None:
    lab = Lab(Fault("t", "order", detail=forced(*names)))
    first, follows, other = lab.letter("t1", "a"), lab.letter("t3", "a"), lab.letter("t2", "c")
    for letter, strand in ((first, 1), (follows, 1), (other, 2)):
        lab.put(letter, strand)
    assert lab.got(3) == [other, first, follows]


def test_message_that_is_held_is_let_go_when_nobody_can_go_on(names: tuple[str, str]) -> None:
    lab = Lab(Fault("t", "order", detail=forced(*names)))
    lab.put(lab.letter("t1", "a"), 1)
    before = lab.inboxes.let_go(None)
    lab.inbox._reader = lab.baton.main
    held = [each.name for each in lab.inbox.held()]
    after = lab.inboxes.let_go(None)
    assert (before, held, after) == (False, [names[0]], True)


def test_nothing_is_held_of_an_empty_inbox() -> None:
    lab = Lab()
    lab.inbox._reader = lab.baton.main
    assert (lab.inbox.held(), lab.inboxes.let_go(None)) == ([], False)


@pytest.mark.parametrize(("detail", "by"), [("", "t2"), ("t2", "t2")], ids=["delay", "reorder"])
def test_late_message_goes_after_the_one_that_overtakes_it(detail: str, by: str) -> None:
    fault = Fault("t1", "reorder" if detail else "delay", detail=detail)
    lab = Lab(fault)
    late, other = lab.letter("t1", "a", fault), lab.letter(by, "c")
    lab.put(late, 1)
    lab.put(other, 2)
    assert lab.got(2) == [other, late]


def test_after_a_stop_everything_comes_as_it_was_put(names: tuple[str, str]) -> None:
    lab = Lab(Fault("t", "order", detail=forced(*names)))
    stop, first = object(), lab.letter("t1", "a")
    lab.put(stop, 3)
    lab.put(first, 1)
    assert (lab.got(2), lab.inbox._stopped) == ([stop, first], True)


def test_chance_chooses_among_senders() -> None:
    chance = Chance(7, 1, 9)
    lab = Lab(chance=chance)
    letters = {"a>b": lab.letter("t1", "a"), "c>b": lab.letter("t2", "c")}
    for strand, letter in enumerate(letters.values(), start=1):
        lab.put(letter, strand)
    best = max(letters, key=chance.priority)
    assert lab.got(1) == [letters[best]]


def test_chance_keeps_what_one_sender_sent_in_order() -> None:
    lab = Lab(chance=Chance(7, 1, 9))
    letters = [lab.letter(f"t{number}", "a") for number in range(3)]
    for letter in letters:
        lab.put(letter, 1)
    assert lab.got(3) == letters


def test_behaviour_that_changes_is_noted_of_the_message_before() -> None:
    lab = Lab()

    class Machine:
        def __init__(self, inbox: Inbox) -> None:
            self.inbox = inbox
            self.open = False

        def take(self) -> object:
            return self.inbox.get()

    machine = Machine(lab.inbox)
    for target in ("t1", "t2", "t3"):
        lab.inbox.put(lab.letter(target))
    machine.take()
    machine.open = True
    machine.take()
    machine.take()
    assert [one.target for one in lab.inboxes.receives.changing] == ["t1"]


@pytest.mark.parametrize("seed", range(5))
def test_chain_falls_behind_at_a_message_that_is_handled(seed: int) -> None:
    chance = Chance(seed, 3, 2)
    for number in range(3):
        chance.handle(f"c{number}")
    assert sum(chance.priority(f"c{number}") < 0 for number in range(3)) == 2
