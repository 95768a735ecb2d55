"""The end of a process is noticed, and so is that it does not come."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from socrates_amplify.executors.waiting import ends_within

Start = Callable[[str], "subprocess.Popen[bytes]"]


@pytest.fixture(params=["told", "looks"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a process, where the system tells of its end and where it does not."""
    if request.param == "looks":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    processes: list[subprocess.Popen[bytes]] = []

    def started(code: str) -> subprocess.Popen[bytes]:
        processes.append(subprocess.Popen([sys.executable, "-S", "-c", code]))
        return processes[-1]

    yield started
    for process in processes:
        process.kill()
        process.wait(60)


@pytest.mark.parametrize("seconds", [60, None])
def test_a_process_that_ends_is_over(start: Start, seconds: float | None) -> None:
    process = start("raise SystemExit(3)")
    assert (ends_within(process, seconds), process.returncode) == (True, 3)


def test_a_process_that_goes_on_is_not_over(start: Start) -> None:
    process = start("import time; time.sleep(600)")
    assert (ends_within(process, 0.05), process.returncode) == (False, None)


def test_a_process_that_has_ended_is_over_without_time(start: Start) -> None:
    process = start("")
    process.wait(60)
    assert ends_within(process, 0)
