"""``socrates check`` on small projects, with the real engine and the real rules."""

from __future__ import annotations

import io
import json
import sys

import pytest

CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
INFO = """\
def test_pair():
    pair = (1, 2)
    assert pair[0] == 1
    assert pair[1] == 2
"""
WARNING = "def test_sum():  # socrates: ignore\n    assert sum([1, 2]) == 3\n"
ERROR = "def test_sum(:\n"


def codes(ran) -> list[str]:
    return [finding["code"] for finding in json.loads(ran.out)]


@pytest.fixture
def check(run):
    """Run ``socrates check --output-format json ARGS``."""
    return lambda *args: run("check", "--no-cache", "--output-format", "json", *args)


class TestExitCode:
    @pytest.mark.parametrize(
        ("source", "flags", "expected"),
        [
            pytest.param(CLEAN, [], 0, id="clean"),
            pytest.param(INFO, [], 0, id="info does not fail"),
            pytest.param(WARNING, [], 1, id="warning fails"),
            pytest.param(ERROR, [], 1, id="error fails"),
            pytest.param(INFO, ["--fail-on", "info"], 1, id="fail on info"),
            pytest.param(WARNING, ["--fail-on", "error"], 0, id="fail on error"),
            pytest.param(WARNING, ["--exit-zero"], 0, id="exit zero"),
            pytest.param(INFO, ["--strict"], 1, id="strict raises info"),
            pytest.param(WARNING, ["--strict", "--ignore", "SOC001"], 0, id="ignored"),
            pytest.param(INFO, ["--strict", "--min-severity", "error"], 0, id="not shown"),
        ],
    )
    def test_follows_severity(self, write, check, source, flags, expected) -> None:
        write({"test_a.py": source})
        assert check(*flags).code == expected

    def test_no_tests_is_a_warning_only(self, write, check) -> None:
        write({"readme.txt": ""})
        ran = check()
        assert (ran.code, ran.out, ran.err) == (
            0,
            "[]\n",
            "socrates: warning: no tests found. Looked for files named test_*.py, *_test.py or test*.py "
            "in this folder.\n",
        )

    def test_quiet_does_not_warn_about_no_tests(self, write, check) -> None:
        write({"readme.txt": ""})
        assert check("-q").err == ""


class TestSelection:
    @pytest.fixture(autouse=True)
    def _project(self, write) -> None:
        write({"test_a.py": INFO, "sub/test_b.py": WARNING, "sub/test_c.py": INFO})

    @pytest.mark.parametrize(
        ("flags", "expected"),
        [
            ([], ["SOC001", "SOC101", "SOC101"]),
            (["--select", "SOC0"], ["SOC001"]),
            (["--select", "SOC0,assertion-roulette"], ["SOC001", "SOC101", "SOC101"]),
            (["--select", "SOC001", "--select", "SOC101"], ["SOC001", "SOC101", "SOC101"]),
            (["--select", "SOC0", "--extend-select", "SOC101"], ["SOC001", "SOC101", "SOC101"]),
            (["--ignore", "SOC101"], ["SOC001"]),
            (["--per-file-ignores", "sub/*:SOC101,SOC001"], ["SOC101"]),
            (["--per-file-ignores", "sub:SOC1,test_a.py:SOC101"], ["SOC001"]),
            (["--min-severity", "warning"], ["SOC001"]),
            (["--exclude", "sub"], ["SOC101"]),
        ],
    )  # fmt: skip
    def test_flags_choose_findings(self, check, flags, expected) -> None:
        assert sorted(codes(check("--isolated", *flags))) == expected

    @pytest.mark.parametrize(
        ("paths", "expected"),
        [
            (["test_a.py"], ["SOC101"]),
            (["sub"], ["SOC001", "SOC101"]),
            (["test_a.py", "sub/test_b.py", "sub/test_b.py"], ["SOC001", "SOC101"]),
            (["sub/test_c.py::test_pair"], ["SOC101"]),
        ],
    )
    def test_paths_choose_files(self, check, paths, expected) -> None:
        assert sorted(codes(check(*paths))) == expected

    def test_strict_raises_the_severity_that_is_shown(self, check) -> None:
        [finding] = json.loads(check("--strict", "test_a.py").out)
        assert finding["severity"] == "warning"

    def test_names_are_relative_to_the_project(self, check, monkeypatch) -> None:
        monkeypatch.chdir("sub")
        [finding] = json.loads(check("test_c.py").out)
        assert finding["test"] == "sub/test_c.py::test_pair"

    def test_settings_of_the_project_are_used(self, write, check) -> None:
        write({"socrates.toml": 'ignore = ["SOC101"]'})
        assert codes(check()) == ["SOC001"]

    def test_rule_options_are_used(self, check) -> None:
        option = "rules.assertion-roulette = {max-unexplained = 1, max-looks = 0}"
        ran = check("--config", option, "test_a.py")
        assert json.loads(ran.out)[0]["severity"] == "warning"

    def test_testpaths_of_pytest_are_the_default(self, write, check) -> None:
        write({"pytest.ini": "[pytest]\ntestpaths = sub\n"})
        assert sorted(codes(check())) == ["SOC001", "SOC101"]


