"""The unit under test: the production class or module that a test class or module exists to test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, ModuleInfo
from socrates.model.python.resolve import Definition
from socrates.model.suite.collect import TestCase
from socrates.model.suite.fixtures import FixtureGraph
from socrates.model.units.publishes import Published
from socrates.model.units.unit_files import FileNames
from socrates.model.units.unit_names import CLASS_PATTERNS, class_names, folded
from socrates.model.units.usage import MostUsed, Usage, is_testing_module


@dataclass(frozen=True, slots=True)
class Unit:
    """What is under test: a class, or a module when ``cls`` is None."""

    module: ModuleInfo
    cls: ClassInfo | None = None

    @property
    def name(self) -> str:
        """For messages: ``Stack`` or ``package.stack``."""
        return self.cls.name if self.cls else self.module.name


class UnitFinder:
    """Finds the unit of each test of one module: by its class, by its file, by what it uses."""

    def __init__(
        self,
        module: ModuleInfo,
        tests: Sequence[TestCase],
        inference: Inference,
        fixtures: FixtureGraph,
        patterns: Sequence[str] = (),
    ) -> None:
        self.module = module
        self.tests = tests
        self.inference = inference
        self.resolver = inference.resolver
        self.patterns = (*CLASS_PATTERNS, *patterns)
        self.usage = Usage(inference, fixtures)
        self._files = FileNames(module, self.resolver)
        self._by_class: dict[int, Unit | None] = {}

    def of(self, test: TestCase) -> Unit | None:
        """The unit of a test, or None when neither its name nor its use gives exactly one."""
        named = self._by_class_name(test.cls) if test.cls is not None else None
        if named is not None:
            return named
        if self._file_unit is not None:
            return self._narrowed_for(test, self._file_unit)
        used = self._used.cls
        return Unit(used.module, used) if used is not None else None

    # -- by the class's name -----------------------------------------------------------------------

    def _by_class_name(self, cls: ClassInfo) -> Unit | None:
        if id(cls) not in self._by_class:
            found = self._find_class(cls)
            if found is None and cls.outer is not None:
                found = self._by_class_name(cls.outer)
            self._by_class[id(cls)] = found
        return self._by_class[id(cls)]

    def _find_class(self, cls: ClassInfo) -> Unit | None:
        """A class of the module under test or of the test's imports; failing that, a function's module.

        Case and underscores don't matter: ``TestMultiCached`` tests ``multi_cached``.
        """
        names = list(class_names(cls.name, self.patterns))
        wanted = {folded(name) for name in names}
        alike = [name for name in self._known_names if folded(name) in wanted]
        for name in (*names, *alike):
            for found, _ in self._definitions(name):
                if found.kind == "class" and found.cls is not None:
                    return Unit(found.cls.module, found.cls)
        for name in alike:
            for found, publisher in self._definitions(name):
                if found.kind == "function" and found.cls is None and name[0] != "_":
                    return Unit(publisher)
        return None

    def _definitions(self, name: str) -> Iterator[tuple[Definition, ModuleInfo]]:
        """What a name can mean to the tests, with the production module that is asked for it."""
        for place in self._places(name):
            found = self.resolver.name(place, self.module.path)
            if not found.in_production or found.module is None:
                continue
            home = place.rpartition(".")[0]
            asked = self.resolver.project.module(home, self.module.path) if home else None
            is_module = asked is not None and not asked.is_test
            yield found, asked if asked is not None and is_module else found.module

    def _places(self, name: str) -> Iterator[str]:
        if self._file_unit is not None:
            yield f"{self._file_unit.module.name}.{name}"
        if name in self.module.imports:
            yield self.module.imports[name]
        if self._file_unit is None:
            for module in (*self._modules, *self._files.namesakes):
                yield f"{module}.{name}"
        elif name in self._imported_whole:
            yield from (f"{module}.{name}" for module in self._modules)

    @cached_property
    def _known_names(self) -> list[str]:
        """Names of the test's imports and of the module under test, public ones first."""
        known = {*self.module.imports, *self._imported_whole}
        if self._file_unit is not None:
            published = Published(self._file_unit.module, self.resolver)
            known |= {*published.names, *self._file_unit.module.classes}
        return sorted(known, key=lambda name: (name.startswith("_"), name))

    @cached_property
    def _imported_whole(self) -> frozenset[str]:
        """Names that modules publish which the tests import whole."""
        names: set[str] = set()
        for dotted in self._modules:
            info = self.resolver.project.module(dotted, self.module.path)
            if info is not None:
                names |= Published(info, self.resolver).names
        return frozenset(names)

    @cached_property
    def _modules(self) -> list[str]:
        """Production modules that the test module imports whole."""
        return [
            dotted
            for dotted in dict.fromkeys(self.module.imports.values())
            if (found := self.resolver.name(dotted, self.module.path)).kind == "module"
            and found.in_production
        ]

    # -- by the file's name, narrowed --------------------------------------------------------------

    @cached_property
    def _file_unit(self) -> Unit | None:
        info = self._files.module_under_test()
        return Unit(info) if info is not None else None

    @cached_property
    def _governed(self) -> list[TestCase]:
        """The tests whose class names nothing, so that the file's name decides."""
        return [
            test for test in self.tests if test.cls is None or self._by_class_name(test.cls) is None
        ]

    @cached_property
    def _narrowed(self) -> MostUsed:
        """The public class of the module that more than half of its tests use."""
        if self._file_unit is None:
            return MostUsed()
        published = Published(self._file_unit.module, self.resolver)
        if not published.may_have_classes:
            return MostUsed()
        return self.usage.most_used(self._governed, published.has_class)

    def _narrowed_for(self, test: TestCase, unit: Unit) -> Unit | None:
        """The class for a test that touches it, the module for one that does not."""
        narrowed = self._narrowed
        if narrowed.cls is not None and self.usage.touches(test, narrowed.cls):
            return Unit(narrowed.cls.module, narrowed.cls)
        if any(self.usage.touches(test, rival) for rival in narrowed.rivals):
            return None
        return unit

    # -- by use ------------------------------------------------------------------------------------

    @cached_property
    def _used(self) -> MostUsed:
        return (
            self.usage.most_used(self.tests, _may_be_unit) if self._meets_production else MostUsed()
        )

    @property
    def _meets_production(self) -> bool:
        """Whether the test module, a base class, test code that it imports or a conftest imports a unit."""
        project = self.resolver.project
        modules = [self.module, *project.conftests(self.module.path), *self._imported_tests]
        modules += [
            base.module for test in self.tests if test.cls for base in self._bases(test.cls)
        ]
        near = self.module.path.name
        imported: dict[tuple[str, Path], set[str]] = {}
        for module in modules:
            for dotted in (*module.imports.values(), *module.star_imports):
                top = (dotted.partition(".")[0], module.path.parent / near)
                imported.setdefault(top, set()).add(dotted)
        return any(self._leads_to_unit(top, path, names) for (top, path), names in imported.items())

    def _leads_to_unit(self, top: str, near: Path, names: Iterable[str]) -> bool:
        """Whether imports of a top-level name lead out of the tests, also below a folder without ``__init__``."""
        project = self.resolver.project
        path = project.find(top, near)
        if path is not None or not project.defines(top, near):
            return self._is_production(path)
        found = (
            project.find(name, near) or project.find(name.rpartition(".")[0], near)
            for name in names
        )
        return any(map(self._is_production, found))

    def _is_production(self, path: Path | None) -> bool:
        return path is not None and not self.resolver.project.is_test_path(path)

    @property
    def _imported_tests(self) -> list[ModuleInfo]:
        """Modules of the tests that the test module imports from: models, factories."""
        found = (
            self.resolver.name(dotted, self.module.path).module
            for dotted in self.module.imports.values()
        )
        return [module for module in found if module is not None and module.is_test]

    def _bases(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        return self.resolver.mro(cls)[1:]


def _may_be_unit(cls: ClassInfo) -> bool:
    return not cls.module.is_test and cls.name[0] != "_" and not is_testing_module(cls.module)
