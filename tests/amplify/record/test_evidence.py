"""Frames and chains as they are recorded, of real exceptions in files of a real project."""

from __future__ import annotations

import asyncio
import os
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, ModuleType

import pytest

import socrates
from socrates_amplify.model.evidence import Evidence, Link
from socrates_amplify.model.evidence_serial import evidence_from_json, evidence_to_json
from socrates_amplify.record.evidence import injection, link_of_wait, links_of
from socrates_amplify.record.whose import Roles, is_test

SHOP = """\
import json
class ShopError(Exception): pass
def slips(answer): return answer["title"]
def raises(answer): raise ShopError("down")
def asserts(answer): assert not answer
def decodes(answer): return json.loads("<html>")
def wraps(answer):
    try:
        slips(answer)
    except KeyError as error:
        raise ShopError("wrapped") from error
def hides(answer):
    try:
        slips(answer)
    except KeyError:
        raise ShopError("hidden") from None
async def gathers(answer): raise ExceptionGroup("several", [ValueError("one"), KeyError("two")])
def calls(back):
    return back()
def traced(back):
    def wrapper(*args):
        return back(*args)
    return wrapper
async def waits(event): await event.wait()
async def takes_over(task): await task
"""


@pytest.fixture
def shop(tmp_path: Path) -> dict[str, Callable[..., object]]:
    """The functions of a module of production code."""
    path = tmp_path / "shop.py"
    path.write_text(SHOP)
    names: dict[str, Callable[..., object]] = {"__name__": "shop"}  # type: ignore[dict-item]
    exec(compile(SHOP, str(path), "exec"), names)
    return names


@pytest.fixture
def roles(tmp_path: Path) -> Roles:
    return Roles(str(tmp_path), __file__)


def links(shop: dict[str, Callable[..., object]], roles: Roles, name: str) -> tuple[Link, ...]:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        shop[name]({"price": 1})
    return links_of(caught.value, roles)


def test_what_a_decorator_wraps_around_a_function_sends_only_where_nothing_else_does(
    shop, roles
) -> None:
    wrapper, calls = shop["traced"](len).__code__, shop["calls"].__code__
    assert roles.sender_among([wrapper, calls]) == "shop.py:calls"
    assert roles.sender_among([wrapper]) == "shop.py:traced.<locals>.wrapper"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("slips", ("production", False)),
        ("raises", ("production", True)),
        ("asserts", ("production", True)),
        ("decodes", ("library", True)),
    ],
)
def test_who_raised_it_and_whether_by_a_raise(shop, roles, name: str, expected) -> None:
    (link, *_) = links(shop, roles, name)
    assert (link.frames[-1].role, link.raised) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wraps", [("ShopError", ""), ("KeyError", "cause")]),
        ("hides", [("ShopError", ""), ("KeyError", "context")]),
    ],
)
def test_what_stands_behind_an_exception_is_kept(shop, roles, name: str, expected) -> None:
    assert [(link.type, link.relation) for link in links(shop, roles, name)] == expected


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        pytest.param("raises", True, id="an error of its own"),
        pytest.param("slips", False, id="a slip"),
    ],
)
def test_error_of_a_task_that_others_awaited_before_was_raised_there(
    shop, roles, name: str, raised: bool
) -> None:
    async def fails() -> None:
        shop[name]({})

    async def told() -> list[Link]:
        task = asyncio.create_task(fails())
        awaiting = [asyncio.create_task(shop["takes_over"](task)) for _ in range(2)]
        errors = await asyncio.gather(*awaiting, return_exceptions=True)
        return [links_of(error, roles)[0] for error in errors]

    first, second = asyncio.run(told())
    assert (first.raised, second.raised) == (raised, raised)


def test_members_of_a_group_are_kept(roles: Roles) -> None:
    group = ExceptionGroup("several", [ValueError("one"), KeyError("two")])
    kept = [(link.type, link.relation) for link in links_of(group, roles)]
    assert kept == [("ExceptionGroup", ""), ("ValueError", "member"), ("KeyError", "member")]


