"""Finds explorers, pruners and prioritisers by name: ours, and those of plugins.

A prioritiser's name may end in ``-asc`` (the default) or ``-desc``. An explorer's module is imported
when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from socrates.errors import SocratesError
from socrates_amplify.exploration.prioritisers import (
    RANKINGS,
    ActorPrioritiser,
    ShufflePrioritiser,
)
from socrates_amplify.exploration.pruners import (
    CausalityPruner,
    NoPruner,
    Patterns,
    PatternsPruner,
)
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import Explorer, Prioritiser, Pruner


class Named(Protocol):
    """Anything that the registry can list."""

    name: str


T = TypeVar("T", bound=Named)

_explorers: dict[str, Explorer] = {}
_pruners: dict[str, Pruner] = {}
_prioritisers: dict[str, Prioritiser] = {}
_hints: list[str] = []

OWN: Mapping[str, tuple[str, ...]] = {
    "explorers": ("socratic", "dd", "naive", "exhaustive", "static", "schedules"),
    "pruners": ("none", "patterns", "causality"),
    "prioritisers": (
        "shuffle",
        *(f"{name}-{way}" for name in RANKINGS for way in ("asc", "desc")),
    ),
}
"""The names of ours, by what they name."""


def register(
    explorers: Iterable[Explorer] = (),
    pruners: Iterable[Pruner] = (),
    prioritisers: Iterable[Prioritiser] = (),
    hint: str = "",
) -> None:
    """Have these besides ours, in place of those of an earlier call. Their names are not taken.

    ``hint`` ends what is said about an unknown name: a plugin may have failed that has it.
    """
    _replace(_explorers, explorers)
    _replace(_pruners, pruners)
    _replace(_prioritisers, prioritisers)
    _hints[:] = [hint] if hint else []


def names() -> Mapping[str, tuple[str, ...]]:
    """All names, by what they name: ``explorers``, ``pruners``, ``prioritisers``."""
    return {
        "explorers": (*OWN["explorers"], *_explorers),
        "pruners": (*OWN["pruners"], *_pruners),
        "prioritisers": (*OWN["prioritisers"], *_prioritisers),
    }


def check_explorer(name: str) -> None:
    """Raises SocratesError when there is no explorer of this name; imports none."""
    if name not in names()["explorers"]:
        raise _unknown("explorer", name, names()["explorers"])


def explorer(name: str, scenarios: Iterable[Scenario] = ()) -> Explorer:
    """The explorer of this name; ``scenarios`` are for ``static``."""
    match name:
        case "socratic":
            from socrates_amplify.exploration.socratic import SocraticExplorer

            return SocraticExplorer()
        case "dd":
            from socrates_amplify.exploration.dd import DeltaDebuggingExplorer

            return DeltaDebuggingExplorer()
        case "naive":
            from socrates_amplify.exploration.naive import NaiveExplorer

            return NaiveExplorer()
        case "exhaustive":
            from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer

            return ExhaustiveExplorer()
        case "schedules":
            from socrates_amplify.exploration.orders.explorer import SchedulesExplorer

            return SchedulesExplorer()
        case "static":
            from socrates_amplify.exploration.static import StaticExplorer

            return StaticExplorer(scenarios)
    check_explorer(name)
    return _explorers[name]


def pruner(name: str, include: Patterns = (), exclude: Patterns = ()) -> Pruner:
    """The pruner of this name; ``include`` and ``exclude`` are for ``patterns``."""
    match name:
        case "none":
            return NoPruner()
        case "patterns":
            return PatternsPruner(include, exclude)
        case "causality":
            return CausalityPruner()
        case _ if name in _pruners:
            return _pruners[name]
    raise _unknown("pruner", name, names()["pruners"])


def prioritiser(name: str, seed: int = 0) -> Prioritiser:
    """The prioritiser of this name; ``seed`` is for ``shuffle``."""
    if name == "shuffle":
        return ShufflePrioritiser(seed)
    if name in _prioritisers:
        return _prioritisers[name]
    stem = name.removesuffix("-asc").removesuffix("-desc")
    if stem in RANKINGS:
        return ActorPrioritiser(name, RANKINGS[stem], descending=name.endswith("-desc"))
    raise _unknown("prioritiser", name, names()["prioritisers"])


def _replace(table: dict[str, T], items: Iterable[T]) -> None:
    table.clear()
    table.update({item.name: item for item in items})


def _unknown(what: str, name: str, known: Iterable[str]) -> SocratesError:
    import difflib

    options = list(known)
    near = difflib.get_close_matches(name, options, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; use one of {', '.join(options)}"
    return SocratesError(f"unknown {what} {name!r}{_hints[0] if _hints else hint}")
