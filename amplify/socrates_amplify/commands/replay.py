"""``socrates replay``: runs the test of a scenario file under its faults, in the user's terminal."""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console

import socrates.session
from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates.files import temporary
from socrates.plugins import iter_errors
from socrates_amplify.commands import output
from socrates_amplify.executors.alarm import ALARM
from socrates_amplify.executors.answers import outcome_of
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.launch import pytest_command
from socrates_amplify.executors.replaying import OUTCOME, STARTED, VARIABLE
from socrates_amplify.executors.request import Request
from socrates_amplify.executors.waiting import ends_within
from socrates_amplify.exploration.traces.moved_hosts import hosts_instead, moved
from socrates_amplify.extensions.collect import installed
from socrates_amplify.model.outcomes import HANG, Outcome, Verdict, in_order
from socrates_amplify.record.index import Known
from socrates_amplify.report.console import printed
from socrates_amplify.report.words import printable
from socrates_amplify.run.request import code_of, settings_of
from socrates_amplify.run.suite_runner import known_probes
from socrates_amplify.settings import circumstances_table
from socrates_amplify.settings.circumstances import TABLE
from socrates_amplify.store import scenario_files
from socrates_amplify.store.scenario_files import ScenarioFile
from socrates_amplify.store.scenario_roots import file_of, project_of

_PATIENCE = 20.0
"""Seconds after which a test that hung when its scenario was found counts as hanging."""
_GRACE = 10.0
"""Seconds for the process to say where it waits, before it is killed."""
_PAUSE = 0.05


def run(args: argparse.Namespace) -> int:
    """Replay; 1 while the test breaks, 0 when it survives, 2 when a fault found no target."""
    path: Path = args.scenario
    file = scenario_files.read(path)
    root = project_of(file, path, Path.cwd())
    settings = settings_of(socrates.session.prepare((str(root),)), {})
    extensions = installed()
    known_probes(settings.tables, extensions)
    request = Request(file.nodeid, file.executed, probes=settings.tables, rounds=file.rounds)
    flags = [*(["--pdb"] if args.pdb else []), *(["-q"] if args.quiet else []), *args.passthrough]
    hangs = file.failure is not None and file.failure.type == HANG and not args.pdb
    test = root / file_of(file)
    limit = _PATIENCE if hangs else None
    outcome = _pytest(root, test, request, flags, limit)
    while outcome is not None and (hosts := _moved_since(request, outcome)):
        request = replace(request, known=Known(hosts={**request.known.hosts, **hosts}))
        outcome = _pytest(root, test, request, flags, limit)
    if outcome is None:
        raise SocratesError(f"{file.nodeid} did not run; was it renamed? {path} names it")
    changed = file.code not in ("", code_of(root, settings))
    for notice in outcome.notices:
        if notice.failure is None:
            terminal.note(f"warning: {printable(notice.message)}")
    _tell(file, outcome, changed, args)
    failed = filter(None, (notice.failure for notice in outcome.notices))
    if terminal.report_failures(iter_errors(extensions.failures, failed)):
        return 2
    return {Verdict.FAIL: 1, Verdict.PASS: 0, Verdict.UNRESOLVED: 2}[outcome.verdict]


def _moved_since(request: Request, outcome: Outcome) -> Mapping[str, str]:
    """Hosts of calls that are called something else now, by target: reason to run once more."""
    if outcome.verdict is not Verdict.UNRESOLVED:
        return {}
    hosts = moved(request.scenario, outcome.trace)
    new = {target: host for target, host in hosts.items() if target not in request.known.hosts}
    for fault, (now, *_) in hosts_instead(request.scenario, outcome.trace).items():
        if fault.target in new:
            told = (
                f"{fault.message} went to {now} and not to {fault.receiver}, as hosts do that differ "
                "from run to run; the test runs once more, and the call is found by its call site"
            )
            terminal.note(printable(told))
    return new


def _pytest(
    root: Path, test: Path, request: Request, flags: list[str], limit: float | None
) -> Outcome | None:
    """Run pytest on the file ``test`` in the user's terminal; None when the test was not reached."""
    temporary.clear_abandoned()
    with temporary.folder() as home:
        asked = {"request": replace(request, own=str(home)).to_json(), "limit": limit}
        (home / "request.json").write_text(json.dumps(asked))
        around = circumstances_table.environment(request.probes.get(TABLE, {}), request.scenario)
        suite = Suite(root, (str(test),), tuple(flags), environment=around)
        command, environment = pytest_command(suite, "socrates_amplify.executors.in_test.replay")
        environment[VARIABLE] = str(home)
        with subprocess.Popen(command, cwd=root, env=environment) as process:
            try:
                hung = _hangs(process, home / STARTED, limit)
            except BaseException:
                process.kill()
                raise
        if not (home / STARTED).exists():
            return None
        written = home / OUTCOME
        body = written.read_bytes() if written.exists() else b""
        ended: dict[str, object] = {"hung": hung, "code": process.returncode, "duration": 0.0}
        return outcome_of(ended, body, request.scenario, limit, request.nodeid)


def _hangs(process: subprocess.Popen[bytes], started: Path, limit: float | None) -> bool:
    """Wait until pytest ends; whether it had to be ended, since its test took longer than ``limit``.

    The test's process is told first, so that it can say where it waits. One that does not listen,
    since it is busy in native code or has taken the signal away, is killed.
    """
    if limit is None:
        process.wait()
        return False
    while process.poll() is None and not started.exists():
        time.sleep(_PAUSE)
    if not ends_within(process, limit):
        process.send_signal(ALARM)
        if not ends_within(process, _GRACE):
            process.kill()
        process.wait()
        return True
    return False


def _tell(file: ScenarioFile, outcome: Outcome, changed: bool, args: argparse.Namespace) -> None:
    since = " The code has changed since the scenario was found." if changed else ""
    if outcome.verdict is Verdict.UNRESOLVED:
        terminal.note(printable(f"unresolved: {outcome.reason}.{since} {_way_out(outcome)}"))
        return
    terminal.write_stdout(
        printed(lambda console: _show(console, file, outcome, since), output.stdout_context(args))
    )


def _way_out(outcome: Outcome) -> str:
    """What the user can do when a fault found no target."""
    for fault, hosts in hosts_instead(outcome.scenario, outcome.trace).items():
        return (
            f"{fault.receiver} was not called; {fault.message} went to {', '.join(hosts)}. If hosts "
            "differ from run to run, have the test choose them: by a seed, or as constants."
        )
    return "Run socrates amplify anew."


def _show(console: Console, file: ScenarioFile, outcome: Outcome, since: str) -> None:
    if outcome.verdict is Verdict.PASS:
        console.print(printable(f"{file.nodeid} survives.{since}"), soft_wrap=True)
        return
    for fault in in_order(file.scenario, outcome.trace):
        told = f"{fault.what}  {fault.sender} -> {fault.receiver}  {fault.message}"
        console.print(printable(told), style="red", soft_wrap=True)
    failure = outcome.failure
    how = f": {failure.type}: {failure.message}" if failure else "."
    console.print(printable(f"{file.nodeid} breaks again{how}"), soft_wrap=True)
    if since:
        console.print(since.strip(), soft_wrap=True)
