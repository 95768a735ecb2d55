"""The pure parts of the server: positions, drift, options; and its one clock."""

from __future__ import annotations

import asyncio
import io
import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from socrates.findings import Finding, Severity, Span
from socrates.lsp.diagnostics import Abilities
from socrates.lsp.drift import Drift
from socrates.lsp.options import parse
from socrates.lsp.positions import Positions
from socrates.lsp.schedule import Schedule
from socrates.lsp.streams import Answers, Messages
from socrates.lsp.text import to_bytes
from socrates.lsp.worker import Worker
from socrates.model.python.source import decode

patient = settings(deadline=None)
"""A busy machine is no defect."""

TEXTS = st.text(st.sampled_from("ab\t \U0001f600ä\u2028\x0c\r\n"), max_size=40)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])


def finding(row: int, end_row: int | None = None) -> Finding:
    """A finding on some rows."""
    return Finding("X1", "x", Severity.INFO, "", "a.py", Span(row, 1, end_row or row, 2))


class TestPositions:
    """Places of people and places of editors."""

    @patient
    @given(TEXTS, ENCODINGS, st.data())
    def test_there_and_back(self, text, encoding, data):
        positions = Positions.of(text, encoding)
        row = data.draw(st.integers(1, len(positions.lines)))
        column = data.draw(st.integers(1, len(positions.lines[row - 1]) + 1))
        assert positions.place(positions.position(row, column)) == (row, column)

    @patient
    @given(TEXTS, st.integers(0, 50), st.integers(0, 50))
    def test_any_place_of_an_editor_is_one_in_the_text(self, text, line, character):
        positions = Positions.of(text)
        row, column = positions.place(types.Position(line, character))
        assert column <= len(positions.lines[row - 1]) + 1

    @pytest.mark.parametrize(("encoding", "expected"), [("utf-8", 9), ("utf-16", 7), ("utf-32", 6)])
    def test_units(self, encoding, expected):
        line = "x = '\U0001f600'"
        assert Positions.of(line, encoding).position(1, 7).character == expected

    def test_row_behind_the_text_is_its_end(self):
        assert Positions.of("ab\ncd").position(9, 1) == types.Position(1, 2)


class TestDrift:
    """Where lines went."""

    @patient
    @given(
        st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8)
    )
    def test_rows_stay_in_the_text_and_in_order(self, old, new):
        drift = Drift.between(old, new)
        rows = [row for n in range(1, len(old) + 1) if (row := drift.row(n)) is not None]
        assert rows == sorted(set(rows))
        assert all(1 <= row <= len(new) for row in rows)

    @patient
    @given(st.lists(st.text("ab", max_size=2), max_size=8), st.integers(0, 8), st.integers(1, 3))
    def test_inserted_lines_push_those_below(self, old, at, number):
        at = min(at, len(old))
        drift = Drift.between(old, [*old[:at], *["new"] * number, *old[at:]])
        moved = [drift.row(n) for n in range(1, len(old) + 1)]
        assert moved == [n if n <= at else n + number for n in range(1, len(old) + 1)]

    def test_line_edited_in_place_keeps_its_row(self):
        assert Drift.between(["a", "b", "c"], ["a", "B", "c"]).row(2) == 2

    @pytest.mark.parametrize(("lines", "expected"), [(2000, 2), (2001, None)])
    def test_very_many_changed_lines_are_not_compared(self, lines, expected):
        old = ["first", "kept", *(f"a{n}" for n in range(lines - 2))]
        new = ["changed", "kept", "b"]
        assert Drift.between(old, new).row(2) == expected

    def test_finding_of_a_deleted_line_goes(self):
        drift = Drift.between(["a", "b", "c"], ["a", "c"])
        assert [item.span.row for item in drift.moved([finding(2), finding(3)])] == [2]

    def test_finding_whose_end_is_gone_ends_on_its_line(self):
        [moved] = Drift.between(["abc", "b", "c"], ["abc", "c"]).moved([finding(1, 2)])
        assert moved.span == Span(1, 1, 1, 4)


