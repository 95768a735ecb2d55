"""Fixing and silencing from an editor: what is offered, and that it works."""

from __future__ import annotations

import pytest

UNUSED = """\
import pytest


@pytest.fixture
def rate():
    return 3


def test_sum(rate):
    assert sum([1, 2]) == 3
"""
PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
FIX_ALL = "source.fixAll.socrates"


@pytest.fixture
def opened(client, write):
    """Open a test file and wait for its findings; returns its address."""

    def open_text(text):
        folder = write({"test_a.py": text})
        uri = client.open(folder / "test_a.py")
        client.diagnostics(uri, 1)
        return uri

    return open_text


@pytest.fixture
def after(client, edited, opened):
    """The text after the action of a title, and what is found in it then."""

    def apply(text, line, title, *only):
        uri = opened(text)
        action = next(a for a in client.actions(uri, line, *only) if a["title"].startswith(title))
        if "edit" not in action:
            action = client.request("codeAction/resolve", action)
        changed = edited(text, action)
        client.change(uri, changed, 2)
        return changed, [item["code"] for item in client.diagnostics(uri, 2)]

    return apply


def test_safe_fix_takes_the_finding_away(after):
    text, codes = after(UNUSED, 8, "Drop the unused rate")
    assert "def test_sum():" in text
    assert codes == []


def test_safe_fix_is_preferred(client, opened):
    action = client.actions(opened(UNUSED), 8)[0]
    assert action["isPreferred"] is True


def test_unsafe_fix_says_so_and_is_not_preferred(client, opened):
    text = PAIR.replace("pair[0] == 1", "all(x for x in pair)")
    action = client.actions(opened(text), 0)[0]
    assert "unsafe" in action["title"]
    assert "isPreferred" not in action


def test_fix_names_the_diagnostic_that_it_mends(client, opened):
    action = client.actions(opened(UNUSED), 8)[0]
    assert [item["code"] for item in action["diagnostics"]] == ["SOC104"]


def test_fix_is_for_the_version_that_was_looked_at(client, opened):
    action = client.actions(opened(UNUSED), 8)[0]
    assert action["edit"]["documentChanges"][0]["textDocument"]["version"] == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(PAIR, 0, id="plain"),
        pytest.param("x = '\U0001f600'\n" + PAIR, 1, id="after an emoji"),
        pytest.param(PAIR.replace("\n", "\r\n"), 0, id="CRLF"),
        pytest.param(PAIR.replace(":\n", ":  # \U0001f600 noqa\n", 1), 0, id="behind a comment"),
        pytest.param(PAIR.replace("()", "(\n)", 1), 0, id="a header of two lines"),
        pytest.param(
            PAIR.replace(":\n", ":  # socrates: ignore[SOC105]\n", 1).replace(
                "    pair =", "    open('x.txt')\n    pair ="
            ),
            0,
            id="into a comment that is there",
        ),
    ],
)
def test_ignore_on_this_line_silences(after, text, line):
    _, codes = after(text, line, "Ignore SOC101 (assertion-roulette) on this line")
    assert codes == []


@pytest.mark.parametrize(
    ("head", "line"),
    [
        pytest.param("", 0, id="at the top"),
        pytest.param("#!/usr/bin/env python\n# coding: utf-8\n", 2, id="after the first lines"),
        pytest.param("# socrates: ignore-file[SOC105]\nopen('x.txt')\n", 2, id="into one there"),
    ],
)
def test_ignore_in_this_file_silences(after, head, line):
    text, codes = after(head + PAIR, line, "Ignore SOC101 (assertion-roulette) in this file")
    assert "SOC101" not in codes
    assert text.startswith(head.partition("# socrates")[0])


def test_fix_all_mends_what_is_safe(after):
    text, codes = after(UNUSED + PAIR, 0, "Socrates: fix all", FIX_ALL)
    assert "def test_sum():" in text
    assert codes == ["SOC101"], "it has no safe fix"


def test_fix_all_is_resolved_when_it_is_chosen(client, opened):
    uri = opened(UNUSED)
    [offered] = [a for a in client.actions(uri, 0) if a["kind"] == FIX_ALL]
    assert "edit" not in offered
    assert client.request("codeAction/resolve", offered)["edit"]


def test_fix_all_is_not_offered_for_nothing(client, opened):
    assert client.actions(opened(PAIR), 0, FIX_ALL) == []


def test_old_offer_is_refused(client, opened):
    uri = opened(UNUSED)
    [offered] = [a for a in client.actions(uri, 0) if a["kind"] == FIX_ALL]
    client.change(uri, UNUSED + "\n", 2)
    answer = client.answer(client.ask("codeAction/resolve", offered))
    assert answer["error"]["code"] == -32801, "ContentModified"


def test_only_the_kinds_that_were_asked_for(client, opened):
    kinds = {action["kind"] for action in client.actions(opened(UNUSED), 8, "quickfix")}
    assert kinds == {"quickfix"}


def test_line_without_findings_has_no_quickfix(client, opened):
    assert client.actions(opened(UNUSED), 0, "quickfix") == []


def test_broken_text_has_no_actions(client, opened):
    assert client.actions(opened("def test_sum(:\n"), 0) == []


class TestHover:
    """The page of the rule, where its finding lies."""

    @pytest.fixture
    def hovered(self, client, opened):
        """What is shown over a character of the first line."""

        def hover(character):
            params = {
                "textDocument": {"uri": opened(PAIR)},
                "position": {"line": 0, "character": character},
            }
            return client.request("textDocument/hover", params)

        return hover

    def test_on_a_finding(self, hovered):
        text = hovered(6)["contents"]["value"]
        assert "**SOC101 assertion-roulette**" in text
        assert "Why is this bad" in text

    def test_beside_a_finding(self, hovered):
        assert hovered(0) is None
