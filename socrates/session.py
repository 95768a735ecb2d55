"""One run of the linter as a library call: what ``socrates check`` does, without printing.

``prepare`` reads settings and rules, ``check`` runs the engine and applies severities, ignores
and baseline. The amplifier's gate uses the same two calls, so both commands agree on what clean
means.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from socrates import __version__, baseline, plugins, registry
from socrates.baseline import Entry
from socrates.classes.lazy import dataclass
from socrates.config.find import shown
from socrates.config.load import Request, load_settings
from socrates.errors import SocratesError
from socrates.explain import markdown
from socrates.failures import attempt
from socrates.files.looking import exists
from socrates.findings import CheckResult, PluginError
from socrates.pages import address_of
from socrates.plugins import iter_errors
from socrates.registry import Registry
from socrates.report import ReportContext, RuleInfo
from socrates.rule import Rule
from socrates.select import Baseline, finish
from socrates.settings import Settings

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Session:
    """What is known before the first file is read."""

    settings: Settings
    registry: Registry
    targets: tuple[str, ...] = (".",)
    cwd: Path = field(default_factory=Path.cwd)
    stdin: tuple[str, bytes] | None = None

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules of this run, with their options."""
        return self.registry.active(self.settings)

    @property
    def plugin_errors(self) -> tuple[PluginError, ...]:
        """Plugins that failed so far."""
        return tuple(iter_errors(plugins.installed().errors, self.registry.errors))

    @property
    def baseline_path(self) -> Path | None:
        """The baseline to apply, absolute."""
        name = self.settings.baseline
        return None if name is None else Path(os.path.normpath(self.settings.root / name))

    def read_source(self, filename: str) -> str | None:
        """The text of a checked file, by the name that findings carry; None if it can't be read."""
        from socrates.model.python.source import SourceError, decode, read

        try:
            if self.stdin is not None and filename == self.stdin_name:
                return decode(self.stdin[1])
            return decode(read(self.settings.root / filename))
        except SourceError:
            return None

    @property
    def stdin_name(self) -> str | None:
        """How findings call the file that came from standard input."""
        if self.stdin is None:
            return None
        path = os.path.normpath(self.cwd / self.stdin[0])
        return Path(os.path.relpath(path, self.settings.root)).as_posix()

    def context(
        self, *, color: bool = False, width: int = 100, show_summary: bool = True
    ) -> ReportContext:
        """The surroundings for a report."""
        return ReportContext(
            root=self.settings.root,
            read_source=self.read_source,
            rules={
                code: rule_info(known.rule, known.plugin, self.settings.docs_url)
                for code, known in self.registry.rules.items()
            },
            color=color,
            width=width,
            show_summary=show_summary,
            version=__version__,
            prefix=_repository_prefix(self.settings.root),
        )


def prepare(
    targets: Sequence[str] = (),
    *,
    config: Sequence[str] = (),
    isolated: bool = False,
    flags: Mapping[str, object] | None = None,
    stdin: tuple[str, bytes] | None = None,
    cwd: Path | None = None,
) -> Session:
    """Settings, rules and targets of a run. Raises SocratesError for the user's mistakes."""
    here = cwd or _current_folder()
    rules = registry.installed()
    seen = [stdin[0]] if stdin is not None else list(targets)
    request = Request(seen, config, isolated, flags or {}, here)
    settings = load_settings(request, rules, plugins.installed().tables)
    return Session(settings, rules, tuple(targets) or default_targets(here), here, stdin)


