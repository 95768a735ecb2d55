"""A copy of the project with an environment of its own: what is changed there touches nothing else."""

from __future__ import annotations

import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from mutation.operators import Mutation

PACKAGES = {
    "socrates": Path("socrates"),
    "socrates_rules": Path("rules/socrates_rules"),
    "socrates_amplify": Path("amplify/socrates_amplify"),
}
_ROOTS = (".", "rules", "amplify")


class Scratch:
    """The copy in ``folder``; its Python finds the copy's packages, and all others as ours does."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.root = folder / "project"
        self.python = self.root / ".venv" / "bin" / "python"
        _copy(project, self.root)
        self._make_environment()
        self._site = next((self.root / ".venv" / "lib").glob("python*/site-packages"))
        paths = [str((self.root / name).resolve()) for name in _ROOTS]
        paths += [path for path in sys.path if _is_foreign(path, project)]
        (self._site / "_scratch.pth").write_text("\n".join(paths) + "\n")
        self._take_from_site()
        for package in PACKAGES.values():
            for path in (self.root / package).rglob("*.py"):
                py_compile.compile(str(path), doraise=True)

    def trace(self, folder: Path) -> None:
        """Have every interpreter of the copy mark in ``folder`` what it executes."""
        shutil.copytree(Path(__file__).parent, self._site / "mutation", dirs_exist_ok=True)
        line = f"from mutation import tracing; tracing.start(__import__('pathlib').Path({str(folder)!r}))"
        (self._site / "tracing.pth").write_text(f"import sys; {line}\n")

    @contextmanager
    def changed(self, file: Path, mutation: Mutation) -> Iterator[None]:
        """The copy with one change in it."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        compiled = Path(py_compile.compile(str(path), doraise=True) or "")
        compiled.unlink()
        path.write_text(mutation.apply(text), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")
            py_compile.compile(str(path), doraise=True)

    def fork(
        self, asked: Sequence[Sequence[object]], tests: Sequence[str]
    ) -> Iterator[tuple[int, str]]:
        """Which tests notice which changes in forks of one pytest (see ``forks``)."""
        shutil.copytree(Path(__file__).parent, self._site / "mutation", dirs_exist_ok=True)
        ask, out, names = (self.root.parent / name for name in ("ask", "out", "tests.txt"))
        ask.write_text("".join(f"{json.dumps(one)}\n" for one in asked), encoding="utf-8")
        names.write_text("\n".join(tests) + "\n", encoding="utf-8")
        out.write_text("")
        more = {"MUTANTS_ASKED": str(ask), "MUTANTS_OUT": str(out)}
        self.pytest(["-p", "mutation.forks", f"@{names}"], 60 + 60.0 * len(asked), more)
        for line in out.read_text(encoding="utf-8").splitlines():
            number, by = json.loads(line)
            yield number, by

    def collected(self) -> frozenset[str]:
        """The node ids of all tests; those that were traced long ago may be gone."""
        _, output = self.pytest(["--collect-only", "tests"], 600)
        return frozenset(line for line in output.splitlines() if "::" in line)

    def pytest(
        self, arguments: Sequence[str], limit: float, more: Mapping[str, str] | None = None
    ) -> tuple[int | None, str]:
        """Exit code and output of pytest in the copy; no code when it took longer than ``limit``."""
        command = [str(self.python), "-m", "pytest", "-q", "--tb=no", "-rf", *arguments]
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTEST", "COV_", "COVERAGE", "PYTHON", "VIRTUAL_ENV"))
        }
        # The other modules stay compiled; the changed one is compiled by each process.
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", **(more or {})}
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return None, output
        return process.returncode, output

    def _make_environment(self) -> None:
        venv.create(self.root / ".venv", symlinks=True, with_pip=False)
        mine = Path(sys.prefix) / "bin"
        for script in mine.iterdir():
            target = self.python.parent / script.name
            if target.exists() or not script.is_file():
                continue
            content = script.read_bytes()
            if content.startswith(f"#!{mine}/python".encode()):
                _, _, rest = content.partition(b"\n")
                target.write_bytes(f"#!{self.python}\n".encode() + rest)
                target.chmod(0o755)
            else:
                target.symlink_to(script)

    def _take_from_site(self) -> None:
        """What an interpreter finds only in its own environment.

        Entry points, from what pip has written about the installed project, and libraries that
        start with the interpreter, such as coverage.
        """
        for path in map(Path, sys.path):
            for info in path.glob("socrates_lint-*.dist-info"):
                shutil.copytree(info, self._site / info.name, dirs_exist_ok=True)
            for starter in path.glob("*.pth"):
                if starter.read_text(encoding="utf-8").startswith("import "):
                    shutil.copy(starter, self._site)


def _copy(project: Path, target: Path) -> None:
    """All files that git knows or would know."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=project,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        source = project / name
        if name and source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def _is_foreign(path: str, project: Path) -> bool:
    """Whether a place of ours is to be seen by the copy: libraries, but not the project itself."""
    roots = {str((project / name).resolve()) for name in (*_ROOTS, "benchmarks")}
    return bool(path) and path not in roots and not path.startswith(sys.base_prefix)
