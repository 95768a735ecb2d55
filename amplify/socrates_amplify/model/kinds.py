"""The kinds of faults."""

from __future__ import annotations

MESSAGE_KINDS = ("duplicate", "restart", "drop", "delay", "reorder", "lose")
"""What can happen to a message."""
CALL_KINDS = ("connection-error", "timeout", "lost-reply", "status", "slow")
"""What can happen to a remote call. A status says which in the fault's detail."""
CIRCUMSTANCE = "circumstance"
"""What a test runs in is another than usual; the target names which of the declared ones."""
KINDS = (*MESSAGE_KINDS, *CALL_KINDS, CIRCUMSTANCE)
"""Every kind that our own probes know; probes may add their own."""
DEFAULT_KINDS = ("duplicate", "restart", "connection-error", "timeout", "status", CIRCUMSTANCE)
"""The kinds that are tried when nobody asks for others."""
