"""``socrates baseline`` writes, ``--baseline`` applies, and it only shrinks."""

from __future__ import annotations

import json

import pytest

INFO = """\
def test_pair():
    pair = (1, 2)
    assert pair[0] == 1
    assert pair[1] == 2
"""
IDLE = "def test_sum():  # socrates: ignore\n    assert sum([1, 2]) == 3\n"
CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
FILE = ".socrates-baseline.json"
ENTRY = '{"findings": [{"filename": "a", "code": "b", "message": "m", "fingerprint": "f"}], "version": 1}'


@pytest.fixture
def check(run):
    """Run ``socrates check`` with the baseline and give back code and lines."""

    def go(*args: str) -> tuple[int, list[str]]:
        ran = run("check", "--no-cache", "--baseline", FILE, "--output-format", "concise", *args)
        return ran.code, ran.out.splitlines()

    return go


@pytest.fixture
def project(write, run):
    """A project whose findings are all accepted."""
    root = write({"test_a.py": INFO, "sub/test_b.py": IDLE})
    run("baseline", "--no-cache")
    return root


def accepted(project) -> list[tuple[str, str]]:
    entries = json.loads((project / FILE).read_text())["findings"]
    return [(entry["filename"], entry["code"]) for entry in entries]


def test_file_is_sorted_and_readable(project) -> None:
    assert accepted(project) == [("sub/test_b.py", "SOC001"), ("test_a.py", "SOC101")]


def test_file_has_one_line_for_each_value(project) -> None:
    text = (project / FILE).read_text()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"


def test_writing_says_what_changed(write, run) -> None:
    write({"test_a.py": INFO})
    assert run("baseline").out == f"{FILE}: 1 accepted (1 added, 0 dropped)\n"


def test_accepted_findings_are_not_shown(project, check) -> None:
    code, lines = check()
    assert (code, lines) == (
        0,
        ["Nothing new in 2 tests.", "Not shown: 2 in the baseline."],
    )


def test_moved_lines_stay_accepted(project, write, check) -> None:
    write({"sub/test_b.py": "import os\n\n\n" + IDLE})
    assert check()[0] == 0


def test_new_finding_is_shown(project, write, check) -> None:
    write({"sub/test_b.py": IDLE + IDLE.replace("test_sum", "test_other")})
    code, lines = check()
    assert (code, lines[0].partition(" ")[0]) == (1, "sub/test_b.py:3:20:")


def test_fixed_entry_is_reported(project, write, check) -> None:
    write({"sub/test_b.py": CLEAN})
    _, lines = check()
    assert lines[-1].strip() == "sub/test_b.py: SOC001 `ignore` silences nothing"


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(["test_a.py"], id="another file"),
        pytest.param(["--select", "SOC101"], id="another rule"),
        pytest.param(["--min-severity", "error"], id="not shown"),
    ],
)
def test_entry_out_of_reach_is_not_called_fixed(project, check, args: list[str]) -> None:
    assert not [line for line in check(*args)[1] if "fixed" in line]


def test_what_is_fixed_comes_with_the_command_that_drops_it(project, write, check) -> None:
    write({"sub/test_b.py": CLEAN})
    _, lines = check()
    assert lines[-2] == "1 baseline entry is fixed; `socrates baseline --shrink` drops it:"


def test_entry_of_a_deleted_file_is_fixed(project, check) -> None:
    (project / "sub" / "test_b.py").unlink()
    assert check()[1][-1].strip().startswith("sub/test_b.py: SOC001")


def test_other_test_of_a_node_id_is_not_called_fixed(project, write, run, check) -> None:
    write({"test_a.py": INFO + "\n\n" + CLEAN})
    assert not [line for line in check("test_a.py::test_sum")[1] if "fixed" in line]


def test_shrink_drops_what_is_fixed_and_adds_nothing(project, write, run) -> None:
    write({"sub/test_b.py": CLEAN, "test_c.py": INFO})
    run("baseline", "--shrink", "--no-cache")
    assert accepted(project) == [("test_a.py", "SOC101")]


def test_renewing_one_path_keeps_the_others(project, write, run) -> None:
    write({"test_a.py": CLEAN, "sub/test_b.py": CLEAN})
    run("baseline", "--no-cache", "sub")
    assert accepted(project) == [("test_a.py", "SOC101")]


def test_only_selected_rules_are_accepted(write, run) -> None:
    root = write({"test_a.py": INFO, "sub/test_b.py": IDLE})
    run("baseline", "--no-cache", "--select", "SOC101")
    assert accepted(root) == [("test_a.py", "SOC101")]


def test_setting_names_the_file(write, run) -> None:
    root = write({"socrates.toml": 'baseline = "base.json"', "sub/test_b.py": IDLE})
    run("baseline")
    assert ((root / "base.json").is_file(), run("check").code) == (True, 0)


def test_broken_file_is_never_accepted(write, run, check) -> None:
    write({"test_a.py": "def test_a(:\n"})
    run("baseline")
    assert check()[0] == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no such file; `socrates baseline` writes one"),
        ("{", "it is not JSON; write it anew with `socrates baseline`"),
        ("[" * 100_000, "it is not JSON; write it anew with `socrates baseline`"),
        ("[]", "it has no list of findings; write it anew with `socrates baseline`"),
        ('{"findings": [], "version": 9}', "its version is 9, not 1; write it anew with `socrates baseline`"),
        ('{"findings": [1], "version": 1}', "entry 1 is not an object; write it anew with `socrates baseline`"),
        (ENTRY.replace('"fingerprint": "f"', '"fingerprint": "f", "test": 1'), "entry 1 has no text for 'test'; write it anew with `socrates baseline`"),
        (ENTRY.replace('"message": "m"', '"message": 1'), "entry 1 has no text for 'message'; write it anew with `socrates baseline`"),
        ('{"findings": [{}], "version": 1}', "entry 1 has no text for 'filename'; write it anew with `socrates baseline`"),
    ],
)  # fmt: skip
def test_bad_file_is_told_in_one_line(write, run, text: str | None, why: str) -> None:
    write({"test_a.py": CLEAN} | ({} if text is None else {FILE: text}))
    ran = run("check", "--baseline", FILE)
    assert (ran.code, ran.err) == (2, f"socrates: error: baseline {FILE}: {why}\n")


def test_file_that_cannot_be_written_is_told(write, run) -> None:
    write({"test_a.py": CLEAN})
    ran = run("baseline", "--output-file", "missing/base.json")
    assert ran.err == (
        "socrates: error: baseline missing/base.json: cannot be written: No such file or directory\n"
    )
