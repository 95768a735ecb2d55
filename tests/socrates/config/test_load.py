"""Settings from files and flags."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates import registry
from socrates.config.load import Request, load_settings
from socrates.config.schema import SETTINGS
from socrates.errors import SocratesError
from socrates.findings import Severity
from socrates.plugins import Contributed, SettingsTable
from socrates.rule import Option, Rule
from socrates.settings import Settings


class Eager(Rule):
    """A rule with one option of each type."""

    code = "SOC102"
    name = "eager-test"
    summary = advice = "x"
    options = (
        Option("max", "int", 4, "How many."),
        Option("helpers", "list", (), "Which."),
        Option("deep", "bool", False, "Whether."),
        Option("style", "str", "plain", "How."),
    )

    def check(self, file):
        return ()


REGISTRY = registry.build([Contributed("p", Eager)])


def refuse(table):
    raise SocratesError("pykka: unknown key 'x'")


TABLES = [
    SettingsTable("amplify", "The amplifier.", (Option("budget", "int", 100, "Executions."),)),
    SettingsTable("picky", "Refuses everything.", validate=refuse),
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(*targets: str, config=(), isolated=False, **flags: object) -> Settings:
    named = {key.replace("_", "-"): value for key, value in flags.items()}
    return load_settings(Request(targets, config, isolated, named), REGISTRY, lambda: TABLES)


def write(folder: Path, text: str, name: str = "socrates.toml") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def failure(*targets: str, config=(), **flags: object) -> str:
    with pytest.raises(SocratesError) as caught:
        load(*targets, config=config, **flags)
    return str(caught.value)


def test_without_a_file_the_schema_gives_the_defaults(project: Path) -> None:
    settings = load()
    shown = {
        setting.key: getattr(settings, setting.field)
        for setting in SETTINGS
        if setting.type != "rules-by-pattern"
    }
    assert shown == {
        setting.key: Severity(setting.default) if setting.key in ("fail-on", "min-severity") else setting.default
        for setting in SETTINGS
        if setting.type != "rules-by-pattern"
    }  # fmt: skip


def test_every_key_can_be_set(project: Path) -> None:
    write(
        project,
        """
        select = ["SOC"]
        extend-select = ["SOC1"]
        ignore = ["syntax-error"]
        strict = true
        fail-on = "error"
        min-severity = "warning"
        output-format = "json"
        exclude = ["a"]
        extend-exclude = ["b"]
        respect-gitignore = false
        baseline = "base.json"
        cache-dir = ".c"
        jobs = 3
        parser = "libcst"
        [per-file-ignores]
        "tests/*" = ["SOC102"]
        [rules.eager-test]
        max = 1
        helpers = ["check_*"]
        deep = true
        style = "x"
        [amplify]
        budget = 5
        """,
    )
    assert load() == Settings(
        root=project,
        config_file=project / "socrates.toml",
        select=("SOC",),
        extend_select=("SOC1",),
        ignore=("syntax-error",),
        per_file_ignores=(("tests/*", ("SOC102",)),),
        strict=True,
        fail_on=Severity.ERROR,
        min_severity=Severity.WARNING,
        output_format="json",
        exclude=("a",),
        extend_exclude=("b",),
        respect_gitignore=False,
        baseline="base.json",
        cache_dir=".c",
        jobs=3,
        parser="libcst",
        rules={"eager-test": {"max": 1, "helpers": ("check_*",), "deep": True, "style": "x"}},
        tables={"amplify": {"budget": 5}},
    )


class TestWhichFile:
    def test_nearest_file_above_the_first_target_wins(self, project: Path) -> None:
        write(project, "strict = false")
        write(project / "sub", "strict = true")
        assert load("sub/test_a.py", "other").config_file == project / "sub" / "socrates.toml"

    def test_own_file_goes_before_pyproject_in_one_folder(self, project: Path) -> None:
        write(project, "[tool.socrates]\nstrict = false\n", "pyproject.toml")
        write(project, "strict = true")
        assert load().strict

    def test_pyproject_without_our_table_is_passed_over(self, project: Path) -> None:
        write(project, "[tool.socrates]\nstrict = true\n", "pyproject.toml")
        write(project / "sub", "[tool.other]\n", "pyproject.toml")
        assert load("sub").strict

    def test_empty_table_stops_the_search(self, project: Path) -> None:
        write(project, "[tool.socrates]\nstrict = true\n", "pyproject.toml")
        write(project / "sub", "[tool.socrates]\n", "pyproject.toml")
        assert not load("sub").strict

    def test_node_id_is_searched_from_its_file(self, project: Path) -> None:
        write(project / "sub", "strict = true")
        assert load("sub/test_a.py::test_b").strict

    def test_isolated_reads_no_file(self, project: Path) -> None:
        write(project, "strict = true")
        assert not load(isolated=True).strict

    def test_named_file_is_read_instead(self, project: Path) -> None:
        write(project, "strict = true")
        write(project, "jobs = 2", "other.toml")
        assert (load(config=["other.toml"]).strict, load(config=["other.toml"]).jobs) == (False, 2)

    def test_inline_setting_is_laid_over_the_file(self, project: Path) -> None:
        write(project, "strict = true\n[rules.eager-test]\nmax = 1\nstyle = 'x'")
        settings = load(config=["rules.eager-test.max = 7"])
        assert (settings.strict, settings.rules["eager-test"]) == (True, {"max": 7, "style": "x"})


class TestRoot:
    def test_is_the_folder_of_the_file(self, project: Path) -> None:
        write(project, "")
        (project / "sub").mkdir()
        write(project / "sub", "", "setup.cfg")
        assert load("sub").root == project

    def test_is_the_nearest_project_without_a_file(self, project: Path) -> None:
        write(project / "sub" / "tests", "")
        write(project / "sub", "", "pytest.ini")
        assert load("sub/tests", isolated=True).root == project / "sub"

    def test_is_not_the_folder_of_a_file_kept_elsewhere(self, project: Path) -> None:
        write(project / "shared", "")
        write(project / "app", "", "setup.cfg")
        assert load("app", config=["shared/socrates.toml"]).root == project / "app"

    def test_is_the_current_folder_when_nothing_marks_one(self, project: Path) -> None:
        assert load(isolated=True).root == project


class TestFlags:
    def test_flag_wins_over_the_file(self, project: Path) -> None:
        write(project, "fail-on = 'info'")
        assert load(fail_on="error").fail_on is Severity.ERROR

    def test_select_replaces_the_selection_of_the_file(self, project: Path) -> None:
        write(project, "select = ['SOC0']\nextend-select = ['SOC102']")
        settings = load(select=["SOC001"])
        assert (settings.select, settings.extend_select) == (("SOC001",), ())

    def test_extend_select_and_ignore_add_to_the_file(self, project: Path) -> None:
        write(project, "extend-select = ['SOC0']\nignore = ['SOC001']")
        settings = load(extend_select=["SOC102"], ignore=["SOC000"])
        assert (settings.extend_select, settings.ignore) == (
            ("SOC0", "SOC102"),
            ("SOC001", "SOC000"),
        )

    def test_selecting_what_the_file_ignores_brings_it_back(self, project: Path) -> None:
        write(project, "ignore = ['SOC102']")
        assert "SOC102" in REGISTRY.selected(load(select=["eager-test"]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "socrates.toml: unknown key 'selct'; did you mean 'select'?"),
        ("zzz = 1", "socrates.toml: unknown key 'zzz'; it takes amplify, baseline, "),
        ("strict = 1", "socrates.toml: strict: must be true or false, not 1"),
        ("jobs = 0", "socrates.toml: jobs: must be a whole number from 1, not 0"),
        ("parser = 'ast'", "socrates.toml: parser: 'ast' is not one of auto, libcst, python"),
        ("jobs = true", "socrates.toml: jobs: must be a whole number from 1, not true"),
        ("select = 'SOC1'", "socrates.toml: select: must be a list of rules, not 'SOC1'"),
        ("select = [1]", "socrates.toml: select: must be a list of rules, not a mixed list"),
        ("select = ['SOC12']", "socrates.toml: select: unknown rule 'SOC12'; did you mean 'SOC102'?"),
        ("fail-on = 'warn'", "socrates.toml: fail-on: 'warn' is not one of info, warning, error; did you mean 'warning'?"),
        ("baseline = ''", "socrates.toml: baseline: must be text, not ''"),
        ("per-file-ignores = []", "socrates.toml: per-file-ignores: must be a table of lists of rules, not a list"),
        ("[per-file-ignores]\na = 1", "socrates.toml: per-file-ignores.'a': must be a list of rules, not 1"),
        ("[per-file-ignores]\na = ['x']", "socrates.toml: per-file-ignores.'a': unknown rule 'x'"),
        ("rules = 1", "socrates.toml: [rules]: must be a table, not 1"),
        ("rules.eager-test = 1", "socrates.toml: [rules.eager-test]: must be a table, not 1"),
        ("amplify = 1", "socrates.toml: [amplify]: must be a table, not 1"),
        ("[rules.eger-test]", "socrates.toml: [rules]: unknown rule 'eger-test'; did you mean 'eager-test'?"),
        ("[rules.eager-test]\nmx = 1", "socrates.toml: [rules.eager-test]: unknown key 'mx'; did you mean 'max'?"),
        ("[rules.eager-test]\nmax = -1", "socrates.toml: [rules.eager-test] max: must be a whole number from 0, not -1"),
        ("[rules.syntax-error]\nx = 1", "socrates.toml: [rules.syntax-error]: unknown key 'x'; it takes no keys"),
        ("[amplify]\nbudgt = 1", "socrates.toml: [amplify]: unknown key 'budgt'; did you mean 'budget'?"),
        ("[picky]\na = 1", "socrates.toml: [picky] pykka: unknown key 'x'"),
        ("select = [", "socrates.toml: not valid TOML: "),
    ],
)  # fmt: skip
def test_mistake_in_a_file_is_told_in_one_line(project: Path, text: str, message: str) -> None:
    write(project, text)
    assert failure()[: len(message)] == message


@pytest.mark.parametrize(("length", "shown"), [(58, f"'{'x' * 58}'"), (59, f"'{'x' * 56}...")])
def test_long_value_is_cut(project: Path, length: int, shown: str) -> None:
    write(project, f"strict = '{'x' * length}'")
    assert failure().endswith(f"must be true or false, not {shown}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.socrates]\nstrct = 1", "[tool.socrates]: unknown key 'strct'; did you mean 'strict'?"),
        ("[tool.socrates]\nstrict = 1", "[tool.socrates] strict: must be true or false, not 1"),
        ("[tool.socrates.rules.eager-test]\nmax = ''", "[tool.socrates.rules.eager-test] max: must be a whole number from 0, not ''"),
        ("[tool]\nsocrates = 1", "[tool.socrates]: must be a table"),
    ],
)  # fmt: skip
def test_mistake_in_pyproject_names_the_table(project: Path, text: str, message: str) -> None:
    write(project, text, "pyproject.toml")
    assert failure() == f"pyproject.toml: {message}"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"config": ["missing.toml"]}, "--config: no file 'missing.toml'; "),
        ({"config": ["a.toml", "b.toml"]}, "--config: only one file can be given, not a.toml and b.toml"),
        ({"config": ["strict ="]}, "--config: 'strict =' is not valid TOML: "),
        ({"config": ["strct = true"]}, "--config: unknown key 'strct'; did you mean 'strict'?"),
        ({"config": ["strict = 1"]}, "--config: strict: must be true or false, not 1"),
        ({"select": ["nope"]}, "--select: unknown rule 'nope'"),
        ({"jobs": 0}, "--jobs: must be a whole number from 1, not 0"),
    ],
)  # fmt: skip
def test_mistake_in_a_flag_names_the_flag(project: Path, flags, message: str) -> None:
    assert failure(**flags)[: len(message)] == message


def test_file_that_is_not_utf8_is_named(project: Path) -> None:
    (project / "socrates.toml").write_bytes(b"# caf\xe9\n")
    assert failure() == "socrates.toml: not UTF-8 text (byte 5)"


def test_file_that_is_nested_too_deeply_is_named(project: Path) -> None:
    write(project, "a = " + "[" * 50_000)
    assert failure() == "socrates.toml: not valid TOML: nested too deeply"


def test_byte_order_mark_is_no_mistake(project: Path) -> None:
    (project / "socrates.toml").write_bytes(b"\xef\xbb\xbfstrict = true\n")
    assert load().strict
