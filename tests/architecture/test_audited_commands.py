"""Every command is run on a hostile project under an audit hook, and does what its row says at most.

The rows are those of SECURITY.md. What stands between semicolons in the columns *writes* and *runs*
is one of the phrases below, each of which stands for the deeds that it allows.
"""

# socrates: ignore-file[SOC105] pages, hooks and commands of this project are what is tested

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.store.scenario_files import ScenarioFile, to_text
from socrates_amplify.store.store import Store

REPOSITORY = Path(__file__).parents[2]
AUDIT = Path(__file__).parent / "audit"


@dataclass(frozen=True, slots=True)
class Places:
    """Where an audited command may act; ``named`` is what its options name."""

    project: Path
    temporary: Path
    named: Path


WRITES: dict[str, Callable[[Places], tuple[Path, ...]]] = {
    "nothing": lambda at: (),
    "`cache-dir` inside the project": lambda at: (at.project / ".socrates_cache",),
    "test files inside the project": lambda at: (at.project / "tests",),
    "what `--output-file` names": lambda at: (at.named,),
    "what `--output-file`, `--report` and `--write-tests` name": lambda at: (at.named,),
    "the baseline inside the project": lambda at: (at.project / ".socrates-baseline.json",),
    "settings and `.pre-commit-config.yaml` inside the project": lambda at: (
        *(at.project / "pyproject.toml", at.project / "socrates.toml"),
        at.project / ".pre-commit-config.yaml",
    ),
    "`.socrates` inside the project": lambda at: (at.project / ".socrates",),
    "temporary folders": lambda at: (at.temporary,),
    "what pytest and the tests write": lambda at: (at.project,),
}
RUNS = {"nothing of the project": False, "the project's tests": True}
OF_AMPLIFY = "from shop import total\n\n\ndef test_total():\n    assert total() == 3\n"
EVIL = "open({!r}, 'a').write(__name__ + '\\n')\n"
REFUSALS = (b"it leads out of the project", b"No module named 'evil'", b"socrates: unresolved")
"""What the project has deserved."""
SHADOWS = ("rich", "pluggy", "libcst", "yaml", "pygls", "socrates_rules", "evil", "sitecustomize")


def table() -> dict[str, tuple[str, str]]:
    """The columns *writes* and *runs* of each command."""
    page = (REPOSITORY / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`|]+)` \|[^|]*\|([^|]*)\|([^|]*)\|", page, re.MULTILINE)
    return {command: (writes.strip(), runs.strip()) for command, writes, runs in rows}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A project that runs code of its own wherever somebody loads anything of it."""
    project = tmp_path / "project"
    evil = EVIL.format(str(project / "ran"))
    (project / "tests").mkdir(parents=True)
    for name in (*SHADOWS, "setup", "tests/__init__", "tests/test_smelly"):
        (project / f"{name}.py").write_text(evil, "utf-8")
    smelly = (
        "import shop\n\n\ndef test_a():\n    assert shop.total()\n    assert shop.total() == 3\n"
    )
    (project / "tests" / "test_smelly.py").write_text(evil + smelly, "utf-8")
    (project / "shop.py").write_text(f"{evil}\n\ndef total():\n    return 3\n", "utf-8")
    (project / "conftest.py").write_text(evil, "utf-8")
    (project / "pyproject.toml").write_text(
        '[project]\nname = "shop"\n[tool.pytest.ini_options]\npythonpath = ["."]\n', "utf-8"
    )
    installed = project / "evil-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n", "utf-8")
    (installed / "entry_points.txt").write_text("[socrates]\nevil = evil\n", "utf-8")
    (project / "evil.pth").write_text("import evil\n", "utf-8")
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / ".git" / "config").write_text('[core]\nfsmonitor = "touch ran"\n', "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "test_out.py").write_text(smelly, "utf-8")
    (project / "tests" / "test_link.py").symlink_to(tmp_path / "outside" / "test_out.py")
    temporary, named = tmp_path / "temporary", tmp_path / "named"
    temporary.mkdir()
    named.mkdir()
    return Places(project.resolve(), temporary.resolve(), named.resolve())


Deeds = set[tuple[str, str]]
Audited = Callable[..., Deeds]


@pytest.fixture
def audited(places: Places, tmp_path: Path) -> Audited:
    """Run a command in the project and return what it did to the world."""

    def run(*args: str, stdin: bytes = b"") -> Deeds:
        log = tmp_path / "audit.log"
        environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "PYTHONPATH": str(AUDIT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # whatever plugins are installed here
            "AUDIT_LOG": str(log),
            "AUDITED_PROJECT": str(places.project),
            "TMPDIR": str(places.temporary),
        }
        ran = subprocess.run(
            [sys.executable, "-m", "socrates", *args],
            cwd=places.project,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=300,
        )
        assert b"internal error" not in ran.stderr
        assert ran.returncode in (0, 1) or any(sign in ran.stderr for sign in REFUSALS), ran.stderr
        return {tuple(json.loads(line)) for line in log.read_text("utf-8").splitlines()}

    return run


def forbidden(deeds: Deeds, command: str, places: Places) -> list[tuple[str, str]]:
    """What was done and is in no column of the command's row."""
    writes, runs = table()[command]
    allowed = [path for phrase in writes.split("; ") for path in WRITES[phrase](places)]
    loads = RUNS[runs]
    found = []
    for deed, what in sorted(deeds):
        if deed == "write":
            path = Path(what)
            is_allowed = os.devnull == what or any(
                path == place
                or place in path.parents
                or (path.parent == place.parent and _is_new(path))
                for place in allowed
            )
        else:
            is_allowed = loads and deed in ("load", "run", "connect")
        if not is_allowed:
            found.append((deed, what))
    return found


def _is_new(path: Path) -> bool:
    """Whether it is a file that takes the place of another once it is whole."""
    return path.name.startswith(".socrates-new-")


LINTING = {
    "check": ("check", "--output-format", "json", "--output-file", "{named}/report"),
    "check --fix": ("check", "--fix", "--unsafe-fixes", "--no-cache", "--exit-zero"),
    "baseline": ("baseline",),
    "rule": ("rule", "--all"),
    "config": ("config",),
    "docs": ("docs", "checking"),
    "init": ("init", "--yes"),
    "completion": ("completion", "bash"),
}
HOOKS = {
    "socrates-check": ("check", "--force-exclude", "--", "tests/test_smelly.py", "shop.py"),
    "socrates-fix": ("check", "--fix-only", "--force-exclude", "--", "tests/test_smelly.py"),
}


@pytest.mark.parametrize("command", [*LINTING, *HOOKS])
def test_command_that_reads_a_project_does_no_more_than_its_row_says(
    audited: Audited, places: Places, command: str
) -> None:
    args = {**LINTING, **HOOKS}[command]
    deeds = audited(*(arg.format(named=places.named) for arg in args))
    assert forbidden(deeds, command, places) == []


def test_several_processes_load_nothing_of_the_project(audited: Audited, places: Places) -> None:
    for number in range(40):
        (places.project / "tests" / f"test_{number}.py").write_text("# padding\n" * 5000, "utf-8")
    deeds = {(deed, what) for deed, what in audited("check", "--no-cache", "-j2") if deed != "run"}
    assert forbidden(deeds, "check", replace(places, named=places.temporary)) == []


def _messages(*bodies: dict[str, object]) -> bytes:
    texts = [json.dumps({"jsonrpc": "2.0", **body}).encode() for body in bodies]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts)


