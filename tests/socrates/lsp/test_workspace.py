"""Settings, folders and the files around the open ones."""

from __future__ import annotations

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"
USES_RATE = "def test_sum(rate):\n    assert sum([1, 2]) == 3\n"
CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef rate():\n    return 3\n"
WITH_EFFECT = CONFTEST.replace("return 3", "print('on')\n    yield\n    print('off')")
CHANGED, CREATED = 2, 1


@pytest.fixture
def touch(client):
    """Write a file behind the server's back and tell it as an editor that watches would."""

    def write_and_tell(path, text, kind=CHANGED):
        path.write_text(text)
        changes = [{"uri": path.as_uri(), "type": kind}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    return write_and_tell


def codes(diagnostics):
    """The codes, in order."""
    return [item["code"] for item in diagnostics]


@pytest.mark.parametrize("name", ["socrates.toml", "pyproject.toml"])
def test_settings_hold_when_they_change(client, write, touch, name):
    table = "[tool.socrates]\n" if name == "pyproject.toml" else ""
    folder = write({name: table, "test_a.py": PAIR})
    (folder / "socrates.toml").unlink(missing_ok=name != "socrates.toml")
    (folder / name).write_text(table)
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    touch(folder / name, f"{table}ignore = ['SOC101']\n")
    assert client.diagnostics(uri) == []


def test_settings_are_noticed_by_clients_that_do_not_watch(client, write):
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri, 1)
    (folder / "socrates.toml").write_text("ignore = ['SOC101']\n")
    client.change(uri, f"{PAIR}\n", 2)
    assert client.diagnostics(uri, 2) == []


def test_wrong_settings_are_told_and_the_last_good_ones_stay(client, write, touch):
    folder = write({"test_a.py": PAIR, "socrates.toml": "ignore = ['SOC101']\n"})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    touch(folder / "socrates.toml", "ignroe = ['SOC101']\n")
    assert client.diagnostics(uri) == []
    told = client.wait(lambda message: message.get("method") == "window/showMessage")
    assert "ignroe" in told["params"]["message"]


def test_same_mistake_is_told_again_after_it_was_mended(client, write, touch):
    folder = write({"test_a.py": PAIR})
    uri = client.open(folder / "test_a.py")
    client.diagnostics(uri)
    for text in ("strikt = true\n", "", "strikt = true\n"):
        touch(folder / "socrates.toml", text)
        client.diagnostics(uri)
    for _ in range(2):
        told = client.wait(lambda message: "strikt" in str(message.get("params")))
    assert told["method"] == "window/showMessage"


def test_each_folder_has_its_own_settings(client, write):
    folder = write(
        {
            "one/socrates.toml": "ignore = ['SOC101']\n",
            "one/test_a.py": PAIR,
            "two/socrates.toml": "strict = true\n",
            "two/test_a.py": PAIR,
        }
    )
    one, two = (client.open(folder / name / "test_a.py") for name in ("one", "two"))
    assert client.diagnostics(one) == []
    assert [item["severity"] for item in client.diagnostics(two)] == [2]


