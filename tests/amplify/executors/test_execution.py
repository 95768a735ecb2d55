"""What an execution makes of what pytest says of one test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.in_test import ending
from socrates_amplify.executors.in_test.execution import (
    Execution,
    _reason,
    _shared_fixtures,
    installed,
    misled,
    own_temporary_directory,
)
from socrates_amplify.executors.in_test.listener import Listener, listening
from socrates_amplify.executors.in_test.once import without_reruns
from socrates_amplify.executors.request import Request
from socrates_amplify.faults import run_started
from socrates_amplify.model.evidence import NOTHING
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.outcomes import MISTAKE, Failure, Outcome, Verdict
from socrates_amplify.originals import Process
from socrates_amplify.record.recorder import Recorder

A, B = Fault("t1", "lose", "test", "Stock#1", "Add(1)"), Fault("t2", "lose", "test", "Stock#1")
BOOM = Failure("KeyError", "boom", "test_a.py:3")
TOLD = "not applied: lose of Add(1) (test -> Stock#1): its message never came"


@pytest.fixture(autouse=True)
def _no_fault_stays() -> Iterator[None]:
    """What is taken for injected here is not injected into the next test."""
    yield
    run_started()


def item_of(**given: object) -> Any:
    config = SimpleNamespace(rootpath=Path("/project"), pluginmanager=None)
    return SimpleNamespace(config=config, path=Path("/project/test_a.py"), nodeid="a", **given)


def execution(*faults: Fault, applied: tuple[Fault, ...] = ()) -> Execution:
    """An execution under these faults, of which some were applied."""
    made = Execution(item_of(), Request("a", Scenario.of(faults)))
    for fault in applied:
        made._recorder.applied_throughout(fault)
    return made


def phase(when: str, outcome: str, **given: object) -> Any:
    """pytest's report of a phase."""
    flags = {"failed": outcome == "failed", "skipped": outcome == "skipped"}
    return SimpleNamespace(when=when, longrepr=None, **flags, **given)


def heard(made: Execution, *phases: Any) -> Outcome:
    for each in phases:
        made.made(item_of(), None, each)  # type: ignore[arg-type]
    return made._outcome(1.5)


CALLED = phase("call", "passed")


def said(outcome: Outcome) -> tuple[Verdict, str, str]:
    return outcome.verdict, outcome.status, outcome.reason


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        pytest.param([CALLED], (Verdict.PASS, "passed", ""), id="passed"),
        pytest.param([], (Verdict.FAIL, "error", ""), id="nothing was heard"),
        pytest.param([phase("setup", "passed")], (Verdict.FAIL, "error", ""), id="not called"),
        pytest.param(
            [phase("call", "passed", wasxfail="bug")], (Verdict.PASS, "xpassed", ""), id="xpassed"
        ),
        pytest.param(
            [phase("call", "skipped", wasxfail="bug")],
            (Verdict.PASS, "xfailed", "expected to fail: bug"),
            id="xfailed",
        ),
    ],
)
def test_outcome_without_faults(phases: list[Any], expected: tuple[Verdict, str, str]) -> None:
    assert said(heard(execution(), *phases)) == expected


def test_outcome_says_how_long_it_took() -> None:
    assert heard(execution(), CALLED).duration == 1.5


def failing(made: Execution, status: str = "failed", failure: Failure = BOOM) -> Outcome:
    made._note(status, failure)
    return made._outcome(0.0)


NO_FAULT = f"failed with no fault applied; {TOLD}"


@pytest.mark.parametrize(
    ("planned", "applied", "verdict", "reason"),
    [
        pytest.param((A,), (A,), Verdict.FAIL, "", id="applied"),
        pytest.param((A, B), (B,), Verdict.FAIL, TOLD, id="one of two"),
        pytest.param((A,), (), Verdict.UNRESOLVED, NO_FAULT, id="none of one"),
    ],
)
def test_failure_under_faults(
    planned: tuple[Fault, ...], applied: tuple[Fault, ...], verdict: Verdict, reason: str
) -> None:
    made = execution(*planned, applied=applied)
    assert said(failing(made)) == (verdict, "failed", reason)


def test_failure_that_says_nothing_is_unresolved() -> None:
    made = execution(A, applied=(A,))
    made._recorder.void = "the server was stopped"
    assert said(failing(made)) == (Verdict.UNRESOLVED, "failed", "the server was stopped")


def test_failure_that_the_fault_itself_made_is_as_good_as_skipped() -> None:
    made = execution(A, applied=(A,))
    made._recorder.unjudged["KeyError"] = "cancelled"
    told = (Verdict.UNRESOLVED, "skipped", "skipped under the fault: cancelled")
    assert said(failing(made)) == told


