"""``--coverage``: what runs under faults covered beyond the suite, file by file."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from socrates.errors import SocratesError
from socrates_amplify.coverage.compare import check_available, measuring
from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.model.results import RunResult
from socrates_amplify.report import ReportContext, text
from socrates_amplify.report.coverage import ranges
from socrates_amplify.report.page import html

SHOP = """\
import requests


def price(url):
    try:
        answer = requests.get(f"{url}/price", timeout=5)
    except requests.ConnectionError:
        fallback = 7
        return fallback
    return answer.json()["price"]


def never():
    return None
"""

SERVICE = """\
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import shop


class Front(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"price": shop.price(sys.argv[1])}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Front)
print(server.server_port, flush=True)
server.serve_forever()
"""

TEST = """\
import requests_mock
import shop


def test_price():
    with requests_mock.Mocker() as mocker:
        mocker.get("http://shop/price", json={"price": 7})
        assert shop.price("http://shop") == 7
"""

TEST_OF_A_SERVICE = """\
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import requests


class Prices(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"price": 7}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def front():
    server = HTTPServer(("127.0.0.1", 0), Prices)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    command = [sys.executable, "service.py", url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.terminate()
    process.wait()
    server.shutdown()
    server.server_close()


def test_front(front):
    assert requests.get(front, timeout=10).json() == {"price": 7}
"""


class Done(Protocol):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A shop with a fallback that its own test never needs."""
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_shop.py").write_text(TEST)
    return tmp_path


def covered(done: Done) -> dict[str, Any]:
    """The coverage of each file in a JSON report."""
    return {file["filename"]: file for file in json.loads(done.stdout)["coverage"]["files"]}


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_lines_that_only_faults_reach_are_told(project: Path, socrates: Run, executor: str) -> None:
    flags = ["--coverage", "--executor", executor, "--output-format", "json"]
    done = socrates(project, "amplify", "--faults", "connection-error", *flags)
    assert covered(done) == {
        "shop.py": {
            "filename": "shop.py",
            "statements": 10,
            "suite": 6,
            "amplified": 9,
            "added": [7, 8, 9],
            "suite_lines": "1, 4-6, 10, 13",
        }
    }


def test_a_service_in_a_process_of_its_own_is_covered_too(project: Path, socrates: Run) -> None:
    (project / "test_shop.py").write_text(TEST_OF_A_SERVICE)
    (project / "service.py").write_text(SERVICE)
    flags = ["--gate", "off", "--coverage", "--output-format", "json"]
    done = socrates(project, "amplify", "--faults", "connection-error", *flags)
    assert covered(done)["shop.py"]["added"] == [7, 8, 9]


def test_what_the_project_leaves_out_is_left_out(project: Path, socrates: Run) -> None:
    (project / "pyproject.toml").write_text('[tool.coverage.run]\nomit = ["shop.py"]\n')
    flags = ["--coverage", "--output-format", "json"]
    done = socrates(project, "amplify", "--faults", "connection-error", *flags)
    assert covered(done) == {}


def test_without_the_flag_nothing_is_measured(project: Path, socrates: Run) -> None:
    done = socrates(project, "amplify", "--faults", "connection-error", "--output-format", "json")
    assert json.loads(done.stdout)["coverage"] is None


def test_it_does_not_go_with_results_of_earlier_runs(project: Path, socrates: Run) -> None:
    done = socrates(project, "amplify", "--coverage", "--resume")
    assert (done.returncode, "--coverage and --resume" in done.stderr) == (2, True)


def test_a_missing_coverage_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(SocratesError, match=r"install socrates-lint\[coverage\]"):
        check_available()


def test_an_old_coverage_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "7.6.12")
    with pytest.raises(SocratesError, match=r"7\.6\.12 is too old"):
        check_available()


def test_it_does_not_go_with_a_cluster() -> None:
    with pytest.raises(SocratesError, match="--executor ray"), measuring("ray"):
        pytest.fail("nothing was said")


@pytest.mark.parametrize(
    ("lines", "shown"),
    [((), ""), ((4,), "4"), ((4, 5, 6), "4-6"), ((1, 3, 4, 9), "1, 3-4, 9")],
)
def test_lines_are_shown_as_ranges(lines: tuple[int, ...], shown: str) -> None:
    assert ranges(lines) == shown


COVERED = Coverage((FileCoverage("shop.py", 10, 6, (7, 8)), FileCoverage("cart.py", 10, 10)))


def test_people_read_the_sum_and_what_was_added() -> None:
    told = text.render(RunResult(coverage=COVERED), ReportContext(Path.cwd()))
    assert told.splitlines()[:2] == [
        "coverage: 80.0 % by the suite, 90.0 % with runs under faults",
        "  shop.py  +2: 7-8",
    ]


def test_the_page_has_every_file() -> None:
    page = html.render(RunResult(coverage=COVERED), ReportContext(Path.cwd()))
    assert ("shop.py" in page, "cart.py" in page, "7-8" in page) == (True, True, True)
