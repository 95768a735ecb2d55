"""Live progress on stderr: tests, executions, budgets and the questions of the moment.

Only on a terminal; elsewhere nothing is written at all.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Outcome
from socrates_amplify.model.search import Question
from socrates_amplify.report.words import printable, shorten

if TYPE_CHECKING:  # slow to import, and for terminals only
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

_MOST_LINES = 8
"""With more tests under way than this, the rest is only counted."""


def _live(console: Console) -> Live:
    from rich.live import Live

    return Live(console=console, transient=True, refresh_per_second=8, redirect_stdout=False)


class Watch:
    """Where one test is: the observer of its search."""

    def __init__(self, progress: Progress, nodeid: str) -> None:
        self._progress = progress
        self.nodeid = nodeid
        self.hypothesis = "without faults"
        self.asked = 0

    def asking(self, scenario: Scenario, hypothesis: str) -> None:
        """An execution is about to start."""
        count = "1 fault" if len(scenario) == 1 else f"{len(scenario)} faults"
        self.hypothesis = f"{hypothesis or 'what if'} ({count})"
        self._progress.refresh()

    def answered(self, question: Question, outcome: Outcome) -> None:
        """An answer arrived."""
        if not question.cached:
            self.asked += 1
            self._progress.executed()


class Progress:
    """Hears, from any thread, of everything that a run does and shows where it is.

    Without a console, or where it is no terminal, nothing is shown.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._live = _live(console) if console is not None and console.is_terminal else None
        self._lock = threading.Lock()
        self._budget: int | None = 0
        self._until: float | None = None
        self._total = 0
        self._done = 0
        self._executions = 0
        self._defects = 0
        self._doing = ""
        self._tests: dict[str, Watch] = {}

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
        with self._lock:
            self._doing = what
            self._tests.clear()
        self.refresh()

    def collected(self, tests: int, budget: int | None, until: float | None = None) -> None:
        """So many tests are to be looked at, with so many executions for each, or any number.

        ``until`` is when the time budget of the run ends, by the monotonic clock.
        """
        self._total, self._budget, self._until = tests, budget, until
        self.refresh()

    def started(self, nodeid: str) -> Watch:
        """A test is being looked at; first its runs without faults."""
        watch = Watch(self, nodeid)
        with self._lock:
            self._doing = ""
            self._tests[nodeid] = watch
        self.refresh()
        return watch

    def finished(self, nodeid: str, defects: int, *, again: bool = False) -> None:
        """The test is done, with so many new defects; a second search of it does not count."""
        with self._lock:
            self._done += not again
            self._defects += defects
            self._tests.pop(nodeid, None)
        self.refresh()

    def executed(self) -> None:
        """An execution that a search had asked for has come to its end."""
        with self._lock:
            self._executions += 1
        self.refresh()

    def refresh(self) -> None:
        """Show what has changed."""
        if self._live is not None:
            self._live.update(self.view())

    def view(self) -> Group:
        """What is on the screen now."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self._lock:
            tests = list(self._tests.values())
            now = [Text(printable(self._doing), style="cyan")] if self._doing else []
        bar = Table.grid(padding=(0, 1))
        bar.add_row(
            ProgressBar(total=max(1, self._total), completed=self._done, width=24),
            Text(f"{self._done}/{self._total} tests", style="bold"),
            Text(f"executions {self._executions}"),
            Text(f"defects {self._defects}", style="red" if self._defects else "dim"),
            Text(self._time_left(), style="dim"),
        )
        now += [self._line(watch) for watch in tests[:_MOST_LINES]]
        if len(tests) > _MOST_LINES:
            now.append(Text(f"and {len(tests) - _MOST_LINES} more", style="dim"))
        return Group(bar, *now)

    def _time_left(self) -> str:
        """How much of the time budget is left; nothing where there is none."""
        if self._until is None:
            return ""
        left = max(0, round(self._until - time.monotonic()))
        return f"{left // 60}:{left % 60:02} left"

    def _line(self, watch: Watch) -> Text:
        from rich.text import Text

        return Text.assemble(
            (shorten(printable(watch.nodeid), 70), "cyan"),
            f"  budget {watch.asked}/{self._budget or 'any'}  ",
            (shorten(printable(watch.hypothesis), 70), "dim"),
            no_wrap=True,
            overflow="ellipsis",
        )
