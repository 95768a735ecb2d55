"""Where actors write what must survive them. A file or a table in production, a list here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Journal:
    """Entries in the order in which they were written."""

    def __init__(self, entries: Iterable[object] = ()) -> None:
        self._entries = list(entries)

    def write(self, entry: object) -> None:
        """Keep ``entry`` for good."""
        self._entries.append(entry)

    def __iter__(self) -> Iterator[object]:
        return iter(tuple(self._entries))
