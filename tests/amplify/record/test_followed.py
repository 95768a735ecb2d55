"""Where an injected error ends, in code of a real project."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from unittest.mock import Mock

import pytest

from socrates_amplify.model.evidence import Injection
from socrates_amplify.record import executed
from socrates_amplify.record.followed import follow, stop_following
from socrates_amplify.record.whose import Roles

SHOP = """\
import asyncio, contextlib
class ShopError(Exception): pass
class Refused(Exception): pass
def fetch(strike): strike()
def answers(strike): strike()
def falls_through(strike): fetch(strike)
def falls_back(strike):
    try:
        fetch(strike)
    except ConnectionError:
        return "0.00"
def suppresses(strike):
    with contextlib.suppress(OSError):
        fetch(strike)
def translates(strike):
    try:
        fetch(strike)
    except ConnectionError as error:
        raise ShopError("down") from error
def slips_over_it(strike):
    try:
        try:
            fetch(strike)
        except ConnectionError:
            {}["message"]
    except KeyError:
        return None
def gives_up(strike):
    try:
        translates(strike)
    except ShopError:
        return None
def reads_a_status(strike):
    try:
        strike()
        raise Refused("answered 503")
    except Refused:
        return None
def looks_at_it():
    raise Refused("no")
def has_it_looked_at(strike):
    try:
        strike()
        looks_at_it()
    except Refused:
        return None
def slips_after(strike):
    strike()
    try:
        {}["title"]
    except KeyError:
        return None
def works_first(strike):
    try:
        strike()
        for _ in range(50):
            passes()
        raise Refused("answered 503")
    except Refused:
        return None
def passes(): return None
def leaves_a_file_to_its_end(strike):
    file = opened()
    falls_back(strike)
async def waits_and_leaves_a_file_to_its_end(strike):
    file = opened()
    await sleeps_after(strike)
def fails_otherwise(strike):
    with contextlib.suppress(OSError):
        fetch(strike)
    try:
        {}["title"]
    except KeyError:
        return None
def asks_for_a_token(strike):
    fetch_token(strike)
def does_without_a_token(strike):
    try:
        fetch_token(strike)
    except RuntimeError as error:
        raise ShopError("no token") from error
async def sleeps_after(strike):
    try:
        strike()
    except OSError:
        await passes_nothing()
async def passes_nothing(): return None
async def around(strike): await sleeps_after(strike)
async def gives_time(strike):
    try:
        async with asyncio.timeout(5):
            await asyncio.wait_for(passes_on(strike), 5)
    except OSError:
        return None
async def asks_in_time(strike): await gives_time(strike)
async def awaits(strike):
    with contextlib.suppress(OSError):
        await passes_on(strike)
async def passes_on(strike): strike()
async def outer(strike): await awaits(strike)
"""
LIBRARY = """\
def parse():
    raise RuntimeError("not what was asked for")
def fetch_token(strike):
    strike()
    parse()
"""
STRIKE = """\
import sys
def strike():
    followed(sys._getframe())
    if not status:
        raise ConnectionError("refused")
"""
SERVER = """\
def serve(name):
    try:
        call(name)
    except Exception:
        return 500
