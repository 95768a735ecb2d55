"""Some hundred mutants: nothing that a project holds gets past us."""

# socrates: ignore-file[SOC105] the command of this project is what is tested

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    from fuzzing.mutators import mutant

FUZZ = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"


def fuzz(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FUZZ), *args], capture_output=True, text=True, timeout=600
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_mutant_gets_past_us() -> None:
    ran = fuzz("--mutants", "600")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout


@pytest.mark.parametrize("seed", range(20))
def test_the_same_mutant_is_made_again(seed: int) -> None:
    once, again = (mutant(b"a = [1]\nb = 2\n", Random(seed), ["x"], [b"y"]) for _ in range(2))
    assert once == again
