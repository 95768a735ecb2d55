"""A kind of fault that a plugin adds, really installed: one row, and the probe that applies it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "data" / "cache_plugin"
CACHE = """
class Cache:
    def __init__(self):
        self._values = {}

    def get(self, key):
        return self._values.get(key)

    def set(self, key, value):
        self._values[key] = value
"""
SHOP = """
class Shop:
    def __init__(self, cache):
        self._cache = cache

    def put(self, user, item):
        cart = self._cache.get(f"cart of {user}") or []
        self._cache.set(f"cart of {user}", [*cart, item])

    def cart(self, user):
        return self._cache.get(f"cart of {user}")

    def price(self, item):
        known = self._cache.get(f"price of {item}")
        if known is None:
            known = {"book": 12}[item]
            self._cache.set(f"price of {item}", known)
        return known
"""
TESTS = """
import pytest
from acme_cache import Cache
from shop import Shop

@pytest.fixture
def shop():
    return Shop(Cache())

def test_cart_is_kept(shop):
    shop.put("Ada", "book")
    assert shop.cart("Ada") == ["book"]

def test_price_stays_the_same(shop):
    shop.price("book")
    assert shop.price("book") == 12
"""
WHY = "a cache may forget: the value should be made anew"
RULE = "A value that the cache has forgotten changes the result"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Acme's cache and the plugin for it, both installed."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "acme_cache.py").write_text(CACHE)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*command, "--target", folder, PLUGIN], check=True, timeout=120)
    return folder


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop that takes its cache for a database, and one price that it knows how to find again."""
    folder = tmp_path_factory.mktemp("project")
    files = {"shop.py": SHOP, "test_shop.py": TESTS, "pytest.ini": "[pytest]\n"}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def socrates(installed_socrates, site: Path, project: Path) -> Run:
    """``socrates`` in the project, with the plugin."""

    return installed_socrates(site, project)


@pytest.fixture(scope="module")
def report(socrates: Run, project: Path) -> dict[str, dict[str, object]]:
    """The JSON report of a run, by test; the HTML page is written as well."""
    args = ("--output-format", "json", "--output-file", "report.json", "--report", "report.html")
    ran = socrates("amplify", *args)
    assert (ran.returncode, ran.stderr) == (1, "")
    document = json.loads((project / "report.json").read_text())
    return {test["nodeid"]: test for test in document["tests"]}


def test_it_is_tried_without_asking_and_breaks_what_relies_on_the_cache(report) -> None:
    statuses = {nodeid.partition("::")[2]: test["status"] for nodeid, test in report.items()}
    assert statuses == {"test_cart_is_kept": "defective", "test_price_stays_the_same": "resilient"}


def test_json_names_it(report) -> None:
    (defect,) = report["test_shop.py::test_cart_is_kept"]["defects"]
    (fault,), (told,) = defect["faults"], defect["explained"]
    shown = (fault["kind"], fault["from"], fault["to"], fault["message"], told["why"])
    assert shown == ("cache-miss", "test", "cache", "get cart of Ada", WHY)


def test_text_tells_its_sentence(report, socrates: Run) -> None:
    lines = socrates("amplify", "--resume").stdout.splitlines()
    assert f"  cache-miss  test -> cache  get cart of Ada  {WHY}" in lines


def test_html_tells_its_sentence(report, project: Path) -> None:
    page = (project / "report.html").read_text()
    assert re.search(f'class="kind">cache-miss</span>.*{WHY}', page)


def test_sarif_has_a_rule_for_it(report, socrates: Run) -> None:
    (log,) = json.loads(socrates("amplify", "--resume", "--output-format", "sarif").stdout)["runs"]
    (rule,) = log["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"]) == (
        "amplify/cache-miss",
        RULE,
    )


def test_merged_reports_tell_it_in_the_same_words(report, socrates: Run, project: Path) -> None:
    ran = socrates("merge", "report.json", "--output-format", "sarif")
    (log,) = json.loads(ran.stdout)["runs"]
    (rule,) = log["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == RULE


def test_it_is_replayed(report, socrates: Run) -> None:
    (defect,) = report["test_shop.py::test_cart_is_kept"]["defects"]
    ran = socrates("replay", defect["replay"])
    assert ran.returncode == 1
    assert "cache-miss  test -> cache  get cart of Ada" in ran.stdout


def test_settings_know_it(socrates: Run) -> None:
    ran = socrates("amplify", "--faults", "cache-mis")
    assert ran.stderr == (
        "socrates: error: --faults: unknown kind 'cache-mis'; did you mean 'cache-miss'?\n"
    )


def test_it_is_left_out_where_others_are_asked_for(socrates: Run) -> None:
    ran = socrates("amplify", "--faults", "timeout", "--output-format", "json")
    statuses = {test["status"] for test in json.loads(ran.stdout)["tests"]}
    assert (ran.returncode, statuses) == (0, {"no-targets"})
