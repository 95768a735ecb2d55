"""``socrates trace``: the messages of one test without any fault, or in which orders they come."""

from __future__ import annotations

import argparse
from pathlib import Path

import socrates.session
from socrates.cli import terminal
from socrates.errors import SocratesError
from socrates_amplify.commands import output
from socrates_amplify.executors.base import Suite
from socrates_amplify.model.orders import order_kind
from socrates_amplify.model.results import TracedTest
from socrates_amplify.report import ORDERS, TRACES
from socrates_amplify.report.words import printable
from socrates_amplify.run.orders_of_test import orders_of_test
from socrates_amplify.run.request import asked_with, code_of, settings_of
from socrates_amplify.run.suite_runner import SuiteRunner
from socrates_amplify.store.store import Store


def run(args: argparse.Namespace) -> int:
    """Show the trace of every test that the node id names; parameters make it several."""
    if args.orders and args.output_format not in ORDERS.choices:
        known = " or ".join(ORDERS.choices)
        raise SocratesError(f"--output-format {args.output_format}: --orders are told as {known}")
    context = output.stdout_context(args)
    settings = settings_of(socrates.session.prepare((args.nodeid,)), {})
    suite = Suite(Path.cwd(), (args.nodeid,), tuple(args.passthrough), settings.tables)
    kinds = (order_kind(),) if args.orders else None
    with SuiteRunner(suite, kinds, settings.executor) as runner:
        if not runner.tests:
            raise SocratesError(f"{args.nodeid}: no tests were collected")
        code = asked_with(code_of(runner.rootdir, settings), suite.pytest_args, settings)
        with Store.open(runner.rootdir) as store:
            for nodeid in runner.tests:
                control = runner.control_runs(nodeid)
                store.add_control_runs(code, nodeid, control.outcomes)
                if control.status in ("failing", "flaky", "not-run"):
                    terminal.note(printable(f"{nodeid} is {control.status}: {control.note}"))
                if args.orders:
                    found = orders_of_test(runner, store, code, nodeid, control, settings)
                    told = ORDERS.render(found, args.output_format, context)
                else:
                    traced = TracedTest(nodeid, control.trace)
                    told = TRACES.render(traced, args.output_format, context)
                terminal.write_stdout(told)
        for warning in runner.heard:
            terminal.note(f"warning: {printable(warning)}")
        return terminal.report_failures(runner.failures)
