"""Options of a client, when it starts and later, and clients that can do less."""

from __future__ import annotations

import copy

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
LATE = 3_600_000
"""Milliseconds: nothing is checked because of a change alone while a test runs."""


@pytest.fixture
def started(fork):
    """A server that was introduced with these options and abilities."""

    def introduce(capabilities=None, **options):
        client = fork()
        more = {} if capabilities is None else {"capabilities": capabilities}
        client.initialize(initializationOptions=options, **more)
        return client

    return introduce


def message(client):
    """What the user is told next."""
    return client.wait(lambda m: m.get("method") == "window/showMessage")["params"]["message"]


def codes(found):
    return [item["code"] for item in found]


def test_what_is_saved_is_checked_at_once(started, write):
    client = started(debounce=LATE)
    folder = write({"test_a.py": CLEAN})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri, 1)
    client.change(uri, PAIR, 2)
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client.diagnostics(uri, 2)) == ["SOC101"]


def test_broken_text_is_told_although_it_was_not_selected(started, write):
    client = started(select=["SOC101"], debounce=0)
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri, 1)
    client.change(uri, f"{PAIR}def (\n", 2)
    assert codes(client.diagnostics(uri, 2)) == ["SOC101", "SOC000"]


def test_new_options_hold_at_once(started, write):
    client = started()
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    client.notify(
        "workspace/didChangeConfiguration", {"settings": {"socrates": {"ignore": ["SOC101"]}}}
    )
    assert codes(client.diagnostics(uri)) == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"debounce": "soon"}, "debounce"),
        ({"diagnostics": "pull"}, "diagnostics: takes effect when the server starts again"),
    ],
)
def test_new_options_that_can_not_hold_are_told(started, options, told):
    client = started()
    client.notify("workspace/didChangeConfiguration", {"settings": {"socrates": options}})
    assert told in message(client)


def test_edits_for_a_client_that_knows_no_versions(started, write, capabilities):
    able = copy.deepcopy(capabilities)
    able["workspace"]["workspaceEdit"] = {}
    client = started(able)
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    action = next(a for a in client.actions(uri, 0) if a["title"].endswith("on this line"))
    assert [edit["newText"] for edit in action["edit"]["changes"][uri]] == [
        "  # socrates: ignore[SOC101]"
    ]


def test_client_that_can_not_watch_files_is_not_asked_to(started, write, capabilities):
    able = copy.deepcopy(capabilities)
    del able["workspace"]["didChangeWatchedFiles"]
    client = started(able)
    folder = write({"test_a.py": PAIR})
    client.diagnostics(client.open(folder / "test_a.py"))
    assert [m for m in client.messages if m.get("method") == "client/registerCapability"] == []


def test_file_that_is_not_open_has_no_page(started, write):
    client = started()
    uri = (write({"test_a.py": PAIR}) / "test_a.py").as_uri()
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
    assert client.request("textDocument/hover", place) is None


def test_closing_what_is_not_open_is_survived(started, write):
    client = started()
    folder = write({"test_a.py": PAIR})
    uri = (folder / "test_a.py").as_uri()
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.open(folder / "test_a.py")
    assert codes(client.diagnostics(uri)) == ["SOC101"]
