"""One execution, in the process that runs the test: install the probes, run the test, report."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.in_test.listener import Listener, listening
from socrates_amplify.executors.request import Request
from socrates_amplify.extensions.collect import Extensions
from socrates_amplify.extensions.own import known_packages
from socrates_amplify.model.evidence import NOTHING
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.notices import Notice
from socrates_amplify.model.orders import real_faults
from socrates_amplify.model.outcomes import MISTAKE, REPLACES, Failure, Outcome, Verdict
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.originals import Clock, Process
from socrates_amplify.probes.base import Undo
from socrates_amplify.probes.replaced import Replaced
from socrates_amplify.record.assertions.asserted import watch_raises
from socrates_amplify.record.assertions.failures import (
    failure_in,
    failure_of,
    waiting_failure,
    watch_test_case,
)
from socrates_amplify.record.executed import ExecutedFiles
from socrates_amplify.record.followed import stop_following
from socrates_amplify.record.recorder import Recorder

_MOST_NAMED = 2
_GREEN = ("passed", "xfailed", "xpassed", "skipped")


class Execution:
    """Runs one item once and tells what happened, by what a ``Listener`` among the plugins hears."""

    def __init__(
        self,
        item: pytest.Item,
        request: Request,
        recorder: Recorder | None = None,
        executed: ExecutedFiles | None = None,
        replaced: Replaced | None = None,
    ) -> None:
        self._executed = executed
        self._replaced = replaced
        self._files: tuple[str, ...] = ()
        self._item = item
        self._request = request
        self._recorder = recorder or recorder_for(item, request)
        self._recorder.test_file = str(item.path)
        self._status = ""
        self._failure: Failure | None = None
        self._logged: Failure | None = None
        self._why = ""
        self._skipped: list[str] = []
        self._started = Clock.now()
        self._extensions: Extensions | None = None

    def run(self, extensions: Extensions, nextitem: pytest.Item | None = None) -> Outcome:
        """Run the item's whole protocol, all fixtures torn down that ``nextitem`` does not need.

        A probe that can't be installed is left out, and named in the outcome's notices.
        """
        own_temporary_directory(self._item.config, self._request.tmp)
        try:
            with (
                installed(extensions, self._recorder, self._request.probes) as self._replaced,
                listening(self._item.config) as listener,
            ):
                duration = self._run_protocol(extensions, nextitem, listener)
        except SocratesError as error:
            return misled(self._request.scenario, error)
        return self._outcome(duration)

    def run_among_others(
        self, extensions: Extensions, nextitem: pytest.Item | None, listener: Listener
    ) -> Outcome:
        """The same where the probes have been installed for many tests; the recorder starts anew."""
        self._recorder.over = False
        outcome = self._outcome(self._run_protocol(extensions, nextitem, listener))
        self._recorder.forget()
        return outcome

    def _run_protocol(
        self, extensions: Extensions, nextitem: pytest.Item | None, listener: Listener
    ) -> float:
        """How long it took."""
        self._extensions = extensions
        item = self._item
        listener.hearer = self
        self._started = Clock.now()
        if self._replaced is not None:
            self._replaced.begin()
        ended: BaseException | None = None
        with self._watching():
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
            except BaseException as error:
                ended = error
            # A test may have left hardly enough stack for itself: give it back before anything of ours runs.
            Process.allow_recursion(max(Process.recursion(), Process.usual_recursion))
            stop_following()
        if ended is not None:
            # pytest.exit, Ctrl-C and the like end a session; here they end one execution.
            self._note("failed", Failure(type(ended).__name__, without_secrets(str(ended)), ""))
        duration = Clock.now() - self._started
        listener.hearer = None
        return duration

    @contextlib.contextmanager
    def _watching(self) -> Iterator[None]:
        """Note which files the test executes: under a fault others than without."""
        given = self._executed
        root, file = str(self._item.config.rootpath), str(self._item.path)
        executed = self._executed = given or ExecutedFiles(root, file, cheaply=False)
        executed.begin()
        yield
        self._files = executed.end(_shared_fixtures(self._item), file)
        if given is None:
            executed.close()

    @contextlib.contextmanager
    def setting_up(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """What sets a fixture up that tests share, all of them depend on."""
        if self._executed is None:
            yield
        else:
            with self._executed.fixture(fixturedef):
                yield

    def interrupted(self, frame: FrameType | None, limit: float) -> Outcome:
        """The outcome of a test that is still running when its time is over."""
        failure = waiting_failure(frame, self._recorder, limit, self._item)
        trace = self._recorder.trace()
        return Outcome(
            scenario=self._request.scenario,
            verdict=Verdict.FAIL,
            failure=failure,
            reason=self._unapplied(),
            trace=trace,
            duration=Clock.now() - self._started,
            final=False,
            status="hung",
            evidence=self._recorder.evidence,
            notices=self._notices(),
        )

    def calling(self, item: pytest.Item) -> None:
        """The test is about to run: its object is there."""
        watch_test_case(item, self._recorder)

    def made(
        self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        """Read each phase's report after all other plugins have changed it."""
        if report.when == "call":
            self._recorder.end_of_test()
        if report.failed:
            failure = failure_of(item, call, report, self._recorder)
            self._note("failed" if report.when == "call" else "error", failure)
        elif report.skipped:
            expected = hasattr(report, "wasxfail")
            self._note("xfailed" if expected else "skipped", None, _reason(report))
        elif report.when == "call":
            self._note("xpassed" if hasattr(report, "wasxfail") else "passed", None)

    def logged(self, report: pytest.TestReport) -> None:
        """Keep the first failure that is logged: a subtest's, too, though its test goes on.

        So are the reasons of subtests that skip themselves; only they can be skipped in a test
        that passes.
        """
        if report.failed and self._logged is None:
            self._logged = self._failure or failure_in(report, self._item, self._recorder)
        elif report.skipped:
            self._skipped.append(_reason(report))

    def _note(self, status: str, failure: Failure | None, why: str = "") -> None:
        """Keep the first failure; a plugin's second attempt at the test replaces a first one."""
        if self._failure is not None and status == "error":
            return
        self._status, self._failure, self._why = status, failure, why

    def _notices(self) -> tuple[Notice, ...]:
        failures = self._extensions.failures if self._extensions is not None else ()
        return (*map(Notice.of, failures), *self._recorder.notices)

    def _unapplied(self) -> str:
        missing = self._recorder.unapplied
        if not missing:
            return ""
        fault, why = missing[0]
        rest = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        ends = f" ({fault.sender} -> {fault.receiver})" if fault.sender or fault.receiver else ""
        return f"not applied: {fault.kind} of {fault.message or fault.target}{ends}: {why}{rest}"

    def _why_nothing_was_sent(self) -> str:
        """What the test puts in the place of that which sends; empty where that is nothing."""
        names = self._replaced.names if self._replaced is not None else ()
        return f"{REPLACES}{', '.join(names[:_MOST_NAMED])}" if names else ""

    def _found_no_target(self) -> bool:
        """Whether no fault was applied; that the run was under control could not break it."""
        missing = {fault.key for fault, _ in self._recorder.unapplied}
        asked = real_faults(self._request.scenario) or self._request.scenario
        return all(fault.key in missing for fault in asked)

    def _our_slip(self) -> str:
        """Why a fault could not be made; the user is warned of it. Empty where nothing of ours went wrong."""
        slip = self._recorder.evidence.our_slip
        if slip is None:
            return ""
        told = f"a fault could not be made: {slip.type}: {slip.message} ({slip.frames[-1].place})"
        self._recorder.notices.add(Notice(f"{told}; what the test does under it is not known"))
        return told

    def _outcome(self, duration: float) -> Outcome:
        if self._failure is None and self._logged is not None:
            self._status, self._failure = "failed", self._logged
        if self._failure is not None and self._failure.type in self._recorder.unjudged:
            # As good as skipped: the fault ended the test, not the system.
            self._status, self._why = "skipped", self._recorder.unjudged[self._failure.type]
            self._failure = None
        green = self._status in _GREEN and self._failure is None
        if not green:
            self._recorder.count_late()
        unapplied = self._unapplied()
        planned = self._request.scenario.faults
        if green and planned and self._status != "passed":
            told = self._why.removeprefix("Skipped: ") or "no reason given"
            verdict, reason = Verdict.UNRESOLVED, f"{self._status} under the fault: {told}"
            reason = "; ".join(filter(None, (reason, unapplied)))
        elif not green and planned and self._found_no_target():
            verdict, reason = Verdict.UNRESOLVED, f"failed with no fault applied; {unapplied}"
        elif not green and (void := self._recorder.void or self._our_slip()):
            verdict, reason = Verdict.UNRESOLVED, void
        elif not green:
            verdict, reason = Verdict.FAIL, unapplied
        elif unapplied:
            verdict, reason = Verdict.UNRESOLVED, unapplied
        else:
            verdict, reason = Verdict.PASS, self._why or self._why_nothing_was_sent()
        return Outcome(
            scenario=self._request.scenario,
            verdict=verdict,
            failure=self._failure,
            reason=reason,
            trace=self._recorder.trace(),
            duration=duration,
            status=self._status or "error",
            evidence=NOTHING if green else self._recorder.evidence,
            notices=self._notices(),
            skipped=tuple(self._skipped) if self._status == "passed" else (),
            files=self._files,
        )


