"""Has Python processes that the code under test starts load our probes."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from socrates_amplify.probes.patching import Patches

BOOTSTRAP = str(Path(__file__).parents[2] / "started_process" / "bootstrap")

Variables = Callable[[], Mapping[str, str]]
"""The environment variables that a process needs in order to connect; asked for when one starts."""

_ENV = 10
"""The place of ``env`` among the arguments of ``Popen``, counted after ``self``."""


def patch_processes(patches: Patches, variables: Variables) -> None:
    """Patch ``Popen``, which asyncio uses too, and the way in which multiprocessing spawns."""
    original = subprocess.Popen.__init__

    def init(popen: Any, args: Any, *rest: Any, **kwargs: Any) -> None:
        given = kwargs.get("env")
        if len(rest) < _ENV and is_python(args, kwargs.get("executable"), kwargs.get("shell")):
            kwargs["env"] = with_hooks(os.environ if given is None else given, variables())
        original(popen, args, *rest, **kwargs)

    patches.set(subprocess.Popen, "__init__", init)
    _patch_spawning(patches, variables)


def _patch_spawning(patches: Patches, variables: Variables) -> None:
    import multiprocessing.util as util

    original = util.spawnv_passfds

    def spawnv_passfds(path: Any, args: Any, passfds: Any) -> int:
        # It passes this process' environment on, so the environment is changed meanwhile.
        before = dict(os.environ)
        os.environ.update(with_hooks(before, variables()))
        try:
            return original(path, args, passfds)
        finally:
            for name in os.environ.keys() - before.keys():
                del os.environ[name]
            os.environ.update(before)

    owner: Any = util
    patches.set(owner, "spawnv_passfds", spawnv_passfds)


def with_hooks(env: Mapping[Any, Any], variables: Mapping[str, str]) -> dict[Any, Any]:
    """``env`` with what a Python process needs to load our ``sitecustomize`` first."""
    if not variables or any(isinstance(name, bytes) for name in env):
        return dict(env)
    paths = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path != BOOTSTRAP]
    found = os.pathsep.join([BOOTSTRAP, *filter(None, paths)])
    return {**env, **variables, "PYTHONPATH": found}


def is_python(args: Any, executable: Any = None, shell: Any = False) -> bool:
    """Whether a command starts Python: by the program's name, or by its first line."""
    with suppress(OSError, ValueError, TypeError):
        # ``Popen`` itself raises for a command that makes no sense.
        words = shlex.split(args) if isinstance(args, str) else [os.fspath(word) for word in args]
        words = [os.fsdecode(word) for word in words]
        if shell and not isinstance(args, str):
            words = words[:1]
        program = os.fsdecode(executable) if executable and not shell else words[0]
        if _names_python(program):
            return True
        found = shutil.which(program)
        if found is None:
            return False
        with Path(found).open("rb") as file:
            first = file.readline(200)
        return first.startswith(b"#!") and b"python" in first
    return False


def _names_python(program: str) -> bool:
    name = os.path.basename(program).lower()  # noqa: PTH119
    return program == sys.executable or name.startswith(("python", "pypy"))
