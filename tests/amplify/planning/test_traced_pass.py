"""All tests once in one process: what is heard of them, and what a crash among them costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from socrates_amplify.executors.base import Executor, Heard, Suite
from socrates_amplify.executors.cancelling import Cancelled, Ticket
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome, Verdict
from socrates_amplify.planning.traced_pass import cut, halfway, traced_pass
from socrates_amplify.run.choose_executor import make_executor

PASSED = Outcome(Scenario(), Verdict.PASS)

SHARED = """
    import os
    import pytest

    made = []

    @pytest.fixture(scope="module")
    def shared(tmp_path_factory):
        place = tmp_path_factory.mktemp("shared") / "kept"
        place.write_text("")
        made.append(place)
        return place

    def test_first(shared, tmp_path):
        tmp_path.joinpath("x").touch()

    def test_second(shared, tmp_path):
        assert made == [shared] and shared.exists()

    def test_fails():
        raise LookupError("here")

    def test_skips():
        pytest.skip("not today")

    def test_ends_the_process():
        os._exit(3)

    def test_behind_it():
        pass
"""


@pytest.fixture(scope="module", params=["fork", "subprocess"])
def executor(
    request: pytest.FixtureRequest,
    write_suite: Callable[..., Suite],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Executor]:
    """The suite above, run by forks and by fresh processes."""
    folder = tmp_path_factory.mktemp("shared")
    made = make_executor(request.param, write_suite(folder, {"test_shared.py": SHARED}))
    yield made
    made.close()


@pytest.fixture(scope="module")
def heard(executor: Executor) -> dict[str, str]:
    """What one process told of its tests, in order."""
    told: dict[str, str] = {}

    def hear(nodeid: str, outcome: Outcome) -> None:
        told[nodeid.partition("::")[2]] = outcome.status

    assert executor.run_together(executor.collect(), hear, 60.0, Ticket())
    return told


def test_tests_share_what_they_share_in_plain_pytest(heard):
    assert heard["test_second"] == "passed"


def test_each_test_is_heard_of_until_one_ends_the_process(heard):
    assert list(heard.items()) == [
        ("test_first", "passed"),
        ("test_second", "passed"),
        ("test_fails", "failed"),
        ("test_skips", "skipped"),
    ]


def test_a_cancelled_run_ends(executor):
    ticket = Ticket()
    ticket.cancel()
    with pytest.raises(Cancelled):
        executor.run_together(executor.collect(), lambda nodeid, outcome: None, 60.0, ticket)


HANGS = """
    import time

    def test_a(): pass

    def test_b(): time.sleep(1000)

    def test_c(): pass
"""


@pytest.fixture
def hanging(project: Callable[..., Executor]) -> Executor:
    """A suite whose second test never ends."""
    return project({"test_hangs.py": HANGS})


def test_a_run_is_cancelled_while_a_test_hangs(hanging):
    ticket = Ticket()
    with pytest.raises(Cancelled):
        hanging.run_together(
            hanging.collect(), lambda nodeid, outcome: ticket.cancel(), 60.0, ticket
        )


def test_a_test_that_does_not_end_is_not_heard_of(hanging):
    told: list[str] = []
    hanging.run_together(
        hanging.collect(), lambda nodeid, outcome: told.append(nodeid), 1.0, Ticket()
    )
    assert told == ["test_hangs.py::test_a"]


@dataclass
class Company:
    """Every test passes, but some end their process or wait for ever."""

    crashing: frozenset[str] = frozenset()
    able: bool = True
    hanging: str = ""
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def run_together(self, nodeids: Sequence[str], heard: Heard, ticket: Ticket) -> bool:
        self.asked.append(tuple(nodeids))
        for nodeid in nodeids if self.able else ():
            if nodeid in self.crashing:
                break
            while nodeid == self.hanging:
                ticket.check()
                time.sleep(0.01)
            heard(nodeid, PASSED)
        return self.able


def test_behind_a_crash_the_pass_goes_on():
    company = Company(crashing=frozenset("bd"))
    assert list(traced_pass(company, list("abcdef"))) == list("acef")


def test_a_crashing_suite_is_given_up_at_last():
    company = Company(crashing=frozenset(map(str, range(100))))
    assert traced_pass(company, [str(number) for number in range(100)]) == {}
    assert len(company.asked) == 20


def test_an_executor_that_has_no_way_to_do_it_is_asked_once():
    company = Company(able=False)
    assert (traced_pass(company, list("abc")), company.asked) == ({}, [("a", "b", "c")])


def test_the_deadline_ends_the_pass_with_what_is_known():
    company = Company(hanging="b")
    found = traced_pass(company, list("abc"), deadline=time.monotonic() + 0.05)
    assert list(found) == ["a"]


def test_how_far_it_is_is_told():
    counts: list[int] = []
    traced_pass(Company(), list("abc"), told=counts.append)
    assert counts == [1, 2, 3]


def test_with_several_jobs_each_has_its_part():
    company = Company()
    found = traced_pass(company, ["a::1", "a::2", "b::1", "b::2"], jobs=2)
    assert sorted(company.asked) == [("a::1", "a::2"), ("b::1", "b::2")]
    assert sorted(found) == ["a::1", "a::2", "b::1", "b::2"]


@pytest.mark.parametrize(
    ("files", "parts", "expected"),
    [
        ("aabb", 2, ["aa", "bb"]),
        ("abbb", 2, ["abbb"]),
        ("aaaa", 2, ["aa", "aa"]),
        ("aabcc", 3, ["aa", "bcc"]),
        ("a", 4, ["a"]),
        ("", 2, []),
    ],
)
def test_parts_are_cut_between_files_where_there_are_enough(files, parts, expected):
    nodeids = [f"{file}::{number}" for number, file in enumerate(files)]
    assert ["".join(name[0] for name in part) for part in cut(nodeids, parts)] == expected


def test_half_of_the_time_is_left_for_searching() -> None:
    now = time.monotonic()
    assert now + 4 < (halfway(now + 10) or 0) < now + 6


def test_without_a_deadline_there_is_no_half() -> None:
    assert halfway(None) is None
