"""The order bugs of ``benchmarks/orders``, each with its repaired twin, and the suite that runs them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from socrates_amplify.executors.base import Suite
from socrates_amplify.model.kinds import DEFAULT_KINDS
from socrates_amplify.run.suite_runner import SuiteRunner

FOLDER = Path(__file__).parents[1] / "orders"
GROUPS = {
    "test_paper.py": "paper",
    "test_patterns.py": "paper, pattern",
    "test_real.py": "real bug",
    "test_threads.py": "threads",
    "test_tasks.py": "asyncio",
    "test_together.py": "with another fault",
    "test_strangers.py": "a stranger's",
    "test_cancelled.py": "real bug, cancelled",
}
TITLES = {
    "Action": "listing 1 (Gatling)",
    "Shop": "sleeping barber",
    "Server": "messenger",
    "Registry": "process registry",
    "Coordinator": "SignalCollect",
    "Connection": "Fyrie Redis 1",
    "Replies": "Fyrie Redis 2",
    "Picture": "GeoTrellis",
    "Status": "django_dramatiq 154",
    "Jobs": "rq 739, 1615",
    "Service": "pykka 23",
    "Chord": "celery 4150",
    "Pool": "aiohttp 4936, 5259",
    "Box": "cpython 90155, 112202",
    "Player": "mopidy 1222",
    "Client": "redis-py 2624, 2665",
    "Bank": "two locks",
    "Journal": "last line",
    "Counter": "sum",
    "Stock": "last piece",
    "Profile": "newest name",
    "Store": "late second delivery",
    "Desk": "order after a restart",
    "Lazy": "connection made twice",
    "Lending": "connection back too late",
    "Indexer": "wake-up wiped out",
    "Viewer": "results as they come",
}
_TWIN = "Repaired"


@dataclass(frozen=True, slots=True)
class Subject:
    """One bug: the test that has it, and the same test of the repaired twin."""

    name: str
    nodeid: str
    twin: str

    @property
    def title(self) -> str:
        """What it is called in tables."""
        return TITLES.get(self.name, self.name)

    @property
    def group(self) -> str:
        """Where it is from."""
        return GROUPS[self.nodeid.partition("::")[0]]

    @property
    def by_order_alone(self) -> bool:
        """Whether an order is all that it takes: other bugs no delay can find."""
        return self.group not in ("with another fault", GROUPS["test_cancelled.py"])

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of faults to ask for: a cancelled task is none of the usual ones."""
        return ("cancel",) if self.group == GROUPS["test_cancelled.py"] else DEFAULT_KINDS

    @property
    def of_paper(self) -> bool:
        """Whether it is one of the paper's eight."""
        return self.group.startswith("paper")


def subjects(tests: Iterable[str], part: str = "") -> list[Subject]:
    """Those whose test or title has ``part`` in it."""
    by_name = {nodeid.partition("[")[2].rstrip("]"): nodeid for nodeid in tests}
    found = [
        Subject(name, nodeid, by_name[_TWIN + name])
        for name, nodeid in by_name.items()
        if _TWIN + name in by_name
    ]
    return [one for one in found if part.lower() in f"{one.nodeid} {one.title}".lower()]


def open_runner(delay: float = 0.0, kinds: tuple[str, ...] = DEFAULT_KINDS) -> SuiteRunner:
    """Runs the tests of the subjects; with ``delay``, deliveries take up to so many seconds."""
    arguments = ("-p", "no:cacheprovider", *(("-p", "delays") if delay else ()))
    around: dict[str, str | None] = {}
    if delay:
        paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        around = {"ORDERS_DELAY": str(delay), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    tables = {"asyncio": {"steps": True}} if kinds != DEFAULT_KINDS else {}
    return SuiteRunner(Suite(FOLDER, (), arguments, tables, environment=around), kinds)
