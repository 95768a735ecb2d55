"""``socrates trace``: the messages of one test, without any fault."""

from __future__ import annotations

import argparse
from pathlib import Path

import socrates.session
from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates_amplify.commands import output
from socrates_amplify.executors.base import Suite
from socrates_amplify.model.results import TracedTest
from socrates_amplify.report import TRACES
from socrates_amplify.report.words import printable
from socrates_amplify.run.session import asked_with, code_of, settings_of
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.store.store import Store


def run(args: argparse.Namespace) -> int:
    """Show the trace of every test that the node id names; parameters make it several."""
    context = output.stdout_context(args)
    settings = settings_of(socrates.session.prepare((args.nodeid,)), {})
    suite = Suite(Path.cwd(), (args.nodeid,), tuple(args.passthrough), settings.probes)
    with SuiteRunner(suite, None, settings.executor) as runner:
        if not runner.tests:
            raise SocratesError(f"{args.nodeid}: no tests were collected")
        code = asked_with(code_of(runner.rootdir, settings), suite.pytest_args)
        with Store.open(runner.rootdir) as store:
            for nodeid in runner.tests:
                control = runner.control_runs(nodeid)
                store.add_control_runs(code, nodeid, control.outcomes)
                if control.status in ("failing", "flaky", "not-run"):
                    terminal.note(printable(f"{nodeid} is {control.status}: {control.note}"))
                traced = TracedTest(nodeid, control.trace)
                terminal.write_stdout(TRACES.render(traced, args.output_format, context))
        for warning in runner.heard:
            terminal.note(f"warning: {printable(warning)}")
        return terminal.report_failures(runner.failures)
