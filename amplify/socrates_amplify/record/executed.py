"""Which files of the project a test executes: what has to change before its result can.

On Python 3.12 and later functions are watched as they start, each once per test, which costs next to
nothing. Before that, every call costs something: only tests that run by themselves are watched, and
after so many calls that told nothing new, whatever modules of the project are loaded count as executed.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

from socrates_amplify.model.outcomes import EVERYTHING
from socrates_amplify.record.whose import Roles, file_of, module_of

_TOOLS = (3, 4)
"""Numbers of ``sys.monitoring`` that are nobody's: one tool finds functions, one watches ours."""
_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
_STARTING = frozenset({"multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver"})
"""Events and modules that tell that another process was started."""


class ExecutedFiles:
    """The files of one project that the tests of this process execute.

    ``cheaply`` watches only where it costs little. Everything answers with nothing where it can't
    be known: on an interpreter without means, or where a debugger or another tool has taken them.
    """

    def __init__(self, root: str, test_file: str, *, cheaply: bool) -> None:
        self._root = root
        self._roles = Roles(root, test_file)
        self._names = {EVERYTHING: EVERYTHING}
        self._watch = _watch(cheaply=cheaply)
        self._shared: dict[object, frozenset[str]] = {}

    def begin(self) -> None:
        """A test begins."""
        if self._watch is not None:
            _process_started.clear()
            self._watch.begin(self._is_ours)

    @contextmanager
    def fixture(self, key: object) -> Iterator[None]:
        """Around the setting up of what several tests share: each of them depends on what runs here."""
        if self._watch is None:
            yield
            return
        before, processes = self._watch.end(self._is_ours), len(_process_started)
        self._watch.begin(self._is_ours)
        try:
            yield
        finally:
            inside = self._watch.end(self._is_ours)
            started = {EVERYTHING} if len(_process_started) > processes else set()
            self._shared[key] = frozenset(inside | started)
            self._watch.begin(self._is_ours)
            self._watch.add(before | inside)

    def end(self, shared: Iterable[object], test_file: str) -> tuple[str, ...]:
        """What the test has executed, with what its ``shared`` fixtures did; nothing if unknown."""
        if self._watch is None:
            return ()
        found = {test_file, *self._watch.end(self._is_ours)}
        for key in shared:
            found |= self._shared.get(key, frozenset())
        if _process_started or not _STARTING.isdisjoint(sys.modules):
            found.add(EVERYTHING)
        return tuple(sorted({name for file in found if (name := self._name(file))}))

    def close(self) -> None:
        """Watch no longer."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _is_ours(self, filename: str) -> bool:
        return bool(self._name(filename))

    def _name(self, filename: str) -> str:
        """The file as seen from the root of the project; empty for what is no part of it."""
        known = self._names.get(filename)
        if known is None:
            known = self._names[filename] = self._look(filename)
        return known

    def _look(self, filename: str) -> str:
        if not self._roles.is_own(filename, module_of(filename)):
            return ""
        name = self._roles.relative(filename)
        if not os.path.isabs(name):  # noqa: PTH117  # a text to compare
            in_src = os.path.join(self._root, "src", name)  # noqa: PTH118  # likewise
            return f"src/{name}" if module_of(filename) and os.path.exists(in_src) else name  # noqa: PTH110
        return os.path.relpath(name, self._root).replace(os.sep, "/")


_process_started: list[str] = []
_listening: list[bool] = []


def _hear(
    event: str,
    args: tuple[object, ...],
    starts: Collection[str] = _STARTS,
    note: Callable[[str], None] = _process_started.append,
) -> None:
    # Python calls this until its very end, when the names of this module are gone.
    if event in starts:
        note(event)


def _watch(*, cheaply: bool) -> _Monitoring | _Tracing | None:
    if sys.version_info >= (3, 12):
        taken = any(sys.monitoring.get_tool(number) for number in _TOOLS)
        made: _Monitoring | _Tracing | None = None if taken else _Monitoring()
    else:
        made = None if cheaply or sys.gettrace() is not None else _Tracing()
    if made is not None and not _listening:
        _listening.append(True)
        sys.addaudithook(_hear)
    return made


if sys.version_info >= (3, 12):
    _START = sys.monitoring.events.PY_START

    class _Monitoring:
        """Hears of each function when it first runs, and of those of the project once per test."""

        def __init__(self) -> None:
            self._files: set[str] = set()
            self._new: list[CodeType] = []
            self._ours: list[CodeType] = []
            finding, watching = _TOOLS
            for number in _TOOLS:
                sys.monitoring.use_tool_id(number, "socrates")
            sys.monitoring.register_callback(finding, _START, self._found)
            sys.monitoring.register_callback(watching, _START, self._started)
            sys.monitoring.set_events(finding, _START)

        def _found(self, code: CodeType, offset: int) -> object:
            self._new.append(code)
            return sys.monitoring.DISABLE

        def _started(self, code: CodeType, offset: int) -> object:
            self._ours.append(code)
            return sys.monitoring.DISABLE

        def begin(self, is_ours: Callable[[str], bool]) -> None:
            self.end(is_ours)  # of what ran before nobody asks
            self._files = set()

        def add(self, files: set[str]) -> None:
            self._files |= files

        def end(self, is_ours: Callable[[str], bool]) -> set[str]:
            new, self._new = self._new, []
            again, self._ours = self._ours, []
            self._files.update(code.co_filename for code in again)
            for code in new:
                if is_ours(code.co_filename):
                    self._files.add(code.co_filename)
                    again.append(code)
            for code in again:
                # Taken away and given back, it is told of once more.
                sys.monitoring.set_local_events(_TOOLS[1], code, 0)
                sys.monitoring.set_local_events(_TOOLS[1], code, _START)
            return self._files

        def close(self) -> None:
            for number in _TOOLS:
                sys.monitoring.set_events(number, 0)
                sys.monitoring.free_tool_id(number)

else:

    class _Monitoring:
        """There is none before Python 3.12."""

        def begin(self, is_ours: Callable[[str], bool]) -> None: ...
        def add(self, files: set[str]) -> None: ...
        def end(self, is_ours: Callable[[str], bool]) -> set[str]:
            return set()

        def close(self) -> None: ...


_next: dict[int, Callable[[FrameType, str, object], None]] = {}
"""Who hears of calls in a thread, by its number, once ``_Tracing`` has heard enough there."""


def hear_next(hear: Callable[[FrameType, str, object], None] | None) -> None:
    """Have ``hear`` told of calls in this thread when we no longer are; None for nobody."""
    _next.pop(threading.get_ident(), None)
    if hear is not None:
        _next[threading.get_ident()] = hear


class _Tracing:
    """Hears of every call, in every thread that starts meanwhile, until many told nothing new."""

    MOST_CALLS = 8_000
    """So many calls in a row may be of functions that were called before.

    A test that hands over messages by the thousand would take three times as long otherwise. What
    prepares one calls other functions all the time.
    """

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._unheard: list[bool] = []

    def begin(self, is_ours: Callable[[str], bool]) -> None:
        """From now on."""
        self._files, self._unheard = set(), []
        hear = self._listener()
        threading.settrace(hear)
        sys.settrace(hear)

    def _listener(self) -> Callable[[FrameType, str, object], None]:
        files, tell, most = self._files, self._unheard.append, self.MOST_CALLS
        count = iter(range(most)).__next__
        known: dict[int, CodeType] = {}
        """By their ids, which stay theirs while they are kept here."""

        def called(frame: FrameType, event: str, arg: object) -> None:
            nonlocal count
            code = frame.f_code
            if id(code) not in known:
                known[id(code)] = code
                files.add(code.co_filename)
                count = iter(range(most)).__next__
            try:
                count()
            except StopIteration:
                tell(True)
                sys.settrace(
                    _next.get(threading.get_ident())
                )  # others come here with their next call
                threading.settrace(None)

        return called

    def add(self, files: set[str]) -> None:
        """What was heard of before."""
        self._files |= files

    def end(self, is_ours: Callable[[str], bool]) -> set[str]:
        """The files of the project that were heard of, or may have been executed unheard."""
        sys.settrace(None)
        threading.settrace(None)
        # Threads that still run go on adding to the set.
        found = self._files.copy() | (_loaded() if self._unheard else set())
        return {name for name in found if is_ours(name)}

    def close(self) -> None:
        """Nothing is left to take back."""


def _loaded() -> set[str]:
    """The files of all modules that are loaded."""
    return {file for module in sys.modules.copy().values() if (file := file_of(module))}
