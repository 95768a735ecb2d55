"""A setting is one row: the file, the flag, ``--help``, ``socrates config`` and the docs follow it."""
# socrates: ignore-file[SOC105] the guide is what is checked

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from socrates.cli import main
from socrates.errors import SocratesError
from socrates_amplify.commands import arguments
from socrates_amplify.settings.amplify import SETTINGS, AmplifySettings
from socrates_amplify.settings.flags import given_flags
from socrates_amplify.settings.row import Setting
from socrates_amplify.settings.table import read_table
from socrates_amplify.settings.values import (
    BOOL,
    COUNT,
    DURATION,
    JOBS,
    NUMBER,
    PERCENT,
    TEXT,
    TEXTS,
    WORDS,
)

DOCS = Path(__file__).parents[3] / "docs"

SAMPLES = [
    (TEXT, "some", ["some"], "some"),
    (COUNT, 7, ["7"], 7),
    (NUMBER, 7, ["7"], 7),
    (DURATION, "2m", ["2m"], 120.0),
    (JOBS, "3", ["3"], 3),
    (PERCENT, 80, ["80"], 80.0),
    (WORDS, ["a", "b"], ["a, b"], ("a", "b")),
    (TEXTS, ["a"], ["a"], ("a",)),
]
"""Of each type a value in a file, the same as the words after a flag, and as it is kept."""


def sample(setting: Setting) -> tuple[object, list[str], object]:
    """A value that is not the setting's default, in the three forms of ``SAMPLES``."""
    if setting.type is BOOL:
        return not setting.written, [], not setting.written
    if "choices" in setting.type.argument:
        word = setting.type.argument["choices"][0]
        return word, [word], word
    (found,) = [forms for kind, *forms in SAMPLES if kind is setting.type]
    value, words, kept = found
    assert isinstance(words, list)
    return value, words, kept


@pytest.fixture(scope="module")
def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    arguments.amplify(made)
    return made


Amplified = Callable[..., AmplifySettings]


@pytest.fixture
def amplified(parser: argparse.ArgumentParser) -> Amplified:
    """The settings of a file's table under the flags of a command line."""

    def settings(table: dict[str, object], *argv: str) -> AmplifySettings:
        return read_table(table).overridden(**given_flags(parser.parse_args(argv)))

    return settings


every_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=list(SETTINGS))
every_flag = pytest.mark.parametrize(
    "setting", [pytest.param(row, id=key) for key, row in SETTINGS.items() if row.flag]
)


def flag_of(setting: Setting) -> str:
    return f"--no-{setting.key}" if setting.written is True else f"--{setting.key}"


def test_every_field_has_a_row_but_the_tables_of_probes() -> None:
    without = {field.name for field in fields(AmplifySettings)} - {
        row.name for row in SETTINGS.values()
    }
    assert without == {"probes"}


@every_setting
def test_a_settings_file_sets_it(setting: Setting) -> None:
    value, _, kept = sample(setting)
    assert getattr(read_table({setting.key: value}), setting.name) == kept


@every_setting
def test_the_default_that_is_told_is_the_default(setting: Setting) -> None:
    told = list(setting.written) if isinstance(setting.written, tuple) else setting.written
    assert read_table({setting.key: told}) == AmplifySettings()


@every_setting
def test_a_wrong_value_is_one_line_that_begins_with_the_key(setting: Setting) -> None:
    with pytest.raises(SocratesError, match=rf"\A{setting.key} must be [^\n]+, not \[1\]\Z"):
        read_table({setting.key: [1]})


@every_flag
def test_its_flag_wins_over_the_file(setting: Setting, amplified: Amplified) -> None:
    _, words, kept = sample(setting)
    told = list(setting.written) if isinstance(setting.written, tuple) else setting.written
    asked = amplified({setting.key: told}, flag_of(setting), *words)
    assert getattr(asked, setting.name) == kept


@every_setting
def test_without_its_flag_the_file_is_heeded(setting: Setting, amplified: Amplified) -> None:
    value, _, kept = sample(setting)
    assert getattr(amplified({setting.key: value}), setting.name) == kept


@every_flag
def test_help_has_its_flag(setting: Setting, parser: argparse.ArgumentParser) -> None:
    assert setting.flag is not None
    (action,) = [one for one in parser._actions if flag_of(setting) in one.option_strings]
    assert (action.help, action.metavar) == (setting.flag.help, setting.flag.metavar)


@every_setting
def test_socrates_config_has_it(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", f"amplify.{setting.key}"]) == 0
    assert capsys.readouterr().out.startswith(f"amplify.{setting.key}\n    {setting.help}\n")


@every_setting
def test_the_documentation_has_it(setting: Setting) -> None:
    rows = (DOCS / "configuration.md").read_text().splitlines()
    (row,) = [line for line in rows if line.startswith(f"| `amplify.{setting.key}` |")]
    assert row.endswith(f"| {setting.help} |")
