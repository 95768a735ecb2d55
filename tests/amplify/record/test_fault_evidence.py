"""What is kept when a fault strikes, in a test that watches for blocking calls."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from socrates_amplify.model.faults import Fault
from socrates_amplify.record import fault_evidence
from socrates_amplify.record.fault_evidence import FaultEvidence
from socrates_amplify.record.whose import Roles


@pytest.mark.parametrize("before", [False, True])
def test_files_that_we_read_are_not_taken_for_what_the_test_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    watching = ModuleType("blockbuster.blockbuster")
    skip = watching._skip = SimpleNamespace(value=before)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "blockbuster.blockbuster", watching)
    seen: list[bool] = []
    original = fault_evidence.injection
    monkeypatch.setattr(
        fault_evidence, "injection", lambda *a: (seen.append(skip.value), original(*a))[1]
    )
    roles = Roles(str(tmp_path), __file__)
    FaultEvidence().struck(Fault("t", "duplicate"), sys._getframe(), roles)
    assert (seen, skip.value) == ([True], before)