@pytest.mark.parametrize(
    ("why", "told"),
    [("Skipped: no net", "no net"), ("", "no reason given"), ("other", "other")],
)
def test_test_that_skips_itself_under_a_fault_says_nothing(why: str, told: str) -> None:
    made = execution(A, applied=(A,))
    made._note("skipped", None, why)
    assert said(made._outcome(0.0)) == (
        Verdict.UNRESOLVED,
        "skipped",
        f"skipped under the fault: {told}",
    )


def test_skip_and_fault_that_was_not_applied_are_both_told() -> None:
    made = execution(A)
    made._note("skipped", None, "x")
    assert made._outcome(0.0).reason == f"skipped under the fault: x; {TOLD}"


def test_pass_under_a_fault_that_was_not_applied_is_unresolved() -> None:
    assert said(heard(execution(A), CALLED)) == (Verdict.UNRESOLVED, "passed", TOLD)


def test_faults_that_were_not_applied_are_counted() -> None:
    assert heard(execution(A, B), CALLED).reason == f"{TOLD}, and 1 more"


def test_a_fault_of_the_whole_run_is_told_without_ends() -> None:
    whole = Fault("order", "order", message="one thread at a time")
    told = "not applied: order of one thread at a time: its message never came"
    assert heard(execution(whole), CALLED).reason == told


def test_error_at_the_end_does_not_hide_a_failure() -> None:
    made = execution()
    made._note("failed", BOOM)
    assert failing(made, "error", Failure("Other", "", "")).failure == BOOM


def test_second_try_replaces_the_first_one() -> None:
    made = execution()
    made._note("failed", BOOM)
    made._note("passed", None)
    assert said(made._outcome(0.0)) == (Verdict.PASS, "passed", "")


def test_failure_of_a_part_is_that_of_the_test() -> None:
    made = execution()
    made._logged = BOOM
    outcome = heard(made, CALLED)
    assert (said(outcome), outcome.failure) == ((Verdict.FAIL, "failed", ""), BOOM)


def test_reasons_of_parts_that_were_skipped_are_kept() -> None:
    made = execution()
    made.logged(_skipped_part("a"))
    made.logged(_skipped_part("b"))
    assert heard(made, CALLED).skipped == ("Skipped: a", "Skipped: b")


def _skipped_part(reason: str) -> Any:
    return SimpleNamespace(failed=False, skipped=True, longrepr=("f", 1, reason))


def test_reasons_of_a_test_that_failed_are_not() -> None:
    made = execution()
    made.logged(_skipped_part("a"))
    assert failing(made).skipped == ()


def test_first_failure_that_is_logged_counts() -> None:
    made = execution()
    made._failure = BOOM
    made.logged(SimpleNamespace(failed=True, skipped=False))  # type: ignore[arg-type]
    made._failure = Failure("Other", "", "")
    made.logged(SimpleNamespace(failed=True, skipped=False))  # type: ignore[arg-type]
    assert made._logged == BOOM


def test_evidence_is_of_failures_only() -> None:
    assert heard(execution(), CALLED).evidence is NOTHING


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (SimpleNamespace(wasxfail="reason: x"), "expected to fail: reason: x"),
        (SimpleNamespace(wasxfail=""), "expected to fail"),
        (SimpleNamespace(longrepr=("f.py", 3, "Skipped: no net")), "Skipped: no net"),
        (SimpleNamespace(longrepr=("f.py", 3, "no net")), "Skipped: no net"),
        (SimpleNamespace(longrepr="no net"), "Skipped: no net"),
    ],
)
def test_reason_of_a_skip(report: Any, expected: str) -> None:
    assert _reason(report) == expected


def test_mistake_in_the_settings_is_not_final() -> None:
    assert misled(Scenario.of([A]), SocratesError("write it so")) == Outcome(
        Scenario.of([A]),
        Verdict.FAIL,
        Failure(MISTAKE, "write it so", ""),
        final=False,
        status="error",
    )


def test_fixtures_of_wider_scopes_are_shared() -> None:
    scopes = ("function", "module", "session")
    known = {scope: (SimpleNamespace(scope=scope),) for scope in scopes}
    item = item_of(_fixtureinfo=SimpleNamespace(name2fixturedefs=known))
    found: Any = _shared_fixtures(item)
    assert [one.scope for one in found] == ["module", "session"]


def test_item_without_fixtures_shares_none() -> None:
    assert _shared_fixtures(item_of()) == []


def factory_of(config: Any) -> Any:
    return config._tmp_path_factory


def config_with(basetemp: str | None = None, given: Path | None = None) -> Any:
    factory = SimpleNamespace(_given_basetemp=given, _basetemp="made")
    return SimpleNamespace(_tmp_path_factory=factory, option=SimpleNamespace(basetemp=basetemp))


