"""In the early fork of a command: wait, become what a new interpreter would be, run, and end."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import runpy
import socket
import sys
import threading
from types import ModuleType
from typing import NoReturn, TypedDict

from socrates_amplify.executors.pipe import FD_VARIABLE, Unpacker
from socrates_amplify.originals import JsonText

_COMMAND_ONLY = (
    *("socrates.cli", "socrates.config", "socrates.engine", "socrates_rules"),
    *("socrates_amplify.commands", "socrates_amplify.plugin", "socrates_amplify.planning"),
    *("socrates_amplify.report", "socrates_amplify.executors.fork.early"),
    "socrates_amplify.executors.fork.interpreter",
)
"""What a command has loaded by then, and what tests do not find loaded in a new interpreter."""


class Asked(TypedDict):
    """What the fork is to run, and where."""

    command: list[str]
    cwd: str
    environment: dict[str, str]
    output: str


def run_when_told(ours: socket.socket, theirs: socket.socket, path: list[str]) -> NoReturn:
    """Wait, run what is asked for, and end: never return to what the command was doing."""
    code = 1
    try:
        os.setsid()
        ours.close()
        _close_inherited()
        asked = _told(theirs)
        if asked is None:
            os._exit(0)
        kept = _renew(asked, path)  # or what they hold would be closed when they are freed
        os.environ[FD_VARIABLE] = str(theirs.fileno())
        code = _run(asked["command"][2])
        kept.clear()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _close_inherited() -> None:
    """Close what the command was given by its own parent: nothing of it is for tests.

    What has been opened since Python started belongs to modules that a new interpreter has loaded, too.
    """
    for number in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):  # that of the listing itself
            if number > 2 and os.get_inheritable(number):
                os.close(number)


def _told(connection: socket.socket) -> Asked | None:
    unpacker = Unpacker()
    while data := connection.recv(1 << 16):
        for _, body in unpacker.feed(data):
            asked: Asked = JsonText.loads(body)
            return asked
    return None


def _renew(asked: Asked, path: list[str]) -> list[ModuleType]:
    """Make of this process what ``python -m pytest`` would find; the modules that are not loaded now."""
    atexit._clear()
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[:] = path
    sys.argv[:] = ["", *asked["command"][3:]]
    sys.orig_argv[:] = asked["command"]
    _renew_streams(asked["output"])
    only = tuple(f"{name}." for name in _COMMAND_ONLY)
    return [sys.modules.pop(name) for name in [*sys.modules] if f"{name}.".startswith(only)]


def _renew_streams(output: str) -> None:
    """Nothing to read, and a file to write to; the texts encoded as they are in the command."""
    reading = os.open(os.devnull, os.O_RDONLY)
    writing = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for source, number in ((reading, 0), (writing, 1), (writing, 2)):
        os.dup2(source, number)
    os.close(reading)
    os.close(writing)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _opened(number, getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _opened(number: int, before: object) -> io.TextIOWrapper:
    encoding, errors = getattr(before, "encoding", None), getattr(before, "errors", None)
    raw = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115  # for good
    at_once = getattr(before, "write_through", False)  # PYTHONUNBUFFERED
    by_line = number == 2 and not at_once
    return io.TextIOWrapper(
        raw, encoding, errors, "\n", line_buffering=by_line, write_through=at_once
    )


def _run(module: str) -> int:
    """Run a module as ``python -m`` does; the exit code, after all that Python does at its end."""
    gc.enable()
    code = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        code = 1
        sys.excepthook(*sys.exc_info())
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, and ends pools
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code
