"""Which files of a project a test executes, with what its shared fixtures did, and what can't be seen."""

# socrates: ignore-file[SOC105] a test that starts a process is what some are about

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType

import pytest

from socrates_amplify.model.outcomes import EVERYTHING
from socrates_amplify.record.executed import ExecutedFiles, _Tracing

MODERN = sys.version_info >= (3, 12)
pytestmark = pytest.mark.skipif(
    not MODERN and sys.gettrace() is not None, reason="a debugger or coverage traces already"
)
Load = Callable[[str], ModuleType]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Imports a module of the project with a function ``run``."""

    def make(name: str) -> ModuleType:
        path = tmp_path / name
        path.write_text("def run(then=None):\n    return then() if then else None\n")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return make


@pytest.fixture(autouse=True)
def _no_process_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test before this one has started a process."""
    for starter in ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver"):
        monkeypatch.delitem(sys.modules, starter, raising=False)


@pytest.fixture
def executed(tmp_path: Path) -> Iterator[ExecutedFiles]:
    """Watches the project; ended after the test."""
    watching = ExecutedFiles(str(tmp_path), str(tmp_path / "test_a.py"), cheaply=False)
    yield watching
    watching.close()


def test_a_test_executes_its_own_file_and_what_it_calls(
    executed: ExecutedFiles, load: Load, tmp_path: Path
) -> None:
    one, _ = load("one.py"), load("other.py")
    executed.begin()
    one.run()
    assert executed.end([], str(tmp_path / "test_a.py")) == ("one.py", "test_a.py")


def test_each_test_is_told_of_what_it_executes_again(
    executed: ExecutedFiles, load: Load, tmp_path: Path
) -> None:
    one, other = load("one.py"), load("other.py")
    found = []
    for called in (one, other, one):
        executed.begin()
        called.run(called.run)
        found.append(executed.end([], str(tmp_path / "t.py")))
    assert found == [("one.py", "t.py"), ("other.py", "t.py"), ("one.py", "t.py")]


def test_threads_are_watched(executed: ExecutedFiles, load: Load, tmp_path: Path) -> None:
    one = load("one.py")
    executed.begin()
    thread = threading.Thread(target=one.run)
    thread.start()
    thread.join()
    assert executed.end([], str(tmp_path / "t.py")) == ("one.py", "t.py")


