"""The class of a defect, row by row: what happened to the fault on its way through production code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from socrates.findings import Severity
from socrates_amplify.model.events import Event, Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.evidence import (
    Asserted,
    Caught,
    Evidence,
    Frame,
    Injection,
    Link,
    Role,
    Side,
)
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.judgement import DefectClass, Judgement
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.rounds import NOT_RECOVERED
from socrates_amplify.triage.case import Case
from socrates_amplify.triage.classify import classify

_MODULES: dict[Role, tuple[str, str]] = {
    "test": ("test_shop", "tests/test_shop.py"),
    "production": ("shop.client", "shop/client.py"),
    "library": ("requests.models", "requests/models.py"),
    "web": ("flask.app", "flask/app.py"),
    "fake": ("responses", "responses/__init__.py"),
    "framework": ("_pytest.python", "_pytest/python.py"),
    "ours": ("socrates_amplify.probes", "probes/http.py"),
}


def frames(*roles: Role, module: str = "") -> tuple[Frame, ...]:
    """Frames of these roles, from the test inwards; ``module`` is that of the last."""
    made = [Frame(role, *_MODULES[role], "fetch", place) for place, role in enumerate(roles, 10)]
    if module:
        last = made[-1]
        made[-1] = Frame(last.role, module, last.file, last.function, last.line)
    return tuple(made)


def link(name: str, *roles: Role, raised: bool = True, bases: str = "", **more: str) -> Link:
    """An exception that passed frames of these roles."""
    home, relation = more.get("home", "builtins"), more.get("relation", "")
    names = tuple(bases.split())
    inner = frames(*roles, module=more.get("at", ""))
    return Link(name, home, "", relation, inner, raised, names)  # type: ignore[arg-type]


INJECTED = link(
    "NewConnectionError", "library", "ours", home="urllib3.exceptions", relation="context"
)
CALLED = Injection("t1", "status", frames("library", "production", "test"), "requests.get(url)")
DOWN = Fault("t1", "connection-error", "test", "shop", "GET /")
CALL_OF_SHOP = Send("t1", "test", "shop", "GET /", "", None, channel=CALL)
ERROR_REPLY = Fault("t1", "status", "test", "shop", "GET /", "500")
TWICE = Fault("t1", "duplicate", "test", "Stock#1", "Add(1)")


def judged(fault: Fault, *links: Link, failed: str = "AssertionError: assert 1 == 2") -> Judgement:
    kind, _, message = failed.partition(": ")
    evidence = Evidence(links, (CALLED,))
    return classify(Case((fault,), Failure(kind, message, "tests/test_shop.py:3"), evidence))


ASSERTION = link("AssertionError", "test", bases="AssertionError Exception")
RAW = link(
    "ConnectionError", "test", "production", "library", home="requests.exceptions", bases="OSError"
)
TRANSLATED = link("ShopError", "test", "production", home="shop.errors", bases="Exception")
KEY_ERROR = link("KeyError", "test", "production", raised=False, bases="KeyError LookupError")
HTTP_ERROR = link(
    "HTTPError", "test", "production", "library", home="requests.exceptions", bases="OSError"
)
DECODE = link(
    *("JSONDecodeError", "test", "production", "library"),
    home="requests.exceptions",
    bases="ValueError Exception",
)
INVALID = link("ValidationError", "test", "production", "library", home="marshmallow")
REFUSED = link("OAuth2Error", "test", "production", "library", home="oauthlib.oauth2")
GIVES_UP = link("RuntimeError", "test", "production", "library", bases="RuntimeError", at="jenkins")
HANDLER = link(
    "ConnectionError", "test", "web", "production", "library", home="requests.exceptions"
)
IN_LIBRARY = link(
    "KeyError", "test", "web", "library", raised=False, bases="KeyError LookupError", at="authlib.x"
)
UNKNOWN_CALL = link("ConnectionError", "test", "production", "fake", home="requests.exceptions")
MISSING = link("FileNotFoundError", "test", "production", bases="FileNotFoundError OSError")
NO_PAGE = link("AttributeError", "test", "production", bases="AttributeError Exception")
UNLIKE_A_SERVER = link(
    "AssertionError", "test", "production", "library", bases="AssertionError Exception"
)
FAILS_ON_IT = link("Failed", "test", "framework", bases="Exception")
ASKS = link(*("OSError", "test", "production", "framework"), bases="OSError", at="_pytest.capture")
GAVE_UP = link("Timeout", "test", "framework", home="pykka")


@pytest.mark.parametrize(
    ("fault", "links", "expected"),
    [
        pytest.param(DOWN, (RAW, INJECTED), "passed on", id="library's error comes through"),
        pytest.param(DOWN, (TRANSLATED, RAW, INJECTED), "passed on", id="raised for it"),
        pytest.param(ERROR_REPLY, (HTTP_ERROR,), "passed on", id="raise_for_status"),
        pytest.param(ERROR_REPLY, (TRANSLATED,), "passed on", id="raised for a status"),
        pytest.param(DOWN, (KEY_ERROR, RAW, INJECTED), "unprepared", id="slip while handling it"),
        pytest.param(ERROR_REPLY, (KEY_ERROR,), "unprepared", id="missing key in an error reply"),
        pytest.param(ERROR_REPLY, (DECODE,), "unprepared", id="client's own decode error"),
        pytest.param(ERROR_REPLY, (INVALID,), "unprepared", id="another library could not read it"),
        pytest.param(ERROR_REPLY, (REFUSED,), "passed on", id="another library says so"),
        pytest.param(ERROR_REPLY, (GIVES_UP,), "passed on", id="by a built-in error"),
        pytest.param(DOWN, (HANDLER, INJECTED), "unprepared", id="leaves a request handler"),
        pytest.param(ERROR_REPLY, (IN_LIBRARY,), "unprepared", id="handed to a library unread"),
        pytest.param(DOWN, (ASSERTION,), "absorbed", id="answers with something else"),
        pytest.param(DOWN, (UNKNOWN_CALL,), "absorbed", id="falls back to a call nobody faked"),
        pytest.param(DOWN, (TRANSLATED, UNKNOWN_CALL), "absorbed", id="raised for that call"),
        pytest.param(DOWN, (FAILS_ON_IT, RAW, INJECTED), "passed on", id="test fails on the error"),
        pytest.param(DOWN, (MISSING,), "absorbed", id="forgotten, then nothing is found"),
        pytest.param(DOWN, (MISSING, RAW, INJECTED), "passed on", id="raised for it all the same"),
        pytest.param(ERROR_REPLY, (MISSING,), "passed on", id="nothing found by a status"),
        pytest.param(ERROR_REPLY, (NO_PAGE,), "absorbed", id="goes on after a status, to no end"),
        pytest.param(ERROR_REPLY, (ASKS,), "absorbed", id="asks for input"),
        pytest.param(DOWN, (UNLIKE_A_SERVER,), "absorbed", id="fake answers as no server does"),
        pytest.param(TWICE, (ASSERTION,), "effect", id="done twice"),
        pytest.param(TWICE, (TRANSLATED,), "effect", id="second delivery refused aloud"),
        pytest.param(TWICE, (KEY_ERROR,), "unprepared", id="second delivery slips"),
        pytest.param(TWICE, (GAVE_UP,), "stuck", id="test waits in vain"),
    ],
)
def test_frames_decide(fault: Fault, links: tuple[Link, ...], expected: str) -> None:
    assert judged(fault, *links).kind.value == expected


@pytest.mark.parametrize(
    ("fault", "caught", "expected"),
    [
        pytest.param(ERROR_REPLY, (TRANSLATED,), "passed on: raises ShopError for it", id="raised"),
        pytest.param(
            DOWN,
            (RAW, INJECTED),
            "passed on: ConnectionError comes through as it is",
            id="as it is",
        ),
        pytest.param(ERROR_REPLY, (KEY_ERROR,), "absorbed: answers 1 instead of 2", id="a slip"),
        pytest.param(DOWN, (ASSERTION,), "absorbed: answers 1 instead of 2", id="the test's own"),
        pytest.param(TWICE, (TRANSLATED,), "effect: is done twice", id="no outage"),
    ],
)
def test_what_the_test_caught_and_then_asserted_about_counts_as_come_out(
    fault: Fault, caught: tuple[Link, ...], expected: str
) -> None:
    evidence = Evidence((ASSERTION,), (CALLED,), caught=caught)
    failure = Failure("AssertionError", "assert 1 == 2", "tests/test_shop.py:3")
    judgement = classify(Case((fault,), failure, evidence))
    assert f"{judgement.kind.value}: {judgement.why}" == expected


def test_it_is_told_that_the_test_waits() -> None:
    assert judged(TWICE, GAVE_UP).why.startswith("the test waits in vain")


@pytest.mark.parametrize(
    ("failed", "expected"),
    [
        pytest.param("Hang: did not end within 5 s", DefectClass.STUCK, id="hang"),
        pytest.param("Crash: killed by signal 11", DefectClass.UNPREPARED, id="crash"),
        pytest.param(f"{NOT_RECOVERED}: still fails", DefectClass.UNRECOVERED, id="recovery"),
        pytest.param("AssertionError: assert 1", DefectClass.ABSORBED, id="assertion"),
        pytest.param("KeyError: 'id'", DefectClass.UNPREPARED, id="cautious"),
    ],
)
def test_without_frames_the_failure_decides(failed: str, expected: DefectClass) -> None:
    assert judged(DOWN, failed=failed).kind is expected


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        pytest.param(("test", "production", "library"), "stuck", id="production code"),
        pytest.param(("framework", "test", "library"), "absorbed", id="the test only"),
    ],
)
def test_test_that_waits_while_no_production_code_does_is_not_stuck(
    waiting: tuple[Role, ...], expected: str
) -> None:
    assert judged(DOWN, link("Hang", *waiting), failed="Hang: no end").kind.value == expected


def test_an_error_that_becomes_a_500_names_its_place_and_does_not_call_it_the_handler() -> None:
    why = judged(DOWN, HANDLER, INJECTED).why
    assert "leaves the request handler: a 500" in why


def test_a_slip_of_a_library_names_it_and_who_handed_the_reply_over() -> None:
    why = judged(ERROR_REPLY, IN_LIBRARY).why
    assert why == "KeyError in authlib, which fetch hands the reply to, is not caught: a 500"


def test_where_an_error_is_raised_is_told_unless_it_is_the_site_itself() -> None:
    elsewhere = frames("test", "production")[-1]
    moved = Frame(elsewhere.role, elsewhere.module, "shop/errors.py", "refuse", 7)
    away = replace(TRANSLATED, frames=(*TRANSLATED.frames[:-1], moved))
    whys = [judged(DOWN, one, RAW, INJECTED).why for one in (TRANSLATED, away)]
    assert whys == [
        "raises ShopError for it",
        "raises ShopError for it in refuse (shop/errors.py:7)",
    ]


def test_missing_evidence_is_told() -> None:
    assert (
        judged(DOWN, failed="KeyError: 'id'").unsure == "where KeyError was raised was not recorded"
    )


@pytest.mark.parametrize(
    ("failed", "expected"),
    [
        ("AssertionError: assert 'cheap' == 'dear'", "answers 'cheap' instead of 'dear'"),
        ("AssertionError: assert ('cheap' == 'dear'", "answers 'cheap' instead of 'dear'"),
        ("AssertionError: assert (1, 2) == (3, 4)", "answers (1, 2) instead of (3, 4)"),
        ("AssertionError: assert f(1) == f(2)", "answers f(1) instead of f(2)"),
        ("TypeError: no", "the test then fails: TypeError: no"),
        (
            "AssertionError: assert <shop.Err object at 0x7f9b> is None",
            "the test's assertion fails: assert <shop.Err object> is None",
        ),
        ("Failed: DID NOT RAISE ShopError", "raises no ShopError"),
        ("Failed: DID NOT RAISE <class 'shop.ShopError'>", "raises no ShopError"),
        ("AssertionError: ShopError not raised", "raises no ShopError"),
        ("AssertionError: assert 0 >= 4", "the test's assertion fails: assert 0 >= 4"),
        ("AssertionError: False is not true", "the test's assertion fails: False is not true"),
        ("AssertionError", "the test's assertion fails"),
    ],
)
def test_absorbed_says_what_is_answered_instead(failed: str, expected: str) -> None:
    assert judged(DOWN, ASSERTION, failed=failed).why == expected


def absorbed(told: str, asserted: Asserted) -> Judgement:
    """The test's own assertion fails while a service is down."""
    kind, _, message = told.partition(": ")
    evidence = Evidence((ASSERTION,), (CALLED,), caught=(TRANSLATED,), asserted=asserted)
    return classify(Case((DOWN,), Failure(kind, message, "tests/test_shop.py:3"), evidence))


