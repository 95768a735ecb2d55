"""``socrates rule``, ``socrates config`` and ``socrates completion``."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from socrates import registry


class TestRule:
    @pytest.mark.parametrize("word", ["SOC101", "soc101", "assertion-roulette"])
    def test_is_found_by_code_and_name(self, run, word: str) -> None:
        ran = run("rule", word)
        assert (ran.code, ran.out.splitlines()[0]) == (0, "# assertion-roulette (SOC101)")

    def test_text_has_every_section(self, run) -> None:
        headings = [
            line for line in run("rule", "SOC101").out.splitlines() if line.startswith("## ")
        ]
        assert headings == [
            "## What it does",
            "## Why is this bad",
            "## Example",
            "## Use instead",
            "## The way out",
            "## Options",
            "## Reported",
            "## Not reported",
        ]

    def test_json_of_one_is_an_object(self, run) -> None:
        data = json.loads(run("rule", "SOC101", "--output-format", "json").out)
        assert (data["code"], "Example" in data["sections"]) == ("SOC101", True)

    def test_json_of_all_is_a_list_of_every_rule(self, run) -> None:
        data = json.loads(run("rule", "--all", "--output-format", "json").out)
        assert [rule["code"] for rule in data] == list(registry.installed().rules)

    def test_color_renders_the_page(self, run) -> None:
        out = run("rule", "SOC101", "--color", "always").out
        assert "\x1b[" in out
        assert "```" not in out

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["SOC11"], "unknown rule 'SOC11'; did you mean 'SOC101'?"),
            ([], "rule: give a code or a name, or --all"),
            (["SOC101", "--all"], "rule: give a code or a name, or --all"),
        ],
    )
    def test_mistake_is_told(self, run, args: list[str], message: str) -> None:
        ran = run("rule", *args)
        assert (ran.code, ran.err) == (2, f"socrates: error: {message}\n")


class TestConfig:
    def test_lists_every_setting(self, run) -> None:
        keys = {item["key"] for item in json.loads(run("config", "--output-format", "json").out)}
        assert {"select", "jobs", "rules.assertion-roulette.max-unexplained"} <= keys

    def test_one_key(self, run) -> None:
        assert run("config", "fail-on").out == (
            "fail-on\n"
            "    The lowest severity that makes the command exit with 1.\n"
            '    type: one of "info", "warning", "error"\n'
            '    default: "warning"\n'
        )

    def test_table_lists_what_is_below_it(self, run) -> None:
        data = json.loads(run("config", "rules.assertion-roulette", "--output-format", "json").out)
        assert all(item["key"].startswith("rules.assertion-roulette.") for item in data)

    def test_unknown_key_is_told(self, run) -> None:
        ran = run("config", "fial-on")
        assert (ran.code, ran.err) == (
            2,
            "socrates: error: config: unknown key 'fial-on'; did you mean 'fail-on'?\n",
        )


class TestCompletion:
    @pytest.fixture
    def complete(self, run, write):
        """Ask a real bash what it would offer after some words."""
        write({"tests/test_x.py": ""})
        script = run("completion", "bash").out
        bash = shutil.which("bash")

        def ask(*words: str) -> list[str]:
            line = " ".join(f"'{word}'" for word in ("socrates", *words))
            probe = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _socrates\n"
            ran = subprocess.run(
                [bash, "--norc", "-c", script + probe + 'printf "%s\\n" "${COMPREPLY[@]}"'],
                capture_output=True,
                text=True,
                check=True,
                timeout=120,
            )
            return sorted(ran.stdout.split())

        return ask

    @pytest.mark.parametrize(
        ("words", "offered"),
        [
            pytest.param(["ch"], ["check"], id="command"),
            pytest.param(["--v"], ["--version"], id="flag of the top"),
            pytest.param(["check", "--show-f"], ["--show-files", "--show-fixes"], id="flag"),
            pytest.param(["check", "--fail-on", ""], ["error", "info", "warning"], id="choices"),
            pytest.param(["check", "--select", "assertion-"], ["assertion-roulette"], id="rules"),
            pytest.param(["check", "tests/te"], ["tests/test_x.py"], id="path"),
            pytest.param(["check", "--output-file", "tes"], ["tests"], id="path of a flag"),
            pytest.param(["rule", "unused"], ["unused-suppression"], id="rule to explain"),
            pytest.param(["completion", "z"], ["zsh"], id="positional choice"),
        ],
    )
    def test_bash(self, complete, words: list[str], offered: list[str]) -> None:
        assert complete(*words) == offered

    def test_every_flag_of_check_is_in_every_script(self, run) -> None:
        scripts = [run("completion", shell).out for shell in ("bash", "zsh", "fish")]
        assert [script.count("per-file-ignores") > 0 for script in scripts] == [True] * 3

    @pytest.fixture(params=["bash", "zsh", "fish"])
    def syntax_check(self, request, run, tmp_path):
        """What a real shell says about the syntax of its script."""
        if shutil.which(request.param) is None:
            pytest.skip(f"{request.param} is not installed")
        script = tmp_path / "completion"
        script.write_text(run("completion", request.param).out)
        return subprocess.run(
            [request.param, "-n", str(script)], capture_output=True, text=True, timeout=120
        )

    def test_script_is_valid_where_the_shell_is_installed(self, syntax_check) -> None:
        assert (syntax_check.returncode, syntax_check.stderr) == (0, "")
