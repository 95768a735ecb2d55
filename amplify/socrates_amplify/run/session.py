"""One run of ``socrates amplify`` without printing: collect, gate, then test by test."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from socrates.errors import SocratesError
from socrates.files import temporary
from socrates.findings import PluginError, Severity
from socrates.plugins import iter_errors
from socrates.session import Session
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.ray.options import cluster_options
from socrates_amplify.extensions.collect import Extensions, installed
from socrates_amplify.model.events import Trace
from socrates_amplify.model.exchanges import exchanges_of
from socrates_amplify.model.kinds import all_names
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.results import Part, RunResult, Status, TestResult
from socrates_amplify.planning import sharding
from socrates_amplify.planning.promise import most_promising_first
from socrates_amplify.planning.time_shares import TimeShares
from socrates_amplify.planning.traced_pass import halfway, traced_pass
from socrates_amplify.planning.unmatched_patterns import unmatched_promises
from socrates_amplify.probes.http.answers.sources import unmatched_sources
from socrates_amplify.run.gate import Gatekeeper, level_of
from socrates_amplify.run.no_targets import is_quiet, settle
from socrates_amplify.run.progress import Progress
from socrates_amplify.run.request import RunRequest, asked_with, code_of, settings_of, shown
from socrates_amplify.run.reuse import (
    Reused,
    Surroundings,
    reusable,
    surroundings_of,
    what_is_resumed,
)
from socrates_amplify.run.scheduling import Workers
from socrates_amplify.run.strategy import Strategy, choose, register_parts, unmatched
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store import durations, regression_files
from socrates_amplify.store.folders import FOLDER
from socrates_amplify.store.scenario_files import ScenarioFile
from socrates_amplify.store.store import Store
from socrates_amplify.triage.judge import finish

if TYPE_CHECKING:  # many modules, which a run without anything to search for does not need
    from socrates_amplify.run.examiner import Examiner
    from socrates_amplify.run.parallel import Parallel

_GENERATIONS = 20
"""For so many versions of the code results are kept: switching branches need not cost them."""


_COMPANY = 2
"""Fewer tests than this have nothing to gain from a run together."""


def run(request: RunRequest, linter: Session, progress: Progress) -> RunResult:
    """Amplify every test that the linter calls clean. Raises SocratesError for the user's mistakes.

    Ctrl-C ends the run early with what is known: tests that were not reached are ``not-run``.
    """
    started = time.monotonic()
    temporary.clear_abandoned()
    settings = settings_of(linter, request.flags)
    if settings.explorer == "static" and not request.scenarios:
        raise SocratesError("--explorer static asks given scenarios; name them with --scenario")
    extensions = installed()
    register_parts(extensions)
    strategy = choose(settings, all_names(), extensions.hint)
    suite = Suite(
        request.cwd,
        request.targets,
        request.pytest_args,
        settings.tables,
        cluster=cluster_options(settings, request.cwd),
        rounds=settings.rounds,
        until=None if settings.time_budget is None else started + settings.time_budget,
    )
    if not settings.coverage:
        return _run(request, linter, settings, strategy, suite, extensions, progress, started)
    if request.resume or request.since:
        flag = "--resume" if request.resume else "--since"
        raise SocratesError(f"--coverage and {flag}: what is not run again covers nothing")
    from socrates_amplify.coverage import compare as covering

    with covering.measuring(settings.executor) as measured:
        suite = replace(suite, environment=measured.environment)
        result = _run(request, linter, settings, strategy, suite, extensions, progress, started)
        files = {test.nodeid.partition("::")[0] for test in result.tests}
        root = (request.cwd / result.rootdir).resolve()
        return replace(result, coverage=measured.collect(root, files))


def _run(
    request: RunRequest,
    linter: Session,
    settings: AmplifySettings,
    strategy: Strategy,
    suite: Suite,
    extensions: Extensions,
    progress: Progress,
    started: float,
) -> RunResult:
    progress.doing("collecting tests")
    spares = settings.explorer != "exhaustive"
    with SuiteRunner(
        suite, settings.kinds, settings.executor, settings.jobs, extensions, spares_errors=spares
    ) as runner:
        progress.collected(len(runner.tests), settings.limit, suite.until)
        _scenarios_fit(request.scenarios, runner.tests)
        part = _part(request, runner)
        if part is not None:
            runner.tests = part.tests
        with Store.open(runner.rootdir) as store:
            passing = _Run(request, linter, settings, strategy, runner, store, progress, started)
            return replace(passing.run(), shard=part)


def _part(request: RunRequest, runner: SuiteRunner) -> Part | None:
    """The tests of the asked shard; None when there is no splitting."""
    if request.shard is None:
        return None
    kept = runner.rootdir / FOLDER / durations.FILE
    if request.durations is not None:
        known = durations.read(request.durations)
    else:
        # One that is broken here alone would split otherwise than everywhere else.
        known = durations.read(kept, "--shard") if kept.exists() else {}
    return sharding.part_of(runner.tests, request.shard, known)


def _scenarios_fit(scenarios: Sequence[ScenarioFile], tests: Sequence[str]) -> None:
    missing = [file.nodeid for file in scenarios if file.nodeid not in tests]
    if missing:
        raise SocratesError(
            f"--scenario: its test {missing[0]} is not among those collected; was it renamed?"
        )


class _Run:
    """The parts of one run, all open."""

    def __init__(
        self,
        request: RunRequest,
        linter: Session,
        settings: AmplifySettings,
        strategy: Strategy,
        runner: SuiteRunner,
        store: Store,
        progress: Progress,
        started: float,
    ) -> None:
        self._request = request
        self._linter = linter
        self._settings = settings
        self._strategy = strategy
        self._runner = runner
        self._store = store
        self._progress = progress
        self._started = started
        self._workers = Workers(runner.jobs, runner.stop)
        self._failures: list[PluginError] = []
        level = level_of(settings.gate, linter.settings.fail_on)
        self._gate = Gatekeeper(runner.rootdir, level, linter)
        self._resumed = ""
        self._now: Surroundings | None = None
        self._version = code_of(runner.rootdir, settings)
        how = (f"{settings.rounds}",) if settings.rounds.several else ()
        self._code = asked_with(self._version, (*request.pytest_args, *how), settings)

    def run(self) -> RunResult:
        """Gate, then examine what is clean."""
        if self._gates_first:
            self._progress.doing("looking for smells")
            self._gate.ask(self._runner.tests)
        reused = self._reused()
        self._begin(reused)
        known, interrupted = self._all(reused)
        results = [
            known.get(nodeid) or TestResult(nodeid, Status.NOT_RUN, note="interrupted")
            for nodeid in self._runner.tests
        ]
        if self._request.shard is None and not interrupted:
            told = durations.updated(self._store.folder, results, resumed=self._request.resume)
            self._store.write_file(durations.FILE, told)
        return finish(
            RunResult(
                tuple(results),
                time.monotonic() - self._started,
                (
                    *self._runner.warnings,
                    *self._gate.warnings,
                    *self._store.warnings,
                    *self._strange(),
                ),
                interrupted,
                rootdir="" if self._runner.rootdir == self._request.cwd else self._shown(),
                errors=tuple(iter_errors(self._runner.failures, self._failures)),
                fail_on=Severity(self._settings.fail_on or self._linter.settings.fail_on),
                min_severity=Severity(self._settings.min_severity),
                fail_under=self._settings.fail_under,
                resumed=self._resumed,
            ),
            strict=self._settings.strict,
        )

    @property
    def _gates_first(self) -> bool:
        """Whether only clean tests take part in the traced pass: where it is not about the whole suite."""
        request = self._request
        partly = request.since or request.resume or request.scenarios
        return bool(partly) or len(self._runner.tests) < _COMPANY

    def _all(self, reused: Reused) -> tuple[dict[str, TestResult], bool]:
        """The results that there are in the end, and whether that was Ctrl-C."""
        left_out: dict[str, TestResult] = {}
        open_tests: list[str] = []
        for nodeid in self._runner.tests:
            result = self._left_out(nodeid) or reused.results.get(nodeid)
            if result is None:
                open_tests.append(nodeid)
            else:
                left_out[nodeid] = result
                self._progress.finished(nodeid, 0)
        results: Mapping[str, TestResult] = {}
        interrupted = False
        try:
            left, settled = self._in_company(open_tests)
            left_out |= settled
            for nodeid in settled:
                self._progress.finished(nodeid, 0)
            if left:
                results = self._parallel.results
                self._parallel.run({nodeid: self._gate.location(nodeid) for nodeid in left})
                self._parallel.go_on()
        except KeyboardInterrupt:
            interrupted = True
            self._progress.doing("stopping; Ctrl-C again ends at once")
            self._workers.stop()
            self._runner.stop()
            self._workers.wait()
        return {**left_out, **results}, interrupted

    def _in_company(self, tests: Sequence[str]) -> tuple[list[str], dict[str, TestResult]]:
        """The clean tests after the traced pass, the most promising first; and what is known of the others."""
        resumed = self._request.resume  # else nothing is kept of these tests
        unknown = [nodeid for nodeid in tests if not (resumed and self._examiner.is_known(nodeid))]
        if self._request.scenarios or len(unknown) < _COMPANY:
            return list(tests), {}
        seen = self._pass(unknown)
        smelly = self._smelly(tests, seen)
        clean = {nodeid: outcome for nodeid, outcome in seen.items() if nodeid not in smelly}
        places = {nodeid: self._gate.location(nodeid) for nodeid in clean}
        settled = smelly | settle(clean, places, self._runner, self._store, self._code)
        left = [nodeid for nodeid in tests if nodeid not in settled]
        traces = {nodeid: outcome.trace for nodeid, outcome in seen.items()}
        short = self._deadline is not None
        took = {nodeid: outcome.duration for nodeid, outcome in seen.items()} if short else {}
        order = most_promising_first(left, traces, took, unknown_last=short)
        if order:
            self._examiner.has_seen(seen, order)
        return order, settled

    def _smelly(self, tests: Sequence[str], seen: Mapping[str, Outcome]) -> dict[str, TestResult]:
        """Those that are smelly, after the traced pass; what they have sent is kept for the map.

        Where no test has sent anything smells make no difference, but for whether all tests have some.
        """
        self._progress.doing("looking for smells")
        quiet = all(nodeid in seen and is_quiet(seen[nodeid]) for nodeid in tests)
        if quiet and not self._runner.faults_of(Trace()):
            self._gate.ask_until_clean(tests)
        else:
            self._gate.ask(tests)
        smelly = {nodeid: result for nodeid in tests if (result := self._left_out(nodeid))}
        for nodeid, result in smelly.items():
            outcome = seen.get(nodeid)
            if outcome is not None and outcome.trace.sends:
                self._store.add_control_runs(self._code, nodeid, (outcome,))
                exchanges = exchanges_of(nodeid, outcome.trace, clean=False)
                smelly[nodeid] = replace(result, exchanges=exchanges)
        return smelly

    def _pass(self, nodeids: Sequence[str]) -> dict[str, Outcome]:
        """What the traced pass says of these tests, in their order."""
        self._progress.doing("running the tests together, without faults")
        seen = traced_pass(
            self._runner,
            nodeids,
            jobs=self._runner.jobs,
            deadline=halfway(self._deadline),
            told=lambda done: self._progress.doing(
                f"running the tests together, without faults: {done}/{len(nodeids)}"
            ),
        )
        return {nodeid: seen[nodeid] for nodeid in nodeids if nodeid in seen}

    @property
    def _deadline(self) -> float | None:
        limit = self._settings.time_budget
        return None if limit is None else self._started + limit

    def _left_out(self, nodeid: str) -> TestResult | None:
        """The result of a test that is not examined, as far as the linter was asked; None for all others."""
        codes, location = self._gate.codes(nodeid), self._gate.location(nodeid)
        if codes:
            return TestResult(nodeid, Status.SMELLY, location, codes)
        if regression_files.is_kept(self._runner.rootdir / nodeid.partition("::")[0]):
            told = "keeps a defect; plain pytest runs it"
            return TestResult(nodeid, Status.NOT_RUN, location, note=told)
        return None

    def _reused(self) -> Reused:
        """With ``--since``, what need not be found out again; keeps what this run's results rest on."""
        root, settings, store = self._runner.rootdir, self._settings, self._store
        now = self._now = surroundings_of(root, settings, self._request.pytest_args)
        reused = Reused()
        if self._request.since:
            tests = [one for one in self._runner.tests if self._left_out(one) is None]
            ignored = settings.since_ignore
            reused = reusable(store, tests, self._request.since, root, now, ignored)
            self._resumed = reused.told
            for nodeid, code in reused.codes.items():
                store.carry_over(code, self._code, nodeid)
        if now is not None:
            store.add_surroundings(self._code, now.as_document())
        return reused

    def _begin(self, reused: Reused) -> None:
        """Forget what is found out anew, or say what is not."""
        self._store.keep_latest(_GENERATIONS)
        tests, code = self._runner.tests, self._code
        if self._request.resume:
            known = what_is_resumed(self._store, code, tests, self._now)
            self._resumed = "; ".join(filter(None, (self._resumed, known)))
        else:
            self._store.forget(code, *(one for one in tests if one not in reused.results))

    @functools.cached_property
    def _examiner(self) -> Examiner:
        from socrates_amplify.run.examiner import Examiner

        return Examiner(
            self._runner,
            self._store,
            self._code,
            self._strategy,
            self._settings,
            scenarios=self._request.scenarios,
            slots=self._workers if self._speculates() else None,
            shares=TimeShares(self._deadline, self._workers.jobs),
            company=self._runner,
            shown=lambda path: shown(path, self._request.cwd),
            version=self._version,
            pytest_args=self._request.pytest_args,
        )

    @functools.cached_property
    def _parallel(self) -> Parallel:
        from socrates_amplify.run.parallel import Parallel

        estimates = durations.read_if_there(self._store.folder / durations.FILE)
        fail = self._failures.append
        return Parallel(self._examiner, self._workers, self._progress, estimates, fail)

    def _speculates(self) -> bool:
        """What is only executed ahead would count as covered, or not, by chance."""
        return self._workers.jobs > 1 and self._settings.speculation and not self._settings.coverage

    def _shown(self) -> str:
        return shown(self._runner.rootdir, self._request.cwd)

    def _strange(self) -> Iterable[str]:
        """Patterns of the user that matched nothing: a typo would else look like a good end.

        Where results are reused, what their tests could match is not known.
        """
        if self._request.since:
            return
        if "_examiner" in vars(self):
            faults = self._examiner.faults.values()
            yield from unmatched(self._strategy.patterns, list(faults))
            yield from unmatched_sources(self._settings.probes, faults)
            yield from unmatched_promises(self._settings.probes, self._examiner.types)
        yield from self._runner.circumstances.unmatched()
