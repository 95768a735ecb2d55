"""The applications of table 1 as real Flask services, to be written to a folder and amplified.

They behave as those of ``outages.systems``, which says more about them; each service is a file
of its own, since what it can answer with is read off its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent, indent

SHARED = '''\
"""How services call each other."""

import requests

URLS = {}


def call(service, path="/", timeout=5):
    """The status of the answer, or None when there is none."""
    try:
        return requests.get(URLS[service] + path, timeout=timeout).status_code
    except (requests.ConnectionError, requests.Timeout):
        return None
'''

TEST = '''\
"""Starts every service in a thread of its own and asks the first."""

import importlib
import threading
from pathlib import Path

import pytest
import requests
import shared
from werkzeug.serving import make_server

NAMES = sorted(path.stem for path in Path("services").glob("*.py"))
APPS = {name: importlib.import_module(f"services.{name}").app for name in NAMES}


@pytest.fixture
def urls():
    shared.URLS["outside"] = "http://127.0.0.1:9"
    servers = []
    for name, app in APPS.items():
        servers.append(make_server("127.0.0.1", 0, app, threaded=True))
        shared.URLS[name] = f"http://127.0.0.1:{servers[-1].server_port}"
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
    yield shared.URLS
    for server in servers:
        server.shutdown()
        server.server_close()


def test_answers(urls):
    assert requests.get(urls["entry"], timeout=30).status_code in (200, 403, 404, 503)
'''

SETTINGS = """\
[tool.socrates.amplify]
faults = ["connection-error", "timeout", "status"]

[tool.socrates.amplify.http]
statuses = "service"
"""

SERVICE = """\
from flask import Flask, abort
from shared import call

app = Flask("{name}")
ITEMS = {{"a": 1}}


@app.get("/", defaults={{"path": ""}})
@app.get("/<path:path>")
def view(path):
{body}
    return "done"
"""

LEAF = """
    if "a" not in ITEMS:
        abort(404)
"""
SILENT = "    ITEMS.get(path)\n"
OWNED = """
    if "a" not in ITEMS:
        abort(404)
    if not ITEMS["a"]:
        abort(403)
"""
DATABASE = """
    if not ITEMS:
        abort(403)
"""
NEEDS_MOVIES = """
    if call("movies") != 200:
        abort(503)
"""
BOOKINGS = """
    if "a" not in ITEMS:
        abort(404)
    if call("movies") != 200:
        abort(503)
"""
NEEDS = """
    status = call("{0}")
    if status == 404:
        abort(404)
    if status != 200:
        abort(503)
"""
NEEDS_BOOKINGS = NEEDS.format("bookings")
RETRIES = """
    status = call("{0}")
    for _ in range(status != 200):
        status = call("{0}")
    if status == 404:
        abort(404)
    if status != 200:
        abort(503)
"""
OUTSIDE = """
    call("outside", "/{0}", timeout=None)
"""
DEFAULTS = """
    call("bookings")
    call("movies")
"""
REPLICA = """
    if call("bookings") != 200:
        status = call("replica")
        if status == 404:
            abort(404)
        if status != 200:
            abort(503)
"""
HEALTH = """
    if call("bookings", "/health-check") is not None:
        status = call("bookings", "/bookings")
    else:
        status = call("replica", "/bookings")
    if status == 404:
        abort(404)
    if status != 200:
        abort(503)
"""
AUDIBLE_APP = """
    status = call("engine")
    if status == 404:
        abort(404)
    if status != 200:
        abort(503)
    status = call("delivery")
    if status == 404:
        abort(404)
    if status == 403:
        abort(403)
    if status != 200:
        abort(503)
"""
DELIVERY = """
    for service in ("download", "metadata", "audio"):
        status = call(service)
        if status == 404:
            abort(404)
        if status == 403:
            abort(403)
        if status is None or (status == 503 and service == "download"):
            abort(503)
        if status != 200:
            abort(500)
"""
DOWNLOAD = """
    for service in ("ownership", "activation"):
        status = call(service)
        if status == 404:
            abort(404)
        if status == 403 and service == "ownership":
            abort(403)
        if status is None:
            abort(503)
        if status != 200:
            abort(500)
    call("stats")