def test_execution_has_a_temporary_directory_of_its_own(tmp_path: Path) -> None:
    config = config_with()
    own_temporary_directory(config, str(tmp_path))
    assert vars(factory_of(config)) == {"_given_basetemp": tmp_path / "pytest", "_basetemp": None}


@pytest.mark.parametrize(
    ("path", "basetemp"), [("", None), ("/x", "/users")], ids=["no path", "the user's own"]
)
def test_temporary_directory_is_left_as_it_is(path: str, basetemp: str | None) -> None:
    config = config_with(basetemp)
    own_temporary_directory(config, path)
    assert vars(factory_of(config)) == {"_given_basetemp": None, "_basetemp": "made"}


def test_temporary_directory_is_not_emptied_between_tests(tmp_path: Path) -> None:
    config = config_with(given=tmp_path / "pytest")
    own_temporary_directory(config, str(tmp_path))
    assert factory_of(config)._basetemp == "made"


class _Probe:
    def __init__(self, name: str, log: list[object], error: Exception | None = None) -> None:
        self.name, self._log, self._error = name, log, error

    def install(self, recorder: Recorder, table: object) -> Callable[[], None]:
        if self._error is not None:
            raise self._error
        self._log.append((self.name, table))
        return lambda: self._log.append(f"undo {self.name}")


def test_probes_are_undone_in_reverse_order() -> None:
    log: list[object] = []
    extensions: Any = SimpleNamespace(available_probes=[_Probe("a", log), _Probe("b", log)])
    with installed(extensions, Recorder(), {"a": {"x": 1}}):
        log.append("run")
    assert log == [("a", {"x": 1}), ("b", {}), "run", "undo b", "undo a"]


def test_probe_that_can_not_be_installed_is_named() -> None:
    recorder, log = Recorder(), list[object]()
    extensions: Any = SimpleNamespace(
        available_probes=[_Probe("a", log, KeyError("x")), _Probe("b", log)]
    )
    with installed(extensions, recorder, {}):
        told = [notice.message.partition(":")[0] for notice in recorder.notices]
    assert (told, log) == (["a could not be patched"], [("b", {}), "undo b"])


class _Plugins:
    def __init__(self, names: list[str]) -> None:
        self.names = names

    def get_plugin(self, name: str) -> str | None:
        return name if name in self.names else None

    def register(self, plugin: object, name: str) -> None:
        self.names.append(name)

    def unregister(self, plugin: object) -> None:
        self.names.remove(plugin if isinstance(plugin, str) else "socrates-execution")


def test_plugins_that_run_tests_again_or_elsewhere_are_off() -> None:
    again = ["rerunfailures", "pytest-retry", "flaky", "pytest_forked"]
    plugins = _Plugins(["terminal", *again])
    without_reruns(SimpleNamespace(pluginmanager=plugins))  # type: ignore[arg-type]
    assert plugins.names == ["terminal"]


def test_listener_listens_for_the_block() -> None:
    plugins = _Plugins([])
    with listening(SimpleNamespace(pluginmanager=plugins)):  # type: ignore[arg-type]
        during = list(plugins.names)
    assert (during, plugins.names) == (["socrates-execution"], [])


def test_listener_is_gone_after_a_failure() -> None:
    plugins = _Plugins([])
    with pytest.raises(KeyError), listening(SimpleNamespace(pluginmanager=plugins)):  # type: ignore[arg-type]
        raise KeyError
    assert plugins.names == []


class _Hearer:
    def __init__(self) -> None:
        self.log: list[object] = []

    def calling(self, item: object) -> None:
        self.log.append(("calling", item))

    def logged(self, report: object) -> None:
        self.log.append(("logged", report))


def test_who_hears_is_told_of_calls_and_reports() -> None:
    listener: Any = Listener()
    listener.hearer = hearer = _Hearer()
    listener.pytest_runtest_call("item")
    listener.pytest_runtest_logreport("report")
    assert hearer.log == [("calling", "item"), ("logged", "report")]


def test_listener_without_anybody_is_silent() -> None:
    listener: Any = Listener()
    listener.pytest_runtest_call("item")
    listener.pytest_runtest_logreport("report")
    assert listener.hearer is None


@pytest.mark.parametrize(
    ("raised", "code"), [(None, 0), (KeyError("x"), 70), (SystemExit(0), 70)], ids=str
)
def test_process_ends_at_all_costs(
    raised: BaseException | None,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(Process, "exit", staticmethod(codes.append))
    with ending.ending_process():
        if raised is not None:
            raise raised
    assert codes == [code]
