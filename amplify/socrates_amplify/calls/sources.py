"""The sources of services that the settings name: found, or told to be missing."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from socrates.errors import SocratesError


def found_sources(root: str, named: Mapping[str, str]) -> dict[str, Path]:
    """Each source as a path that can be read; a mistake is one line that names the service."""
    return {service: _found(root, service, text) for service, text in named.items()}


def _found(root: str, service: str, text: str) -> Path:
    where = f"[tool.socrates.amplify.http.sources] {service}:"
    path = Path(root, text)
    if path.is_dir():
        if not any(path.rglob("*.py")):
            raise SocratesError(f"{where} {text!r} has no Python file")
        return path
    try:
        ast.parse(path.read_bytes())
    except OSError:
        raise SocratesError(f"{where} there is no {text!r} in {root}") from None
    except (SyntaxError, ValueError) as error:
        raise SocratesError(f"{where} {text!r} is no Python: {error}") from None
    return path
