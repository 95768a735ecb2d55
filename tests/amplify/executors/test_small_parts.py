"""Options that keep tests from being run, options of clusters, and executors by name."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.in_test import options
from socrates_amplify.executors.ray.options import cluster_options
from socrates_amplify.run.choose_executor import make_executor
from socrates_amplify.settings.amplify import AmplifySettings

NO_TEST = {
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
    "maxfail": 0,
    "lf": False,
    "stepwise": False,
    "stepwise_skip": False,
    "stepwise_reset": False,
    "numprocesses": 0,
    "dist": "no",
    "distload": False,
    "tx": [],
}
FOR_PEOPLE = {"usepdb": False, "trace": False, "xmlpath": None, "pastebin": None}
SHOWN = {"tbstyle": "line", "fulltrace": False, "showlocals": False}


def config(*, replays: bool = False) -> Any:
    """Settings of pytest in which every option has a value of the user, and one is not known."""
    names = [*NO_TEST, *FOR_PEOPLE, *SHOWN]
    option = SimpleNamespace(**dict.fromkeys(names, "the user's"))
    plugins = SimpleNamespace(has_plugin=lambda name: replays and name.endswith(".replay"))
    return SimpleNamespace(option=option, pluginmanager=plugins)


@pytest.mark.parametrize(
    ("replays", "expected"),
    [
        pytest.param(False, {**NO_TEST, **FOR_PEOPLE}, id="execution"),
        pytest.param(True, {**NO_TEST, **dict.fromkeys(FOR_PEOPLE, "the user's")}, id="replay"),
    ],
)
def test_options_that_are_switched_off(replays: bool, expected: dict[str, object]) -> None:
    made = config(replays=replays)
    options.pytest_cmdline_main(made)
    assert vars(made.option) == {**expected, **dict.fromkeys(SHOWN, "the user's")}


@pytest.mark.parametrize(
    ("replays", "expected"),
    [
        pytest.param(False, SHOWN, id="execution"),
        pytest.param(True, dict.fromkeys(SHOWN, "the user's"), id="replay"),
    ],
)
def test_how_failures_are_shown(replays: bool, expected: dict[str, object]) -> None:
    made = config(replays=replays)
    session: Any = SimpleNamespace(config=made)
    options.pytest_collection_finish(session)
    assert {name: getattr(made.option, name) for name in SHOWN} == expected


def test_option_that_pytest_does_not_have_stays_away() -> None:
    made: Any = SimpleNamespace(
        option=SimpleNamespace(lf=True), pluginmanager=config().pluginmanager
    )
    options.pytest_cmdline_main(made)
    assert vars(made.option) == {"lf": False}


def test_flags_on_which_pytest_acts_at_once_are_taken_out() -> None:
    early: Any = SimpleNamespace(known_args_namespace=SimpleNamespace())
    args = ["-h", "--help", "-V", "--version", "--amplify", "-x", "test_a.py"]
    options.pytest_load_initial_conftests(early, args)
    assert (args, vars(early.known_args_namespace)) == (
        ["-x", "test_a.py"],
        {"help": False, "version": 0},
    )


@pytest.mark.parametrize(
    ("settings", "flag"),
    [
        pytest.param(AmplifySettings(address="auto"), "--address", id="address"),
        pytest.param(AmplifySettings(pip="r.txt"), "--pip", id="requirements"),
        pytest.param(AmplifySettings(executor="fork", address="a"), "--address", id="fork"),
    ],
)
def test_option_of_another_executor(settings: AmplifySettings, flag: str, tmp_path: Path) -> None:
    with pytest.raises(SocratesError, match=f"{flag} is for --executor ray"):
        cluster_options(settings, tmp_path)


def test_requirements_of_nodes(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("# all\npykka  # actors\n\n  rq>1\n")
    made = cluster_options(
        AmplifySettings(executor="ray", pip="r.txt", address="a:1", ship_limit="2 MB"), tmp_path
    )
    assert (made.address, made.pip, made.ship_limit) == ("a:1", ("pykka", "rq>1"), 2_000_000)


def test_no_options_of_clusters(tmp_path: Path) -> None:
    made = cluster_options(AmplifySettings(executor="fork"), tmp_path)
    assert (made.address, made.pip) == ("", ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(None, "--pip: cannot read", id="no file"),
        pytest.param(b"\xff", "--pip: cannot read", id="no text"),
        pytest.param(b"# nothing\n", "names nothing to install", id="nothing in it"),
    ],
)
def test_requirements_that_are_none(text: bytes | None, message: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "r.txt").write_bytes(text)
    with pytest.raises(SocratesError, match=message):
        cluster_options(AmplifySettings(executor="ray", pip="r.txt"), tmp_path)


def test_executor_of_no_name() -> None:
    suite: Any = SimpleNamespace(probes={})
    with pytest.raises(SocratesError, match="use one of fork, subprocess, ray"):
        make_executor("cloud", suite)
