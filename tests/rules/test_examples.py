"""Every rule that is installed: its metadata, its docstring, and its examples through the real engine."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from socrates import registry
from socrates.config.values import option_value, option_values
from socrates.example import MARK, Example
from socrates.explain import missing_headings, on_page
from socrates.findings import CheckResult
from socrates.fixes.apply import fix_all
from socrates.rule import Rule
from socrates.session import Session, check
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
        shown = {text for example in rule.examples for text in example.severities.values()}
        assert shown == set(rule.severities)

    def test_examples_say_the_message_of_every_finding(self, rule: type[Rule]) -> None:
        silent = [example.name for example in rule.examples if "" in example.messages.values()]
        assert silent == []

    def test_page_shows_three_to_five_examples_of_both_sorts(self, rule: type[Rule]) -> None:
        shown = on_page(rule)
        allowed = (2,) if len(rule.examples) == 2 else (3, 4, 5)
        assert (len(shown) in allowed, {bool(e.expect) for e in shown}) == (True, {True, False})

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


MESSAGES = {
    "rule that does not exist": "Remove the comment that silences nothing",
    "two assertTrue": "Let 2 assertions show what failed",
    "two facts joined by and": "Let 1 assertion show what failed",
    "two methods of one object": "Split into one test per method: last, find",
    "three clones": "Merge 3 tests into test_shorten with parametrize",
    "clones of unittest": "Merge 3 tests into test_shorten with subTest",
    "half of setUp is unused": "Drop self.cookies from the set-up",
    "unused fixture beside one for its effect": (
        "Drop the unused number; request effect with usefixtures"
    ),
    "a scratch file": "Keep scratch.txt in tmp_path",
    "records compared by repr": "Compare the objects instead of their text",
}


Checked = tuple[Session, CheckResult]


def check_example(rule: type[Rule], example: Example, folder: Path) -> Checked:
    """Check an example as a project on disk, with its rule alone."""
    for name, text in example.texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    options = option_values(rule.options, example.options, example.name)
    settings = Settings(folder, select=(rule.code,), rules={rule.name: options}, jobs=1)
    session = Session(settings, REGISTRY, (".",), folder)
    return session, check(session, use_cache=False)


@pytest.fixture(scope="module")
def known() -> dict[tuple[str, str], Checked]:
    """Each example that was checked: what more tests ask of it changes no file."""
    return {}


@pytest.fixture
def checked(
    rule: type[Rule],
    example: Example,
    known: dict[tuple[str, str], Checked],
    tmp_path_factory: pytest.TempPathFactory,
) -> Checked:
    """The example as a project, and what was found there."""
    key = (rule.code, example.name)
    if key not in known:
        known[key] = check_example(rule, example, tmp_path_factory.mktemp(rule.code))
    return known[key]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
class TestExample:
    def test_has_exactly_these_findings(self, example: Example, checked: Checked) -> None:
        _, result = checked
        found = [
            (
                finding.test.partition("::")[2] if finding.test else finding.filename,
                finding.span.row,
                f"{finding.severity.value}: {finding.message}",
            )
            for finding in result.findings
        ]
        assert (sorted(found), result.errors) == (sorted(expected(example)), ())

    def test_is_fixed_as_it_says(self, example: Example, checked: Checked) -> None:
        session, result = checked
        after = {
            unsafe: {
                file.filename: file.after.decode()
                for file in fix_all(session, result, unsafe=unsafe, write=False).files
                if file.changed
            }
            for unsafe in (False, True)
        }
        is_safe = example.fixed is not None and example.fixed.applicability == "safe"
        assert after == {False: example.fixed_texts if is_safe else {}, True: example.fixed_texts}


@pytest.mark.parametrize(
    ("rule", "example"), [param for param in EXAMPLES if param.values[1].name in MESSAGES]
)
def test_fix_says_what_it_does(example: Example, checked: Checked) -> None:
    fixed = fix_all(*checked, unsafe=True, write=False)
    said = [change.fix.message for file in fixed.files for change in file.applied]
    assert said == [MESSAGES[example.name]]


def test_every_rule_with_fixes_has_one_whose_message_is_checked() -> None:
    fixing = {rule.code for rule in REGISTRY if any(example.fixed for example in rule.examples)}
    checked = {p.values[0].code for p in EXAMPLES if p.values[1].name in MESSAGES}
    assert checked == fixing


def expected(example: Example) -> list[tuple[str, int, str]]:
    """Test or file, line, and severity with message of every finding that is due."""
    lines: dict[str, int] = {}
    for name, text in example.marked_texts.items():
        marks = [row for row, line in enumerate(text.splitlines(), 1) if line.endswith(MARK)]
        lines[name] = min(marks, default=1)
        for test, first, last in functions(text):
            lines[test] = next((row for row in marks if first <= row <= last), first)
    return [(name, lines.get(name, 0), verdict) for name, verdict in example.expect.items()]


def functions(text: str) -> Iterator[tuple[str, int, int]]:
    """The functions and methods of a module, with their first and last line."""

    def below(node: ast.AST, prefix: str) -> Iterator[tuple[str, int, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                yield from below(child, f"{prefix}{child.name}::")
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f"{prefix}{child.name}", child.lineno, child.end_lineno or child.lineno

    with contextlib.suppress(SyntaxError):
        yield from below(ast.parse(text), "")
