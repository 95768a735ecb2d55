"""Results by content: plain JSON files, one per checked file, that are only trusted when they fit.

An entry is used when the run's key is the same and nothing that the answer rests on has changed.
Everything in a cache folder may be broken or hostile: an entry that is not exactly of the
expected form is a miss, and nothing is written through a link that leads out of the folder. A
folder that can't be written is no error.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from socrates import __version__
from socrates.engine.entries import finding_to, fix_from, result_from, result_to
from socrates.engine.result import FileResult
from socrates.files import writing
from socrates.files.looking import exists, is_folder
from socrates.files.reading import LARGEST_RESULTS, Unreadable, read_bytes
from socrates.findings import Finding
from socrates.model.python.project import digest, digest_of, shown_path
from socrates.rule import Rule
from socrates.settings import Settings

_MISSES = (Unreadable, ValueError, TypeError, LookupError, AttributeError, RecursionError)
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
        try:
            return result_from(self._load(self._entry(path, selected), path)["result"])
        except _MISSES:
            return None

    def put(self, path: Path, selected: Sequence[str], result: FileResult) -> None:
        """Remember a result."""
        if not result.errors:
            content = {"result": result_to(result)}
            self._store(self._entry(path, selected), path, result.dependencies, content)

    def get_fixes(
        self, path: Path, findings: Sequence[Finding], unsafe: bool
    ) -> dict[Finding, Mapping[str, object]] | None:
        """The remembered fixes of a file's findings, as plain data."""
        try:
            entry = self._load(self._fix_entry(path, findings, unsafe), path)
            return {findings[int(number)]: fix_from(fix) for number, fix in entry["fixes"].items()}
        except _MISSES:
            return None

    def put_fixes(
        self,
        path: Path,
        findings: Sequence[Finding],
        unsafe: bool,
        dependencies: Iterable[str],
        fixes: Mapping[Finding, Mapping[str, object]],
    ) -> None:
        """Remember the fixes of a file's findings, most of which have none."""
        places = {finding: number for number, finding in enumerate(findings)}
        content = {"fixes": {str(places[finding]): fix for finding, fix in fixes.items()}}
        self._store(self._fix_entry(path, findings, unsafe), path, dependencies, content)

    def _load(self, name: Path, path: Path) -> dict[str, Any]:
        """An entry that is still true. Raises one of _MISSES for any other."""
        if not self._usable:
            raise KeyError(name)
        entry: dict[str, Any] = json.loads(read_bytes(name, LARGEST_RESULTS))
        if entry["key"] != self.key or entry["path"] != str(path):
            raise KeyError(name)
        dependencies = entry["dependencies"]
        if f"file:{path}" not in dependencies:
            raise KeyError(name)
        if any(self._digest(file) != seen for file, seen in dependencies.items()):
            raise KeyError(name)
        return entry

    def _store(
        self, name: Path, path: Path, dependencies: Iterable[str], content: Mapping[str, object]
    ) -> None:
        """Written beside and moved into place, so that readers see all or nothing."""
        if not self._usable:
            return
        try:
            digests = {dependency: self._digest(dependency) for dependency in dependencies}
            entry = {"key": self.key, "path": str(path), "dependencies": digests, **content}
            data = json.dumps(entry, separators=(",", ":")).encode()
        except (ValueError, TypeError, RecursionError):
            return  # it rests on more than can be compared, or JSON can't hold it
        try:
            self._prepare(name.parent)
            writing.write(name, data, self.folder, durable=False)
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

    def _fix_entry(self, path: Path, findings: Sequence[Finding], unsafe: bool) -> Path:
        """Fixes are kept apart, by the findings that they are for."""
        asked = json.dumps([unsafe, *map(finding_to, findings)])
        return self._entry(path, ["fixes", digest_of(asked.encode())])

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


def code_files(rules: Sequence[Rule]) -> list[str]:
    """The files whose code decides what is found and fixed: the linter's own, those of the rules."""
    own = Path(__file__).parent.parent
    files = [str(path) for path in own.glob("*.py")]
    for room in ("classes", "model", "engine", "discovery", "files", "syntax", "fixes"):
        files += _python_files(str(own / room))
    modules = {type(rule).__module__ for rule in rules}
    for name in {name.partition(".")[0] for name in modules} | modules:
        module = sys.modules.get(name)
        for folder in getattr(module, "__path__", ()):
            files += _python_files(str(folder))
        path = getattr(module, "__file__", None)
        if path and "." not in name:
            files.append(str(path))
    libcst = find_spec("libcst")
    if libcst is not None and libcst.origin:
        files.append(str(Path(libcst.origin).with_name("_version.py")))
    return files


def _python_files(folder: str) -> Iterator[str]:
    """All of a folder, links not followed; in texts, as paths take longer to make than to look up."""
    for place, folders, names in os.walk(folder):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
        yield from (f"{place}{os.sep}{name}" for name in names if name.endswith(".py"))


def _stamps(rules: Sequence[Rule]) -> set[tuple[str, int, int]]:
    """Name, time and size of the files whose code decides what is found."""
    found = set()
    for path in code_files(rules):
        with contextlib.suppress(OSError):
            stat = os.stat(path)  # noqa: PTH116  # likewise
            found.add((path, stat.st_mtime_ns, stat.st_size))
    return found
