"""What was seen of each receiver's pairs, as a triangle of its messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from socrates_amplify.model.order_coverage import ReceiverOrders
from socrates_amplify.model.orders import receiver_of

MOST_MESSAGES = 24
"""So many messages of one receiver are told of; the numbers of all pairs say the rest."""


def receivers_of(
    states: Mapping[frozenset[str], str], told: Mapping[str, str]
) -> tuple[ReceiverOrders, ...]:
    """One triangle for each receiver. ``told`` has every message for people, in the order of sending."""
    by_receiver: dict[str, set[str]] = defaultdict(set)
    for pair in states:
        for name in pair:
            by_receiver[receiver_of(name)].add(name)
    places = {name: place for place, name in enumerate(told)}
    found = []
    for receiver, names in sorted(by_receiver.items()):
        mail = sorted(names, key=lambda name: (places.get(name, len(places)), name))
        shown = mail[:MOST_MESSAGES]
        rows = tuple(
            tuple(states.get(frozenset((one, other)), "") for other in shown[:place])
            for place, one in enumerate(shown)
        )
        messages = tuple(told.get(name, name) for name in shown)
        found.append(ReceiverOrders(receiver, messages, rows, len(mail) - len(shown)))
    return tuple(found)