class TestOptions:
    """What a client may send, right and wrong."""

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param({"min-severity": "error"}, id="as in a file"),
            pytest.param({"minSeverity": "error"}, id="as in JSON"),
            pytest.param({"settings": {"minSeverity": "error"}}, id="in settings"),
            pytest.param({"settings": {"socrates": {"minSeverity": "error"}}}, id="twice wrapped"),
        ],
    )
    def test_settings(self, raw):
        options, problems = parse(raw)
        assert (options.flags, problems) == ({"min-severity": "error"}, [])

    @pytest.mark.parametrize("name", ["minSeverity", "debounce", "config"])
    def test_nothing_is_the_default(self, name):
        assert parse({name: None}) == parse({})

    def test_debounce_is_in_milliseconds(self):
        assert parse({"debounce": 250})[0].debounce == 0.25

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param({"debounce": -1}, id="negative"),
            pytest.param({"debounce": "soon"}, id="no number"),
            pytest.param({"debounce": True}, id="a truth"),
            pytest.param({"diagnostics": "both"}, id="no such way"),
            pytest.param({"config": 3}, id="no path"),
            pytest.param({"unheard": 3}, id="no such key"),
        ],
    )
    def test_mistake_is_named_and_the_default_stays(self, raw):
        options, problems = parse(raw)
        assert options == parse({})[0]
        assert len(problems) == 1

    @patient
    @given(st.recursive(st.none() | st.integers() | st.text(), st.lists))
    def test_anything_else_is_nothing(self, raw):
        assert parse(raw) == parse({})


@patient
@given(st.text(st.characters(max_codepoint=255), max_size=20).filter(lambda t: "\r" not in t))
def test_text_with_a_cookie_survives_the_way_through_bytes(text):
    whole = f"# coding: latin-1\n{text}"
    assert decode(to_bytes(whole)) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "\ufeff# coding: latin-1\nä", b"\xef\xbb\xbf# coding: latin-1\n\xc3\xa4", id="mark"
        ),
        pytest.param("# coding: latin-1\nä", b"# coding: latin-1\n\xe4", id="cookie"),
        pytest.param("# coding: nonsense\nä", b"# coding: nonsense\n\xc3\xa4", id="unknown cookie"),
        pytest.param("# coding: ascii\nä", b"# coding: ascii\n\xc3\xa4", id="too narrow"),
        pytest.param("ä", b"\xc3\xa4", id="plain"),
    ],
)
def test_bytes_of_a_text(text, expected):
    assert to_bytes(text) == expected


class TestMessages:
    """What comes through the pipe, frame by frame."""

    @pytest.fixture
    def received(self):
        """The bodies that a client's bytes have, and the answers to what has none."""

        def read(data):
            answers = io.BytesIO()
            messages = Messages(io.BytesIO(data), Answers(answers))
            bodies = []
            while messages.readline():
                messages.readline()
                bodies.append(messages.read())
            return bodies, re.findall(rb'"message": "(.*?)"', answers.getvalue())

        return read

    @staticmethod
    def frame(body, head="Content-Length: {}\r\n\r\n"):
        return head.format(len(body)).encode() + body

    BODY = b'{"jsonrpc": "2.0"}'

    @pytest.mark.parametrize(
        "head",
        [
            pytest.param("Content-Length: {}\r\n\r\n", id="usual"),
            pytest.param("\r\nContent-Length: {}\r\n\r\n", id="empty line before"),
            pytest.param("content-length:{}\n\n", id="other spelling"),
            pytest.param("Content-Type: x\r\nContent-Length: {}\r\n\r\n", id="other header"),
        ],
    )
    def test_head(self, received, head):
        assert received(self.frame(self.BODY, head) * 2) == ([self.BODY] * 2, [])

    @pytest.mark.parametrize(
        ("body", "answer"),
        [
            (b"{", b"the message is not JSON"),
            (b"[]", b"the message is not JSON-RPC 2.0"),
            (b"{}", b"the message is not JSON-RPC 2.0"),
        ],
    )
    def test_bad_body_is_answered_and_skipped(self, received, body, answer):
        assert received(self.frame(body) + self.frame(self.BODY)) == ([self.BODY], [answer])

    @pytest.mark.parametrize(
        ("data", "answers"),
        [
            pytest.param(b"nonsense\r\n\r\n", 1, id="no header"),
            pytest.param(b"Content-Length: 67108865\r\n\r\n{}", 1, id="too large"),
            pytest.param(b"Content-Length: 3", 1, id="unfinished header"),
            pytest.param(b"Content-Length: 3\r\n\r\n{}", 0, id="unfinished body"),
        ],
    )
    def test_bad_frame_ends_the_input(self, received, data, answers):
        bodies, told = received(data + self.frame(self.BODY) if answers else data)
        assert (bodies, len(told)) == ([], answers)


