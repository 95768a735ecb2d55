"""Code of ours that runs in test processes calls what was bound before the project was loaded.

Tests freeze clocks and replace functions; ``socrates_amplify.originals`` has those that we rely on.
"""
# socrates: ignore-file[SOC105] the sources themselves are what is checked

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "amplify" / "socrates_amplify"
ROOMS = (
    *("executors/in_test", "executors/fork/server.py", "executors/fork/lost_threads.py"),
    *("executors/subprocess/single.py", "executors/pipe.py", "executors/request.py"),
    *(
        "executors/reaping.py",
        "record",
        "probes",
        "coverage/collect.py",
        "started_process/agent.py",
    ),
    "faults.py",
)
"""What runs in test processes."""

REPLACED = {
    "time": {
        *("monotonic", "perf_counter", "sleep", "time", "thread_time", "process_time"),
        *("monotonic_ns", "perf_counter_ns", "time_ns"),
    },
    "os": {
        *("_exit", "fork", "kill", "killpg", "getpid", "setsid", "waitpid", "read", "write"),
        *("open", "close", "pipe", "dup2", "replace", "set_blocking"),
    },
    "json": {"dumps", "loads", "dump", "load"},
    "signal": {"signal", "setitimer", "alarm"},
    "select": {"select", "poll"},
    "socket": {"socket", "socketpair"},
    "tempfile": {"mkdtemp", "mkstemp", "TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory"},
    "threading": {"Thread", "Lock", "RLock", "Condition", "Event", "Timer"},
    "asyncio": {"sleep"},
    "anyio": {"sleep"},
}
METHODS = {"read_text", "write_text", "read_bytes", "write_bytes", "touch"}
ALLOWED = {
    "executors/fork/lost_threads.py": {"threading.RLock"},  # for threads of the project
    "executors/reaping.py": {"read_text", "read_bytes"},  # of /proc, in servers and supervisors
    "probes/http/answers/routes.py": {"read_bytes"},  # in the command, of the project's source
    "probes/http/answers/sources.py": {"read_bytes"},  # the same
    "probes/http/answers/statuses.py": {"read_text"},  # the same
    "probes/http/clients/waiting.py": {"asyncio.sleep", "anyio.sleep"},  # loops with own clocks
}
"""Calls that need no binding, with the reason."""


def modules() -> list[Path]:
    """The modules of these rooms."""
    found = [PACKAGE / room for room in ROOMS]
    return [path for room in found for path in ([room] if room.suffix else room.rglob("*.py"))]


def calls(code: bytes | str) -> Iterator[str]:
    """The calls of what a test may have replaced, and imports that would hide such calls."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module in REPLACED:
            hidden = {alias.name for alias in node.names} & REPLACED[node.module]
            yield from (f"from {node.module} import {name}" for name in hidden)
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = ast.unparse(node.func).rpartition(".")
        if name in REPLACED.get(owner, ()):
            yield f"{owner}.{name}"
        elif (not owner and name == "open") or (name in METHODS and owner != "Files"):
            yield name


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("time.sleep(1)", ["time.sleep"]),
        ("from time import monotonic", ["from time import monotonic"]),
        ("open(path)", ["open"]),
        ("Path(path).read_text()", ["read_text"]),
        ("os._exit(0)", ["os._exit"]),
        ("Clock.wait(1); Files.read_bytes(path); os.environ.get(name)", []),
    ],
)
def test_a_call_of_what_a_test_may_replace_is_seen(code: str, found: list[str]) -> None:
    assert list(calls(code)) == found


def test_code_in_test_processes_calls_originals() -> None:
    guilty = [
        f"{name}: {call}"
        for path in sorted(modules())
        for name in [path.relative_to(PACKAGE).as_posix()]
        for call in sorted(set(calls(path.read_bytes())) - ALLOWED.get(name, set()))
    ]
    assert guilty == []


def test_nothing_is_allowed_that_nobody_calls() -> None:
    idle = [
        f"{name}: {call}"
        for name, allowed in ALLOWED.items()
        for call in allowed - set(calls((PACKAGE / name).read_bytes()))
    ]
    assert idle == []


def test_originals_are_bound_before_pytest_is_imported() -> None:
    code = (
        "import runpy, sys\n"
        "import socrates_amplify.executors.in_test.start\n"
        "print('socrates_amplify.originals' in sys.modules, 'pytest' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert ran.stdout.split() == ["True", "False"]
