"""The messages of one test: as a tree for people, as JSON for programs, as mermaid for documents.

One module per view with ``render(traced, context) -> str``; the rows stand in the table ``TRACES``
of ``socrates_amplify.report``.
"""

from __future__ import annotations

from dataclasses import dataclass

from socrates_amplify.model.events import Trace


@dataclass(frozen=True, slots=True)
class TracedTest:
    """A test and what was traced while it ran without faults."""

    nodeid: str
    trace: Trace
