"""Evidence, taken where it is: the stack when a fault is applied, the exceptions of a failing test."""

from __future__ import annotations

import dis
import linecache
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType, TracebackType

from socrates_amplify.model.evidence import Frame, Injection, Link, Relation, asking
from socrates_amplify.model.outcomes import HANG
from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.record.documented import is_raised_again, promised
from socrates_amplify.record.stacks import stacks_that_wait
from socrates_amplify.record.whose import Roles, module_of

Asker = tuple[CodeType, int]
"""Code, and the line at which it asked for something to be run elsewhere."""
_RUNNERS = frozenset({"_pytest", "pluggy"})
_MOST_LINKS = 12
_MOST_FRAMES = 80
_LONGEST = 300
_RAISE = dis.opmap["RAISE_VARARGS"]
_AWAITS = frozenset(
    dis.opmap[name]
    for name in ("SEND", "RESUME", "YIELD_VALUE", "JUMP_BACKWARD_NO_INTERRUPT")
    if name in dis.opmap
)
"""Where code stands that waits for a task or a future."""


def injection(
    target: str, kind: str, frame: FrameType | None, roles: Roles, askers: Sequence[Asker] = ()
) -> Injection:
    """The stack that leads to ``frame``, where a fault is being applied.

    Where no code of production is on it, as in a task of its own, that of ``askers`` stands for it.
    """
    frames: list[Frame] = []
    codes: list[CodeType] = []
    while frame is not None and len(frames) < _MOST_FRAMES:
        module = frame.f_globals.get("__name__", "")
        if str(module).partition(".")[0] in _RUNNERS:
            break  # beyond is whoever runs the tests
        seen = roles.frame(frame.f_code, module, frame.f_lineno)
        if seen.role not in ("ours", "framework"):
            frames.append(seen)
            codes.append(frame.f_code)
        frame = frame.f_back
    if asking(frames) is None:
        for code, line in askers:
            asked = roles.frame(code, module_of(code.co_filename), line)
            if asked.role == "production":
                frames.append(asked)
                codes.append(code)
    place = asking(frames)
    call = "" if place is None else _call(codes[place], frames[place].line)
    return Injection(target, kind, tuple(frames), without_secrets(call)[:_LONGEST])


def _call(code: CodeType, line: int) -> str:
    """The source line of a call; the second of two that read the same in a function is told from the first."""
    text = linecache.getline(code.co_filename, line).strip()
    above = range(code.co_firstlineno, line)
    same = sum(linecache.getline(code.co_filename, other).strip() == text for other in above)
    return f"{text} #{same + 1}" if same and text else text


def links_of(error: BaseException, roles: Roles) -> tuple[Link, ...]:
    """The exception, what it was raised for, and the members of groups, each with its frames."""
    found: list[Link] = []
    waiting: list[tuple[BaseException, Relation]] = [(error, "")]
    seen: set[int] = set()
    while waiting and len(found) < _MOST_LINKS:
        one, relation = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        found.append(_link(one, relation, roles))
        waiting.extend(_behind(one))
    return tuple(found)


def link_of_wait(frame: FrameType | None, roles: Roles) -> Link:
    """Where a test waits that does not end, told like an exception.

    If production code waits in another thread or in a task, that is told: the test waits for it.
    """
    first, *others = (
        tuple(roles.frame(at.f_code, at.f_globals.get("__name__", ""), at.f_lineno) for at in stack)
        for stack in stacks_that_wait(frame)
    )
    waiting = (one for one in (first, *others) if any(at.role == "production" for at in one))
    return Link(HANG, "", frames=next(waiting, first)[-_MOST_FRAMES:])


def _behind(error: BaseException) -> Iterator[tuple[BaseException, Relation]]:
    if isinstance(error, BaseExceptionGroup):
        yield from ((member, "member") for member in error.exceptions)
    if error.__cause__ is not None:
        yield error.__cause__, "cause"
    elif error.__context__ is not None:
        # Also where ``from None`` keeps it from people: it tells what was being handled.
        yield error.__context__, "context"


def _link(error: BaseException, relation: Relation, roles: Roles) -> Link:
    kind = type(error)
    frames, last, passed, again = [], None, [], False
    for entry in _entries(error.__traceback__):
        module = entry.tb_frame.f_globals.get("__name__", "")
        frames.append(roles.frame(entry.tb_frame.f_code, module, entry.tb_lineno))
        if frames[-1].role == "production":
            code = entry.tb_frame.f_code
            passed.append(code)
            again = again or is_raised_again(code.co_filename, entry.tb_lineno, kind)
        last = entry
    if len(frames) > _MOST_FRAMES:
        frames = frames[: _MOST_FRAMES // 2] + frames[-_MOST_FRAMES // 2 :]
    return Link(
        type=kind.__name__,
        module=kind.__module__,
        message=without_secrets(text_of(error))[:_LONGEST],
        relation=relation,
        frames=tuple(frames),
        raised=last is not None
        and (is_raise(last) or (_is_awaited(last) and kind.__module__ != "builtins")),
        bases=tuple(base.__name__ for base in kind.__mro__ if base.__module__ == "builtins")[:-1],
        promised=promised(passed, kind),
        again=again,
    )


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_awaited(entry: TracebackType) -> bool:
    """Whether an ``await`` handed it over whose task or future had raised it before, without its frames."""
    code = entry.tb_frame.f_code.co_code
    return 0 <= entry.tb_lasti < len(code) and code[entry.tb_lasti] in _AWAITS


def is_raise(entry: TracebackType) -> bool:
    """Whether a ``raise`` is what went wrong there; not an expression, nor what was called."""
    code = entry.tb_frame.f_code.co_code
    return 0 <= entry.tb_lasti < len(code) and code[entry.tb_lasti] == _RAISE


def text_of(error: BaseException) -> str:
    """What an exception says of itself; empty for one that can't say it."""
    try:
        return str(error)
    except Exception:
        return ""  # it still has its type
