"""Who is called, what is shown of calls, and which call is which."""

from __future__ import annotations

import multiprocessing
import socket
import sys
import threading
from contextlib import closing
from types import SimpleNamespace

import pytest
import requests

from socrates.errors import SocratesError
from socrates_amplify.probes.http.calls.naming import (
    app_hint,
    handler_hint,
    label,
    module_hint,
    path_hint,
    process_hint,
)
from socrates_amplify.probes.http.calls.outgoing import body_digest, host_and_port
from socrates_amplify.probes.http.calls.service_names import Services, first_free_port
from socrates_amplify.probes.http.calls.settings import read_settings
from socrates_amplify.probes.http.servers import patch_sockets
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import role
from socrates_amplify.record.masking import masker
from socrates_amplify.record.messages import Described

FREE = first_free_port()


@pytest.fixture
def services():
    """Names for services, some of them configured."""

    def make(**named: str) -> Services:
        return Services(named, lambda sent, content: Described("", content))

    return make


def test_a_configured_name_comes_first(services) -> None:
    known = services(reviews=f"http://localhost:{FREE}")
    assert known.name_of("127.0.0.1", FREE) == "reviews"


def test_server_of_django_for_tests_is_called_so() -> None:
    stock = type("QuietWSGIRequestHandler", (), {"__module__": "django.test.testcases"})
    assert label("", "", stock) == "django"


def test_a_chosen_port_is_shown(services) -> None:
    assert services().name_of("127.0.0.1", 8000) == "127.0.0.1:8000"


def test_a_port_that_the_system_chose_is_not(services) -> None:
    assert services().name_of("127.0.0.1", FREE + 7) == "localhost#1"


def test_a_public_host_needs_no_port(services) -> None:
    assert services().name_of("api.example.com", 443) == "api.example.com"


def test_a_unix_socket_is_named_by_its_path(services) -> None:
    assert services().name_of("%2Frun%2Fapi.sock", 80) == "/run/api.sock"


def test_a_service_that_listens_gives_its_name(services) -> None:
    known = services()
    known.listening(FREE + 7, "ratings")
    assert known.name_of("localhost", FREE + 7) == "ratings"


def test_two_services_of_one_name_are_told_apart(services) -> None:
    known = services()
    names = [known.listening(FREE + number, "ratings") for number in (1, 2)]
    assert names == ["ratings", "ratings#2"]


def test_a_service_that_is_called_too_early_still_gets_its_name(services) -> None:
    known = services()
    known.name_of("localhost", FREE + 7)
    assert known.listening(FREE + 7, "ratings") == "ratings"


class Knocking:
    """A journal that tries each port whose name it is told."""

    def __init__(self) -> None:
        self.answers: list[bool] = []

    def listening(self, port: int, hint: str, shown: str) -> None:
        with closing(socket.socket()) as client:
            self.answers.append(client.connect_ex(("127.0.0.1", port)) == 0)


@pytest.fixture
def knocking():
    """It, as the journal of this process."""
    patches, journal = Patches(), Knocking()
    patch_sockets(patches, journal)
    yield journal
    patches.undo()


def test_a_service_is_named_before_it_can_be_called(knocking) -> None:
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
    assert knocking.answers == [False]


def test_a_service_without_a_port_is_named_once_it_has_one(knocking) -> None:
    with closing(socket.socket()) as server:
        server.listen()
    assert knocking.answers == [True]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ReviewsHandler", "reviews"),
        ("OrderBookHTTPRequestHandler", "order-book"),
        ("Handler", ""),
        ("<lambda>", ""),
    ],
)
def test_a_handler_names_its_service(name, hint) -> None:
    assert handler_hint(type(name, (), {"__module__": "shop"})) == hint


@pytest.mark.parametrize(
    ("module", "hint"), [("reviews", "reviews"), ("shop.reviews.app", "reviews"), ("main", "")]
)
def test_a_module_names_its_service(module, hint) -> None:
    assert module_hint(module) == hint


def test_an_application_by_its_import_string() -> None:
    assert app_hint("shop.reviews:app") == "reviews"


def test_a_script_in_a_folder_is_called_after_the_folder() -> None:
    assert path_hint("services/reviews/app.py") == "reviews"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"token": "abc", "id": 1}', '{"token": ***, "id": 1}'),
        ("password=hunter2&user=ann", "password=***&user=ann"),
        ("api_key: 12345", "api_key: ***"),
        ("GET /users/ann", "GET /users/ann"),
    ],
)
def test_secrets_are_masked_by_their_names(text, shown) -> None:
    assert masker()(text) == shown


def test_words_are_masked_by_pattern() -> None:
    assert masker(["bot[0-9]*"])("GET /bot123/send") == "GET /***/send"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (b'{"id": 1, "name": "a"}', b'{"name": "a", "id": 1}'),
        (b'{"at": 1700000000}', b'{"at": 1700000009}'),
        (b"cb=http://127.0.0.1:40001/x", b"cb=http://127.0.0.1:40002/x"),
    ],
    ids=["order of keys", "clocks", "ports of this machine"],
)
def test_bodies_that_say_the_same_are_the_same(one, two) -> None:
    assert body_digest(one) == body_digest(two)


def test_bodies_that_say_something_else_differ() -> None:
    assert body_digest(b'{"id": 1}') != body_digest(b'{"id": 2}')


