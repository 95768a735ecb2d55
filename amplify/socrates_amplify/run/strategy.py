"""From the names in the settings to the parts of a search; every unknown name is the user's mistake."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.exploration import registry
from socrates_amplify.exploration.pruners import FIELDS, CriticalServicesPruner, PatternsPruner
from socrates_amplify.extensions.collect import Extensions
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import all_kinds, kind_of
from socrates_amplify.model.orders import real_faults
from socrates_amplify.model.search import ExploreOptions, Explorer, Prioritiser, Pruner
from socrates_amplify.settings.amplify import AmplifySettings


@dataclass(frozen=True)
class Strategy:
    """The parts of a search, found by their names. ``user_filter`` are the developer's own patterns."""

    explorer_name: str
    pruner: Pruner | None
    prioritiser: Prioritiser | None
    user_filter: Pruner
    patterns: tuple[Mapping[str, str], ...]

    @functools.cached_property
    def explorer(self) -> Explorer:
        """Made, and imported, when something is to be searched."""
        return registry.explorer(self.explorer_name)

    def searched(self, faults: Iterable[Fault]) -> Sequence[Fault]:
        """The faults that the explorer can search: orders need one that reads them off its runs."""
        reads_orders = getattr(self.explorer, "reads_orders", False)
        return list(faults) if reads_orders else real_faults(faults)

    def options(self, settings: AmplifySettings, apart: frozenset[str]) -> ExploreOptions:
        """How the explorer is to search; ``apart`` are faults that are asked by themselves."""
        return ExploreOptions(
            max_defects=settings.max_defects,
            max_faults=settings.max_faults,
            reduction=settings.reduction,
            seed=settings.seed,
            pruner=self.pruner,
            criterion=settings.criterion,
            apart=apart,
        )


def register_parts(extensions: Extensions) -> None:
    """Have the explorers, pruners and prioritisers of plugins found by their names."""
    registry.register(
        extensions.explorers(registry.OWN["explorers"]),
        extensions.pruners(registry.OWN["pruners"]),
        extensions.prioritisers(registry.OWN["prioritisers"]),
        extensions.hint,
    )


def choose(settings: AmplifySettings, kinds: Iterable[str], hint: str = "") -> Strategy:
    """The parts that the settings name; ``kinds`` are all kinds of faults that exist.

    ``hint`` ends what is said about an unknown kind: a plugin may have failed that has it.
    """
    known = tuple(kinds)
    for kind in settings.faults:
        _check_kind(kind, known, hint)
    include = tuple(_pattern(text, "--include", known, hint) for text in settings.include)
    exclude = tuple(_pattern(text, "--exclude", known, hint) for text in settings.exclude)
    if settings.explorer != "exhaustive" and settings.max_faults is not None:
        raise SocratesError("--max-faults is for --explorer exhaustive; leave one of them out")
    pruner = settings.pruner
    registry.check_explorer(settings.explorer)
    return Strategy(
        explorer_name=settings.explorer,
        pruner=None if pruner is None else registry.pruner(pruner, include, exclude),
        prioritiser=None
        if settings.prioritiser is None
        else registry.prioritiser(settings.prioritiser, settings.seed),
        user_filter=CriticalServicesPruner(PatternsPruner(include, exclude), settings.critical),
        patterns=(*include, *exclude, *({"to": glob} for glob in settings.critical)),
    )


def _check_kind(text: str, known: Sequence[str], hint: str = "") -> None:
    """``status:503`` is ``status`` with one certain detail; most kinds have none."""
    kind, colon, detail = text.partition(":")
    if kind not in known:
        hint = hint or did_you_mean(kind, known) or f"; use some of {', '.join(known)}"
        raise SocratesError(f"--faults: unknown kind {text!r}{hint}")
    details = kind_of(kind).details
    if colon and (details is None or not re.fullmatch(details.pattern, detail)):
        named = [
            f"{one.details.words} is named, like {one.name}:{one.details.example}"
            for one in all_kinds()
            if one.details is not None
        ]
        raise SocratesError(f"--faults: {text!r} is no kind; only {' and '.join(named)}")


def _pattern(text: str, where: str, known: Sequence[str], hint: str) -> Mapping[str, str]:
    """A pattern whose kind, if it names one, is one that there is."""
    globs = parse_pattern(text, where)
    kind = globs.get("kind", "*")
    if not any(fnmatchcase(name, kind) for name in known):
        hint = hint or did_you_mean(kind, known) or f"; use some of {', '.join(known)}"
        raise SocratesError(f"{where}: {text!r} fits no kind of fault{hint}")
    return globs


def parse_pattern(text: str, where: str) -> Mapping[str, str]:
    """``kind=restart,to=Stock*`` as globs by field; a bare glob is about the receiver."""
    globs: dict[str, str] = {}
    for part in text.split(","):
        key, equals, glob = part.strip().partition("=")
        if not equals:
            key, glob = "to", key
        if key not in FIELDS:
            hint = did_you_mean(key, FIELDS) or f"; use {', '.join(FIELDS)}"
            raise SocratesError(f"{where}: unknown field {key!r} in {text!r}{hint}")
        if not glob:
            raise SocratesError(f"{where}: {text!r} names nothing for {key!r}; write {key}=GLOB")
        globs[key] = glob
    return globs


def unmatched(patterns: Iterable[Mapping[str, str]], faults: Sequence[Fault]) -> list[str]:
    """One warning for each pattern that matches no fault at all, with the nearest name there is."""
    warnings = []
    for globs in patterns:
        alone = PatternsPruner(include=(globs,))
        if faults and not alone.prune(faults, Trace(), None):
            shown = ",".join(f"{key}={glob}" for key, glob in globs.items())
            hint = did_you_mean(next(iter(globs.values())), _names(globs, faults))
            warnings.append(f"the pattern {shown!r} matches no fault of any test{hint}")
    return warnings


def _names(globs: Mapping[str, str], faults: Iterable[Fault]) -> set[str]:
    key = next(iter(globs))
    values = {
        "kind": {fault.kind for fault in faults},
        "from": {fault.sender for fault in faults},
        "to": {fault.receiver for fault in faults},
        "message": {fault.message for fault in faults},
    }
    return values[key]
