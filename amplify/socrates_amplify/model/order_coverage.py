"""How far the orders of a test were seen: of all pairs together, and receiver by receiver."""

from __future__ import annotations

from socrates.classes.lazy import dataclass

BOTH, ONE, IMPOSSIBLE, BROKE = "both", "one", "impossible", "broke"
"""What was seen of a pair: both orders, one of them, one since the other can't be reached, and one
since the other breaks the test."""


@dataclass(frozen=True, slots=True)
class ReceiverOrders:
    """What was seen of the messages that one receiver, or one object of threads, had in free pairs.

    ``rows[i][j]`` is about messages ``i`` and ``j``, for ``j < i``; empty where a promise orders
    the two. ``left_out`` counts messages that are not told of because there are too many.
    """

    receiver: str
    messages: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class OrderCoverage:
    """How far the orders of a test were seen: pairs of its messages that no promise orders.

    ``messages`` are all that stand in such pairs; ``both`` counts the pairs that were seen in both
    orders, ``impossible`` those of which one order could not be reached. ``orders`` is the number
    of all orders that there are, 0 where that is not known. ``receivers`` tells the same of each
    receiver, pair by pair.
    """

    criterion: str = "pr"
    messages: int = 0
    pairs: int = 0
    both: int = 0
    impossible: int = 0
    orders: int = 0
    receivers: tuple[ReceiverOrders, ...] = ()

    @property
    def if_any(self) -> OrderCoverage | None:
        """None where nothing can come in another order."""
        return self if self.pairs else None
