"""A pytest plugin: options that would keep a test from being run, or cost time, are switched off.

They come from ``addopts`` or ``PYTEST_ADDOPTS``, where they are meant for people who call pytest.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

_FLAGS = frozenset({"-h", "--help", "-V", "--version", "--amplify"})
"""Flags on which pytest, or our own plugin, acts before other plugins can change an option."""
_RUNS_NO_TEST: dict[str, object] = {
    "help": False,
    "version": 0,
    "markers": False,
    "showfixtures": False,
    "show_fixtures_per_test": False,
    "cacheshow": None,
    "collectonly": False,
    "setuponly": False,
    "setupplan": False,
    "looponfail": False,
}
_LEAVES_TESTS_OUT: dict[str, object] = {
    "maxfail": 0,
    "lf": False,
    "stepwise": False,
    "stepwise_skip": False,
    "stepwise_reset": False,
}
_RUNS_TESTS_ELSEWHERE: dict[str, object] = {
    "numprocesses": 0,
    "dist": "no",
    "distload": False,
    "tx": [],
}
_FOR_PEOPLE: dict[str, object] = {
    "usepdb": False,
    "trace": False,
    "xmlpath": None,
    "pastebin": None,
}
"""A debugger would wait for input, and a report would take the place of the suite's own."""
_HOW_FAILURES_ARE_SHOWN: dict[str, object] = {
    "tbstyle": "line",
    "fulltrace": False,
    "showlocals": False,
}
"""Nobody sees a traceback of an execution, and pytest takes longer to write one than most tests take."""
_REPLAY = "socrates_amplify.executors.in_test.replay"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Take flags out of the arguments before pytest parses them for good."""
    args[:] = [arg for arg in args if arg not in _FLAGS]
    for name in ("help", "version"):
        setattr(early_config.known_args_namespace, name, _RUNS_NO_TEST[name])


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Set the other options back before any plugin acts on them."""
    values = _RUNS_NO_TEST | _LEAVES_TESTS_OUT | _RUNS_TESTS_ELSEWHERE
    if not config.pluginmanager.has_plugin(_REPLAY):
        values |= _FOR_PEOPLE
    _set(config, values)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What could not be collected has been written by now; tests are run from here on."""
    if not session.config.pluginmanager.has_plugin(_REPLAY):
        _set(session.config, _HOW_FAILURES_ARE_SHOWN)


def _set(config: pytest.Config, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)
