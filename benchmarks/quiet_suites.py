"""What does `socrates amplify` cost where there is nothing to fault?

    python benchmarks/quiet_suites.py                       five suites from PyPI
    python benchmarks/quiet_suites.py --repeat 3 tinydb     some of them, the median of three

Each suite is the tests in a project's own source distribution, which pip downloads. Plain pytest and
`socrates amplify` run by turns, each in a process of its own; what is compared is the processor's time
of the process and all its children. The store and the linter's cache are removed before each run.
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


@dataclass(frozen=True, slots=True)
class Measured:
    """The seconds of one suite, and what `amplify` said in its last line."""

    name: str
    plain: float
    ours: float
    said: str

    @property
    def ratio(self) -> float:
        return self.ours / self.plain


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
    shutil.rmtree(folder / ".socrates", ignore_errors=True)
    shutil.rmtree(folder / ".socrates_cache", ignore_errors=True)
    paths = os.pathsep.join((str(folder), str(folder / "src")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": _WITHOUT},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, (done.stdout.strip() or done.stderr.strip()).splitlines()[-1]


def measure(name: str, repeat: int) -> Measured:
    """Both commands by turns, after a first run of each that only fills the caches of the disk."""
    folder = unpacked(name)
    tests = "tests" if (folder / "tests").is_dir() else name
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    ours = [sys.executable, "-m", "socrates", "amplify", tests]
    plains, amplified, said = [], [], ""
    for number in range(repeat + 1):
        first, _ = seconds(plain, folder)
        second, said = seconds(ours, folder)
        if number:
            plains.append(first)
            amplified.append(second)
    return Measured(name, statistics.median(plains), statistics.median(amplified), said)


def main() -> None:
    """Measure the suites that were named, and print a table."""
    parser = argparse.ArgumentParser(description="What amplify costs where nothing can be faulted")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each command (default 1)")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(SUITES)}")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in SUITES]
    if unknown:
        parser.error(f"{unknown[0]}: no such suite; there is {', '.join(SUITES)}")
    print("| suite | pytest, s | amplify, s | ratio | |")
    print("|---|---|---|---|---|")
    for name in options.names or SUITES:
        found = measure(name, options.repeat)
        print(
            f"| {name} | {found.plain:.2f} | {found.ours:.2f} | {found.ratio:.2f} | {found.said} |"
        )


if __name__ == "__main__":
    main()
