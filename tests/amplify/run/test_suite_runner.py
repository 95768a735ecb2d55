"""What a run warns of before its first test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import pytest

from socrates_amplify.probes.base import Probe
from socrates_amplify.run.suite_runner import what_to_know

WITHOUT = (
    "no framework that can be faulted is installed here (pykka, http); only orders of threads and "
    "of asyncio's tasks can be asked for"
)


@dataclass(frozen=True)
class OneProbe:
    """A probe as far as it is asked before a run."""

    name: str
    is_there: bool = False
    warning: str = ""

    def available(self) -> bool:
        """Whether its framework is installed."""
        return self.is_there

    def warnings(self) -> Sequence[str]:
        """What it says of itself."""
        return [self.warning] if self.warning else []


@pytest.mark.parametrize(
    ("probes", "around", "told"),
    [
        ([OneProbe("pykka"), OneProbe("http"), OneProbe("orders", True)], False, [WITHOUT]),
        ([OneProbe("pykka"), OneProbe("http", True)], False, []),
        ([OneProbe("pykka"), OneProbe("http")], True, []),
        (
            [OneProbe("http", True, "urllib3 1.x is left alone")],
            False,
            ["urllib3 1.x is left alone"],
        ),
    ],
    ids=["no framework", "one framework", "circumstances", "a warning of its own"],
)
def test_warnings_before_the_first_test(
    probes: list[OneProbe], around: bool, told: list[str]
) -> None:
    assert list(what_to_know(cast("list[Probe]", probes), around)) == told
