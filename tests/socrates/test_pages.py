"""The pages that ship with Socrates, and the links to them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

from socrates import pages, registry
from socrates.cli import main

REPOSITORY = Path(__file__).parents[2]
PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"


@pytest.fixture
def reported(tmp_path, monkeypatch, capsys):
    """What ``socrates check`` reports about one test in a format, with settings."""
    monkeypatch.chdir(tmp_path)

    def run(output_format: str, settings: str = "") -> str:
        (tmp_path / "test_a.py").write_text(PAIR)
        (tmp_path / "socrates.toml").write_text(settings)
        main(["check", "--no-cache", "--output-format", output_format])
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("rule", list(registry.installed()), ids=lambda rule: rule.code)
def test_address_of_every_rule_is_a_file_that_explains_it(rule) -> None:
    path = Path(url2pathname(urlparse(pages.address_of(rule.code, rule.name)).path))
    assert path.read_text().startswith(f"# {rule.name} ({rule.code})\n")


@pytest.mark.parametrize(
    ("docs_url", "expected"),
    [
        ("https://docs.example.org/rules", "https://docs.example.org/rules/eager-test/"),
        ("https://docs.example.org/rules/", "https://docs.example.org/rules/eager-test/"),
        ("https://docs.example.org/{name}.html", "https://docs.example.org/eager-test.html"),
        ("https://docs.example.org/?rule={code}", "https://docs.example.org/?rule=SOC102"),
    ],
)
def test_docs_url_sets_another_address(docs_url: str, expected: str) -> None:
    assert pages.address_of("SOC102", "eager-test", docs_url) == expected


def test_rule_without_a_page_has_no_address() -> None:
    assert pages.address_of("SHOP1", "no-such-page") == ""


def test_json_links_to_the_page_that_ships(reported) -> None:
    [finding] = json.loads(reported("json"))
    assert finding["url"] == (pages.folder() / "rules" / "assertion-roulette.md").as_uri()


@pytest.mark.parametrize("output_format", ["json", "sarif", "html"])
def test_reports_link_to_docs_url(reported, output_format: str) -> None:
    text = reported(output_format, 'docs-url = "https://docs.example.org/"')
    assert "https://docs.example.org/assertion-roulette/" in text


def test_sarif_holds_the_page_and_no_address_of_this_machine(reported) -> None:
    text = reported("sarif")
    rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
    [rule] = [rule for rule in rules if rule["id"] == "SOC101"]
    page = (pages.folder() / "rules" / "assertion-roulette.md").read_text()
    assert (rule["help"]["markdown"], "helpUri" in rule, "file://" in text) == (page, False, False)


def test_address_of_another_kind_is_refused(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "socrates.toml").write_text('docs-url = "javascript:alert(1)"')
    code = main(["check"])
    assert (code, capsys.readouterr().err) == (
        2,
        "socrates: error: socrates.toml: docs-url: must be an address that starts with https:// or "
        "http://, not 'javascript:alert(1)'\n",
    )


class TestReadme:
    """What it says holds wherever it is read: in a clone, on a code host, on PyPI."""

    TEXT = (REPOSITORY / "README.md").read_text()

    def test_has_no_links_into_a_clone(self) -> None:
        links = re.findall(r"\]\(([^)]*)\)", self.TEXT)
        assert [link for link in links if not link.startswith("https://")] == []

    def test_names_guides_that_there_are(self) -> None:
        _, _, table = self.TEXT.partition("| about | `socrates docs ...` |")
        rows = [line for line in table.partition("\n\n")[0].splitlines() if line.startswith("| ")]
        named = re.findall(r"`([a-z-]+)`", " ".join(row.split("|")[2] for row in rows))
        assert sorted(set(named) - set(pages.guides())) == []


class TestDocsCommand:
    def test_lists_the_guides_with_their_titles(self, capsys) -> None:
        main(["docs"])
        assert "editors              In your editor\n" in capsys.readouterr().out

    def test_shows_a_guide(self, capsys) -> None:
        main(["docs", "editors"])
        assert capsys.readouterr().out == pages.guide("editors")

    def test_offers_the_nearest_name(self, capsys) -> None:
        code = main(["docs", "editor"])
        assert (code, capsys.readouterr().err) == (
            2,
            "socrates: error: docs: no page 'editor'; did you mean 'editors'?\n",
        )
