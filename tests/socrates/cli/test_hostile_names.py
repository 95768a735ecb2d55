"""Names and texts of a project never steer the terminal, whatever command quotes them."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from socrates.cli import terminal
from socrates.report import FORMATS

OSC = "\x1b]0;pwned\x07"
NAMES = [
    f"test_{OSC}.py",
    "test_a\n::error::x.py",
    "test_\x9b31m.py",
    "test_\u202egnp.py",
    "test_\r\x08.py",
    os.fsdecode(b"test_\xff\xfe.py"),
    "test_\u2028.py",
    'test_"quoted\\.py',
]
HEAD = "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 3\n\n\n"
SMELLY = f"{HEAD}def test_it(number):\n    assert open('\\ud800{OSC}').read()  # {OSC}\n"
CASES = {
    "check": ["check"],
    **{f"check as {name}": ["check", "--output-format", name] for name in FORMATS},
    "colours": ["check", "--color", "always"],
    "statistics": ["check", "--statistics"],
    "files": ["check", "--show-files"],
    "settings": ["check", "--show-settings"],
    "verbose": ["check", "-v"],
    "fixes": ["check", "--show-fixes", "--diff", "-q"],
    "not fixed": ["check", "--fix", "--unsafe-fixes"],
    "baseline": ["baseline", "-o", f"accepted{OSC}.json"],
    "unknown flag": ["check", f"--{OSC}"],
    "unknown command": [f"che{OSC}"],
    "wrong value": ["check", "--jobs", OSC],
    "wrong choice": ["check", "--output-format", OSC],
    "unknown rule": ["check", "--select", f"SOC{OSC}"],
    "missing file": ["check", f"missing{OSC}\udcff.py"],
    "missing test": ["check", f"{NAMES[0]}::test_{OSC}"],
    "wrong setting": ["check", "--config", f"unknown{OSC} = 1"],
    "wrong inline value": ["check", "--config", f"cache-dir = '{OSC}"],
    "explained": ["rule", f"SOC{OSC}"],
    "described": ["config", f"key{OSC}"],
    "initialised": ["init", "--yes"],
    "completed": ["completion", "bash"],
}


@pytest.fixture
def hostile(write) -> Path:
    """A project whose files, folders and settings are called what nobody would call them."""
    folder = write({"setup.cfg": ""})
    inner = folder / f"dir{OSC}\n\x9b"
    inner.mkdir()
    for name in NAMES:
        (folder / name).write_bytes(SMELLY.encode("utf-8", "surrogatepass"))
        (inner / name).write_bytes(b"def test_(:\n" + SMELLY.encode("utf-8", "surrogatepass"))
    (folder / f"test_dir{OSC}.py").mkdir()
    os.mkfifo(folder / f"test_pipe{OSC}.py")
    return folder


def _steering(text: str) -> set[str]:
    """The characters of an output that steer a terminal, but for colours, ends of lines and tabs."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return {
        repr(char)
        for char in plain
        if char not in "\n\t" and (ord(char) < 32 or 0x7F <= ord(char) <= 0x9F or char == "\u202e")
    }


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_a_command_prints_steers_the_terminal(run, hostile: Path, case: str) -> None:
    ran = run(*CASES[case])
    patched = "--diff" in CASES[case]  # what goes to a patch goes there to the letter
    assert (_steering("" if patched else ran.out), _steering(ran.err)) == (set(), set())
    assert (ran.out + ran.err).encode("utf-8"), "it can be written anywhere, and there is something"
    assert "internal error" not in ran.err, ran.err


@pytest.mark.parametrize("key", ["exclude", "baseline", "cache-dir", "select", "per-file-ignores"])
def test_values_of_settings_do_not_steer_it(run, hostile: Path, key: str) -> None:
    text = '"\\u001b]0;pwned\\u0007\\u009b"'
    lists = {
        "exclude": f"[{text}]",
        "select": f"[{text}]",
        "per-file-ignores": f"{{ {text} = [] }}",
    }
    (hostile / "socrates.toml").write_text(f"{key} = {lists.get(key, text)}\n")
    for command in (["check"], ["check", "--show-settings"], ["baseline"]):
        ran = run(*command)
        assert (_steering(ran.out), _steering(ran.err)) == (set(), set())


def test_broken_settings_do_not_steer_it(run, hostile: Path) -> None:
    (hostile / "socrates.toml").write_text(f"a{OSC} = 1\n")
    ran = run("check")
    assert (ran.code, _steering(ran.err)) == (2, set())


def test_name_of_the_project_does_not_steer_it(run, write, monkeypatch) -> None:
    folder = write({}) / f"project{OSC}"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    (folder / "test_a.py").write_text(SMELLY)
    monkeypatch.chdir(folder)
    for command in (["check", "-v"], ["check", "--show-settings"], ["init", "--yes"]):
        ran = run(*command)
        assert (_steering(ran.out), _steering(ran.err)) == (set(), set())


@pytest.mark.parametrize("name", [name for name in NAMES if "/" not in name])
def test_diff_of_any_name_is_taken_by_git(
    run, write, tmp_path: Path, name: str
) -> None:  # socrates: ignore[SOC105] git says whether a patch is one
    """The header is quoted as git quotes it."""
    text = f"{HEAD}def test_it(number):\n    assert True\n"
    write({name: text})
    diff = run("check", "--no-cache", "--diff").out
    assert _steering(diff) == set()
    subprocess.run(
        ["git", "apply", "-"], input=os.fsencode(diff), cwd=tmp_path, check=True, timeout=120
    )
    assert "test_it()" in (tmp_path / name).read_text()


class Screen(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True


def test_diff_on_a_terminal_shows_what_is_in_the_text(write, monkeypatch) -> None:
    from socrates.cli import main

    write({"test_a.py": f"{HEAD}def test_it(number):\n    assert True  # {OSC}\n"})
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    main(["check", "--no-cache", "--diff", "-q"])
    assert "\\x1b]0;pwned" in screen.getvalue()
    assert _steering(screen.getvalue()) == set()


def test_progress_does_not_steer_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with terminal.ProgressBar(enabled=True, patience=0.0) as progress:
        progress(1, 2, f"tests/test_{OSC}.py")
        assert progress._bar is not None
        assert progress._bar.tasks[0].fields["name"] == "test_\\x1b]0;pwned\\x07.py"
