"""Commands that a client runs by name."""

from __future__ import annotations

import pytest

IDLE = "def test_sum():  # socrates: ignore\n    assert sum([1, 2]) == 3\n"


@pytest.fixture
def opened(client, write):
    """Open a test file with a comment that silences nothing; returns its address."""
    uri = client.open(write({"test_a.py": IDLE}) / "test_a.py")
    client.diagnostics(uri, 1)
    return uri


@pytest.fixture
def run(client):
    """Run a command and return the whole answer."""

    def ask(name, *arguments):
        params = {"command": name, "arguments": list(arguments)}
        return client.answer(client.ask("workspace/executeCommand", params))

    return ask


def test_commands_are_named_to_the_client(fork):
    capabilities = fork().initialize()["capabilities"]
    assert sorted(capabilities["executeCommandProvider"]["commands"]) == [
        "socrates.applyAutofix",
        "socrates.printDebugInformation",
        "socrates.recheck",
    ]


@pytest.mark.parametrize("version", [pytest.param({}, id="none"), pytest.param({"version": 1})])
def test_autofix_has_the_client_apply_all_safe_fixes(client, opened, run, edited, version):
    run("socrates.applyAutofix", {"uri": opened, **version})
    asked = client.wait(lambda message: message.get("method") == "workspace/applyEdit")
    client.send(id=asked["id"], result={"applied": True})
    assert edited(IDLE, asked["params"]) == IDLE.replace("  # socrates: ignore", "")


def test_autofix_of_an_older_text_is_refused(opened, run):
    answer = run("socrates.applyAutofix", {"uri": opened, "version": 7})
    assert answer["error"]["code"] == -32801, "ContentModified"


@pytest.mark.parametrize(
    "arguments",
    [[], [{}], [{"uri": "file:///no/such.py"}], [7]],
    ids=["none", "empty", "gone", "7"],
)
def test_autofix_of_no_open_file_is_refused(run, arguments):
    answer = run("socrates.applyAutofix", *arguments)
    assert "give an open file" in answer["error"]["message"]


def test_recheck_checks_what_is_open_again(client, opened, run):
    run("socrates.recheck")
    assert [item["code"] for item in client.diagnostics(opened, 1)] == ["SOC001"]


def test_debug_information_names_version_and_rules(run):
    text = run("socrates.printDebugInformation")["result"]
    assert ("Socrates 0." in text, "SOC101" in text) == (True, True)
