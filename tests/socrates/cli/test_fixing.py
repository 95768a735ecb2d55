"""``socrates check --fix`` and its kin, with the real rules."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 3\n\n\n"
SMELLY = f"{HEAD}def test_it(number):\n    assert True\n"
CLEAN = f"{HEAD}def test_it():\n    assert True\n"
PAIR = "def test_pair():\n    assert all(x for x in (1, 2))\n    assert (1, 2)[1] == 2\n"
BROKEN = "def test_it(:\n"


@pytest.fixture
def check(run):
    """Run ``socrates check ARGS`` without the cache."""
    return lambda *args: run("check", "--no-cache", *args)


class TestFix:
    def test_writes_safe_fixes(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY, "test_b.py": PAIR})
        check("--fix")
        assert [(folder / f"test_{name}.py").read_text() for name in "ab"] == [CLEAN, PAIR]

    def test_says_what_it_did(self, write, check) -> None:
        write({"test_a.py": SMELLY, "test_b.py": PAIR})
        assert check("--fix").err == (
            "socrates: fixed 1 finding in 1 file; 1 more with --unsafe-fixes\n"
        )

    def test_reports_what_is_left(self, write, check) -> None:
        write({"test_a.py": SMELLY, "test_b.py": PAIR})
        ran = check("--fix", "--output-format", "json")
        assert [finding["code"] for finding in json.loads(ran.out)] == ["SOC101"]

    def test_exits_with_zero_when_nothing_is_left(self, write, check) -> None:
        write({"test_a.py": SMELLY})
        assert (check().code, check("--fix").code) == (1, 0)

    def test_unsafe_fixes_on_request(self, write, check) -> None:
        folder = write({"test_b.py": PAIR})
        check("--fix", "--unsafe-fixes")
        assert "for x in (1, 2):\n        assert x\n" in (folder / "test_b.py").read_text()

    def test_second_run_changes_nothing(self, write, check) -> None:
        write({"test_a.py": SMELLY, "test_b.py": PAIR})
        check("--fix", "--unsafe-fixes")
        said = check("--fix", "--unsafe-fixes").err
        assert said.startswith("socrates: fixed 0 findings in 0 files")

    def test_says_that_there_is_a_reason_for_what_is_left(self, write, check) -> None:
        write({"test_b.py": "def test_pair():\n    assert 1 in [1]\n    assert 2 in [2]\n"})
        assert check("--fix").err == (
            "socrates: fixed 0 findings in 0 files; no fix for 1 finding, --show-fixes says why\n"
        )

    def test_show_fixes_says_why_there_is_none(self, write, check) -> None:
        write({"test_b.py": "def test_pair():\n    assert 1 in [1]\n    assert 2 in [2]\n"})
        assert check("--fix", "--show-fixes").err.splitlines()[0] == (
            "socrates: test_b.py: no fix for SOC101 test_pair: "
            "its assertions show their values already: split it, or say what each proves"
        )

    def test_only_what_is_selected(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        check("--fix", "--ignore", "SOC104")
        assert (folder / "test_a.py").read_text() == SMELLY

    def test_ignored_line_stays(self, write, check) -> None:
        text = SMELLY.replace("(number):", "(number):  # socrates: ignore[SOC104]")
        folder = write({"test_a.py": text})
        check("--fix")
        assert (folder / "test_a.py").read_text() == text

    def test_accepted_finding_stays(self, write, run, check) -> None:
        folder = write({"test_a.py": SMELLY})
        run("baseline", "-o", "accepted.json")
        check("--fix", "--baseline", "accepted.json")
        assert (folder / "test_a.py").read_text() == SMELLY

    def test_what_is_not_shown_stays(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        check("--fix", "--min-severity", "error")
        assert (folder / "test_a.py").read_text() == SMELLY

    def test_only_the_named_test(self, write, check) -> None:
        text = f"{SMELLY}\n\ndef test_more(number):\n    assert True\n"
        folder = write({"test_a.py": text})
        check("--fix", "test_a.py::test_more")
        assert (folder / "test_a.py").read_text() == text.replace(
            "test_more(number)", "test_more()"
        )

    def test_crlf_and_bom_stay(self, write, check) -> None:
        folder = write({})
        data = SMELLY.replace("\n", "\r\n").encode("utf-8-sig")
        (folder / "test_a.py").write_bytes(data)
        check("--fix")
        expected = CLEAN.replace("\n", "\r\n").encode("utf-8-sig")
        assert (folder / "test_a.py").read_bytes() == expected


@pytest.fixture
def apply_patch(tmp_path: Path):
    """Let git apply a diff in the test's folder."""

    def run_git(diff: str) -> None:
        subprocess.run(
            ["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True, timeout=120
        )

    return run_git


class TestShowing:
    def test_diff_writes_nothing(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        check("--diff")
        assert (folder / "test_a.py").read_text() == SMELLY

    # The diff is made for git, so git has to take it.
    def test_diff_can_be_applied(self, write, check, apply_patch) -> None:
        folder = write({"test_a.py": SMELLY})
        apply_patch(check("--diff").out)
        assert (folder / "test_a.py").read_text() == CLEAN

    # The diff is made for git, so git has to take it.
    def test_diff_without_a_last_line_end_can_be_applied(self, write, check, apply_patch) -> None:
        write({"test_b.py": PAIR.rstrip("\n")})
        apply_patch(check("--diff", "--unsafe-fixes").out)
        assert check("--diff", "--unsafe-fixes").out == ""

    @pytest.mark.parametrize(
        ("text", "code"), [pytest.param(SMELLY, 1, id="some"), pytest.param(CLEAN, 0, id="none")]
    )
    def test_diff_says_by_exit_code_whether_there_is_one(self, write, check, text, code) -> None:
        write({"test_a.py": text})
        assert check("--diff").code == code

    def test_show_fixes_lists_them(self, write, check) -> None:
        write({"test_a.py": SMELLY})
        assert check("--fix", "--show-fixes").err.splitlines()[0] == (
            "socrates: test_a.py: fixed (safe) SOC104 test_it: Drop the unused number"
        )

    def test_show_fixes_alone_writes_nothing(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        check("--show-fixes")
        assert (folder / "test_a.py").read_text() == SMELLY

    def test_fix_only_is_silent_about_the_rest(self, write, check) -> None:
        write({"test_a.py": SMELLY, "test_b.py": PAIR})
        ran = check("--fix-only")
        assert (ran.code, ran.out) == (0, "")

    @pytest.mark.parametrize(
        ("text", "code"), [pytest.param(SMELLY, 1, id="fixed"), pytest.param(CLEAN, 0, id="clean")]
    )
    def test_exit_non_zero_on_fix(self, write, check, text, code) -> None:
        write({"test_a.py": text})
        assert check("--fix-only", "--exit-non-zero-on-fix").code == code


class TestReports:
    def test_json_has_the_fix(self, write, check) -> None:
        write({"test_a.py": SMELLY})
        [finding] = json.loads(check("--output-format", "json").out)
        assert finding["fix"] == {
            "applicability": "safe",
            "message": "Drop the unused number",
            "edits": [
                {
                    "content": "def test_it():\n",
                    "location": {"row": 9, "column": 1},
                    "end_location": {"row": 10, "column": 1},
                }
            ],
        }

    @pytest.mark.parametrize(("flags", "has_fix"), [((), False), (("--unsafe-fixes",), True)])
    def test_json_has_unsafe_fixes_when_asked(self, write, check, flags, has_fix) -> None:
        write({"test_a.py": PAIR})
        [finding] = json.loads(check("--output-format", "json", *flags).out)
        assert (finding["fix"] is not None) == has_fix

    def test_json_has_null_where_there_is_none(self, write, check) -> None:
        write({"test_a.py": "def test_it():  # socrates: ignore[\n    assert True\n"})
        [finding] = json.loads(check("--output-format", "json").out)
        assert finding["fix"] is None

    def test_sarif_has_the_replacement(self, write, check) -> None:
        write({"test_a.py": SMELLY})
        [result] = json.loads(check("--output-format", "sarif").out)["runs"][0]["results"]
        assert result["fixes"][0]["artifactChanges"][0]["replacements"] == [
            {
                "deletedRegion": {"startLine": 9, "startColumn": 1, "endLine": 10, "endColumn": 1},
                "insertedContent": {"text": "def test_it():\n"},
            }
        ]

    def test_plain_check_loads_no_libcst(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        code = (
            "import sys; from socrates.cli import main; main(['check', '--no-cache', '-j1']);"
            "sys.exit('libcst' in sys.modules)"
        )
        assert (
            subprocess.run(
                [sys.executable, "-c", code], cwd=folder, check=False, timeout=120
            ).returncode
            == 0
        )


class TestStdin:
    @pytest.fixture
    def feed(self, monkeypatch):
        """Put a text on standard input."""

        def feed_text(text: str) -> None:
            stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
            monkeypatch.setattr(sys, "stdin", stream)

        return feed_text

    def test_fixed_text_goes_to_stdout(self, write, check, feed) -> None:
        write({})
        feed(SMELLY)
        assert check("--fix", "-", "--stdin-filename", "test_a.py").out == CLEAN

    def test_clean_text_comes_back(self, write, check, feed) -> None:
        write({})
        feed(CLEAN)
        assert check("--fix", "-", "--stdin-filename", "test_a.py").out == CLEAN

    def test_broken_text_comes_back(self, write, check, feed) -> None:
        write({})
        feed(BROKEN)
        assert check("--fix", "-", "--stdin-filename", "test_a.py").out == BROKEN


class TestBadInput:
    def test_read_only_file_is_left_and_named(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY})
        (folder / "test_a.py").chmod(0o444)
        ran = check("--fix")
        assert (ran.code, "test_a.py: not fixed: it is read-only" in ran.err) == (1, True)

    def test_others_go_on(self, write, check) -> None:
        folder = write({"test_a.py": SMELLY, "test_b.py": SMELLY, "test_c.py": BROKEN})
        (folder / "test_a.py").chmod(0o444)
        check("--fix")
        assert (folder / "test_b.py").read_text() == CLEAN

    def test_syntax_error_is_left_and_named(self, write, check) -> None:
        folder = write({"test_a.py": BROKEN})
        ran = check("--fix")
        found = (
            "test_a.py: not fixed: it does not parse" in ran.err,
            (folder / "test_a.py").read_text(),
        )
        assert found == (True, BROKEN)

    def test_file_that_changes_meanwhile_is_left_and_named(self, write, check, monkeypatch) -> None:
        from socrates.fixes import apply

        folder = write({"test_a.py": SMELLY})
        rounds = apply.fix_in_rounds

        def slow(*args, **options):
            (folder / "test_a.py").write_text(PAIR)
            return rounds(*args, **options)

        monkeypatch.setattr(apply, "fix_in_rounds", slow)
        ran = check("--fix")
        found = (
            "it changed while it was being checked" in ran.err,
            (folder / "test_a.py").read_text(),
        )
        assert found == (True, PAIR)

    @pytest.mark.parametrize(
        "flags",
        [
            pytest.param(["--unsafe-fixes"], id="unsafe fixes of what"),
            pytest.param(["--exit-non-zero-on-fix"], id="exit on which fix"),
            pytest.param(["--fix", "--statistics"], id="statistics of what"),
        ],
    )
    def test_flags_that_need_another(self, write, check, flags) -> None:
        write({"test_a.py": CLEAN})
        ran = check(*flags)
        assert (ran.code, ran.err.startswith("socrates: error: --")) == (2, True)


def test_partial_list_of_files_sees_the_rest_of_the_project(write, check) -> None:
    folder: Path = write(
        {
            "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 3\n",
            "tests/test_a.py": "def test_it(number):\n    assert True\n",
        }
    )
    check("--fix", "tests/test_a.py")
    assert (folder / "tests/test_a.py").read_text() == "def test_it():\n    assert True\n"