@pytest.mark.parametrize(
    ("told", "side", "expected"),
    [
        ("AssertionError: assert 4 == 3", "first", "calls again: 4 calls instead of 3"),
        ("AssertionError: assert 3 == 4", "second", "calls again: 4 calls instead of 3"),
        (
            "AssertionError: 3 != 1 : too many",
            "second",
            "fewer calls reach the test's fake: 1 call instead of 3",
        ),
        (
            "AssertionError: Expected 'get' to have been called once. Called 2 times.",
            "both",
            "calls again: 2 calls instead of 1",
        ),
        (
            "IndexError: no",
            "first",
            "the test then fails: assert len(fake.calls) == 3 (IndexError: no)",
        ),
        (
            "AssertionError: assert ['a...b'] == ['a...b']",
            "first",
            "the test's fake is not called as expected: assert len(fake.calls) == 3",
        ),
        (
            "AssertionError: False is not true",
            "first",
            "the test's fake is not called as expected: assert len(fake.calls) == 3",
        ),
    ],
)
def test_what_only_a_fake_noted_is_no_answer(told: str, side: Side, expected: str) -> None:
    judgement = absorbed(told, Asserted("assert len(fake.calls) == 3", side))
    assert (judgement.kind, judgement.why) == (DefectClass.ABSORBED, expected)


