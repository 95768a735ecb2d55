"""How one thread ends what another one runs."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator


class Cancelled(Exception):  # noqa: N818 - an answer to ``Ticket.cancel``, no error
    """Raised by ``Executor.run`` once a cancelled execution, with all its processes, is gone."""


class Ticket:
    """Cancels one execution. ``cancel`` may be called from any thread and more than once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._end: Callable[[], None] | None = None
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled

    def check(self) -> None:
        """Raise ``Cancelled`` if ``cancel`` was called."""
        if self._cancelled:
            raise Cancelled

    def cancel(self) -> None:
        """End the execution, or keep it from starting. Does not wait for its end."""
        with self._lock:
            self._cancelled = True
            end = self._end
        if end is not None:
            end()

    @contextlib.contextmanager
    def ended_by(self, end: Callable[[], None]) -> Iterator[None]:
        """While the block runs, ``cancel`` calls ``end``; at once if it was called before.

        ``end`` may also be called right after the block was left: it must then do nothing.
        """
        with self._lock:
            self._end = end
            late = self._cancelled
        if late:
            end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None


@contextlib.contextmanager
def called_at(deadline: float | None, end: Callable[[], None]) -> Iterator[None]:
    """Call ``end``, in a thread of its own, if the block still runs at a value of ``time.monotonic``."""
    if deadline is None:
        yield
        return
    timer = threading.Timer(max(deadline - time.monotonic(), 0.0), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
