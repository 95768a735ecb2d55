"""Circumstances: what a test runs *in* rather than what happens to it, each simple or general.

A worker count, an environment variable, a setting, a time zone. The runs without faults have the
simple values; making one circumstance general is a fault of kind ``circumstance``, so searching,
keeping, replaying and reporting treat it like any other (after Zhou et al., 4.1 and 4.2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from socrates.classes.lazy import dataclass
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CIRCUMSTANCE

TABLE = "circumstances"
"""The sub-table of ``[tool.socrates.amplify]`` that declares them."""

How = Literal["environment", "setting", "time-zone", "locale", "hash-seed", "order"]

ABSENT = object()
"""No simple value: the environment variable is not set, the setting is what the project says."""


@dataclass(frozen=True, slots=True)
class Circumstance:
    """One declared circumstance. ``place`` is the variable, or the setting as ``module:attribute``."""

    name: str
    how: How
    place: str
    simple: object
    general: object
    pair: tuple[str, str] = ("", "")
    """Globs of two messages, for ``order``."""

    @property
    def variable(self) -> str:
        """The environment variable that must be in place before the process starts, or empty."""
        return "" if self.how in ("setting", "order") else self.place

    def text(self, value: object) -> str | None:
        """A value as the environment variable carries it; None for not set."""
        return None if value is ABSENT else str(value)

    def fault(self) -> Fault:
        """Making this circumstance general."""
        about = self.place if self.how in ("environment", "setting") else self.name
        simple = "nothing" if self.simple is ABSENT and self.how == "environment" else self.simple
        before = "the project's own" if simple is ABSENT else _shown(simple)
        return Fault(
            target=f"{CIRCUMSTANCE}:{self.name}",
            kind=CIRCUMSTANCE,
            sender=self.how if self.how in ("environment", "setting") else "process",
            receiver=self.name,
            message=f"{about}={_shown(self.general)} instead of {before}",
            detail=json.dumps(self.general, sort_keys=True),
        )


def _shown(value: object) -> str:
    return value if isinstance(value, str) and value else repr(value)


def chosen(declared: Iterable[Circumstance], scenario: Scenario) -> dict[str, Fault]:
    """The faults of a scenario that make one of these circumstances general, by its name.

    A fault that asks for another value than the declared one is left out: the probe does not
    apply it.
    """
    known = {one.fault() for one in declared if one.how != "order"}
    return {fault.target.partition(":")[2]: fault for fault in scenario if fault in known}
