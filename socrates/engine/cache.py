"""Results by content: plain JSON files, one per checked file, that are only trusted when they fit.

An entry is used when the run's key is the same and nothing that the answer rests on has changed.
Everything in a cache folder may be broken or hostile: an entry that is not exactly of the
expected form is a miss, and nothing is written through a link that leads out of the folder. A
folder that can't be written is no error.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from socrates import __version__
from socrates.engine.result import FileResult
from socrates.files import writing
from socrates.files.looking import exists, is_folder
from socrates.files.reading import LARGEST_RESULTS, Unreadable, read_bytes
from socrates.findings import FileSummary, Finding, Related, Severity, Span
from socrates.model.python.project import digest, digest_of, shown_path
from socrates.rule import Rule
from socrates.settings import Settings

_T = TypeVar("_T")
_FORMAT = 1
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of socrates.\n"


class Cache:
    """The cache of one run."""

    def __init__(self, settings: Settings, rules: Sequence[Rule]) -> None:
        self.folder = settings.root / settings.cache_dir
        self.root = settings.root
        self.key = _run_key(settings, rules)
        self.problem = ""
        """Why results are not kept, for the user; empty when there is no need to say so."""
        self._digests: dict[str, str] = {}
        self._usable = self._may_be_used(settings)

    def get(self, path: Path, selected: Sequence[str]) -> FileResult | None:
        """The remembered result of a file, if everything it rests on is as it was."""
        if not self._usable:
            return None
        try:
            entry = json.loads(read_bytes(self._entry(path, selected), LARGEST_RESULTS))
            if entry["key"] != self.key or entry["path"] != str(path):
                return None
            dependencies = entry["dependencies"]
            if f"file:{path}" not in dependencies:
                return None
            if any(self._digest(name) != seen for name, seen in dependencies.items()):
                return None
            return _result_from(entry["result"])
        except (Unreadable, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def put(self, path: Path, selected: Sequence[str], result: FileResult) -> None:
        """Remember a result. Written beside and moved into place, so that readers see all or nothing."""
        if not self._usable or result.errors:
            return
        try:
            dependencies = {name: self._digest(name) for name in result.dependencies}
            entry = {
                "key": self.key,
                "path": str(path),
                "dependencies": dependencies,
                "result": _result_to(result),
            }
            data = json.dumps(entry, separators=(",", ":")).encode()
        except (ValueError, TypeError, RecursionError):
            return  # data of a rule that JSON can't hold
        target = self._entry(path, selected)
        try:
            self._prepare(target.parent)
            writing.write(target, data, self.folder, durable=False)
        except (OSError, writing.NotWritten):
            self._usable = False

    def _may_be_used(self, settings: Settings) -> bool:
        """Whether the folder is none that a link puts in place of another."""
        try:
            writing.inside(self.folder, settings.border_of("cache_dir"))
        except writing.Refused as reason:
            name = shown_path(self.folder, self.root)
            self.problem = f"cache-dir: {name}: results are not kept, {reason}"
            return False
        return "cache_dir" in settings.given or not self.folder.is_symlink()

    def _entry(self, path: Path, selected: Sequence[str]) -> Path:
        name = digest_of("\0".join([str(path), *selected]).encode("utf-8", "surrogatepass"))
        return self.folder / name[:2] / f"{name}.json"

    def _prepare(self, folder: Path) -> None:
        """Make a folder for entries; a cache folder that is new tells git and backups so."""
        if is_folder(folder):
            return
        is_new = not exists(self.folder)
        writing.inside(folder, self.folder)
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
                with contextlib.suppress(writing.NotWritten):  # another run was faster
                    writing.write_new(self.folder / name, text.encode(), self.folder)

    def _digest(self, dependency: str) -> str:
        if dependency not in self._digests:
            kind, _, name = dependency.partition(":")
            if kind not in ("file", "dir", "tree") or not self._inside(kind, Path(name)):
                raise ValueError(dependency)
            self._digests[dependency] = digest(dependency)
        return self._digests[dependency]

    def _inside(self, kind: str, path: Path) -> bool:
        """Only the project is walked, whatever an entry says; single files and folders are cheap."""
        return kind != "tree" or path == self.root or self.root in path.parents


def _run_key(settings: Settings, rules: Sequence[Rule]) -> str:
    """What else an answer depends on: settings of rules, versions, the code of rules and model."""
    described = sorted((rule.code, repr(sorted(rule.values.items()))) for rule in rules)
    parts = [
        str(_FORMAT),
        __version__,
        sys.version,
        sys.prefix,
        str(settings.root),
        settings.parser,
        repr(described),
        repr(sorted(_stamps(rules))),
    ]
    return digest_of("\0".join(parts).encode("utf-8", "surrogatepass"))


def code_files(rules: Sequence[Rule]) -> list[Path]:
    """The files whose code decides what is found: the linter's own, and those beside each rule."""
    own = Path(__file__).parent.parent
    files = [*own.glob("*.py")]
    for room in ("model", "engine", "discovery", "files", "syntax"):
        files += (own / room).rglob("*.py")
    folders = set()
    for rule in rules:
        module = sys.modules.get(type(rule).__module__)
        path = getattr(module, "__file__", None)
        if path:
            folders.add(Path(path).parent)
    for folder in folders:
        files += folder.glob("*.py")
    libcst = find_spec("libcst")
    if libcst is not None and libcst.origin:
        files.append(Path(libcst.origin).with_name("_version.py"))
    return files