def test_frames_name_the_file_as_seen_from_the_project(shop, roles) -> None:
    (link, *_) = links(shop, roles, "slips")
    assert link.frames[-1].place == "shop.py:3"


def test_where_a_fault_is_applied_is_the_line_of_production_code(shop, roles) -> None:
    def frame() -> FrameType:
        return sys._getframe(0)

    kept = injection("t1", "timeout", shop["calls"](frame), roles)  # type: ignore[arg-type]
    assert (kept.site and kept.site.function, kept.call) == ("calls", "return back()")


@pytest.mark.parametrize(
    ("file", "module", "role"),
    [
        ("{root}/shop/client.py", "shop.client", "production"),
        ("{root}/tests/helpers.py", "helpers", "test"),
        ("{root}/conftest.py", "conftest", "test"),
        (f"{sysconfig.get_path('scripts')}/socrates", "__main__", "library"),
        (socrates.__file__, "socrates", "ours"),
        ("{root}/.venv/lib/site-packages/requests/api.py", "requests.api", "library"),
        ("{root}/.venv/lib/site-packages/responses/__init__.py", "responses", "fake"),
        ("{root}/.venv/lib/site-packages/flask/app.py", "flask.app", "web"),
        ("{root}/.venv/lib/site-packages/_pytest/python.py", "_pytest.python", "framework"),
        ("{root}/.venv/lib/site-packages/own/client.py", "own.client", "production"),
        ("/usr/lib/python3/dist-packages/yaml/__init__.py", "yaml", "library"),
        ("/elsewhere/project/src/thing.py", "thing", "production"),
        ("<frozen importlib._bootstrap>", "importlib", "library"),
    ],
)
def test_whose_code_it_is(tmp_path: Path, file: str, module: str, role: str) -> None:
    (tmp_path / "src" / "own").mkdir(parents=True)
    (tmp_path / "src" / "own" / "__init__.py").touch()
    roles = Roles(str(tmp_path), str(tmp_path / "tests" / "test_a.py"))
    assert roles.role(file.format(root=tmp_path), module) == role


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("{root}/shop/client.py", "shop/client.py"),
        ("{root}/.venv/lib/site-packages/own/client.py", "src/own/client.py"),
        ("{root}/.venv/lib/site-packages/requests/api.py", "requests/api.py"),
        ("{root}/../beside/client.py", "../beside/client.py"),
    ],
)
def test_file_is_told_as_seen_from_the_project(tmp_path: Path, file: str, shown: str) -> None:
    root = tmp_path / "project"
    (root / "src" / "own").mkdir(parents=True)
    (root / "src" / "own" / "__init__.py").touch()
    path = os.path.normpath(file.format(root=root))
    assert Roles(str(root), "").relative(path) == shown


@pytest.mark.parametrize(
    ("module", "role"),
    [("django.views.decorators.debug", "library"), ("django.core.handlers.base", "web")],
)
def test_only_what_dispatches_requests_serves_them(tmp_path: Path, module: str, role: str) -> None:
    file = f"/venv/lib/site-packages/{module.replace('.', '/')}.py"
    assert Roles(str(tmp_path), "").role(file, module) == role


@pytest.mark.parametrize("has_project", [True, False])
def test_root_that_is_the_folder_of_tests_of_a_project_has_nothing_but_tests(
    tmp_path: Path, *, has_project: bool
) -> None:
    root = tmp_path / "tests"
    if has_project:
        (tmp_path / "setup.py").touch()
    assert is_test(str(root / "helpers" / "tools.py"), "", str(root)) is has_project