def test_error_pages_and_answers_of_one_call_are_one_group() -> None:
    asserted = Asserted("assert response.status_code == 200")
    evidence = Evidence((ASSERTION,), (CALLED,), asserted=asserted)
    failures = [Failure("AssertionError", f"assert {one} == 200", "t.py:3") for one in (500, 302)]
    assert len({classify(Case((DOWN,), one, evidence)).group for one in failures}) == 1


def test_error_reply_that_goes_wrong_in_two_places_is_one_group() -> None:
    other = replace(KEY_ERROR, frames=frames("test", "production", "production"))
    slips = (KEY_ERROR, replace(other, type="TypeError"))
    assert len({judged(ERROR_REPLY, one).group for one in slips}) == 1


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("False is not true", "the test's assertion fails: assert shop.open()"),
        ("assert False", "the test's assertion fails: assert shop.open()"),
        ("assert False is True", "the test finds False instead of True"),
        ("assert None is not None", "the test's assertion fails: assert shop.open()"),
        ("assert ['a...b'] == ['a...b']", "the test's assertion fails: assert shop.open()"),
        ("assert 0 >= 4", "the test's assertion fails: assert shop.open() (assert 0 >= 4)"),
    ],
)
def test_an_assertion_without_values_is_quoted(told: str, expected: str) -> None:
    evidence = Evidence((ASSERTION,), (CALLED,), asserted=Asserted("assert shop.open()"))
    failure = Failure("AssertionError", told, "tests/test_shop.py:3")
    assert classify(Case((DOWN,), failure, evidence)).why == expected


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        pytest.param(DOWN, DefectClass.UNPREPARED, id="nothing to hand on"),
        pytest.param(ERROR_REPLY, DefectClass.PASSED_ON, id="the same status"),
        pytest.param(replace(ERROR_REPLY, detail="503"), DefectClass.UNPREPARED, id="another one"),
    ],
)
def test_a_service_of_the_project_that_answers_500(fault: Fault, kind: DefectClass) -> None:
    send = Send("t0", "test", "shop", "GET /basket", "d", None)
    turn = Turn("shop", "t0", handler="shop/views.py:3")
    control = Trace((send, turn, Reply("shop", "t0", "200 ok", "a")))
    failing = Trace((send, turn, Reply("shop", "t0", "500 oops", "b")))
    failure = Failure("AssertionError", "assert 500 == 200", "tests/test_shop.py:3")
    case = Case((fault,), failure, Evidence((ASSERTION,), (CALLED,)), control, failing)
    assert classify(case).kind is kind


def test_the_site_is_the_production_code_that_made_the_call() -> None:
    assert judged(ERROR_REPLY, KEY_ERROR).site.place == "shop/client.py:11"


def test_a_fault_of_an_actor_is_placed_by_its_type() -> None:
    assert judged(TWICE, ASSERTION).site.name == "Stock"


@pytest.mark.parametrize("kind", DefectClass)
def test_only_what_may_be_intended_is_info(kind: DefectClass) -> None:
    honest = {DefectClass.PASSED_ON, DefectClass.ABSORBED}
    assert (kind.severity is Severity.INFO) == (kind in honest)