def test_a_thread_that_outlives_the_test_may_go_on_executing(
    executed: ExecutedFiles, load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, late = load("one.py"), [load(f"late{number}.py") for number in range(9)]
    to_run: SimpleQueue[ModuleType | None] = SimpleQueue()
    has_run: SimpleQueue[None] = SimpleQueue()

    def outlive() -> None:
        while (module := to_run.get()) is not None:
            module.run()
            has_run.put(None)

    def run_in_thread(module: ModuleType) -> None:
        to_run.put(module)
        has_run.get()

    def look(filename: str) -> str:
        if late:
            run_in_thread(late.pop())
        return look_up(filename)

    executed.begin()
    thread = threading.Thread(target=outlive)
    thread.start()
    run_in_thread(one)
    look_up = executed._look
    monkeypatch.setattr(executed, "_look", look)
    found = executed.end([], str(tmp_path / "t.py"))
    to_run.put(None)
    thread.join()
    assert "one.py" in found


def test_every_test_depends_on_what_its_shared_fixtures_execute(
    executed: ExecutedFiles, load: Load, tmp_path: Path
) -> None:
    one, outer, inner = load("one.py"), load("outer.py"), load("inner.py")
    executed.begin()
    one.run()
    with executed.fixture("outer"):
        outer.run()
        with executed.fixture("inner"):
            inner.run()
    first = executed.end(["outer", "inner"], str(tmp_path / "t.py"))
    executed.begin()
    second = executed.end(["inner"], str(tmp_path / "t.py"))
    assert (first, second) == (
        ("inner.py", "one.py", "outer.py", "t.py"),
        ("inner.py", "t.py"),
    )


def test_a_test_that_starts_a_process_may_execute_everything(
    executed: ExecutedFiles, tmp_path: Path
) -> None:
    executed.begin()
    subprocess.run([sys.executable, "--version"], check=True, capture_output=True, timeout=60)
    assert EVERYTHING in executed.end([], str(tmp_path / "t.py"))


def test_so_may_all_that_share_a_fixture_that_does(executed: ExecutedFiles, tmp_path: Path) -> None:
    executed.begin()
    with executed.fixture("server"):
        subprocess.run([sys.executable, "--version"], check=True, capture_output=True, timeout=60)
    executed.end(["server"], str(tmp_path / "t.py"))
    executed.begin()
    assert executed.end(["server"], str(tmp_path / "t.py")) == (EVERYTHING, "t.py")


def test_what_is_installed_is_no_part_of_the_project(
    executed: ExecutedFiles, tmp_path: Path
) -> None:
    executed.begin()
    pytest.approx(1.0)
    assert executed.end([], str(tmp_path / "t.py")) == ("t.py",)


def test_a_file_beside_the_project_is_named_from_there(tmp_path: Path, load: Load) -> None:
    one, inside = load("one.py"), tmp_path / "project"
    watching = ExecutedFiles(str(inside), str(inside / "t.py"), cheaply=False)
    watching.begin()
    one.run()
    found = watching.end([], str(inside / "t.py"))
    watching.close()
    assert found == ("../one.py", "t.py")


def test_nothing_is_known_where_others_watch(executed: ExecutedFiles, tmp_path: Path) -> None:
    executed.begin()
    second = ExecutedFiles(str(tmp_path), str(tmp_path / "t.py"), cheaply=False)
    second.begin()
    found = second.end([], str(tmp_path / "t.py"))
    executed.end([], "")
    assert found == ()


@pytest.mark.skipif(MODERN, reason="it is cheap here")
def test_nothing_is_watched_where_that_costs_much(tmp_path: Path) -> None:
    watching = ExecutedFiles(str(tmp_path), str(tmp_path / "t.py"), cheaply=True)
    watching.begin()
    assert watching.end([], str(tmp_path / "t.py")) == ()


@pytest.mark.skipif(MODERN, reason="each function is told of once here")
@pytest.mark.parametrize(
    ("calls", "others"),
    [pytest.param(30, ["other.py"], id="many"), pytest.param(10, [], id="few")],
)
def test_after_many_calls_all_that_is_loaded_may_have_been_executed(
    executed: ExecutedFiles,
    monkeypatch: pytest.MonkeyPatch,
    load: Load,
    tmp_path: Path,
    calls: int,
    others: list[str],
) -> None:
    monkeypatch.setattr(_Tracing, "MOST_CALLS", 20)
    monkeypatch.setitem(sys.modules, "other_that_is_loaded", load("other.py"))
    monkeypatch.setitem(sys.modules, "put_there_instead", object())  # type: ignore[arg-type]
    one, test_file = load("one.py"), str(tmp_path / "t.py")
    executed.begin()
    for _ in range(calls):
        one.run()
    found = executed.end([], test_file)
    assert [name for name in found if name in ("one.py", "other.py")] == ["one.py", *others]


@pytest.mark.skipif(MODERN, reason="each function is told of once here")
def test_a_new_file_is_a_reason_to_listen_on(
    executed: ExecutedFiles, monkeypatch: pytest.MonkeyPatch, load: Load, tmp_path: Path
) -> None:
    monkeypatch.setattr(_Tracing, "MOST_CALLS", 20)
    monkeypatch.setitem(sys.modules, "other_that_is_loaded", load("other.py"))
    modules = [load("one.py"), load("two.py")]
    executed.begin()
    for module in modules:
        for _ in range(15):
            module.run()
    found = executed.end([], str(tmp_path / "t.py"))
    assert [name for name in found if name != "t.py"] == ["one.py", "two.py"]