def test_plain_module_that_cython_compiled_is_the_library_that_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = ModuleType("pydantic.main")
    compiled.__file__ = "/venv/lib/site-packages/pydantic/main.cpython-311-x86_64-linux-gnu.so"
    monkeypatch.setitem(sys.modules, "pydantic.main", compiled)
    roles = Roles(str(tmp_path), "")
    assert [roles.role("pydantic/main.py", name) for name in ("pydantic.main", "")] == [
        "library"
    ] * 2


def test_code_that_asked_stands_for_a_task_of_its_own(shop, roles) -> None:
    code = shop["calls"].__code__
    kept = injection("t1", "timeout", None, roles, [(code, code.co_firstlineno + 1)])
    assert (kept.site and kept.site.function, kept.call) == ("calls", "return back()")


@pytest.mark.parametrize(
    ("file", "role"), [("../bin/socrates", "library"), ("shop.py", "production")]
)
def test_command_that_runs_the_tests_is_no_production_code(
    file: str, role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = ModuleType("__main__")
    main.__file__ = "../bin/socrates"
    monkeypatch.setitem(sys.modules, "__main__", main)
    assert Roles(str(tmp_path), "").role(file, "__main__") == role


def code_at(file: str) -> CodeType:
    """A function of this file."""
    made = compile("def call(): pass", file, "exec")
    return next(one for one in made.co_consts if isinstance(one, CodeType))


LIBRARY, STOCK, TESTS = "/venv/lib/site-packages/datasette/app.py", "stock.py", "tests/test_a.py"


@pytest.mark.parametrize(
    ("files", "loaded", "expected"),
    [
        pytest.param([TESTS, STOCK], True, "test", id="test"),
        pytest.param([STOCK, TESTS], True, "production", id="production code"),
        pytest.param([LIBRARY, TESTS], True, "test", id="test by a library's client"),
        pytest.param(
            [LIBRARY, STOCK, TESTS], True, "production", id="production code by a library"
        ),
        pytest.param([LIBRARY], True, "library", id="library by itself"),
        pytest.param([LIBRARY, TESTS], False, "production", id="tests of an installed package"),
    ],
)
def test_whose_call_it_is(
    files: list[str], loaded: bool, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = ModuleType("shop")
    shop.__file__ = str(tmp_path / STOCK)
    monkeypatch.setattr(sys, "modules", {"shop": shop} if loaded else {})
    roles = Roles(str(tmp_path), str(tmp_path / TESTS))
    codes = [code_at(str(tmp_path / file)) for file in files]  # an absolute path stays as it is
    assert roles.who_asks(codes) == expected


TWO_CALLS = """\
def ask(back):
    first = back()
    back()
    second = [
        back(),
    ]
    back()
    return second
"""


def test_calls_that_read_the_same_in_one_function_are_told_apart(tmp_path, roles) -> None:
    path = tmp_path / "twice.py"
    path.write_text(TWO_CALLS)
    names: dict[str, Callable[..., object]] = {"__name__": "twice"}  # type: ignore[dict-item]
    exec(compile(TWO_CALLS, str(path), "exec"), names)
    seen: list[str] = []
    names["ask"](lambda: seen.append(injection("t", "k", sys._getframe(1), roles).call))
    assert seen == ["first = back()", "back()", "back(),", "back() #2"]


def test_asking_who_asks_does_not_hide_what_serves_requests(tmp_path: Path) -> None:
    roles = Roles(str(tmp_path), "")
    roles.who_asks([code_at(LIBRARY)])
    assert roles.role(LIBRARY, "datasette.app") == "web"


def test_evidence_survives_being_written(shop, roles) -> None:
    kept = Evidence(links(shop, roles, "wraps"), (injection("t", "k", sys._getframe(), roles),))
    assert evidence_from_json(evidence_to_json(kept)) == kept


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("/p/shop.py", False, id="production"),
        pytest.param("/p/check.py", True, id="the file of the test"),
        pytest.param("/p/shop/conftest.py", True, id="conftest"),
        pytest.param("/p/shop/test_shop.py", True, id="by its name"),
        pytest.param("/p/shop/shop_test.py", True, id="by the end of its name"),
        pytest.param("/p/tests/tools.py", True, id="in a folder of tests"),
        pytest.param("/p/testing/deep/tools.py", True, id="below a folder of tests"),
        pytest.param("/p/shop/tests", False, id="a file named like such a folder"),
        pytest.param("/tests/tools.py", False, id="outside of the project"),
    ],
)
def test_file_of_the_tests(name: str, expected: bool) -> None:
    assert is_test(name, "/p/check.py", "/p") is expected


