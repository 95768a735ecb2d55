"""Which tests execute which code: found out once per test file, kept in ``benchmarks/results``."""

from __future__ import annotations

import ast
import hashlib
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mutation import tracing
from mutation.scratch import PACKAGES, Scratch

_LIMIT = 1800.0
"""Seconds for the test files of one folder."""
_UNKNOWN = -1
"""Stands for blocks of a file that has changed since the test was traced."""


@dataclass
class Reach:
    """For each test file: its digest, and for each of its tests time and blocks.

    A block is known by its file, the digest of that file, and its number in it.
    """

    digests: dict[str, str] = field(default_factory=dict)
    """Of source files and of test files, as they were when tests were traced."""
    tests: dict[str, tuple[float, dict[str, list[int]]]] = field(default_factory=dict)
    """By node id (or file or folder, for what its tests share): seconds, and numbers of blocks by file."""

    @classmethod
    def load(cls, path: Path) -> Reach:
        """What is kept; nothing when there is no such file."""
        if not path.exists():
            return cls()
        document = json.loads(path.read_text(encoding="utf-8"))
        tests = {name: (float(time), blocks) for name, (time, blocks) in document["tests"].items()}
        return cls(document["digests"], tests)

    def save(self, path: Path) -> None:
        """Keep it, whole or not at all."""
        path.parent.mkdir(exist_ok=True)
        scratch = path.with_suffix(".new")
        document = {"digests": self.digests, "tests": self.tests}
        scratch.write_text(json.dumps(document, separators=(",", ":")), encoding="utf-8")
        scratch.replace(path)

    def outdated(self, files: Iterable[Path], project: Path) -> list[Path]:
        """The test files that were never traced, or not as they are now."""
        return [file for file in files if self.digests.get(str(file)) != digest(project / file)]

    def noticing(self, file: Path, block: int | None) -> dict[str, float]:
        """The tests that execute a block, with the seconds that each takes.

        Without a block (code that runs on import): all that execute anything of the file. All tests
        there are for a file of which nothing is known: it is new, or has no functions.
        """
        if not any(str(file) in blocks for _, blocks in self.tests.values()):
            return {name: seconds for name, (seconds, _) in self.tests.items() if "::" in name}
        found: dict[str, float] = {}
        shared: set[str] = set()
        for name, (seconds, blocks) in self.tests.items():
            numbers = blocks.get(str(file), [])
            if numbers if block is None else (block in numbers or _UNKNOWN in numbers):
                if "::" in name:
                    found[name] = seconds
                else:
                    shared.add(name)
        for name, (seconds, _) in self.tests.items():
            if "::" in name and any(_is_part(name, one) for one in shared):
                found[name] = seconds
        return found

    def update(self, scratch: Scratch, test_files: Sequence[Path], tell: Path | None) -> None:
        """Trace these test files in the copy. ``tell`` is kept up to date on the way."""
        sources = source_files(scratch.root)
        counts = {file: len(tracing.blocks_of(parse(scratch.root / file))) for file in sources}
        with tempfile.TemporaryDirectory(prefix="mutants-") as name:
            folder = Path(name)
            firsts: dict[str, int] = {}
            places: list[tuple[str, int]] = []
            for file, count in counts.items():
                firsts[str(scratch.root / file)] = len(places)
                places += [(str(file), number) for number in range(count)]
            (folder / "firsts.json").write_text(json.dumps(firsts))
            (folder / "marks").write_bytes(bytes(len(places)))
            scratch.trace(folder)
            self.forget_changed(scratch.root)
            for room, files in _by_room(test_files).items():
                print(f"  {room}: {len(files)} test files", flush=True)
                self._take(files, _trace(scratch, files, folder), places)
                self.digests |= {str(file): digest(scratch.root / file) for file in files}
                if tell is not None:
                    self.save(tell)

    def forget_changed(self, root: Path) -> None:
        """Blocks of files that have changed since are no longer known by their numbers."""
        now = {str(file): digest(root / file) for file in source_files(root)}
        changed = {file for file, known in now.items() if self.digests.get(file) != known}
        self.digests |= now
        for _, blocks in self.tests.values():
            for file in changed.intersection(blocks):
                blocks[file] = [_UNKNOWN]

    def _take(
        self, test_files: Iterable[Path], lines: Iterable[str], places: Sequence[tuple[str, int]]
    ) -> None:
        again = set(map(str, test_files))
        for name in [name for name in self.tests if name.partition("::")[0] in again]:
            del self.tests[name]
        for line in lines:
            name, seconds, numbers = json.loads(line)
            blocks: dict[str, list[int]] = {}
            for number in numbers:
                file, block = places[number]
                blocks.setdefault(file, []).append(block)
            known, before = self.tests.get(name, (0.0, {}))
            merged = {
                file: sorted({*blocks.get(file, ()), *before.get(file, ())})
                for file in {*blocks, *before}
            }
            self.tests[name] = (known + seconds, merged)


def _is_part(test: str, of: str) -> bool:
    """Whether a test is one of a file, or of a folder."""
    return test.startswith((f"{of}::", f"{of}/"))


def _by_room(test_files: Iterable[Path]) -> dict[Path, list[Path]]:
    """Files of one folder are traced by one pytest: to start it takes longer than most of them."""
    rooms: dict[Path, list[Path]] = {}
    for file in test_files:
        rooms.setdefault(file.parent, []).append(file)
    return rooms


def _trace(scratch: Scratch, test_files: Iterable[Path], folder: Path) -> list[str]:
    out = folder / "out.jsonl"
    out.write_text("")
    more = {"MUTANTS_FOLDER": str(folder), "MUTANTS_OUT": str(out)}
    arguments = ["-p", "mutation.marks", *map(str, test_files)]
    code, output = scratch.pytest(arguments, _LIMIT, more)
    if code != 0:
        print("    " + "\n    ".join(output.splitlines()[-5:]), flush=True)
    return out.read_text(encoding="utf-8").splitlines()


def source_files(root: Path) -> list[Path]:
    """The files that can be changed, relative to ``root``; examples of rules are tests."""
    paths = [path for package in PACKAGES.values() for path in (root / package).rglob("*.py")]
    kept = [path for path in paths if not path.name.startswith(("examples", "__main__"))]
    return sorted(path.relative_to(root) for path in kept)


def test_files(root: Path) -> list[Path]:
    """The test files, relative to ``root``."""
    tests = root / "tests"
    return [
        path.relative_to(root)
        for path in sorted(tests.rglob("test_*.py"))
        if "data" not in path.relative_to(tests).parts
    ]


def block_at(path: Path, line: int) -> int | None:
    """The number of the innermost block around a line; None for code that runs on import."""
    best: tuple[int, int] | None = None
    for number, block in enumerate(tracing.blocks_of(parse(path))):
        first, last = block[0].lineno, block[-1].end_lineno or block[-1].lineno
        if first <= line <= last and (best is None or last - first < best[0]):
            best = (last - first, number)
    return best[1] if best else None


def digest(path: Path) -> str:
    """What a file says."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def parse(path: Path) -> ast.Module:
    """The module in a file."""
    return ast.parse(path.read_text(encoding="utf-8"))
