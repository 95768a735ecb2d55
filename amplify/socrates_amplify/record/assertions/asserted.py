"""The statement of a test that failed: what it says, and what it looks at.

An assertion may be about an answer of production code, about an exception that the test had caught
before, or about what a fake or a mock noted. Names are followed back to where the test bound them,
and are asked only what they are, never for an attribute that might run code of the project.
"""

from __future__ import annotations

import ast
import linecache
import sys
import unittest.case
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import FrameType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from socrates_amplify.model.evidence import Asserted, Link, Role, Side
from socrates_amplify.model.faults import error_body, error_reply
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.record.assertions.of_fault import (
    end_of_command,
    ended_a_command,
    is_of_fault,
    statuses_of,
)
from socrates_amplify.record.assertions.statements import (
    definitions,
    header,
    innermost,
    is_computed,
    loaded,
    root_of,
    sides_of,
)
from socrates_amplify.record.evidence import links_of
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.record.source_trees import parsed
from socrates_amplify.record.unasked import is_a
from socrates_amplify.record.whose import Roles, file_of

_STEPS = 50
"""Names followed back at most."""
_LONGEST = 300
_LOGS = frozenset(
    {
        *("call_count", "mock_calls", "method_calls", "call_args_list", "call_args"),
        *("await_count", "await_args", "await_args_list", "request_history"),
        *("assert_called", "assert_called_once", "assert_called_with", "assert_not_called"),
        *("assert_called_once_with", "assert_any_call", "assert_has_calls", "assert_call_count"),
        *("assert_awaited", "assert_awaited_once", "assert_awaited_with", "assert_not_awaited"),
        *("assert_awaited_once_with", "assert_any_await", "assert_has_awaits"),
        *("assert_all_called", "assert_plan_strictly_followed", "assert_no_unused_routes"),
    }
)
"""What only fakes and mocks have: which calls they got."""
_LOGS_OF_FAKES = frozenset(
    {"calls", "called", "requests", "history", "last_request", "get_request", "get_requests"}
)
"""The same by names that anything may have: they count where a fake has them."""
_OUTBOXES = frozenset({"outbox", "mailoutbox"})
"""Where mails go that a test sends: of ``django.core.mail``, or as fixtures and recordings are called."""
_CLOCKS = frozenset(
    {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"}
)
_EXITS = frozenset({"exit_code", "returncode"})
_RESPONSES = frozenset(
    {
        *("requests", "httpx", "httpx2", "aiohttp", "urllib3"),
        *("werkzeug", "flask", "django", "starlette", "webtest"),
    }
)
"""Packages whose responses a client may hand on to its caller, and those of clients for tests."""
_MOCKS = ("unittest.mock", "mock.mock")  # Python's own, and the package that it comes from
_CONTEXT: Any = getattr(unittest.case, "_AssertRaisesContext", None)
_LET_IN: WeakKeyDictionary[object, tuple[Link, ...]] = WeakKeyDictionary()
"""What ``assertRaises`` caught after a fault, by its context, which keeps no frames."""
_RAISES: Any = getattr(pytest, "RaisesExc", None) or type(pytest.raises(KeyError))


def asserted(recorder: Recorder, frame: FrameType | None, line: int) -> Asserted:
    """What the statement at this line of the test reads; nothing where its source is not known."""
    seen = _seen(recorder, frame, line)
    if seen is None:
        return Asserted()
    statuses = statuses_of(recorder)
    values = [*seen.values()] if statuses else []
    return Asserted(
        seen.text(recorder.test_file),
        seen.log(),
        seen.reads("production"),
        seen.asks_a_mock(),
        seen.names(_EXITS) or seen.reads_end_of_script() or bool(ended_a_command(recorder, frame)),
        any(_is_reply(value, statuses, recorder.roles) for value in values)
        or (bool(statuses) and seen.decodes()),
        seen.measures_time(),
        any(_is_body(value, statuses) for value in values),
        seen.expected(),
        seen.computes(),
    )


def caught(recorder: Recorder, frame: FrameType | None, line: int) -> tuple[Link, ...]:
    """The exception, with its chain, that the test had caught and that this statement looks at.

    Else the last one that it let in by ``pytest.raises`` or ``assertRaises``, if it is the fault's.
    """
    seen = _seen(recorder, frame, line)
    values = seen.values() if seen is not None else ()
    found = [links for value in values if (links := _links_in(value, recorder))]
    if found:
        # An exception that the test has made itself has been in no code of production.
        return next(filter(_left_production, found), found[0])
    last, statuses = recorder.let_in, statuses_of(recorder)
    of_fault = any(is_of_fault(link, statuses) for link in last)
    return last if of_fault else ended_a_command(recorder, frame)


def with_frames(links: tuple[Link, ...], recorder: Recorder) -> tuple[Link, ...]:
    """The same chain; an exception whose frames ``assertRaises`` took off has those it was let in with."""
    last = recorder.let_in
    for place, link in enumerate(links):
        if (
            last
            and not link.frames
            and (link.type, link.message) == (last[0].type, last[0].message)
        ):
            return (*links[:place], *last)
    return links


def _left_production(links: tuple[Link, ...]) -> bool:
    return any(frame.role == "production" for link in links for frame in link.frames)


def _seen(recorder: Recorder, frame: FrameType | None, line: int) -> _Seen | None:
    """The statement at this line of the test; None where its source is not known."""
    module = parsed(recorder.test_file) if frame is not None else None
    statement = innermost(module, line, ast.stmt) if module else None
    if frame is None or module is None or statement is None:
        return None
    return _Seen(module, statement, frame, recorder.roles)


class _Seen:
    """A statement with the names that it reads, and those from which they were made."""

    def __init__(
        self, module: ast.Module, statement: ast.stmt, frame: FrameType, roles: Roles
    ) -> None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self._function = innermost(module, statement.lineno, *kinds) or module
        self._statement = statement
        self._frame = frame
        self._roles = roles

    def text(self, filename: str) -> str:
        """The statement on one line; of one with others inside, its first line."""
        first = self._statement.lineno
        last = self._statement.end_lineno or first
        if isinstance(getattr(self._statement, "body", None), list):
            last = first
        if isinstance(self._statement, ast.Assert) and self._statement.msg is not None:
            return without_secrets(f"assert {ast.unparse(self._statement.test)}")[:_LONGEST]
        lines = (linecache.getline(filename, number) for number in range(first, last + 1))
        return without_secrets(" ".join(" ".join(lines).split()))[:_LONGEST]

    def values(self) -> Iterator[object]:
        """What the names stand for in the test, those of the statement itself first."""
        for name in self._names(header(self._statement)):
            value = self._value(name)
            if value is not None:
                yield value

    def reads(self, role: Role) -> bool:
        """Whether any of it is code of this role, or an object of such a class."""
        return any(_role_of(value, self._roles) == role for value in self.values())

    def names(self, attributes: Collection[str]) -> bool:
        """Whether one of these attributes is read."""
        return any(
            isinstance(node, ast.Attribute) and node.attr in attributes
            for node in self._with_definitions(header(self._statement))
        )

    def decodes(self) -> bool:
        """Whether the test asks for the JSON of a response that it gives no name: ``ask().json()``."""
        for node in self._with_definitions(header(self._statement)):
            match node:
                case ast.Call(func=ast.Attribute(attr="json", value=ast.Call() | ast.Await())):
                    return True
        return False

    def reads_end_of_script(self) -> bool:
        """Whether it reads if a script of the project succeeded, as pytest-console-scripts tells."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr == "success"
            and type(self._at(node.value)).__module__ == "pytest_console_scripts"
            for node in header(self._statement)
        )

    def asks_a_mock(self) -> bool:
        """Whether it reads the log of a mock."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in _LOGS | _LOGS_OF_FAKES
            and _is_mock(self._value(root_of(node)))
            for node in self._with_definitions(header(self._statement))
        )

    def measures_time(self) -> bool:
        """Whether a clock was asked for any of it."""
        names = [*self._names(header(self._statement))]
        made = (definitions(self._function, name, self._statement.lineno) for name in names)
        nodes = [
            *header(self._statement),
            *(node for found in made for one in found for node in header(one)),
        ]
        calls = (node.func for node in nodes if isinstance(node, ast.Call))
        return any(getattr(one, "attr", getattr(one, "id", "")) in _CLOCKS for one in calls)

    def expected(self) -> Side:
        """The side of a comparison that is a constant or a name of the module, if the other is neither."""
        sides = sides_of(self._statement)
        if sides is None:
            return ""
        first, second = map(self._is_given, sides)
        return "" if first == second else "first" if first else "second"

    def computes(self) -> bool:
        """Whether what it compares is made by the test of what it got."""
        sides = sides_of(self._statement)
        if sides is None:
            return False
        return is_computed(sides[1] if self.expected() == "first" else sides[0])

    def _is_given(self, side: ast.expr) -> bool:
        """Whether it stands in the file, and nothing is asked for it."""
        names = [node.id for node in ast.walk(side) if isinstance(node, ast.Name)]
        asks = any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(side))
        return not asks and all(
            name not in self._frame.f_locals and name in self._frame.f_globals for name in names
        )

    def log(self) -> Side:
        """On which side of the comparison the log of a fake or a mock stands; empty for on none."""
        sides = sides_of(self._statement)
        if sides is None:
            return "both" if self._is_log(header(self._statement)) else ""
        first, second = (self._is_log(ast.walk(side)) for side in sides)
        return "first" if first else "second" if second else ""

    def _is_log(self, nodes: Iterable[ast.AST]) -> bool:
        return any(self._names_log(node) for node in self._with_definitions(nodes))

    def _with_definitions(self, nodes: Iterable[ast.AST]) -> list[ast.AST]:
        """The nodes, and those of the assignments that made the names among them."""
        nodes = list(nodes)
        for name in {node.id for node in nodes if isinstance(node, ast.Name)}:
            for definition in definitions(self._function, name, self._statement.lineno):
                if isinstance(definition, (ast.Assign, ast.AnnAssign)):
                    nodes.extend(header(definition))
        return nodes

    def _names_log(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id == "call_count" or node.id in _OUTBOXES
        if not isinstance(node, ast.Attribute):
            return False
        if node.attr in _LOGS or (node.attr == "outbox" and self._is_mail(node.value)):
            return True
        return node.attr in _LOGS_OF_FAKES and self._role_at(node.value) == "fake"

    def _is_mail(self, node: ast.expr) -> bool:
        mail = sys.modules.get("django.core.mail")
        return mail is not None and self._at(node) is mail

    def _role_at(self, node: ast.expr) -> Role | None:
        return _role_of(self._at(node), self._roles)

    def _at(self, node: ast.expr) -> object:
        """What a name stands for, or an attribute that the test's object keeps; None for the rest."""
        if isinstance(node, ast.Name):
            return self._value(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return _attributes_of(self._value(node.value.id)).get(node.attr)
        return None

    def _value(self, name: str) -> object:
        found = self._frame.f_locals.get(name)
        return self._frame.f_globals.get(name) if found is None else found

    def _names(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        waiting, done = list(loaded(nodes)), set[str]()
        while waiting and len(done) < _STEPS:
            name = waiting.pop(0)
            if name in done:
                continue
            done.add(name)
            yield name
            for definition in definitions(self._function, name, self._statement.lineno):
                waiting.extend(loaded(header(definition)))


def _is_reply(value: Any, statuses: Collection[int], roles: Roles) -> bool:
    """Whether this is an injected error reply, as a response of some library or of production code's own."""
    known = type(value).__module__.partition(".")[0] in _RESPONSES
    if not known and _role_of(value, roles) != "production":
        return False
    # Anything may have a status, and work to tell it; a code of one is a reply's.
    names = ("status_code", "status") if known else ("status_code",)
    try:
        return any(getattr(value, name, None) in statuses for name in names)
    except Exception:
        return False  # it has no status yet, or none that can be told


def _is_body(value: Any, statuses: Collection[int]) -> bool:
    """Whether this is what was in an injected error reply."""
    if is_a(value, dict):
        return any(dict.__eq__(value, error_reply(status)) is True for status in statuses)
    return is_a(value, str) and str(value) in map(error_body, statuses)


def _is_mock(value: object) -> bool:
    return any(base.__module__ in _MOCKS for base in type(value).__mro__)


def _attributes_of(value: object) -> Mapping[str, object]:
    """What an object keeps by itself."""
    try:
        return dict(vars(value))
    except Exception:
        return {}  # it keeps nothing, or stands for something that is not there now


def _role_of(value: Any, roles: Roles) -> Role | None:
    """Whose code a module, function or class is; of another object, whose its class is.

    By its type: what stands for another object (a request, outside of any) raises when it is asked.
    """
    if value is None:
        return None
    if is_a(value, ModuleType):
        name = value.__name__
    else:
        name = value.__module__ if is_a(value, (type, FunctionType)) else type(value).__module__
    file = file_of(sys.modules.get(name)) if isinstance(name, str) else ""
    return roles.role(file, name) if file else None


def _links_in(value: Any, recorder: Recorder) -> tuple[Link, ...]:
    """The chain of an exception, or of what holds one: ``pytest.raises`` or ``assertRaises``."""
    if is_a(value, pytest.ExceptionInfo):
        try:
            value = value.value
        except AssertionError:
            return ()  # its block has not ended
    elif (error := end_of_command(value)) is not None:
        value = error
    elif _CONTEXT is not None and is_a(value, _CONTEXT):
        return _LET_IN.get(value, ())
    return links_of(value, recorder.roles) if is_a(value, BaseException) else ()


def watch_raises(recorder: Recorder) -> Callable[[], None]:
    """Note what ``assertRaises`` catches after a fault: it takes the frames off. The undo is returned."""
    original = getattr(_CONTEXT, "__exit__", None)
    if original is None:
        return lambda: None

    def leave(context: Any, kind: Any, error: Any, traceback: Any) -> Any:
        if recorder.injections and isinstance(error, BaseException):
            _LET_IN[context] = recorder.let_in = links_of(error, recorder.roles)
        return original(context, kind, error, traceback)

    patches = [(_CONTEXT, original, leave)]
    if _RAISES is not None:
        entered = _RAISES.__exit__

        def let_in(context: Any, kind: Any, error: Any, traceback: Any) -> Any:
            kept = entered(context, kind, error, traceback)
            if kept and recorder.injections and isinstance(error, BaseException):
                recorder.let_in = links_of(error, recorder.roles)
            return kept

        patches.append((_RAISES, entered, let_in))
    for owner, _, now in patches:
        owner.__exit__ = now

    def undo() -> None:
        for owner, before, _ in patches:
            owner.__exit__ = before

    return undo
