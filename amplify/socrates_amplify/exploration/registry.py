"""Finds explorers, pruners and prioritisers by name: ours, and those that plugins bring.

A prioritiser's name may end in ``-asc`` (the default) or ``-desc``.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

import pluggy

from socrates.errors import SocratesError
from socrates_amplify import hooks as hookspecs
from socrates_amplify.exploration.dd import DeltaDebuggingExplorer
from socrates_amplify.exploration.exhaustive import ExhaustiveExplorer
from socrates_amplify.exploration.naive import NaiveExplorer
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
from socrates_amplify.exploration.socratic import SocraticExplorer
from socrates_amplify.exploration.static import StaticExplorer
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.search import Explorer, Prioritiser, Pruner


class Named(Protocol):
    """Anything that the registry can list."""

    name: str


T = TypeVar("T", bound=Named)

_explorers: dict[str, Explorer] = {}
_pruners: dict[str, Pruner] = {}
_prioritisers: dict[str, Prioritiser] = {}


def load(manager: pluggy.PluginManager) -> None:
    """Take what the plugins of this manager bring, in place of what an earlier one brought."""
    known = getattr(manager.hook, "socrates_explorers", None)
    if known is None or known.spec is None:
        manager.add_hookspecs(hookspecs)
    register(
        itertools.chain.from_iterable(manager.hook.socrates_explorers()),
        itertools.chain.from_iterable(manager.hook.socrates_pruners()),
        itertools.chain.from_iterable(manager.hook.socrates_prioritisers()),
    )


def register(
    explorers: Iterable[Explorer] = (),
    pruners: Iterable[Pruner] = (),
    prioritisers: Iterable[Prioritiser] = (),
) -> None:
    """What others bring, besides ours. A name that is taken is an error, not a replacement."""
    for table in (_explorers, _pruners, _prioritisers):
        table.clear()
    known = names()
    _add("explorer", explorers, _explorers, known["explorers"])
    _add("pruner", pruners, _pruners, known["pruners"])
    _add("prioritiser", prioritisers, _prioritisers, known["prioritisers"])


def names() -> Mapping[str, tuple[str, ...]]:
    """All names, by what they name: ``explorers``, ``pruners``, ``prioritisers``."""
    return {
        "explorers": ("socratic", "dd", "naive", "exhaustive", "static", *_explorers),
        "pruners": ("none", "patterns", "causality", *_pruners),
        "prioritisers": (
            "shuffle",
            *(f"{name}-{way}" for name in RANKINGS for way in ("asc", "desc")),
            *_prioritisers,
        ),
    }


def explorer(name: str, scenarios: Iterable[Scenario] = ()) -> Explorer:
    """The explorer of this name; ``scenarios`` are for ``static``."""
    match name:
        case "socratic":
            return SocraticExplorer()
        case "dd":
            return DeltaDebuggingExplorer()
        case "naive":
            return NaiveExplorer()
        case "exhaustive":
            return ExhaustiveExplorer()
        case "static":
            return StaticExplorer(scenarios)
        case _ if name in _explorers:
            return _explorers[name]
    raise _unknown("explorer", name, names()["explorers"])


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


def _add(what: str, items: Iterable[T], into: dict[str, T], taken: Iterable[str]) -> None:
    known = set(taken)
    for item in items:
        if item.name in known:
            raise SocratesError(f"a plugin brings a second {what} named {item.name!r}; rename it")
        known.add(item.name)
        into[item.name] = item


def _unknown(what: str, name: str, known: Iterable[str]) -> SocratesError:
    options = list(known)
    near = difflib.get_close_matches(name, options, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(options)}"
    return SocratesError(f"unknown {what} {name!r}; {hint}")