class TestWorker:
    """Calls in a thread of their own."""

    def test_result_comes_back(self):
        assert asyncio.run(Worker().run(lambda: 3)) == 3

    def test_error_comes_back(self):
        with pytest.raises(ZeroDivisionError):
            asyncio.run(Worker().run(lambda: 1 // 0))

    def test_call_that_was_cancelled_in_time_is_not_made(self):
        made = []

        async def cancel() -> None:
            worker = Worker()
            go = threading.Event()
            first = asyncio.create_task(worker.run(go.wait))
            second = asyncio.create_task(worker.run(lambda: made.append("second")))
            await asyncio.sleep(0)
            second.cancel()
            await asyncio.sleep(0)
            go.set()
            await first
            await worker.run(lambda: made.append("third"))

        asyncio.run(cancel())
        assert made == ["third"]

    def test_call_that_is_cancelled_meanwhile_disturbs_no_other(self):
        async def cancel() -> object:
            worker = Worker()
            started, go = threading.Event(), threading.Event()
            first = asyncio.create_task(worker.run(lambda: (started.set(), go.wait(60))))
            await asyncio.to_thread(started.wait, 60)
            first.cancel()
            go.set()
            return await worker.run(lambda: 3)

        assert asyncio.run(cancel()) == 3


class TestSchedule:
    """However much is asked, at most one check runs and one waits."""

    @pytest.fixture
    def typed(self):
        """Ask very often while a check takes its time; how often were checks made?"""

        async def type_fast(times: int, delay: float) -> tuple[int, int]:
            runs = together = most = 0

            async def check(_: str) -> None:
                nonlocal runs, together, most
                runs, together = runs + 1, together + 1
                most = max(most, together)
                for _ in range(times):
                    await asyncio.sleep(0)
                together -= 1

            schedule = Schedule(check)
            for _ in range(times):
                schedule.ask("a", delay)
                await asyncio.sleep(0)
            await schedule.settled("a")
            return runs, most

        return lambda times, delay=0.0: asyncio.run(type_fast(times, delay))

    def test_never_two_at_a_time(self, typed):
        assert typed(100)[1] == 1

    def test_what_comes_meanwhile_is_one_more_check(self, typed):
        assert typed(100)[0] <= 3

    def test_delay_joins_all_changes_into_one_check(self, typed):
        assert typed(50, 0.2) == (1, 1)

    def test_dropped_document_is_not_checked(self):
        async def drop() -> list[str]:
            checked: list[str] = []

            async def check(name: str) -> None:
                checked.append(name)

            schedule = Schedule(check)
            schedule.ask("a", 0.01)
            schedule.drop("a")
            await asyncio.sleep(0.03)
            return checked

        assert asyncio.run(drop()) == []

    def test_document_that_is_opened_again_at_once_is_checked(self):
        async def reopen() -> list[str]:
            checked: list[str] = []

            async def check(name: str) -> None:
                checked.append(name)

            schedule = Schedule(check)
            schedule.ask("a", 5)
            schedule.drop("a")
            schedule.ask("a")
            await schedule.settled("a")
            return checked

        assert asyncio.run(reopen()) == ["a"]


PUSHED = types.PublishDiagnosticsClientCapabilities(related_information=True)
PULLED = types.DiagnosticClientCapabilities(code_description_support=True)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param(None, (False, False), id="nothing"),
        pytest.param(types.TextDocumentClientCapabilities(), (False, False), id="no diagnostics"),
        pytest.param(
            types.TextDocumentClientCapabilities(publish_diagnostics=PUSHED),
            (True, False),
            id="push",
        ),
        pytest.param(
            types.TextDocumentClientCapabilities(diagnostic=PULLED), (False, True), id="pull"
        ),
    ],
)
def test_what_a_client_can_show(
    document: types.TextDocumentClientCapabilities | None, expected: tuple[bool, bool]
) -> None:
    able = Abilities.of(types.ClientCapabilities(text_document=document))
    assert (able.related, able.links) == expected