"""
EXPEDIA = """
    status = call("review_ml")
    if status == 404:
        abort(404)
    if status != 200:
        status = call("review_time")
        if status == 404:
            abort(404)
        if status != 200:
            abort(503)
"""
BALANCER = """
    if call("app_server") is None:
        abort(503)
"""
APP_SERVER = """
    if call("requestmapper") != 200:
        abort(500)
    read = call("primary", "/read")
    if read is None or call("primary", "/write") is None or read != 200:
        if call("secondary", "/read") != 200:
            abort(500)
        if call("secondary", "/write") is None:
            abort(500)
"""
GATEWAY = """
    def strict(service, path="/"):
        status = call(service, path)
        if status is None:
            abort(503)
        if status == 404:
            abort(404)
        if status != 200:
            abort(500)

    strict("profile")
    trending = call("bookmarks") != 200
    if trending:
        call("telemetry")
        strict("trending", "/for-bookmarks")
    {0}
    if call("recommended") != 200 and call("recommended_to_all") != 200 and not trending:
        strict("trending", "/for-recommendations")
    strict("ratings")
"""
LIST_TWICE = """status = call("my_list")
    if status is None:
        strict("my_list", "/again")
    elif status != 200:
        abort(404 if status == 404 else 500)
"""
TELEMETRY = """
    call("telemetry")
"""
NETFLIX = {
    "entry": NEEDS.format("gateway"),
    "gateway": GATEWAY.format('strict("my_list")'),
    "profile": LEAF,
    "bookmarks": LEAF,
    "telemetry": SILENT,
    "trending": SILENT,
    "my_list": LEAF,
    "recommended": LEAF,
    "recommended_to_all": SILENT,
    "ratings": LEAF,
}

APPS: Mapping[str, Mapping[str, str]] = {
    "cinema-1": {"entry": NEEDS_BOOKINGS + NEEDS_MOVIES, "bookings": LEAF, "movies": LEAF},
    "cinema-2": {"entry": NEEDS_BOOKINGS, "bookings": BOOKINGS, "movies": LEAF},
    "cinema-3": {"entry": RETRIES.format("bookings"), "bookings": BOOKINGS, "movies": LEAF},
    "cinema-4": {
        "entry": OUTSIDE.format("imdb") + NEEDS_BOOKINGS,
        "bookings": OUTSIDE.format("fandango") + BOOKINGS,
        "movies": OUTSIDE.format("tomatoes") + LEAF,
    },
    "cinema-5": {"entry": DEFAULTS, "bookings": LEAF, "movies": LEAF},
    "cinema-6": {
        "entry": REPLICA + NEEDS_MOVIES,
        "bookings": LEAF,
        "replica": LEAF,
        "movies": LEAF,
    },
    "cinema-7": {
        "entry": HEALTH + NEEDS_MOVIES,
        "bookings": LEAF,
        "replica": LEAF,
        "movies": LEAF,
    },
    "cinema-8": {"entry": RETRIES.format("monolith"), "monolith": LEAF},
    "audible": {
        "entry": AUDIBLE_APP,
        "engine": LEAF,
        "delivery": DELIVERY,
        "download": DOWNLOAD,
        "ownership": OWNED,
        "activation": LEAF,
        "stats": SILENT,
        "metadata": OWNED,
        "audio": OWNED,
    },
    "expedia": {"entry": EXPEDIA, "review_ml": LEAF, "review_time": LEAF},
    "mailchimp": {
        "entry": BALANCER,
        "app_server": APP_SERVER,
        "requestmapper": SILENT,
        "primary": DATABASE,
        "secondary": DATABASE,
    },
    "netflix": NETFLIX,
    "netflix with bugs": {
        **NETFLIX,
        "gateway": GATEWAY.format(LIST_TWICE),
        "profile": LEAF + TELEMETRY,
    },
}


def write(name: str, folder: Path) -> None:
    """Write one application, its test and its settings into an empty folder."""
    (folder / "services").mkdir()
    (folder / "shared.py").write_text(SHARED)
    (folder / "test_application.py").write_text(TEST)
    (folder / "pyproject.toml").write_text(SETTINGS)
    for service, body in APPS[name].items():
        text = SERVICE.format(name=service, body=indent(dedent(body).strip("\n"), "    "))
        (folder / "services" / f"{service}.py").write_text(text)
