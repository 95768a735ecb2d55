"""The executor that runs on a Ray cluster: a warm process on each node, results as they come.

What a node was running when it is lost is run again on another one. Outcomes are kept on this
machine, so a run can be resumed whatever happens to the cluster or to this process.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import temporary
from socrates_amplify.executors.base import Heard, MakeExecutor, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.executors.ray.cluster import Cluster, Place, Unreachable, first_line
from socrates_amplify.executors.ray.node import Node, portable
from socrates_amplify.executors.ray.shipping import stage
from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure, Outcome, Verdict
from socrates_amplify.model.rounds import Rounds
from socrates_amplify.model.serial import outcome_from_json, scenario_to_json, trace_to_json

_TRIES = 3
"""How often an execution may lose its worker before it counts as a crash."""
_PATIENCE = 60.0
"""Seconds in which a node must have a processor free, and collect the tests."""


@dataclass(slots=True, eq=False)
class _Member:
    """A node with our actor, how many executions it runs now, and the tests it has learned."""

    place: Place
    actor: Any
    busy: int = 0
    taught: set[str] = field(default_factory=set)


class RayExecutor:
    """Starts with the first call. ``run`` waits while all nodes are busy.

    ``make`` makes the executors of single machines: the one that collects here, those of the nodes.
    """

    unfit = ""

    def __init__(self, suite: Suite, make: MakeExecutor) -> None:
        self._suite = suite
        self._make = make
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._members: list[_Member] = []
        self._busy = 0
        self._recruiting = False
        self._traces: dict[str, Trace] = {}
        self._tests: list[str] | None = None
        self._rootdir = suite.cwd
        self._cluster: Cluster | None = None
        self._sent = suite
        self._closed = False
        self.warnings: list[str] = []
        """Nodes that are not used, and why."""

    def collect(self) -> list[str]:
        """The node ids, in pytest's order: the same here and on every node."""
        if self._tests is None:
            self._start()
        assert self._tests is not None
        return self._tests

    @property
    def rootdir(self) -> Path:
        """pytest's root directory here: locations and node ids are relative to it."""
        self.collect()
        return self._rootdir

    @property
    def processors(self) -> int:
        """How many executions all used nodes together can run at once."""
        self.collect()
        return sum(member.place.slots for member in self._members)

    def run(
        self,
        nodeid: str,
        scenario: Scenario,
        limit: float | None = None,
        ticket: Ticket | None = None,
        rounds: Rounds | None = None,
    ) -> Outcome:
        """Run one test under one scenario on some node; see ``Executor.run``. It has the suite's rounds."""
        self.collect()
        ticket = ticket or Ticket()
        why = ""
        for _ in range(_TRIES):
            with self._a_member(ticket) as member:
                try:
                    outcome = self._ask(member, nodeid, scenario, limit, ticket)
                except self._ray.exceptions.RayError as error:
                    self._lost(member)
                    why = first_line(error)
                    continue
            if not scenario.faults and outcome.verdict is Verdict.PASS:
                self._traces.setdefault(nodeid, outcome.trace)
            return outcome
        failure = Failure("Crash", f"its worker ended {_TRIES} times: {why}", "")
        return Outcome(scenario, Verdict.FAIL, failure, final=False, status="crashed")

    def run_together(
        self, nodeids: Sequence[str], heard: Heard, limit: float, ticket: Ticket
    ) -> bool:
        """Nothing: one process can't be spread over a cluster, so each test is run by itself."""
        return False

    def learn(self, nodeid: str, trace: Trace) -> None:
        """Use the names of this trace in all further runs of the test."""
        self._traces[nodeid] = trace
        for member in list(self._members):
            member.taught.discard(nodeid)

    def close(self) -> None:
        """End all that runs on the nodes, and the cluster if it is our own."""
        with self._changed:
            self._closed = True
            members, self._members = self._members, []
            self._changed.notify_all()
            if self._cluster is None:
                return
            self._cluster.closing = True
            self._changed.wait_for(self._is_quiet, timeout=_PATIENCE)
        with contextlib.suppress(Exception):
            closing = [_control(member.actor.close).remote() for member in members]
            self._ray.wait(closing, num_returns=len(closing), timeout=3)
        for member in members:
            with contextlib.suppress(Exception):
                self._ray.kill(member.actor)
        self._cluster.close()

    def _is_quiet(self) -> bool:
        """Whether no other thread uses Ray any more."""
        return not self._recruiting and not self._busy

    @property
    def _ray(self) -> Any:
        assert self._cluster is not None
        return self._cluster.ray

    def _start(self) -> None:
        """Collect here, send the project, and check that every node collects the same."""
        options = self._suite.cluster
        local = self._make("fork", self._suite)
        try:
            tests, self._rootdir = local.collect(), local.rootdir
        finally:
            local.close()
        root = Path(os.path.commonpath([self._rootdir, self._suite.cwd]))
        with temporary.folder() as folder:
            stage(root, folder, options.ship_limit)
            self._cluster = Cluster(options.address, folder, options.pip)
            around = {**_for_pytest(root, folder), **self._suite.environment}
        self._sent = portable(replace(self._suite, environment=around), root)
        self._tests = tests
        places = self._cluster.places()
        with ThreadPoolExecutor(max(1, len(places))) as threads:
            try:
                tried = list(threads.map(self._try, places))
            except BaseException:
                self._cluster.closing = True
                raise
        self._members = [one for one in tried if isinstance(one, _Member)]
        if not self._members:
            problem = next((f": {one}" for one in tried), ", or none has a processor to offer")
            raise SocratesError(f"no node of the cluster can be used{problem}")
        self.warnings = [f"{one}; it is not used" for one in tried if isinstance(one, str)]

    def _try(self, place: Place) -> _Member | str:
        """The node with our actor, or why it can't be used. Raises SocratesError where it differs."""
        try:
            return self._recruit(place)
        except Unreachable as error:
            return str(error)

    def _recruit(self, place: Place) -> _Member:
        """The node with our actor, which has collected. Raises SocratesError where it differs."""
        assert self._cluster is not None
        self._cluster.check(place)
        actor = (
            self._ray.remote(concurrency_groups={"control": 2})(Node)
            .options(
                num_cpus=1,
                max_restarts=0,
                max_concurrency=place.slots,
                scheduling_strategy=self._cluster.on(place),
            )
            .remote(self._sent, self._make)
        )
        try:
            found = self._cluster.get(actor.collect.remote(), _PATIENCE)
        except TimeoutError:
            self._ray.kill(actor)
            raise Unreachable(f"node {place.name} made no room within {_PATIENCE:.0f} s") from None
        except self._ray.exceptions.RayError as error:
            raise Unreachable(f"node {place.name}: {first_line(error)}") from None
        if "error" in found:
            raise SocratesError(f"node {place.name}: {found['error']}")
        if found["tests"] != self._tests:
            raise SocratesError(f"node {place.name} {_other_tests(self._tests, found['tests'])}")
        return _Member(place, actor)

    def _ask(
        self,
        member: _Member,
        nodeid: str,
        scenario: Scenario,
        limit: float | None,
        ticket: Ticket,
    ) -> Outcome:
        assert self._cluster is not None
        ticket.check()
        number = next(self._numbers)
        names = None
        if nodeid in self._traces and nodeid not in member.taught:
            member.taught.add(nodeid)
            names = trace_to_json(self._traces[nodeid])
        asked = scenario_to_json(scenario)
        reply = member.actor.run.remote(number, nodeid, asked, limit, names)
        with ticket.ended_by(lambda: _control(member.actor.cancel).remote(number)):
            said = self._cluster.get(reply)
        if "cancelled" in said:
            raise Cancelled
        if "error" in said:
            raise SocratesError(said["error"])
        return outcome_from_json(said["outcome"])

    @contextlib.contextmanager
    def _a_member(self, ticket: Ticket) -> Iterator[_Member]:
        """The node with the most free processors; waits until one has any."""
        member: _Member | None = None
        with self._changed:
            while member is None:
                ticket.check()
                if self._closed:
                    raise Cancelled
                if not self._members and not self._recruiting:
                    raise SocratesError(
                        "every node of the cluster is gone; go on with --resume once it is back"
                    )
                free = [one for one in self._members if one.busy < one.place.slots]
                member = max(free, key=lambda one: one.place.slots - one.busy, default=None)
                if member is None:
                    self._changed.wait(0.2)
            member.busy += 1
            self._busy += 1
        try:
            yield member
        finally:
            with self._changed:
                member.busy -= 1
                self._busy -= 1
                self._changed.notify_all()

    def _lost(self, member: _Member) -> None:
        """Drop a node whose actor is gone, and look in a thread for nodes without one."""
        with self._changed:
            if self._closed:
                raise Cancelled
            if member in self._members:
                self._members.remove(member)
            with contextlib.suppress(Exception):
                self._ray.kill(member.actor)
            if not self._recruiting:
                self._recruiting = True
                threading.Thread(target=self._look_around, daemon=True).start()

    def _look_around(self) -> None:
        """Put an actor on every live node that has none; nodes that can't be used are left out."""
        try:
            assert self._cluster is not None
            taken = {member.place.id for member in list(self._members)}
            for place in self._cluster.places():
                with contextlib.suppress(SocratesError, Unreachable):
                    if place.id not in taken and not self._closed:
                        self._join(self._recruit(place))
        except Exception:
            # The cluster is gone, or the run is being closed: ``_a_member`` tells the waiting threads.
            return
        finally:
            with self._changed:
                self._recruiting = False
                self._changed.notify_all()

    def _join(self, member: _Member) -> None:
        with self._changed:
            if not self._closed:
                self._members.append(member)
            self._changed.notify_all()


def _control(method: Any) -> Any:
    """A method of the actor that has threads of its own, so it runs beside executions."""
    return method.options(concurrency_group="control")


def _for_pytest(root: Path, shipped: Path) -> dict[str, str | None]:
    """The variables of this process that change how pytest collects, as the nodes need them."""
    around: dict[str, str | None] = {
        name: value for name, value in os.environ.items() if name.startswith("PYTEST_")
    }
    around.pop("PYTEST_CURRENT_TEST", None)
    inside = [Path(entry) for entry in sys.path if entry and Path(entry).is_relative_to(root)]
    folders = [entry.relative_to(root) for entry in inside]
    kept = [folder.as_posix() for folder in folders if (shipped / folder).is_dir()]
    return {**around, "PYTHONPATH": os.pathsep.join(kept)}


def _other_tests(here: list[str] | None, there: list[str]) -> str:
    missing = [nodeid for nodeid in here or [] if nodeid not in there]
    if missing:
        return (
            f"does not collect {missing[0]} and {len(missing) - 1} more; "
            "does it need a file that git ignores?"
        )
    more = [nodeid for nodeid in there if nodeid not in (here or [])]
    return f"collects what is not collected here: {more[0]}" if more else "has another order"
