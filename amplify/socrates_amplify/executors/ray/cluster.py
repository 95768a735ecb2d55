"""A connection to a Ray cluster: one that is there, or one of our own on this machine."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import temporary
from socrates_amplify.executors import reaping
from socrates_amplify.executors.cancelling import Cancelled
from socrates_amplify.executors.ray import versions as ray_versions

_PATIENCE = 5.0
"""Seconds in which a machine must answer."""
_MARK = "SOCRATES_CLUSTER"
"""An environment variable by which all processes of a cluster of our own are known."""
_POLL = 0.3
"""Seconds between two looks of a waiting thread at whether the run is being closed."""
_READY = 60.0
"""Seconds in which a node must have started a first process."""
_GENTLE = {"RAY_kill_child_processes_on_worker_exit": "false"}
"""Ray kills the children of a worker that ends, but not the children of those. Ours end by
themselves, with all that they started, when the worker is gone."""
_LONGEST = 20
"""Characters that the path of the temporary folder may have, because Ray puts sockets below it."""
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4
"""The type of the first frame of every HTTP/2 connection, and so of gRPC, which Ray speaks."""


@dataclass(frozen=True, slots=True)
class Place:
    """One node that can run something."""

    id: str
    name: str
    slots: int


def load_ray() -> Any:
    """The module ``ray``, imported only when ``--executor ray`` asks for it: it takes a second."""
    try:
        import ray
    except ImportError:
        raise SocratesError(
            "--executor ray needs Ray; install it with pip install 'socrates-lint[ray]'"
        ) from None
    return ray


class Unreachable(Exception):  # noqa: N818 - one node less, no error of the run
    """A node does not answer or does not start our actor; it may be shutting down."""


class Cluster:
    """A connected cluster. ``close`` ends a cluster of our own, and leaves another one alone."""

    def __init__(self, address: str, project: Path, pip: tuple[str, ...]) -> None:
        self.ray = load_ray()
        self.closing = False
        """Once it is set, waiting threads raise ``Cancelled``."""
        # By value, so that a node without Socrates can run it and say that it has none.
        self.ray.cloudpickle.register_pickle_by_value(ray_versions)
        self._home = None if address else _short_folder()
        environment: dict[str, object] = {"working_dir": str(project), "env_vars": _GENTLE}
        if pip:
            environment["pip"] = list(pip)
        if address and address != "auto":
            check_address(address)
        # Without these, Ray leaves out files of its own choice and writes into the home folder.
        settings = {"RAY_RUNTIME_ENV_IGNORE_GITIGNORE": "1"}
        if not address:
            settings |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
            settings[_MARK] = str(self._home)
        self._talk = _hush()
        with _variables(settings):
            self._connect(address, environment)

    def _connect(self, address: str, environment: Mapping[str, object]) -> None:
        about: dict[str, object] = (
            {"address": address}
            if address
            else {"include_dashboard": False, "_temp_dir": str(self._home)}
        )
        try:
            self.ray.init(
                runtime_env=environment,
                namespace="socrates",
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                configure_logging=True,
                **about,
            )
        except Exception as error:
            self.close()
            where = f"--address {address}" if address else "--executor ray"
            told = ray_versions.mismatch(str(error)) or first_line(error)
            raise SocratesError(f"{where}: {told}") from None
        except BaseException:
            self.close()
            raise

    def places(self) -> list[Place]:
        """The nodes that are alive and have a processor to offer."""
        return [
            Place(
                node["NodeID"],
                f"{node['NodeManagerAddress']} ({node['NodeID'][:6]})",
                int(node["Resources"]["CPU"]),
            )
            for node in self.ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        ]

    def get(self, reply: object, seconds: float | None = None) -> Any:
        """What a reply says, once it is there. Raises TimeoutError, or ``Cancelled`` once closing.

        A thread that uses Ray after its shutdown ends the whole process, so every thread must have
        left it by then.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            if self.closing:
                raise Cancelled
            ready, _ = self.ray.wait([reply], timeout=_POLL)
            if ready:
                return self.ray.get(reply)
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError

    def check(self, place: Place) -> None:
        """Raise SocratesError when what is installed on a node is not what is installed here.

        Raises ``Unreachable`` when the node does not say.
        """
        try:
            about = self.ray.remote(ray_versions.about_here).options(
                num_cpus=0, scheduling_strategy=self.on(place), max_retries=0
            )
            there = self.get(about.remote(), _READY)
        except TimeoutError:
            raise Unreachable(f"node {place.name} did not answer within {_READY:.0f} s") from None
        except self.ray.exceptions.RayError as error:
            raise Unreachable(f"node {place.name}: {first_line(error)}") from None
        problem = ray_versions.difference(ray_versions.about_here(), there)
        if problem:
            raise SocratesError(
                f"node {place.name} {problem}; install the same there, or have it built with --pip"
            )

    def on(self, place: Place) -> object:
        """The scheduling strategy that places an actor on this node and no other."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return NodeAffinitySchedulingStrategy(place.id, soft=False)

    def close(self) -> None:
        """Disconnect; a cluster of our own ends with all its processes."""
        with contextlib.suppress(Exception):
            self.ray.shutdown()
        self._talk()
        if self._home is not None:
            # A start of Ray that Ctrl-C interrupts leaves some of its processes behind.
            reaping.kill_inheritors(_MARK, str(self._home))
            shutil.rmtree(self._home, ignore_errors=True)


def _short_folder() -> Path:
    """A new folder with a short name: Ray puts sockets into it, whose paths are limited."""
    usual = tempfile.gettempdir()
    short = len(usual) <= _LONGEST or not Path("/tmp").is_dir()
    return temporary.make(usual if short else "/tmp")


def check_address(address: str) -> None:
    """Raise SocratesError unless something that may be Ray listens at ``HOST:PORT``.

    Ray itself would try for most of a minute, and report it on many lines.
    """
    if "://" in address:
        scheme = address.partition("://")[0]
        raise SocratesError(
            f"--address {address}: a {scheme}:// address won't do; on a machine of the cluster "
            "(ray start --address joins one) give --address auto, or its HOST:PORT"
        )
    host, colon, port = address.rpartition(":")
    if "/" in address or not colon or not host or not port.isdecimal():
        raise SocratesError(
            f"--address {address}: write it as HOST:PORT, such as 10.0.0.1:6379, or auto"
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as connection:
            if os.environ.get("RAY_USE_TLS", "0") not in ("0", ""):
                return
            connection.sendall(_PREFACE)
            frame = connection.recv(9)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SocratesError(
            f"--address {address}: nobody answers ({why}); start a cluster with ray start --head, "
            "or leave --address out for one on this machine"
        ) from None
    if len(frame) < 4 or frame[3] != _SETTINGS:
        raise SocratesError(f"--address {address}: what answers there is not Ray")


def _hush() -> Callable[[], None]:
    """Keep Ray from printing what its nodes report to standard output, where results go."""
    module: Any = importlib.import_module("ray._private.worker")
    before = getattr(module, "print_to_stdstream", None)
    if before is None:
        return lambda: None
    module.print_to_stdstream = lambda *args, **named: None
    return lambda: setattr(module, "print_to_stdstream", before)


def first_line(error: BaseException) -> str:
    """What Ray says, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = " ".join(lines[:2]) if lines else type(error).__name__
    return said if len(said) <= 300 else said[:297] + "..."


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
    """Set those of these environment variables that are not set, while the block runs."""
    new = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)
