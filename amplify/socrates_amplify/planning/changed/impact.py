"""Which tests a change concerns, by the files that they execute."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from socrates.classes.lazy import dataclass
from socrates_amplify.model.outcomes import EVERYTHING
from socrates_amplify.planning.changed.imports import dependents, importers, outline
from socrates_amplify.planning.changed.repository import State

Content = Callable[[str, str], bytes | None]
"""What was in a file when it had a digest; see ``Repository.content``."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What a set of changes concerns.

    ``all`` says why every test is concerned, if it is. ``files`` are those that changed, and those
    that do something else when they are imported; ``folders`` those with a changed ``conftest.py``.
    """

    all: str = ""
    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    code: bool = False
    """Whether any Python file has changed."""

    def concerns(self, test_file: str, executed: Collection[str]) -> bool:
        """Whether a test may behave differently. Where it is not known what it executes, it may."""
        if self.all:
            return True
        if any(_is_below(test_file, folder) for folder in self.folders):
            return True
        if not executed or EVERYTHING in executed:
            return self.code
        return test_file in self.files or not self.files.isdisjoint(executed)


def impact_of(
    before: State,
    now: State,
    content: Content,
    *,
    ignored: Sequence[str] = (),
    executed: Collection[str] = (),
) -> Impact:
    """What is concerned by all that differs between two states.

    ``executed`` is every file that some test executes, ``ignored`` are globs of files that don't
    matter. A change inside of functions concerns those who execute the file. Any other change also
    concerns those who execute a file that imports it, directly or not; if nothing is known to
    import it, it concerns everybody, since something may load it by name.
    """
    changed = sorted(
        path
        for path in before.keys() | now.keys()
        if before.get(path) != now.get(path) and not _fits(path, ignored)
    )
    others = [path for path in changed if not path.endswith(".py")]
    if others:
        more = f" and {len(others) - 1} more files" if len(others) > 1 else ""
        return Impact(all=f"{others[0]}{more} changed, and any test may read it", code=True)
    outlines = [path for path in changed if _outline_changed(path, before, now, content)]
    files = set(changed)
    if outlines:
        imported_by = importers(now, lambda path: content(path, now[path]))
        for path in outlines:
            found = dependents(path, imported_by)
            if len(found) == 1 and path not in executed and not _is_test(path):
                why = "and nothing is known to import it: it may be loaded by name"
                return Impact(all=f"{path} changed, {why}", code=True)
            files |= found
    conftests = (path for path in changed if posixpath.basename(path) == "conftest.py")
    return Impact(
        files=frozenset(files),
        folders=tuple(map(posixpath.dirname, conftests)),
        code=bool(changed),
    )


def _outline_changed(path: str, before: State, now: State, content: Content) -> bool:
    """Whether importing the file may do something else than before; a file that is new does."""
    if path not in before or path not in now:
        return True
    texts = [content(path, state[path]) for state in (before, now)]
    outlines = {None if text is None else outline(text) for text in texts}
    return None in outlines or len(outlines) > 1


def _is_test(path: str) -> bool:
    name = posixpath.basename(path)
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _fits(path: str, globs: Iterable[str]) -> bool:
    return any(
        fnmatchcase(path, glob) or fnmatchcase(posixpath.basename(path), glob) for glob in globs
    )
