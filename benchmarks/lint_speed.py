"""How fast ``socrates check`` is, beside the tools that people know. Ratios within one run.

    python benchmarks/lint_speed.py                 CPython's own test package
    python benchmarks/lint_speed.py FOLDER          any folder with tests
    python benchmarks/lint_speed.py --files 100     only so many files

Works on a copy in a temporary folder. Times are seconds of CPU, of all processes of a command
together, so that other work on the machine does not matter; start-up is included, with one line
per finding; bare parsing is timed without start-up, which flatters it. Needs flake8 and ruff.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    seconds: float
    limit: str = ""
    holds: bool | None = None


def main() -> int:
    """Measure, print the table, and fail when a promised ratio does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=None)
    parser.add_argument("--files", type=int, default=0, help="use at most so many files")
    parser.add_argument("--repeat", type=int, default=3, help="take the median of so many runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = _copy(options.folder or _cpython_tests(), Path(temporary), options.files)
        files = checked_files(folder)
        lines = sum(path.read_bytes().count(b"\n") for path in files)
        print(
            f"{len(files)} test files, {lines:,} lines, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n"
        )
        rows = measure(folder, files, options.repeat)
        _print_table(rows)
        _print_memory(folder, files, Path(temporary))
    return 0 if all(row.holds is not False for row in rows) else 1


def measure(folder: Path, files: Sequence[Path], repeat: int) -> list[Row]:
    """All timings, with the ratios that the README promises."""
    clock = _Clock(repeat)
    check = [sys.executable, "-m", "socrates", "check", ".", "--output-format", "concise"]
    names = [str(path.relative_to(folder)) for path in files]
    bare = clock.function(lambda: _parse_all(files, _libcst_parse()))
    plain = clock.function(lambda: _parse_all(files, ast.parse))
    one = clock.command([*check, "--no-cache", "--jobs", "1"], folder)
    two = clock.command([*check, "--no-cache", "--jobs", "2"], folder)
    flake8 = clock.command(
        [sys.executable, "-m", "flake8", "--exit-zero", "-j", "2", *names], folder
    )
    ruff = clock.command(
        [_ruff(), "check", "--no-cache", "--exit-zero", "--output-format", "concise", *names],
        folder,
    )
    clock.once(check, folder)
    warm = clock.command(check, folder)
    changed = clock.command(check, folder, before=lambda: _touch(files[0]))
    return [
        Row("ast.parse, bare", plain),
        Row("libcst.parse_module, bare", bare),
        Row(
            "socrates check, cold, 1 process",
            one,
            f"{one / bare:.2f} x bare libcst (at most 1.6)",
            one <= 1.6 * bare,
        ),
        Row(
            "socrates check, cold, 2 processes",
            two,
            f"{two / flake8:.2f} x flake8 (below 1)",
            two < flake8,
        ),
        Row("flake8, 2 processes", flake8),
        Row("ruff, uncached", ruff),
        Row(
            "socrates check, nothing changed",
            warm,
            f"{warm / ruff:.2f} x ruff uncached (at most 1.5)",
            warm <= 1.5 * ruff,
        ),
        Row("socrates check, one file changed", changed, f"{changed / one:.3f} x cold"),
    ]


class _Clock:
    """Medians of CPU times."""

    def __init__(self, repeat: int) -> None:
        self.repeat = repeat

    def function(self, run: Callable[[], None]) -> float:
        return statistics.median(_timed(run) for _ in range(self.repeat))

    def command(
        self, words: Sequence[str], folder: Path, before: Callable[[], None] = lambda: None
    ) -> float:
        times = []
        for _ in range(self.repeat):
            before()
            times.append(_timed(lambda: self.once(words, folder)))
        return statistics.median(times)

    def once(self, words: Sequence[str], folder: Path) -> None:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(words[:6])} failed:\n{done.stdout}{done.stderr}")


def _timed(run: Callable[[], object]) -> float:
    started = _cpu()
    run()
    return _cpu() - started


def _cpu() -> float:
    """What this process and those that it waited for have used so far."""
    ours, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


def _libcst_parse() -> Callable[[bytes], object]:
    import libcst

    return libcst.parse_module


def _parse_all(files: Sequence[Path], parse: Callable[[bytes], object]) -> None:
    for path in files:
        try:
            parse(path.read_bytes())
        except Exception:
            continue  # a file with a deliberate mistake is no reason to stop


def _touch(path: Path) -> None:
    path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")


def _cpython_tests() -> Path:
    spec = importlib.util.find_spec("test")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("this Python has no test package: give a folder")
    return Path(spec.submodule_search_locations[0])


def _copy(source: Path, temporary: Path, limit: int) -> Path:
    target = temporary / "project" / source.name
    ignore = shutil.ignore_patterns("__pycache__", ".git", ".socrates_cache", "*.pyc")
    shutil.copytree(source, target, ignore=ignore, symlinks=True)
    folder = target.parent
    if limit:
        for path in checked_files(folder)[limit:]:
            path.unlink()
    return folder


def checked_files(folder: Path) -> list[Path]:
    """The files that a check of this folder looks at."""
    shown = subprocess.run(
        [sys.executable, "-m", "socrates", "check", ".", "--isolated", "--show-files"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return [folder / name for name in shown.stdout.splitlines()]


def _ruff() -> str:
    beside = Path(sys.executable).with_name("ruff")
    return str(beside) if beside.exists() else "ruff"


def _print_table(rows: Sequence[Row]) -> None:
    width = max(len(row.name) for row in rows)
    for row in rows:
        mark = {None: "", True: "holds", False: "DOES NOT HOLD"}[row.holds]
        print(f"{row.name:<{width}}  {row.seconds:8.2f} s  {row.limit:<40} {mark}".rstrip())


def _print_memory(folder: Path, files: Sequence[Path], temporary: Path) -> None:
    """Peak memory of one process at 100 and at 600 files, which repeats files if there are fewer."""
    print()
    for count in (100, 600):
        sample = temporary / f"sample{count}"
        for number in range(count):
            source = files[number % len(files)]
            target = sample / f"part{number // len(files)}" / source.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        print(f"peak memory, {count} files, 1 process  {_peak(sample):6.0f} MB")


def _peak(folder: Path) -> float:
    words = [sys.executable, "-m", "socrates", "check", "--no-cache", "--jobs", "1"]
    pid = os.posix_spawn(
        words[0],
        [*words, "--quiet", "--output-file", os.devnull, "--isolated", str(folder)],
        os.environ,
    )
    _, _, usage = os.wait4(pid, 0)
    scale = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * scale / 1e6


if __name__ == "__main__":
    # As installed for users: modules are compiled once, not at every start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