def _shared_fixtures(item: pytest.Item) -> list[object]:
    """The fixtures of the test that others may use, too."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return [one for found in known.values() for one in found if one.scope != "function"]


def recorder_for(item: pytest.Item, request: Request) -> Recorder:
    """The recorder for a run of this test."""
    recorder = Recorder(request.scenario, request.known, str(item.config.rootpath))
    recorder.test_file = str(item.path)
    recorder.tmp = request.tmp or request.own
    return recorder


@contextlib.contextmanager
def installed(
    extensions: Extensions, recorder: Recorder, tables: Mapping[str, Mapping[str, object]]
) -> Iterator[Replaced]:
    """Install all probes that are available, for the block. Raises SocratesError for wrong settings.

    A probe that can't be installed is left out, and named in the recorder's notices.
    """
    undos: list[Undo] = []
    for probe in extensions.available_probes:
        try:
            undos.append(probe.install(recorder, tables.get(probe.name, {})))
        except SocratesError:
            raise
        except Exception as error:
            recorder.notices.unpatched(probe.name, error)
    undos += [watch_raises(recorder), stop_following]
    replaced = Replaced(recorder.roles, known_packages())
    undos.append(replaced.watch())
    yield replaced
    for undo in reversed(undos):
        undo()


def misled(scenario: Scenario, error: SocratesError) -> Outcome:
    """The outcome when the settings are wrong; the executor raises its message."""
    failure = Failure(MISTAKE, str(error), "")
    return Outcome(scenario, Verdict.FAIL, failure, final=False, status="error")


def own_temporary_directory(config: pytest.Config, path: str) -> None:
    """Give this process its own base for ``tmp_path``, so that executions don't share one."""
    factory = getattr(config, "_tmp_path_factory", None)
    if not path or factory is None or config.option.basetemp:
        return
    own = Path(path).resolve() / "pytest"
    if factory._given_basetemp != own:  # pytest empties a base that it is told of anew
        factory._given_basetemp = own
        factory._basetemp = None


def _reason(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return without_secrets(f"expected to fail: {report.wasxfail}".rstrip(": "))
    longrepr = report.longrepr
    text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return without_secrets(text if text.startswith("Skipped") else f"Skipped: {text}")
