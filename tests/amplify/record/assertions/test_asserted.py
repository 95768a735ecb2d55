"""What the failing statement of a test looks at, in files of a real project."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from socrates_amplify.model.evidence import Asserted, Frame, Link
from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.record import evidence
from socrates_amplify.record.assertions import asserted as asserting
from socrates_amplify.record.assertions.asserted import asserted, caught, watch_raises, with_frames
from socrates_amplify.record.assertions.statements import is_computed
from socrates_amplify.record.evidence import links_of
from socrates_amplify.record.recorder import Recorder

SHOP = """\
class ShopError(Exception): pass
class Stock:
    def __init__(self): self.count = 1
class Reply:
    data = {}
    def __init__(self, status): self.code = status
    @property
    def status_code(self): return self.code
def refuse(): raise ShopError("down")
def level(): return 2
"""
TESTS = """\
import time
import unittest
from unittest import mock
import mock as mock_package
import click
import pytest
import responses
from click.testing import CliRunner
from django.core import mail
import shop
import requests
import werkzeug.test
response = requests.Response()
response.status_code = 500
response._content = b"{}"
class Case(unittest.TestCase): pass
def raises():
    with pytest.raises(shop.ShopError) as info:
        shop.refuse()
    message = str(info.value)
    assert message == "up"
def compares():
    made = shop.ShopError("made")
    with pytest.raises(shop.ShopError) as info:
        shop.refuse()
    assert info.value is made
def context():
    case = Case()
    with case.assertRaises(shop.ShopError) as info:
        shop.refuse()
    case.assertEqual(str(info.exception), "up")
def refuses_another():
    with Case().assertRaisesRegex(shop.ShopError, "up"):
        shop.refuse()
def unrelated():
    with pytest.raises(shop.ShopError) as info:
        shop.refuse()
    count = 1
    assert count == 2
def counts():
    fake = mock.Mock()
    fake()
    assert fake.call_count == 2
def is_called():
    fake = mock.Mock()
    Case().assertTrue(fake.called)
def counts_second():
    assert 3 == len(responses.calls)
def counts_before():
    seen = len(responses.calls)
    assert seen == 3
def counts_in_unittest():
    Case().assertEqual(1, len(responses.calls))
def says_so():
    mock.Mock().assert_called_once()
def calls_of_production():
    stock = shop.Stock()
    stock.calls = 3
    assert stock.calls == 4
def reads_production():
    found = shop.level()
    assert (
        found == 5
    )
class Proxy:
    calls = 1
    @property
    def __class__(self): raise RuntimeError("outside of any request")
    @property
    def __dict__(self): raise RuntimeError("outside of any request")
proxy = Proxy()
def stands_for_nothing():
    assert proxy.calls.calls == 2
def reads_reply(reply={"message": "Internal Server Error"}):
    assert reply["title"] == "a"
def reads_response(response=response):
    assert response.json()["title"] == "a"
def reads_wrapped(reply=shop.Reply(500)):
    assert reply.data["title"] == "a"
def reads_page(page=werkzeug.test.TestResponse([], "500 Oops", {}, None)):
    shop_helper(page)
def shop_helper(page):
    raise AssertionError
def counts_mails():
    assert len(mail.outbox) == 1
def counts_mails_of_a_fixture(mailoutbox=()):
    assert len(mailoutbox) == 1
def box_of_anything():
    stock = shop.Stock()
    stock.outbox = []
    assert stock.outbox == [1]
def exits():
    result = CliRunner().invoke(command)
    assert result.exit_code == 0, result.output
def counts_after_an_exit(log=mock.Mock()):
    result = CliRunner().invoke(quits)
    assert log.call_count == 1
@click.command()
def quits(): raise SystemExit(2)
def decodes_at_once():
    assert get().json() == 5
def get(): return response
@click.command()
def command(): shop.refuse()
WANTED = [5]
def wants_first():
    found = shop.level()
    assert WANTED == [found]
