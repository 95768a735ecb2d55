"""How tasks are called, what is hidden of them, and which versions are known."""

from __future__ import annotations

import importlib.metadata

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Suite
from socrates_amplify.model.kinds import DEFAULT_KINDS
from socrates_amplify.probes.queues.delivery import Deliveries
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.tasks import Mask, Task, TaskType, mask_in
from socrates_amplify.record.messages import Described
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.run.suite_runner import SuiteRunner


def describe(*args: object, mask: Mask | None = None, **kwargs: object) -> Described:
    """What the trace says of a message for a task that takes an order and a card."""

    def charge(order: object, card: object = None, **more: object) -> None: ...

    kind = TaskType("shop.charge", charge, mask=mask)
    task = Task(kind, args, kwargs, None, (describe.__code__, 0))
    return kind.describe(task, (args, kwargs))


class Unprintable:
    """Raises whatever is asked of it."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError


def test_the_call_is_shown_without_the_module():
    assert describe(7, card="41").label == "charge(7, card='41')"


def test_long_arguments_are_cut():
    assert len(describe("x" * 1_000, "y" * 1_000).label or "") == 80


def test_arguments_that_can_not_be_shown_are_named_by_their_type():
    assert describe(Unprintable()).label == "charge(<Unprintable>)"


@pytest.mark.parametrize("name", ["password", "API_KEY", "access_token", "client_secret"])
def test_what_sounds_secret_is_hidden(name):
    assert describe(1, **{name: "x"}).label == f"charge(1, {name}=***)"


def test_positional_arguments_are_hidden_by_their_name():
    assert describe(1, "4111", mask=Mask(["card"])).label == "charge(1, ***)"


def test_texts_are_hidden_by_how_they_look():
    assert describe("sk_live_7", mask=Mask(["sk_live_*"])).label == "charge(***)"


def test_what_is_inside_is_hidden_too():
    content = describe({"user": "ada", "token": "x"}).content
    assert content == (({"user": "ada", "token": "***"},), {})


@pytest.mark.parametrize("name", ["Password", "api-key", "apikey", "authorization", "set_cookie"])
def test_what_is_secret_in_a_call_is_secret_in_a_task(name):
    assert Mask()("x", name) == "***"


def test_a_mask_must_be_globs():
    with pytest.raises(SocratesError, match=r"\[tool.socrates.amplify.rq\] mask must be a list"):
        mask_in({"mask": "card"}, "rq")


@pytest.fixture
def unknown_version(monkeypatch):
    """A dramatiq that is newer than all that we know."""
    known = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "9.1" if name == "dramatiq" else known(name)
    )


def test_an_unknown_version_switches_the_probe_off(unknown_version):
    assert not DramatiqProbe().available()


def test_an_unknown_version_is_named_in_a_warning(unknown_version, tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    assert True\n")
    with SuiteRunner(Suite(tmp_path), DEFAULT_KINDS) as runner:
        assert "dramatiq 9.1 is not known (2.x is); its messages are left alone" in runner.warnings


def test_nothing_is_imported_that_the_project_does_not_import(tmp_path):
    (tmp_path / "test_nothing.py").write_text(
        "import sys\n\n\ndef test_nothing():\n"
        "    assert not {'celery', 'dramatiq', 'rq'}.intersection(sys.modules)\n"
    )
    with SuiteRunner(Suite(tmp_path), DEFAULT_KINDS) as runner:
        assert runner.control_runs("test_nothing.py::test_nothing").status == "no-targets"


def test_content_that_changes_after_it_was_sent_is_read_at_once():
    recorder, items = Recorder(), [1]
    kind = TaskType("add", None)
    Deliveries(recorder).post("1", Task(kind, (items,), {}, None, (describe.__code__, 0)))
    items.append(2)
    assert recorder.trace().sends[0].message == "add([1])"
