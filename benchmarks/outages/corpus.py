"""The original applications of table 1, from somebody's checkout of their corpus.

The checkout is that of filibuster-testing/filibuster-corpus, and no file of it is changed. Services
and functional tests import the packages of the original tool and of OpenTelemetry, which would trace
and fault the same calls as we do. Stand-ins take their place: tracing does nothing, and the
question whether a fault was injected is answered by Socrates.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from outages import services

_BOOKINGS = "cinema-{0}/functional/test_user_bookings.py"
_HOMEPAGE = "netflix/functional/test_get_homepage.py"
TESTS = {f"cinema-{number}": _BOOKINGS.format(number) for number in range(1, 9)} | {
    "audible": "audible/functional/test_get_audiobook.py",
    "expedia": "expedia/functional/test_get_reviews.py",
    "mailchimp": "mailchimp/functional/test_get_url.py",
    "netflix": _HOMEPAGE,
    "netflix with bugs": _HOMEPAGE,
}
"""The functional test of each row; the published table counts one an application."""

_BUGS = {"netflix with bugs": {"NETFLIX_FAULTS": "1"}}
"""What makes an application the one of its row."""

_SETTINGS = """\
[tool.pytest.ini_options]
addopts = "-p outages.services"

[tool.socrates.amplify]
explorer = "exhaustive"
faults = ["connection-error", "timeout", "status"]

[tool.socrates.amplify.http]
statuses = "service"
"""

_NOTHING = '''\
"""Has every name, and does nothing."""


class Nothing:
    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        return self


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing()
'''
_SILENT = (
    "opentelemetry", "opentelemetry/exporter", "opentelemetry/instrumentation",
    "opentelemetry/instrumentation/flask", "opentelemetry/instrumentation/requests",
    "opentelemetry/sdk", "opentelemetry/sdk/trace", "opentelemetry/sdk/trace/export",
    "filibuster", "filibuster/instrumentation", "filibuster/instrumentation/flask",
    "filibuster/instrumentation/requests",
)  # fmt: skip
_ASSERTIONS = '''\
"""Whether a fault was injected, as Socrates knows it."""

from socrates_amplify.faults import injected as was_fault_injected
from socrates_amplify.faults import injected_on as was_fault_injected_on
'''


def complaint(corpus: Path, names: list[str]) -> str:
    """Why these applications can't be run from this folder, if so."""
    for name in names:
        test = corpus / TESTS[name]
        if not test.is_file():
            return f"{corpus} is no checkout of the corpus: {TESTS[name]} is missing"
        for service, port in services.ports(test.parents[1]).items():
            with closing(socket.socket()) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("0.0.0.0", port))
                except OSError:
                    return f"port {port} is taken, and {service} of {name} needs it"
    return ""


def executions(corpus: Path, threads: bool, folder: Path, name: str, reduction: bool) -> int:
    """How many executions ``socrates amplify`` takes.

    The application is copied to ``folder``, which is empty, since its services write into their
    own folders. They are processes, or ``threads``.
    """
    test = folder / TESTS[name]
    application = test.parents[1]
    shutil.copytree(corpus / application.name, application)
    shutil.copy(corpus / "helper.py", folder)
    _write_stand_ins(folder / "stand_ins")
    (test.parent / "pyproject.toml").write_text(_SETTINGS)
    paths = (folder / "stand_ins", Path(__file__).parents[1], os.environ.get("PYTHONPATH", ""))
    environment = {
        **os.environ,
        **_BUGS.get(name, {}),
        services.APPLICATION: str(application),
        services.THREADS: "1" if threads else "",
        "PYTHONPATH": os.pathsep.join(filter(None, map(str, paths))),
    }
    command = [sys.executable, "-m", "socrates", "amplify", test.name, "--gate", "off"]
    command += ["--output-format", "json"] + ([] if reduction else ["--no-reduction"])
    done = subprocess.run(
        command, cwd=test.parent, env=environment, check=False, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name}: socrates amplify ended with {done.returncode}\n{done.stderr}")
    count = json.loads(done.stdout)["summary"]["executions"]
    assert isinstance(count, int)
    return count


def _write_stand_ins(folder: Path) -> None:
    for package in _SILENT:
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text(_NOTHING)
    (folder / "filibuster" / "assertions.py").write_text(_ASSERTIONS)
