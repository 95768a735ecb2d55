"""Explorers, pruners and prioritisers of plugins that fail are named with file and line."""
# socrates: ignore-file[SOC105] lines of this very file are what a message has to name

from __future__ import annotations

import copy
import threading
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.extensions.failing import PluginFailedError
from socrates_amplify.extensions.guarded_search import (
    GuardedExplorer,
    GuardedPrioritiser,
    GuardedPruner,
)
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, Exploration, ExploreOptions

HERE = Path(__file__)
FAULTS = [Fault("t1", "duplicate"), Fault("t2", "restart")]


class Problem:
    """Answers every question with a pass, or raises what it is told to."""

    control = Trace()
    faults = FAULTS

    def __init__(self, error=None):
        self._error = error

    def consider(self, scenario, hypothesis=""):
        if self._error is not None:
            raise self._error
        return Outcome(scenario, Verdict.PASS)

    again = consider

    def faults_of(self, trace):
        return FAULTS


class Plugin:
    """Every part of a search, as a function does it."""

    name = "mine"

    def __init__(self, do):
        self.explore = self.prune = self.prioritise = do


def explorer(do):
    return GuardedExplorer("mine", "acme", Plugin(do))


def asking(problem, options):
    problem.consider(Scenario.of(problem.faults[:1]))
    problem.again(Scenario())
    return Exploration(note=f"{len(problem.faults_of(problem.control))} faults")


def broken(*args):
    raise KeyError("missing")


def call(part, do):
    """Ask one guarded part of a search."""
    if part == "explore":
        return explorer(do).explore(Problem(), ExploreOptions())
    if part == "prune":
        return GuardedPruner("mine", "acme", Plugin(do)).prune(FAULTS, Trace(), None)
    return GuardedPrioritiser("mine", "acme", Plugin(do)).prioritise(FAULTS, Trace())


def test_explorer_that_works_is_as_without_guard() -> None:
    assert call("explore", asking) == Exploration(note="2 faults")


@pytest.mark.parametrize("part", ["prune", "prioritise"])
def test_part_that_works_is_as_without_guard(part) -> None:
    assert call(part, lambda faults, *rest: tuple(reversed(faults))) == FAULTS[::-1]


@pytest.mark.parametrize("part", ["explore", "prune", "prioritise"])
def test_what_raises_is_told_with_plugin_file_and_line(part) -> None:
    with pytest.raises(PluginFailedError) as raised:
        call(part, broken)
    line = HERE.read_text().splitlines().index('    raise KeyError("missing")') + 1
    assert str(raised.value) == f"plugin 'acme' failed: KeyError: 'missing' ({HERE}:{line})"


@pytest.mark.parametrize("part", ["explore", "prune", "prioritise"])
@pytest.mark.parametrize("given", [None, 42, ["duplicate"]])
def test_answer_of_another_type_is_told_with_the_place_of_the_class(part, given) -> None:
    with pytest.raises(PluginFailedError) as raised:
        call(part, lambda *args: given)
    line = HERE.read_text().splitlines().index("class Plugin:") + 1
    assert raised.value.error.location == f"{HERE}:{line}"


@pytest.mark.parametrize("error", [BudgetSpent("none left"), KeyError("disk"), SocratesError("no")])
def test_what_the_problem_raises_is_not_the_plugins_fault(error) -> None:
    with pytest.raises(type(error)) as raised:
        explorer(asking).explore(Problem(error), ExploreOptions())
    assert raised.value is error


def test_failure_of_a_pruner_is_not_blamed_on_the_explorer() -> None:
    pruner = GuardedPruner("careful", "other", Plugin(broken))

    def explore(problem, options):
        return Exploration(pruned=tuple(options.pruner.prune(problem.faults, Trace(), None)))

    with pytest.raises(PluginFailedError, match="plugin 'other' failed"):
        explorer(explore).explore(Problem(), ExploreOptions(pruner=pruner))


def test_searches_share_no_state() -> None:
    original = explorer(asking)
    original.explorer.seen = []
    copied = copy.deepcopy(original)
    copied.explorer.seen.append(1)
    assert original.explorer.seen == []


def test_explorer_that_cannot_be_copied_is_named() -> None:
    original = explorer(asking)
    original.explorer.lock = threading.Lock()
    with pytest.raises(PluginFailedError, match="plugin 'acme' failed: TypeError: cannot pickle"):
        copy.deepcopy(original)