@pytest.mark.parametrize(
    ("sort", "handler", "severity"),
    [
        ("test_shop.test_add.<locals>.add", "tests/test_shop.py:9", Severity.INFO),
        ("test_shop.add", "tests/test_shop.py:9", Severity.WARNING),
        ("shop.make.<locals>.add", "shop/tasks.py:9", Severity.WARNING),
    ],
)
def test_effects_of_tasks_that_a_test_defines_in_its_body_are_infos(
    sort: str, handler: str, severity: Severity
) -> None:
    sent = Trace((Send("t1", "test", "Stock#1", "Add(1)", "d", None, type=sort, handler=handler),))
    failure = Failure("AssertionError", "assert 2 == 1", "tests/test_shop.py:3")
    found = classify(Case((TWICE,), failure, Evidence((ASSERTION,)), sent, sent))
    assert (found.kind, found.severity) == (DefectClass.EFFECT, severity)


@pytest.mark.parametrize(
    ("handler", "asserted", "severity"),
    [
        pytest.param("tests/test_shop.py:9", Asserted("assert notes"), Severity.INFO, id="file"),
        pytest.param("tests/helpers.py:9", Asserted("assert notes"), Severity.INFO, id="helper"),
        pytest.param("shop/conftest.py:9", Asserted("assert notes"), Severity.INFO, id="conftest"),
        pytest.param("shop/a.py:9", Asserted("assert notes"), Severity.WARNING, id="production's"),
        pytest.param(
            "tests/test_shop.py:9",
            Asserted("assert shop.stock", of_production=True),
            Severity.WARNING,
            id="production's state",
        ),
        pytest.param("tests/test_shop.py:9", Asserted(), Severity.WARNING, id="nothing known"),
    ],
)
def test_effects_that_only_tasks_of_the_tests_show_are_infos(
    handler: str, asserted: Asserted, severity: Severity
) -> None:
    send = Send("t1", "test", "q", "add(1)", "d", None, type="add", handler=handler, channel="task")
    sent = Trace((send,))
    failure = Failure("AssertionError", "assert 2 == 1", "tests/test_shop.py:3")
    evidence = Evidence((ASSERTION,), asserted=asserted)
    found = classify(Case((TWICE,), failure, evidence, sent, sent))
    assert (found.kind, found.severity) == (DefectClass.EFFECT, severity)


@pytest.mark.parametrize(
    ("channel", "asserted", "expected"),
    [
        pytest.param(
            "task",
            Asserted("assert send.call_count == 1", "first", of_mock=True),
            "is done twice, but only the test's fake shows it: the test's mock noted 2 calls instead "
            "of 1: assert send.call_count == 1",
            id="mock",
        ),
        pytest.param(
            "task",
            Asserted("assert len(mail.outbox) == 1", "first"),
            "is done twice, but only the test's fake shows it: the test's outbox has 2 mails instead of 1",
            id="mails",
        ),
        pytest.param("task", Asserted("assert rows == 1"), "is done twice", id="state"),
        pytest.param("message", Asserted("assert m", "first"), "is done twice", id="actor"),
    ],
)
def test_second_delivery_that_only_a_fake_shows_is_an_info(
    channel: str, asserted: Asserted, expected: str
) -> None:
    send = Send("t1", "test", "q", "add(1)", "d", None, handler="shop/a.py:9", channel=channel)  # type: ignore[arg-type]
    failure = Failure("AssertionError", "assert 2 == 1", "tests/test_shop.py:3")
    evidence = Evidence((ASSERTION,), asserted=asserted)
    found = classify(Case((TWICE,), failure, evidence, Trace((send,)), Trace((send,))))
    assert (found.why, found.severity is Severity.INFO) == (expected, "fake" in expected)


UNUSED = link("UnusedRouteError", "test", "fake", home="aresponses", bases="Exception")
OF_THE_TEST = link("ClientResponseError", "test", "library", home="requests.exceptions")


@pytest.mark.parametrize(
    ("fault", "told", "links", "asserted", "expected"),
    [
        pytest.param(
            ERROR_REPLY,
            "AssertionError: assert 500 == 200",
            (ASSERTION,),
            Asserted(),
            "passed on: the test gets the 500",
            id="status",
        ),
        pytest.param(
            ERROR_REPLY,
            "AssertionError: 500 != 200",
            (ASSERTION,),
            Asserted(),
            "passed on: the test gets the 500",
            id="status in unittest",
        ),
        pytest.param(
            DOWN,
            "AssertionError: assert 500 == 200",
            (ASSERTION,),
            Asserted(),
            "absorbed: answers 500 instead of 200",
            id="another failure",
        ),
        pytest.param(
            ERROR_REPLY,
            "ClientResponseError: 500",
            (OF_THE_TEST,),
            Asserted(),
            "passed on: the test gets the 500: ClientResponseError",
            id="raise_for_status of the test",
        ),
        pytest.param(
            DOWN,
            "AssertionError: assert 1 == 0",
            (ASSERTION,),
            Asserted("assert result.exit_code == 0", exits=True),
            "passed on: the command ends with an error",
            id="exit code",
        ),
        pytest.param(
            ERROR_REPLY,
            "KeyError: 'durations'",
            (link("KeyError", "test", bases="KeyError LookupError"),),
            Asserted("assert reply['durations']", of_reply=True),
            "passed on: the test gets the 500",
            id="what was in the reply",
        ),
        pytest.param(
            ERROR_REPLY,
            "AppError: Bad response: 500 Internal Server Error",
            (link("AppError", "test", "library", home="webtest.app"),),
            Asserted(),
            "passed on: the test gets the 500: AppError",
            id="a test client says so",
        ),
        pytest.param(
            DOWN,
            "SystemExit: 1",
            (link("SystemExit", "test", bases="SystemExit BaseException"),),
            Asserted(),
            "passed on: the command ends with an error",
            id="a command ends",
        ),
        pytest.param(
            DOWN,
            "UnusedRouteError: /",
            (UNUSED,),
            Asserted(),
            "absorbed: the test's fake is not called as expected: UnusedRouteError: /",
            id="fake that insists on calls",
        ),
    ],
)
def test_what_the_test_gets_to_see_is_not_absorbed(
    fault: Fault, told: str, links: tuple[Link, ...], asserted: Asserted, expected: str
) -> None:
    kind, _, message = told.partition(": ")
    evidence = Evidence(links, (CALLED,), asserted=asserted)
    found = classify(Case((fault,), Failure(kind, message, "tests/test_shop.py:3"), evidence))
    assert f"{found.kind.value}: {found.why}" == expected


