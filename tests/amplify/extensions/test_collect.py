"""What plugins add to the amplifier, and what happens when they add something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.extensions.collect import for_test_process, own_probes
from socrates_amplify.extensions.own import OWN
from socrates_amplify.model import kinds
from socrates_amplify.model.kinds import TASK, FaultKind, OnChannel
from socrates_amplify.model.search import Exploration
from socrates_amplify.probes.base import Probe

OURS = [probe.name for probe in own_probes()]
LATE = FaultKind("late-letter", (OnChannel(TASK, "late is fine"),), "Late letters matter")


class Elsewhere(Probe):
    """A probe whose framework is nowhere."""

    name = "elsewhere"

    def available(self):
        return False

    def install(self, recorder, config):
        return lambda: None

    def faults_of(self, trace, kinds):
        return []


class Nameless(Elsewhere):
    """A probe that forgot its name."""

    name = ""


class Idle:
    """An explorer, a pruner and a prioritiser in one."""

    name = "idle"

    def explore(self, problem, options):
        return Exploration()

    def prune(self, faults, control, failure):
        return faults

    def prioritise(self, faults, control):
        return faults


SORTS = ["explorers", "pruners", "prioritisers"]


def test_probes_are_made_by_their_own_names() -> None:
    assert list(OWN) == OURS


def test_probes_of_plugins_come_after_ours(extend) -> None:
    extensions = extend(acme={"socrates_probes": lambda: [Elsewhere()]})
    assert [probe.name for probe in extensions.probes] == [*OURS, "elsewhere"]


def test_probe_whose_framework_is_missing_is_not_used(extend) -> None:
    names = [
        p.name for p in extend(acme={"socrates_probes": lambda: [Elsewhere()]}).available_probes
    ]
    assert ("pykka" in names, "elsewhere" in names) == (True, False)


@pytest.mark.parametrize("sort", SORTS)
def test_parts_of_a_search_are_found(extend, sort) -> None:
    extensions = extend(acme={f"socrates_{sort}": lambda: [Idle()]})
    assert [item.name for item in getattr(extensions, sort)(())] == ["idle"]


@pytest.mark.parametrize("sort", SORTS)
def test_name_of_ours_is_taken(extend, sort) -> None:
    extensions = extend(acme={f"socrates_{sort}": lambda: [Idle()]})
    assert getattr(extensions, sort)(["idle"]) == []
    [error] = extensions.failures
    assert error.message == f"the {sort[:-1]} 'idle' is already taken by Socrates itself"


def test_of_two_probes_with_one_name_the_first_is_kept(extend) -> None:
    extensions = extend(
        a={"socrates_probes": lambda: [Elsewhere()]}, b={"socrates_probes": lambda: [Elsewhere()]}
    )
    assert [probe.name for probe in extensions.probes].count("elsewhere") == 1
    [error] = extensions.failures
    assert (error.plugin, error.message) == (
        "b",
        "the probe 'elsewhere' is already taken by plugin 'a'",
    )


@pytest.mark.parametrize(
    ("hook", "given"),
    [
        ("socrates_probes", 42),
        ("socrates_probes", Elsewhere),
        ("socrates_probes", Nameless()),
        ("socrates_fault_kinds", "duplicate"),
        ("socrates_explorers", object()),
        ("socrates_pruners", object()),
        ("socrates_prioritisers", object()),
    ],
)
def test_what_is_something_else_is_named_with_its_place(extend, hook, given) -> None:
    extensions = extend(acme={hook: lambda: [given]})
    for sort in SORTS:
        getattr(extensions, sort)(())
    [error] = extensions.failures
    assert (error.plugin, f"{hook} gave" in error.message) == ("acme", True)
    assert error.location.partition(".py:")[0].endswith("test_collect")


def test_hook_that_raises_costs_no_other_plugin(extend) -> None:
    extensions = extend(
        bad={"socrates_probes": lambda: 1 / 0}, good={"socrates_probes": lambda: [Elsewhere()]}
    )
    assert extensions.probes[-1].name == "elsewhere"
    assert [(error.plugin, error.message) for error in extensions.failures] == [
        ("bad", "ZeroDivisionError: division by zero")
    ]


def test_unknown_name_may_be_that_of_a_plugin_that_failed(extend) -> None:
    hint = extend(bad={"socrates_probes": lambda: 1 / 0}).hint
    assert hint.startswith("; plugin 'bad' failed: ZeroDivisionError: division by zero (")


def test_without_failures_there_is_no_hint(extend) -> None:
    assert extend().hint == ""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of kinds that is forgotten after the test."""
    monkeypatch.setattr(kinds, "_known", dict(kinds._known))


@pytest.mark.usefixtures("table")
def test_kind_of_a_plugin_is_in_the_table(extend) -> None:
    extend(acme={"socrates_fault_kinds": lambda: [LATE]})
    assert kinds.kind_of("late-letter") == LATE


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (FaultKind("duplicate", LATE.on, ""), "there is another kind of that name"),
        (FaultKind("Late", LATE.on, ""), "name it in lower case"),
        (FaultKind("late", 3, ""), "TypeError: "),  # type: ignore[arg-type]
    ],
)
def test_kind_that_makes_no_sense_is_named_and_the_next_is_kept(extend, kind, message) -> None:
    extensions = extend(acme={"socrates_fault_kinds": lambda: [kind, LATE]})
    [error] = extensions.failures
    assert (message in error.message, kinds.kind_of("late-letter")) == (True, LATE)
    assert error.location.partition(".py:")[0].endswith("test_collect")


@pytest.fixture
def other_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with a module that notes that it was imported."""
    (tmp_path / "noted_plugin.py").write_text("raise RuntimeError('imported')\n")
    info = tmp_path / "noted-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: noted\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[socrates]\nnoted = noted_plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("other_distribution")
def test_process_of_a_test_loads_the_plugins_of_others() -> None:
    assert [error.message for error in for_test_process().failures] == ["RuntimeError: imported"]