class TestConftest:
    """The tests that use a conftest.py see its edits."""

    @pytest.fixture
    def opened(self, client, write):
        """A test with a finding and its conftest.py, both open."""
        folder = write({"conftest.py": CONFTEST, "test_a.py": USES_RATE, "test_b.py": PAIR})
        conftest = client.open(folder / "conftest.py")
        test = client.open(folder / "test_a.py")
        client.diagnostics(test)
        return conftest, test

    def test_unsaved_edit_refreshes(self, client, opened):
        conftest, test = opened
        client.change(conftest, WITH_EFFECT, 2)
        assert client.diagnostics(test) == []

    def test_closing_it_without_saving_takes_the_edit_back(self, client, opened):
        conftest, test = opened
        client.change(conftest, WITH_EFFECT, 2)
        client.diagnostics(test)
        client.notify("textDocument/didClose", {"textDocument": {"uri": conftest}})
        assert codes(client.diagnostics(test)) == ["SOC104"]

    def test_broken_edit_is_seen_as_it_last_parsed(self, client, opened):
        conftest, test = opened
        client.change(conftest, f"{CONFTEST}\ndef (", 2)
        assert codes(client.diagnostics(test)) == ["SOC104"]

    def test_edit_by_another_program_refreshes(self, client, write, touch):
        folder = write({"conftest.py": CONFTEST, "test_a.py": USES_RATE})
        test = client.open(folder / "test_a.py")
        client.diagnostics(test)
        touch(folder / "conftest.py", WITH_EFFECT)
        assert client.diagnostics(test) == []

    def test_new_one_refreshes(self, client, write, touch):
        folder = write({"test_a.py": USES_RATE})
        test = client.open(folder / "test_a.py")
        assert client.diagnostics(test) == []
        touch(folder / "conftest.py", CONFTEST, CREATED)
        assert codes(client.diagnostics(test)) == ["SOC104"]


def test_base_class_in_a_closed_test_is_what_is_on_disk(client, write):
    base = "import unittest\n\n\nclass Base(unittest.TestCase):\n    def setUp(self):\n        self.x = [1]\n"
    derived = (
        "from test_base import Base\n\n\nclass TestB(Base):\n"
        "    def test_b(self):\n        self.assertEqual(1 + 1, 2)\n"
    )
    folder = write({"test_base.py": base, "test_b.py": derived})
    first = client.open(folder / "test_base.py", base.replace("self.x = [1]", "pass"))
    client.diagnostics(first)
    client.notify("textDocument/didClose", {"textDocument": {"uri": first}})
    second = client.open(folder / "test_b.py")
    assert codes(client.diagnostics(second)) == ["SOC104"]


class TestOptions:
    """What a client sets for all folders."""

    @pytest.fixture
    def opened(self, fork, write):
        """A server with options of its own, and what it shows for a file."""

        def open_with(options):
            folder = write({"test_a.py": PAIR})
            client = fork()
            client.initialize(initializationOptions=options)
            uri = client.open(folder / "test_a.py")
            return client, uri, client.diagnostics(uri)

        return open_with

    def test_settings_by_name(self, opened):
        assert opened({"settings": {"minSeverity": "warning"}})[2] == []

    def test_unknown_key_is_told_with_the_nearest(self, opened):
        client, *_ = opened({"ignroe": ["SOC101"]})
        told = client.wait(lambda message: message.get("method") == "window/showMessage")
        assert "did you mean 'ignore'" in told["params"]["message"]

    def test_wrong_value_is_told_as_an_option(self, opened):
        client, *_ = opened({"select": ["SOC9"]})
        told = client.wait(lambda message: message.get("method") == "window/showMessage")
        assert told["params"]["message"].startswith("Socrates: initializationOptions: select")

    def test_settings_file_is_found_from_the_root(self, opened, tmp_path):
        (tmp_path / "other.toml").write_text("ignore = ['SOC101']\n")
        assert opened({"config": "other.toml"})[2] == []

    def test_options_of_other_servers_are_left_alone(self, opened):
        client, uri, _ = opened({"ignore": ["SOC101"]})
        client.notify("workspace/didChangeConfiguration", {"settings": {"python": {"x": 1}}})
        assert client.diagnostics(uri) == []

    def test_fast_typing_is_checked_once(self, opened):
        client, uri, _ = opened({"debounce": 1500})
        for version in range(2, 42):
            client.change(uri, PAIR + f"# {version}\n" * 3000, version)
        client.diagnostics(uri, 41)
        assert [message.get("method") for message in client.messages].count(
            "textDocument/publishDiagnostics"
        ) == 0, "no version in between was shown"

    def test_they_can_change_later(self, opened):
        client, uri, _ = opened({})
        settings = {"socrates": {"ignore": ["SOC101"]}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert client.diagnostics(uri) == []
