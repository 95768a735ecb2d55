"""What came out of production code, read off the frames of a chain of exceptions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates_amplify.model.evidence import Frame, Link
from socrates_amplify.triage.chain import Surfaced, called, surfaced


def link(
    *roles: str, raised: bool = False, kind: str = "E", module: str = "shop", bases: str = ""
) -> Link:
    """An exception that went through frames of these roles, the last one raised it."""
    frames = tuple(Frame(role, "m", "f.py", f"f{n}", n) for n, role in enumerate(roles))  # type: ignore[arg-type]
    return Link(kind, module, frames=frames, raised=raised, bases=tuple(bases.split()))


@pytest.mark.parametrize(
    ("chain", "is_fault", "follows"),
    [
        pytest.param([link("production", "ours")], True, False, id="the fault itself"),
        pytest.param([link("production", "library"), link("ours")], True, True, id="of a library"),
        pytest.param([link("production"), link("ours")], False, True, id="raised by production"),
        pytest.param([link("library"), link("production"), link("ours")], False, True, id="later"),
        pytest.param([link("library"), link("library")], False, False, id="another error"),
        pytest.param([link("library"), link(), link("ours")], True, True, id="one without frames"),
    ],
)
def test_fault(chain: list[Link], is_fault: bool, follows: bool) -> None:
    found = Surfaced(chain[0], tuple(chain[1:]))
    assert (found.is_fault, found.follows_fault) == (is_fault, follows)


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        pytest.param(link("test", "production", raised=True), True, id="by a raise"),
        pytest.param(link("test", "production"), False, id="by an expression"),
        pytest.param(link("production", "library", raised=True), False, id="by a library"),
        pytest.param(
            link("production", raised=True, bases="AssertionError"), False, id="by an assertion"
        ),
    ],
)
def test_deliberate(raised: Link, expected: bool) -> None:
    assert Surfaced(raised, ()).is_deliberate is expected


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        pytest.param("test web production", True, id="a handler raised it"),
        pytest.param("test production web", False, id="the server raised it"),
        pytest.param("test production", False, id="no server"),
        pytest.param("web production test library", False, id="before the test"),
    ],
)
def test_handler_that_let_it_go(roles: str, expected: bool) -> None:
    assert Surfaced(link(*roles.split()), ()).left_a_handler is expected


def test_group_of_tasks_wraps_the_error_of_the_client() -> None:
    refused = link("library", module="httpx")
    group = replace(link("production", "framework", module="builtins"), type="ExceptionGroup")
    assert Surfaced(group, (refused,)).wrapped_by(["httpx"]) == refused


def test_start_of_a_server_is_no_request() -> None:
    raised = link("test", "web", "production")
    starts = replace(raised.frames[1], function="Datasette.invoke_startup")
    started = replace(raised, frames=(raised.frames[0], starts, raised.frames[2]))
    assert Surfaced(started, ()).left_a_handler is False


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(link("library", module="requests.exceptions"), True, id="of that library"),
        pytest.param(link("library", module="acme"), False, id="of another"),
        pytest.param(link("library", module="acme", raised=True), True, id="of another, raised"),
        pytest.param(link("library", module="json", raised=True), False, id="of the standard one"),
        pytest.param(
            link("library", module="acme", kind="DecodeError", raised=True), False, id="unreadable"
        ),
        pytest.param(link("production", module="requests"), False, id="raised by production"),
        pytest.param(
            link("library", module="requests", bases="KeyError LookupError"), False, id="a slip"
        ),
    ],
)
def test_error_of_a_library(error: Link, expected: bool) -> None:
    assert Surfaced(error, ()).is_of({"requests"}) is expected


def test_frames_below_the_last_one_of_the_tests() -> None:
    frames = called(link("test", "library", "test", "production", "library"))
    assert [frame.function for frame in frames] == ["f3", "f4"]


def test_innermost_production_code() -> None:
    found = Surfaced(link("production", "production", "library"), ())
    assert (found.production.function, found.last.function) == ("f1", "f2")


def test_first_exception_that_production_did_not_keep() -> None:
    mine, theirs, behind = link("production", "test"), link("test", "production"), link("ours")
    assert surfaced([mine, theirs, behind]) == Surfaced(theirs, (behind,))


def test_exception_of_the_test_itself() -> None:
    assert surfaced([link("production", "test"), link("library")]) is None