def check(
    session: Session,
    *,
    use_cache: bool = True,
    use_baseline: bool = True,
    progress: Progress | None = None,
) -> CheckResult:
    """Run the engine and keep what the settings ask for. ``errors`` holds every failed plugin."""
    from socrates.engine.run import check as run_engine

    accepted = _baseline(session) if use_baseline else None
    result = run_engine(
        session.targets,
        session.settings,
        rules=session.rules,
        stdin=session.stdin,
        use_cache=use_cache,
        jobs=session.settings.jobs,
        progress=progress,
        cwd=session.cwd,
    )
    errors: list[PluginError] = [*result.errors]

    def read_source(name: str) -> str | None:
        return attempt(lambda: session.read_source(name), None, f"reading {name}", errors)

    scope = _BaselineScope(session, result)
    guarded = None
    if accepted is not None:
        guarded = Baseline(accepted, scope.includes, read_source, scope.is_gone)
    finished = finish(result, session.settings, session.registry, guarded)
    told = tuple(iter_errors(session.plugin_errors, errors))
    return replace(finished, errors=told, looked_for=_looked_for(session, result))


def accepted_entries(
    session: Session, result: CheckResult, before: Sequence[Entry], *, shrink: bool = False
) -> list[Entry]:
    """Entries for all findings of a result, and those of ``before`` that the run did not look at.

    With ``shrink``, only findings that ``before`` accepts have an entry.
    """
    scope = _BaselineScope(session, result)
    if shrink:
        found = baseline.shrunk(result.findings, before, session.read_source, scope.is_gone)
    else:
        found = baseline.entries_of(result.findings, session.read_source)
    return [*found, *(entry for entry in before if not scope.includes(entry))]


def default_targets(cwd: Path) -> tuple[str, ...]:
    """What to check when no path is given: pytest's ``testpaths`` at its root, else this folder."""
    from socrates.discovery import pytest_config, testpaths

    config = pytest_config.load(cwd)
    if config.rootdir != cwd:
        return (".",)
    return tuple(testpaths.expand(config.testpaths, cwd)) or (".",)


def rule_info(rule: type[Rule], plugin: str, docs_url: str | None = None) -> RuleInfo:
    """A rule's metadata as reports want it."""
    return RuleInfo(
        code=rule.code,
        name=rule.name,
        summary=rule.summary,
        advice=rule.advice,
        description=inspect.getdoc(rule) or "",
        severities=rule.severities,
        url=address_of(rule.code, rule.name, docs_url),
        page=lambda: markdown(rule, plugin),
    )


def _looked_for(session: Session, result: CheckResult) -> str:
    """What was looked for in vain; empty where there are tests, or files that can't be read."""
    from socrates.discovery.looked_for import looked_for

    if result.findings or any(file.tests for file in result.files):
        return ""
    targets = session.targets if session.stdin is None else ()
    return looked_for(targets, session.cwd, len(result.files))


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:
        raise SocratesError("the current folder is gone; change to one that exists") from None


def _repository_prefix(root: Path) -> str:
    """The project's folder within its git repository, for formats that code hosts read."""
    for folder in (root, *root.parents):
        if exists(folder / ".git"):
            return "" if folder == root else root.relative_to(folder).as_posix()
    return ""


def _baseline(session: Session) -> list[Entry] | None:
    path = session.baseline_path
    return None if path is None else baseline.load(path, shown(path))


class _BaselineScope:
    """Which entries of a baseline a run could have met: only those can be called fixed."""

    def __init__(self, session: Session, result: CheckResult) -> None:
        self._root = session.settings.root
        self._codes = session.registry.selected(session.settings)
        self._tests = {file.filename: set(file.tests) for file in result.files}
        self._by_nodeid = any("::" in target for target in session.targets)
        self._folders = [Path(os.path.normpath(session.cwd / target)) for target in session.targets]

    def includes(self, entry: Entry) -> bool:
        """Whether the entry's rule ran on its test, or its file is gone from a checked folder."""
        if entry.code not in self._codes:
            return False
        tests = self._tests.get(entry.filename)
        if tests is not None:
            return entry.test is None or entry.test in tests or not self._by_nodeid
        path = Path(os.path.normpath(self._root / entry.filename))
        return not exists(path) and any(folder in path.parents for folder in self._folders)

    def is_gone(self, entry: Entry) -> bool:
        """Whether the entry's file was looked at whole and has no such test any more."""
        tests = self._tests.get(entry.filename)
        return tests is not None and not self._by_nodeid and entry.test not in tests
