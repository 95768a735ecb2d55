"""Which calls can have to do with a failure: whose answers reached the failing assertion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor
from socrates_amplify.exploration.pruners import CausalityPruner
from socrates_amplify.model.events import Offer, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.kinds import CALL
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.probes.space import call_faults

SUITE = """
import pytest, responses
import shop
import shop as store
import stores.corner
from shop import Page, Page as View

class Corner(Page):
    pass

def corner():
    return Page()

@pytest.fixture(autouse=True)
def network():
    with responses.RequestsMock(assert_all_requests_are_fired=False) as fake:
        for name in ("reviews", "prices"):
            fake.get(f"http://{name}/", json=5)
        yield

def test_in_the_assertion():
    shop.ask("prices")
    page = shop.Page()
    assert page.read("reviews") == 0

def test_an_alias_of_a_module_connects_nothing():
    store.ask("prices")
    page = store.Page()
    assert page.read("reviews") == 0

def test_a_package_connects_nothing():
    stores.corner.ask("prices")
    page = stores.corner.Page()
    assert page.read("reviews") == 0

def test_an_imported_class_connects_nothing():
    Page().read("prices")
    page = Page()
    assert page.read("reviews") == 0

def test_an_alias_of_a_class_connects_nothing():
    View().read("prices")
    page = View()
    assert page.read("reviews") == 0

def test_a_class_of_the_module_connects_nothing():
    Corner().read("prices")
    page = Corner()
    assert page.read("reviews") == 0

def test_a_function_of_the_module_connects_nothing():
    corner().read("prices")
    page = corner()
    assert page.read("reviews") == 0

def test_what_is_kept_anywhere():
    shop.look("reviews")
    shop.look("prices")
    assert len(shop.seen) == 0

def test_through_a_name():
    stars = shop.Page().read("reviews")
    price = shop.Page().read("prices")
    assert stars == 0

def test_the_object_may_remember():
    page = shop.Page()
    page.read("prices")
    assert page.read("reviews") == 0

def test_the_object_may_remember_what_was_assigned():
    page = shop.Page()
    price = page.read("prices")
    stars = page.read("reviews")
    assert stars == 0
"""
SHOP = """
import requests

seen = {}

def look(name):
    seen[name] = ask(name)

def ask(name):
    return requests.get(f"http://{name}/", timeout=5).json()

class Page:
    def read(self, name):
        return ask(name)
"""


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkExecutor]:
    """A project whose tests all fail on purpose."""
    folder = tmp_path_factory.mktemp("project")
    files = {
        "shop.py": SHOP,
        "stores/corner.py": SHOP,
        "test_it.py": SUITE,
        "pytest.ini": "[pytest]",
    }
    (folder / "stores").mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    opened = ForkExecutor(Suite(Path(folder), pytest_args=("-p", "no:cacheprovider")))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("test", "service"),
    [
        ("test_in_the_assertion", "reviews"),
        ("test_through_a_name", "reviews"),
        ("test_an_alias_of_a_module_connects_nothing", "reviews"),
        ("test_a_package_connects_nothing", "reviews"),
        ("test_an_imported_class_connects_nothing", "reviews"),
        ("test_an_alias_of_a_class_connects_nothing", "reviews"),
        ("test_a_class_of_the_module_connects_nothing", "reviews"),
        ("test_a_function_of_the_module_connects_nothing", "reviews"),
        ("test_what_is_kept_anywhere", ""),
        ("test_the_object_may_remember", ""),
        ("test_the_object_may_remember_what_was_assigned", ""),
    ],
)
def test_the_service_that_a_failing_assertion_looked_at(executor, test, service) -> None:
    failure = executor.run(f"test_it.py::{test}", Scenario()).failure
    assert failure.actor == service


def call(name: str, sender: str, receiver: str, cause: str | None) -> Send:
    """A remote call."""
    offers = (Offer("timeout"),)
    return Send(name, sender, receiver, "GET /", "", cause, offers=offers, channel=CALL)


TRACE = Trace(
    (
        call("page", "test", "front", None),
        Turn("front", "page"),
        call("stars", "front", "reviews", "page"),
        Turn("reviews", "stars"),
        call("grades", "reviews", "ratings", "stars"),
        Turn("ratings", "grades"),
        call("ping", "test", "metrics", None),
        Turn("metrics", "ping"),
        *(Reply("", name, "200", "") for name in ("page", "stars", "grades", "ping")),
    )
)


def kept(actor: str) -> set[str]:
    """The targets whose faults may have made a look at this service fail."""
    faults = call_faults(TRACE, ["timeout"], ["timeout"])
    failure = Failure("AssertionError", "", "", actor=actor)
    return {fault.target for fault in CausalityPruner().prune(faults, TRACE, failure)}


def test_what_a_service_asked_others_matters() -> None:
    assert kept("front") == {"page", "stars", "grades"}


def test_what_nobody_passed_on_is_pruned() -> None:
    assert "ping" not in kept("front")


def test_who_asked_a_service_matters() -> None:
    assert kept("metrics") == {"ping"}
