"""The generated pages, and that what is in the repository is what would be generated."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates import registry
from socrates.docs import BEGIN, END, drift, main, own_tables, pages


@pytest.fixture
def docs() -> Path:
    """The documentation in the repository."""
    return Path(__file__).parents[2] / "docs"


@pytest.fixture
def plugins() -> Path:
    """The packages that the guide shows."""
    return Path(__file__).parents[1] / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A docs folder with an empty table of settings, then generated."""
    (tmp_path / "configuration.md").write_text(f"# Title\n\n{BEGIN}\n{END}\n\nThe end.\n")
    assert main([str(tmp_path)]) == 0
    return tmp_path


def test_repository_is_up_to_date(docs: Path) -> None:
    configuration = (docs / "configuration.md").read_text()
    assert drift(docs, pages(registry.installed(), own_tables(), configuration)) == []


def test_every_page_is_short(folder: Path) -> None:
    lengths = {p.name: len(p.read_text().splitlines()) for p in (folder / "rules").iterdir()}
    assert {name: length for name, length in lengths.items() if length >= 150} == {}


def test_every_rule_has_a_page(folder: Path) -> None:
    names = {path.stem for path in (folder / "rules").iterdir()}
    assert {"index", "syntax-error", "assertion-roulette"} <= names


def test_table_of_settings_leaves_the_rest_alone(folder: Path) -> None:
    text = (folder / "configuration.md").read_text()
    assert text.startswith("# Title\n\n<!--")
    assert text.endswith("-->\n\nThe end.\n")


def test_fresh_pages_pass_the_check(folder: Path) -> None:
    assert main([str(folder), "--check"]) == 0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rules/syntax-error.md", "changed", "out of date"),
        ("rules/syntax-error.md", None, "missing"),
        ("rules/gone-rule.md", "old", "of no rule"),
    ],
)
def test_drift_fails_and_names_the_page(folder: Path, capsys, name, text, message) -> None:
    path = folder / name
    path.unlink() if text is None else path.write_text(text)
    assert main([str(folder), "--check"]) == 1
    assert capsys.readouterr().err == f"{path}: {message}; run `python -m socrates.docs`\n"


def test_lost_markers_are_a_mistake(folder: Path, capsys) -> None:
    (folder / "configuration.md").write_text("# Title\n")
    assert main([str(folder)]) == 2
    assert "put them back" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    [
        "example_plugin/pyproject.toml",
        "example_plugin/acme_rules/__init__.py",
        "example_plugin/acme_rules/unfinished_test.py",
        "cache_plugin/pyproject.toml",
        "cache_plugin/acme_faults/__init__.py",
        "cache_plugin/acme_faults/cache_probe.py",
        "amplify_plugin/pyproject.toml",
        "amplify_plugin/acme_amplify/__init__.py",
        "amplify_plugin/acme_amplify/queue_probe.py",
        "amplify_plugin/acme_amplify/search.py",
    ],
)
def test_plugin_guide_shows_the_examples_as_they_are(docs: Path, plugins: Path, name: str) -> None:
    source = (plugins / name).read_text()
    assert f"\n{source}```" in (docs / "plugins.md").read_text()
