"""What every fix needs of the file around its test: the test itself, imports, free names."""

from __future__ import annotations

import ast
import re
import sys
from weakref import WeakKeyDictionary

from socrates.findings import Finding, Span
from socrates.fix import Edit, NoFix
from socrates.model.context import FileContext
from socrates.model.python.source import Source
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase

_MARK = "pytest.mark."
_HARMLESS_DECORATORS = (
    _MARK,
    "unittest.mock.patch",
    "mock.patch",
    "unittest.skip",
    "unittest.expectedFailure",
    "freezegun.freeze_time",
)

_NAMED: WeakKeyDictionary[FileContext, tuple[frozenset[str], str]] = WeakKeyDictionary()


def test_of(finding: Finding, file: FileContext) -> TestCase:
    """The test that a finding is about, if it is written in the class where it runs."""
    for test in file.all_tests:
        if test.nodeid == finding.test:
            if test.owner is not test.cls or test.scope.module is not file.module:
                raise NoFix("it is inherited: the change would reach other classes")
            return test
    raise NoFix("its code stands in another file")


def require_plain(test: TestCase) -> None:
    """NoFix when a decorator may look at the test's signature or body."""
    for dotted, _ in test.decorators:
        if not dotted.startswith(_HARMLESS_DECORATORS):
            raise NoFix(f"decorated by {dotted or 'something unknown'}")


def mentions(file: FileContext, name: str) -> int:
    """How often a name stands in the file, be it in code, text or comments."""
    return len(re.findall(rf"\b{re.escape(name)}\b", file.module.source.text))


def is_referred_to(file: FileContext, test: TestCase) -> bool:
    """Whether code of the file names the test, or a class that inherits from its class has one."""
    name = test.name
    if file not in _NAMED:
        _NAMED[file] = _named(file.module.source.tree)
    names, texts = _NAMED[file]
    if name in names or name in texts:
        return True
    if test.cls is None:
        return False
    heirs = [cls for cls in file.module.classes.values() if cls is not test.cls]
    return any(name in heir.methods and test.cls in file.resolver.mro(heir) for heir in heirs)


def _named(tree: ast.Module) -> tuple[frozenset[str], str]:
    """Every name that code uses, and all its texts in one."""
    names: set[str] = set()
    texts: list[str] = []
    for node in walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                names.add(name)
            case ast.Constant(value=str(text)):
                texts.append(text)
    return frozenset(names), "\n".join(texts)


def free_name(file: FileContext, name: str) -> str:
    """The name, or the name with a number, that nothing in the file uses."""
    found, number = name, 1
    while mentions(file, found):
        number += 1
        found = f"{name}_{number}"
    return found


def newline(source: Source) -> str:
    """How the lines of a file end."""
    match = re.search(r"\r\n|\r|\n", source.text)
    return match.group() if match else "\n"


def imported(file: FileContext, module: str) -> tuple[str, tuple[Edit, ...]]:
    """The local name of a module, with the edit that imports it where it is missing."""
    for local, dotted in file.module.imports.items():
        if dotted == module:
            if _at_top(file, local):
                return local, ()
    if mentions_as_name(file, module):
        raise NoFix(f"{module} means something else here")
    return module, (_import(file, module),)


def mentions_as_name(file: FileContext, name: str) -> bool:
    """Whether code of the file binds a name at its top level."""
    module = file.module
    return name in module.assigns or name in module.functions or name in module.classes


def _at_top(file: FileContext, local: str) -> bool:
    return any(
        isinstance(node, (ast.Import, ast.ImportFrom)) and local in file.module.imported(node)
        for node in file.module.source.tree.body
    )


def _import(file: FileContext, module: str) -> Edit:
    """One more import at the place where a sorted file would have it."""
    source = file.module.source
    end = newline(source)
    header = _header(source.tree)
    imports = [
        node
        for node in header
        if isinstance(node, (ast.Import, ast.ImportFrom)) and _root(node) != "__future__"
    ]
    line = f"import {module}{end}"
    others = [node for node in imports if _root(node) not in sys.stdlib_module_names]
    foreign = [node for node in others if not _is_own(file, node)]
    if foreign:
        later = [node for node in foreign if _sorts_after(node, module)]
        if later:
            return _insert(later[0].lineno, line)
        return _insert((foreign[-1].end_lineno or 0) + 1, line)
    if others:
        row = others[0].lineno
        above = source.lines[row - 2].strip() if row > 1 else ""
        return _insert(row, f"{end if above else ''}{line}{end}")
    if header:
        return _insert((header[-1].end_lineno or 0) + 1, f"{end}{line}")
    first = source.tree.body[0]
    row = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
    return _insert(_above_comments(source, row), f"{line}{end}{end}")


def _is_own(file: FileContext, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import is of the project itself."""
    root = _root(node)
    return not root or file.project.find(root, file.module.path) is not None


def _header(tree: ast.Module) -> list[ast.stmt]:
    """The docstring and the imports at the top of a module."""
    found: list[ast.stmt] = []
    for index, node in enumerate(tree.body):
        is_docstring = (
            index == 0
            and isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        if not is_docstring and not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        found.append(node)
    return found


def _root(node: ast.Import | ast.ImportFrom) -> str:
    if isinstance(node, ast.ImportFrom):
        return "" if node.level else (node.module or "").partition(".")[0]
    return node.names[0].name.partition(".")[0]


def _sorts_after(node: ast.Import | ast.ImportFrom, module: str) -> bool:
    """Whether a sorted block of third-party imports has ``import module`` before this one."""
    if isinstance(node, ast.ImportFrom):
        return True
    return node.names[0].name.lower() > module.lower()


def _above_comments(source: Source, row: int) -> int:
    """The first of the comment lines right above a row; a coding cookie and a ``#!`` stay on top."""
    while row > 1 and source.lines[row - 2].startswith("#"):
        if row <= 3 and re.match(r"#!|#.*coding[:=]", source.lines[row - 2]):
            break
        row -= 1
    return row


def _insert(row: int, text: str) -> Edit:
    return Edit(Span(row, 1, row, 1), text)
