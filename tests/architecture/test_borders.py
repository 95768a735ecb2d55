"""The linter touches the files of a project in one place, and runs nothing of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

READS = {"read_text", "read_bytes", "open", "fdopen", "readlines"}
WRITES = {
    *("write_text", "write_bytes", "touch", "mkdir", "makedirs", "symlink_to", "hardlink_to"),
    *("unlink", "rmdir", "rmtree", "rename", "chmod", "chown", "truncate", "mkstemp", "mkdtemp"),
    *("NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile", "SpooledTemporaryFile"),
    *("copyfile", "copy2", "copytree", "move"),
}
LOOKS = {"is_file", "is_dir", "exists"}
RUNS = {
    *("exec", "eval", "compile", "import_module", "__import__", "run_path", "run_module"),
    *("system", "popen", "Popen", "check_call", "check_output", "execv", "execve"),
    "ProcessPoolExecutor",
}

ALLOWED = {
    "socrates/files/reading.py": {"open", "read_bytes"},
    "socrates/files/looking.py": {"exists"},
    "socrates/files/writing.py": {"open", "fdopen", "write_bytes", "unlink", "chmod", "chown"},
    "socrates/files/temporary.py": {  # folders of ours, and what the system says of processes
        *("read_text", "read_bytes", "write_text", "mkdtemp", "rmtree"),
    },
    "socrates/docs.py": {"read_text", "write_text", "mkdir", "unlink", "is_file"},  # our own pages
    "socrates/pages.py": {"read_text"},  # our own pages
    "socrates/init/look.py": {"read_text"},  # what pip has noted about our own installation
    "socrates/report/html/page.py": {"read_text"},  # our own style and script
    "socrates/engine/cache.py": {"mkdir"},  # once `writing.inside` has said yes
    "socrates/cli/terminal.py": {  # what the user named, and a report until it is whole
        *("open", "is_dir", "exists", "SpooledTemporaryFile"),
    },
    "socrates/lsp/streams.py": {"fdopen"},  # standard input and output
    "socrates/lsp/features.py": {"open"},  # a document of the editor, no file
    "socrates/discovery/files.py": {"is_dir"},  # of an entry of a listing, guarded
    "socrates/model/python/project.py": {"is_dir"},  # of an entry of a listing
    "socrates/engine/pool.py": {"ProcessPoolExecutor"},  # processes of ours for more files at once
    "socrates/cli/parser.py": {"import_module"},  # our own commands
    "socrates/report/__init__.py": {"import_module"},  # our own formats
    "socrates/fixes/compiles.py": {"compile"},  # to code that is thrown away
    "socrates/syntax/compiling.py": {"compile"},  # likewise
    "socrates/classes/lazy.py": {"exec"},  # assignments to the fields of our own classes
}
"""Who may call what, by the last part of the name that is called."""


@pytest.fixture
def repository() -> Path:
    """The top of this repository."""
    return Path(__file__).parents[2]


@cache
def _called(path: Path) -> frozenset[str]:
    """The last parts of the names that a module calls, but for its own and those of our layer."""
    return frozenset(_calls(list(ast.walk(ast.parse(path.read_bytes())))))


def _calls(nodes: list[ast.AST]) -> Iterator[str]:
    ours = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("socrates")
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if not (isinstance(owner, ast.Name) and owner.id in {"self", "re", *ours}):
                yield node.func.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id not in ours:
                yield node.func.id


@pytest.mark.parametrize("folder", ["socrates", "rules/socrates_rules"])
@pytest.mark.parametrize(
    "kind", [READS, WRITES, LOOKS, RUNS], ids=["reads", "writes", "looks", "runs"]
)
def test_calls_that_touch_the_world_are_in_one_place(
    repository: Path, folder: str, kind: set[str]
) -> None:
    guilty = []
    for path in sorted((repository / folder).rglob("*.py")):
        name = path.relative_to(repository).as_posix()
        found = (_called(path) & kind) - ALLOWED.get(name, set())
        guilty += [f"{name}: {call}" for call in sorted(found)]
    assert guilty == []


def test_nothing_is_allowed_that_nobody_does(repository: Path) -> None:
    idle = [
        f"{name}: {call}"
        for name, calls in ALLOWED.items()
        for call in calls - _called(repository / name)
    ]
    assert idle == []
