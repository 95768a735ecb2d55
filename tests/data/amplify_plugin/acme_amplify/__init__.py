"""Acme's plugin for ``socrates amplify``: a probe, a kind of fault, and three parts of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from socrates.plugins import hookimpl

if TYPE_CHECKING:
    from socrates_amplify.model.kinds import FaultKind
    from socrates_amplify.model.search import Explorer, Prioritiser, Pruner
    from socrates_amplify.probes.base import Probe


@hookimpl
def socrates_probes() -> Sequence[Probe]:
    """Imported here, because every plugin is loaded for ``socrates --help`` too."""
    from acme_amplify.queue_probe import TinyQueueProbe

    return [TinyQueueProbe()]


@hookimpl
def socrates_fault_kinds() -> Sequence[FaultKind]:
    """A kind that the probe above applies."""
    from acme_amplify.queue_probe import DEAD_LETTER

    return [DEAD_LETTER]


@hookimpl
def socrates_explorers() -> Sequence[Explorer]:
    """``--explorer one-by-one``."""
    from acme_amplify.search import OneByOne

    return [OneByOne()]


@hookimpl
def socrates_pruners() -> Sequence[Pruner]:
    """``--pruner one-per-message``."""
    from acme_amplify.search import OnePerMessage

    return [OnePerMessage()]


@hookimpl
def socrates_prioritisers() -> Sequence[Prioritiser]:
    """``--prioritiser by-message``."""
    from acme_amplify.search import ByMessage

    return [ByMessage()]
