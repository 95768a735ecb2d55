"""Commands beside plugins that fail: each is named, the rest goes on, the exit code is 2."""
# socrates: ignore-file[SOC105] the command runs as a process: plugins are found by its interpreter

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

SHOP = """
import pykka

class Stock(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.items = []

    def add(self, item):
        self.items.append(item)
"""
TESTS = """
import pytest
from shop import Stock

@pytest.fixture
def stock():
    ref = Stock.start()
    yield ref.proxy()
    ref.stop()

def test_item_is_added(stock):
    stock.add("book").get()
    assert stock.items.get() == ["book"]
"""
SETTINGS = "[amplify.pykka]\nat-least-once = ['*']\n"
PROBES = """
from socrates.plugins import hookimpl
from socrates_amplify.probes.base import Probe

class Fine(Probe):
    def available(self): return True
    def install(self, recorder, config): return lambda: None
    def faults_of(self, trace, kinds): return []

class A(Fine):
    name = "a"
    def available(self): raise KeyError("available")

class B(Fine):
    name = "b"
    def warnings(self): raise KeyError("warnings")

class C(Fine):
    name = "c"
    def prepare(self, root, config): raise KeyError("prepare")

class D(Fine):
    name = "d"
    def install(self, recorder, config): raise KeyError("install")

class E(Fine):
    name = "e"
    def faults_of(self, trace, kinds): raise KeyError("faults_of")

class F(Fine):
    name = "f"
    def takes(self, scenario, control): raise KeyError("takes")

@hookimpl
def socrates_probes():
    return [A(), B(), C(), D(), E(), F()]
"""
METHODS = ("available", "warnings", "prepare", "install", "faults_of", "takes")
SEARCH = """
from socrates.plugins import hookimpl

class Broken:
    name = "broken"
    def {method}(self, *args):
        raise KeyError("missing")

@hookimpl
def socrates_{part}s():
    return [Broken()]
"""
RAISES = "KeyError: 'missing'"


class Project:
    """A project with a defect, and plugins that are installed beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self._site = folder / "site"
        self._site.mkdir()
        self.folder.mkdir()
        self.write("shop.py", SHOP)
        self.write("test_shop.py", TESTS)
        self.write("socrates.toml", SETTINGS)
        self.write("pytest.ini", "[pytest]\n")
        self.write("conftest.py", "import os\nos.environ['IN_TESTS'] = 'yes'\n")

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.folder / name).write_text(dedent(text))

    def install(self, **plugins: str) -> None:
        """Install plugins, each one module."""
        for name, text in plugins.items():
            (self._site / f"{name}.py").write_text(dedent(text))
        info = self._site / "plugins-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1.0\n")
        entries = "".join(f"{name} = {name}\n" for name in (*plugins, "absent"))
        (info / "entry_points.txt").write_text(f"[socrates]\n{entries}")

    def place(self, plugin: str, line: str) -> str:
        """``file:line`` of the first such line of a plugin."""
        path = self._site / f"{plugin}.py"
        found = [
            number for number, text in enumerate(path.read_text().split("\n"), 1) if line in text
        ]
        return f"{path}:{found[0]}"

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """``socrates`` in the project."""
        paths = {"PYTHONPATH": str(self._site), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-m", "socrates", *args],
            cwd=self.folder,
            env={**os.environ, **paths},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def failed(plugin: str, message: str, place: str) -> str:
    """The line that names a plugin."""
    return f"socrates: error: plugin {plugin!r} failed: {message} ({place})"


def absent() -> str:
    return failed("absent", "ModuleNotFoundError: No module named 'absent'", "absent")


def statuses(ran: subprocess.CompletedProcess[str]) -> list[str]:
    return [test["status"] for test in json.loads(ran.stdout)["tests"]]


def test_plugins_that_do_not_import_are_named_and_the_rest_goes_on(project) -> None:
    project.install(acme="import os\nraise KeyError('missing')\n", syntax="x = (\n")
    ran = project.run("amplify", "--output-format", "json")
    assert (ran.returncode, statuses(ran)) == (2, ["defective"])
    lines = ran.stderr.splitlines()
    assert lines[:2] == [absent(), failed("acme", RAISES, project.place("acme", "raise"))]
    last = "socrates: error: plugin 'syntax' failed: SyntaxError: ", "syntax.py:1)"
    assert [lines[2].startswith(last[0]), lines[2].endswith(last[1]), len(lines)] == [True, True, 3]


def test_probes_that_raise_are_named_and_the_others_go_on(project) -> None:
    project.install(acme=PROBES)
    ran = project.run("amplify", "--output-format", "json")
    assert (ran.returncode, statuses(ran)) == (2, ["defective"])
    told = {
        method: failed("acme", f"KeyError: {method!r}", project.place("acme", f'"{method}"'))
        for method in METHODS
    }
    assert sorted(ran.stderr.splitlines()) == sorted([absent(), *told.values()])
    errors = json.loads(ran.stdout)["summary"]["errors"]
    named = {error["message"] for error in errors if error["plugin"] == "acme"}
    assert named == {f"KeyError: {method!r}" for method in METHODS}


@pytest.mark.parametrize(
    ("part", "method"),
    [("explorer", "explore"), ("pruner", "prune"), ("prioritiser", "prioritise")],
)
def test_part_of_a_search_that_raises_is_named_and_its_test_is_an_error(
    project, part, method
) -> None:
    project.install(acme=SEARCH.format(part=part, method=method))
    ran = project.run("amplify", f"--{part}", "broken", "--output-format", "json")
    place = project.place("acme", "raise")
    assert (ran.returncode, statuses(ran)) == (2, ["error"])
    assert ran.stderr.splitlines() == [absent(), failed("acme", RAISES, place)]
    [test] = json.loads(ran.stdout)["tests"]
    assert test["note"] == f"plugin 'acme' failed: {RAISES} ({place})"


@pytest.mark.parametrize(
    ("args", "settings", "what"),
    [
        (["--explorer", "mine"], "", "unknown explorer 'mine'"),
        (["--faults", "mine"], "", "--faults: unknown kind 'mine'"),
        ([], "[amplify.mine]\nx = 1\n", "[tool.socrates.amplify.mine]: no such probe"),
    ],
)
def test_unknown_name_may_be_that_of_a_plugin_that_failed(project, args, settings, what) -> None:
    project.install()
    project.write("socrates.toml", settings)
    ran = project.run("amplify", *args)
    assert (ran.returncode, ran.stderr) == (
        2,
        absent().replace("error: ", f"error: {what}; ") + "\n",
    )


FAILS_IN_TESTS = """
import os
if "IN_TESTS" in os.environ:
    raise KeyError("missing")
