"""A pytest plugin that judges many changes in one process: each in a fork of it.

Tests are collected once. In each fork the functions of one module get the code that the changed text compiles to, and
tests run until one fails. That costs a second instead of a start of pytest, and says nothing about
processes that tests start, nor about code that runs on import: what survives here is judged again in a scratch copy.

``MUTANTS_ASKED`` names a file of JSON lines ``[number, file, start, before, after, [tests]]``; lines
``[number, test]`` of what was noticed go to ``MUTANTS_OUT``.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from mutation.operators import Mutation
from mutation.scratch import PACKAGES

_LIMIT = 90.0
"""Seconds for the tests of one change; most take one."""
_HANGS = "(does not end)"
_UNSURE = ""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of running the tests: run those of each change in a fork."""
    items = {item.nodeid: item for item in session.items}
    sound: dict[str, bool] = {}
    out = Path(os.environ["MUTANTS_OUT"])
    for line in Path(os.environ["MUTANTS_ASKED"]).read_text(encoding="utf-8").splitlines():
        number, file, start, before, after, tests = json.loads(line)
        change = functools.partial(_change, Path(file), Mutation(0, start, before, after, ""))
        left = [items[test] for test in tests if test in items]
        by = _in_fork(left, change)
        while by and by != _HANGS:
            if by not in sound:
                sound[by] = _in_fork([items[by]], lambda: True) == _UNSURE
            if sound[by]:
                break
            left = [item for item in left if item.nodeid != by]
            by = _in_fork(left, change)
        with out.open("a", encoding="utf-8") as told:
            told.write(json.dumps([number, by]) + "\n")
    return True


def _in_fork(items: Sequence[pytest.Item], prepare: Callable[[], bool]) -> str:
    """The first of the tests that fails in a fork which is prepared; empty when none does."""
    if not items:
        return _UNSURE
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run(items, prepare, writing)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], _LIMIT)
    said = os.read(reading, 4096).decode() if ready else _HANGS
    os.close(reading)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said


def _run(items: Sequence[pytest.Item], prepare: Callable[[], bool], writing: int) -> None:
    """What the fork does; it never returns."""
    failed = _UNSURE
    try:
        os.setpgid(0, 0)
        watch = _Watch()
        items[0].config.pluginmanager.register(watch)
        if prepare():
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                failed = watch.failed
                if failed:
                    break
    except BaseException:  # no test has said anything: it is judged again by processes
        failed = _UNSURE
    finally:
        os.write(writing, failed.encode())
        os._exit(0)


class _Watch:
    failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the first test that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _change(file: Path, mutation: Mutation) -> bool:
    """Give the functions of a module their changed code; False when none of them is changed."""
    importlib.import_module(_module(file))
    path = str(Path.cwd() / file)
    text = mutation.apply(Path(path).read_text(encoding="utf-8"))
    codes: dict[tuple[str, int], CodeType] = {}
    _index(compile(text, path, "exec", dont_inherit=True), codes)
    changed = False
    gc.unfreeze()  # what is frozen is not told
    for found in gc.get_objects():
        # Not isinstance: that would ask proxies of libraries for their class, which may raise.
        if type(found) is FunctionType and found.__code__.co_filename == path:
            old = found.__code__
            new = codes.get((old.co_qualname, old.co_firstlineno))
            if new is not None and new != old and new.co_freevars == old.co_freevars:
                found.__code__ = new
                changed = True
    return changed


def _index(code: CodeType, into: dict[tuple[str, int], CodeType]) -> None:
    into.setdefault((code.co_qualname, code.co_firstlineno), code)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            _index(part, into)


def _module(file: Path) -> str:
    package = next(name for name, folder in PACKAGES.items() if folder in file.parents)
    parts = file.relative_to(PACKAGES[package]).with_suffix("").parts
    return ".".join([package, *(part for part in parts if part != "__init__")])