def test_server_does_no_more_than_its_row_says(audited: Audited, places: Places) -> None:
    path = places.project / "tests" / "test_smelly.py"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    start = {"line": 0, "character": 0}
    asked = {
        "textDocument": {"uri": path.as_uri()},
        "range": {"start": start, "end": start},
        "context": {"diagnostics": []},
    }
    root = {"capabilities": {}, "rootUri": places.project.as_uri()}
    talk = _messages(
        {"id": 1, "method": "initialize", "params": root},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 2, "method": "textDocument/codeAction", "params": asked},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
    assert forbidden(audited("lsp", stdin=talk), "lsp", places) == []


@pytest.fixture
def clean(places: Places) -> Path:
    """A test that may be amplified, where pytest can run; the file of a scenario for it."""
    for name in SHADOWS:
        (places.project / f"{name}.py").unlink()
    (places.project / "tests" / "test_total.py").write_text(OF_AMPLIFY, "utf-8")
    folder = places.project / ".socrates" / "scenarios"
    folder.mkdir(parents=True)
    fault = Fault("t1", "duplicate", "test", "A#1", "Add(1)")
    nodeid = "tests/test_total.py::test_total"
    file = ScenarioFile(nodeid, Scenario.of([fault]), None, "../..", "")
    (folder / "one.json").write_text(to_text(file), "utf-8")
    return folder / "one.json"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["amplify", "trace"])
@pytest.mark.usefixtures("clean")
def test_command_that_runs_tests_does_no_more_than_its_row_says(
    audited: Audited, places: Places, command: str
) -> None:
    deeds = audited(command, "tests/test_total.py::test_total")
    assert forbidden(deeds, command, places) == []


@pytest.mark.slow
def test_replay_does_no_more_than_its_row_says(
    audited: Audited, places: Places, clean: Path
) -> None:
    deeds = audited("replay", str(clean))
    assert forbidden(deeds, "replay", places) == []


def test_merge_does_no_more_than_its_row_says(audited: Audited, places: Places) -> None:
    report = places.project / "report.json"
    test = {"nodeid": "a.py::t", "status": "flaky", "defects": []}
    report.write_text(json.dumps({"version": 1, "summary": {}, "tests": [test]}), "utf-8")
    deeds = audited(
        "merge", str(report), "--output-format", "json", "--output-file", f"{places.named}/report"
    )
    assert forbidden(deeds, "merge", places) == []


def test_drawing_a_map_stays_within_its_row(audited: Audited, places: Places) -> None:
    with Store.open(places.project) as store:
        exchange = {"from": "shop.py", "from_kind": "module", "to": "bank", "channel": "call"}
        told = {"exchanges": [{**exchange, "what": "GET /", "site": "", "kinds": {}}]}
        store.add_test("code", "tests/test_smelly.py::test_a", "resilient", told)
    deeds = audited("map", "--output-format", "svg", "--output-file", f"{places.named}/map.svg")
    assert forbidden(deeds, "map", places) == []


def commands() -> Iterator[str]:
    """The commands that ``socrates --help`` lists."""
    shown = subprocess.run(
        [sys.executable, "-m", "socrates", "--help"], capture_output=True, text=True, timeout=120
    ).stdout
    yield from re.findall(r"^    ([a-z]+)\b", shown, re.MULTILINE)


def test_every_command_has_a_row() -> None:
    assert sorted(set(commands()) - set(table())) == []


def test_every_hook_has_a_row() -> None:
    hooks = (REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8")
    assert sorted(set(re.findall(r"- id: (\S+)", hooks)) - set(table())) == []
