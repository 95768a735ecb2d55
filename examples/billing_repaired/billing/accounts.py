"""What the company knows of its customers; every change counts at once."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Accounts:
    """The database: fees, plans, invoices and payments."""

    fees: dict[str, int] = field(default_factory=dict)
    plans: dict[str, tuple[int, str]] = field(default_factory=dict)
    invoices: dict[str, int] = field(default_factory=dict)
    payments: dict[str, int] = field(default_factory=dict)
    reminders: list[str] = field(default_factory=list)

    @property
    def billed(self) -> int:
        """The sum of all invoices."""
        return sum(self.invoices.values())
