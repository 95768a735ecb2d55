"""Every rule that is installed: its metadata, its docstring, and its examples through the real engine."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent

import pytest

from socrates import registry
from socrates.config.values import option_value, option_values
from socrates.engine.run import check
from socrates.explain import missing_headings
from socrates.findings import Severity
from socrates.rule import Example, Rule
from socrates.settings import Settings

REGISTRY = registry.installed()
RULES = [pytest.param(rule, id=rule.code) for rule in REGISTRY]
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{example.name.replace(' ', '-')}")
    for rule in REGISTRY
    for example in rule.examples
]


def test_installed_plugins_load_without_errors() -> None:
    assert REGISTRY.errors == ()


@pytest.mark.parametrize("rule", RULES)
class TestMetadata:
    def test_code_has_three_digits(self, rule: type[Rule]) -> None:
        assert re.fullmatch(r"SOC\d{3}", rule.code)

    def test_docstring_has_every_heading(self, rule: type[Rule]) -> None:
        assert missing_headings(rule) == []

    def test_summary_is_one_line_without_a_full_stop(self, rule: type[Rule]) -> None:
        assert re.fullmatch(r"[^\n]{5,100}[^.\n]", rule.summary)

    def test_advice_is_a_sentence(self, rule: type[Rule]) -> None:
        assert re.fullmatch(r"[A-Z`][^\n]+\.", rule.advice)

    def test_has_a_good_and_a_bad_example(self, rule: type[Rule]) -> None:
        assert {bool(example.expect) for example in rule.examples} == {True, False}

    def test_examples_have_names_of_their_own(self, rule: type[Rule]) -> None:
        names = [example.name for example in rule.examples]
        assert sorted(set(names)) == sorted(names)

    def test_examples_show_every_severity(self, rule: type[Rule]) -> None:
        shown = {severity for example in rule.examples for severity in example.expect.values()}
        assert shown == set(rule.severities)

    def test_defaults_of_options_are_valid(self, rule: type[Rule]) -> None:
        defaults = {o.name: option_value(o, o.default, o.name) for o in rule.options}
        assert defaults == {option.name: option.default for option in rule.options}

    def test_options_are_in_kebab_case_and_explained(self, rule: type[Rule]) -> None:
        bad = [
            option.name
            for option in rule.options
            if not re.fullmatch(r"[a-z]+(-[a-z]+)*", option.name) or not option.help.endswith(".")
        ]
        assert bad == []

    def test_python_in_the_docstring_parses(self, rule: type[Rule]) -> None:
        blocks = re.findall(r"```python\n(.*?)```", rule.__doc__ or "", re.DOTALL)
        if rule.code == "SOC000":
            blocks = blocks[1:]  # the first one is broken: that is its point
        assert [bool(ast.parse(dedent(block)).body) for block in blocks] == [True] * len(blocks)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_example(rule: type[Rule], example: Example, tmp_path: Path) -> None:
    for name, text in example.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    options = option_values(rule.options, example.options, example.name)
    settings = Settings(tmp_path, rules={rule.name: options})
    result = check(["."], settings, rules=[rule(options)], use_cache=False, jobs=1, cwd=tmp_path)
    worst: dict[str, Severity] = {}
    for finding in result.findings:
        name = finding.test.partition("::")[2] if finding.test else finding.filename
        key = name if finding.code == rule.code else f"{finding.code} {name}"
        worst[key] = max(worst.get(key, finding.severity), finding.severity, key=lambda s: s.rank)
    found = {name: severity.value for name, severity in worst.items()}
    assert (found, result.errors) == (dict(example.expect), ())
