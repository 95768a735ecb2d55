"""Where the test of a scenario file may be run: in the project that the file lies in.

A scenario file names its project by a path, and the project's code is run. So that a file from
somebody else leads to no other code than that beside it, the path has to lead to a folder that

- contains the scenario file, with no other repository in between, is marked as a project, and is
  neither the user's home nor the top of the file system; or
- is the current folder: whoever stands in a project means it.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from socrates.errors import SocratesError
from socrates.files.looking import exists, is_folder
from socrates_amplify.store.scenario_files import ScenarioFile

_REPOSITORIES = (".git", ".hg", ".svn")
_MARKS = (
    *_REPOSITORIES,
    ".socrates",
    *("socrates.toml", "pyproject.toml", "pytest.toml", "pytest.ini", ".pytest.ini", "tox.ini"),
    *("setup.cfg", "setup.py", "conftest.py"),
)
"""What the top of a project has: settings of pytest or of ours, a repository, or our store."""


def project_of(file: ScenarioFile, path: Path, cwd: Path) -> Path:
    """The folder to run the test in; raises SocratesError when that is not the file's project.

    ``path`` is where the scenario file lies. The test's own file is in the folder, too, once
    symbolic links are followed.
    """
    if PurePath(file.rootdir).is_absolute():
        raise SocratesError(f'{path}: "rootdir" must be relative to the file, not {file.rootdir!r}')
    try:
        root = file.root(path)
        home = Path(os.path.realpath(path.parent))
        test = Path(os.path.realpath(root / file_of(file)))
    except (OSError, ValueError, RuntimeError) as error:
        raise SocratesError(f"{path}: its project can't be found: {error}") from None
    if not is_folder(root):
        raise SocratesError(f"{path}: its project {root} is not there; was the file moved?")
    if root != Path(os.path.realpath(cwd)):
        problem = _problem(root, home)
        if problem:
            raise SocratesError(
                f"{path}: its test would run in {root}, which {problem}; "
                "to run it there all the same, go to that folder first"
            )
    if root not in test.parents:
        raise SocratesError(f"{path}: its test {file_of(file)} leads out of the project, to {test}")
    return root


def file_of(file: ScenarioFile) -> str:
    """The file of the test, relative to the root; parameters may hold what a command line can't."""
    return file.nodeid.partition("::")[0]


def _problem(root: Path, home: Path) -> str:
    """Why ``root`` is not the project of a scenario file in the folder ``home``, or empty."""
    if root != home and root not in home.parents:
        return "does not contain the scenario file"
    below = [folder for folder in (home, *home.parents) if root in folder.parents]
    other = next((folder for folder in below if _has(folder, _REPOSITORIES)), None)
    if other is not None:
        return f"lies outside of the repository {other}"
    if root in (Path(root.anchor), Path.home().resolve()):
        return "is no project"
    if not _has(root, _MARKS):
        return "has no settings of pytest, so that it is not known to be the project"
    return ""


def _has(folder: Path, names: tuple[str, ...]) -> bool:
    return any(exists(folder / name) for name in names)
