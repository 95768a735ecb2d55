"""Settings of a project that nobody vouches for: one line, at once, whatever they hold."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from socrates.config.find import nearest_config
from socrates.discovery import pytest_config
from socrates.errors import SocratesError
from socrates.files.reading import LARGEST_RESULTS, LARGEST_SETTINGS
from socrates.session import default_targets, prepare

N = LARGEST_SETTINGS - 100
TOML = {
    "dotted key": ".".join(["a"] * (N // 2)) + " = 1",
    "dotted key with spaces": " . ".join(["a"] * (N // 4)) + " = 1",
    "quoted dotted key": ".".join(['"a"'] * (N // 4)) + " = 1",
    "dotted table": "[" + ".".join(["a"] * (N // 2)) + "]",
    "nested arrays": "a = " + "[" * N,
    "nested tables": "a = " + "{b = " * (N // 5),
    "long number": "a = 1" + "0" * N,
    "many tables": "\n".join(f"[t{number}]" for number in range(10_000)),
    "one long string": f"a = '{'b.' * (N // 3)}'",
}
INI = {
    "spaces": "[pytest]\na" + " " * N + "b",
    "bad lines": "[pytest]\n" + "x\n" * (N // 3),
    "one long word": "[pytest]\naddopts = " + "a" * N,
    "open quote": '[pytest]\naddopts = "' + "a" * N,
    "brackets": "[" * N,
    "continued lines": "[pytest]\naddopts =\n" + " a\n" * (N // 4),
}
SECONDS = 20


@pytest.fixture
def in_time():
    """Fails when the test takes long; what hangs takes minutes."""
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", TOML)
def test_toml_is_read_or_refused_in_time(tmp_path: Path, name: str) -> None:
    (tmp_path / "socrates.toml").write_text(TOML[name], "utf-8")
    (tmp_path / "pyproject.toml").write_text(TOML[name], "utf-8")
    with pytest.raises(SocratesError, match=r"socrates\.toml: ") as caught:
        prepare(cwd=tmp_path)
    assert "\n" not in str(caught.value)
    assert pytest_config.load(tmp_path).testpaths == ()


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", INI)
@pytest.mark.parametrize("file", ["pytest.ini", "tox.ini", "setup.cfg"])
def test_ini_is_read_or_passed_by_in_time(tmp_path: Path, name: str, file: str) -> None:
    text = INI[name].replace("[pytest]", "[tool:pytest]" if file == "setup.cfg" else "[pytest]")
    (tmp_path / file).write_text(text, "utf-8")
    assert pytest_config.load(tmp_path).python_functions == ("test",)


SPOILED: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "link to itself": lambda path: path.symlink_to(path.name),
    "too large": lambda path: path.write_bytes(b"#" * (LARGEST_SETTINGS + 1)),
    "not UTF-8": lambda path: path.write_bytes(b"\xff\xfe"),
    "empty": lambda path: path.touch(),
}


@pytest.mark.parametrize("spoil", SPOILED)
@pytest.mark.parametrize(
    "name", ["pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]
)
def test_configuration_of_pytest_that_is_not_read_is_passed_by(
    tmp_path: Path, name: str, spoil: str
) -> None:
    SPOILED[spoil](tmp_path / name)
    assert pytest_config.load(tmp_path).python_functions == ("test",)


@pytest.mark.parametrize("spoil", ["pipe", "device", "folder", "link to itself"])
@pytest.mark.parametrize("name", ["socrates.toml", "pyproject.toml"])
def test_settings_that_are_no_file_are_passed_by(tmp_path: Path, name: str, spoil: str) -> None:
    SPOILED[spoil](tmp_path / name)
    assert nearest_config(tmp_path) is None


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("too large", "cannot be read: it has 1.0 MB, and at most 1 MB are read"),
        ("not UTF-8", "not UTF-8 text"),
    ],
)
@pytest.mark.parametrize("name", ["socrates.toml", "pyproject.toml"])
def test_settings_that_can_not_be_read_are_one_line(
    tmp_path: Path, name: str, spoil: str, message: str
) -> None:
    SPOILED[spoil](tmp_path / name)
    with pytest.raises(SocratesError, match=message):
        nearest_config(tmp_path)


class TestBaseline:
    @pytest.mark.parametrize(
        ("spoil", "message"),
        [
            ("pipe", "cannot be read: it is not a regular file"),
            ("device", "cannot be read: it is not a regular file"),
            ("folder", "cannot be read: it is a folder"),
            ("not UTF-8", "it is not JSON"),
            ("empty", "it is not JSON"),
        ],
    )
    def test_file_that_is_not_read_is_one_line(
        self, tmp_path: Path, spoil: str, message: str
    ) -> None:
        from socrates import baseline

        SPOILED[spoil](tmp_path / "base.json")
        with pytest.raises(SocratesError, match=f"baseline base.json: {message}"):
            baseline.load(tmp_path / "base.json", "base.json")

    def test_file_that_is_too_large_is_one_line(self, tmp_path: Path) -> None:
        from socrates import baseline

        with (tmp_path / "base.json").open("wb") as stream:
            stream.truncate(LARGEST_RESULTS + 1)
        with pytest.raises(SocratesError, match="at most 64 MB are read"):
            baseline.load(tmp_path / "base.json", "base.json")

    @pytest.mark.parametrize("value", ["[" * 100_000, '{"a":' * 100_000, "1" * 10_000, "NaN"])
    def test_json_that_is_no_baseline_is_one_line(self, tmp_path: Path, value: str) -> None:
        from socrates import baseline

        (tmp_path / "base.json").write_text(value, "utf-8")
        with pytest.raises(SocratesError, match="write it anew"):
            baseline.load(tmp_path / "base.json", "base.json")


class TestTestpaths:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        """Two packages with tests, six folders deep."""
        root = tmp_path / "project"
        for name in ("one", "two"):
            (root / name / "tests" / "a" / "b" / "c" / "d").mkdir(parents=True)
        return root

    @pytest.fixture
    def targets(self, project: Path):
        """What is checked with some ``testpaths``."""

        def of(*patterns: str) -> tuple[str, ...]:
            table = f"[tool.pytest.ini_options]\ntestpaths = {json.dumps(patterns)}\n"
            (project / "pyproject.toml").write_text(table, "utf-8")
            return default_targets(project)

        return of

    @pytest.mark.parametrize(
        ("pattern", "found"),
        [
            ("one/tests", ("one/tests",)),
            ("*/tests", ("one/tests", "two/tests")),
            ("**/c", ("one/tests/a/b/c", "two/tests/a/b/c")),
            ("one/tests/a/b/c/**", ("one/tests/a/b/c", "one/tests/a/b/c/d")),
            ("t?o", ("two",)),
            ("nowhere", (".",)),
            ("nowhere/*", (".",)),
        ],
    )
    def test_patterns_name_what_pytest_would_collect(self, targets, pattern: str, found) -> None:
        assert targets(pattern) == found

    @pytest.mark.usefixtures("in_time")
    @pytest.mark.parametrize(
        "pattern", ["**/" * 40 + "x", "*/../" * 30 + "x", "**/*" * 20, "*/" * 200, "a*" * 500 + "b"]
    )
    def test_no_pattern_takes_for_ever(self, targets, pattern: str) -> None:
        assert targets(pattern) == (".",)

    @pytest.mark.usefixtures("in_time")
    @pytest.mark.parametrize("pattern", ["..", "../..", "../*/..", "../" * 60, "/", "/*", "../**"])
    def test_folders_above_the_project_are_not_walked(self, targets, pattern: str) -> None:
        assert targets(pattern) == (".",)

    def test_folder_beside_the_project_may_be_named(self, targets, project: Path) -> None:
        (project.parent / "beside").mkdir()
        assert targets("../beside") == ("../beside",)


def test_link_to_a_folder_above_is_not_walked(tmp_path: Path) -> None:
    from socrates.engine.run import list_files

    root = tmp_path / "project"
    (root / "inner").mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (tmp_path / "beside").mkdir()
    for folder in (root, tmp_path / "beside"):
        (folder / "test_a.py").touch()
    for name, target in (("up", ".."), ("all", "/"), ("self", "."), ("inner/up", "../..")):
        (root / name).symlink_to(target, target_is_directory=True)
    (root / "beside").symlink_to(tmp_path / "beside", target_is_directory=True)
    session = prepare(cwd=root)
    assert list_files(["."], session.settings, root) == ["beside/test_a.py", "test_a.py"]
