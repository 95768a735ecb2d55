"""A test that calls several methods, cut into what is shared and one section per method."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from socrates.classes.lazy import dataclass
from socrates.fix import NoFix
from socrates.model.context import FileContext
from socrates.model.python.names import parameters, root_of
from socrates.model.python.values import ClassValue, FunctionValue
from socrates.model.suite.collect import TestCase
from socrates.model.units.production import ProductionCall
from socrates.syntax.unparse import unparse
from socrates_rules.eager_test.independence import called_for_effect
from socrates_rules.rewriting.clones import is_literal, statements_of
from socrates_rules.rewriting.mutation import changes_others, mutation_of, only_looks
from socrates_rules.rewriting.pure import builds_only, is_pure

_MOST_REPEATED = 4
"""Lines of arrangement that a reader does not mind in each of several tests."""


@dataclass(frozen=True, slots=True)
class Section:
    """The statements that are about one method, and the names that they take from outside."""

    method: str
    statements: tuple[ast.stmt, ...]
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cut:
    """``values`` are literals that each new test repeats, ``shared`` assignments become fixtures.

    An arrangement that can't be fixtures is ``repeated``, all of it in each new test.
    """

    values: tuple[ast.Assign, ...]
    shared: tuple[ast.Assign, ...]
    sections: tuple[Section, ...]
    repeated: tuple[ast.stmt, ...] = ()


def cut(
    file: FileContext, test: TestCase, calls: Sequence[ProductionCall], *, has_fixtures: bool
) -> Cut:
    """The parts of a test. NoFix when one part depends on what another has done."""
    acting = [call for call in calls if call.acts]
    if any(call.in_helper for call in acting):
        raise NoFix("helpers call the methods")
    methods = {id(call.node): call.method for call in acting}
    statements = statements_of(test.node)
    acts = [
        {methods[id(node)] for node in ast.walk(statement) if id(node) in methods}
        for statement in statements
    ]
    if any(len(found) > 1 for found in acts):
        raise NoFix("one statement calls several methods")
    start = next(index for index, found in enumerate(acts) if found)
    turns = _turns(statements[start:], acts[start:])
    sections = _by_method(turns)
    moved = _moved(file, test, _variables(statements[:start]), sections)
    if moved is None or not (has_fixtures or all(_is_fixed(node.value) for node in moved[0])):
        found = _repeating(test, statements[:start], sections)
    else:
        arranged, with_arranged = moved
        _require_independent({target(node) for node in arranged}, with_arranged)
        found = Cut(
            tuple(node for node in arranged if _is_fixed(node.value)),
            tuple(node for node in arranged if not _is_fixed(node.value)),
            tuple(with_arranged),
        )
    take_turns = len(sections) < len(turns)
    _require_no_traces(file, test, found.sections if take_turns else found.sections[:-1])
    return found


def target(assign: ast.Assign) -> str:
    """The one name that an assignment of the arrangement binds."""
    name = assign.targets[0]
    assert isinstance(name, ast.Name)
    return name.id


def loads(node: ast.AST) -> set[str]:
    """The names that a piece of code reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _reads(n)}


def _reads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _stores(node: ast.AST) -> set[str]:
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not _reads(n)}
    found |= {
        n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    return found | {n.name for n in ast.walk(node) if isinstance(n, ast.ClassDef)}


def _is_fixed(value: ast.expr) -> bool:
    """Whether a value is an immutable literal, which every section can repeat."""
    if isinstance(value, ast.Tuple):
        return all(_is_fixed(part) for part in value.elts)
    return isinstance(value, (ast.Constant, ast.UnaryOp)) and is_literal(value)


def _repeating(test: TestCase, arranged: Sequence[ast.stmt], sections: list[Section]) -> Cut:
    """Each new test begins with the whole arrangement, as the old one did."""
    length = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in arranged)
    if length > _MOST_REPEATED:
        raise NoFix(f"{length} lines of arrangement would stand in each of the new tests")
    names = set().union(*(_stores(node) for node in arranged))
    own = names | {argument.arg for argument in parameters(test.node)}
    if not all(_is_own(statement, own) for statement in arranged):
        raise NoFix("the arrangement is more than variables and what is done to them")
    _require_independent(names, sections)
    needed = frozenset().union(*(loads(node) for node in arranged))
    sections = [
        Section(part.method, part.statements, (part.needs - names) | needed) for part in sections
    ]
    return Cut((), (), tuple(sections), tuple(arranged))


def _is_own(statement: ast.stmt, own: set[str]) -> bool:
    """Whether a statement of the arrangement may run once per new test: it only touches their own."""
    match statement:
        case ast.Assign(targets=targets):
            parts = [p.elts if isinstance(p, ast.Tuple) else [p] for p in targets]
            return all(root_of(part) in own for inner in parts for part in inner)
        case ast.AnnAssign(target=part):
            return root_of(part) in own
        case ast.Expr(value=ast.Call(func=func) | ast.Await(value=ast.Call(func=func))):
            return root_of(func) in own
    return isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))


def _variables(statements: Sequence[ast.stmt]) -> list[ast.Assign] | None:
    """The statements, if each gives one name of its own a value that a fixture could return."""
    found: list[ast.Assign] = []
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name()]) if not any(
                isinstance(n, (ast.Await, ast.NamedExpr, ast.Lambda)) for n in ast.walk(statement)
            ):
                found.append(statement)
            case _:
                return None
    names = {target(node) for node in found}
    return found if len(names) == len(found) else None


