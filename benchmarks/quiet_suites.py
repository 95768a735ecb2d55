"""What does `socrates amplify` cost where there is nothing to fault?

    python benchmarks/quiet_suites.py                       five suites from PyPI
    python benchmarks/quiet_suites.py --repeat 5 tinydb     some of them, the median of five
    python benchmarks/quiet_suites.py --here                with all that is installed here

Each suite is the tests in a project's own source distribution, which pip downloads. They run in an
environment as users have it: one that is made here, with Socrates as it is in this tree, pytest and
what the suites need, and without variables but HOME, PATH and LANG. Plain pytest and `socrates amplify`
run by turns, each in a process of its own; what is compared is the processor's time of the process and
all its children. `amplify` runs twice in each turn: for the first time, with nothing kept, and again,
when the linter knows the files.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUITES = {
    "tinydb": "tinydb==4.8.2",
    "toolz": "toolz==1.1.0",
    "more-itertools": "more-itertools==10.8.0",
    "markupsafe": "markupsafe==3.0.3",
    "humanize": "humanize==4.14.0",
}
"""Projects without remote calls, queues or actors, and with their tests in the source distribution."""

KEPT = Path(tempfile.gettempdir()) / "socrates-quiet-suites"
"""Outside of this project, whose settings of pytest would else be theirs, too."""

_WITHOUT = "-p no:asyncio"
"""A plugin that none of the suites needs, and whose warning ends those that take warnings for errors."""

ROOT = Path(__file__).parent.parent
_NEEDED = ("pytest", "freezegun", "pyyaml")
"""What the suites import beside Python and themselves."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The seconds of one suite, and what `amplify` said in its last line."""

    name: str
    plain: float
    first: float
    again: float
    said: str

    @property
    def row(self) -> str:
        """A row of the table."""
        cells = (
            self.name,
            f"{self.plain:.2f}",
            f"{self.first:.2f}",
            f"{self.first / self.plain:.2f}",
            f"{self.again:.2f}",
            f"{self.again / self.plain:.2f}",
            self.said,
        )
        return f"| {' | '.join(cells)} |"


def bare_python() -> str:
    """The Python of an environment with Socrates, pytest and what the suites need, made anew if it must."""
    home = KEPT / "bare"
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        _install(python, *_NEEDED, str(ROOT))
    else:
        _install(python, "--force-reinstall", "--no-deps", str(ROOT))
    return str(python)


def _install(python: Path, *wanted: str) -> None:
    subprocess.run([str(python), "-m", "pip", "install", "-q", *wanted], check=True)


def unpacked(name: str) -> Path:
    """The folder of a project's source distribution."""
    home = KEPT / name
    if not home.exists():
        home.mkdir(parents=True)
        wanted = ["--no-deps", "--no-binary", ":all:", "-d", str(home), SUITES[name]]
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", *wanted], check=True)
        with tarfile.open(next(home.glob("*.tar.gz"))) as archive:
            archive.extractall(home, filter="data")
    return next(path for path in home.iterdir() if path.is_dir())


def seconds(command: Sequence[str], folder: Path) -> tuple[float, str]:
    """The processor's time of a command with its children, and its last line."""
    known = {name: os.environ[name] for name in ("HOME", "PATH", "LANG") if name in os.environ}
    paths = os.pathsep.join((str(folder), str(folder / "src")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        cwd=folder,
        env={**known, "PYTHONPATH": paths, "PYTEST_ADDOPTS": _WITHOUT},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, (done.stdout.strip() or done.stderr.strip()).splitlines()[-1]


def measure(name: str, repeat: int, python: str) -> Measured:
    """All three by turns, after a first turn that only fills the caches of the disk."""
    folder = unpacked(name)
    tests = "tests" if (folder / "tests").is_dir() else name
    plain = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    ours = [python, "-m", "socrates", "amplify", tests]
    plains, firsts, agains, said = [], [], [], ""
    for _ in range(repeat + 1):
        plains.append(seconds(plain, folder)[0])
        for kept in (".socrates", ".socrates_cache"):
            shutil.rmtree(folder / kept, ignore_errors=True)
        firsts.append(seconds(ours, folder)[0])
        used, said = seconds(ours, folder)
        agains.append(used)
    medians = (statistics.median(times[1:]) for times in (plains, firsts, agains))
    return Measured(name, *medians, said)


def main() -> None:
    """Measure the suites that were named, and print a table."""
    parser = argparse.ArgumentParser(description="What amplify costs where nothing can be faulted")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each command (default 1)")
    parser.add_argument("--here", action="store_true", help="with all that is installed here")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(SUITES)}")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in SUITES]
    if unknown:
        parser.error(f"{unknown[0]}: no such suite; there is {', '.join(SUITES)}")
    python = sys.executable if options.here else bare_python()
    print("| suite | pytest, s | amplify, first | ratio | amplify, again | ratio | |")
    print("|---|---|---|---|---|---|---|")
    for name in options.names or SUITES:
        print(measure(name, options.repeat, python).row, flush=True)


if __name__ == "__main__":
    main()
