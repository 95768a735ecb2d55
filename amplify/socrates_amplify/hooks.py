"""The hooks of the amplifier: what plugins add to it, by entry points in the group ``socrates``.

``extensions.collect`` asks each plugin by itself, so that one that raises costs no other. The guide
``docs/plugins.md`` shows a plugin with every hook.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from socrates_amplify.model.kinds import FaultKind
    from socrates_amplify.model.search import Explorer, Prioritiser, Pruner
    from socrates_amplify.probes.base import Probe

hookspec = pluggy.HookspecMarker("socrates")


@hookspec
def socrates_probes() -> Sequence[Probe]:  # type: ignore[empty-body]
    """Probes for further frameworks."""


@hookspec
def socrates_fault_kinds() -> Sequence[FaultKind]:  # type: ignore[empty-body]
    """Rows for further kinds of faults, which probes of the same plugin apply."""


@hookspec
def socrates_explorers() -> Sequence[Explorer]:  # type: ignore[empty-body]
    """Further ways to search for minimal scenarios."""


@hookspec
def socrates_pruners() -> Sequence[Pruner]:  # type: ignore[empty-body]
    """Further ways to leave faults out."""


@hookspec
def socrates_prioritisers() -> Sequence[Prioritiser]:  # type: ignore[empty-body]
    """Further orders in which to try faults."""
