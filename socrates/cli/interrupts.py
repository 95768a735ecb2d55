"""Ctrl-C, also for a command that was started with it switched off."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt within, even if it was ignored when the process started.

    ``nohup`` users and scripts start a command with ``&``, and the shell then has it ignore
    SIGINT. Python leaves that so, and all processes that we start would inherit it: neither
    ``kill -INT`` nor Ctrl-C could end a run, and the tests in it could not be interrupted.
    """
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    if not ignored or threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
