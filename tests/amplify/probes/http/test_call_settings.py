"""What the user says about remote calls: read, refused by key, and what can happen to a call then."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.http.answers.sources import found_sources, unmatched_sources
from socrates_amplify.probes.http.calls.service_names import Services
from socrates_amplify.probes.http.calls.settings import CallSettings, read_settings
from socrates_amplify.record.messages import Described


def test_defaults() -> None:
    assert read_settings({}) == CallSettings({}, {}, (500, 502, 503), 1.0, True, True, False, False)


@pytest.mark.parametrize(
    ("key", "value", "field", "expected"),
    [
        ("services", {"a": "http://x"}, "services", {"a": "http://x"}),
        ("sources", {"a": "src"}, "sources", {"a": "src"}),
        ("statuses", [400, 599], "statuses", (400, 599)),
        ("statuses", "service", "statuses", ("service",)),
        ("slow", 2, "slow", 2.0),
        ("header", False, "header", False),
        ("processes", False, "processes", False),
        ("test-calls", True, "test_calls", True),
        ("honest-timeouts", True, "honest_timeouts", True),
    ],
)
def test_setting(key: str, value: object, field: str, expected: object) -> None:
    assert getattr(read_settings({key: value}), field) == expected


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("service", {}, "service: unknown key; did you mean"),
        ("services", [], "services must name addresses"),
        ("services", {"a": 1}, "services must name addresses"),
        ("sources", "src", "sources must name files or folders"),
        ("statuses", 500, "statuses must be a list of statuses from 400 to 599"),
        ("statuses", [399], "statuses must be a list of statuses from 400 to 599"),
        ("statuses", [600], "statuses must be a list of statuses from 400 to 599"),
        ("statuses", ["500"], "statuses must be a list of statuses from 400 to 599"),
        ("slow", 0, "slow must be a number of seconds above 0, not 0"),
        ("slow", True, "slow must be a number of seconds above 0, not True"),
        ("slow", "1", "slow must be a number of seconds above 0, not '1'"),
        ("header", 1, "header must be true or false, not 1"),
        ("mask", "x", "mask must be a list of globs"),
    ],
)
def test_mistake_is_named(key: str, value: object, said: str) -> None:
    with pytest.raises(SocratesError) as caught:
        read_settings({key: value})
    assert str(caught.value).startswith(f"[tool.socrates.amplify.http] {said}")


@pytest.mark.parametrize(
    ("timeout", "honest", "expected"),
    [
        (None, True, ["connection-error", "status 500", "slow", "down"]),
        (2.5, False, ["connection-error", "timeout", "lost-reply", "status 500", "slow", "down"]),
        (
            2.5,
            True,
            [
                "connection-error",
                "timeout",
                "lost-reply",
                "within 2.5",
                "status 500",
                "slow",
                "down",
            ],
        ),
    ],
)
def test_what_can_happen_to_a_call(
    timeout: float | None, honest: bool, expected: list[str]
) -> None:
    offers = CallSettings(statuses=(500,), honest_timeouts=honest).offers(timeout)
    assert [f"{offer.kind} {offer.detail}".strip() for offer in offers] == expected


def services(**named: str) -> Services:
    return Services(named, lambda sent, content: Described("", content))


@pytest.mark.parametrize(
    ("host", "port", "name"),
    [
        ("shop.example", 80, "shop.example"),
        ("shop.example", 443, "shop.example"),
        ("shop.example", 81, "shop.example:81"),
        ("127.0.0.1", 9001, "reviews"),
        ("LOCALHOST", 9001, "reviews"),
        ("", 80, "nowhere"),
    ],
)
def test_name_of_an_address(host: str, port: int, name: str) -> None:
    assert services(reviews="http://localhost:9001").name_of(host, port) == name


def test_service_that_listens_gives_its_name() -> None:
    known = services()
    told = [known.listening(port, "shop") for port in (65001, 65002, 65001)]
    assert (told, known.name_of("localhost", 65003)) == (["shop", "shop#2", "shop"], "localhost#1")


def test_configured_name_stays() -> None:
    known = services(reviews="localhost:65001")
    name = known.listening(65001, "shop", "the shop")
    assert (name, known.called(name).address) == ("reviews", "reviews")


def test_service_is_shown_by_the_first_name_that_says_more() -> None:
    known = services()
    name = known.listening(65001, "shop", "the shop")
    known.listening(65001, "shop", "another")
    assert (name, known.called(name).key, known.called(name).address) == (
        "shop",
        "shop",
        "the shop",
    )


def test_application_in_this_process_gives_its_name() -> None:
    known = services()
    asked = known.at("http://testserver", "shop"), known.at("http://example.com", "shop")
    assert [actor.address for actor in asked] == ["shop", "example.com"]


def test_service_at_an_address_is_one() -> None:
    known = services()
    assert known.at("http://a.example") is known.at("http://a.example")


def test_source_is_found(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "app.py").touch()
    (tmp_path / "one.py").touch()
    found = found_sources(str(tmp_path), {"shop": "shop", "one": "one.py"})
    assert found == {"shop": tmp_path / "shop", "one": tmp_path / "one.py"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("empty", "shop: 'empty' has no Python file"),
        ("gone.py", "shop: there is no 'gone.py' in"),
        ("bad.py", "shop: 'bad.py' is no Python"),
    ],
)
def test_source_that_is_none_is_named(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.py").write_text("def (:", "utf-8")
    with pytest.raises(SocratesError) as caught:
        found_sources(str(tmp_path), {"shop": name})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("sources", "faults", "warnings"),
    [
        ({"shp": "x"}, [Fault("t", "timeout", receiver="shop")], 1),
        ({"shop": "x"}, [Fault("t", "timeout", receiver="shop")], 0),
        ({"shp": "x"}, [], 0),
        ({"shp": "x"}, [Fault("t", "duplicate", receiver="shop")], 0),
        ("wrong", [Fault("t", "timeout", receiver="shop")], 0),
    ],
)
def test_source_of_a_service_that_no_test_calls(
    sources: object, faults: list[Fault], warnings: int
) -> None:
    assert len(list(unmatched_sources({"http": {"sources": sources}}, faults))) == warnings
