"""An editor's texts in grammar that is newer than the Python that runs the server."""

from __future__ import annotations

import pytest

NEWER = """\
lazy import pytest


@pytest.fixture
def rate[T]() -> T:
    return 3


def test_sum(rate):
    assert f"{"a"}{sum([1, 2])}" == t"{3}"
"""


@pytest.fixture
def uri(client, write):
    """The address of an open test file in newer grammar."""
    return client.open(write({"test_a.py": NEWER}) / "test_a.py")


def test_newer_text_has_findings_like_any_other(client, uri):
    assert [item["code"] for item in client.diagnostics(uri)] == ["SOC104"]


def test_newer_text_is_fixed_in_place(client, edited, uri):
    client.diagnostics(uri, 1)
    actions = client.actions(uri, 8)
    action = next(one for one in actions if one["title"].startswith("Drop the unused rate"))
    if "edit" not in action:
        action = client.request("codeAction/resolve", action)
    changed = edited(NEWER, action)
    assert "def test_sum():" in changed
    client.change(uri, changed, 2)
    assert client.diagnostics(uri, 2) == []


def test_mistake_beside_newer_grammar_is_shown_where_it_is(client, uri):
    client.diagnostics(uri, 1)
    client.change(uri, NEWER + "\n\ndef test_more(:\n    pass\n", 2)
    shown = client.diagnostics(uri, 2)
    assert [(item["code"], item["range"]["start"]["line"]) for item in shown] == [
        ("SOC104", 8),
        ("SOC000", 12),
    ]


def test_option_of_the_editor_chooses_the_parser(fork, write):
    folder = write({"test_a.py": NEWER})
    client = fork()
    client.initialize(folder, initializationOptions={"parser": "python"})
    [item] = client.diagnostics(client.open(folder / "test_a.py"))
    assert item["code"] == "SOC000"
