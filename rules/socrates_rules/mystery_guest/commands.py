"""Where the program of a started process comes from."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import replace

from socrates.model.python.names import Scope, binding_for
from socrates_rules.mystery_guest.origin import MANAGED, Known, Origin, any_managed
from socrates_rules.mystery_guest.resources import Access
from socrates_rules.mystery_guest.tracing import Origins

_MAX_DEPTH = 6
_RUNS_CODE = frozenset(
    {"pytest", "unittest", "coverage", "py_compile", "compileall", "mypy", "runpy"}
)
_VALUES = frozenset({"error", "ignore", "always", "default", "dev", "utf8", "faulthandler"})
"""What follows ``-W`` and ``-X``."""
_INLINE = re.compile(r"-|-[A-Za-z]*c")
"""``-c`` (also ``-Ic``) and ``-``: the code is an argument or comes through a pipe."""
_MODULE = re.compile(r"-[bBdEiIOPqsSuvx]*m([\w.]*)")
"""``-m``, with the module as the next word or in the same one."""


def origin(call: ast.Call, how: Access, origins: Origins, scope: Scope) -> Origin:
    """The origin of the program that a call starts.

    Python itself counts as managed when it runs inline code or code from a managed folder.
    """
    given = [call.args[i] for i in how.positions if i < len(call.args)]
    given += [keyword.value for keyword in call.keywords if keyword.arg in how.keywords]
    if not given:
        return Origin(Known.UNKNOWN)
    if how.spread:
        words = _words(ast.List(call.args[how.positions[0] :]), scope, origins)
    else:
        words = _words(given[0], scope, origins)
    if not words:
        return _of_text(given[0], origins, scope)
    program, others = origins.of(*words[0]), words[1:]
    if not program.is_python:
        inline = program.known is Known.FIXED and any(_is_option(w, _INLINE) for w, _ in others)
        return replace(program, text=f"{program.text[:-1]} -c'") if inline else program
    if not others or _runs_inline(others):
        return MANAGED
    where = [origins.of(k.value, scope) for k in call.keywords if k.arg == "cwd"]
    runs = _script(others, origins)
    if any_managed(where) and not _is_elsewhere(runs, others, origins):
        return MANAGED
    if runs is None and "input" in [k.arg for k in call.keywords] and not _has_module(others):
        return MANAGED
    return replace(runs, is_python=True) if runs else program


def _is_elsewhere(
    runs: Origin | None, words: list[tuple[ast.expr, Scope]], origins: Origins
) -> bool:
    """Whether the working folder does not decide what Python runs: a full path, or the project."""
    if runs is not None:
        return runs.known is Known.FIXED and runs.anchored
    found = [_module(words, i)[0] for i, word in enumerate(words) if _is_option(word[0], _MODULE)]
    near = origins.test.module.path
    return any(origins.resolver.project.defines(n.partition(".")[0], near) for n in found if n)


def _module(
    words: list[tuple[ast.expr, Scope]], index: int
) -> tuple[str, list[tuple[ast.expr, Scope]]]:
    """The module that ``-m`` at an index names, in the same word or the next, and what follows."""
    option = words[index][0]
    match = _MODULE.fullmatch(str(option.value)) if isinstance(option, ast.Constant) else None
    if match is not None and match.group(1):
        return match.group(1), words[index + 1 :]
    name = words[index + 1][0] if index + 1 < len(words) else None
    text = name.value if isinstance(name, ast.Constant) else ""
    return text if isinstance(text, str) else "", words[index + 2 :]


def _runs_inline(words: list[tuple[ast.expr, Scope]]) -> bool:
    """Whether Python is told to run code that is handed to it: what follows ``-m`` is the module's."""
    own = itertools.takewhile(lambda word: not _is_option(word[0], _MODULE), words)
    return any(_is_option(word, _INLINE) for word, _ in own)


def _has_module(words: list[tuple[ast.expr, Scope]]) -> bool:
    return any(_is_option(word, _MODULE) for word, _ in words)


def _script(words: list[tuple[ast.expr, Scope]], origins: Origins) -> Origin | None:
    """The origin of the code that Python is told to run: of a file, or of a module's tests."""
    for index, (word, scope) in enumerate(words):
        text = word.value if isinstance(word, ast.Constant) else None
        if _is_option(word, _MODULE):
            name, following = _module(words, index)
            given = [origins.of(*argument) for argument in following]
            return MANAGED if name in _RUNS_CODE and any_managed(given) else None
        if isinstance(text, str) and (text.startswith("-") or text in _VALUES):
            continue
        return origins.of(word, scope)
    return None


def _is_option(word: ast.expr, pattern: re.Pattern[str]) -> bool:
    return (
        isinstance(word, ast.Constant)
        and isinstance(word.value, str)
        and bool(pattern.fullmatch(word.value))
    )


def _of_text(expr: ast.expr, origins: Origins, scope: Scope) -> Origin:
    """A shell command: ``f"{sys.executable} -c ..."`` is Python, anything managed is managed."""
    found = origins.of(expr, scope)
    if found.is_python and any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and " -c" in node.value
        for node in ast.walk(expr)
    ):
        return MANAGED
    return found


def _words(
    expr: ast.expr, scope: Scope, origins: Origins, depth: int = 0
) -> list[tuple[ast.expr, Scope]] | None:
    """The words of a command that is a list, through names; None for text and what is unseen."""
    if depth > _MAX_DEPTH:
        return None
    match expr:
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            found: list[tuple[ast.expr, Scope]] = []
            for element in elts:
                inner = (
                    _words(element.value, scope, origins, depth + 1)
                    if isinstance(element, ast.Starred)
                    else None
                )
                found += inner if inner is not None else [(element, scope)]
            return found
        case ast.Starred(value=value):
            return _words(value, scope, origins, depth + 1)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first = _words(left, scope, origins, depth + 1)
            if first is None:
                return None
            return first + (_words(right, scope, origins, depth + 1) or [(right, scope)])
        case ast.Name():
            return _named_words(expr, scope, origins, depth)
    return None


def _named_words(
    expr: ast.Name, scope: Scope, origins: Origins, depth: int
) -> list[tuple[ast.expr, Scope]] | None:
    local = scope.lookup(expr.id)
    if local is None:
        value = scope.module.assigns.get(expr.id)
        return _words(value, Scope(scope.module), origins, depth + 1) if value is not None else None
    owner, bindings = local
    binding = binding_for(bindings, expr)
    if binding.kind == "param" and expr.id in owner.arguments:
        passed, caller = owner.arguments[expr.id]
        return _words(passed, caller, origins, depth + 1)
    if binding.kind == "value" and isinstance(binding.value, ast.expr):
        return _words(binding.value, owner, origins, depth + 1)
    if binding.kind == "item" and isinstance(binding.value, ast.expr):
        # A loop over commands is judged by the first one.
        commands = _words(binding.value, owner, origins, depth + 1)
        return _words(*commands[0], origins, depth + 1) if commands else None
    return None
