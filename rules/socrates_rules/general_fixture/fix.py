"""SOC104: drop what no test uses; run for its effect what is only there for its effect."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import libcst as cst

from socrates.files.reading import LARGEST_SOURCE, Unreadable, read_text
from socrates.findings import Finding
from socrates.fix import Edit, Fix, NoFix
from socrates.fixes.tree import Piece
from socrates.model.context import FileContext
from socrates.model.suite.collect import TestCase, fixture_decorator
from socrates.model.suite.fixtures import Fixture
from socrates.syntax.unparse import unparse
from socrates_rules.general_fixture import unread_setup as _setup
from socrates_rules.general_fixture.bundles import is_read
from socrates_rules.general_fixture.effects import Effects
from socrates_rules.general_fixture.harmless import FIXTURES
from socrates_rules.rewriting import file as _file
from socrates_rules.rewriting import layout as _layout
from socrates_rules.rewriting.pure import makes_only_its_value

_HOOKS = ("pytest_generate_tests", "pytest_pyfunc_call", "fixturenames", "funcargs", "fixtureinfo")
"""Words of modules that fill the parameters of tests, or look at the names of their fixtures."""
_FOLDERS = ("tmp_path", "tmpdir")


def fix(finding: Finding, file: FileContext) -> Fix | None:
    """Safe: tests keep their names, their order of set-up and their verdicts."""
    test = _file.test_of(finding, file)
    unused = finding.data.get("unused")
    names = [str(name) for name in unused] if isinstance(unused, (list, tuple)) else []
    attributes = [name.removeprefix("self.") for name in names if name.startswith("self.")]
    parameters = [name for name in names if name in test.fixture_names]
    messages: list[str] = []
    edits: list[Edit] = []
    if attributes:
        dead = _setup.dead_attributes(file, test, attributes)
        if dead:
            edits += _setup.drop(file, test, dead)
            messages.append(f"Drop {_listed([f'self.{name}' for name in dead])} from the set-up")
    droppable = [name for name in parameters if _is_droppable(file, test, name)]
    if droppable and _signature_is_free(file, test):
        effects = _leading_effects(file, test, droppable)
        edits += _without(file, test, droppable, effects)
        messages.append(f"Drop the unused {_listed(droppable)}")
        if effects:
            messages.append(f"request {_listed(effects)} with usefixtures")
    if not edits:
        raise NoFix("what it sets up may have an effect, or something else may need it")
    return Fix("; ".join(messages), "safe", tuple(sorted(set(edits))))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _signature_is_free(file: FileContext, test: TestCase) -> bool:
    """Whether nothing else can notice that the test has fewer parameters."""
    _file.require_plain(test)
    if _file.is_referred_to(file, test) or _is_generated(file, test):
        return False
    return test.cls is None or not _setup.is_known_elsewhere(file, test.cls.name)


def _is_generated(file: FileContext, test: TestCase) -> bool:
    """Whether a hook or a mark of the module may fill, or look at, the parameters of tests."""
    marks = [file.module.assigns.get("pytestmark")]
    marks += [test.cls.assigns.get("pytestmark")] if test.cls is not None else []
    if any(mark is not None and "parametrize" in unparse(mark) for mark in marks):
        return True
    if _has_hook(file.module.source.text):
        return True
    root, folder = file.project.root, file.module.path.parent
    inside = root == folder or root in folder.parents
    folders = [
        folder,
        *(parent for parent in folder.parents if inside and root in (parent, *parent.parents)),
    ]
    return any(_has_hook(_text(place / "conftest.py")) for place in folders)


def _has_hook(text: str) -> bool:
    return any(word in text for word in _HOOKS)


def _text(path: Path) -> str:
    try:
        return read_text(path, LARGEST_SOURCE, errors="replace")
    except Unreadable:
        return ""


def _is_droppable(file: FileContext, test: TestCase, name: str) -> bool:
    """Whether a fixture builds one value from no other fixture: then no run and no order needs it.

    The rule may take a fixture for idle that calls what it can't look into; the fix never does.
    """
    fixture = file.fixture(name, test)
    if fixture is None or _has_params(fixture) or name in file.module.imports:
        return False
    requests = fixture.requests
    if any(r not in FIXTURES or file.fixture(r, test) is not None for r in requests):
        return False
    if not Effects(file).only_builds(fixture, test.cls):
        return False
    if len(fixture.node.decorator_list) != 1:
        return False
    folders = [request for request in requests if request in _FOLDERS]
    return makes_only_its_value(fixture.node, fixture.scope, file, folders=folders)


def _has_params(fixture: Fixture) -> bool:
    decorator = fixture_decorator(fixture.node, fixture.module)
    return isinstance(decorator, ast.Call) and any(
        keyword.arg in ("params", None) for keyword in decorator.keywords
    )


def _leading_effects(file: FileContext, test: TestCase, dropped: Sequence[str]) -> list[str]:
    """Unread fixtures that come before all others: ``usefixtures`` runs them first too."""
    marked = "pytestmark" in file.module.assigns or file.fixtures.used_by_name(test)
    in_class = test.cls is not None and "pytestmark" in test.cls.assigns
    if marked or in_class or test.patched:
        return []
    found = []
    for name in test.fixture_names:
        if name in dropped:
            continue
        fixture = file.fixture(name, test)
        if fixture is None or _has_params(fixture) or name.startswith("_"):
            break
        if is_read(name, test.node):
            break
        found.append(name)
    return found


def _without(
    file: FileContext, test: TestCase, dropped: Sequence[str], effects: Sequence[str]
) -> list[Edit]:
    piece = Piece(file.module.source, test.node)
    function = piece.function
    gone = {*dropped, *effects}
    parameters = function.params
    by_place = _kept(parameters.posonly_params, gone)
    by_name = _kept(parameters.kwonly_params, gone)
    plain = _kept(parameters.params, gone)
    star = parameters.star_arg
    if isinstance(star, cst.ParamStar) and not by_name:
        star = cst.MaybeSentinel.DEFAULT
        if plain:
            plain[-1] = plain[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    changed = parameters.with_changes(
        posonly_params=by_place,
        posonly_ind=parameters.posonly_ind if by_place else cst.MaybeSentinel.DEFAULT,
        params=plain,
        star_arg=star,
        kwonly_params=by_name,
    )
    function = _layout.signed(function.with_changes(params=changed), len(piece.indent), file)
    edits: list[Edit] = []
    if effects:
        pytest, edits_of_import = _file.imported(file, "pytest")
        edits += edits_of_import
        names = ", ".join(_layout.quoted(name, file) for name in effects)
        mark = cst.parse_expression(f"{pytest}.mark.usefixtures({names})")
        decorators = [*function.decorators, cst.Decorator(mark)]
        function = function.with_changes(decorators=decorators)
    return [*edits, *_layout.fitting(piece.replaced(function), file)]


def _kept(parameters: Sequence[cst.Param], gone: set[str]) -> list[cst.Param]:
    """The parameters that stay; what follows the last one stays as it was written."""
    kept = [parameter for parameter in parameters if parameter.name.value not in gone]
    if any(_has_comment(p) for p in parameters if p.name.value in gone):
        raise NoFix("a comment would be lost")
    if kept and kept[-1] is not parameters[-1]:
        last = parameters[-1]
        kept[-1] = kept[-1].with_changes(
            comma=last.comma, whitespace_after_param=last.whitespace_after_param
        )
    return kept


def _has_comment(parameter: cst.Param) -> bool:
    from socrates.fixes.tree import comments_in

    return bool(comments_in(parameter))
