"""Both parsers give the same trees and the same findings, and what libcst costs.

    python benchmarks/parser_parity.py                  this Python's own test package
    python benchmarks/parser_parity.py FOLDER...        any folders, of code for any Python
    python benchmarks/parser_parity.py --programs 5000  more random programs
    python benchmarks/parser_parity.py --files 100      only so many test files

Trees are compared where both parsers accept a file, positions included; findings everywhere,
tests and their suppressions, with ``--parser auto`` and ``--parser libcst``. Works on a copy in a
temporary folder. Fails when a tree or a finding differs, or when a check with libcst alone takes
more than four times the processor time of bare ``libcst.parse_module`` on the same files.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import libcst
from lint_speed import checked_files
from parity.programs import program
from parity.trees import first_difference

from socrates.model.python.source import SourceError, decode
from socrates.syntax.parsers import cpython, reference
from socrates.syntax.refused import Refused

_COST = 4.0
_FINDINGS = """\
import sys
from socrates.session import check, prepare
flags = {"parser": sys.argv[1], "jobs": 1}
found = check(prepare(["."], isolated=True, flags=flags), use_cache=False)
if found.errors:
    sys.exit(str(found.errors))
for finding in found.findings:
    print(finding)
print("suppressed:", found.suppressed)
"""


def main() -> int:
    """Compare, print the figures, and fail when something differs or costs too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--programs", type=int, default=1000, help="random programs to compare")
    parser.add_argument("--files", type=int, default=0, help="use at most so many test files")
    options = parser.parse_args()
    holds = _programs(options.programs)
    for folder in options.folders or [_cpython_tests()]:
        with tempfile.TemporaryDirectory() as temporary:
            copy = _copy(folder, Path(temporary), options.files)
            versions = f"Python {sys.version.split()[0]}, libcst {version('libcst')}"
            print(f"\n{folder} ({versions})")
            holds = _findings(copy) and holds
            holds = _trees(copy) and holds
    return 0 if holds else 1


# -- trees ---------------------------------------------------------------------------------------


def _programs(count: int) -> bool:
    texts = ((f"program {seed}", program(random.Random(seed))) for seed in range(count))
    print(f"{count} random programs")
    return _compared(texts)


def _trees(folder: Path) -> bool:
    return _compared(_texts(folder))


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.py")):
        try:
            text = decode(path.read_bytes())
        except SourceError:
            continue  # both parsers get text: what can't be decoded reaches neither
        if "\0" not in text:
            yield str(path.relative_to(folder)), text


def _compared(texts: Iterator[tuple[str, str]]) -> bool:
    counts: Counter[str] = Counter()
    lines = 0
    for name, text in texts:
        own, other = _parsed(cpython.parse, text), _parsed(reference.parse, text)
        if own is None or other is None:
            said = "refused by both" if own is other else "refused by CPython alone"
            said = "refused by libcst alone" if own is not None else said
            counts[said] += 1
            if own is not other:
                print(f"  {said}: {name}")
            continue
        lines += text.count("\n")
        found = first_difference(own, other)
        counts["different" if found else "the same"] += 1
        if found:
            print(f"  different: {name}: {found}")
    told = ", ".join(f"{count} {what}" for what, count in counts.most_common())
    print(f"  trees: {told} ({lines:,} lines compared)")
    return not counts["different"]


def _parsed(parse, text: str):  # type: ignore[no-untyped-def]
    try:
        return parse(text)
    except Refused:
        return None


# -- findings ------------------------------------------------------------------------------------


def _findings(folder: Path) -> bool:
    bare = _bare(folder)
    auto, auto_seconds = _check(folder, "auto")
    own, libcst_seconds = _check(folder, "libcst")
    missing, added = Counter(auto) - Counter(own), Counter(own) - Counter(auto)
    different = [*missing.elements(), *added.elements()]
    for item in different[:10]:
        print(f"  different: {item}")
    broken = sum("'SOC000'" in item for item in auto)
    print(
        f"  findings: {len(auto) - 1:,} with auto, {len(own) - 1:,} with libcst, {len(different)} different; "
        f"{broken} files refused (SOC000)",
        flush=True,
    )
    ratio = libcst_seconds / bare
    print(
        f"  cost: bare libcst.parse_module {bare:.1f} s, check with auto {auto_seconds:.1f} s, "
        f"with libcst {libcst_seconds:.1f} s: {ratio:.2f} x bare (at most {_COST:.0f})",
        flush=True,
    )
    return not different and ratio <= _COST


def _check(folder: Path, parser: str) -> tuple[list[str], float]:
    """All that findings hold, one per line, and the seconds of processor time that a check took."""
    started = _used_by_children()
    words = [sys.executable, "-c", _FINDINGS, parser]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"a check with {parser} failed:\n{done.stderr}")
    return done.stdout.splitlines(), _used_by_children() - started


def _used_by_children() -> float:
    """Processor time, which other work on the machine changes less than the time of a clock."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _bare(folder: Path) -> float:
    """The seconds that libcst takes for the files that a check looks at."""
    files = [path.read_bytes() for path in checked_files(folder)]
    started = time.process_time()
    for data in files:
        try:
            libcst.parse_module(data)
        except Exception:
            continue  # a file with a deliberate mistake is no reason to stop
    return time.process_time() - started


# -- files ---------------------------------------------------------------------------------------


def _copy(source: Path, temporary: Path, limit: int) -> Path:
    target = temporary / "project" / source.name
    ignore = shutil.ignore_patterns("__pycache__", ".git", ".venv", ".socrates_cache", "*.pyc")
    shutil.copytree(source, target, ignore=ignore, symlinks=True)
    tests = sorted(target.rglob("test*.py"))
    for path in tests[limit:] if limit else ():
        path.unlink()
    return target.parent


def _cpython_tests() -> Path:
    spec = importlib.util.find_spec("test")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("this Python has no test package: give a folder")
    return Path(spec.submodule_search_locations[0])


if __name__ == "__main__":
    sys.exit(main())
