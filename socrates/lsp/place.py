"""The settings and the project that a file belongs to, with unsaved texts laid over it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from socrates import baseline, registry
from socrates.baseline import Entry
from socrates.builtin import SyntaxErrorRule
from socrates.config.find import shown as shown_path
from socrates.discovery.files import TestFile
from socrates.engine.analyse import Analyser
from socrates.engine.result import FileResult
from socrates.findings import CheckResult, Finding
from socrates.lsp.options import Options
from socrates.lsp.text import to_bytes
from socrates.model.python import source
from socrates.model.python.module import ModuleInfo
from socrates.select import Baseline, finish
from socrates.session import Session, prepare
from socrates.settings import Settings

CONFIG_FILES = (
    "socrates.toml",
    "pyproject.toml",
    "pytest.toml",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
)
"""The files that decide what is checked and how; any of them may lie in any folder above."""

Stamp = tuple[int, int] | None
Signature = tuple[tuple[str, Stamp], ...]


class Stale(BaseException):
    """The question is out of date: not an Exception, so that no rule's guard can swallow it."""


class Place:
    """One project under one set of settings."""

    def __init__(self, session: Session, entries: list[Entry] | None) -> None:
        self.session = session
        self.settings: Settings = session.settings
        self.baseline_path = session.baseline_path
        self._baseline_stamp = _stamp(self.baseline_path)
        self._entries = entries
        self.analyser = _InterruptibleAnalyser(session)
        self._laid: dict[Path, tuple[str, ModuleInfo | None]] = {}
        self._seen: set[Path] = set()
        self._on_disk: dict[str, Stamp] = {}

    def has_same_baseline(self) -> bool:
        """Whether the baseline is still the file that was read."""
        return self._baseline_stamp == _stamp(self.baseline_path)

    def lay_over(self, path: Path, others: Mapping[Path, str]) -> None:
        """Let the project see the texts of open files in place of those on disk.

        What changed on disk since it was last read is forgotten first. An open file that does
        not parse is seen as it last did.
        """
        closed = [item for item in self._seen if item not in others and item != path]
        outdated = [*closed, *self._changed_on_disk(path, others)]
        if outdated:
            for item in (path, *outdated):
                self.analyser.forget(item)
                self._laid.pop(item, None)
            self._seen.difference_update(closed)
            self._on_disk.clear()
        self._seen.update((path, *others))
        project = self.analyser.project(path)
        for other, text in others.items():
            if other == path or other.suffix != ".py" or project.root not in other.parents:
                continue
            before, module = self._laid.get(other, (None, None))
            if before != text:
                with contextlib.suppress(source.SourceError):  # its own check says so
                    module = project.make_module(
                        other, source.parse(to_bytes(text), project.parser)
                    )
                self._laid[other] = (text, module)
            if module is not None:
                project.keep(module)

    def analyse(self, file: TestFile, data: bytes, is_stale: Callable[[], bool]) -> FileResult:
        """Check a text and remember what the answer rests on. Raises Stale."""
        self.analyser.is_stale = is_stale
        result = self.analyser.analyse(file, data)
        for dependency in result.dependencies:
            if dependency not in self._on_disk:
                self._on_disk[dependency] = _stamp_of(dependency)
        return result

    def shown(self, result: FileResult, text: str) -> tuple[Finding, ...]:
        """The findings in the file itself that settings and baseline let through."""
        name = result.summary.filename
        accepted = None
        if self._entries is not None:
            accepted = Baseline(
                self._entries,
                lambda entry: False,
                lambda other: text if other == name else self.session.read_source(other),
                lambda entry: entry.filename == name and entry.test not in result.summary.tests,
            )
        kept = finish(
            CheckResult(result.findings), self.settings, self.session.registry, accepted
        ).findings
        return tuple(finding for finding in kept if finding.filename == name)

    def _changed_on_disk(self, path: Path, others: Mapping[Path, str]) -> list[Path]:
        """What answers rest on and is no longer as it was; open files count as they are open."""
        laid = {f"file:{item}" for item in (path, *others)}
        return [
            Path(dependency.partition(":")[2])
            for dependency, stamp in self._on_disk.items()
            if dependency not in laid and stamp != _stamp_of(dependency)
        ]


class _InterruptibleAnalyser(Analyser):
    """An analyser that gives up between rules once its question is out of date."""

    def __init__(self, session: Session) -> None:
        rules = session.rules
        if not any(rule.code == SyntaxErrorRule.code for rule in rules):
            rules = [*rules, SyntaxErrorRule()]  # a broken text must be told from a clean one
        super().__init__(session.settings, rules, registry.installed().names)
        self.is_stale: Callable[[], bool] = lambda: False

    def checkpoint(self) -> None:
        """Raise Stale when the text is no longer the newest."""
        if self.is_stale():
            raise Stale


def open_place(path: Path, options: Options) -> Place:
    """The settings of a file's folder and the project there. Raises SocratesError."""
    session = prepare([str(path)], config=options.config, flags=options.flags, cwd=path.parent)
    where = session.baseline_path
    entries = None if where is None else baseline.load(where, shown_path(where))
    return Place(session, entries)


def signature_of(folder: Path, baseline_path: Path | None) -> Signature:
    """What the files look like that settings may come from; costs a few dozen stats."""
    found: list[tuple[str, Stamp]] = [
        (name, stamp)
        for above in (folder, *folder.parents)
        for name in (os.path.join(above, base) for base in CONFIG_FILES)  # noqa: PTH118  # often
        if (stamp := _stamp(name)) is not None
    ]
    if baseline_path is not None:
        found.append((str(baseline_path), _stamp(baseline_path)))
    return tuple(found)


def _stamp(path: str | Path | None) -> Stamp:
    if path is None:
        return None
    try:
        status = os.stat(path)  # noqa: PTH116  # often
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _stamp_of(dependency: str) -> Stamp:
    """Of a ``file:`` or ``dir:``; the folders of a ``tree:`` are dependencies of their own."""
    return _stamp(dependency.partition(":")[2])