def wants_second():
    found = shop.level()
    assert [found] == WANTED
def measures():
    begun = time.perf_counter()
    took = time.perf_counter() - begun
    assert took < 0
def explains():
    found = shop.level()
    assert found == 5, f"it was {found}"
def counts_of_a_part(log=mock.Mock()):
    assert log.error.call_count == 1
def counts_of_a_packages(log=mock_package.Mock()):
    assert log.error.call_count == 1
class Ended:
    success = False
def runs_a_script(result=Ended()):
    assert result.success
notes = [1]
def reads_own():
    assert notes == []
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A file of tests beside the code that they test."""
    (tmp_path / "shop.py").write_text(SHOP)
    path = tmp_path / "test_shop.py"
    path.write_text(TESTS)
    monkeypatch.syspath_prepend(tmp_path)
    spec = importlib.util.spec_from_file_location("test_shop", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    yield made
    sys.modules.pop("shop", None)


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    made = Recorder(root=str(tmp_path))
    made.test_file = str(tmp_path / "test_shop.py")
    made.injections = [object()]  # type: ignore[list-item]
    undo = watch_raises(made)
    yield made
    undo()


def failed(test: Callable[[], None]) -> tuple[object, int]:
    """The frame of the test, and the line at which it failed."""
    with pytest.raises((AssertionError, AttributeError, KeyError)) as failure:
        test()
    entry = failure.value.__traceback__
    while entry is not None and entry.tb_frame.f_code is not test.__code__:
        entry = entry.tb_next
    assert entry is not None
    return entry.tb_frame, entry.tb_lineno


def looked_at(module: ModuleType, recorder: Recorder, name: str) -> Asserted:
    return asserted(recorder, *failed(getattr(module, name)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("raises", ["ShopError"]),
        ("context", ["ShopError"]),
        ("unrelated", []),
        ("reads_own", []),
        ("exits", ["ShopError"]),
        ("counts_after_an_exit", ["SystemExit"]),
    ],
)
def test_an_exception_that_was_caught_is_found(module, recorder, name, expected) -> None:
    links = caught(recorder, *failed(getattr(module, name)))
    assert [link.type for link in links] == expected


@pytest.mark.parametrize("name", ["raises", "context", "compares"])
def test_it_has_the_frames_of_production_code(module, recorder, name) -> None:
    links = caught(recorder, *failed(getattr(module, name)))
    assert links[0].frames[-1].function == "refuse"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("counts", "first"),
        ("counts_second", "second"),
        ("counts_before", "first"),
        ("counts_in_unittest", "second"),
        ("says_so", "both"),
        ("calls_of_production", ""),
        ("reads_production", ""),
        ("counts_mails", "first"),
        ("counts_mails_of_a_fixture", "first"),
        ("box_of_anything", ""),
    ],
)
def test_the_log_of_a_fake_is_told_from_an_answer(module, recorder, name, expected) -> None:
    assert looked_at(module, recorder, name).log == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("reads_production", True), ("reads_own", False), ("counts", False)]
)
def test_whether_production_code_is_read(module, recorder, name, expected) -> None:
    assert looked_at(module, recorder, name).of_production is expected


def test_what_stands_for_something_that_is_not_there_is_left_alone(module, recorder) -> None:
    frame, line = failed(module.stands_for_nothing)
    seen = asserted(recorder, frame, line)
    assert (seen.log, caught(recorder, frame, line)) == ("", ())


def test_the_source_is_on_one_line(module, recorder) -> None:
    assert looked_at(module, recorder, "reads_production").text == "assert ( found == 5 )"


def test_without_a_frame_nothing_is_known(recorder) -> None:
    assert (asserted(recorder, None, 0), caught(recorder, None, 0)) == (Asserted(), ())


@pytest.mark.parametrize(("name", "expected"), [("exits", True), ("counts", False)])
def test_how_a_command_ended_is_looked_at(module, recorder, name, expected) -> None:
    assert looked_at(module, recorder, name).exits is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("counts", True),
        ("is_called", True),
        ("says_so", False),
        ("counts_second", False),
        ("counts_mails", False),
    ],
)
def test_mock_that_is_asked_is_told_from_a_fake(module, recorder, name, expected) -> None:
    assert looked_at(module, recorder, name).of_mock is expected


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("reads_reply", "500", (False, True)),
        ("reads_reply", "404", (False, False)),
        ("reads_response", "500", (True, False)),
        ("reads_response", "404", (False, False)),
        ("decodes_at_once", "500", (True, False)),
        ("reads_page", "500", (True, False)),
        ("reads_wrapped", "500", (True, False)),
        ("reads_wrapped", "404", (False, False)),
        ("reads_own", "500", (False, False)),
    ],
)
def test_reply_that_the_test_got_is_known_again(
    module, tmp_path: Path, name: str, status: str, expected: tuple[bool, bool]
) -> None:
    recorder = Recorder(Scenario.of([Fault("t", "status", detail=status)]), root=str(tmp_path))
    recorder.test_file = str(tmp_path / "test_shop.py")
    seen = looked_at(module, recorder, name)
    assert (seen.of_reply, seen.of_body) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wants_first", (False, "first")),
        ("wants_second", (False, "second")),
        ("measures", (True, "second")),
        ("explains", (False, "second")),
    ],
)
def test_what_is_expected_and_what_is_measured(module, recorder, name, expected) -> None:
    seen = looked_at(module, recorder, name)
    assert (seen.of_time, seen.expected) == expected


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        pytest.param("len(found)", True, id="counted"),
        pytest.param("[one for one in found]", True, id="collected"),
        pytest.param("found + 1", True, id="added to"),
        pytest.param("found", False, id="as it came"),
        pytest.param("shop.level()", False, id="asked for"),
    ],
)
def test_what_the_test_makes_itself_is_told_from_an_answer(side: str, expected: bool) -> None:
    assert is_computed(ast.parse(side, mode="eval").body) is expected


def test_explanation_of_an_assertion_is_left_out(module, recorder) -> None:
    assert looked_at(module, recorder, "explains").text == "assert found == 5"


@pytest.mark.parametrize("name", ["counts_of_a_part", "counts_of_a_packages"])
def test_attribute_of_a_mock_is_a_mocks(module, recorder, name: str) -> None:
    assert looked_at(module, recorder, name).of_mock is True


def test_script_that_failed_is_about_how_a_command_ended(module, recorder, monkeypatch) -> None:
    monkeypatch.setattr(module.Ended, "__module__", "pytest_console_scripts")
    assert looked_at(module, recorder, "runs_a_script").exits is True


OURS = Link("E", "", frames=(Frame("ours", "", "", "", 1),))
TOLD = Link("E", "", message="Received a server error (500) for url")


@pytest.mark.parametrize(
    ("links", "expected"),
    [((OURS,), ["E"]), ((TOLD,), ["E"]), ((replace(TOLD, message="15001"),), []), ((), [])],
)
def test_what_the_test_let_in_last_counts_where_it_is_the_faults(
    module, recorder, monkeypatch: pytest.MonkeyPatch, links: tuple[Link, ...], expected: list[str]
) -> None:
    recorder.scenario = Scenario.of([Fault("t", "status", detail="500")])
    original = evidence.links_of
    monkeypatch.setattr(asserting, "links_of", lambda *a: (*original(*a), *links))
    found = caught(recorder, *failed(module.unrelated))  # type: ignore[arg-type]
    assert [link.type for link in found][1:] == expected


def test_exception_that_is_not_the_expected_one_has_its_frames(module, recorder) -> None:
    links: tuple[Link, ...] = ()
    try:
        module.refuses_another()
    except AssertionError as failure:
        links = with_frames(links_of(failure, recorder.roles), recorder)
    told = [(link.type, link.frames[-1].function) for link in links]
    assert told[1:] == [("ShopError", "refuse")]
