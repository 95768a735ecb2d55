"""Explorers, pruners and prioritisers of plugins: what they raise says whose fault it is.

A test that one of them fails on can't be amplified, because the user has asked for it by name. The
other tests go on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates_amplify.extensions.failing import PluginFailedError, failure_of
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Failure, Outcome
from socrates_amplify.model.search import (
    Exploration,
    ExploreOptions,
    Explorer,
    Prioritiser,
    Problem,
    Pruner,
)

T = TypeVar("T")


@dataclass(slots=True)
class GuardedExplorer:
    """The explorer of a plugin. Raises PluginFailedError for what it raises by itself.

    What the problem raises when it is asked (there is no budget left, the run was stopped) passes.
    """

    name: str
    plugin: str
    explorer: Explorer

    def __deepcopy__(self, memo: dict[int, object]) -> GuardedExplorer:
        """A copy for a search of its own. Raises PluginFailedError for what can't be copied."""
        copied = _answer_of(self.plugin, self.explorer, lambda: copy.deepcopy(self.explorer, memo))
        return GuardedExplorer(self.name, self.plugin, copied)

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Search as the explorer does."""
        asked = _Asked(problem)

        def explored() -> Exploration:
            found = self.explorer.explore(asked, options)
            if not isinstance(found, Exploration):
                raise TypeError(f"explore gave {found!r}, which is no Exploration")
            return found

        return _answer_of(self.plugin, self.explorer, explored, lambda error: asked.raised is error)


@dataclass(slots=True)
class GuardedPruner:
    """The pruner of a plugin. Raises PluginFailedError for what it raises."""

    name: str
    plugin: str
    pruner: Pruner

    def prune(
        self, faults: Sequence[Fault], control: Trace, failure: Failure | None
    ) -> Sequence[Fault]:
        """Prune as the pruner does."""
        return _answer_of(
            self.plugin,
            self.pruner,
            lambda: _faults("prune", self.pruner.prune(faults, control, failure)),
        )


@dataclass(slots=True)
class GuardedPrioritiser:
    """The prioritiser of a plugin. Raises PluginFailedError for what it raises."""

    name: str
    plugin: str
    prioritiser: Prioritiser

    def prioritise(self, faults: Sequence[Fault], control: Trace) -> Sequence[Fault]:
        """Order as the prioritiser does."""
        return _answer_of(
            self.plugin,
            self.prioritiser,
            lambda: _faults("prioritise", self.prioritiser.prioritise(faults, control)),
        )


class _Asked:
    """The problem that a plugin's explorer sees; it remembers what the real one raised."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.raised: BaseException | None = None

    @property
    def control(self) -> Trace:
        """See ``Problem``."""
        return self._problem.control

    @property
    def faults(self) -> Sequence[Fault]:
        """See ``Problem``."""
        return self._problem.faults

    def consider(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """See ``Problem``."""
        return self._ask(lambda: self._problem.consider(scenario, hypothesis))

    def again(self, scenario: Scenario, hypothesis: str = "") -> Outcome:
        """See ``Problem``."""
        return self._ask(lambda: self._problem.again(scenario, hypothesis))

    def faults_of(self, trace: Trace) -> Sequence[Fault]:
        """See ``Problem``."""
        return self._ask(lambda: self._problem.faults_of(trace))

    def _ask(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except BaseException as error:
            self.raised = error
            raise


def _answer_of(
    plugin: str,
    item: object,
    ask: Callable[[], T],
    passes: Callable[[Exception], bool] = lambda error: False,
) -> T:
    try:
        return ask()
    except (SocratesError, PluginFailedError):
        raise
    except Exception as error:
        if passes(error):
            raise
        raise PluginFailedError(failure_of(plugin, item, error)) from error


def _faults(method: str, given: Iterable[object]) -> list[Fault]:
    faults: list[Fault] = []
    for item in given:
        if not isinstance(item, Fault):
            raise TypeError(f"{method} gave {item!r}, which is no Fault")
        faults.append(item)
    return faults