class TestStdin:
    @pytest.fixture
    def stdin(self, monkeypatch):
        """Put text on standard input."""

        def put(text: str) -> None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

        return put

    def test_is_checked_under_the_name_given(self, write, check, stdin) -> None:
        write({})
        stdin(INFO)
        [finding] = json.loads(check("-", "--stdin-filename", "tests/test_x.py").out)
        assert finding["filename"] == "tests/test_x.py"

    def test_needs_no_name(self, write, check, stdin) -> None:
        write({})
        stdin(WARNING)
        assert codes(check("-")) == ["SOC001"]

    def test_code_frame_shows_what_came_in_not_the_file(self, write, run, stdin) -> None:
        write({"test_x.py": CLEAN})
        stdin(INFO)
        ran = run("check", "-", "--strict", "--stdin-filename", "test_x.py")
        assert "def test_pair" in ran.out

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["-", "a.py"], "PATH: `-` reads standard input and goes with no other path"),
            (["a.py", "--stdin-filename", "b.py"], "--stdin-filename: needs `-` as the path"),
            (["-", "--stdin-filename", "."], "--stdin-filename: '.' is not the name of a file"),
        ],
    )
    def test_misuse_is_told(self, write, run, stdin, args, message) -> None:
        write({})
        stdin("")
        ran = run("check", *args)
        assert (ran.code, ran.err) == (2, f"socrates: error: {message}\n")


class TestOutput:
    def test_file_gets_the_report_and_stdout_nothing(self, write, check) -> None:
        root = write({"test_a.py": INFO})
        ran = check("--output-file", "out.json")
        written = json.loads((root / "out.json").read_text())
        assert (ran.out, [finding["code"] for finding in written]) == ("", ["SOC101"])

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("missing/out.json", "the folder of missing/out.json does not exist; make it first"),
            (".", ". is a folder; give a file"),
            ("/dev/full", "cannot write /dev/full: No space left on device"),
        ],
    )
    def test_file_that_cannot_be_written_is_named(self, write, check, name, message) -> None:
        write({"test_a.py": INFO})
        ran = check("--output-file", name)
        assert (ran.code, ran.err) == (2, f"socrates: error: --output-file: {message}\n")

    def test_quiet_prints_findings_without_a_summary(self, write, run) -> None:
        write({"test_a.py": INFO})
        ran = run("check", "--quiet", "--output-format", "concise")
        assert [line.split()[1] for line in ran.out.splitlines()] == ["SOC101"]

    def test_verbose_tells_settings_and_counts_on_stderr(self, write, run) -> None:
        root = write({"test_a.py": INFO})
        ran = run("check", "--verbose", "--no-cache")
        assert f"settings: {root / 'socrates.toml'}" in ran.err
        assert "1 files (0 from the cache), 1 tests, 1 findings" in ran.err

    def test_statistics_print_the_spread(self, write, run) -> None:
        write({"test_a.py": INFO, "test_b.py": CLEAN})
        ran = run("check", "--statistics")
        [line] = [line for line in ran.out.splitlines() if line.startswith("SOC101")]
        assert line.count("1/2") == 2

    def test_show_files_lists_them_and_stops(self, write, run) -> None:
        write({"test_a.py": ERROR, "sub/test_b.py": CLEAN, "helper.py": ""})
        ran = run("check", "--show-files")
        assert (ran.code, ran.out.splitlines()) == (0, ["sub/test_b.py", "test_a.py"])

    def test_show_settings_prints_what_is_in_force(self, write, run) -> None:
        write({"socrates.toml": 'fail-on = "error"\n'})
        ran = run("check", "--show-settings", "--strict")
        assert {'fail-on = "error"', "strict = true"} <= set(ran.out.splitlines())

    def test_shown_settings_can_be_pasted_into_a_file(self, write, run) -> None:
        write({"socrates.toml": 'jobs = 2\n[per-file-ignores]\n"a b/*" = ["SOC1"]\n'})
        first = run("check", "--show-settings").out
        root = write({"pyproject.toml": first})
        (root / "socrates.toml").unlink()
        second = run("check", "--show-settings").out
        assert second.replace("pyproject.toml", "socrates.toml") == first


