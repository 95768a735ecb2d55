"""Runs one test of a fresh pytest process. A pytest plugin, loaded by the subprocess executor."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.executors.in_test import handed
from socrates_amplify.executors.in_test.collecting import collection_error, listing_of
from socrates_amplify.executors.in_test.ending import ending_process, run_item
from socrates_amplify.executors.in_test.together import run_together
from socrates_amplify.executors.pipe import OUTCOMES, pack
from socrates_amplify.executors.request import GroupRequest, Request
from socrates_amplify.extensions.collect import for_test_process
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.serial import outcome_to_json
from socrates_amplify.originals import Files, JsonText

HOME_VARIABLE = "SOCRATES_AMPLIFY_HOME"


class SingleRun:
    """Takes the place of pytest's loop: lists the tests, and runs the one asked for, if any."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._errors.append(collection_error(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Tell what was collected; run the requested test."""
        request_file, group_file = self._home / "request.json", self._home / "group.json"
        if group_file.exists():
            with ending_process():
                group = GroupRequest.from_json(JsonText.loads(Files.read_bytes(group_file)))
                items = {item.nodeid: item for item in session.items}
                run_together(
                    [items[nodeid] for nodeid in group.nodeids],
                    group,
                    for_test_process(),
                    self._add,
                )
        if not request_file.exists():
            tests = {
                "tests": listing_of(session),
                "errors": self._errors,
                "rootdir": str(session.config.rootpath),
            }
            self._write("tests.json", tests)
            return True
        with ending_process():
            asked = JsonText.loads(Files.read_bytes(request_file))
            request = Request.from_json(asked["request"])
            item = next(item for item in session.items if item.nodeid == request.nodeid)
            run_item(item, request, asked["limit"], for_test_process(), self._report)
        return True

    def _report(self, outcome: Outcome) -> None:
        self._write("outcome.json", outcome_to_json(outcome))

    def _add(self, nodeid: str, outcome: Outcome) -> None:
        body = JsonText.dumps(outcome_to_json(outcome)).encode()
        Files.append_bytes(self._home / OUTCOMES, pack({"nodeid": nodeid}, body))

    def _write(self, name: str, value: object) -> None:
        part = self._home / f"{name}.part"
        Files.write_bytes(part, JsonText.dumps(value).encode())
        Files.replace(part, self._home / name)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """See ``handed``."""
    handed.take(early_config, HOME_VARIABLE)


def pytest_configure(config: pytest.Config) -> None:
    """Take the request of the executor that started this process."""
    home = handed.taken(config)
    if home:
        config.pluginmanager.register(SingleRun(Path(home)), "socrates-single-run")
