"""The sources of services that the settings name: found, or told to be missing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import reading
from socrates.spelling import did_you_mean
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import is_call_kind


def found_sources(root: str, named: Mapping[str, str]) -> dict[str, Path]:
    """Each source as a path that can be read; a mistake is one line that names the service."""
    return {service: _found(root, service, text) for service, text in named.items()}


def unmatched_sources(
    tables: Mapping[str, Mapping[str, object]], faults: Iterable[Fault]
) -> Iterator[str]:
    """One warning for each source of a service that no test calls, with the nearest name there is."""
    named = tables.get("http", {}).get("sources", {})
    called = {fault.receiver for fault in faults if is_call_kind(fault.kind)}
    for name in named if isinstance(named, Mapping) and called else ():
        if name not in called:
            hint = did_you_mean(name, called)
            yield f"[tool.socrates.amplify.http.sources] {name}: no test calls it{hint}"


def _found(root: str, service: str, text: str) -> Path:
    where = f"[tool.socrates.amplify.http.sources] {service}:"
    path = Path(root, text)
    if path.is_dir():
        if not any(path.rglob("*.py")):
            raise SocratesError(f"{where} {text!r} has no Python file")
        return path
    try:
        ast.parse(reading.read_bytes(path, reading.LARGEST_SOURCE))
    except reading.Missing:
        raise SocratesError(f"{where} there is no {text!r} in {root}") from None
    except reading.Unreadable as error:
        raise SocratesError(f"{where} {text!r} can't be read: {error}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SocratesError(f"{where} {text!r} is no Python: {error}") from None
    return path