class TestColor:
    @pytest.mark.parametrize(
        ("flags", "environment", "colored"),
        [
            ([], {}, False),
            (["--color", "always"], {}, True),
            (["--color", "always"], {"NO_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
            (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ],
    )
    def test_flag_then_environment_then_terminal(
        self, write, run, monkeypatch, flags, environment, colored
    ) -> None:
        write({"test_a.py": INFO})
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert ("\x1b[" in run("check", *flags).out) is colored


class TestMistakes:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["check", "nope"], "socrates: error: nope: no such file or folder; "),
            (["check", "x" * 5000], "socrates: error: xxx"),
            (["check", "test_a.py::test_x"], "socrates: error: test_a.py::test_x: no such "),
            (["check", "--selct", "x"], "socrates: error: unknown argument '--selct'; did you mean '--select'?"),
            (["check", "--fail-on", "warn"], "socrates check: error: argument --fail-on: invalid choice: 'warn'"),
            (["check", "--select", "SOC10l"], "socrates: error: --select: unknown rule 'SOC10l'; did you mean 'SOC101'?"),
            (["check", "--jobs", "x"], "socrates check: error: argument --jobs/-j: invalid int value: 'x'"),
            (["check", "--parser", "ast"], "socrates check: error: argument --parser: invalid choice: 'ast'"),
            (["check", "--jobs", "0"], "socrates: error: --jobs: must be a whole number from 1, not 0"),
            (["check", "--per-file-ignores", "a"], "socrates: error: --per-file-ignores: 'a' is not GLOB:RULES"),
            (["check", "--per-file-ignores", "a:"], "socrates: error: --per-file-ignores: 'a:' is not GLOB:RULES"),
            (["check", "-q", "-v"], "socrates check: error: argument --verbose/-v: not allowed with argument --quiet/-q"),
            (["chekc"], "socrates: error: argument COMMAND: invalid choice: 'chekc'"),
        ],
    )  # fmt: skip
    def test_end_with_one_line_and_two(self, write, run, args, message) -> None:
        write({})
        ran = run(*args)
        assert (ran.code, ran.err[: len(message)], ran.err.count("\n")) == (2, message, 1)

    def test_node_id_of_a_broken_file_is_no_mistake(self, write, run) -> None:
        write({"test_a.py": "def test_x(:\n"})
        ran = run("check", "test_a.py::test_x")
        assert (ran.code, "SOC000" in ran.out, ran.err) == (1, True, "")

    def test_no_command_prints_the_help(self, run) -> None:
        ran = run()
        assert (ran.code, ran.err.splitlines()[0]) == (
            2,
            "usage: socrates [-h] [--version] COMMAND ...",
        )
