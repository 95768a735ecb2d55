"""Live progress on stderr: tests, executions, budget and the question of the moment.

Only on a terminal; elsewhere nothing is written at all.
"""

from __future__ import annotations

from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from socrates_amplify.analysis import Question
from socrates_amplify.faults import Scenario
from socrates_amplify.outcomes import Outcome
from socrates_amplify.report.explain import shorten
from socrates_amplify.report.text import printable


class Progress:
    """Hears of everything that a run does and shows where it is; also a gateway's observer."""

    def __init__(self, console: Console, *, enabled: bool) -> None:
        self._live = (
            Live(console=console, transient=True, refresh_per_second=8, redirect_stdout=False)
            if enabled and console.is_terminal
            else None
        )
        self._budget = 0
        self._total = 0
        self._done = 0
        self._executions = 0
        self._asked = 0
        self._defects = 0
        self._test = ""
        self._hypothesis = ""

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def doing(self, what: str) -> None:
        """Something that is no test is under way."""
        self._test, self._hypothesis = what, ""
        self._refresh()

    def collected(self, tests: int, budget: int) -> None:
        """So many tests are to be looked at, with so many executions for each."""
        self._total, self._budget = tests, budget
        self._refresh()

    def started(self, nodeid: str) -> None:
        """A test is being looked at; first its runs without faults."""
        self._test, self._hypothesis, self._asked = nodeid, "without faults", 0
        self._refresh()

    def finished(self, defects: int) -> None:
        """The test is done."""
        self._done += 1
        self._defects += defects
        self._refresh()

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """An execution is about to start."""
        count = "1 fault" if len(scenario) == 1 else f"{len(scenario)} faults"
        self._hypothesis = f"{hypothesis or 'what if'} ({count})"
        self._refresh()

    def answered(self, question: Question, outcome: Outcome) -> None:
        """An answer arrived."""
        if not question.cached:
            self._executions += 1
            self._asked += 1
        self._refresh()

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.update(self.view())

    def view(self) -> Group:
        """What is on the screen now."""
        bar = Table.grid(padding=(0, 1))
        bar.add_row(
            ProgressBar(total=max(1, self._total), completed=self._done, width=24),
            Text(f"{self._done}/{self._total} tests", style="bold"),
            Text(f"executions {self._executions}"),
            Text(f"budget {self._asked}/{self._budget}", style="dim"),
            Text(f"defects {self._defects}", style="red" if self._defects else "dim"),
        )
        now = Text.assemble(
            (shorten(printable(self._test), 70), "cyan"),
            "  ",
            (shorten(printable(self._hypothesis), 70), "dim"),
            no_wrap=True,
            overflow="ellipsis",
        )
        return Group(bar, now)