def _stamps(rules: Sequence[Rule]) -> set[tuple[str, int, int]]:
    """Name, time and size of the files whose code decides what is found."""
    found = set()
    for path in code_files(rules):
        with contextlib.suppress(OSError):
            stat = path.stat()
            found.add((str(path), stat.st_mtime_ns, stat.st_size))
    return found


# -- entries as JSON -----------------------------------------------------------------------------


def _result_to(result: FileResult) -> dict[str, object]:
    summary = result.summary
    return {
        "filename": summary.filename,
        "tests": summary.tests,
        "lines": summary.test_lines,
        "classes": summary.classes,
        "suppressed": result.suppressed,
        "findings": [_finding_to(finding) for finding in result.findings],
    }


def _result_from(data: Mapping[str, object]) -> FileResult:
    summary = FileSummary(
        _text(data["filename"]),
        _tuple(data["tests"], _text),
        _tuple(data["lines"], _number),
        _tuple(data["classes"], _text),
    )
    findings = _tuple(data["findings"], _finding_from)
    return FileResult(summary, findings, _number(data["suppressed"]))


def _finding_to(finding: Finding) -> list[object]:
    span = finding.span
    return [
        finding.code,
        finding.name,
        finding.severity.value,
        finding.message,
        finding.filename,
        [span.row, span.column, span.end_row, span.end_column],
        finding.test,
        [
            [r.message, r.filename, [r.span.row, r.span.column, r.span.end_row, r.span.end_column]]
            for r in finding.related
        ],
        finding.advice,
        dict(finding.data),
    ]


def _finding_from(data: object) -> Finding:
    if not isinstance(data, list) or len(data) != 10 or not isinstance(data[9], dict):
        raise ValueError(data)
    code, name, severity, message, filename, span, test, related, advice, extra = data
    return Finding(
        _text(code),
        _text(name),
        Severity(severity),
        _text(message),
        _text(filename),
        _span(span),
        None if test is None else _text(test),
        _related(related),
        _text(advice),
        extra,
    )


def _related(data: object) -> tuple[Related, ...]:
    """Related places from JSON, in one loop for speed: most of an entry are such places."""
    if not isinstance(data, list):
        raise ValueError(data)
    found = []
    for message, filename, span in data:
        if type(message) is not str or type(filename) is not str:
            raise ValueError(data)
        found.append(Related(message, filename, _span(span)))
    return tuple(found)


def _span(data: object) -> Span:
    if not isinstance(data, list) or len(data) != 4:
        raise ValueError(data)
    row, column, end_row, end_column = data
    if not type(row) is type(column) is type(end_row) is type(end_column) is int or min(data) < 1:
        raise ValueError(data)
    return Span(row, column, end_row, end_column)


def _tuple(data: object, convert: Callable[[object], _T]) -> tuple[_T, ...]:
    if not isinstance(data, list):
        raise ValueError(data)
    return tuple([convert(item) for item in data])


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise ValueError(data)
    return data


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise ValueError(data)
    return data