@pytest.mark.parametrize(
    "body",
    [object(), iter([b""]), b"\xff\xfe", bytearray(b"x")],
    ids=["object", "iterator", "bytes", "bytearray"],
)
def test_any_body_has_a_digest(body) -> None:
    assert body_digest(body)


def test_a_broken_address_does_no_harm() -> None:
    assert host_and_port("http://host:notaport")[1] == 80


def in_one_place(url: str) -> None:
    """A call, made from wherever this is called."""
    requests.get(f"{url}/reviews/7", timeout=5)


def test_the_way_to_a_call_tells_it_from_others(run, shop) -> None:
    def code() -> None:
        in_one_place(shop.url)
        in_one_place(shop.url)

    one, two = run(code).calls
    assert one.slot != two.slot


def test_a_fallback_is_not_the_retry_of_a_loop(run, shop) -> None:
    def code() -> None:
        for _ in range(2):
            in_one_place(shop.url)
        in_one_place(shop.url)

    control = run(code)
    third = control.faults("connection-error")[2]

    def shortened() -> None:
        in_one_place(shop.url)

    assert third.target not in {call.target for call in run(shortened).calls}


def test_a_thread_calls_in_the_name_of_who_started_it(run, shop) -> None:
    def code() -> None:
        thread = threading.Thread(target=in_one_place, args=(shop.url,))
        thread.start()
        thread.join()

    assert run(code).calls[0].sender == "test"


def test_calls_of_the_test_itself_are_no_targets(run, shop) -> None:
    ran = run(lambda: in_one_place(shop.url), config={"test-calls": False})
    assert (len(ran.calls), ran.faults("connection-error")) == (1, [])


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"statuses": [200]}, "statuses from 400 to 599"),
        ({"services": ["x"]}, "must name addresses"),
        ({"slow": 0}, "a number of seconds above 0"),
        ({"header": "no"}, "true or false"),
        ({"mask": "x"}, "a list of globs"),
        ({"heder": True}, "did you mean"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_mistake_in_the_settings_is_told(table, told) -> None:
    with pytest.raises(SocratesError, match=told):
        read_settings(table)


def test_an_address_that_is_none_is_told(services) -> None:
    with pytest.raises(SocratesError, match="is no address"):
        services(reviews="http://")


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        pytest.param(["/srv/shop/reviews.py"], "reviews", id="script"),
        pytest.param(["/srv/shop/app.py"], "shop", id="folder of a script of any name"),
        pytest.param(["/bin/uvicorn", "--port", "1"], "1", id="runner"),
        pytest.param(["/bin/uvicorn", "-q", "shop.reviews:app"], "reviews", id="application"),
        pytest.param(["/bin/gunicorn", "reviews.py"], "reviews", id="file of a runner"),
        pytest.param(["/lib/flask/__main__.py", "run", "ratings"], "ratings", id="flask run"),
        pytest.param(["/lib/hypercorn/__main__.py", "runserver", "a"], "a", id="runserver"),
        pytest.param(["/lib/shop/__main__.py", "ratings"], "shop", id="module of its own"),
        pytest.param(["-c"], "", id="no name at all"),
    ],
)
def test_name_of_a_process(argv: list[str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(role, "child", True)
    monkeypatch.setattr(sys, "argv", argv)
    assert process_hint() == expected


def test_the_process_of_the_test_has_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(role, "child", False)
    monkeypatch.setattr(sys, "argv", ["/srv/shop/reviews.py"])
    assert process_hint() == ""


def serve_ratings() -> None:
    """What a process is made to run."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("reviews", "reviews"), ("Process-1", "ratings"), ("SpawnProcess-2:1", "ratings")],
)
def test_name_of_a_started_process(
    name: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = SimpleNamespace(name=name, _target=serve_ratings)
    monkeypatch.setattr(role, "child", True)
    monkeypatch.setattr(multiprocessing.process, "current_process", lambda: process)
    assert process_hint() == expected


def view() -> None:
    """What an application answers by."""


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        pytest.param(SimpleNamespace(title="Our Reviews!"), "our-reviews", id="title"),
        pytest.param(SimpleNamespace(title="FastAPI", routes=()), "", id="title that says nothing"),
        pytest.param(
            SimpleNamespace(routes=[SimpleNamespace(), SimpleNamespace(endpoint=view)]),
            "test_naming",
            id="module of its views",
        ),
        pytest.param(
            SimpleNamespace(
                routes=[SimpleNamespace(endpoint=SimpleNamespace(__module__="fastapi.x"))]
            ),
            "",
            id="views of the framework",
        ),
        pytest.param(None, "", id="none"),
        pytest.param("shop.reviews:app", "reviews", id="text"),
    ],
)
def test_name_of_an_application(app: object, expected: str) -> None:
    assert app_hint(app) == expected


@pytest.mark.parametrize("url", ["http://localhost:x", "http://:80", "", "http://a:0x"])
def test_address_of_a_service_that_is_none(services, url: str) -> None:
    with pytest.raises(SocratesError, match="is no address"):
        services(reviews=url)


@pytest.mark.parametrize(
    ("url", "port"), [("https://a.b", 443), ("http://a.b", 80), ("a.b", 80), ("a.b:81", 81)]
)
def test_port_of_a_configured_address(services, url: str, port: int) -> None:
    assert services(reviews=url).name_of("A.B", port) == "reviews"


def test_a_call_of_nobody_has_a_name(services) -> None:
    assert services().at("http://").address == "nowhere"
