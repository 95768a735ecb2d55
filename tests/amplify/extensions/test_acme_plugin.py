"""The plugin of the guide, really installed: every hook, and workers in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

DATA = Path(__file__).parents[2] / "data"
FILES = {
    "shop.py": """
        import os
        from pathlib import Path
        from tinyqueue import Job, Queue

        FOLDER = Path(os.environ.get("SHOP_FOLDER", "."))

        def place(order):
            Queue(FOLDER).send(Job("shop:charge", (order,)))

        def charge(order):
            with (FOLDER / "charged").open("a") as file:
                file.write(f"{order} ")
        """,
    "test_shop.py": """
        import subprocess, sys, time
        import pytest
        from tinyqueue import Job, Queue

        @pytest.fixture
        def folder(tmp_path, monkeypatch):
            monkeypatch.setenv("SHOP_FOLDER", str(tmp_path))
            process = subprocess.Popen([sys.executable, "-m", "tinyqueue", str(tmp_path)])
            yield tmp_path
            process.kill()
            process.wait()

        def done(folder):
            # Names alone: the worker may remove a file before it is read.
            return not any(folder.glob("*.job")) and (folder / "charged").exists()

        def test_order_is_charged(folder):
            Queue(folder).send(Job("shop:place", (7,)))
            over = time.monotonic() + 20
            while time.monotonic() < over and not done(folder) and not any(folder.glob("*.dead")):
                time.sleep(0.01)
            assert (folder / "charged").read_text() == "7 "
        """,
    "pytest.ini": "[pytest]\n",
}
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the queue and the plugin, both installed."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "--no-compile"]
    packages = [DATA / "tinyqueue", DATA / "amplify_plugin"]
    subprocess.run([*command, "--target", folder, *packages], check=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def socrates(installed_socrates, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """``socrates`` in a project whose test starts a worker, with the plugin."""
    project = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (project / name).write_text(dedent(text))

    return installed_socrates(site, project)


def test_tasks_of_a_started_worker_are_recorded(socrates: Run) -> None:
    ran = socrates("trace", "test_shop.py", "--output-format", "json")
    sends = [event for event in json.loads(ran.stdout)["events"] if event["event"] == "send"]
    first, second = [(send["sender"], send["receiver"], send["cause"]) for send in sends]
    assert (ran.returncode, ran.stderr) == (0, "")
    assert first == ("test", "shop.place", None)
    assert second == ("shop.place", "shop.charge", sends[0]["target"])


def faults_in(ran: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """The kind and the message of each defect, in order."""
    (test,) = json.loads(ran.stdout)["tests"]
    found = [fault for defect in test["defects"] for fault in defect["faults"]]
    return [(fault["kind"], fault["message"]) for fault in found]


def test_tasks_of_a_started_worker_are_faulted(socrates: Run) -> None:
    flags = ("--faults", "duplicate", "--gate", "off", "--output-format", "json")
    ran = socrates("amplify", *flags)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert sorted(faults_in(ran)) == [("duplicate", "charge(7)"), ("duplicate", "place(7)")]


def test_what_the_plugin_adds_is_found_by_its_name(socrates: Run) -> None:
    parts = ("--explorer", "one-by-one", "--pruner", "one-per-message", "--prioritiser")
    flags = ("--faults", "dead-letter,duplicate", "--gate", "off", "--output-format", "json")
    ran = socrates("amplify", *parts, "by-message", *flags)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert faults_in(ran) == [("dead-letter", "charge(7)"), ("dead-letter", "place(7)")]