"""
_OURS = Path(sys.modules["socrates_amplify"].__file__ or "").parent / "probes" / "struck.py"


class Shop:
    """Functions of production code, and what strikes below them."""

    def __init__(self, folder: Path) -> None:
        path = folder / "shop.py"
        path.write_text(SHOP)
        self.names: dict[str, Callable[..., object]] = {"__name__": "shop"}  # type: ignore[dict-item]
        installed = str(Path(pytest.__file__).parents[1] / "oauth" / "client.py")
        exec(compile(LIBRARY, installed, "exec"), library := {"__name__": "oauth.client"})
        self.names["fetch_token"] = library["fetch_token"]  # type: ignore[assignment]
        exec(compile(SHOP, str(path), "exec"), self.names)
        self.roles = Roles(str(folder), __file__)
        self.injections: list[Injection] = []
        self.seen: list[str] = []
        self.escapes: list[str] = []

    def call(self, name: str, status: str = "") -> object:
        """Call a function below which an error is injected, or a reply of this status."""

        def followed(frame: FrameType) -> None:
            self.injections.append(Injection("t", "status" if status else "connection-error"))
            follow(self.injections, frame, self.roles, status, self)

        return self.names[name](self._strike(followed, status))

    def serve(self, name: str) -> None:
        """Call it as a server does that answers with 500 for whatever comes out."""
        server: dict[str, object] = {"__name__": "datasette.app", "call": self.call}
        place = str(Path(pytest.__file__).parents[1] / "datasette" / "app.py")
        exec(compile(SERVER, place, "exec"), server)
        server["serve"](name)  # type: ignore[operator]

    def _strike(self, followed: Callable[..., None], status: str) -> object:
        ours: dict[str, object] = {"__name__": "struck", "followed": followed, "status": status}
        exec(compile(STRIKE, str(_OURS), "exec"), ours)
        return ours["strike"]

    def let_in(self, error: BaseException) -> None:
        self.seen.append(type(error).__name__)

    def escaped(self, error: BaseException) -> None:
        self.escapes.append(type(error).__name__)

    def caught(self) -> list[tuple[str, str, str] | None]:
        """Of each fault: who caught its error, and its name."""
        found = [one.caught for one in self.injections]
        return [one and (one.by.role, one.by.function, one.name) for one in found]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    yield Shop(tmp_path)
    stop_following()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("falls_back", ("production", "falls_back", "ConnectionError")),
        ("suppresses", ("production", "suppresses", "ConnectionError")),
        ("gives_up", ("production", "gives_up", "ShopError")),
        ("slips_over_it", ("production", "slips_over_it", "ConnectionError")),
        ("fails_otherwise", ("production", "fails_otherwise", "ConnectionError")),
    ],
)
def test_code_that_catches_it_is_told(shop: Shop, name: str, expected: tuple[str, ...]) -> None:
    shop.call(name)
    assert (shop.caught(), shop.seen) == ([expected], [])


def test_error_that_is_raised_for_an_error_reply_is_one_of_the_fault(shop: Shop) -> None:
    shop.call("reads_a_status", "503")
    assert shop.caught() == [("production", "reads_a_status", "Refused")]


def test_error_of_the_function_that_called_is_for_the_reply_whatever_it_says(shop: Shop) -> None:
    shop.call("reads_a_status", "500")
    assert shop.caught() == [("production", "reads_a_status", "Refused")]


def test_error_of_a_helper_that_the_caller_shows_the_reply_is_for_the_reply(shop: Shop) -> None:
    shop.call("has_it_looked_at", "500")
    assert shop.caught() == [("production", "has_it_looked_at", "Refused")]


def test_slip_that_does_not_tell_of_the_error_reply_is_none(shop: Shop) -> None:
    shop.call("slips_after", "500")
    assert shop.caught() == [None]


def test_test_that_catches_it_itself_has_let_it_in(shop: Shop) -> None:
    with contextlib.suppress(Exception):
        shop.call("translates")
    assert (shop.caught()[0] or ("",))[0] == "test"
    assert set(shop.seen) == {"ShopError"}


@pytest.mark.parametrize(
    ("name", "error"),
    [("asks_for_a_token", "RuntimeError"), ("does_without_a_token", "ShopError")],
)
def test_error_that_a_library_raises_for_the_reply_is_one_of_the_fault(
    shop: Shop, name: str, error: str
) -> None:
    with contextlib.suppress(Exception):
        shop.call(name, "500")
    assert set(shop.seen) == {error}


def test_each_fault_is_followed_until_the_next(shop: Shop) -> None:
    shop.call("falls_back")
    shop.call("suppresses")
    assert [one and one[1] for one in shop.caught()] == ["falls_back", "suppresses"]


def test_coroutines_on_the_way_are_heard(shop: Shop) -> None:
    asyncio.run(shop.call("outer"))  # type: ignore[arg-type]
    assert shop.caught() == [("production", "awaits", "ConnectionError")]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="wait_for makes a task of its own")
def test_code_that_gives_the_call_a_time_limit_is_heard(shop: Shop) -> None:
    asyncio.run(shop.call("asks_in_time"))  # type: ignore[arg-type]
    assert shop.caught() == [("production", "gives_time", "ConnectionError")]


def test_code_that_wraps_a_mock_around_the_call_is_heard(shop: Shop) -> None:
    shop.names["fetch"] = Mock(wraps=shop.names["fetch"])
    shop.call("falls_back")
    assert shop.caught() == [("production", "falls_back", "ConnectionError")]


def test_value_that_a_coroutine_hands_back_is_no_error(shop: Shop) -> None:
    asyncio.run(shop.call("around"))  # type: ignore[arg-type]
    assert shop.caught() == [("production", "sleeps_after", "ConnectionError")]


def test_assertion_that_speaks_of_the_status_is_the_tests_own(shop: Shop) -> None:
    with contextlib.suppress(AssertionError):
        shop.call("answers", "503")
        raise AssertionError("assert 503 == 200")
    assert (shop.caught(), shop.seen) == ([None], [])


def test_assertion_of_a_mock_that_speaks_of_the_status_is_none_of_the_fault(shop: Shop) -> None:
    log = Mock()
    log("answered 503")
    with contextlib.suppress(AssertionError):
        shop.call("answers", "503")
        log.assert_called_once_with("up")
    assert (shop.caught(), shop.seen) == ([None], [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("falls_through", ["ConnectionError"], id="nobody caught it"),
        pytest.param("translates", [], id="meant for somebody"),
        pytest.param("falls_back", [], id="caught below"),
    ],
)
def test_what_production_leaves_to_a_server_is_told(
    shop: Shop, name: str, expected: list[str]
) -> None:
    shop.serve(name)
    assert shop.escapes == expected


def test_error_that_is_left_to_what_runs_the_code_is_not_said_to_be_caught(shop: Shop) -> None:
    with contextlib.suppress(ConnectionError):
        asyncio.run(shop.call("passes_on"))  # type: ignore[arg-type]
    assert shop.caught() == [None]


@pytest.mark.parametrize("name", ["leaves_a_file_to_its_end", "waits_and_leaves_a_file_to_its_end"])
def test_what_a_function_had_open_is_closed_when_it_returns(shop: Shop, name: str) -> None:
    closed: list[str] = []

    class File:
        def __del__(self) -> None:
            closed.append("closed")

    shop.names["opened"] = File
    waiting = shop.call(name)
    if asyncio.iscoroutine(waiting):
        asyncio.run(waiting)
    assert (closed, [one and one[2] for one in shop.caught()]) == (["closed"], ["ConnectionError"])


def test_debugger_is_not_disturbed(shop: Shop) -> None:
    def debugger(*event: object) -> None:
        """Hears of everything."""

    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        shop.call("falls_back")
        kept = sys.gettrace()
    finally:
        sys.settrace(before)
    assert (kept, shop.caught()) == (debugger, [None])


def test_nothing_is_heard_when_it_is_over(shop: Shop) -> None:
    before = sys.gettrace()
    shop.call("falls_back")
    stop_following()
    assert sys.gettrace() is before


def test_nothing_is_heard_once_all_have_returned_who_could_catch_it(shop: Shop) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(shop.call, "falls_back").result()
        left = thread.submit(sys.gettrace).result()
    assert (left, shop.caught()) == (None, [("production", "falls_back", "ConnectionError")])


def test_what_hears_which_files_run_may_have_heard_enough_before(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executed._Tracing, "MOST_CALLS", 10)
    hears = executed._Tracing()
    hears.begin(lambda name: True)
    shop.call("works_first", "503")
    hears.end(lambda name: True)
    assert shop.caught() == [("production", "works_first", "Refused")]
