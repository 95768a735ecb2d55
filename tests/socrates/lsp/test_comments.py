"""Suppression comments in an editor: what they silence, and how they go."""

from __future__ import annotations

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
HEAD = "def test_pair():"


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
def hovered(client, opened):
    """The text over a character of the first line."""

    def hover(text, character):
        place = {"line": 0, "character": character}
        params = {"textDocument": {"uri": opened(text)}, "position": place}
        return client.request("textDocument/hover", params)["contents"]["value"]

    return hover


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        pytest.param("ignore[SOC101] why", "- `test_pair`: 2 assertions", id="a code in use"),
        pytest.param("ignore[assertion-roulette]", "- `test_pair`: 2 assertions", id="a name"),
        pytest.param("ignore", "- `test_pair`: 2 assertions", id="every rule"),
        pytest.param("ignore-file[SOC101]", "about the whole file", id="the file"),
        pytest.param("ignore[SOC101]", "several assertions", id="what the rule is about"),
        pytest.param("ignore[SOC102]", "- silences nothing", id="a code of no use"),
        pytest.param("ignore[QQQ9]", "**QQQ9**: there is no such rule", id="no such rule"),
    ],
)
def test_hover_says_what_a_comment_silences(hovered, comment, expected):
    text = PAIR.replace(HEAD, f"{HEAD}  # socrates: {comment}")
    assert expected in hovered(text, len(HEAD) + 5)


def test_comment_is_removed_by_a_preferred_fix(client, opened, edited):
    text = PAIR.replace(HEAD, f"{HEAD}  # socrates: ignore[SOC101, SOC102] one pair")
    actions = client.actions(opened(text), 0, "quickfix")
    [fix] = [action for action in actions if action["diagnostics"][0]["code"] == "SOC001"]
    after = edited(text, fix).partition("\n")[0]
    assert (after, fix["isPreferred"]) == (f"{HEAD}  # socrates: ignore[SOC101] one pair", True)
