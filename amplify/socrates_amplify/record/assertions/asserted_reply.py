"""Which actor's reply a failing assertion looked at, read off the test's source and its replies.

First the replies that the failing statement took itself; else those that went into the names it
reads, followed back through assignments; else the last reply that the test took at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from types import FrameType

from socrates_amplify.record.assertions.statements import (
    covers,
    definitions,
    header,
    innermost,
    loaded,
    statements,
)
from socrates_amplify.record.messages import ReplyRead
from socrates_amplify.record.recorder import Recorder
from socrates_amplify.record.source_trees import parsed

_STEPS = 50
"""Assignments followed back at most."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def actor_looked_at(recorder: Recorder, frame: FrameType | None, line: int) -> str:
    """The address of that actor; empty when there was no reply, or replies of several actors."""
    recorder.trace()
    taken = recorder.reply_reads
    if not taken:
        return ""
    module = parsed(recorder.test_file) if frame is not None else None
    statement = innermost(module, line, ast.stmt) if module else None
    if frame is None or module is None or statement is None:
        return _address_of(taken if taken[-1].sent.stays else taken[-1:])
    found = _last_evaluation(taken, statement, module)
    if not found:
        found = _behind_names(taken, statement, module, frame)
    if any(item.sent.stays for item in found):
        found += _sharing(taken, statement, module)
    if not found:
        return _address_of(taken if taken[-1].sent.stays else taken[-1:])
    return _address_of(found)


def _address_of(found: Iterable[ReplyRead]) -> str:
    """The one actor whose replies these are; empty when there are several."""
    addresses = {consumption.sent.actor.address for consumption in found}
    return addresses.pop() if len(addresses) == 1 else ""


def _last_evaluation(
    taken: Sequence[ReplyRead], statement: ast.stmt, module: ast.Module
) -> list[ReplyRead]:
    """The replies that the statement took when it ran last.

    The same place taking a reply again means an earlier round of a loop around the statement,
    unless the loop is inside: a comprehension, or a helper that loops.
    """
    found: list[ReplyRead] = []
    places: set[tuple[int, ...]] = set()
    for consumption in reversed(taken):
        if not _within(consumption, statement):
            break
        if consumption.place in places and not _loops_inside(consumption, statement, module):
            break
        places.add(consumption.place)
        found.append(consumption)
    return found


def _loops_inside(consumption: ReplyRead, statement: ast.stmt, module: ast.Module) -> bool:
    if any(isinstance(node, _COMPREHENSIONS) for node in header(statement)):
        return True
    inner = consumption.lines[0]
    if covers(statement, inner):
        return False
    function = innermost(module, inner, ast.FunctionDef, ast.AsyncFunctionDef)
    return function is not None and any(
        isinstance(node, (*_LOOPS, *_COMPREHENSIONS)) and covers(node, inner)
        for node in ast.walk(function)
    )


def _behind_names(
    taken: Sequence[ReplyRead], statement: ast.stmt, module: ast.Module, frame: FrameType
) -> list[ReplyRead]:
    """The replies that went into the names that the statement reads."""
    function = innermost(module, statement.lineno, ast.FunctionDef, ast.AsyncFunctionDef) or module
    names = list(loaded(header(statement)))
    done: set[str] = set()
    found: list[ReplyRead] = []
    for _ in range(_STEPS):
        fresh = [name for name in names if name not in done]
        if not fresh:
            break
        done.add(fresh[0])
        for definition in definitions(function, fresh[0], statement.lineno):
            here = [item for item in taken if _within(item, definition)]
            here = _same_value(here, frame.f_locals.get(fresh[0])) or here
            found.extend(here)
            if not here:
                names.extend(loaded(header(definition)))
    return found


def _sharing(
    taken: Sequence[ReplyRead], statement: ast.stmt, module: ast.Module
) -> list[ReplyRead]:
    """The replies taken by earlier statements that have an object in common with this one.

    What a caller in the test's own process was answered may be kept in any object that it had.
    """
    function = innermost(module, statement.lineno, ast.FunctionDef, ast.AsyncFunctionDef) or module
    global_names = _global_names(module)
    names = set(loaded(header(statement))) - global_names
    waiting = [item for item in statements(function) if item.lineno < statement.lineno]
    found: list[ReplyRead] = []
    while True:
        near = [item for item in waiting if names & _touched(item)]
        if not near:
            return found
        for item in near:
            names |= _touched(item) - global_names
            found += [consumption for consumption in taken if _within(consumption, item)]
        waiting = [item for item in waiting if item not in near]


def _global_names(module: ast.Module) -> set[str]:
    """What every statement can see, so that it connects none with another: modules and the like."""
    names: set[str] = set()
    for item in module.body:
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in item.names)
        elif isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(item.name)
    return names


def _touched(statement: ast.stmt) -> set[str]:
    return {node.id for node in header(statement) if isinstance(node, ast.Name)}


def _same_value(found: list[ReplyRead], value: object) -> list[ReplyRead]:
    """Of several replies that one assignment took, those that are the name's value."""
    return [item for item in found if item.value is value] if value is not None else []


def _within(consumption: ReplyRead, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    return any(statement.lineno <= line <= last for line in consumption.lines)