@pytest.mark.parametrize(
    ("caught", "expected"), [(RAW, DefectClass.PASSED_ON), (KEY_ERROR, DefectClass.UNPREPARED)]
)
def test_what_ends_a_command_has_come_out(caught: Link, expected: DefectClass) -> None:
    asserted = Asserted("assert result.exit_code == 0", exits=True)
    evidence = Evidence((ASSERTION,), (CALLED,), caught=(caught, INJECTED), asserted=asserted)
    failure = Failure("AssertionError", "assert 1 == 0", "tests/test_shop.py:3")
    assert classify(Case((DOWN,), failure, evidence)).kind is expected


EXITS = link("SystemExit", "test", "production", raised=False, bases="SystemExit BaseException")
WRAPPED = link("RetryError", "test", "library", home="tenacity", bases="Exception")
RESOLVED = link("STACError", "test", "production", "library", home="pystac", bases="Exception")


@pytest.mark.parametrize(
    ("fault", "links", "expected"),
    [
        pytest.param(
            ERROR_REPLY,
            (link("ConnectionError", "test", "production", bases="OSError"),),
            "raises builtins.ConnectionError for it",
            id="no error of the client, by its name",
        ),
        pytest.param(
            ERROR_REPLY, (EXITS,), "the command ends with an error (shop/client.py:11)", id="exit"
        ),
        pytest.param(
            ERROR_REPLY,
            (WRAPPED, TRANSLATED),
            "raises ShopError for it, which comes out as RetryError",
            id="around it all",
        ),
        pytest.param(
            ERROR_REPLY,
            (RESOLVED, TRANSLATED),
            "raises ShopError for it (shop/client.py:11), which comes out as STACError",
            id="between two functions of production",
        ),
    ],
)
def test_what_comes_out_in_the_end_is_told(
    fault: Fault, links: tuple[Link, ...], expected: str
) -> None:
    judgement = judged(fault, *links)
    assert (judgement.kind, judgement.why) == (DefectClass.PASSED_ON, expected)


def kept(by: Role, failed: str = "assert 1 == 2", at: str = "fetch") -> Judgement:
    """The error of the fault is caught by code of this role."""
    module = "tenacity.retry" if by == "library" else ""
    frame = replace(frames(by, module=module)[0], function=at)
    evidence = Evidence((ASSERTION,), (replace(CALLED, caught=Caught(frame, "ConnectionError")),))
    return classify(Case((DOWN,), Failure("AssertionError", failed, "t.py:3"), evidence))


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("production", "ConnectionError is caught: answers 1 instead of 2"),
        ("library", "ConnectionError is caught in tenacity: answers 1 instead of 2"),
        ("web", "ConnectionError is caught in an error handler of flask: answers 1 instead of 2"),
        ("test", "the test catches ConnectionError itself"),
    ],
)
def test_who_caught_the_error_decides_what_is_said(by: Role, expected: str) -> None:
    assert kept(by).why == expected


def test_what_the_client_itself_catches_says_nothing_of_who_kept_it() -> None:
    by = Frame("library", "urllib3.connectionpool", "urllib3.py", "urlopen", 7)
    client = (by, *CALLED.frames)
    evidence = Evidence(
        (ASSERTION,), (replace(CALLED, frames=client, caught=Caught(by, "ReadTimeoutError")),)
    )
    found = classify(
        Case((DOWN,), Failure("AssertionError", "assert 0 == 202", "t.py:3"), evidence)
    )
    assert found.why == "answers 0 instead of 202"


def test_error_that_a_test_catches_after_a_retry_may_be_of_the_next_answer() -> None:
    by = frames("test")[0]
    evidence = Evidence(
        (ASSERTION,),
        (replace(CALLED, caught=Caught(by, "ShopError")),),
        asserted=Asserted("assert len(fake.calls) == 1", log="first"),
    )
    failure = Failure("AssertionError", "assert 2 == 1", "t.py:3")
    again = Trace((replace(CALL_OF_SHOP, target="t1"), replace(CALL_OF_SHOP, target="t2")))
    found = classify(Case((ERROR_REPLY,), failure, evidence, Trace((CALL_OF_SHOP,)), again))
    assert found.why == "calls again: 2 calls instead of 1"


@pytest.mark.parametrize(
    ("status", "expected"),
    [("200", "absorbed: the test then fails: read(log) (AttributeError)"), ("404", "unprepared")],
)
def test_slip_of_other_code_after_a_retry_that_worked_is_how_the_test_fails(
    status: str, expected: str
) -> None:
    """The test looks at the log of its fake by a function of the project, and finds one call more there."""
    again = replace(CALL_OF_SHOP, target="t2")
    failing = Trace((CALL_OF_SHOP, again, Reply("shop", "t2", status, "")))
    slipped = link("AttributeError", "test", "production", raised=False)
    elsewhere = (*slipped.frames[:-1], replace(slipped.frames[-1], function="decoded"))
    evidence = Evidence(
        (replace(slipped, frames=elsewhere),), (CALLED,), asserted=Asserted("read(log)")
    )
    failure = Failure("AttributeError", "", "t.py:3")
    found = classify(Case((ERROR_REPLY,), failure, evidence, Trace((CALL_OF_SHOP,)), failing))
    assert f"{found.kind.value}: {found.why}".startswith(expected)


def test_what_a_helper_of_the_tests_raises_is_told_once() -> None:
    waits = link("TimeoutError", "test", bases="TimeoutError OSError Exception")
    evidence = Evidence((waits,), (CALLED,), asserted=Asserted("raise TimeoutError('no message')"))
    found = classify(Case((DOWN,), Failure("TimeoutError", "no message", "t.py:3"), evidence))
    assert found.why == "the test then fails: TimeoutError: no message"


