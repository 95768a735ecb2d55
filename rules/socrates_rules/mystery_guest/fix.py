"""SOC105: a scratch file at a fixed path moves into the test's own ``tmp_path``."""

from __future__ import annotations

import ast
from pathlib import Path, PurePath

import libcst as cst

from socrates.files.looking import exists
from socrates.findings import Finding
from socrates.fix import Fix, NoFix
from socrates.fixes.tree import Changed, Piece, swap
from socrates.model.context import FileContext
from socrates.model.python.names import dotted_name
from socrates.model.suite.collect import TestCase
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout
from socrates_rules.rewriting.annotations import is_annotated, path_type
from socrates_rules.rewriting.functions import requesting

_TAKES_PATHS = ("builtins.open", "io.open", "pathlib.", "os.", "shutil.")
_WRITING = frozenset({"write_text", "write_bytes", "touch"})


def fix(finding: Finding, file: FileContext) -> Fix | None:
    """Unsafe: code that was given a relative path is now given an absolute one."""
    test = _file.test_of(finding, file)
    if finding.data.get("kinds") != ["file"]:
        raise NoFix("only a file that the test writes itself can move")
    if test.is_unittest:
        raise NoFix("unittest has no tmp_path")
    _file.require_plain(test)
    paths = _paths(file, test)
    if not paths:
        raise NoFix("the test does not write the file at a literal path: it may be data")
    names = {PurePath(text).name for text in paths}
    if len(names) != len(paths) or "" in names:
        raise NoFix("two files would get the same name")
    parents = _parents(test.node)
    literals = [
        node
        for node in ast.walk(test.node)
        if isinstance(node, ast.Constant) and node.value in paths
    ]
    piece = Piece(file.module.source, test.node)
    changes: dict[cst.CSTNode, Changed] = {}
    for node in literals:
        name = _layout.quoted(PurePath(str(node.value)).name, file)
        path = f"tmp_path / {name}"
        wrap = _needs_text(node, parents, test)
        code = f"str({path})" if wrap else path
        changes[piece.find(node, cst.SimpleString)] = cst.parse_expression(code)
    function = swap(piece.function, changes)
    column = len(piece.indent)
    if "tmp_path" not in test.arguments:
        types = {"tmp_path": path_type(file)} if is_annotated(test.node) else {}
        function = _layout.signed(requesting(function, ["tmp_path"], types), column, file)
    function = _layout.joined(function, piece.function, column, file)
    shown = ", ".join(sorted(names))
    edits = _layout.fitting(piece.replaced(function), file)
    return Fix(f"Keep {shown} in tmp_path", "unsafe", edits)


def _paths(file: FileContext, test: TestCase) -> set[str]:
    """Fixed paths that the test writes before anything reads them; NoFix if one is more."""
    written: set[str] = set()
    for node in ast.walk(test.node):
        if isinstance(node, ast.Call):
            path = _written_by(node, test)
            if path is not None:
                written.add(path)
    held = _held(test)
    for node in ast.walk(test.node):
        if isinstance(node, ast.Call) and (name := _written_name(node, test)) in held:
            written.add(held[name])
    for text in written:
        _require_scratch(file, test, text)
    return written


def _held(test: TestCase) -> dict[str, str]:
    """Variables that hold a literal path and nothing else, and are only handed to calls."""
    found: dict[str, str] = {}
    for statement in test.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(path))):
                found[name] = path
    parents = _parents(test.node)
    for node in ast.walk(test.node):
        if isinstance(node, ast.Name) and node.id in found:
            is_first = isinstance(node.ctx, ast.Store) and isinstance(parents[id(node)], ast.Assign)
            if not is_first and not isinstance(parents[id(node)], (ast.Call, ast.keyword)):
                del found[node.id]
    stores = [n.id for n in ast.walk(test.node) if isinstance(n, ast.Name) and _is_stored(n)]
    return {name: path for name, path in found.items() if stores.count(name) == 1}


def _is_stored(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _written_name(call: ast.Call, test: TestCase) -> str:
    """The variable that a call creates a file at: ``open(path, "w")``."""
    match call.args:
        case [ast.Name(id=name) as first, *rest]:
            literal = ast.copy_location(ast.Constant(name), first)
            looked = ast.Call(call.func, [literal, *rest], call.keywords)
            return name if _written_by(looked, test) == name else ""
    match call.func:
        case ast.Attribute(value=ast.Call(func=func, args=[ast.Name(id=name)]), attr=attr):
            is_path = (dotted_name(func, test.scope) or "").startswith("pathlib.")
            return name if is_path and attr in _WRITING else ""
    return ""


def _written_by(call: ast.Call, test: TestCase) -> str | None:
    """The literal path that a call creates: ``open(p, "w")``, ``Path(p).write_text(...)``."""
    match call:
        case ast.Call(func=func, args=[ast.Constant(value=str(path)), *rest]) if dotted_name(
            func, test.scope
        ) in ("builtins.open", "io.open"):
            mode = rest[0] if rest else None
            for keyword in call.keywords:
                mode = keyword.value if keyword.arg == "mode" else mode
            if isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax"):
                return path
        case ast.Call(
            func=ast.Attribute(
                attr=attr, value=ast.Call(func=func, args=[ast.Constant(value=str(path))])
            )
        ) if attr in _WRITING and (dotted_name(func, test.scope) or "").startswith("pathlib."):
            return path
    return None


def _require_scratch(file: FileContext, test: TestCase, text: str) -> None:
    """NoFix unless the first that happens to the path is that the test writes it."""
    calls = [node for node in ast.walk(test.node) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    held = {name for name, path in _held(test).items() if path == text}
    first = next(
        call
        for call in calls
        if any(isinstance(a, ast.Constant) and a.value == text for a in call.args)
        or any(isinstance(a, ast.Name) and a.id in held for a in call.args)
        or _written_by(call, test) == text
    )
    if _written_by(first, test) != text and _written_name(first, test) not in held:
        raise NoFix("it is read before it is written")
    folders = {file.project.root, file.module.path.parent, Path.cwd()}
    if any(exists(folder / text) for folder in folders if not PurePath(text).is_absolute()):
        raise NoFix("the file is there: it may be data that others need")
    parents = _parents(test.node)
    for node in ast.walk(test.node):
        if isinstance(node, ast.Constant) and node.value == text:
            parent = parents[id(node)]
            is_held = (
                isinstance(parent, ast.Assign) and getattr(parent.targets[0], "id", "") in held
            )
            if not is_held and not isinstance(parent, (ast.Call, ast.keyword)):
                raise NoFix("the path is used as text")


def _parents(function: ast.AST) -> dict[int, ast.AST]:
    return {
        id(child): parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)
    }


def _needs_text(node: ast.AST, parents: dict[int, ast.AST], test: TestCase) -> bool:
    """Whether a path goes to code that may want a ``str``."""
    parent = parents[id(node)]
    if not isinstance(parent, ast.Call):
        return True
    return not (dotted_name(parent.func, test.scope) or "").startswith(_TAKES_PATHS)
