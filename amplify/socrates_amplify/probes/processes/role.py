"""Which part this process has in a run: the test's own process, or a child of it."""

from __future__ import annotations

child = False
"""Whether the test started or forked this process."""
