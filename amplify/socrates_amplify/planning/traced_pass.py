"""The traced pass: all tests once, together, as plain pytest runs them, with the probes on.

Most tests of most suites send nothing. One run in company shows which ones do, for little more than
pytest costs by itself; only those are then run by themselves, twice without faults and under faults.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from socrates_amplify.executors.base import Heard
from socrates_amplify.executors.cancelling import Cancelled, Ticket, called_at
from socrates_amplify.model.outcomes import Outcome

_STARTS = 20
"""So many processes are tried for one part; the tests behind the last crash are run by themselves."""


class Company(Protocol):
    """Runs many tests in one process. ``socrates_amplify.run.suite_runner`` does."""

    def run_together(self, nodeids: Sequence[str], heard: Heard, ticket: Ticket) -> bool:
        """See ``Executor.run_together``."""


def traced_pass(
    runner: Company,
    nodeids: Sequence[str],
    *,
    jobs: int = 1,
    deadline: float | None = None,
    told: Callable[[int], None] = lambda count: None,
) -> dict[str, Outcome]:
    """What these tests said in company; a test that ended the process has said nothing.

    With several jobs, each has a process and a part of the tests, cut between files if it can be.
    The pass ends at ``deadline``, a value of ``time.monotonic``. ``told`` hears how many are done.
    """
    outcomes: dict[str, Outcome] = {}
    lock = threading.Lock()

    def heard(nodeid: str, outcome: Outcome) -> None:
        with lock:
            outcomes[nodeid] = outcome
            told(len(outcomes))

    tickets = [Ticket() for _ in range(jobs)]

    def end() -> None:
        for ticket in tickets:
            ticket.cancel()

    with called_at(deadline, end):
        parts = zip(cut(nodeids, jobs), tickets, strict=False)
        _side_by_side(
            [functools.partial(_run_part, runner, part, heard, ticket) for part, ticket in parts],
            end,
        )
    return outcomes


def _side_by_side(works: Sequence[Callable[[], None]], end: Callable[[], None]) -> None:
    """Do each in a thread of its own. Ctrl-C or an error calls ``end``, and is raised once all ended."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
            end()

    threads = [
        threading.Thread(target=guarded, args=(work,), name=f"socrates-pass-{number}")
        for number, work in enumerate(works)
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        end()
        for thread in threads:
            thread.join()
        raise
    if errors:
        raise errors[0]


def halfway(deadline: float | None) -> float | None:
    """The middle between now and ``deadline``: the other half is for searching."""
    if deadline is None:
        return None
    now = time.monotonic()
    return now + max(deadline - now, 0.0) / 2


def _run_part(runner: Company, nodeids: Sequence[str], heard: Heard, ticket: Ticket) -> None:
    """Run these tests; behind one that ends the process, go on in another process."""
    waiting = list(nodeids)
    for _ in range(_STARTS):
        done: set[str] = set()

        def hear(nodeid: str, outcome: Outcome, done: set[str] = done) -> None:
            done.add(nodeid)
            heard(nodeid, outcome)

        try:
            able = runner.run_together(waiting, hear, ticket)
        except Cancelled:
            return
        waiting = [nodeid for nodeid in waiting if nodeid not in done][1:]
        if not able or not waiting:
            return


def cut(nodeids: Sequence[str], parts: int) -> Iterator[list[str]]:
    """At most so many parts of about one size, in order, cut between files where there are enough."""
    files = [list(group) for _, group in itertools.groupby(nodeids, lambda n: n.partition("::")[0])]
    pieces = files if len(files) >= parts else [[nodeid] for nodeid in nodeids]
    part: list[str] = []
    given, made = 0, 0
    for piece in pieces:
        part += piece
        given += len(piece)
        if given * parts >= len(nodeids) * (made + 1):
            yield part
            part, made = [], made + 1
