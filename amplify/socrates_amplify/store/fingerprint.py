"""A digest of all that can change what an execution says: code, settings, interpreter, packages."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import socrates
from socrates.files import reading
from socrates_amplify.store import regression_files

_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
_NAME = re.compile(r"^Name: *(\S+)\s*$", re.MULTILINE)
_VERSION = re.compile(r"^Version: *(\S+)\s*$", re.MULTILINE)
_SETTINGS = frozenset({"pyproject.toml", "socrates.toml", "pytest.ini", "tox.ini", "setup.cfg"})


def fingerprint(root: Path, extra: Mapping[str, object] | None = None) -> str:
    """A digest that is the same as long as results may be reused.

    It covers every ``.py`` file and every settings file below ``root`` (hidden folders, virtual
    environments and caches left out), the interpreter, the installed distributions, the version
    of Socrates, and ``extra``: what else the caller was told. The test file that
    ``--write-tests`` writes is left out: keeping a defect must not make it look outdated.
    """
    digest = hashlib.sha256()
    for line in _environment(extra or {}):
        digest.update(line.encode("utf-8", "surrogateescape") + b"\n")
    for path in source_files(root):
        try:
            text = reading.read_bytes(path, reading.LARGEST_RESULTS)
            if path.name == regression_files.NAME and text == regression_files.SOURCE.encode():
                continue
            content = hashlib.sha256(text).hexdigest()
        except reading.Unreadable as error:
            content = f"unreadable {error} {_changed(path)}"
        name = path.relative_to(root).as_posix()
        digest.update(f"{name}\0{content}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def environment(top: Path) -> str:
    """A digest of interpreter and installed distributions. Those of the project at ``top`` itself go by
    their names: their code is looked at, and their versions may follow commits."""
    own = top.as_uri()
    digest = hashlib.sha256()
    known = (name.partition("==")[0] if own in origin else name for name, origin in _installed())
    for line in (*_interpreter(), *sorted(known)):
        digest.update(line.encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()[:32]


def _changed(path: Path) -> str:
    """When a file that is too large to read, or none at all, was last changed."""
    try:
        status = os.lstat(path)
    except OSError:
        return ""
    return f"{status.st_mtime_ns} {status.st_size}"


def source_files(root: Path) -> Iterator[Path]:
    """The files that the digest covers, in a stable order; links to folders are not followed."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if _is_source_folder(Path(folder, name)))
        for name in sorted(files):
            if covers(name):
                yield Path(folder, name)


def covers(name: str) -> bool:
    """Whether the digest covers files of this name."""
    return name.endswith(".py") or name in _SETTINGS


def _is_source_folder(folder: Path) -> bool:
    if folder.name.startswith(".") or folder.name in _SKIPPED:
        return False
    return not (folder / "pyvenv.cfg").is_file()


def _installed() -> tuple[tuple[str, str], ...]:
    """Name and version of each distribution, and where it was installed from, if pip has noted that."""
    return tuple(
        (_name_and_version(one), one.read_text("direct_url.json") or "")
        for one in importlib.metadata.distributions()
    )


def _interpreter() -> Iterable[str]:
    yield f"socrates {socrates.__version__}"
    yield f"{platform.python_implementation()} {sys.version}"
    yield f"{sys.platform} {platform.machine()}"


def _name_and_version(distribution: importlib.metadata.Distribution) -> str:
    """Read from the first lines of its metadata: parsing all of it takes ten times as long."""
    header = (distribution.read_text("METADATA") or "").partition("\n\n")[0]
    name, version = _NAME.search(header), _VERSION.search(header)
    if name and version:
        return f"{name[1]}=={version[1]}"
    return f"{distribution.metadata['Name']}=={distribution.version}"


def _environment(extra: Mapping[str, object]) -> Iterable[str]:
    yield from _interpreter()
    yield from sorted(name for name, _ in _installed())
    for key in sorted(extra):
        yield f"{key}={extra[key]!r}"
