"""The warm process, forked from the command's own before the command loads what only it needs.

Python and some 200 modules are started and loaded once for both. What the fork is to run is told to it
later, when the settings are read; until then it waits, and it ends when nobody tells it anything.

It is there only where a new interpreter would be the same: a command that was started as such, with no
options for Python, nothing that traces it, no threads, and no plugins but ours. Everywhere else the warm
process is a new interpreter, as it is for every further one.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import socrates
from socrates import plugins
from socrates_amplify.executors.fork.interpreter import run_when_told
from socrates_amplify.executors.pipe import pack
from socrates_amplify.originals import JsonText

_OURS = frozenset({"socrates_rules", "socrates_amplify.plugin"})
"""Plugins of this distribution. Others may load what the project has, before pytest does."""

_FOR_BOTH = (
    *("contextvars", "ctypes", "decimal", "email.parser", "queue", "shlex", "sysconfig", "tomllib"),
    *("socrates_amplify.coverage.collect", "socrates_amplify.executors.reaping"),
    *("socrates_amplify.executors.request", "socrates_amplify.extensions.collect"),
    *("socrates_amplify.model.orders", "socrates_amplify.probes.queues.tasks"),
    *("socrates_amplify.record.messages", "socrates_amplify.settings.circumstances"),
)
"""What the command and the process of the tests need, beside what is loaded already."""

_waiting: list[EarlyFork] = []
"""The fork that has not been told what to run: at most one."""


class EarlyFork:
    """A forked process; as much of ``subprocess.Popen`` as is needed to end it."""

    def __init__(self, pid: int, connection: socket.socket) -> None:
        self.pid = pid
        self.connection = connection
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code; None while the process runs."""
        if self._code is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once there is one. Raises ``subprocess.TimeoutExpired``."""
        if timeout is None and self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        over = time.monotonic() + (timeout or 0.0)
        while (code := self.poll()) is None:
            if time.monotonic() >= over:
                raise subprocess.TimeoutExpired("pytest", timeout or 0.0)
            time.sleep(0.01)
        return code

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def prepare() -> None:
    """Fork a process that waits, where a new interpreter would be the same; else do nothing."""
    path = fresh_path()
    if path is None or not _is_untouched():
        return
    for name in _FOR_BOTH:
        importlib.import_module(name)
    ours, theirs = socket.socketpair()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # or both processes would write what is in there
    gc.freeze()  # collecting would copy what the two share
    with theirs:
        try:
            pid = os.fork()
        except OSError:  # there are too many processes; a new interpreter may say so later
            ours.close()
            return
        if pid == 0:
            run_when_told(ours, theirs, path)
    _waiting.append(EarlyFork(pid, ours))


def dismiss() -> None:
    """End the fork if nobody has taken it."""
    while _waiting:
        _end(_waiting.pop())


def _end(fork: EarlyFork) -> None:
    fork.connection.close()
    fork.wait()


def take(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str], output: Path
) -> EarlyFork | None:
    """The fork, which runs ``command`` from now on, with its output in a file; None without one.

    ``command`` is one of ``executors.launch``, and ``environment`` such as Python started with here.
    The fork finds its end of the connection where ``fork.server`` looks for it.
    """
    if not _waiting or command[0] != sys.executable:
        return None
    fork = _waiting.pop()
    asked = {
        "command": list(command),
        "cwd": str(cwd),
        "environment": dict(environment),
        "output": str(output),
    }
    try:
        fork.connection.sendall(pack({}, JsonText.dumps(asked).encode()))
    except OSError:  # it was killed meanwhile
        _end(fork)
        return None
    return fork


def fresh_path() -> list[str] | None:
    """``sys.path`` of ``python -m pytest``; None where this is not the process of a command."""
    try:
        here = os.getcwd()  # noqa: PTH109  # as Python writes it
    except OSError:
        return None  # the folder is gone, and the command will say so
    if sys.orig_argv[1:3] == ["-m", "socrates"]:
        # ``socrates.__main__`` has taken the current folder away, but where we are in it ourselves.
        kept = Path(socrates.__file__).parent.parent.samefile(here)
        return [*sys.path] if kept else [here, *sys.path]
    script = Path(sys.argv[0])
    named = len(sys.orig_argv) > 1 and sys.orig_argv[1] == sys.argv[0]
    if named and script.name == "socrates" and sys.path[0] == str(script.resolve().parent):
        return [here, *sys.path[1:]]
    return None


def _is_untouched() -> bool:
    """Whether this process is as Python started it, but for modules that were loaded."""
    return (
        sys.platform == "linux"
        and not sys.flags.safe_path
        and threading.active_count() == 1
        and sys.gettrace() is None
        and sys.getprofile() is None
        and "coverage" not in sys.modules
        and sys.stdout is not None
        and sys.stderr is not None
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and _OURS.issuperset(map(_name, plugins.installed().manager.get_plugins()))
    )


def _name(plugin: object) -> str:
    return str(getattr(plugin, "__name__", ""))
