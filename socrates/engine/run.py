"""A whole run: find the files, answer from the cache what can be, check the rest, in parallel."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from socrates import registry
from socrates.discovery.files import Target, TestFile, find_test_files, parse_target
from socrates.engine.cache import Cache
from socrates.engine.result import FileResult
from socrates.errors import SocratesError
from socrates.findings import CheckResult, Finding, PluginError
from socrates.model.python.project import shown_path
from socrates.rule import Rule
from socrates.settings import Settings

Progress = Callable[[int, int, str], None]


def check(
    targets: Sequence[str],
    settings: Settings,
    *,
    rules: Sequence[Rule],
    stdin: tuple[str, bytes] | None = None,
    use_cache: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
    cwd: Path | None = None,
) -> CheckResult:
    """Check everything under the targets, or the text given as ``stdin`` in place of its file.

    Raises SocratesError for a target that does not exist. The order of findings does not depend
    on the number of processes.
    """
    started = time.perf_counter()
    here = cwd or Path.cwd()
    known = registry.installed().names
    if stdin is not None:
        from socrates.engine.analyse import Analyser

        name, data = stdin
        file = TestFile(Path(os.path.normpath(here / name)))
        return _assemble([Analyser(settings, rules, known).analyse(file, data)], 0, started)
    files = find_test_files([parse_target(target, here) for target in targets], settings)
    cache = Cache(settings, rules) if use_cache else None
    results: dict[Path, FileResult] = {}
    if cache is not None:
        for file in files:
            hit = cache.get(file.path, file.selected)
            if hit is not None:
                results[file.path] = hit
    cached = len(results)
    missing = [file for file in files if file.path not in results]
    if missing:
        # Loading the analysis takes longer than answering from the cache.
        from socrates.engine import pool

        run = pool.analyse_all(missing, settings, rules, known, jobs or settings.jobs)
        for file, result in _reported(run, len(missing), progress):
            results[file.path] = result
            if cache is not None:
                cache.put(file.path, file.selected, result)
    ordered = [results[file.path] for file in files]
    _require_selected(files, results)
    assembled = _assemble(ordered, cached, started)
    if cache is not None and cache.problem:
        return replace(assembled, warnings=(cache.problem,))
    return assembled


def list_files(targets: Sequence[str], settings: Settings, cwd: Path | None = None) -> list[str]:
    """The test files under the targets, relative to the root."""
    here = cwd or Path.cwd()
    parsed: list[Target] = [parse_target(target, here) for target in targets]
    return [shown_path(file.path, settings.root) for file in find_test_files(parsed, settings)]


def _reported(
    run: Iterator[tuple[TestFile, FileResult]], total: int, progress: Progress | None
) -> Iterator[tuple[TestFile, FileResult]]:
    for done, (file, result) in enumerate(run, start=1):
        if progress is not None:
            progress(done, total, result.summary.filename)
        yield file, result


def _require_selected(files: Sequence[TestFile], results: dict[Path, FileResult]) -> None:
    """A node id that names no test is the user's mistake, as in pytest."""
    for file in files:
        summary = results[file.path].summary
        if any(finding.code == "SOC000" for finding in results[file.path].findings):
            continue
        for part in file.selected:
            name = f"{summary.filename}::{part.partition('[')[0]}"
            if not any(t == name or t.startswith(f"{name}::") for t in summary.tests):
                raise SocratesError(
                    f"{summary.filename}::{part}: no such test; "
                    f"`socrates check {summary.filename}` checks the whole file"
                )


def _assemble(results: Sequence[FileResult], cached: int, started: float) -> CheckResult:
    findings: list[Finding] = []
    errors: list[PluginError] = []
    for result in results:
        findings += result.findings
        errors += result.errors
    return CheckResult(
        tuple(sorted(findings, key=lambda finding: finding.sort_key)),
        tuple(result.summary for result in results),
        tuple(errors),
        suppressed=sum(result.suppressed for result in results),
        cached_files=cached,
        duration=time.perf_counter() - started,
    )
