"""What a client is pushed for the texts that it has open."""

from __future__ import annotations

import pytest

PAIR = """\
def test_pair():
    pair = (1, 2)
    assert pair[0] == 1
    assert pair[1] == 2
"""
CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef rate():\n    return 3\n"
USES_RATE = "def test_sum(rate):\n    assert sum([1, 2]) == 3\n"


@pytest.fixture
def shown(client, write):
    """Open a test file with a text and return what is shown for it."""

    def show(text, files=None):
        folder = write({"test_a.py": text, **(files or {})})
        return client.diagnostics(client.open(folder / "test_a.py"))

    return show


def start_of(diagnostic):
    """Line and character, both from 0."""
    start = diagnostic["range"]["start"]
    return start["line"], start["character"]


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        pytest.param(PAIR, 3, id="info is Information"),
        pytest.param(CLEAN.replace(":\n", ":  # socrates: ignore\n"), 2, id="warning is Warning"),
        pytest.param("def test_sum(:\n", 1, id="error is Error"),
    ],
)
def test_severity(shown, text, severity):
    assert [item["severity"] for item in shown(text)] == [severity]


def test_clean_text_has_an_empty_list(shown):
    assert shown(CLEAN) == []


def test_code_links_to_the_page_of_the_rule(shown):
    [item] = shown(PAIR)
    assert (item["source"], item["code"]) == ("socrates", "SOC101")
    assert item["codeDescription"]["href"].endswith("/rules/assertion-roulette.md")


def test_range_is_the_name_of_the_test(shown):
    [item] = shown(PAIR)
    assert item["range"] == {
        "start": {"line": 0, "character": 4},
        "end": {"line": 0, "character": 13},
    }


def test_unused_comment_is_tagged_as_unnecessary(shown):
    [item] = shown("x = 1  # socrates: ignore\n")
    assert item["tags"] == [1]


def test_related_place_in_another_file(shown, tmp_path):
    [item] = shown(USES_RATE, {"conftest.py": CONFTEST})
    [related] = item["relatedInformation"]
    assert related["location"] == {
        "uri": (tmp_path / "conftest.py").as_uri(),
        "range": {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 8}},
    }


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param("x = '\U0001f600\U0001f600'", (0, 12), id="emoji count twice"),
        pytest.param("x = 'äöü'", (0, 11), id="umlauts count once"),
        pytest.param("x\t=\t1", (0, 7), id="tabs count once"),
        pytest.param("y = 1\r\nx = 1", (1, 7), id="CRLF"),
        pytest.param("y = '\x0c'\nx = 1", (1, 7), id="a form feed ends no line"),
        pytest.param("y = '\u2028'\nx = 1", (1, 7), id="U+2028 ends no line"),
    ],
)
def test_positions_are_in_utf16(shown, before, expected):
    [item] = shown(f"{before}  # socrates: ignore\n")
    assert start_of(item) == expected


def test_unsaved_text_is_what_counts(client, write):
    folder = write({"test_a.py": CLEAN})
    uri = client.open(folder / "test_a.py", PAIR)
    assert [item["code"] for item in client.diagnostics(uri)] == ["SOC101"]


def test_change_is_checked(client, write):
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri, 1)
    client.change(uri, CLEAN, 2)
    assert client.diagnostics(uri, 2) == []


def test_closed_file_shows_nothing(client, write):
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.diagnostics(uri) == []


def test_file_that_is_no_test_shows_nothing(client, write):
    folder = write({"shop.py": PAIR})
    assert client.diagnostics(client.open(folder / "shop.py")) == []


def test_excluded_file_shows_nothing(client, write):
    folder = write({"socrates.toml": "exclude = ['old']\n", "old/test_a.py": PAIR})
    assert client.diagnostics(client.open(folder / "old" / "test_a.py")) == []


def test_latin_1_cookie_does_not_shift_anything(shown):
    [item] = shown("# coding: latin-1\nx = 'äöü'  # socrates: ignore\n")
    assert start_of(item) == (1, 11)


def test_baseline_holds_for_unsaved_text(client, write):
    from socrates.cli import main

    folder = write({"test_a.py": PAIR, "socrates.toml": "baseline = 'accepted.json'\n"})
    main(["baseline", str(folder), "-o", str(folder / "accepted.json"), "--no-cache", "-q"])
    uri = client.open(folder / "test_a.py", "# a line above\n" + PAIR)
    assert client.diagnostics(uri) == []


class TestWhileTheTextDoesNotParse:
    """The last good findings stay with their lines, and one says what is broken."""

    @pytest.fixture
    def uri(self, client, write):
        """A file that was fine when it was opened."""
        folder = write({"test_a.py": PAIR})
        uri = client.open(folder / "test_a.py")
        client.diagnostics(uri, 1)
        return uri

    def test_finding_moves_with_its_line(self, client, uri):
        client.change(uri, "import (\n\n" + PAIR, 2)
        shown = {item["code"]: start_of(item) for item in client.diagnostics(uri, 2)}
        assert shown["SOC101"] == (2, 4)

    def test_one_syntax_error_is_shown(self, client, uri):
        client.change(uri, PAIR + "def f(:\n    x = (\n", 2)
        codes = [item["code"] for item in client.diagnostics(uri, 2)]
        assert sorted(codes) == ["SOC000", "SOC101"]

    def test_finding_of_a_deleted_line_goes(self, client, uri):
        client.change(uri, "x = (\n", 2)
        assert [item["code"] for item in client.diagnostics(uri, 2)] == ["SOC000"]

    def test_findings_stay_through_several_broken_texts(self, client, uri):
        client.change(uri, "x = (\n" + PAIR, 2)
        client.diagnostics(uri, 2)
        client.change(uri, "x = (\n(\n" + PAIR, 3)
        shown = {item["code"]: start_of(item) for item in client.diagnostics(uri, 3)}
        assert shown["SOC101"] == (2, 4)

    def test_mended_text_has_its_own_findings_again(self, client, uri):
        client.change(uri, "x = (\n" + PAIR, 2)
        client.diagnostics(uri, 2)
        client.change(uri, CLEAN, 3)
        assert client.diagnostics(uri, 3) == []
