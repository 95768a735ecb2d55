"""Executions run together; one that may have ended their common server runs alone."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class Quarantine:
    """Any number of threads may be inside together, or one alone. A thread that waits to be alone goes first."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._suspects = 0
        self._alone = False

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Be inside with others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._suspects)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Be inside with nobody else."""
        with self._changed:
            self._suspects += 1
            self._changed.wait_for(lambda: not self._inside and not self._alone)
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._suspects -= 1
                self._alone = False
                self._changed.notify_all()
