"""``socrates config``: every setting, those below a key, and a key that is none."""

from __future__ import annotations

import json

import pytest

from socrates.cli import main
from socrates.cli.config import _as_data, _as_text
from socrates.config.catalogue import Described


def said(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["config", *args])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize("key", ["fail-on", "tool.socrates.fail-on"])
def test_one_setting(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, key)
    lines = out.splitlines()
    assert (code, lines[0], lines[2].startswith("    type: "), lines[3]) == (
        0,
        "fail-on",
        True,
        '    default: "warning"',
    )


def test_settings_below_a_key_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "rules.mystery-guest", "--output-format", "json")
    found = json.loads(out)
    assert (code, [one["key"] for one in found], sorted(found[0])) == (
        0,
        ["rules.mystery-guest.external-resources"],
        ["default", "help", "key", "type"],
    )


def test_all_settings_hold_those_of_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "--output-format", "json")
    keys = {one["key"] for one in json.loads(out)}
    assert {"fail-on", "rules.mystery-guest.external-resources", "amplify", "amplify.jobs"} <= keys


@pytest.mark.parametrize(
    ("key", "hint"),
    [("fail-onn", "; did you mean 'fail-on'"), ("zzzzzz", "; `socrates config` lists them")],
)
def test_unknown_key(key: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, key)
    assert (code, out, f"config: unknown key '{key}'{hint}" in err) == (2, "", True)


@pytest.mark.parametrize(
    ("default", "shown"), [(None, "not set"), (3, "3"), (("a", "b"), '["a", "b"]')]
)
def test_default_as_it_is_shown(default: object, shown: str) -> None:
    setting = Described("a.b", "a number", default, "How many.")
    assert _as_text(setting) == f"a.b\n    How many.\n    type: a number\n    default: {shown}\n"


@pytest.mark.parametrize(("default", "data"), [(None, None), (3, 3), (("a", "b"), ["a", "b"])])
def test_default_as_data(default: object, data: object) -> None:
    setting = Described("a.b", "a number", default, "How many.")
    assert _as_data(setting) == {
        "key": "a.b",
        "type": "a number",
        "default": data,
        "help": "How many.",
    }
