"""Rules by code and name, and which of them a run uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates.findings import PluginError
from socrates.plugins import Contributed
from socrates.registry import Registry, build
from socrates.rule import Option, Rule
from socrates.settings import Settings


def make_rule(code: str, name: str, **attributes: object) -> type[Rule]:
    body = {
        "code": code,
        "name": name,
        "summary": "a summary",
        "advice": "an advice",
        "check": lambda self, file: (),
        **attributes,
    }
    return type(name.title().replace("-", ""), (Rule,), body)


@pytest.fixture
def registry() -> Registry:
    rules = [
        make_rule("SOC102", "eager-test", options=(Option("max", "int", 4, "How many."),)),
        make_rule("SOC101", "assertion-roulette"),
        make_rule("SOC201", "unknown-test"),
        make_rule("ACME1", "acme-rule"),
    ]
    return build(Contributed("p", rule) for rule in rules)


def selected(registry: Registry, **settings: tuple[str, ...]) -> list[str]:
    codes = registry.selected(Settings(Path(), **settings))  # type: ignore[arg-type]
    return sorted(codes - {"SOC000", "SOC001"})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param({}, ["ACME1", "SOC101", "SOC102", "SOC201"], id="default is all"),
        pytest.param({"select": ("SOC1",)}, ["SOC101", "SOC102"], id="prefix"),
        pytest.param({"select": ("SOC",)}, ["SOC101", "SOC102", "SOC201"], id="letters"),
        pytest.param({"select": ("eager-test",)}, ["SOC102"], id="name"),
        pytest.param({"select": ("soc102",)}, ["SOC102"], id="lower case"),
        pytest.param(
            {"select": ("SOC1",), "ignore": ("SOC101",)}, ["SOC102"], id="specific ignore wins"
        ),
        pytest.param(
            {"select": ("SOC101",), "ignore": ("SOC1",)}, ["SOC101"], id="specific select wins"
        ),
        pytest.param({"select": ("SOC1",), "ignore": ("SOC1",)}, [], id="ignore wins a tie"),
        pytest.param(
            {"select": ("eager-test",), "ignore": ("SOC102",)}, [], id="name and code are a tie"
        ),
        pytest.param(
            {"select": ("SOC2",), "extend_select": ("ACME",)}, ["ACME1", "SOC201"], id="extend"
        ),
        pytest.param(
            {"ignore": ("ALL",), "extend_select": ("SOC2",)}, ["SOC201"], id="all but a prefix"
        ),
    ],
)
def test_selection(registry: Registry, settings, expected: list[str]) -> None:
    assert selected(registry, **settings) == expected


def test_broken_files_are_reported_whatever_is_selected(registry: Registry) -> None:
    assert "SOC000" in registry.selected(Settings(Path(), select=("SOC101",)))


def test_broken_files_can_be_ignored_by_their_own_code(registry: Registry) -> None:
    assert "SOC000" not in registry.selected(Settings(Path(), ignore=("syntax-error",)))


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("SOC120", "; did you mean 'SOC102'?"),
        ("egar-test", "; did you mean 'eager-test'?"),
        ("SO", "; `socrates rule --all` lists them"),
        ("SOC9", None),
    ],
)
def test_unknown_selector_names_the_nearest(
    registry: Registry, selector: str, hint: str | None
) -> None:
    with pytest.raises(SocratesError) as caught:
        registry.expand([selector], "--select")
    assert str(caught.value).startswith(f"--select: unknown rule '{selector}'{hint or ''}")


def test_unknown_selector_names_the_plugin_that_failed(registry: Registry) -> None:
    broken = Registry(registry.rules, (PluginError("acme", "ImportError: no", "acme.py:3"),))
    with pytest.raises(SocratesError, match=r"'SOC105'; plugin 'acme' failed: .*\(acme.py:3\)"):
        broken.expand(["SOC105"], "--select")


def test_active_rules_come_in_order_with_their_options(registry: Registry) -> None:
    settings = Settings(
        Path(), select=("SOC1",), ignore=("SOC0",), rules={"eager-test": {"max": 9}}
    )
    rules = [rule for rule in registry.active(settings) if rule.code != "SOC000"]
    assert [(rule.code, dict(rule.values)) for rule in rules] == [
        ("SOC101", {}),
        ("SOC102", {"max": 9}),
    ]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (make_rule("acme", "a"), "rule code 'acme' is not letters followed by digits"),
        (make_rule("SOC1", "a"), "rule code 'SOC1' is not letters followed by digits"),
        (make_rule("ACME1", "Bad_Name"), "rule name 'Bad_Name' is not in kebab-case"),
        (make_rule("SOC001", "a"), "rule code SOC001 is already taken by plugin 'socrates'"),
        (make_rule("ACME1", "syntax-error"), "rule name 'syntax-error' is already taken"),
        (make_rule("ACME1", "a", severities=("fatal",)), "rule ACME1 has severities other than"),
        (make_rule("ACME1", "a", summary=None), "rule A has no summary"),
    ],
)
def test_invalid_rule_is_an_error_of_its_plugin(rule: type[Rule], problem: str) -> None:
    [error] = build([Contributed("acme", rule)]).errors
    assert (error.plugin, error.message[: len(problem)]) == ("acme", problem)


def test_invalid_rule_does_not_take_the_others_along() -> None:
    rules = [make_rule("acme", "a"), make_rule("ACME2", "b")]
    assert "ACME2" in build(Contributed("acme", rule) for rule in rules).rules
