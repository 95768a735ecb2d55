"""Secrets that the user names: by globs for their names, and for the words themselves."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.record.masking import globs_of, hider, masker


@pytest.mark.parametrize("value", [["card_*"], ("card_*",)])
def test_globs_of_a_setting(value: object) -> None:
    assert globs_of(value, "mask") == ("card_*",)


@pytest.mark.parametrize("value", ["card_*", [1], None, {"a": 1}])
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(SocratesError, match=r"^mask must be a list of globs"):
        globs_of(value, "mask")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("card_number", True), ("CARD_x", True), ("password", True), ("carton", False)],
)
def test_names_that_hide_their_values(name: str, expected: bool) -> None:
    assert hider(["Card_*"])(name) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay(card_no='1234', amount=3)", "pay(card_no=***, amount=3)"),
        ("/charge/live_77/x", "/charge/***/x"),
        ("live_77", "***"),
        ("alive_77", "alive_77"),
        ("LIVE_77", "LIVE_77"),
        ("password=hunter2hunter2", "password=***"),
    ],
)
def test_text_is_masked(text: str, expected: str) -> None:
    assert masker(["card_*", "live_*"])(text) == expected


def test_without_globs_only_known_secrets_are_masked() -> None:
    assert masker()("card_no=1234 password=hunter2hunter2") == "card_no=1234 password=***"
