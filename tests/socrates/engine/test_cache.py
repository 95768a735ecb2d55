"""The cache: right after any change, and worth nothing to somebody who tampers with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from socrates import registry
from socrates.engine.cache import code_files
from socrates.engine.run import check
from socrates.findings import CheckResult
from socrates.settings import Settings

Check = Callable[..., CheckResult]


@pytest.fixture
def warm(project: Path, checked: Check, smelly: str) -> Path:
    """A project that was checked once with the cache on; the folder of the cache."""
    (project / "test_one.py").write_text(smelly, "utf-8")
    (project / "test_two.py").write_text(
        "import helpers\n\n\ndef test_two():\n    helpers.verify(1)\n    helpers.verify(2)\n",
        "utf-8",
    )
    (project / "tests").mkdir()
    (project / "helpers.py").write_text("def verify(x):\n    pass\n", "utf-8")
    checked(use_cache=True)
    return project / ".socrates_cache"


def test_a_second_run_reads_everything_from_the_cache(warm: Path, checked: Check) -> None:
    assert checked(use_cache=True).cached_files == 2


def test_a_second_run_finds_the_same(warm: Path, checked: Check) -> None:
    assert checked(use_cache=True).findings == checked().findings


def test_a_changed_file_alone_is_checked_again(warm: Path, project: Path, checked: Check) -> None:
    (project / "test_one.py").write_text("def test_one():\n    assert 1 == 1\n", "utf-8")
    assert checked(use_cache=True).cached_files == 1


def test_a_new_conftest_checks_the_tests_below_again(
    warm: Path, project: Path, checked: Check
) -> None:
    (project / "conftest.py").write_text("import pytest\n", "utf-8")
    assert checked(use_cache=True).cached_files == 0


def test_code_of_model_and_rules_is_part_of_the_key(warm: Path) -> None:
    deciding = (
        *("socrates.model.", "socrates.engine.", "socrates.syntax."),
        "socrates_rules.general_fixture.",
    )
    rules = registry.installed().active(Settings(warm.parent))
    loaded = {
        str(module.__file__) for name, module in sys.modules.items() if name.startswith(deciding)
    }
    assert loaded <= {*code_files(rules)}


def test_rule_options_are_part_of_the_key(warm: Path, project: Path) -> None:
    settings = Settings(project, rules={"assertion-roulette": {"max-unexplained": 1}})
    rules = registry.installed().active(settings)
    assert check(["."], settings, rules=rules, cwd=project).cached_files == 0


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff\xfe", b"[]", b"{}", b"null", b"[" * 100_000, b'{"key": 1, "result": {}}'],
)
def test_broken_entries_are_misses(warm: Path, checked: Check, garbage: bytes) -> None:
    for entry in warm.rglob("*.json"):
        entry.write_bytes(garbage)
    assert checked(use_cache=True).findings == checked().findings


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param(["filename"], 3, id="name of the file"),
        pytest.param(["tests"], "test_one.py::test_one", id="tests"),
        pytest.param(["lines"], [True], id="lines"),
        pytest.param(["classes"], [3], id="classes"),
        pytest.param(["suppressed"], "0", id="number of suppressed findings"),
        pytest.param(["findings"], {}, id="findings"),
        pytest.param(["findings", 0], [], id="finding without parts"),
        pytest.param(["findings", 0], {}, id="finding"),
        pytest.param(["findings", 0, 0], 3, id="code"),
        pytest.param(["findings", 0, 1], 3, id="name"),
        pytest.param(["findings", 0, 2], "fatal", id="severity"),
        pytest.param(["findings", 0, 3], None, id="message"),
        pytest.param(["findings", 0, 4], None, id="file"),
        pytest.param(["findings", 0, 5], "1", id="span"),
        pytest.param(["findings", 0, 5], [1, 1, 1], id="span of three"),
        pytest.param(["findings", 0, 5], [0, 1, 1, 1], id="row 0"),
        pytest.param(["findings", 0, 5], [1, 1, 1, True], id="column that is no number"),
        pytest.param(["findings", 0, 6], 3, id="test"),
        pytest.param(["findings", 0, 7], {}, id="related"),
        pytest.param(["findings", 0, 7], [[1, "a.py", [1, 1, 1, 1]]], id="related message"),
        pytest.param(["findings", 0, 7], [["a", 1, [1, 1, 1, 1]]], id="related file"),
        pytest.param(["findings", 0, 7], [["a", "a.py", [1, 1, 1]]], id="related span"),
        pytest.param(["findings", 0, 8], None, id="advice"),
        pytest.param(["findings", 0, 9], [], id="data"),
    ],
)
def test_entries_of_another_form_are_misses(
    warm: Path, checked: Check, place: list[str | int], value: object
) -> None:
    entry = next(path for path in warm.rglob("*.json") if '"test_one.py"' in path.read_text())
    data = json.loads(entry.read_text("utf-8"))
    inner = data["result"]
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    entry.write_text(json.dumps(data), "utf-8")
    again = checked(use_cache=True)
    assert (again.cached_files, again.findings) == (1, checked().findings)


def test_an_entry_of_the_same_form_is_used(warm: Path, checked: Check) -> None:
    entry = next(path for path in warm.rglob("*.json") if '"test_one.py"' in path.read_text())
    data = json.loads(entry.read_text("utf-8"))
    data["result"]["findings"][0][3] = "from the cache"
    entry.write_text(json.dumps(data), "utf-8")
    assert "from the cache" in {finding.message for finding in checked(use_cache=True).findings}


@pytest.mark.parametrize("dependency", ["file:/dev/zero", "tree:/", "other:x", "dir:"])
def test_entries_that_name_strange_dependencies_are_misses(
    warm: Path, checked: Check, dependency: str
) -> None:
    for entry in warm.rglob("*.json"):
        data = json.loads(entry.read_text("utf-8"))
        data["dependencies"][dependency] = "0"
        entry.write_text(json.dumps(data), "utf-8")
    assert checked(use_cache=True).cached_files == 0


def test_a_link_in_place_of_the_folder_is_not_followed(
    project: Path, checked: Check, smelly: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / ".socrates_cache").symlink_to(elsewhere, target_is_directory=True)
    (project / "test_one.py").write_text(smelly, "utf-8")
    checked(use_cache=True)
    assert list(elsewhere.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_no_error(
    project: Path, checked: Check, smelly: str
) -> None:
    (project / ".socrates_cache").write_text("mine", "utf-8")
    (project / "test_one.py").write_text(smelly, "utf-8")
    assert len(checked(use_cache=True).findings) == 1


def test_the_cache_is_ignored_by_git(warm: Path) -> None:
    assert (warm / ".gitignore").read_text("utf-8") == "*\n"
