"""The project's git repository, as far as changes are concerned: nothing in it is ever written.

A *state* is every file that git does not ignore, with the digest that git has of its content, be it
that of a commit or what lies in the folder now.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

State = Mapping[str, str]
"""Paths from the top of the repository, and digests of what is in them."""

_PATIENCE = 120.0
_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.quotePath=false", "-c", "submodule.recurse=false"),
)
"""A project's own settings of git must not run anything here."""
_OURS = frozenset({".socrates", ".socrates_cache", ".pytest_cache", "__pycache__"})


class Repository:
    """A repository and its top folder."""

    def __init__(self, top: Path) -> None:
        self.top = top

    @classmethod
    def around(cls, folder: Path) -> Repository | None:
        """The one that a folder lies in; None where there is none, or no git."""
        told = _git(folder, "rev-parse", "--show-toplevel")
        return None if told is None else cls(Path(os.fsdecode(told.rstrip(b"\n"))).resolve())

    def commit(self, name: str) -> str | None:
        """The commit that a name stands for; None where it stands for none."""
        told = self._ask(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
        return None if told is None else told.decode("ascii", "replace").strip()

    def common(self, commit: str) -> str | None:
        """Where the present work and a commit parted; None where the history does not reach back."""
        told = self._ask("merge-base", commit, "HEAD")
        return None if told is None else told.decode("ascii", "replace").strip()

    @property
    def shallow(self) -> bool:
        """Whether only a part of the history is here."""
        return self._ask("rev-parse", "--is-shallow-repository") == b"true\n"

    def at(self, commit: str) -> State:
        """The state of a commit."""
        state = {}
        for entry in _entries(self._ask("ls-tree", "-r", "-z", "--full-tree", commit)):
            about, _, path = entry.partition("\t")
            state[path] = about.split(" ")[2]
        return state

    def now(self) -> State:
        """The state of the folder: what is committed, changed, and new, but for what git ignores."""
        state = {}
        for entry in _entries(self._ask("ls-files", "-s", "-z")):
            about, _, path = entry.partition("\t")
            state[path] = about.split(" ")[1]
        for path in _entries(self._ask("ls-files", "-z", "-m", "-o", "--exclude-standard")):
            content = self._read(path)
            if content is None:
                state.pop(path, None)
            else:
                state[path] = _digest(content)
        return {path: state[path] for path in sorted(state) if _OURS.isdisjoint(path.split("/"))}

    def content(self, path: str, digest: str) -> bytes | None:
        """What was in a file when it had this digest; None where git has not kept that."""
        content = self._read(path)
        if content is not None and _digest(content) == digest:
            return content
        return self._ask("cat-file", "blob", digest)

    def _read(self, path: str) -> bytes | None:
        """What is in a file now; None where there is no file."""
        try:
            return (self.top / path).read_bytes()
        except OSError:
            return None

    def _ask(self, *words: str) -> bytes | None:
        return _git(self.top, *words)


def _digest(content: bytes) -> str:
    """What git calls the content of a file."""
    about = f"blob {len(content)}\0".encode()
    return hashlib.sha1(about + content, usedforsecurity=False).hexdigest()


def _git(folder: Path, *words: str) -> bytes | None:
    """What git answers; None when it refuses, or is not there."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *_SAFE, *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _entries(told: bytes | None) -> list[str]:
    return [os.fsdecode(entry) for entry in (told or b"").split(b"\0") if entry]