@pytest.mark.parametrize(
    ("status", "expected"),
    [("429", DefectClass.ABSORBED), ("200", DefectClass.PASSED_ON)],
)
def test_error_of_an_answer_that_a_retry_got_is_not_raised_for_the_fault(
    status: str, expected: DefectClass
) -> None:
    """A caller tries again, and gets an error that the test's own fake answers with."""
    again = replace(CALL_OF_SHOP, target="t2")
    failing = Trace(
        (
            CALL_OF_SHOP,
            Injected("t1", "connection-error"),
            again,
            Reply("shop", "t2", status, ""),
        )
    )
    limited = link("RateLimited", "test", "production", bases="RateLimited Exception")
    evidence = Evidence((ASSERTION,), (CALLED,), caught=(limited,))
    failure = Failure("AssertionError", "assert [0.5] == []", "t.py:3")
    found = classify(Case((DOWN,), failure, evidence, Trace((CALL_OF_SHOP,)), failing))
    assert found.kind is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ShopError", "the test catches ShopError itself"),
        ("SystemExit", "the command ends with an error"),
    ],
)
def test_error_that_a_test_catches_without_a_retry_reached_it_whatever_its_mock_noted(
    name: str, expected: str
) -> None:
    evidence = Evidence(
        (ASSERTION,),
        (replace(CALLED, caught=Caught(frames("test")[0], name)),),
        asserted=Asserted("log.assert_called_with('up')", log="both", of_mock=True),
    )
    failure = Failure("AssertionError", "expected call not found.", "t.py:3")
    found = classify(Case((ERROR_REPLY,), failure, evidence))
    assert (found.kind, found.why) == (DefectClass.PASSED_ON, expected)


@pytest.mark.parametrize("answered", [False, True])
def test_error_after_a_call_that_nothing_in_the_test_answers_is_not_raised_for_the_fault(
    answered: bool,
) -> None:
    other = replace(CALL_OF_SHOP, target="t2", message="GET /rules")
    failing: list[Event] = [CALL_OF_SHOP, Reply("shop", "t1", "500", ""), other]
    if answered:
        failing.append(Reply("shop", "t2", "200", ""))
    gave_up = link("MaxRetries", "test", "production")
    case = Case(
        (ERROR_REPLY,),
        Failure("MaxRetries", "", "t.py:3"),
        Evidence((gave_up,), (CALLED,)),
        Trace((CALL_OF_SHOP,)),
        Trace(tuple(failing)),
    )
    expected = DefectClass.PASSED_ON if answered else DefectClass.ABSORBED
    assert classify(case).kind is expected


@pytest.mark.parametrize(
    ("module", "function", "name", "kind"),
    [
        pytest.param(
            "click.core", "BaseCommand.main", "ShopError", DefectClass.PASSED_ON, id="a command"
        ),
        pytest.param(
            "click.testing",
            "CliRunner.invoke",
            "SystemExit",
            DefectClass.PASSED_ON,
            id="an exit, by what runs it in a test",
        ),
        pytest.param(
            "click.types",
            "File.convert",
            "ShopError",
            DefectClass.ABSORBED,
            id="something else of it",
        ),
        pytest.param(
            "tenacity", "Retrying.main", "ShopError", DefectClass.ABSORBED, id="another library"
        ),
    ],
)
def test_error_that_ends_a_command_reaches_its_caller(
    module: str, function: str, name: str, kind: DefectClass
) -> None:
    by = replace(frames("library", module=module)[0], function=function)
    evidence = Evidence((ASSERTION,), (replace(CALLED, caught=Caught(by, name)),))
    found = classify(Case((DOWN,), Failure("AssertionError", "assert 1 == 2", "t.py:3"), evidence))
    assert (found.kind, "ends with an error" in found.why) == (kind, kind is DefectClass.PASSED_ON)


def test_error_of_a_comparison_is_how_the_test_fails() -> None:
    compared = replace(frames("production")[0], function="Page.__eq__")
    link = replace(TRANSLATED, type="NotImplementedError", frames=(frames("test")[0], compared))
    failure = Failure("NotImplementedError", "", "t.py:3")
    evidence = Evidence((link,), (CALLED,), asserted=Asserted("assert tree == page"))
    found = classify(Case((DOWN,), failure, evidence))
    told = "the test then fails: assert tree == page (NotImplementedError)"
    assert (found.kind, found.why) == (DefectClass.ABSORBED, told)


@pytest.mark.parametrize(
    ("asserted", "expected"),
    [
        pytest.param(
            Asserted("assert price() == 2", of_production=True), "answers 1", id="production"
        ),
        pytest.param(
            Asserted("assert log() == 2"), "the test finds 1", id="a log of the test's own"
        ),
    ],
)
def test_only_what_production_code_gave_is_told_as_an_answer(
    asserted: Asserted, expected: str
) -> None:
    assert failing_by("assert 1 == 2", asserted).why == f"{expected} instead of 2"


def failing_by(told: str, asserted: Asserted) -> Judgement:
    """An assertion about what the call gave fails."""
    evidence = Evidence((ASSERTION,), (CALLED,), asserted=asserted)
    return classify(Case((DOWN,), Failure("AssertionError", told, "t.py:3"), evidence))


@pytest.mark.parametrize(
    ("told", "side", "expected"),
    [
        pytest.param("False != True", "second", "answers False instead of True", id="found first"),
        pytest.param("None != 'a'", "first", "answers 'a' instead of None", id="found second"),
        pytest.param(
            "1.5 != 2 : why", "second", "answers 1.5 instead of 2", id="with a text of the test's"
        ),
        pytest.param("1 != 2", "", "the test's assertion fails: 1 != 2", id="nobody knows which"),
    ],
)
def test_values_of_assert_equal_are_told_by_which_of_them_the_test_expects(
    told: str, side: Side, expected: str
) -> None:
    asserted = Asserted("ask()", expected=side, of_production=True)
    assert failing_by(told, asserted).why == expected


