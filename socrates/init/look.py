"""What a project looks like, as far as its settings depend on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from importlib import metadata
from pathlib import Path

from socrates.baseline import DEFAULT_FILE, dump
from socrates.classes.lazy import dataclass
from socrates.config.find import OWN_FILE, PYPROJECT, nearest_config, project_root
from socrates.discovery import pytest_config
from socrates.errors import SocratesError
from socrates.files.looking import exists, is_file
from socrates.files.reading import LARGEST_SETTINGS, Missing, Unreadable, read_bytes
from socrates.files.toml import NotToml, parse_toml
from socrates.init.hook import requirement
from socrates.session import accepted_entries, check, prepare

HOOK_FILE = ".pre-commit-config.yaml"
STYLES = ("pytest", "pytest-asyncio", "anyio", "hypothesis", "django", "flask", "fastapi")
"""What tests are written with; only for a comment that shows what was seen."""

_OUTSIDE = re.compile(r"(?:^|/)(?:e2e|end_to_end|integration|functional|system|live)(?:_?tests?)?/")
_NO_FRAMEWORKS = frozenset({"all", "coverage", "dev", "lsp", "ray"})
"""Extras that are for Socrates itself: a project that uses their packages has nothing to amplify."""
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)""")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Found:
    """The facts. Texts are None where there is no such file."""

    root: Path
    pyproject: str | None = None
    hooks: str | None = None
    has_settings: bool = False
    repository: Path | None = None
    testpaths: tuple[str, ...] = ()
    test_files: int = 0
    tests: int = 0
    frameworks: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    """Folders of tests that talk to the world on purpose."""
    failing: int = 0
    codes: Mapping[str, int] = field(default_factory=dict)
    requirement: str | None = None
    """What a hook installs to have this Socrates; None if it takes the one that is there."""
    has_baseline: bool = False
    baseline: str = ""
    """The text of the baseline that would accept all that is found."""


def look(folder: Path) -> Found:
    """Look around from a folder: its project is the nearest one above. Raises SocratesError."""
    root = project_root(folder)
    if root != folder and root not in folder.parents:
        root = folder  # nothing above says where the project starts
    config = nearest_config(root)
    has_settings = config is not None and config.path.parent == root
    session = prepare([str(root)], cwd=root)
    result = check(session, use_baseline=False)
    failing = [f for f in result.findings if f.severity.at_least(session.settings.fail_on)]
    pyproject = _text(root / PYPROJECT)
    needs = _requirements(root, pyproject)
    files = [file for file in result.files if file.tests]
    return Found(
        root=root,
        pyproject=pyproject,
        hooks=_text(root / HOOK_FILE),
        has_settings=has_settings or exists(root / OWN_FILE),
        repository=next((f for f in (root, *root.parents) if exists(f / ".git")), None),
        testpaths=pytest_config.load(root).testpaths,
        test_files=len(files),
        tests=sum(len(file.tests) for file in files),
        frameworks=tuple(sorted(_amplified() & needs)),
        styles=tuple(name for name in STYLES if name in needs),
        outside=tuple(_outside(file.filename for file in files)),
        failing=len(failing),
        codes=dict(sorted(Counter(f.code for f in failing).items())),
        requirement=_requirement(),
        has_baseline=exists(root / DEFAULT_FILE),
        baseline=dump(accepted_entries(session, result, ())),
    )


def _amplified() -> set[str]:
    """The frameworks that this installation can amplify: what its extras for frameworks bring."""
    try:
        needs = metadata.requires("socrates-lint") or []
    except metadata.PackageNotFoundError:
        return set()
    split = [(_NAME.match(need), _EXTRA.search(need)) for need in needs]
    return {
        name[0].lower()
        for name, extra in split
        if name is not None and extra is not None and extra[1] not in _NO_FRAMEWORKS
    }


def _requirement() -> str | None:
    try:
        return requirement(metadata.distribution("socrates-lint").read_text("direct_url.json"))
    except metadata.PackageNotFoundError:
        return None


def _text(path: Path) -> str | None:
    try:
        return read_bytes(path, LARGEST_SETTINGS).decode("utf-8")
    except Missing:
        return None
    except Unreadable as reason:
        raise SocratesError(f"{path.name}: cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise SocratesError(f"{path.name}: is not UTF-8; save it as UTF-8 first") from None


def _requirements(root: Path, pyproject: str | None) -> set[str]:
    """The names of what the project asks for, in pyproject.toml and in requirements files."""
    try:
        lines = list(_declared(parse_toml(pyproject))) if pyproject else []
    except NotToml as reason:
        raise SocratesError(f"{PYPROJECT}: not valid TOML: {reason}") from None
    for path in sorted(root.glob("*requirements*.txt")):
        if is_file(path):
            lines += (_text(path) or "").splitlines()
    names = (_NAME.match(line.strip()) for line in lines)
    return {match[0].lower().replace("_", "-") for match in names if match}


def _declared(document: Mapping[str, object]) -> Iterator[str]:
    project = document.get("project")
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    tables = [
        _at(project, "dependencies"),
        _at(project, "optional-dependencies"),
        document.get("dependency-groups"),
        _at(poetry, "dependencies"),
        _at(poetry, "group"),
    ]
    for table in tables:
        yield from _strings(table)


def _at(table: object, key: str) -> object:
    return table.get(key) if isinstance(table, dict) else None


def _strings(value: object) -> Iterator[str]:
    """Every text in lists, and every key of tables, which is how Poetry names packages."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)


def _outside(filenames: Iterable[str]) -> Iterator[str]:
    seen = set()
    for name in filenames:
        match = _OUTSIDE.search(name)
        if match and (folder := name[: match.end()].rstrip("/")) not in seen:
            seen.add(folder)
            yield folder
