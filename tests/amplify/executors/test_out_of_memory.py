"""An execution that really runs out of memory costs one execution, and is told for what it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from socrates_amplify.executors.base import Executor, Suite
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Verdict
from socrates_amplify.run.choose_executor import make_executor

TESTS = """
    import os
    import resource
    from pathlib import Path


    def used():
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


    def test_more_than_the_process_may_have():
        most = used() + 50_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        bytearray(500_000_000)


    def test_more_than_the_system_has():
        Path(r"{group}", "cgroup.procs").write_text(str(os.getpid()))
        kept = [bytearray(b"x" * 10_000_000) for _ in range(50)]


    def test_modest():
        bytearray(1000)
    """
MEMORY = Path("/sys/fs/cgroup/memory")


@pytest.fixture
def group() -> Iterator[Path]:
    """A control group whose processes may have 100 MB together."""
    if not (MEMORY / "cgroup.procs").exists() or not os.access(MEMORY, os.W_OK):
        pytest.skip("no control groups of memory (v1) that may be written")
    folder = MEMORY / f"socrates-test-{os.getpid()}"
    folder.mkdir()
    (folder / "memory.limit_in_bytes").write_text("100000000")
    yield folder
    folder.rmdir()


Make = Callable[..., Executor]


@pytest.fixture(params=["fork", "subprocess"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Makes an executor of hungry tests."""
    made: list[Executor] = []

    def make(group: Path | str = "") -> Executor:
        (tmp_path / "test_it.py").write_text(dedent(TESTS.format(group=group)))
        made.append(make_executor(request.param, Suite(tmp_path)))
        return made[0]

    yield make
    made[0].close()


def test_a_limit_that_is_reached_is_an_error_of_the_test(make: Make) -> None:
    outcome = make().run("test_it.py::test_more_than_the_process_may_have", Scenario(), 60.0)
    assert outcome.failure is not None
    assert outcome.failure.type == "MemoryError"


def test_the_others_have_what_one_asked_for_in_vain(make: Make) -> None:
    executor = make()
    executor.run("test_it.py::test_more_than_the_process_may_have", Scenario(), 60.0)
    assert executor.run("test_it.py::test_modest", Scenario(), 60.0).verdict is Verdict.PASS


def test_a_process_that_the_system_ends_is_told_and_not_taken_for_an_answer(
    make: Make, group: Path
) -> None:
    outcome = make(group).run("test_it.py::test_more_than_the_system_has", Scenario(), 60.0)
    assert outcome.failure is not None
    assert outcome.failure.message.endswith("SIGKILL, as the system does when memory runs out")
    assert not outcome.final


def test_the_others_go_on_after_one_that_the_system_ended(make: Make, group: Path) -> None:
    executor = make(group)
    executor.run("test_it.py::test_more_than_the_system_has", Scenario(), 60.0)
    assert executor.run("test_it.py::test_modest", Scenario(), 60.0).verdict is Verdict.PASS
