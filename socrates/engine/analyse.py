"""One file through all rules: parse, model, rules, suppressions. Never raises for a bad file.

What a user can mend is a finding, SOC000; a defect of a rule or of ours is an error that names
the file. Either way the other files are checked.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from socrates import suppress
from socrates.builtin import SyntaxErrorRule
from socrates.discovery import pytest_config
from socrates.discovery.files import TestFile
from socrates.engine.accepted import accepted
from socrates.engine.gc_tuning import after_file
from socrates.engine.repeated import warned_once
from socrates.engine.result import FileResult
from socrates.failures import failure, own_error
from socrates.files.looking import is_file
from socrates.findings import FileSummary, Finding, PluginError, Severity, Span
from socrates.model.context import FileContext
from socrates.model.python import source
from socrates.model.python.module import ModuleInfo
from socrates.model.python.project import Project, shown_path
from socrates.model.suite.collect import TestCase
from socrates.rule import Rule
from socrates.settings import Settings

_RECURSION_LIMIT = 6000
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """Python's limit raised within, for trees that are deep, as generated code is."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class Analyser:
    """Checks files one after another, keeping what they share of the project."""

    def __init__(
        self, settings: Settings, rules: Sequence[Rule], known: Mapping[str, str] | None = None
    ) -> None:
        self.settings = settings
        self.rules = tuple(rules)
        self.known = known
        self._projects: dict[Path, Project] = {}
        self._roots: dict[Path, Path] = {}

    def analyse(self, file: TestFile, data: bytes | None = None) -> FileResult:
        """Check one file; ``data`` stands in for what is on disk. Raises no Exception."""
        try:
            with deep_recursion():
                return self._analyse(file, data)
        except (RecursionError, MemoryError):
            return self._broken(file, source.SourceError("nested too deeply to be analysed"))
        except Exception as error:
            name = shown_path(file.path, self.settings.root)
            return FileResult(FileSummary(name), errors=(own_error(error, f"checking {name}"),))
        finally:
            if data is None:
                self.project(file.path).drop(file.path)
            after_file()

    def _analyse(self, file: TestFile, data: bytes | None) -> FileResult:
        project = self.project(file.path)
        filename = project.relative(file.path)
        project.dependencies = {f"file:{file.path}"}
        try:
            context = self.context(file, data)
        except source.SourceError as error:
            return self._broken(file, error)
        findings, errors = self._apply_rules(context, filename)
        kept, suppressed = self._suppress(context, findings)
        tests = _tests(context)
        summary = FileSummary(
            filename,
            tuple(test.nodeid for test in tests),
            tuple(test.node.lineno for test in tests),
            tuple(dict.fromkeys(test.container for test in tests if test.cls is not None)),
        )
        if data is None:
            project.drop(file.path)
            context.close()
        return FileResult(
            summary,
            tuple(warned_once(sorted(kept, key=lambda finding: finding.sort_key))),
            suppressed,
            tuple(errors),
            tuple(sorted(project.dependencies)),
        )

    def context(self, file: TestFile, data: bytes | None = None) -> FileContext:
        """A file as rules see it. Raises SourceError when it can't be read or parsed."""
        project = self.project(file.path)
        parsed = source.parse(
            source.read(file.path) if data is None else data, self.settings.parser
        )
        module = project.make_module(file.path, parsed)
        project.keep(module)
        return FileContext(module, file, project, self.settings)

    def project(self, path: Path) -> Project:
        """The project that a file belongs to: a run may cover several, each with its own root."""
        root = self._root(path.parent)
        if root not in self._projects:
            if len(self._projects) >= 4:
                self._projects.pop(next(iter(self._projects)))
            config = pytest_config.load(path.parent)
            self._projects[root] = Project(root, config, self.settings.root, self.settings.parser)
        return self._projects[root]

    def checkpoint(self) -> None:
        """Called before each rule: the place where a subclass may raise to give up a file."""

    def forget(self, path: Path) -> None:
        """Drop what is known about a file's project, after the file changed on disk."""
        self._projects.pop(self._root(path.parent), None)

    def _root(self, folder: Path) -> Path:
        if folder not in self._roots:
            top = self.settings.root
            inside = top == folder or top in folder.parents
            found = top if inside else folder
            for candidate in (folder, *folder.parents):
                if inside and candidate == top:
                    break
                if any(is_file(candidate / name) for name in _PROJECT_FILES):
                    found = candidate
                    break
            self._roots[folder] = found
        return self._roots[folder]

    def _apply_rules(
        self, context: FileContext, filename: str
    ) -> tuple[list[Finding], list[PluginError]]:
        findings: list[Finding] = []
        errors: list[PluginError] = []
        too_deep = False
        for rule in self.rules:
            self.checkpoint()
            try:
                findings += (accepted(finding) for finding in rule.check(context))
            except RecursionError:
                too_deep = True
            except Exception as error:  # any error of a rule is reported by name, others go on
                errors.append(plugin_error(rule, error, f"checking {filename}"))
        if too_deep:
            deep = source.SourceError("nested too deeply to be analysed completely")
            findings.append(_syntax_error(filename, deep))
        return findings, errors

    def _suppress(self, context: FileContext, findings: list[Finding]) -> tuple[list[Finding], int]:
        """Findings that no comment silences, unused comments of this file, and how many went.

        An inherited test is silenced where it is written, which may be another module; whether a
        comment there is of any use is for that module's own check to say.
        """
        modules = {context.module.path: context.module}
        modules |= {test.scope.module.path: test.scope.module for test in _tests(context)}
        kept: list[Finding] = []
        total = 0
        for module in modules.values():
            name = context.project.relative(module.path)
            here, count, unused = suppress.apply(
                [finding for finding in findings if finding.filename == name],
                module.source.text,
                name,
                list(_test_spans(context, module)),
                known=self.known,
                active={rule.code for rule in self.rules},
            )
            kept += here
            kept += unused if module is context.module else []
            total += count
        return kept, total

    def _broken(self, file: TestFile, error: source.SourceError) -> FileResult:
        project = self.project(file.path)
        filename = project.relative(file.path)
        finding = _syntax_error(filename, error)
        active = not self.rules or any(rule.code == finding.code for rule in self.rules)
        return FileResult(
            FileSummary(filename),
            (finding,) if active else (),
            dependencies=tuple(sorted(project.dependencies)),
        )


def _syntax_error(filename: str, error: source.SourceError) -> Finding:
    rule = SyntaxErrorRule
    span = Span(error.row, error.column, error.row, error.column + 1)
    return Finding(
        rule.code, rule.name, Severity.ERROR, error.message, filename, span, advice=rule.advice
    )


def plugin_error(rule: Rule, error: Exception, doing: str) -> PluginError:
    """A rule that raised: by name, with the nearest line of its own file."""
    own = sys.modules.get(type(rule).__module__)
    return failure(f"{rule.code} {rule.name}", error, doing, getattr(own, "__file__", None))


def _tests(context: FileContext) -> tuple[TestCase, ...]:
    try:
        return context.tests
    except RecursionError:
        return ()


def _test_spans(context: FileContext, module: ModuleInfo) -> Iterator[suppress.SpanOfTest]:
    for test in _tests(context):
        if test.scope.module is not module:
            continue
        body = test.node.body[0]
        first = min([body.lineno, *(d.lineno for d in getattr(body, "decorator_list", ()))])
        header_end = max(test.node.lineno, first - 1)
        yield test.nodeid, test.first_row, header_end, test.node.end_lineno or header_end
