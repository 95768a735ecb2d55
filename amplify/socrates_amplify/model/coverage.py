"""Which statements ran, file by file: in the suite, and only under faults."""

from __future__ import annotations

from socrates.classes.lazy import dataclass


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """One file: how many statements it has, how many the suite ran, and which only faults did."""

    filename: str
    statements: int
    suite: int
    added: tuple[int, ...] = ()
    suite_lines: tuple[int, ...] = ()
    """The statements that the suite ran, by line: what several runs covered can be joined."""

    @property
    def amplified(self) -> int:
        """How many statements ran, under faults or not."""
        return self.suite + len(self.added)


@dataclass(frozen=True, slots=True)
class Coverage:
    """All files that were run at all, by name. Tests themselves are left out."""

    files: tuple[FileCoverage, ...] = ()

    @property
    def suite(self) -> float:
        """Per cent of the statements that the suite runs."""
        return self._percent(sum(file.suite for file in self.files))

    @property
    def amplified(self) -> float:
        """Per cent of the statements that run, under faults or not."""
        return self._percent(sum(file.amplified for file in self.files))

    def _percent(self, covered: int) -> float:
        return 100 * covered / (sum(file.statements for file in self.files) or 1)
