"""A long day in an editor: the memory of ``socrates lsp`` after thousands of changes.

    python benchmarks/lsp_soak.py                  16,000 changes of a file with 300 lines of tests
    python benchmarks/lsp_soak.py --changes 100000 another length

Talks to a real ``socrates lsp`` process with pygls' own client, types words letter by letter, waits
for the diagnostics of every twentieth change, and prints the memory of the server on the way.
Fails when the server has grown by more than 8 MB since a quarter of the way: caches fill up at first,
a leak never stops.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lsp_latency import Client, change, open_file, write_project

LIMIT = 8.0
"""Megabytes."""
ROWS = 8
WAIT_EVERY = 20
WORDS = "import cart apple total pear assert self count remove limit tmp_path number shop".split()


def memory_of(process: int) -> float:
    """The resident memory of a process in megabytes."""
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True
    )
    return int(shown.stdout) / 1024


class Typist:
    """Types and deletes words at random places of a text, one letter for each change."""

    def __init__(self, text: str, seed: int) -> None:
        self._lines = text.split("\n")
        self._random = random.Random(seed)
        self._row = 0
        self._pending = ""
        self._typed = 0

    def next(self) -> str:
        """The text after one more letter."""
        if not self._pending and self._typed:
            self._lines[self._row] = self._lines[self._row][: -self._typed]
            self._typed = 0
        elif not self._pending:
            self._row = self._random.randrange(len(self._lines))
            self._pending = f"  # {self._random.choice(WORDS)}{self._random.randrange(1000)}"
        else:
            self._lines[self._row] += self._pending[0]
            self._pending = self._pending[1:]
            self._typed += 1
        return "\n".join(self._lines)


async def soak(path: Path, text: str, changes: int, seed: int) -> list[tuple[int, float, float]]:
    """Rows of changes so far, seconds so far and megabytes."""
    client = Client()
    await client.start_io(sys.executable, "-m", "socrates", "lsp")
    server = client._server.pid if client._server is not None else 0
    typist = Typist(text, seed)
    uri = path.as_uri()
    rows = []
    started = time.perf_counter()
    try:
        await open_file(client, path, text)
        for version in range(1, changes + 1):
            change(client, uri, version, typist.next())
            if version % WAIT_EVERY == 0:
                await client.answered(version)
                client.answers.clear()
            if version % max(changes // ROWS, 1) == 0:
                rows.append((version, time.perf_counter() - started, memory_of(server)))
        await client.shutdown_async(None)
        client.exit(None)
    finally:
        await client.stop()
    return rows


def main() -> int:
    """Print the table; 1 when the server grew without end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=16_000)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = write_project(Path(folder), args.lines)
        rows = asyncio.run(soak(path, path.read_text(), args.changes, args.seed))
    print("| changes | seconds | memory of the server |\n|---:|---:|---:|")
    for changes, seconds, megabytes in rows:
        print(f"| {changes:,} | {seconds:.0f} | {megabytes:.1f} MB |")
    grown = rows[-1][2] - rows[len(rows) // 4 - 1][2]
    print(f"\ngrown since a quarter of the way: {grown:+.1f} MB (limit {LIMIT:.0f} MB)")
    return 1 if grown > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
