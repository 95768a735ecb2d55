"""The rules that ship with Socrates: one package per smell, with its analysis, fix and examples.

To add one: write ``NAME/rule.py`` with a subclass of ``socrates.rule.Rule`` and list it below.
``rewriting`` is what the fixes share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from socrates.plugins import hookimpl

if TYPE_CHECKING:
    from socrates.rule import Rule


@hookimpl
def socrates_rules() -> Iterable[type[Rule]]:
    """The seed smells, in the order of their codes."""
    from socrates_rules.assertion_roulette.rule import AssertionRoulette
    from socrates_rules.eager_test.rule import EagerTest
    from socrates_rules.general_fixture.rule import GeneralFixture
    from socrates_rules.lazy_test.rule import LazyTest
    from socrates_rules.mystery_guest.rule import MysteryGuest
    from socrates_rules.sensitive_equality.rule import SensitiveEquality

    return [AssertionRoulette, SensitiveEquality, EagerTest, LazyTest, GeneralFixture, MysteryGuest]
