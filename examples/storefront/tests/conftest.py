"""The three services, each on a port of its own, and the storefront in front of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from flask import Flask
from shop import catalogue, reviews, shipping
from shop.storefront import Storefront
from werkzeug.serving import make_server


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of a service while it runs."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def storefront() -> Iterator[Storefront]:
    """A storefront whose services run."""
    with ExitStack() as stack:
        apps = [module.make_app() for module in (catalogue, reviews, shipping)]
        yield Storefront(*[stack.enter_context(served(app)) for app in apps])
