"""The three packages as data: modules, what each imports, and the rooms that they stand in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

FOLDERS = {
    "socrates": "socrates",
    "socrates_rules": "rules/socrates_rules",
    "socrates_amplify": "amplify/socrates_amplify",
}


@dataclass(frozen=True)
class Source:
    """All modules of the three packages, by their dotted names."""

    files: Mapping[str, Path]

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """Each module with those of the three packages that it imports, anywhere in its code."""
        return {name: frozenset(self._imported(path)) for name, path in self.files.items()}

    def _imported(self, path: Path) -> Iterator[str]:
        for node in ast.walk(ast.parse(path.read_bytes())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                named = (f"{node.module}.{alias.name}" for alias in node.names)
                names = [name if name in self.files else node.module for name in named]
            yield from (name for name in names if name in self.files)

    def room(self, module: str) -> str:
        """The package that a module stands in; a module right below one of the three is a room."""
        package = module.rpartition(".")[0]
        is_package = self.files[module].name == "__init__.py"
        return module if is_package or package in FOLDERS else package


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top of this repository."""
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def source(repository: Path) -> Source:
    """The source of the three packages."""
    files = {}
    for package, folder in FOLDERS.items():
        for path in (repository / folder).rglob("*.py"):
            parts = (package, *path.relative_to(repository / folder).with_suffix("").parts)
            files[".".join(part for part in parts if part != "__init__")] = path
    return Source(files)
