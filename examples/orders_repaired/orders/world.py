"""What the service works with: its own database, and the systems of others."""

from __future__ import annotations

import threading
from typing import Any

Row = dict[str, Any]


class Store:
    """The service's database: changes count once they are committed, and are forgotten else."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._lock = threading.Lock()
        self._work = threading.local()

    def begin(self) -> None:
        """Start a transaction in this thread."""
        self._work.changes = {}

    def commit(self) -> None:
        """Make the changes of this thread's transaction count, but for those of an older version."""
        with self._lock:
            for key, changes in self._work.changes.items():
                row = self._rows.get(key, {})
                if changes.get("version", 0) >= row.get("version", 0):
                    self._rows[key] = {**row, **changes}
        self._work.changes = {}

    def read(self, key: str) -> Row:
        """A row as this thread sees it; empty if there is none."""
        with self._lock:
            row = dict(self._rows.get(key, {}))
        return {**row, **getattr(self._work, "changes", {}).get(key, {})}

    def write(self, key: str, **changes: Any) -> None:
        """Change a row in this thread's transaction."""
        self._work.changes.setdefault(key, {}).update(changes)


class Bank:
    """The payment provider."""

    def __init__(self) -> None:
        self._payments: dict[str, int] = {}
        self.taken = 0

    def charge(self, amount: int, key: str | None = None) -> None:
        """Take money. Requests with the same key are one request."""
        if key is not None and key in self._payments:
            return
        self._payments[key or f"payment {len(self._payments) + 1}"] = amount
        self.taken += amount


class Carrier:
    """The company that brings parcels."""

    def __init__(self) -> None:
        self.parcels: list[str] = []

    def book(self, address: str, key: str | None = None) -> None:
        """Have a parcel fetched. A reference that it knows is the same parcel."""
        if key is not None and key in self.parcels:
            return
        self.parcels.append(key or address)


class Mailbox:
    """What customers were told."""

    def __init__(self) -> None:
        self.mails: dict[str, str] = {}

    def send(self, key: str, text: str) -> None:
        """Send a mail; the mail server drops one with a message id that it has seen."""
        self.mails.setdefault(key, text)


store, bank, carrier, mailbox = Store(), Bank(), Carrier(), Mailbox()
