"""Changes of single stretches, through a real server and in the units that were agreed on."""

from __future__ import annotations

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
CLEAN = 'def test_sum():\n    x = "\U0001f600ä"; assert sum([1, 2]) == 3\n'


def change(client, uri, version, *edits):
    """Replace stretches of one line each: line, start, end, text."""
    changes = [
        {
            "range": {
                "start": {"line": line, "character": start},
                "end": {"line": line, "character": end},
            },
            "text": text,
        }
        for line, start, end, text in edits
    ]
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def test_server_asks_for_incremental_changes(fork):
    assert fork().initialize()["capabilities"]["textDocumentSync"]["change"] == 2


@pytest.mark.parametrize(
    ("encoding", "width"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2), (None, 3)]
)
def test_places_are_counted_as_agreed(fork, write, capabilities, encoding, width):
    client = fork()
    general = {} if encoding is None else {"general": {"positionEncodings": [encoding]}}
    agreed = client.initialize(capabilities={**capabilities, **general})["capabilities"]
    uri = client.open(write({"test_a.py": CLEAN}) / "test_a.py")
    after = 9 + width + 3
    change(client, uri, 2, (1, after, after, "assert x; "))
    [finding] = client.diagnostics(uri, 2)
    assert (agreed["positionEncoding"], finding["code"]) == (encoding or "utf-16", "SOC101")


def test_each_change_is_about_the_text_that_the_one_before_has_left(client, write):
    uri = client.open(write({"test_a.py": PAIR}) / "test_a.py")
    client.diagnostics(uri, 1)
    change(client, uri, 2, (0, 0, 0, "# one\n# two\n"), (2, 4, 13, "test_two"))
    [finding] = client.diagnostics(uri, 2)
    assert finding["range"] == {
        "start": {"line": 2, "character": 4},
        "end": {"line": 2, "character": 12},
    }
