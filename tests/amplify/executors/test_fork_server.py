"""How the warm process looks after its forks, with pipes and a connection but without any fork."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from socrates_amplify.executors import reaping
from socrates_amplify.executors.alarm import ALARM, GRACE
from socrates_amplify.executors.fork.server import ForkServer, _Child, report, warm_up
from socrates_amplify.executors.pipe import Unpacker, pack
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.originals import Clock, JsonText, Process

NOW = 100.0


class Lab:
    """A server with one child, and both ends of what they say."""

    def __init__(self) -> None:
        self.ours, theirs = socket.socketpair()
        self.server = ForkServer(theirs)
        self.reading, self.writing = os.pipe()
        self.log: list[object] = []
        self.waited = (0, 0)
        self.given = False
        self.silent = False

    def child(self, **given: Any) -> _Child:
        """A child that began ten seconds ago."""
        values = {"number": 3, "pid": 77, "fd": self.reading, "limit": 20.0, "deadline": NOW + 10}
        made = _Child(**{**values, "started": NOW - 10, **given})
        self.server._children[77] = made
        self.given = True
        return made

    def says_no_more(self) -> None:
        os.close(self.writing)
        self.silent = True

    def says(self, data: bytes) -> None:
        os.write(self.writing, data)

    @property
    def heard(self) -> list[tuple[dict[str, object], bytes]]:
        """All messages to the executor so far."""
        self.ours.setblocking(False)
        try:
            return list(Unpacker().feed(self.ours.recv(1 << 16)))
        except BlockingIOError:
            return []

    def waitpid(self, pid: int, options: int) -> tuple[int, int]:
        """What became of the child; when somebody waits, that it was killed."""
        self.log.append(("waitpid", pid, options))
        return self.waited if options else (pid, signal.SIGKILL)


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    made = Lab()
    log = made.log
    monkeypatch.setattr(Clock, "now", staticmethod(lambda: NOW))
    monkeypatch.setattr(Process, "waitpid", staticmethod(made.waitpid))
    monkeypatch.setattr(Process, "kill", staticmethod(lambda *args: log.append(("kill", *args))))
    monkeypatch.setattr(reaping, "kill_group", lambda pid: log.append(("group", pid)))
    monkeypatch.setattr(reaping, "kill_orphans", lambda keep: log.append(("orphans", list(keep))))
    yield made
    made.ours.close()
    made.server._connection.close()
    if not made.given or made.server._children:  # else the server has closed it
        os.close(made.reading)
    if not made.silent:
        os.close(made.writing)


def told(**changed: object) -> dict[str, object]:
    """What is said of the child at its end."""
    return {"id": 3, "hung": False, "cancelled": False, "code": 0, "duration": 10.0, **changed}


def test_child_that_runs_is_left_alone(lab: Lab) -> None:
    lab.server._look_after(lab.child(), readable=False)
    assert (lab.log, lab.heard) == ([("waitpid", 77, os.WNOHANG)], [])


@pytest.mark.parametrize("deadline", [NOW, NOW - 1])
def test_child_whose_time_is_over_is_told_once(deadline: float, lab: Lab) -> None:
    child = lab.child(deadline=deadline)
    lab.server._look_after(child, readable=False)
    lab.server._look_after(child, readable=False)
    assert (child.told, child.deadline, lab.log.count(("kill", 77, ALARM))) == (
        True,
        NOW + GRACE,
        1,
    )


def test_child_without_limit_may_run_for_ever(lab: Lab) -> None:
    lab.server._look_after(lab.child(limit=None, deadline=None), readable=False)
    assert lab.log == [("waitpid", 77, os.WNOHANG)]


def test_child_that_does_not_heed_is_killed_and_hung(lab: Lab) -> None:
    lab.server._look_after(lab.child(deadline=NOW, told=True), readable=False)
    assert lab.heard == [(told(hung=True, code=-9), b"")]


def test_child_with_a_result_is_ended_with_all_that_it_left(lab: Lab) -> None:
    lab.says(pack({}, b"result"))
    lab.server._look_after(lab.child(), readable=True)
    assert (lab.log[1:], lab.heard) == (
        [("group", 77), ("waitpid", 77, 0), ("orphans", [])],
        [(told(code=-9), b"result")],
    )


def test_part_of_a_result_is_waited_for(lab: Lab) -> None:
    child = lab.child()
    lab.says(pack({}, b"result")[:-1])
    lab.server._look_after(child, readable=True)
    lab.says(b"t")
    lab.server._look_after(child, readable=True)
    assert [body for _, body in lab.heard] == [b"result"]


def test_end_of_a_result_is_read_after_the_end_of_the_child(lab: Lab) -> None:
    lab.waited = (77, 0)
    lab.says(pack({}, b"result"))
    lab.server._look_after(lab.child(), readable=False)
    assert lab.heard == [(told(), b"result")]


def test_child_that_ended_without_a_word_is_told_by_its_code(lab: Lab) -> None:
    lab.waited = (77, 3 << 8)
    lab.server._look_after(lab.child(), readable=False)
    assert (lab.heard, lab.server._children) == ([(told(code=3), b"")], {})


def test_what_a_test_wrote_there_is_passed_on_as_it_is(lab: Lab) -> None:
    lab.says(b"\0\0\0\2\0\0\0\0{x")
    lab.server._look_after(lab.child(), readable=True)
    assert [body for _, body in lab.heard] == [b"\0\0\0\2\0\0\0\0{x"]


def test_only_the_cancelled_child_is_ended(lab: Lab) -> None:
    lab.child()
    lab.server._cancel(4)
    before = lab.heard
    lab.server._cancel(3)
    assert (before, lab.heard) == ([], [(told(cancelled=True, code=-9), b"")])


def test_tests_that_run_together_are_told_of_one_by_one(lab: Lab) -> None:
    child = lab.child(many=True, deadline=NOW + 1)
    lab.says(pack({"nodeid": "a"}, b"1") + pack({"nodeid": "b"}, b"2"))
    lab.server._look_after(child, readable=True)
    assert lab.heard == [({"id": 3, "nodeid": "a"}, b"1"), ({"id": 3, "nodeid": "b"}, b"2")]


@pytest.mark.parametrize(
    ("limit", "says", "deadline"),
    [
        pytest.param(20.0, pack({"nodeid": "a"}), NOW + 20, id="heard of"),
        pytest.param(None, pack({"nodeid": "a"}), NOW + 1, id="no limit"),
    ],
)
def test_each_test_of_many_has_the_whole_time(
    limit: float | None, says: bytes, deadline: float, lab: Lab
) -> None:
    child = lab.child(many=True, limit=limit, deadline=NOW + 1)
    lab.says(says)
    lab.server._look_after(child, readable=True)
    assert child.deadline == deadline


def test_closed_pipe_of_many_gives_no_more_time(lab: Lab) -> None:
    child = lab.child(many=True, deadline=NOW + 1)
    lab.says_no_more()
    lab.server._look_after(child, readable=True)
    assert (child.deadline, child.silent) == (NOW + 1, True)


@pytest.mark.parametrize("wrote", [pack({"other": 1}), b"\0\0\0\2\0\0\0\0{x"])
def test_many_are_ended_by_what_one_of_them_wrote(wrote: bytes, lab: Lab) -> None:
    child = lab.child(many=True)
    lab.says(wrote)
    lab.server._look_after(child, readable=True)
    assert lab.heard == [(told(code=-9), b"")]


def test_rest_of_many_is_read_after_the_end_of_the_child(lab: Lab) -> None:
    lab.waited = (77, 0)
    lab.says(pack({"nodeid": "a"}, b"1"))
    lab.server._look_after(lab.child(many=True), readable=False)
    assert lab.heard == [({"id": 3, "nodeid": "a"}, b"1"), (told(), b"")]


REQUEST = Request("a", Scenario())
GROUP = GroupRequest(("a", "b"))


@pytest.fixture
def asked(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the server would have started or cancelled."""
    done: list[object] = []

    def start(number: int, limit: float | None, work: object, *, many: bool = False) -> None:
        done.append((number, limit, work, many))

    monkeypatch.setattr(lab.server, "_start", start)
    monkeypatch.setattr(lab.server, "_single", lambda request, limit: (request, limit))
    monkeypatch.setattr(lab.server, "_group", lambda request: request)
    monkeypatch.setattr(lab.server, "_cancel", lambda number: done.append(("cancel", number)))
    return done


