"""What all tests of the amplifier share: small projects, copies of the examples, whole commands."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Protocol

import pytest

from socrates.cli import main
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.fork.executor import ForkExecutor

Patterns = Mapping[str, Sequence[str]]


@pytest.fixture(scope="session", autouse=True)
def bare_pytest() -> Iterator[None]:
    """The many pytest processes that these tests start load no plugin that they don't name.

    Whatever happens to be installed here would else be imported in each of them, which takes ten
    times as long as the tests do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


@pytest.fixture(scope="session")
def alive() -> Callable[[int], bool]:
    """Whether a process runs; one that has ended, but that nobody has waited for yet, does not."""

    def runs(pid: int) -> bool:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
        except (ProcessLookupError, FileNotFoundError):
            return False

    return runs


Project = Callable[..., ForkExecutor]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Write a project and open it with the fork server; closed in the end."""
    opened: list[ForkExecutor] = []

    def open_project(
        files: Mapping[str, str], *pytest_args: str, **tables: Patterns
    ) -> ForkExecutor:
        executor = ForkExecutor(
            suite_of(tmp_path_factory.mktemp("project"), files, pytest_args, tables)
        )
        opened.append(executor)
        return executor

    yield open_project
    for executor in opened:
        executor.close()


def suite_of(
    folder: Path,
    files: Mapping[str, str],
    pytest_args: Sequence[str] = (),
    tables: Mapping[str, Patterns] | None = None,
) -> Suite:
    """A project on disk."""
    for name, text in files.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    if "pytest.ini" not in files:
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    arguments = ("-p", "no:cacheprovider", *pytest_args)
    return Suite(folder, pytest_args=arguments, probes=dict(tables or {}))


@pytest.fixture(scope="session")
def write_suite() -> Callable[..., Suite]:
    """Writes a project to disk, for tests that open it in their own way."""
    return suite_of


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


class Command(Protocol):
    """Runs ``socrates`` in a folder."""

    def __call__(self, cwd: Path, *args: str) -> Done: ...


@pytest.fixture(scope="session")
def socrates() -> Command:
    """``socrates`` in this process, without a terminal. Tests run in processes of their own."""

    def run(cwd: Path, *args: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(cwd)
            patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
            patch.delenv("FORCE_COLOR", raising=False)
            code = main(args)
        return Done(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def python() -> Command:
    """``python -m`` in a process of its own."""

    def run(cwd: Path, *args: str) -> Done:
        command = [sys.executable, "-m", *args]
        done = subprocess.run(
            command, cwd=cwd, input="", capture_output=True, text=True, timeout=120, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def at_terminal(socrates: Command, capfd: pytest.CaptureFixture[str]) -> Command:
    """``socrates`` in this process, with what pytest writes to the terminal that it is handed."""

    def run(cwd: Path, *args: str) -> Done:
        capfd.readouterr()
        done = socrates(cwd, *args)
        written = capfd.readouterr()
        return Done(done.returncode, written.out + done.stdout, written.err + done.stderr)

    return run


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts ``socrates`` in a folder and lets it run; nothing outlives the test."""
    processes: list[subprocess.Popen[str]] = []

    def start(cwd: Path, *args: str, interrupts_ignored: bool = False) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "socrates", *args]
        if interrupts_ignored:
            command = ["sh", "-c", 'trap "" INT; exec "$0" "$@"', *command]
        pipe = subprocess.PIPE
        processes.append(subprocess.Popen(command, cwd=cwd, stdout=pipe, stderr=pipe, text=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate(timeout=120)


@pytest.fixture(scope="session")
def example() -> Callable[[str, Path], Path]:
    """Copies an example into a folder, without what earlier runs left in it."""
    examples = Path(__file__).parents[2] / "examples"
    ignored = shutil.ignore_patterns(".socrates*", "__pycache__")

    def copy(name: str, folder: Path) -> Path:
        return Path(shutil.copytree(examples / name, folder / name, ignore=ignored))

    return copy


@pytest.fixture(scope="session")
def repair() -> Callable[[Path], None]:
    """Repairs a copy of the defective example."""
    repaired = Path(__file__).parents[2] / "examples/accumulator_repaired/warehouse/stock.py"

    def overwrite(project: Path) -> None:
        shutil.copy(repaired, project / "warehouse" / "stock.py")

    return overwrite


@pytest.fixture(scope="session")
def sarif_schema() -> object:
    """The schema of SARIF 2.1.0."""
    path = Path(__file__).parents[1] / "data" / "sarif-schema-2.1.0.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def installed_socrates() -> Callable[[Path, Path], Callable[..., subprocess.CompletedProcess[str]]]:
    """Makes ``socrates`` in a project, as a process that finds the plugins in a folder."""

    def make(site: Path, project: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
        def run(*args: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, "-m", "socrates", *args],
                cwd=project,
                env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )

        return run

    return make


@pytest.fixture(scope="session")
def git() -> Callable[..., None]:
    """Runs git in a folder."""
    if shutil.which("git") is None:
        pytest.skip("no git here")

    def run(folder: Path, *words: str) -> None:
        who = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=folder, check=True, timeout=60)

    return run
