"""Acme's plugin for the amplifier: one kind of fault, and the probe that applies it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from socrates.plugins import hookimpl

if TYPE_CHECKING:
    from socrates_amplify.model.kinds import FaultKind
    from socrates_amplify.probes.base import Probe


@hookimpl
def socrates_fault_kinds() -> Sequence[FaultKind]:
    """The rows."""
    from acme_faults.cache_probe import CACHE_MISS

    return [CACHE_MISS]


@hookimpl
def socrates_probes() -> Sequence[Probe]:
    """The code that applies them."""
    from acme_faults.cache_probe import CacheProbe

    return [CacheProbe()]