"""


@pytest.fixture
def scenario(project: Project) -> Callable[[], str]:
    """Find the defect, and name the file that replays it."""

    def found() -> str:
        (test,) = json.loads(project.run("amplify", "--output-format", "json").stdout)["tests"]
        return str(test["defects"][0]["replay"])

    return found


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_plugin_that_fails_only_where_tests_run_is_named(project, executor) -> None:
    project.install(acme=FAILS_IN_TESTS)
    ran = project.run("amplify", "--executor", executor, "--output-format", "json")
    place = project.place("acme", "raise")
    assert (ran.returncode, statuses(ran)) == (2, ["defective"])
    assert ran.stderr.splitlines() == [absent(), failed("acme", RAISES, place)]


REMOTE = """
from socrates.plugins import hookimpl
from socrates_amplify.probes.queues.probe import QueueInstallation, QueueProbe

class Installation(QueueInstallation):
    def modules(self):
        return {"letters": lambda module: None}

class Letters(QueueProbe):
    name = "letters"
    installation = Installation
    def available(self): return True
    def warnings(self): return ()
    def install_remote(self, wire): raise KeyError("missing")

@hookimpl
def socrates_probes():
    import letters  # what a plugin imports is loaded once all the same
    return [Letters()]
"""
STARTS = """
import subprocess, sys

def test_process_goes_on():
    code = "import sys, letters; assert (sys.loads, letters.__spec__.origin) == (1, letters.__file__)"
    for arguments in (["-c", code], ["-m", "letters"]):
        assert subprocess.run([sys.executable, *arguments], timeout=60).returncode == 0
"""


def test_plugin_that_fails_in_a_process_that_a_test_starts_is_named(project) -> None:
    project.install(acme=REMOTE, letters="import sys\nsys.loads = getattr(sys, 'loads', 0) + 1\n")
    project.write("test_shop.py", STARTS)
    ran = project.run("amplify", "--output-format", "json", "--gate", "off")
    place = project.place("acme", "raise")
    assert (ran.returncode, statuses(ran)) == (2, ["no-targets"])
    assert ran.stderr.splitlines() == [absent(), failed("acme", RAISES, place)]


def test_replay_names_plugins_too(project, scenario) -> None:
    project.install(acme=FAILS_IN_TESTS)
    ran = project.run("replay", scenario(), "-q")
    assert "breaks again" in ran.stdout
    assert ran.returncode == 2
    place = project.place("acme", "raise")
    assert ran.stderr.splitlines()[-2:] == [absent(), failed("acme", RAISES, place)]


def test_trace_names_plugins_too(project) -> None:
    project.install(acme=FAILS_IN_TESTS)
    ran = project.run("trace", "test_shop.py")
    assert ("add('book')" in ran.stdout, ran.returncode) == (True, 2)
    place = project.place("acme", "raise")
    assert ran.stderr.splitlines() == [absent(), failed("acme", RAISES, place)]
