"""A probe of a plugin that fails is named with file and line, and costs nothing else."""
# socrates: ignore-file[SOC105] lines of this very file are what a message has to name

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates_amplify.extensions.guarded_probe import GuardedProbe, unguarded
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.base import Probe
from socrates_amplify.record.recorder import Recorder

HERE = Path(__file__)


class Fine(Probe):
    """Does everything right."""

    name = "fine"
    channel = "task"

    def available(self):
        return True

    def warnings(self):
        yield "it is early"

    def install(self, recorder, config):
        return lambda: recorder.notices.unpatched("undone", KeyError())

    def takes(self, scenario, control):
        return 2

    def faults_of(self, trace, kinds):
        return [Fault("t1", kind) for kind in kinds]


class Broken(Probe):
    """Raises whatever it is asked."""

    name = "broken"

    def _fail(self, *args):
        raise KeyError("missing")

    available = warnings = prepare = install = install_remote = takes = faults_of = _fail


class Odd(Broken):
    """Answers with what nobody can use."""

    def available(self):
        return True

    def warnings(self):
        return [1]

    def install(self, recorder, config):
        return "undo"

    def takes(self, scenario, control):
        return "soon"

    def faults_of(self, trace, kinds):
        return ["duplicate"]


class Mistaken(Fine):
    """Finds a mistake in its settings."""

    def prepare(self, root, config):
        raise SocratesError("[tool.socrates.amplify.fine] speed must be a number")

    def install(self, recorder, config):
        raise SocratesError("[tool.socrates.amplify.fine] speed must be a number")


ASKED = {
    "available": lambda probe: probe.available(),
    "warnings": lambda probe: list(probe.warnings()),
    "prepare": lambda probe: probe.prepare("/root", {}),
    "install": lambda probe: probe.install(Recorder(), {})(),
    "install_remote": lambda probe: probe.install_remote(None),
    "takes": lambda probe: probe.takes(Scenario(), Trace()),
    "faults_of": lambda probe: probe.faults_of(Trace(), ["duplicate"]),
}
NOTHING = {"available": False, "warnings": [], "takes": 0.0, "faults_of": []}


@pytest.fixture
def failures() -> list[PluginError]:
    """What was told."""
    return []


@pytest.fixture
def guard(failures):
    return lambda probe: GuardedProbe("acme", probe, failures.append)


def test_probe_that_works_is_as_without_guard(guard, failures) -> None:
    probe = guard(Fine())
    answers = [ASKED[name](probe) for name in ("available", "warnings", "takes", "faults_of")]
    assert answers == [True, ["it is early"], 2.0, [Fault("t1", "duplicate")]]
    assert (probe.name, probe.channel, failures) == ("fine", "task", [])


def test_installation_is_undone(guard) -> None:
    recorder = Recorder()
    guard(Fine()).install(recorder, {})()
    assert [notice.message.partition(" ")[0] for notice in recorder.notices] == ["undone"]


@pytest.mark.parametrize("method", ASKED)
def test_what_raises_is_told_with_plugin_file_and_line(guard, failures, method) -> None:
    answer = ASKED[method](guard(Broken()))
    line = HERE.read_text().splitlines().index('        raise KeyError("missing")') + 1
    assert failures == [PluginError("acme", "KeyError: 'missing'", f"{HERE}:{line}")]
    assert answer == NOTHING.get(method)


@pytest.mark.parametrize("method", ["warnings", "install", "takes", "faults_of"])
def test_answer_of_another_type_is_told_with_the_place_of_the_class(
    guard, failures, method
) -> None:
    answer = ASKED[method](guard(Odd()))
    line = HERE.read_text().splitlines().index("class Odd(Broken):") + 1
    assert [error.location for error in failures] == [f"{HERE}:{line}"]
    assert answer == NOTHING.get(method)


def test_what_undoing_raises_is_told(guard, failures) -> None:
    class Stuck(Fine):
        def install(self, recorder, config):
            return lambda: {}["patches"]

    guard(Stuck()).install(Recorder(), {})()
    assert [error.message for error in failures] == ["KeyError: 'patches'"]


def test_probe_that_could_not_prepare_offers_nothing(guard) -> None:
    class Unprepared(Fine):
        def prepare(self, root, config):
            raise KeyError("source")

    probe = guard(Unprepared())
    probe.prepare("/root", {})
    assert (probe.available(), probe.faults_of(Trace(), ["duplicate"])) == (False, [])


def test_probe_that_was_prepared_offers_its_faults(guard) -> None:
    probe = guard(Fine())
    probe.prepare("/root", {})
    assert (probe.available(), probe.faults_of(Trace(), ["duplicate"])) == (
        True,
        [Fault("t1", "duplicate")],
    )


@pytest.mark.parametrize("method", ["prepare", "install"])
def test_mistake_of_the_user_is_the_users(guard, method) -> None:
    with pytest.raises(SocratesError, match="speed must be a number"):
        ASKED[method](guard(Mistaken()))


def test_probe_of_ours_has_no_guard(guard) -> None:
    mine, theirs = Fine(), Fine()
    assert (unguarded(mine), unguarded(guard(theirs))) == (mine, theirs)


def test_what_can_not_be_called_is_told_at_once(guard, failures) -> None:
    guard(Odd()).install(Recorder(), {})
    told = [error.message for error in failures]
    assert told == ["TypeError: install gave 'undo', which can't be called to undo it"]
