"""``socrates map``: who talks to whom, by the traces of all tests in the store."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.commands import output
from socrates_amplify.extensions.collect import installed
from socrates_amplify.model.exchanges import Exchange, exchanges_from_json, exchanges_of
from socrates_amplify.report import MAPS, ReportContext
from socrates_amplify.report.system_map import SystemMap, map_of
from socrates_amplify.store.folders import FOLDER
from socrates_amplify.store.store import FILE, Store

_TOPS = (".git", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
"""One of these is at the top of a project; a store elsewhere above is somebody else's."""


def run(args: argparse.Namespace) -> int:
    """Draw the map of the nearest store. Nothing is run."""
    output.check_writable(args.output_file, "--output-file")
    installed()  # plugins may have kinds of faults of their own
    with Store.open(_root(Path.cwd())) as store:
        drawn = _drawn(store)
    if not drawn.exchanges:
        raise SocratesError(
            "no test in the store sent anything; `socrates amplify` says why in its summary"
        )
    context = ReportContext(Path.cwd()) if args.output_file else output.stdout_context(args)
    output.write_text(MAPS.render(drawn, args.output_format, context), args)
    return 0


def _root(cwd: Path) -> Path:
    """The folder of the nearest store: here, or at the top of the project that this is a part of."""
    for folder in (cwd, *cwd.parents):
        is_top = any((folder / name).exists() for name in _TOPS)
        if (folder == cwd or is_top) and (folder / FOLDER / FILE).is_file():
            return folder
        if (folder / ".git").exists():
            break
    raise SocratesError(f"no {FOLDER}/{FILE} here or above; run `socrates amplify` first")


def _drawn(store: Store) -> SystemMap:
    """The last result of each test whose file is still there, whatever code it ran on."""
    root = store.folder.parent
    kept = [test for test in store.latest() if _is_there(root, test.nodeid)]
    newest = store.newest_code()
    tests = [(test.code, exchanges_from_json(test.document.get("exchanges"))) for test in kept]
    tests += [
        (code, exchanges)
        for code, nodeid, exchanges in _only_traced(store)
        if _is_there(root, nodeid)
    ]
    earlier = sum(bool(exchanges) and code != newest for code, exchanges in tests)
    return map_of((exchanges for _, exchanges in tests), earlier)


def _only_traced(store: Store) -> Iterator[tuple[str, str, tuple[Exchange, ...]]]:
    """Tests that were only traced: nothing was tried on what they show, nor can they be relied on."""
    for code, nodeid in store.traced_only():
        for outcome in store.control_runs(code, nodeid)[:1]:
            yield code, nodeid, exchanges_of(nodeid, outcome.trace, clean=False)


def _is_there(root: Path, nodeid: str) -> bool:
    return (root / nodeid.partition("::")[0]).is_file()
