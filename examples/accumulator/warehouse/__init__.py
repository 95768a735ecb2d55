"""A small warehouse: goods come in at the dock and are counted in stock.

``Dock`` promises to deliver every arrival at least once; ``Stock`` keeps the totals. Both write a
journal, from which they recover when they are started again.
"""

from warehouse.dock import Dock
from warehouse.journal import Journal
from warehouse.messages import (
    Arrival,
    Available,
    Counted,
    CountIn,
    OnHand,
    OpeningBalance,
    Reserve,
    Retry,
    Waiting,
)
from warehouse.stock import Stock

__all__ = [
    "Arrival",
    "Available",
    "CountIn",
    "Counted",
    "Dock",
    "Journal",
    "OnHand",
    "OpeningBalance",
    "Reserve",
    "Retry",
    "Stock",
    "Waiting",
]
