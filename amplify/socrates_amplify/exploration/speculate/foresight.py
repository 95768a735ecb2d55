"""What an explorer would ask next, for each possible answer to the question that is under way.

Explorers are functions of the answers they get. So one that is run again from its start, on the
answers that are known and one that is assumed, asks next what the real one would ask if the
assumption came true. It runs on a gateway that executes nothing: a question without an answer is
noted and then assumed to be answered as is likeliest, as long as the assumptions are likely enough. For
any other way it must be run from its start again.
"""

from __future__ import annotations

import copy
import heapq
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from socrates.classes.lazy import dataclass
from socrates_amplify.exploration.gateway import Cache, Gateway
from socrates_amplify.exploration.speculate.likelihood import guess, likelihood
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.model.search import BudgetSpent, ExploreOptions, Explorer, Question

Place = tuple[Scenario, int]
"""A scenario and how often it was executed before: what one execution is for."""

Path = tuple[tuple[Place, Verdict], ...]
"""Assumed verdicts of executions that have none, in the order in which they would be asked for."""

_UNLIKELY = 0.02
"""A chain of assumptions that is less likely than this is not followed."""

_FIRST_STEPS = 4
"""How many questions the first simulated run may find before they are handed over."""


class UnfitError(Exception):
    """The explorer did not repeat itself, or can't be copied: its questions can't be foreseen."""


class _Unanswered(BaseException):
    """Stops a run at a question without an answer."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """The first question without an answer, None at the end, and all that was asked before it."""

    at: Place | None
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
class SearchSpec:
    """What a search is about: all that its gateway was given, but for the way to execute."""

    control: Trace
    faults: Sequence[Fault]
    faults_of: Callable[[Trace], Sequence[Fault]]
    cache: Cache | None
    budget: int | None


class _Walk:
    """One simulated explorer run: replays the assumed answers in ``path``, then continues with the
    likeliest, and records each unanswered question.

    Going on costs a step; coming back later costs a run from the start.
    """

    def __init__(self, path: Path, chance: float, steps: int) -> None:
        self._path = path
        self._chance = chance
        self._steps = steps
        self.stops: dict[Path, _Stop] = {}

    def go_on(self, place: Place, log: Sequence[Question]) -> Verdict:
        """A question without an answer: what to assume, or the end of the run."""
        self.stops[self._path] = _Stop(place, log)
        verdicts = likelihood(place[0], log)
        verdict = max(verdicts, key=lambda one: verdicts[one])
        self._chance *= verdicts[verdict]
        if len(self.stops) >= self._steps or self._chance < _UNLIKELY:
            raise _Unanswered
        self._path = (*self._path, (place, verdict))
        return verdict

    def end(self, log: Sequence[Question]) -> None:
        """The explorer had nothing more to ask."""
        self.stops[self._path] = _Stop(None, log)


class Foresight:
    """Runs copies of one explorer ahead of it. ``executed`` are the answers it really got."""

    def __init__(
        self,
        explorer: Explorer,
        options: ExploreOptions,
        spec: SearchSpec,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self._explorer = explorer
        self._clock = clock
        self._options = options
        self._spec = spec
        self._offers: dict[int, tuple[Trace, Sequence[Fault]]] = {}
        self._stops: dict[Path, _Stop] = {}
        self._guesses: dict[tuple[Scenario, Verdict], Outcome] = {}
        self.executed: list[Outcome] = []
        self.seconds = 0.0
        """What one look ahead cost lately, whatever else the machine was doing."""

    def learn(self, outcome: Outcome) -> None:
        """The explorer got this answer."""
        self.executed.append(outcome)
        self._stops.clear()
        self._guesses.clear()
        real = {id(known.trace) for known in self.executed}
        self._offers = {key: offer for key, offer in self._offers.items() if key in real}

    def ahead(
        self, asked: Expected, finished: Mapping[Place, Outcome], looks: int
    ) -> Iterator[Expected | None]:
        """What may be asked after ``asked``, which has no answer yet; the likeliest path first.

        ``finished`` are executions that were made ahead; they count as answers where they are
        asked for. At most ``looks`` paths are followed; one that leads to the explorer's end gives
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
        for seen in range(looks):
            if not paths:
                return
            negative, _, path = heapq.heappop(paths)
            # What is found first can be started first: the further, the longer a run may take.
            steps = min(looks - seen, max(_FIRST_STEPS, seen))
            stop = self._stop(path, finished, -negative, steps)
            if stop.at is None:
                yield None
                continue
            expected = Expected(stop.at, -negative)
            yield expected
            branch(expected, path, stop.log)

    def _stop(
        self, path: Path, finished: Mapping[Place, Outcome], chance: float, steps: int
    ) -> _Stop:
        """Where the explorer stops on these assumptions, looked up if it can't have changed."""
        stop = self._stops.get(path)
        if stop is None or (stop.at is not None and stop.at in finished):
            started = self._clock()
            found = self._run(path, finished, chance, steps)
            self.seconds = (self._clock() - started) / len(found)
            self._stops |= found
            stop = found[path]
        return stop

    def _run(
        self, path: Path, finished: Mapping[Place, Outcome], chance: float, steps: int
    ) -> dict[Path, _Stop]:
        """Run the explorer once: where it stops on ``path``, and on the likeliest way from there."""
        walk = _Walk(path, chance, steps)
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
            verdict = assumed.get(place) or walk.go_on(place, tuple(gateway.questions))
            return self._guess(scenario, verdict)

        gateway = Gateway(
            self._spec.control,
            self._spec.faults,
            answer,
            faults_of=self._faults_of,
            cache=self._spec.cache,
            budget=self._spec.budget,
        )
        try:
            explorer = copy.deepcopy(self._explorer)
            explorer.explore(gateway, self._options)
        except _Unanswered:
            return walk.stops
        except BudgetSpent:
            pass
        except Exception as error:
            if not walk.stops:
                raise UnfitError(f"{type(error).__name__}: {error}") from error
            return walk.stops  # should this path really be looked at, it will be told
        walk.end(gateway.questions)
        return walk.stops

    def _guess(self, scenario: Scenario, verdict: Verdict) -> Outcome:
        key = (scenario, verdict)
        if key not in self._guesses:
            self._guesses[key] = guess(scenario, verdict, self.executed, self._spec.control)
        return self._guesses[key]

    def _faults_of(self, trace: Trace) -> Sequence[Fault]:
        """As the setting says, but once for each trace: the same ones are read many times."""
        if id(trace) not in self._offers:
            self._offers[id(trace)] = (trace, self._spec.faults_of(trace))
        return self._offers[id(trace)][1]
