"""Loaded by every Python process of an audited command: it notes what the process does to the world.

One line of JSON for each deed: ``write PATH``, ``run PROGRAM``, ``connect`` or ``load FILE``, the
last for code of the project in the variable AUDITED_PROJECT.
"""

from __future__ import annotations

import json
import os
import sys

_LOG = os.open(os.environ["AUDIT_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_PROJECT = os.environ["AUDITED_PROJECT"] + os.sep
_CHANGES = {
    *("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.mkfifo"),
    *("os.utime", "sqlite3.connect"),
}
_MOVES = {"os.rename", "os.link", "os.symlink"}
_RUNS = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "pty.spawn"}
_SOCKETS = {"socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _note(deed: str, what: object) -> None:
    name = os.fsdecode(what) if isinstance(what, (str, bytes)) else repr(what)
    os.write(_LOG, (json.dumps([deed, name]) + "\n").encode())


def _path(value: object) -> str:
    return os.path.realpath(os.fsdecode(value))  # type: ignore[arg-type]


def _hook(event: str, args: tuple[object, ...]) -> None:
    try:
        _look(event, args)
    except (TypeError, ValueError, OSError) as error:
        _note("unknown", f"{event} {args!r} {error}")


def _look(event: str, args: tuple[object, ...]) -> None:
    if event == "open":
        path, mode, flags = args
        writes = any(sign in str(mode or "") for sign in "wax+") or int(flags) & _WRITING  # type: ignore[call-overload]
        if writes and not isinstance(path, int):
            _note("write", _path(path))
    elif event in _CHANGES and not isinstance(args[0], int) and args[0] != ":memory:":
        _note("write", _path(args[0]))
    elif event in _MOVES:
        _note("write", _path(args[1]))
    elif event in _RUNS:
        _note("run", args[0])
    elif event in _SOCKETS:
        _note("connect", event)
    elif event == "exec":
        name = getattr(args[0], "co_filename", "")
        if name.startswith(_PROJECT):
            _note("load", name)
    elif event == "import" and str(args[1]).startswith(_PROJECT):
        _note("load", args[1])


sys.addaudithook(_hook)
