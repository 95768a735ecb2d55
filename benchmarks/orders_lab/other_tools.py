"""The same bugs by frontrun and simloom, where they apply; run by the Python that has the tool.

    python other_tools.py frontrun Bank
    python other_tools.py simloom Stock

Neither takes a test as it is: frontrun starts the threads itself, and asks for what to check apart
from them; simloom runs a coroutine in a loop of its own. Neither knows actors. Prints a JSON
document with the executions to the first failure, 0 for none.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "orders"))

MOST = 200
Case = tuple[Callable[[], Any], list[Callable[[Any], Any]], Callable[[Any], bool]]


def by_frontrun(name: str) -> dict[str, object]:
    """Explore the threads of one subject by frontrun's default, DPOR."""
    import frontrun

    setup, workers, holds = _threads()[name]
    found = frontrun.explore(
        setup, workers, holds, max_executions=MOST, total_timeout=60.0, reproduce_on_failure=0
    )
    return {"runs": found.num_explored, "failed": found.property_holds is False}


def _threads() -> dict[str, Case]:
    import threads
    from real import dependents, task_status, wake_up

    def taken(box: Any) -> None:
        box.taken = box.take()

    return {
        "Bank": (
            threads.Bank,
            [lambda bank: bank.transfer(0, 1, 30), lambda bank: bank.transfer(1, 0, 20)],
            lambda bank: bank.balances == [90, 110],
        ),
        "Counter": (
            threads.Counter,
            [lambda counter: counter.add(1), lambda counter: counter.add(2)],
            lambda counter: counter.sum == 3,
        ),
        "Jobs": (
            dependents.Jobs,
            [lambda jobs: jobs.enqueue("dependent"), lambda jobs: jobs.finish_parent()],
            lambda jobs: jobs.started.qsize() == 1,
        ),
        "Status": (
            task_status.Status,
            [
                lambda status: status.write("enqueued"),
                lambda status: [status.write("running"), status.write("done")],
            ],
            lambda status: status.value == "done",
        ),
        "Box": (
            wake_up.Box,
            [taken, lambda box: box.put("thing")],
            lambda box: getattr(box, "taken", "") == "thing",
        ),
    }


def by_simloom(name: str) -> dict[str, object]:
    """Explore the tasks of one subject by simloom's random schedules."""
    import simloom

    wanted = _tasks()[name]

    async def main() -> None:
        assert await wanted()

    for seed in range(MOST):
        try:
            simloom.run(main, seed=seed, virtual_time=True)
        except BaseException:
            return {"runs": seed + 1, "failed": True}
    return {"runs": MOST, "failed": False}


def _tasks() -> dict[str, Callable[[], Awaitable[bool]]]:
    import tasks
    from real import slots

    async def stock() -> bool:
        return await tasks.sold(tasks.Stock) == 1

    async def profile() -> bool:
        return await tasks.shown(tasks.Profile) == "new"

    async def pool() -> bool:
        return await slots.run(slots.Pool) == 1

    return {"Stock": stock, "Profile": profile, "Pool": pool}


TOOLS = {
    "frontrun": (by_frontrun, ("Bank", "Counter", "Jobs", "Status", "Box")),
    "simloom": (by_simloom, ("Stock", "Profile", "Pool")),
}

if __name__ == "__main__":
    tool, subject = sys.argv[1:]
    began = time.monotonic()
    result = TOOLS[tool][0](subject)
    print(json.dumps({**result, "seconds": time.monotonic() - began}))