def test_who_calls_a_helper_that_raises_translates_the_error() -> None:
    raised = replace(frames("production")[0], function="raise_error", file="shop/errors.py")
    helped = replace(TRANSLATED, frames=(*TRANSLATED.frames, raised))
    assert judged(DOWN, helped, RAW, INJECTED).raised_by == "shop/client.py:fetch"


def test_error_of_a_call_that_the_test_makes_itself_is_none_of_production_code() -> None:
    own = link("ConnectionError", "test", "library", home="requests.exceptions", bases="OSError")
    injections = (replace(CALLED, frames=frames("library", "test")),)
    failure = Failure("ConnectionError", "refused", "t.py:3")
    found = classify(Case((DOWN,), failure, Evidence((own, INJECTED), injections)))
    assert (found.kind, found.why) == (
        DefectClass.PASSED_ON,
        "ConnectionError reaches the test, which makes the call itself",
    )


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param("assert (500, 'no') == (200, 'ok')", "passed on", id="member of a tuple"),
        pytest.param("assert {'status': 500} == {'status': 200}", "passed on", id="of a dict"),
        pytest.param("assert ['500 Server Error'] == []", "absorbed", id="text in a list"),
    ],
)
def test_status_in_what_is_compared_is_what_the_test_gets(told: str, expected: str) -> None:
    failure = Failure("AssertionError", told, "t.py:3")
    evidence = Evidence((ASSERTION,), (CALLED,))
    assert classify(Case((ERROR_REPLY,), failure, evidence)).kind.value == expected


def test_error_that_a_task_gives_to_the_retry_of_celery_does_not_just_come_through() -> None:
    again = replace(RAW.frames[0], role="library", module="celery.app.task", function="Task.retry")
    found = judged(DOWN, replace(RAW, frames=(*RAW.frames[:1], again, *RAW.frames[1:])), INJECTED)
    assert (found.kind, found.raw) == (DefectClass.PASSED_ON, False)
    assert found.why.startswith("the task asks Celery for another try")


def test_deliberate_error_beside_a_documented_one_breaks_the_promise() -> None:
    promised = replace(TRANSLATED, promised=("fetch documents ServiceError",))
    found = judged(DOWN, promised, RAW, INJECTED)
    place = TRANSLATED.frames[-1].place
    assert (found.kind, found.why) == (
        DefectClass.INCONSISTENT,
        f"fetch documents ServiceError, but ShopError is raised ({place})",
    )


def test_what_the_test_makes_of_an_answer_is_not_told_as_the_answer() -> None:
    failure = Failure("AssertionError", "assert f(1) == f(2)", "t.py:3")
    evidence = Evidence((ASSERTION,), (CALLED,), asserted=Asserted("a", computed=True))
    assert classify(Case((DOWN,), failure, evidence)).why == "the test finds f(1) instead of f(2)"


def test_code_that_caught_it_is_named_where_it_did_not_call() -> None:
    assert (
        "ConnectionError is caught in validate (shop/client.py:10): "
        in kept("production", at="validate").why
    )


def test_absorbed_errors_are_grouped_by_who_caught_them_not_by_what_tests_see() -> None:
    groups = [kept("production", seen).group for seen in ("assert 1 == 2", "assert [] == [1]")]
    other = kept("production", at="other").group
    assert (len(set(groups)), other in groups) == (1, False)


BODY = "answers with the body of the 500"


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("<HTTPStatus.INTERNAL_SERVER_ERROR: 500>", "passed on: the test gets the 500"),
        ("'500 Internal Server Error'", "passed on: the test gets the 500"),
        ("'1500 pieces'", "absorbed: answers '1500 pieces' instead of 204"),
        ("{'message': 'Internal Server Error'}", f"absorbed: {BODY}"),
        ("""'{"message": "I...erver Error"}'""", f"absorbed: {BODY}"),
        (
            "{'message': 'off', 'by': 'shop'}",
            "absorbed: answers {'message': 'off', 'by': 'shop'} instead of 204",
        ),
    ],
)
def test_test_that_gets_the_injected_reply_is_known_by_what_it_compares(
    side: str, expected: str
) -> None:
    found = judged(ERROR_REPLY, ASSERTION, failed=f"AssertionError: assert {side} == 204")
    assert f"{found.kind.value}: {found.why}" == expected


def test_status_in_a_dictionary_that_differs_is_the_injected_one() -> None:
    failed = "AssertionError: {'status_code': 500, 'message': 'x'} != {'user': 1}"
    assert judged(ERROR_REPLY, ASSERTION, failed=failed).why == "the test gets the 500"


def test_status_that_a_request_handler_got_is_not_what_it_answers_with() -> None:
    inside = Injection("t1", "status", frames("library", "production", "web", "test"), "get(url)")
    failure = Failure("AssertionError", "assert 500 == 200", "t.py:3")
    found = classify(Case((ERROR_REPLY,), failure, Evidence((ASSERTION,), (inside,))))
    assert (found.kind, found.why) == (DefectClass.ABSORBED, "answers 500 instead of 200")


def test_order_that_only_a_measured_time_shows_is_an_info() -> None:
    held = Fault("t1", "order", "test", "lock", "acquire")
    evidence = Evidence((ASSERTION,), asserted=Asserted("assert took < 0.2", of_time=True))
    failure = Failure("AssertionError", "assert 0.3 < 0.2", "t.py:3")
    assert classify(Case((held,), failure, evidence)).severity is Severity.INFO


@pytest.mark.parametrize(
    ("told", "of_mock", "expected"),
    [
        ("assert 1 == 0", True, "the test's mock noted 1 call instead of 0: assert log.call_count"),
        (
            "Expected URL http://shop to be called 3 times. Called 4 times.",
            False,
            "calls again: 4 calls instead of 3",
        ),
    ],
)
def test_more_calls_of_a_mock_are_no_retries(told: str, of_mock: bool, expected: str) -> None:
    asserted = Asserted("assert log.call_count", "first", of_mock=of_mock)
    assert absorbed(f"AssertionError: {told}", asserted).why == expected


