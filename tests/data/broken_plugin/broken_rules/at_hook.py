"""Fails when its hook is called."""

from socrates.plugins import hookimpl


@hookimpl
def socrates_rules():
    raise RuntimeError("no rules today")