def test_exception_that_is_its_own_context_is_told_once(tmp_path: Path) -> None:
    error = ValueError("a")
    error.__cause__ = KeyError("b")
    error.__cause__.__cause__ = error
    links = links_of(error, Roles(str(tmp_path), ""))
    assert [link.type for link in links] == ["ValueError", "KeyError"]


def test_deep_traceback_keeps_both_ends(tmp_path: Path) -> None:
    def deeper(left: int) -> None:
        if not left:
            raise ValueError
        deeper(left - 1)

    def first() -> None:
        deeper(200)

    try:
        first()
    except ValueError as error:
        (link,) = links_of(error, Roles(str(tmp_path), ""))
    names = [frame.function.rpartition(".")[2] for frame in link.frames]
    assert (names[1], names[-1], len(names) < 100) == ("first", "deeper", True)


def test_wait_is_told_from_the_outside_in(tmp_path: Path) -> None:
    link = link_of_wait(sys._getframe(), Roles(str(tmp_path), __file__))
    last = link.frames[-1]
    assert (link.type, last.function, last.role) == (
        "Hang",
        "test_wait_is_told_from_the_outside_in",
        "test",
    )


def told_of_a_task(shop: dict[str, Callable[..., object]], roles: Roles) -> Link:
    """Where everything waits, while a task of production code waits for an event."""

    async def told() -> Link:
        event = asyncio.Event()
        task = asyncio.ensure_future(shop["waits"](event))  # type: ignore[call-overload]
        await asyncio.sleep(0)
        found = link_of_wait(sys._getframe(), roles)
        event.set()
        await task
        return found

    return asyncio.run(told())


def told_of_a_thread(shop: dict[str, Callable[..., object]], roles: Roles) -> Link:
    """The same, while a thread does."""
    asked, event = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        event.wait(30)

    thread = threading.Thread(target=shop["calls"], args=(wait,), daemon=True)
    thread.start()
    asked.wait(30)
    found = link_of_wait(sys._getframe(), roles)
    event.set()
    thread.join(30)
    return found


@pytest.mark.parametrize(
    ("told", "function"), [(told_of_a_task, "waits"), (told_of_a_thread, "calls")]
)
def test_production_code_that_waits_elsewhere_is_told(shop, roles, told, function: str) -> None:
    waiting = [frame.function for frame in told(shop, roles).frames if frame.role == "production"]
    assert waiting == [function]


@pytest.mark.parametrize(
    ("module", "role"),
    [
        *(
            (name, "fake")
            for name in "responses respx vcr moto flexmock doublex aresponses".split()
        ),
        *((name, "fake") for name in "requests_mock pytest_httpx httpretty mock fakeredis".split()),
        *((name, "framework") for name in "pytest pluggy unittest hypothesis trio nose2".split()),
        *(
            (name, "web")
            for name in "flask.app werkzeug.serving starlette.routing falcon.app".split()
        ),
        *((name, "library") for name in "requests httpx urllib3.util flask.json".split()),
        ("unittest.mock", "fake"),
    ],
)
def test_role_of_an_installed_module(module: str, role: str, tmp_path: Path) -> None:
    path = tmp_path / "site-packages" / f"{module.replace('.', '/')}.py"
    assert Roles(str(tmp_path), "").role(str(path), module) == role