def body_of(request: Request | GroupRequest) -> bytes:
    return JsonText.dumps(request.to_json()).encode()


def test_requests_are_started_or_cancelled(lab: Lab, asked: list[object]) -> None:
    lab.ours.sendall(
        pack({"id": 1, "limit": 2.5, "many": False}, body_of(REQUEST))
        + pack({"id": 1, "cancel": True})
        + pack({"id": 2}, body_of(REQUEST))
        + pack({"id": 3, "limit": 4, "many": True}, body_of(GROUP))
    )
    goes_on = lab.server._take_requests()
    assert (goes_on, asked) == (
        True,
        [
            (1, 2.5, (REQUEST, 2.5), False),
            ("cancel", 1),
            (2, None, (REQUEST, None), False),
            (3, 4, GROUP, True),
        ],
    )


def test_closed_connection_ends_the_server(lab: Lab) -> None:
    lab.ours.shutdown(socket.SHUT_WR)
    assert lab.server._take_requests() is False


@pytest.mark.usefixtures("asked")
def test_at_its_end_the_server_ends_its_children(lab: Lab) -> None:
    lab.child()
    lab.ours.shutdown(socket.SHUT_WR)
    lab.server._serve()
    assert lab.log == [("group", 77), ("orphans", [])]


@pytest.mark.parametrize(("failed", "errors"), [(True, ["a.py: E"]), (False, [])])
def test_what_could_not_be_collected_is_kept(failed: bool, errors: list[str], lab: Lab) -> None:
    found: Any = SimpleNamespace(failed=failed, nodeid="a.py", longreprtext="E")
    lab.server.pytest_collectreport(found)
    assert lab.server._errors == errors


@pytest.mark.parametrize("nodeid", ["", "a.py::b"])
def test_outcome_is_reported_with_the_test_it_is_of(nodeid: str, lab: Lab) -> None:
    report(lab.writing, Outcome(Scenario(), Verdict.PASS), nodeid)
    ((header, body),) = Unpacker().feed(os.read(lab.reading, 1 << 16))
    assert (header, body[:1]) == ({"nodeid": nodeid}, b"{")


def test_probe_that_can_not_warm_up_keeps_no_other_from_it() -> None:
    warm: list[str] = []

    class Fine:
        def warm_up(self) -> None:
            warm.append("fine")

    class Broken:
        def warm_up(self) -> None:
            raise KeyError

    probes: Any = [Fine(), Broken(), Fine()]
    warm_up(probes)
    assert warm == ["fine", "fine"]
