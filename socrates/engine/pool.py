"""Many files on several cores. A worker that dies costs one file, which is named."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from socrates.builtin import SyntaxErrorRule
from socrates.discovery.files import TestFile
from socrates.engine.analyse import Analyser
from socrates.engine.gc_tuning import collect_rarely
from socrates.engine.result import FileResult
from socrates.findings import FileSummary, Finding, Severity, Span
from socrates.model.python.project import shown_path
from socrates.rule import Rule
from socrates.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

_WORTH_A_PROCESS = 300_000
"""Bytes of source below which starting another process costs more than it saves."""

_worker: Analyser | None = None


def analyse_all(
    files: Sequence[TestFile],
    settings: Settings,
    rules: Sequence[Rule],
    known: Mapping[str, str],
    jobs: int | None,
) -> Iterator[tuple[TestFile, FileResult]]:
    """Results as they come, in no particular order when several processes work."""
    sizes = {file.path: _size(file) for file in files}
    wanted = jobs or os.cpu_count() or 1
    processes = min(wanted, len(files), 1 + sum(sizes.values()) // _WORTH_A_PROCESS)
    if processes <= 1:
        analyser = Analyser(settings, rules, known)
        for file in files:
            yield file, analyser.analyse(file)
        return
    batches = _batches(files, sizes, processes)
    unfinished: list[TestFile] = []
    for batch, results in _in_processes(batches, settings, rules, known, processes):
        if results is None:
            unfinished += batch
        else:
            yield from zip(batch, results, strict=True)
    for file in unfinished:
        for _, results in _in_processes([[file]], settings, rules, known, 1):
            yield file, results[0] if results else _crashed(file, settings)


def _in_processes(
    batches: Sequence[list[TestFile]],
    settings: Settings,
    rules: Sequence[Rule],
    known: Mapping[str, str],
    processes: int,
) -> Iterator[tuple[list[TestFile], list[FileResult] | None]]:
    """Each batch with its results, or None when its worker died."""
    import multiprocessing  # slow to import, and few projects are so large
    from concurrent.futures import ProcessPoolExecutor, as_completed

    can_fork = "fork" in multiprocessing.get_all_start_methods()
    method = "fork" if can_fork and threading.active_count() == 1 else "spawn"
    executor = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context(method),
        initializer=_start,
        initargs=(settings, tuple(rules), dict(known)),
    )
    try:
        futures: dict[Future[list[FileResult]], list[TestFile]] = {
            executor.submit(_analyse_batch, batch): batch for batch in batches
        }
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except Exception:  # BrokenProcessPool, or a result that could not be sent
                yield futures[future], None
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _start(settings: Settings, rules: tuple[Rule, ...], known: Mapping[str, str]) -> None:
    global _worker
    collect_rarely()
    _worker = Analyser(settings, rules, known)


def _analyse_batch(files: list[TestFile]) -> list[FileResult]:
    assert _worker is not None
    return [_worker.analyse(file) for file in files]


def _batches(
    files: Sequence[TestFile], sizes: Mapping[Path, int], processes: int
) -> list[list[TestFile]]:
    """Batches of neighbouring files, which share imports: about six per process, the biggest first."""
    limit = max(sum(sizes.values()) // (processes * 6), 1)
    batches: list[list[TestFile]] = [[]]
    filled = 0
    for file in files:
        if batches[-1] and filled + sizes[file.path] > limit:
            batches.append([])
            filled = 0
        batches[-1].append(file)
        filled += sizes[file.path]
    return sorted(batches, key=lambda batch: -sum(sizes[file.path] for file in batch))


def _size(file: TestFile) -> int:
    try:
        return file.path.stat().st_size
    except OSError:
        return 0


def _crashed(file: TestFile, settings: Settings) -> FileResult:
    name = shown_path(file.path, settings.root)
    rule = SyntaxErrorRule
    message = "the process that checked this file died; leave the file out with `exclude`"
    span = Span(1, 1, 1, 2)
    finding = Finding(rule.code, rule.name, Severity.ERROR, message, name, span, advice=rule.advice)
    return FileResult(FileSummary(name), (finding,))
