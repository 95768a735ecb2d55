"""The production module that a test file is named after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from socrates.model.python.module import ModuleInfo
from socrates.model.python.resolve import Resolver
from socrates.model.units.unit_names import may_join, unit_stem

_NEUTRAL_FOLDERS = frozenset(
    {"tests", "test", "src", "lib", "unit", "units", "unittests", "unit_tests", "functional"}
    | {"integration", "e2e"}
)


class FileNames:
    """Finds the module under test by the name of one test file."""

    def __init__(self, module: ModuleInfo, resolver: Resolver) -> None:
        self.module = module
        self.resolver = resolver
        self.stem = unit_stem(module.path.stem)

    def module_under_test(self) -> ModuleInfo | None:
        """The module of the file's name, or of the name that it joins with its package's."""
        if not self.stem:
            return None
        return self._module_of(self.namesakes) or self._module_of(self._joined)

    @cached_property
    def namesakes(self) -> list[str]:
        """Production modules of this name, wherever they are."""
        if not self.stem:
            return []
        if self.stem.strip("_") == "init":
            return self._packages
        modules = self.resolver.project.production_modules()
        return [name for name in modules if self._is_named(name)]

    @property
    def _packages(self) -> list[str]:
        """What ``test___init__`` may be about: packages that the tests import."""
        project = self.resolver.project
        found = []
        for name in sorted(self._imported):
            path = project.find(name, self.module.path)
            if path is not None and path.name == "__init__.py" and not project.is_test_path(path):
                found.append(name)
        return found

    def _is_named(self, module: str) -> bool:
        """Leading underscores aside; ``main`` is ``__main__`` for a test that imports it."""
        last = module.rpartition(".")[2]
        if last == "__main__" and self.stem == "main":
            return module in self._imported
        return last.lstrip("_") == self.stem.lstrip("_")

    @property
    def _joined(self) -> list[str]:
        """``test_utils_url`` may stand for ``utils.url``, if the tests import from it."""
        modules = self.resolver.project.production_modules()
        names = [name for name in modules if may_join(name, self.stem)]
        return [name for name in names if name in self._imported] if names else []

    def _module_of(self, candidates: Sequence[str]) -> ModuleInfo | None:
        best = self._nearest(candidates)
        return self.resolver.project.module(best, None) if best else None

    def _nearest(self, candidates: Sequence[str]) -> str | None:
        """The candidate that mirrors the test's folders best, or that it imports, or the highest.

        None when two are equally near.
        """
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folders = set(self._surroundings())

        def distance(name: str) -> tuple[int, bool, int, bool]:
            *parents, last = name.split(".")
            mirrored = len(folders & {part.lstrip("_") for part in parents})
            return (-mirrored, name not in self._imported, len(parents), last != self.stem)

        ranked = sorted(candidates, key=distance)
        return ranked[0] if distance(ranked[0]) < distance(ranked[1]) else None

    def _surroundings(self) -> Iterator[str]:
        """The folders above the test file that can mirror packages."""
        path, root = self.module.path, self.resolver.project.root
        parts = path.relative_to(root).parts if root in path.parents else path.parts
        for part in parts[:-1]:
            if part not in _NEUTRAL_FOLDERS:
                yield (unit_stem(part) or part).strip("_")

    @cached_property
    def _imported(self) -> set[str]:
        """Production modules that the test or its conftest imports, or that define what it imports."""
        found: set[str] = set()
        for module in (self.module, *self.resolver.project.conftests(self.module.path)):
            for dotted in (*module.imports.values(), *module.submodules):
                definition = self.resolver.name(dotted, module.path)
                if definition.in_production and definition.module is not None:
                    found.add(definition.module.name)
                parts = dotted.split(".")
                found.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return found
