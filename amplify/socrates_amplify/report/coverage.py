"""What amplified runs covered beyond the suite, for every report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from socrates_amplify.model.coverage import Coverage, FileCoverage
from socrates_amplify.model.serial import Json


def as_document(coverage: Coverage) -> Json:
    """For the JSON report."""
    return {
        "suite": round(coverage.suite, 2),
        "amplified": round(coverage.amplified, 2),
        "files": [
            {
                "filename": file.filename,
                "statements": file.statements,
                "suite": file.suite,
                "amplified": file.amplified,
                "added": list(file.added),
                "suite_lines": ranges(file.suite_lines),
            }
            for file in coverage.files
        ],
    }


def lines_about(coverage: Coverage) -> Iterator[str]:
    """For people: the sum, then each file of which runs under faults covered more."""
    yield (
        f"coverage: {coverage.suite:.1f} % by the suite, "
        f"{coverage.amplified:.1f} % with runs under faults"
    )
    more = _more(coverage)
    width = max((len(file.filename) for file in more), default=0)
    for file in more:
        yield f"  {file.filename.ljust(width)}  +{len(file.added)}: {ranges(file.added)}"


def ranges(lines: Sequence[int]) -> str:
    """``3-5, 9`` for 3, 4, 5 and 9."""
    parts = []
    for _, group in groupby(enumerate(lines), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in group]
        parts.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ", ".join(parts)


def _more(coverage: Coverage) -> list[FileCoverage]:
    return [file for file in coverage.files if file.added]
