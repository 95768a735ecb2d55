"""``socrates init`` in small projects: what it writes, and what it leaves alone."""

from __future__ import annotations

import io
import tomllib

import pytest

from socrates import __version__
from socrates.cli import main
from socrates.init import hook

CLEAN = "def test_sum():\n    assert sum([1, 2]) == 3\n"
SMELLY = "def test_sum_{n}():  # socrates: ignore\n    assert sum([1, {n}]) == {n} + 1\n"
PYPROJECT = '[project]\nname = "shop"\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Write the files of a git repository and make it the current folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)

    def write(files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path

    return write


@pytest.fixture
def settings(tmp_path):
    """The section that was written to pyproject.toml."""
    return lambda: tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["socrates"]


def test_section_goes_to_the_end_of_pyproject(project, settings):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert (folder / "pyproject.toml").read_text().startswith(PYPROJECT)
    assert settings()["fail-on"] == "warning"


def test_own_file_where_there_is_no_pyproject(project):
    folder = project({"setup.cfg": "", "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert tomllib.loads((folder / "socrates.toml").read_text())["fail-on"] == "warning"


@pytest.mark.parametrize("text", [pytest.param(CLEAN, id="clean"), pytest.param("", id="empty")])
def test_strict_is_offered_and_never_set(project, settings, text):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": text})
    main(["init", "--yes"])
    offered = "# strict = true\n" in (folder / "pyproject.toml").read_text()
    assert (offered, "strict" in settings()) == (True, False)


def test_written_settings_are_valid(project):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert main(["check", "--no-cache", "-q"]) == 0


def test_line_ends_stay(project):
    folder = project({"pyproject.toml": PYPROJECT.replace("\n", "\r\n"), "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert b"\n" not in (folder / "pyproject.toml").read_bytes().replace(b"\r\n", b"")


def test_nothing_is_written_without_a_yes(project, capsys):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    assert main(["init"]) == 0
    assert (folder / "pyproject.toml").read_text() == PYPROJECT
    assert "+[tool.socrates]" in capsys.readouterr().out, "what would be written is shown"


@pytest.mark.parametrize(
    ("answer", "written"),
    [pytest.param("y\n", True, id="yes"), pytest.param("\n", False, id="enter")],
)
def test_person_is_asked(project, monkeypatch, answer, written):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    main(["init"])
    assert ("[tool.socrates]" in (folder / "pyproject.toml").read_text()) is written


def test_folder_that_belongs_to_no_project_is_its_own(tmp_path, tmp_path_factory, monkeypatch):
    (tmp_path / "test_a.py").write_text(CLEAN)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    main(["init", "--yes", str(tmp_path)])
    assert (tmp_path / "socrates.toml").exists()


def test_hook_belongs_to_the_top_of_the_repository(project, capsys):
    folder = project({"shop__pyproject.toml": PYPROJECT, "shop__test_a.py": CLEAN})
    main(["init", "--yes", "shop"])
    assert not (folder / "shop" / ".pre-commit-config.yaml").exists()
    assert str(folder / ".pre-commit-config.yaml") in capsys.readouterr().out


def test_missing_folder_is_one_line(project, capsys):
    project({})
    assert main(["init", "gone"]) == 2
    assert capsys.readouterr().err == "socrates: error: init: gone: no such folder\n"


def test_second_run_writes_nothing(project, capsys):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes"])
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    capsys.readouterr()
    main(["init", "--yes"])
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before
    assert "Nothing to write." in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", [pytest.param("pyproject.toml", id="table"), pytest.param("socrates.toml", id="file")]
)
def test_settings_that_are_there_are_left_alone(project, name):
    text = "[tool.socrates]\nstrict = true\n" if name == "pyproject.toml" else "strict = true\n"
    folder = project({name: text, "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert (folder / name).read_text() == text


def test_many_findings_go_into_a_baseline(project, settings):
    tests = "\n\n".join(SMELLY.format(n=n) for n in range(12))
    project({"pyproject.toml": PYPROJECT, "test_a.py": tests})
    main(["init", "--yes"])
    assert settings()["baseline"] == ".socrates-baseline.json"
    assert main(["check", "--no-cache", "-q"]) == 0


def test_few_findings_stay_to_be_mended(project, settings):
    project({"pyproject.toml": PYPROJECT, "test_a.py": SMELLY.format(n=1)})
    main(["init", "--yes"])
    assert "baseline" not in settings()


def test_tests_of_the_world_may_reach_for_it(project, settings):
    project({"pyproject.toml": PYPROJECT, "tests__integration__test_a.py": CLEAN})
    main(["init", "--yes"])
    assert settings()["per-file-ignores"] == {"tests/integration/*": ["mystery-guest"]}


@pytest.mark.parametrize("need", ["Pykka>=4.0", "requests"])
def test_framework_that_can_be_amplified_is_named(project, settings, need):
    project({"pyproject.toml": f'{PYPROJECT}dependencies = ["{need}"]\n', "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert settings()["amplify"] == {}


@pytest.mark.parametrize(
    "needs",
    [
        pytest.param('dependencies = ["coverage", "ray"]', id="what only our extras are for"),
        pytest.param('[dependency-groups]\ndev = ["pytest"]', id="a group called like our extra"),
    ],
)
def test_nothing_to_amplify_is_not_mentioned(project, settings, needs):
    project({"pyproject.toml": f"{PYPROJECT}{needs}\n", "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert "amplify" not in settings()


def test_hook_file_is_made(project):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes"])
    assert (folder / ".pre-commit-config.yaml").read_text() == hook.new_file(None), (
        "of a clone, which pre-commit can't install"
    )


def test_no_hook_on_request(project):
    folder = project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes", "--no-pre-commit"])
    assert not (folder / ".pre-commit-config.yaml").exists()


def test_broken_pyproject_is_one_line(project, capsys):
    project({"pyproject.toml": "[project\n", "test_a.py": CLEAN})
    assert main(["init", "--yes"]) == 2
    assert capsys.readouterr().err.startswith("socrates: error: pyproject.toml: not valid TOML")


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        pytest.param(None, f"socrates-lint=={__version__}", id="from an index"),
        pytest.param('{"url": "file:///x", "dir_info": {}}', None, id="from a clone"),
        pytest.param(
            '{"url": "https://example.org/s", "vcs_info": {"vcs": "git", "commit_id": "12ab"}}',
            "socrates-lint @ git+https://example.org/s@12ab",
            id="from a repository",
        ),
        pytest.param("{", None, id="unreadable"),
    ],
)
def test_hook_installs_the_socrates_that_wrote_it(direct_url, expected):
    assert hook.requirement(direct_url) == expected


@pytest.mark.parametrize(
    ("needs", "line"),
    [
        pytest.param("x==1", '        additional_dependencies: ["x==1"]\n', id="installable"),
        pytest.param(None, "        language: system  # the `socrates` of", id="not installable"),
    ],
)
def test_hook_says_where_its_command_comes_from(needs, line):
    assert line in hook.new_file(needs)


class TestAddedHook:
    """Our stanza in a file that has others."""

    OTHERS = "repos:\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n      - id: x\n"

    def test_goes_behind_the_last_one(self):
        assert hook.added_to(self.OTHERS) == self.OTHERS + hook.new_file().partition("\n")[2]

    def test_takes_their_indentation(self):
        flat = "repos:\n- repo: https://example.org/x\n  rev: v1\n  hooks:\n  - id: x\n"
        assert "\n- repo: local\n  hooks:\n" in hook.added_to(flat)

    def test_keys_behind_the_list_stay_behind_it(self):
        text = hook.added_to(self.OTHERS + "\nci:\n  skip: [x]\n")
        assert text.index("socrates-check") < text.index("ci:")

    def test_line_ends_stay(self):
        text = hook.added_to(self.OTHERS.replace("\n", "\r\n"))
        assert "\n" not in text.replace("\r\n", "")

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("repos: [{repo: meta, hooks: []}]\n", id="in one line"),
            pytest.param("minimum_pre_commit_version: '3'\n", id="no list"),
        ],
    )
    def test_file_of_another_style_is_left_alone(self, text):
        assert hook.added_to(text) is None


def told(capsys, *args):
    """Exit code, standard output and standard error of ``socrates init``."""
    code = main(["init", *args])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_what_was_written_is_named(project, capsys):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    code, lines, said = told(capsys, "--yes", "--no-pre-commit")
    assert (code, lines[-1], said) == (0, "wrote pyproject.toml", "")


def test_without_a_terminal_it_says_how_to_write(project, capsys):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    said = told(capsys, "--no-pre-commit")[2]
    assert said == "socrates: nothing written; `socrates init --yes` writes pyproject.toml\n"


def test_second_time_there_is_nothing_to_write(project, capsys):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    main(["init", "--yes"])
    capsys.readouterr()
    code, lines, _ = told(capsys, "--yes")
    assert (code, lines[-1]) == (0, "Nothing to write.")


def test_change_is_shown_as_a_diff(project, capsys):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    lines = told(capsys, "--no-pre-commit")[1]
    assert [line for line in lines if line.startswith(("---", "+++"))] == [
        "--- a/pyproject.toml",
        "+++ b/pyproject.toml",
    ]


def test_new_file_is_a_diff_against_nothing(project, capsys):
    project({"setup.cfg": "", "test_a.py": CLEAN})
    assert "--- /dev/null" in told(capsys, "--no-pre-commit")[1]


def test_lines_that_stay_are_shown_as_such(project, capsys):
    project({"pyproject.toml": PYPROJECT, "test_a.py": CLEAN})
    lines = told(capsys, "--no-pre-commit")[1]
    assert (' name = "shop"' in lines, [line for line in lines if line.startswith("-")]) == (
        True,
        ["--- a/pyproject.toml"],
    )
