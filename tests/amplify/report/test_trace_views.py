"""A trace as a tree and as mermaid, whatever the names in it look like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socrates_amplify.model.events import Injected, Reply, Send, Trace, Turn
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.results import TracedTest
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explain
from socrates_amplify.report.trace_views import json_trace, mermaid, tree

NAME = 'A;B#1:"<x>\n%%'
TRACE = Trace(
    (
        Send("t1", "test", NAME, "Ask()", "d", None, wants_reply=True),
        Send("t2", NAME, "C#1", "Tell()", "d", "t1", at_least_once=True),
        Send("t3", "test", NAME, "Stop()", "d", None, internal=True),
        Turn("C#1", "t2", failed="ValueError: no"),
        Injected("t2", "duplicate"),
        Reply(NAME, "t1", "7", "r"),
    )
)
TRACED = TracedTest("test_a.py::test_a", TRACE)
CONTEXT = ReportContext(Path("project"))


@pytest.fixture
def lines() -> list[str]:
    return tree.render(TRACED, CONTEXT).splitlines()


def test_an_answer_stands_beside_its_question(lines: list[str]) -> None:
    assert lines[1].endswith("Ask()  = 7")


def test_a_message_hangs_under_its_cause(lines: list[str]) -> None:
    assert lines[2].lstrip().startswith("└── A;B")


def test_promises_and_failures_are_shown(lines: list[str]) -> None:
    assert lines[2].endswith("Tell()  at least once  failed")


def test_what_the_framework_says_to_itself_is_not(lines: list[str]) -> None:
    assert not any("Stop()" in line for line in lines)


def test_a_terminal_that_knows_only_ascii_gets_a_tree_of_ascii() -> None:
    drawn = tree.render(TRACED, ReportContext(Path("project"), encoding="ascii"))
    assert drawn.isascii()


def test_a_long_message_is_not_cut_off() -> None:
    long = Send("t1", "test", "A" * 500, "Ask()", "d", None)
    drawn = tree.render(TracedTest("test_a.py::test_a", Trace((long,))), CONTEXT)
    assert drawn.splitlines()[1].endswith(f"{'A' * 500}  Ask()")


def test_json_has_every_event() -> None:
    told = json.loads(json_trace.render(TRACED, CONTEXT))
    assert (told["nodeid"], len(told["events"])) == ("test_a.py::test_a", len(TRACE.events))


def test_no_name_breaks_the_grammar_of_mermaid() -> None:
    assert mermaid.render(TRACED, CONTEXT).splitlines() == [
        "sequenceDiagram",
        "    participant a0 as test",
        "    participant a1 as A#59;B#35;1#58;#quot;#lt;x#gt;\\n#37;#37;",
        "    participant a2 as C#35;1",
        "    a0->>a1: Ask()",
        "    a1->>a2: Tell()",
        "    note over a2: duplicate",
        "    a1-->>a0: 7",
    ]


def replied(digest: str, failed: str = "") -> Trace:
    return Trace((Turn("A#1", "t0", failed=failed), Reply("A#1", "t1", f"value {digest}", digest)))


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        pytest.param(replied("y"), "A#1 then answers value y instead of value x", id="answers"),
        pytest.param(replied("x", "KeyError: 1"), "A#1 then fails: KeyError: 1", id="crashes"),
        pytest.param(replied("x"), "a restart should lose nothing", id="traces tell nothing"),
    ],
)
def test_a_fault_is_explained_by_what_it_changed(failing: Trace, words: str) -> None:
    assert explain(Fault("t0", "restart", "test", "A#1"), replied("x"), failing) == words


def test_a_fault_that_shows_elsewhere_is_explained_by_the_actor_that_was_looked_at() -> None:
    fault = Fault("t0", "restart", "test", "B#1")
    assert explain(fault, replied("x"), replied("y"), "A#1").startswith("A#1 then answers value y")
