"""Classes of defects, of a real application under ``socrates amplify``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = '''
import flask
import requests

URL = "http://prices.internal/mug"
app = flask.Flask("shop")
prices = {}


class PriceError(Exception):
    pass


def fetch(url):
    answer = requests.get(url, timeout=5)
    answer.raise_for_status()
    return answer.json()


@app.get("/mug")
def page():
    return {"price": fetch(URL)}


def promised_price():
    """The price.

    Raises:
        PriceError: if the service can't be reached, or the request fails.
    """
    return requests.get(URL, timeout=5).json()


def refused_price():
    try:
        answer = requests.get(URL, timeout=5)
    except requests.ConnectionError:
        raise PriceError("not answered")
    if answer.status_code != 200:
        raise PriceError(f"answered {answer.status_code}")


def kept_price():
    if "mug" not in prices:
        try:
            prices["mug"] = requests.get(URL, timeout=5).json()
        except requests.RequestException:
            prices["mug"] = None
    return prices["mug"]


def asked_price():
    try:
        return requests.get(URL, timeout=5).json()
    except requests.RequestException:
        return None
'''
TESTS = """
import pytest, responses, shop, unittest

@pytest.fixture(autouse=True)
def prices():
    with responses.RequestsMock() as fake:
        fake.assert_all_requests_are_fired = False
        fake.get(shop.URL, json=5)
        yield fake

def test_page():
    assert shop.app.test_client().get("/mug").status_code == 200

def test_promised():
    assert shop.promised_price() == 5

def test_kept():
    assert shop.kept_price() == 5

def test_asked():
    assert shop.asked_price() == 5

@pytest.fixture
def missing(prices):
    prices.replace(responses.GET, shop.URL, status=404)

def test_raises(missing):
    with pytest.raises(shop.PriceError) as caught:
        shop.refused_price()
    assert "404" in str(caught.value)

def test_except(missing):
    try:
        shop.refused_price()
    except shop.PriceError as error:
        said = error
    assert str(said) == "answered 404"

def test_swallowed():
    price = None
    try:
        price = shop.fetch(shop.URL)
    except OSError:
        pass
    assert price == 5

@pytest.mark.usefixtures("missing")
class TestPrices(unittest.TestCase):
    def test_context(self):
        with self.assertRaises(shop.PriceError) as caught:
            shop.refused_price()
        self.assertIn("404", str(caught.exception))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prices")


@pytest.fixture(scope="module")
def defects(folder: Path) -> dict[str, list[dict[str, str]]]:
    """The defects, by the name of the test."""
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    command = [sys.executable, "-m", "socrates", "amplify", "--gate", "off"]
    command += ["--faults", "connection-error", "--output-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    tests = json.loads(done.stdout)["tests"]
    return {test["nodeid"].rpartition("_")[2]: test["defects"] for test in tests}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("page", "unprepared", id="500 of a client in the same process"),
        pytest.param("promised", "inconsistent", id="another error than documented"),
        pytest.param("kept", "does not recover", id="a failure that is kept"),
        pytest.param("asked", "absorbed", id="a failure that is not kept"),
        pytest.param("raises", "passed on", id="pytest.raises caught another error of this type"),
        pytest.param("except", "passed on", id="the test's own except kept it"),
        pytest.param("context", "passed on", id="assertRaises caught it"),
        pytest.param("swallowed", "passed on", id="the test's own except forgot it"),
    ],
)
def test_what_became_of_the_fault_is_seen(defects, name: str, expected: str) -> None:
    assert [one["class"] for one in defects[name]] == [expected]


def test_replay_shows_what_stays_behind(defects, folder: Path, socrates) -> None:
    (kept,) = defects["kept"]
    ran = socrates(folder, "replay", kept["replay"], "-q")
    assert (ran.returncode, "breaks again: NotRecovered: " in ran.stdout) == (1, True)


def test_code_that_caught_the_error_is_named(defects) -> None:
    told = "ConnectionError is caught: answers None instead of 5"
    assert [one["meaning"] for one in defects["asked"]] == [told]
