"""The process that hands mutants over: it says before each what it begins, so that a hang is seen.

Started by ``benchmarks/fuzz.py`` as ``python -m fuzzing.child KIND SEED FIRST LAST FOLDER``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from random import Random

from fuzzing.drivers import BROKEN, Kind, Verdict, kinds
from fuzzing.editors import Messages

KINDS: dict[str, type[Kind]] = {kind.name: kind for kind in (*kinds(), Messages)}


def main(name: str, seed: str, first: str, last: str, folder: str) -> None:
    """Hand over mutants ``first`` to ``last`` of a kind; a line of JSON for each on our stdout."""
    say = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    kind = KINDS[name](Path(folder))
    try:
        for number in range(int(first), int(last)):
            try:
                verdict = kind.attempt(number, Random(f"{seed} {name} {number}"))
            except BaseException as error:
                told = traceback.format_exc(limit=-3)
                verdict = Verdict(BROKEN, f"{type(error).__name__}: {told[-900:]}")
            say.write(json.dumps([number, verdict.said, verdict.detail]) + "\n")
            say.flush()
    finally:
        kind.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
