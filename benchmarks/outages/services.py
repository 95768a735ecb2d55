"""A pytest plugin that starts one original application of the corpus around each test.

The services' modules are imported once, unchanged. For each test every service becomes a process
of its own, forked from what was imported, which does what the last line of its module does: it
serves. So services begin each test afresh, and no test waits for ten interpreters. Where even ten
forks are too many, for thousands of executions, services are threads of the test's process.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.serving import make_server

APPLICATION = "FILIBUSTER_APPLICATION"
"""The environment variable that names the application's folder in the corpus."""

THREADS = "FILIBUSTER_THREADS"
"""The environment variable that makes services threads, if it is not empty."""

_ANYWHERE = "0.0.0.0"
_PATIENCE = 30.0
_apps: dict[str, Flask] = {}


def ports(application: Path) -> dict[str, int]:
    """The port of each service that the application has the source of."""
    settings = json.loads((application / "networking.json").read_text())
    found = sorted(path.parent.name for path in application.glob("services/*/*/app.py"))
    return {name: settings[name]["port"] for name in found if name in settings}


def pytest_sessionstart() -> None:
    """Import the services."""
    application = Path(os.environ[APPLICATION])
    for name in ports(application):
        sys.path.insert(0, str(application / "services" / name))
        _apps[name] = importlib.import_module(f"{name}.app").app


@pytest.fixture(autouse=True)
def services() -> Iterator[None]:
    """All services of the application, listening."""
    start = _threads if os.environ.get(THREADS) else _processes
    with start(ports(Path(os.environ[APPLICATION]))):
        yield


@contextmanager
def _processes(ports: dict[str, int]) -> Iterator[None]:
    context = multiprocessing.get_context("fork")
    processes: list[ForkProcess] = []
    try:
        for name, port in ports.items():
            serve = {"host": _ANYWHERE, "port": port, "debug": False}
            processes.append(context.Process(target=_apps[name].run, kwargs=serve, name=name))
            processes[-1].start()
        for process, port in zip(processes, ports.values(), strict=True):
            _wait_for(process, port)
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _wait_for(process: ForkProcess, port: int) -> None:
    """Until the service listens."""
    end = time.monotonic() + _PATIENCE
    while process.is_alive() and time.monotonic() < end:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.005)
    pytest.fail(f"{process.name} does not listen on port {port}")


@contextmanager
def _threads(ports: dict[str, int]) -> Iterator[None]:
    servers = [
        make_server(_ANYWHERE, port, _apps[name], threaded=True) for name, port in ports.items()
    ]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
