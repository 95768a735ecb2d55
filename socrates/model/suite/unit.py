"""The unit under test: the production class or module that a test class or module exists to test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from socrates.model.python.infer import Inference
from socrates.model.python.module import ClassInfo, ModuleInfo
from socrates.model.suite.collect import TestCase
from socrates.model.suite.usage import most_used_class

CLASS_PATTERNS = (
    "Test{}", "{}Test", "{}Tests", "{}TestCase", "{}Spec", "{}Suite", "test_{}",
)  # fmt: skip
_STEM = re.compile(r"tests?_(?P<after>\w+)|(?P<before>\w+?)_tests?")


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
    """Finds the unit of each test of one module, by name and then by use."""

    def __init__(
        self,
        module: ModuleInfo,
        tests: Sequence[TestCase],
        inference: Inference,
        patterns: Sequence[str] = (),
    ) -> None:
        self.module = module
        self.tests = tests
        self.inference = inference
        self.resolver = inference.resolver
        self.patterns = (*CLASS_PATTERNS, *patterns)
        self._by_class: dict[int, Unit | None] = {}
        self._module_unit: Unit | None = None
        self._namesakes: list[str] = []
        self._used: Unit | None = None
        self._looked = False

    def of(self, test: TestCase) -> Unit | None:
        """The unit of a test, or None when neither its name nor its use gives exactly one."""
        if not self._looked:
            self._looked = True
            self._module_unit = self._by_file_name()
            self._used = None if self._module_unit else self._by_use() or self._flattened()
        named = self._by_class_name(test.cls) if test.cls is not None else None
        return named or self._module_unit or self._used

    # -- by name -------------------------------------------------------------------------------

    def _by_class_name(self, cls: ClassInfo) -> Unit | None:
        if id(cls) not in self._by_class:
            found = self._find_class(cls)
            if found is None and cls.outer is not None:
                found = self._by_class_name(cls.outer)
            self._by_class[id(cls)] = found
        return self._by_class[id(cls)]

    def _find_class(self, cls: ClassInfo) -> Unit | None:
        """A class of the module under test, or one that the test module can name.

        Its name may be spelt in another case: ``TestMultiCached`` tests ``multi_cached``. A
        private class counts if the test class mentions it.
        """
        names = list(class_names(cls.name, self.patterns))
        found = self._named(names) or self._named(self._respelt(names))
        if found is not None and found.name.startswith("_") and found.name not in names:
            return found if _mentions(cls, found.name) else None
        return found

    def _named(self, names: Iterable[str]) -> Unit | None:
        for name in names:
            places = [self.module.imports[name]] if name in self.module.imports else []
            if self._module_unit is not None:
                places.append(f"{self._module_unit.module.name}.{name}")
            else:
                places += [f"{module}.{name}" for module in (*self._modules, *self._namesakes)]
            for place in places:
                found = self.resolver.name(place, self.module.path)
                if found.kind == "class" and found.cls is not None and found.in_production:
                    return Unit(found.cls.module, found.cls)
        return None

    def _respelt(self, names: Sequence[str]) -> list[str]:
        """Names that differ in case and underscores; none where a function has one of them."""
        known = set(self.module.imports)
        wanted = {_folded(name) for name in names}
        if self._module_unit is not None:
            info = self._module_unit.module
            if not wanted.isdisjoint(map(_folded, info.functions)):
                return []
            known.update(info.classes, info.imports)
        found = {
            name
            for name in known
            if _folded(name) in wanted and (name[0] != "_" or name.lstrip("_") in names)
        }
        return sorted(found.union(name.lower() for name in names).difference(names))

    @cached_property
    def _modules(self) -> list[str]:
        """Production modules that the test module imports whole."""
        return [
            dotted
            for dotted in self.module.imports.values()
            if (found := self.resolver.name(dotted, self.module.path)).kind == "module"
            and found.in_production
        ]

    def _by_file_name(self) -> Unit | None:
        stem = unit_stem(self.module.path.stem)
        if not stem:
            return None
        project = self.resolver.project
        candidates = [name for name in project.production_modules() if self._is_named(name, stem)]
        self._namesakes = candidates
        return self._module_of(candidates, stem)

    def _is_named(self, module: str, stem: str) -> bool:
        """Leading underscores aside; ``main`` is ``__main__`` for a test that imports it."""
        last = module.rpartition(".")[2]
        if last == "__main__" and stem == "main":
            return module in self._imported_modules()
        return last.lstrip("_") == stem.lstrip("_")

    def _module_of(self, candidates: Sequence[str], stem: str) -> Unit | None:
        best = self._nearest(candidates, stem)
        info = self.resolver.project.module(best, None) if best else None
        return Unit(info) if info is not None else None

    def _flattened(self) -> Unit | None:
        """``test_utils_url`` may stand for ``utils.url``, if the test imports from it."""
        stem = unit_stem(self.module.path.stem)
        names = [
            name
            for name in self.resolver.project.production_modules()
            if stem and f"_{name.replace('.', '_')}".endswith(f"_{stem}")
        ]
        imported = self._imported_modules() if names else set()
        return self._module_of([name for name in names if name in imported], stem)

    def _nearest(self, candidates: Sequence[str], stem: str) -> str | None:
        """The candidate that mirrors the test's folders best, or that it imports, or the highest.

        None when two are equally near.
        """
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        folders = set(self._surroundings())
        imported = self._imported_modules()

        def distance(name: str) -> tuple[int, bool, int, bool]:
            *parents, last = name.split(".")
            mirrored = len(folders & {part.lstrip("_") for part in parents})
            return (-mirrored, name not in imported, len(parents), last != stem)

        ranked = sorted(candidates, key=distance)
        return ranked[0] if distance(ranked[0]) < distance(ranked[1]) else None

    def _surroundings(self) -> Iterator[str]:
        """The folders above the test file that can mirror packages."""
        path, root = self.module.path, self.resolver.project.root
        parts = path.relative_to(root).parts if root in path.parents else path.parts
        for part in parts[:-1]:
            if part not in _NEUTRAL_FOLDERS:
                yield (unit_stem(part) or part).strip("_")

    def _imported_modules(self) -> set[str]:
        """Production modules that the test imports, or that define what it imports."""
        found: set[str] = set()
        for dotted in self.module.imports.values():
            definition = self.resolver.name(dotted, self.module.path)
            if definition.in_production and definition.module is not None:
                found.add(definition.module.name)
            parts = dotted.split(".")
            found.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return found

    # -- by use --------------------------------------------------------------------------------

    def _by_use(self) -> Unit | None:
        cls = most_used_class(self.module, self.tests, self.inference)
        return Unit(cls.module, cls) if cls is not None else None


_NEUTRAL_FOLDERS = frozenset(
    {"tests", "test", "src", "lib", "unit", "units", "unittests", "unit_tests", "functional"}
    | {"integration", "e2e"}
)


def _mentions(cls: ClassInfo, name: str) -> bool:
    first, last = cls.node.lineno, cls.node.end_lineno or cls.node.lineno
    return any(name in line for line in cls.module.source.lines[first - 1 : last])


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def unit_stem(stem: str) -> str:
    """``test_foo`` and ``foo_test`` name the module ``foo``."""
    match = _STEM.fullmatch(stem)
    if match is None:
        return ""
    return match["after"] or match["before"] or ""


def class_names(test_class: str, patterns: Sequence[str]) -> Iterator[str]:
    """The production class names that a test class's name can stand for."""
    for pattern in patterns:
        before, _, after = pattern.partition("{}")
        if test_class.startswith(before) and test_class.endswith(after):
            name = test_class[len(before) : len(test_class) - len(after) or None]
            if name:
                yield name.strip("_")
