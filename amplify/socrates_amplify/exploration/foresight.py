"""What an explorer would ask next under answers that nobody has yet.

Explorers are functions of the answers they get. So one that is run again from its start, on the
answers that are known and one that is assumed, asks next what the real one would ask if the
assumption came true. It runs on a gateway that executes nothing: at the first question without an
answer it is stopped.
"""

from __future__ import annotations

import copy
import heapq
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from socrates_amplify.analysis import BudgetSpent, ExploreOptions, Explorer, Question
from socrates_amplify.events import Trace
from socrates_amplify.exploration.gateway import Cache, Gateway
from socrates_amplify.exploration.likelihood import guess, likelihood
from socrates_amplify.faults import Fault, Scenario
from socrates_amplify.outcomes import Outcome, Verdict

Place = tuple[Scenario, int]
"""A scenario and how often it was executed before: what one execution is for."""

Path = tuple[tuple[Place, Verdict], ...]
"""Assumed verdicts of executions that have none, in the order in which they would be asked for."""

_UNLIKELY = 0.02
"""Below this chance nobody looks further."""


class UnfitError(Exception):
    """The explorer did not repeat itself, or can't be copied: its questions can't be foreseen."""


class _Unanswered(BaseException):
    """Stops a run at the first question without an answer."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a run was stopped, None for at its end, and all that it had asked by then."""

    at: _Unanswered | None
    log: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Expected:
    """An execution that may be asked for, and how likely that is."""

    place: Place
    chance: float

    @property
    def scenario(self) -> Scenario:
        """What would be executed."""
        return self.place[0]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a search is about: all that its gateway was given, but for the way to execute."""

    baseline: Trace
    faults: Sequence[Fault]
    faults_of: Callable[[Trace], Sequence[Fault]]
    cache: Cache | None
    budget: int | None


class Foresight:
    """Runs copies of one explorer ahead of it. ``executed`` are the answers it really got."""

    def __init__(self, explorer: Explorer, options: ExploreOptions, setting: Setting) -> None:
        self._explorer = explorer
        self._options = options
        self._setting = setting
        self._offers: dict[int, tuple[Trace, Sequence[Fault]]] = {}
        self._stops: dict[Path, _Stop] = {}
        self._guesses: dict[tuple[Scenario, Verdict], Outcome] = {}
        self.executed: list[Outcome] = []
        self.seconds = 0.0
        """What the latest run cost, whatever else the machine was doing."""

    def learn(self, outcome: Outcome) -> None:
        """The explorer got this answer."""
        self.executed.append(outcome)
        self._stops.clear()
        self._guesses.clear()
        real = {id(known.trace) for known in self.executed}
        self._offers = {key: offer for key, offer in self._offers.items() if key in real}

    def ahead(
        self, asked: Expected, finished: Mapping[Place, Outcome], runs: int
    ) -> Iterator[Expected | None]:
        """What may be asked after ``asked``, which has no answer yet; the likeliest path first.

        ``finished`` are executions that were made ahead; they count as answers where they are
        asked for. The explorer is run at most ``runs`` times; one that comes to its end gives
        None. Raises UnfitError.
        """
        order = itertools.count()
        paths: list[tuple[float, int, Path]] = []

        def branch(at: Expected, path: Path, log: Sequence[Question]) -> None:
            for verdict, share in likelihood(at.scenario, log).items():
                if at.chance * share >= _UNLIKELY:
                    further = (*path, (at.place, verdict))
                    heapq.heappush(paths, (-at.chance * share, next(order), further))

        log = [Question(o.scenario, "", o.verdict.value) for o in self.executed]
        branch(asked, (), log)
        for _ in range(runs):
            if not paths:
                return
            negative, _, path = heapq.heappop(paths)
            stop = self._stop(path, finished)
            if stop.at is None:
                yield None
                continue
            expected = Expected(stop.at.place, -negative)
            yield expected
            branch(expected, path, stop.log)

    def _stop(self, path: Path, finished: Mapping[Place, Outcome]) -> _Stop:
        """Where the explorer stops on these assumptions, looked up if it can't have changed."""
        stop = self._stops.get(path)
        if stop is None or (stop.at is not None and stop.at.place in finished):
            started = time.thread_time()
            stop = self._stops[path] = self._run(path, finished)
            self.seconds = time.thread_time() - started
        return stop

    def _run(self, path: Path, finished: Mapping[Place, Outcome]) -> _Stop:
        known, assumed = iter(self.executed), dict(path)
        times: Counter[Scenario] = Counter()

        def answer(scenario: Scenario) -> Outcome:
            place = (scenario, times[scenario])
            times[scenario] += 1
            real = next(known, None)
            if real is not None:
                if real.scenario != scenario:
                    raise UnfitError("the explorer asked something else this time")
                return real
            if place in finished:
                return finished[place]
            if place not in assumed:
                raise _Unanswered(place)
            return self._guess(scenario, assumed[place])

        gateway = Gateway(
            self._setting.baseline,
            self._setting.faults,
            answer,
            faults_of=self._faults_of,
            cache=self._setting.cache,
            budget=self._setting.budget,
        )
        try:
            explorer = copy.deepcopy(self._explorer)
            explorer.explore(gateway, replace(self._options, questions=[]))
        except _Unanswered as unanswered:
            return _Stop(unanswered, gateway.questions)
        except BudgetSpent:
            pass
        except Exception as error:
            raise UnfitError(f"{type(error).__name__}: {error}") from error
        return _Stop(None, gateway.questions)

    def _guess(self, scenario: Scenario, verdict: Verdict) -> Outcome:
        key = (scenario, verdict)
        if key not in self._guesses:
            self._guesses[key] = guess(scenario, verdict, self.executed, self._setting.baseline)
        return self._guesses[key]

    def _faults_of(self, trace: Trace) -> Sequence[Fault]:
        """As the setting says, but once for each trace: the same ones are read many times."""
        if id(trace) not in self._offers:
            self._offers[id(trace)] = (trace, self._setting.faults_of(trace))
        return self._offers[id(trace)][1]
