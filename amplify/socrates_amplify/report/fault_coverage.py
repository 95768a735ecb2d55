"""Fault coverage in words, for every report: how much of what traces show was tried."""

from __future__ import annotations

from socrates_amplify.model.exchanges import FaultCoverage
from socrates_amplify.report.words import counted


def line_about(covered: FaultCoverage, fail_under: float = 0.0, left_out: int = 0) -> str:
    """``fault coverage: 75 % (6 of 8 kinds of faults at 3 endpoints)``, and whether that is too little.

    ``left_out`` is the number of tests that were not run: what they send is not known.
    """
    without = f", {counted(left_out, 'test')} not run" if left_out else ""
    told = (
        f"fault coverage: {covered.percent:g} % ({covered.tried} of "
        f"{counted(covered.of, 'kind')} of faults at {counted(covered.places, 'endpoint')}{without})"
    )
    return f"{told}, below {fail_under:g} %" if covered.percent < fail_under else told
