"""What amplified runs covered beyond the suite, file by file. Needs coverage.py, an extra."""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import temporary
from socrates_amplify.coverage.collect import FAULTS, SUITE, VARIABLE
from socrates_amplify.model.coverage import Coverage, FileCoverage

_OLDEST = (7, 10)
"""The first coverage.py that follows processes and forks by itself."""


def check_available() -> None:
    """Raises SocratesError when coverage.py is not there, or too old."""
    wanted = "install socrates-lint[coverage]"
    try:
        version = importlib.metadata.version("coverage")
    except importlib.metadata.PackageNotFoundError:
        raise SocratesError(f"--coverage needs coverage.py, which is not here; {wanted}") from None
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        raise SocratesError(f"--coverage: coverage.py {version} is too old; {wanted}")


@contextlib.contextmanager
def measuring(executor: str | None) -> Iterator[Measured]:
    """A folder for what the processes of this run measure. Raises SocratesError when they can't."""
    check_available()
    if executor == "ray":
        raise SocratesError("--coverage and --executor ray: nodes of a cluster measure nothing")
    with temporary.folder() as folder:
        yield Measured(folder)


@dataclass(frozen=True, slots=True)
class Measured:
    """Where processes with this ``environment`` write their data, to be collected in the end."""

    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """What tells a process to measure."""
        return {VARIABLE: str(self.folder)}

    def collect(self, root: Path, tests: Iterable[str]) -> Coverage:
        """What was covered; names are relative to ``root``, and ``tests`` are left out."""
        return _collect(self.folder, root, tests)


def _collect(folder: Path, root: Path, tests: Iterable[str]) -> Coverage:
    suite, faults = _lines(folder, SUITE), _lines(folder, FAULTS)
    left_out = {str(root / name) for name in tests}
    files = [
        _file(name, root, suite.get(name, set()), faults.get(name, set()))
        for name in sorted({*suite, *faults})
        if name not in left_out and Path(name).name != "conftest.py"
    ]
    return Coverage(tuple(file for file in files if file is not None))


def _lines(folder: Path, label: str) -> Mapping[str, set[int]]:
    """The lines of each file that the processes of one label ran."""
    from coverage import CoverageData
    from coverage.exceptions import CoverageException

    found: dict[str, set[int]] = {}
    for path in sorted(folder.glob(f"{label}.*")):
        data = CoverageData(str(path))
        try:
            data.read()
            for name in data.measured_files():
                found.setdefault(name, set()).update(data.lines(name) or ())
        except CoverageException:
            pass  # a process that was killed while it wrote: what it ran is lost
        finally:
            data.close(force=True)
    return found


def _file(name: str, root: Path, suite: set[int], faults: set[int]) -> FileCoverage | None:
    """One file; None when its source can't be read any more."""
    from coverage import Coverage as Analysis
    from coverage.exceptions import CoverageException

    analysis = Analysis(data_file=None)
    try:
        statements = set(analysis.analysis2(name)[1])
    except CoverageException:
        return None
    finally:
        analysis.get_data().close(force=True)  # a database, if only in memory
    path = Path(name)
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    return FileCoverage(
        shown.as_posix(),
        len(statements),
        len(statements & suite),
        tuple(sorted(statements & faults - suite)),
        tuple(sorted(statements & suite)),
    )
