"""Fails when its rule is used."""

from socrates.plugins import hookimpl
from socrates.rule import Rule


class Raises(Rule):
    """Raises for every file."""

    code = "BROKEN1"
    name = "raises"
    summary = advice = "none"

    def check(self, file):
        raise ValueError("cannot look at this")


@hookimpl
def socrates_rules():
    return [Raises]
