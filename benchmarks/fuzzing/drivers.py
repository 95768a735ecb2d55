"""What is done with a mutant, in this process: commands and readers of ours, and their verdicts."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import ClassVar

from fuzzing import seeds
from fuzzing.mutators import as_json, json_mutant, mutant
from socrates.cli import main
from socrates.errors import SocratesError
from socrates.report import FORMATS
from socrates.session import prepare
from socrates_amplify.model.faults import Scenario
from socrates_amplify.run.request import settings_of
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_roots import file_of, project_of
from socrates_amplify.store.store import FILE, FOLDER, Store

ACCEPTED, REFUSED, BROKEN, DIFFERENT = "accepted", "refused", "internal error", "difference"
_DEFECTS = ("internal error", "Socrates itself failed", "plugin '", "Traceback (most recent")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mutant; ``detail`` is for people."""

    said: str
    detail: str = ""


def run(*args: str) -> tuple[int, str, str]:
    """A command of ours in this process: its code, what it printed, what it complained of."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(args)
    return code, out.getvalue(), err.getvalue()


def judged(code: int, out: str, err: str) -> Verdict:
    """Whether a command did what the contract of exit codes and messages says."""
    if code not in (0, 1, 2) or any(sign in err for sign in _DEFECTS):
        return Verdict(BROKEN, f"code {code}: {err[-600:]}")
    if code == 2 and ": error: " not in err:
        return Verdict(BROKEN, f"code 2 without an error: {err[-600:]}")
    return Verdict(REFUSED if code == 2 or "SOC000" in out else ACCEPTED)


class Kind(ABC):
    """One kind of input. ``share`` is its part of all mutants, in percent."""

    name: ClassVar[str]
    share: ClassVar[int]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project()

    def project(self) -> None:
        """A small sound project, and the current folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "tests").mkdir(parents=True)
        self.write("shop.py", seeds.PRODUCTION)
        self.write("conftest.py", seeds.CONFTEST)
        self.write("tests/test_shop.py", seeds.TESTS)
        self.write("socrates.toml", b"")
        os.chdir(self.folder)

    def write(self, name: str, data: bytes) -> Path:
        """Make a file of the project."""
        path = self.folder / name
        path.write_bytes(data)
        return path

    @abstractmethod
    def attempt(self, number: int, rng: Random) -> Verdict:
        """Make mutant ``number`` and hand it over."""

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of what was started."""


class TestFiles(Kind):
    """Test files: checked in every format, every tenth fixed, every fourth compared in batches."""

    name, share = "test files", 40
    target = "tests/test_shop.py"
    words = seeds.PYTHON_WORDS
    batch = 100

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._kept: list[bytes] = []
        self._seeds = self.sound()

    def sound(self) -> list[bytes]:
        """What mutants are made of."""
        return seeds.test_files()

    def attempt(self, number: int, rng: Random) -> Verdict:
        data = mutant(rng.choice(self._seeds), rng, self.words, self._seeds)
        self.write(self.target, data)
        if number % 4 == 0:
            self._kept.append(data)
        verdict = judged(*run("check", *self.options(number)))
        if verdict.said == BROKEN or len(self._kept) < self.batch:
            return verdict
        different = self.compared()
        return Verdict(DIFFERENT, different) if different else verdict

    def options(self, number: int) -> tuple[str, ...]:
        """How a mutant is checked."""
        if number % 10 == 7:
            return ("--no-cache", "-j1", "--fix", "--unsafe-fixes", "--diff")
        chosen = FORMATS[number % len(FORMATS)]
        return ("--no-cache", "-j1", "--output-format", chosen, "--exit-zero")

    def compared(self) -> str:
        """What differs between one process and two, cached and not, over the latest mutants."""
        self.project()
        for number, data in enumerate(self._kept):
            self.place(number, data)
        self._kept.clear()
        check = ("check", "--output-format", "json", "--cache-dir", ".cache")
        runs = {
            "uncached": run(*check, "-j1", "--no-cache"),
            "cached for the first time": run(*check, "-j1"),
            "cached": run(*check, "-j1"),
            "two processes": run(*check, "-j2", "--no-cache"),
        }
        self.project()
        expected = runs["uncached"]
        return ", ".join(name for name, said in runs.items() if said != expected)

    def place(self, number: int, data: bytes) -> None:
        """Put a mutant beside the others."""
        self.write(f"tests/test_{number}.py", data)


class ProductionFiles(TestFiles):
    """Modules that tests use: the unit under test, and conftest.py."""

    name, share = "production files", 4
    batch = 5

    def sound(self) -> list[bytes]:
        return [seeds.PRODUCTION, seeds.CONFTEST]

    def attempt(self, number: int, rng: Random) -> Verdict:
        self.target = rng.choice(("shop.py", "conftest.py"))
        self.project()
        return super().attempt(number, rng)

    def place(self, number: int, data: bytes) -> None:
        for name, content in (
            *(("shop.py", data), ("conftest.py", data)),
            *(("test_shop.py", seeds.TESTS), ("pyproject.toml", b"")),
        ):
            folder = self.folder / f"part{number}"
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)


class Settings(Kind):
    """Settings of ours and of pytest, and ignore files of git."""

    name, share = "settings", 18

    def attempt(self, number: int, rng: Random) -> Verdict:
        name = rng.choice(list(seeds.SETTINGS))
        others = list(seeds.SETTINGS.values())
        data = mutant(seeds.SETTINGS[name], rng, seeds.SETTINGS_WORDS, others)
        path = self.write(name, data)
        try:
            asked = ("--show-settings",) if number % 4 == 0 else ("--show-files",)
            verdict = judged(*run("check", *(asked if number % 3 else ("--no-cache", "-j1"))))
            if verdict.said == ACCEPTED:
                with contextlib.suppress(SocratesError):
                    settings_of(prepare(()), {})
            return verdict
        finally:
            path.unlink()
            (self.folder / "socrates.toml").touch()


class Baselines(Kind):
    """Baselines: read by ``check``, and written over by ``baseline``."""

    name, share = "baselines", 6

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        run("baseline", "--no-cache", "-q")
        (self._file,) = folder.glob("*baseline*.json")
        self._sound = json.loads(self._file.read_bytes())
        self.write("socrates.toml", f'baseline = "{self._file.name}"\n'.encode())

    def attempt(self, number: int, rng: Random) -> Verdict:
        self._file.write_bytes(as_json(json_mutant(self._sound, rng), rng))
        command = ("baseline", "-q") if number % 5 == 0 else ("check", "-j1", "--exit-zero")
        return judged(*run(*command, "--no-cache"))


class Scenarios(Kind):
    """Scenario files: whatever is accepted is a test inside the project, and is written again."""

    name, share = "scenario files", 16

    def attempt(self, number: int, rng: Random) -> Verdict:
        folder = self.folder / ".socrates" / "scenarios"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "one.json"
        path.write_bytes(as_json(json_mutant(seeds.scenario(), rng), rng))
        try:
            file = scenario_files.read(path)
            again = scenario_files.from_text(scenario_files.to_text(file), "again")
            root = project_of(file, path, self.folder)
        except SocratesError as error:
            is_told = "\n" not in str(error) and str(error).startswith((str(path), "again"))
            return Verdict(REFUSED if is_told else BROKEN, str(error))
        test = os.path.realpath(root / file_of(file))
        if again != file or not test.startswith(f"{root}{os.sep}") or file.nodeid.startswith("-"):
            return Verdict(DIFFERENT, f"{file.nodeid} in {root}")
        return Verdict(ACCEPTED)


class Stores(Kind):
    """Stores: bytes of the file, and rows of its tables."""

    name, share = "stores", 4
    code, nodeid = "code", "tests/test_shop.py::test_a"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        with Store.open(folder) as store:
            store.add_outcome(self.code, self.nodeid, seeds.outcome())
            store.add_control_runs(self.code, self.nodeid, [seeds.outcome()])
            store.add_test(self.code, self.nodeid, "defective", {"a": 1})
        file = folder / FOLDER / FILE
        with contextlib.closing(sqlite3.connect(file)) as connection, connection:
            for table in ("outcomes", "tests"):
                connection.execute(f"UPDATE {table} SET finished = 1.0")  # mutants are repeatable
        self._sound = file.read_bytes()

    def attempt(self, number: int, rng: Random) -> Verdict:
        shutil.rmtree(self.folder / FOLDER)
        (self.folder / FOLDER).mkdir()
        path = self.folder / FOLDER / FILE
        if number % 2:
            path.write_bytes(mutant(self._sound, rng, ("SQLite format 3\0", "CREATE"), [b"x"]))
        else:
            path.write_bytes(self._sound)
            _change_row(path, rng)
        try:
            with Store.open(self.folder) as store:
                found = store.outcome(self.code, self.nodeid, seeds.outcome().scenario)
                store.control_runs(self.code, self.nodeid)
                store.statuses(self.code)
                store.last(self.code, self.nodeid, Scenario())
                store.known(self.code, self.nodeid)
                store.add_outcome(self.code, self.nodeid, seeds.outcome())
        except SocratesError as error:
            return Verdict(REFUSED, str(error))
        return Verdict(REFUSED if found is None or store.warnings else ACCEPTED)


def _change_row(path: Path, rng: Random) -> None:
    """One value of one table is another, or the schema is."""
    values = (None, 1, -1.5, "x", b"", b"\0" * 9, "\ud800".encode("utf-8", "surrogatepass"))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
        table = rng.choice([name for name in tables if not name.startswith("sqlite")])
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        column = rng.choice(columns or ["x"])
        rows = connection.execute(f'SELECT "{column}" FROM "{table}"').fetchall()
        value = rows[0][0] if rows else b""
        if isinstance(value, bytes) and rng.random() < 0.7:
            changed: object = mutant(value, rng, (), [value])
        elif isinstance(value, str) and rng.random() < 0.7:
            data = mutant(value.encode(), rng, (), [b"x"])
            changed = data.decode("utf-8", "replace")
        else:
            changed = rng.choice(values)
        with contextlib.suppress(sqlite3.Error):
            connection.execute(f'UPDATE "{table}" SET "{column}" = ?', (changed,))


class Reports(Kind):
    """JSON reports and durations that ``merge`` is given."""

    name, share = "reports", 4

    def attempt(self, number: int, rng: Random) -> Verdict:
        report = {
            "version": 1,
            "summary": {
                "tests": 1,
                "executions": 3,
                "duration": 1.5,
                "errors": [],
                "shard": {"index": 1, "count": 2, "plan": "p"},
            },
            "tests": [
                {
                    "nodeid": "tests/test_shop.py::test_a",
                    "status": "defective",
                    "smells": [],
                    "targets": 2,
                    "faults": 3,
                    "executions": 3,
                    "duration": 0.5,
                    "defects": [
                        {
                            "faults": seeds.scenario()["faults"],
                            "failure": seeds.scenario()["failure"],
                            "replay": "socrates replay .socrates/scenarios/one.json",
                        }
                    ],
                }
            ],
            "groups": [],
        }
        path = self.write("report.json", as_json(json_mutant(report, rng), rng))
        formats = ("text", "json", "junit", "sarif")
        options = ("--output-format", formats[number % len(formats)], "--allow-missing")
        code, out, err = run("merge", str(path), *options)
        is_part = code == 2 and "is missing; its tests are in no report" in err
        return judged(0 if is_part else code, out, err)


def kinds() -> Iterator[type[Kind]]:
    """All kinds that run in this process."""
    yield from (TestFiles, ProductionFiles, Settings, Baselines, Scenarios, Stores, Reports)
