"""A probe that is made when it is needed answers as the probe itself does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from socrates.errors import SocratesError
from socrates_amplify.extensions.later_probe import LaterProbe
from socrates_amplify.extensions.own import Own
from socrates_amplify.model.events import Concurrent, Trace
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.record.recorder import Recorder

FAULT = Fault("t1", "timeout")
BUSY = Trace((Concurrent(),))


class Told(Probe):
    """Says what it was told."""

    name = "told"
    channel = CALL

    def __init__(self) -> None:
        self.prepared: list[str] = []

    def available(self) -> bool:
        """It is."""
        return True

    def warnings(self) -> Iterable[str]:
        """One."""
        return ["an odd version"]

    def prepare(self, root: str, config: Mapping[str, object]) -> None:
        """Refuse what is wrong."""
        if "wrong" in config:
            raise SocratesError("wrong")
        self.prepared.append(root)

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch nothing."""
        return lambda: None

    def takes(self, scenario: Scenario, control: Trace) -> float:
        """Two seconds."""
        return 2.0

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """One."""
        return [FAULT]


def later(*modules: str) -> LaterProbe:
    """A probe of a framework that is one of these modules."""
    return LaterProbe("told", Own(Told, CALL, modules))


def is_made(probe: LaterProbe) -> bool:
    return "probe" in vars(probe)


def test_what_is_usual_does_not_make_it() -> None:
    probe = later("no_such_framework")
    probe.prepare("root", {})
    probe.takes(Scenario(), BUSY)
    probe.faults_of(Trace(), ["timeout"])
    list(probe.warnings())
    probe.available()
    assert not is_made(probe)


def test_it_is_available_where_its_framework_is() -> None:
    assert later("json").available()


def test_it_warns_where_its_framework_is() -> None:
    assert list(later("json").warnings()) == ["an odd version"]


def test_where_something_happened_there_are_faults() -> None:
    assert later().faults_of(BUSY, ["timeout"]) == [FAULT]


def test_faults_take_their_time() -> None:
    assert later().takes(Scenario.of([FAULT]), Trace()) == 2.0


def test_settings_are_checked_at_once() -> None:
    with pytest.raises(SocratesError, match="wrong"):
        later().prepare("root", {"wrong": True})


def prepared(probe: LaterProbe) -> list[str]:
    assert isinstance(probe.probe, Told)
    return probe.probe.prepared


def test_what_is_made_later_is_prepared_then() -> None:
    probe = later()
    probe.prepare("root", {})
    assert prepared(probe) == ["root"]


def test_what_is_made_already_is_prepared_once() -> None:
    probe = later("json")
    probe.available()
    probe.prepare("root", {})
    assert prepared(probe) == ["root"]


def test_what_has_settings_is_prepared_once() -> None:
    probe = later()
    probe.prepare("root", {"right": True})
    assert prepared(probe) == ["root"]
