"""Whole commands: the storefront and small projects that call services, without any settings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"
Amplify = Callable[..., dict[str, dict[str, object]]]

SHOP = """
import requests

def stars(url):
    try:
        response = requests.get(f"{url}/reviews/7", timeout=5)
        response.raise_for_status()
        return response.json()["stars"]
    except requests.RequestException:
        return None
"""
SERVICE = """
import json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import pytest, shop

class ReviewsHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/gone":
            self.send_error(410)
        body = json.dumps({"stars": 5}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

@pytest.fixture
def reviews():
    server = ThreadingHTTPServer(("127.0.0.1", 0), ReviewsHandler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
"""


@pytest.fixture(scope="module")
def amplify(socrates) -> Amplify:
    """Runs ``socrates amplify`` in a folder; results by the name of the test."""

    def run(folder: Path, *args: str) -> dict[str, dict[str, object]]:
        done = socrates(folder, "amplify", "--output-format", "json", *args)
        if done.returncode == 2:
            raise RuntimeError(done.stderr)
        tests = json.loads(done.stdout)["tests"]
        return {test["nodeid"].rpartition("::")[2]: test for test in tests}

    return run


@pytest.fixture(scope="module")
def storefront(amplify: Amplify, tmp_path_factory: pytest.TempPathFactory):
    """The results for both twins."""

    def of(name: str, *args: str) -> dict[str, dict[str, object]]:
        folder = tmp_path_factory.mktemp("examples") / name
        ignored = shutil.ignore_patterns(".socrates", "__pycache__")
        return amplify(shutil.copytree(EXAMPLES / name, folder, ignore=ignored), *args)

    return of


@pytest.fixture(scope="module")
def defective(storefront):
    """What is found in the storefront, one defect a test."""
    return storefront("storefront", "--max-defects", "1", "--faults", "timeout,status:500")


def kinds(test) -> list[tuple[str, str]]:
    """The faults of a test's first defect, each with its service."""
    return sorted((fault["kind"], fault["to"]) for fault in test["defects"][0]["faults"])


def test_an_error_of_the_carrier_sends_parcels_for_free(defective) -> None:
    assert kinds(defective["test_delivery_has_its_price"]) == [("status:500", "shipping")]


def test_an_error_of_the_catalogue_breaks_the_title(defective) -> None:
    assert kinds(defective["test_title_is_shown"]) == [("status:500", "catalogue")]


def test_the_fallback_is_found_behind_the_first_fault(defective) -> None:
    found = kinds(defective["test_stars_are_those_of_the_reviews"])
    assert {service for _, service in found} == {"catalogue", "reviews"}


def test_the_repaired_storefront_is_resilient(storefront) -> None:
    found = storefront("storefront_repaired", "--faults", "timeout,status:500")
    assert {test["status"] for test in found.values()} == {"resilient"}


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    """Writes a project that asks one service, with a test of it."""

    def write(test: str, settings: str = "", shop: str = SHOP) -> Path:
        (tmp_path / "shop.py").write_text(shop)
        (tmp_path / "test_shop.py").write_text(SERVICE + dedent(test))
        (tmp_path / "pyproject.toml").write_text(dedent(settings))
        return tmp_path

    return write


ALWAYS_FIVE = """
    def test_stars(reviews):
        assert shop.stars(reviews) == 5
"""


def test_a_test_may_say_what_it_expects_of_a_fault(project, amplify) -> None:
    folder = project(
        """
        from socrates_amplify import faults

        def test_stars(reviews):
            assert shop.stars(reviews) == (None if faults.injected_on("reviews") else 5)
        """
    )
    assert amplify(folder)["test_stars"]["status"] == "resilient"


def test_the_fixture_says_the_same(project, amplify) -> None:
    folder = project(
        """
        def test_stars(reviews, faults):
            assert shop.stars(reviews) == (None if faults.injected("status") else 5)
        """
    )
    plugin = ("--", "-p", "socrates_amplify.pytest_plugin")
    assert amplify(folder, "--faults", "status:503", *plugin)["test_stars"]["status"] == "resilient"


def test_failing_without_a_critical_service_is_right(project, amplify) -> None:
    folder = project(ALWAYS_FIVE, '[tool.socrates.amplify]\ncritical = ["reviews"]\n')
    assert amplify(folder)["test_stars"]["status"] == "no-targets"


def test_a_service_is_called_after_its_handler(project, amplify) -> None:
    folder = project(ALWAYS_FIVE)
    found = amplify(folder, "--faults", "connection-error")["test_stars"]
    assert found["defects"][0]["faults"][0]["to"] == "reviews"


def test_statuses_that_the_service_can_answer_are_tried(project, amplify) -> None:
    found = amplify(project(ALWAYS_FIVE), "--faults", "status")["test_stars"]
    assert found["faults"] == 4


def test_an_injected_exception_that_is_swallowed_is_a_pass(project, amplify) -> None:
    folder = project(
        """
        def test_stars(reviews):
            assert shop.stars(reviews) in (5, None)
        """
    )
    assert amplify(folder)["test_stars"]["status"] == "resilient"


def test_a_status_that_is_none_is_told(project, amplify) -> None:
    with pytest.raises(RuntimeError, match="status from 400 to 599"):
        amplify(project(ALWAYS_FIVE), "--faults", "status:200")


NOTHING_THERE = """
    def test_stars(reviews):
        assert shop.stars("http://127.0.0.1:9") is None
"""


def test_a_call_that_fails_by_itself_is_left_as_it_is(project, amplify) -> None:
    found = amplify(project(NOTHING_THERE))["test_stars"]
    assert (found["status"], "go wrong without faults" in found["note"]) == ("no-targets", True)


def test_the_exhaustive_search_faults_it_as_its_publication_does(project, amplify) -> None:
    found = amplify(project(NOTHING_THERE), "--explorer", "exhaustive")["test_stars"]
    assert (found["status"], found["faults"]) == ("resilient", 5)
