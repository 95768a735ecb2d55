"""The files that are open in the editor, as they are there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pygls.uris import to_fs_path

from socrates.classes.lazy import dataclass
from socrates.findings import Finding
from socrates.lsp.checker import Answer
from socrates.lsp.drift import Drift
from socrates.model.python.source import SourceError, decode, read, split_lines


@dataclass(slots=True)
class Document:
    """One open file. ``revision`` counts its changes; ``current``: the answer is for this text."""

    uri: str
    path: Path
    version: int | None
    text: str
    revision: int = 0
    current: bool = False
    answer: Answer | None = None
    good: Answer | None = None

    def change(self, text: str, version: int | None) -> None:
        """Take a new text."""
        self.text, self.version = text, version
        self.revision += 1
        self.current = False

    def take(self, answer: Answer) -> None:
        """Take what a check said of the newest text."""
        self.answer = answer
        self.current = True
        if not answer.broken:
            self.good = answer

    @property
    def is_broken(self) -> bool:
        """Whether the text did not parse when it was last looked at."""
        return self.answer is not None and self.answer.broken

    @property
    def root(self) -> Path:
        """The project that findings name their files from."""
        return self.answer.root if self.answer is not None else self.path.parent

    @property
    def docs_url(self) -> str | None:
        """Where the project keeps the pages of rules."""
        return self.answer.docs_url if self.answer is not None else None

    def findings(self) -> list[Finding]:
        """What to show in the text as it is now.

        While it does not parse, the last good findings stay with their lines. A text that was
        not looked at yet has those of the one before it, moved in the same way.
        """
        shown = []
        if self.is_broken and self.good is not None:
            shown += _moved(self.good, self.text)
        if self.answer is not None:
            shown += _moved(self.answer, self.text)
        return shown

    def depends_on(self, *names: str) -> bool:
        """Whether the answer rests on any of these, such as ``file:/project/conftest.py``."""
        known = [answer.dependencies for answer in (self.answer, self.good) if answer is not None]
        return any(name in dependencies for dependencies in known for name in names)


class Documents:
    """All open files."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._by_uri.values()))

    def open(self, uri: str, text: str, version: int | None) -> Document | None:
        """Remember a file; None for what is no file, such as a buffer without a name."""
        path = path_of(uri)
        if path is None:
            return None
        document = Document(uri, path, version, text)
        self._by_uri[uri] = document
        return document

    def get(self, uri: str) -> Document | None:
        """An open file."""
        return self._by_uri.get(uri)

    def close(self, uri: str) -> Document | None:
        """Forget a file."""
        return self._by_uri.pop(uri, None)

    def texts(self) -> dict[Path, str]:
        """The texts as they are now, by path."""
        return {document.path: document.text for document in self._by_uri.values()}

    def text_of(self, path: Path) -> str | None:
        """The text of a file, open or not."""
        for document in self._by_uri.values():
            if document.path == path:
                return document.text
        try:
            return decode(read(path))
        except SourceError:
            return None


def path_of(uri: str) -> Path | None:
    """The path that a ``file:`` address names."""
    name = to_fs_path(uri)
    return None if not name or "\0" in name else Path(os.path.normpath(name))


def _moved(answer: Answer, text: str) -> list[Finding]:
    if answer.text == text:
        return list(answer.findings)
    return Drift.between(split_lines(answer.text), split_lines(text)).moved(answer.findings)
