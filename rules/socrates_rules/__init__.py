"""The rules that ship with Socrates: one file a smell, each with its examples.

To add one: write ``NAME.py`` with a subclass of ``socrates.rule.Rule`` and list it in ``RULES``.
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
    from socrates_rules.assertion_roulette import AssertionRoulette
    from socrates_rules.eager_test import EagerTest
    from socrates_rules.lazy_test import LazyTest

    return [AssertionRoulette, EagerTest, LazyTest]