def _turns(statements: Sequence[ast.stmt], acts: Sequence[set[str]]) -> list[Section]:
    """The statements cut where another method is called: a method may have several turns."""
    parts: list[tuple[str, list[ast.stmt]]] = []
    for statement, found in zip(statements, acts, strict=True):
        method = next(iter(found), None)
        if method is not None and (not parts or parts[-1][0] != method):
            moved = _after_last_check(parts[-1][1]) if parts else []
            parts.append((method, [*moved, statement]))
        else:
            parts[-1][1].append(statement)
    parts = _checked(parts)
    if len(parts) < 2:
        raise NoFix("only one of its calls is checked before the next")
    return [_section(method, body) for method, body in parts]


def _section(method: str, body: Sequence[ast.stmt]) -> Section:
    return Section(method, tuple(body), frozenset(_needs(body)))


def _by_method(turns: Sequence[Section]) -> list[Section]:
    """All turns of a method together. NoFix when one uses what another method's turn has bound."""
    found: dict[str, list[ast.stmt]] = {}
    for turn in turns:
        found.setdefault(turn.method, []).extend(turn.statements)
    if len(found) < 2:
        raise NoFix("only one of its calls is checked before the next")
    for index, turn in enumerate(turns if len(found) < len(turns) else ()):
        bound = _bound(turn)
        if any(bound & other.needs for other in turns[index:] if other.method != turn.method):
            raise NoFix("a section uses what another has made")
    return [_section(method, body) for method, body in found.items()]


def _bound(section: Section) -> set[str]:
    """The names that a section gives a value."""
    return set().union(*(_stores(statement) for statement in section.statements))


def _checked(parts: Sequence[tuple[str, list[ast.stmt]]]) -> list[tuple[str, list[ast.stmt]]]:
    """The parts that check something; one that does not prepares the next, or ends the last."""
    found: list[tuple[str, list[ast.stmt]]] = []
    waiting: list[ast.stmt] = []
    for method, body in parts:
        waiting = [*waiting, *body]
        if any(_checks(statement) for statement in body):
            found.append((method, waiting))
            waiting = []
    if waiting and found:
        found[-1] = (found[-1][0], [*found[-1][1], *waiting])
    return found


def _moved(
    file: FileContext,
    test: TestCase,
    arranged: list[ast.Assign] | None,
    sections: Sequence[Section],
) -> tuple[list[ast.Assign], list[Section]] | None:
    """Move what only one section needs into it. None when some tests would lose an effect by that."""
    if arranged is None:
        return None
    kept: list[ast.Assign] = []
    sections = list(sections)
    for node in reversed(arranged):
        name = target(node)
        users = [index for index, section in enumerate(sections) if name in section.needs]
        below = any(name in loads(other.value) for other in kept)
        if _is_fixed(node.value):
            kept.insert(0, node)
        elif len(users) == 1 and not below and is_pure(node.value, test.scope, file):
            section = sections[users[0]]
            body = (node, *section.statements)
            sections[users[0]] = _section(section.method, body)
        elif len(users) == len(sections) or is_pure(node.value, test.scope, file):
            kept.insert(0, node)
        else:
            return None
    return kept, sections


def _after_last_check(body: list[ast.stmt]) -> list[ast.stmt]:
    """Remove and return what follows the last check of a section: it prepares the next section."""
    moved: list[ast.stmt] = []
    while len(body) > 1 and not _checks(body[-1]):
        moved.insert(0, body.pop())
    return moved


def _checks(statement: ast.stmt) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr.startswith(("assert", "raises", "warns"))
        )
        for node in ast.walk(statement)
    )


def _needs(body: Sequence[ast.stmt]) -> set[str]:
    needed: set[str] = set()
    known: set[str] = set()
    for statement in body:
        needed |= loads(statement) - known
        known |= _stores(statement)
    return needed


def _require_independent(names: set[str], sections: Sequence[Section]) -> None:
    for index, section in enumerate(sections):
        bound = _bound(section)
        if bound & names:
            raise NoFix("a section changes what is shared")
        for other in sections[index + 1 :]:
            if bound & other.needs:
                raise NoFix("a section uses what another has made")


def _require_no_traces(file: FileContext, test: TestCase, sections: Sequence[Section]) -> None:
    """NoFix unless all that the sections call leaves no trace that another one could see."""
    effects = called_for_effect(test.node)
    for section in sections:
        own = _bound(section)
        for node in (part for statement in section.statements for part in ast.walk(statement)):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(
                node.ctx, ast.Load
            ):
                if root_of(node) not in own:
                    raise NoFix("a section changes what is shared")
            if isinstance(node, ast.Call) and not _leaves_no_trace(file, test, node, own, effects):
                raise NoFix(f"{unparse(node.func)} may leave a trace")


def _leaves_no_trace(
    file: FileContext, test: TestCase, call: ast.Call, own: set[str], effects: frozenset[int]
) -> bool:
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr.startswith(("assert", "raises", "approx")):
        return True
    called = file.infer(func, test.scope)
    if isinstance(called, ClassValue):
        return builds_only(called.cls, file, 0)
    if not isinstance(called, FunctionValue):
        return only_looks(func, test.scope)
    mutation = mutation_of(called, file)
    if mutation == "none" or (mutation == "own" and root_of(func) in own):
        return True
    if id(call) in effects or changes_others(called, file):
        return False
    return called.owner is None or _is_of_class(file, test, func)


def _is_of_class(file: FileContext, test: TestCase, func: ast.expr) -> bool:
    """Whether a method is called on its class, and so has no object of its own to change."""
    return isinstance(func, ast.Attribute) and isinstance(
        file.infer(func.value, test.scope), ClassValue
    )