INNER = link("ValueError", "library", raised=True, bases="ValueError Exception", at="jwcrypto.jwk")
UNREADABLE = link("InvalidJWKValue", "test", "production", "library", home="jwcrypto.jwk")
GIVES_UP = link("RetryError", "test", "production", "library", home="tenacity", bases="Exception")


def test_library_that_could_not_read_the_reply_is_known_by_its_own_slip() -> None:
    assert judged(ERROR_REPLY, UNREADABLE, INNER).kind is DefectClass.UNPREPARED


def test_error_of_a_library_around_the_call_is_not_the_clients() -> None:
    assert judged(DOWN, GIVES_UP, RAW, INJECTED).why == "ConnectionError comes out as RetryError"


def test_reply_that_nobody_read_is_one_group_with_and_without_a_handler() -> None:
    served = link(
        "KeyError", "test", "web", "production", raised=False, bases="KeyError LookupError"
    )
    groups = {judged(ERROR_REPLY, one).group for one in (KEY_ERROR, served)}
    raised = judged(ERROR_REPLY, HANDLER).group
    assert (len(groups), raised in groups) == (1, False)


def test_slip_behind_an_error_that_was_raised_for_the_reply_is_that_of_other_outages() -> None:
    slips = (judged(ERROR_REPLY, KEY_ERROR, HTTP_ERROR), judged(DOWN, KEY_ERROR, RAW, INJECTED))
    assert len({one.group for one in slips}) == 1


@pytest.mark.parametrize(
    ("told", "asserted", "expected"),
    [
        pytest.param(
            "AssertionError: assert 'mug' == 'off'",
            Asserted("assert WANTED == found", expected="first"),
            "the test finds 'off' instead of 'mug'",
            id="expected first",
        ),
        pytest.param(
            "KeyError: 'actor'",
            Asserted("assert reply.cookies['actor']"),
            "the test then fails: assert reply.cookies['actor'] (KeyError: 'actor')",
            id="by an error of the test",
        ),
        pytest.param(
            "AssertionError: assert 2 == 1",
            Asserted("assert len(outbox) == 1", "first"),
            "the test's outbox has 2 mails instead of 1",
            id="mails",
        ),
        pytest.param(
            "AssertionError: First call should hit the API",
            Asserted("assert get.call_count == 1", "first", of_mock=True),
            "the test's mock is not called as expected: assert get.call_count == 1",
            id="a message of its own",
        ),
        pytest.param(
            "AssertionError: expected call not found.",
            Asserted("say.assert_called_with('title')", "both", of_mock=True),
            "the test's mock is not called as expected: say.assert_called_with('title')",
            id="nothing said of the call",
        ),
        pytest.param(
            "AssertionError: assert '***' != '***'",
            Asserted("assert calls[0].key != calls[1].key", "both"),
            "the test's fake is not called as expected: assert calls[0].key != calls[1].key",
            id="masked",
        ),
    ],
)
def test_what_the_test_saw_is_told_as_it_was(told: str, asserted: Asserted, expected: str) -> None:
    kind, _, message = told.partition(": ")
    evidence = Evidence((replace(ASSERTION, type=kind),), (CALLED,), asserted=asserted)
    found = classify(Case((DOWN,), Failure(kind, message, "tests/test_shop.py:3"), evidence))
    assert found.why == expected


def test_group_of_tasks_errors_that_were_meant_is_passed_on() -> None:
    held = Link("ExceptionGroup", "builtins", frames=frames("test", "production", "library"))
    found = judged(ERROR_REPLY, held, replace(TRANSLATED, relation="member"))
    place = TRANSLATED.frames[-1].place
    told = f"raises ShopError for it ({place}), which comes out as ExceptionGroup"
    assert (found.kind, found.why) == (DefectClass.PASSED_ON, told)


@pytest.mark.parametrize(
    ("minimal", "severity"),
    [
        pytest.param(True, Severity.WARNING, id="reduced"),
        pytest.param(False, Severity.INFO, id="not"),
    ],
)
def test_outages_of_which_any_may_be_needless_are_no_warning(
    minimal: bool, severity: Severity
) -> None:
    faults = (ERROR_REPLY, replace(ERROR_REPLY, target="other", message="GET /other"))
    failure = Failure("KeyError", "'title'", "t.py:3")
    evidence = Evidence((KEY_ERROR,), (CALLED,))
    assert classify(Case(faults, failure, evidence, minimal=minimal)).severity is severity


@pytest.mark.parametrize(
    ("again", "way"), [(False, True), (True, False)], ids=["let through", "raised again by name"]
)
def test_way_of_an_error_that_is_let_through_on_purpose_is_not_compared(
    again: bool, way: bool
) -> None:
    assert bool(judged(DOWN, replace(RAW, again=again), INJECTED).way) is way


def test_answers_of_code_that_made_the_call_and_caught_are_one_group_with_its_other_answers() -> (
    None
):
    evidence = Evidence((ASSERTION,), (CALLED,))
    other = classify(Case((DOWN,), Failure("AssertionError", "assert 3 == 2", "t.py:3"), evidence))
    assert kept("production").group == other.group
    assert kept("production", at="validate").group != other.group


def test_refusal_of_a_fake_is_none_of_the_fault_though_it_comes_after_it() -> None:
    refused = link("NoMockAddress", "test", "production", "fake")
    injected = link("ReadTimeout", "ours", relation="context")
    evidence = Evidence((refused, injected), (CALLED,))
    found = classify(Case((DOWN,), Failure("NoMockAddress", "", "t.py:3"), evidence))
    told = "goes on with a call that the test's responses refuses"
    assert (found.kind, found.why) == (DefectClass.ABSORBED, told)
