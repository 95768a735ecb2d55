"""Scenario files: a fault scenario with the test that it belongs to, as plain validated JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.outcomes import Failure
from socrates_amplify.model.rounds import ONCE, Rounds
from socrates_amplify.model.serial import (
    Json,
    failure_from_json,
    failure_to_json,
    scenario_from_json,
    scenario_to_json,
)

FORMAT = "socrates-scenario"
VERSION = 1
_MOST_RUNS = 10_000
_MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """What one file says: do these faults to this test, and expect this failure.

    ``rootdir`` is where the node id starts, relative to the folder of the file itself, so that a
    project can be moved; ``code`` is the digest of the code under which it was found.
    """

    nodeid: str
    scenario: Scenario
    failure: Failure | None = None
    rootdir: str = "."
    code: str = ""
    rounds: Rounds = ONCE

    @property
    def name(self) -> str:
        """A short file name, the same for the same test and faults."""
        text = f"{self.nodeid}\n{self.scenario.key}"
        if self.rounds.several:
            text += f"\n{self.rounds}"
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12] + ".json"

    def root(self, path: Path) -> Path:
        """The folder in which the node id starts, for the file at ``path``."""
        return (path.parent / self.rootdir).resolve()


def to_text(file: ScenarioFile) -> str:
    """The JSON text of ``file``: stable, indented, made for reading and for version control."""
    document: Json = {
        "format": FORMAT,
        "version": VERSION,
        "nodeid": file.nodeid,
        "rootdir": file.rootdir,
        "code": file.code,
        **scenario_to_json(file.scenario),
        "failure": failure_to_json(file.failure) if file.failure else None,
    }
    if file.rounds.several:
        document |= {"repeat": file.rounds.repeat, "recovery": file.rounds.recovery}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def from_text(text: str, where: str) -> ScenarioFile:
    """The scenario in ``text``; ``where`` names it in the error when it is not one."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SocratesError(
            f"{where}: not a scenario file, the JSON is broken ({_first_line(error)}); "
            "run socrates amplify to write it anew"
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SocratesError(f'{where}: not a scenario file, "format" must be "{FORMAT}"')
    if document.get("version") != VERSION:
        raise SocratesError(
            f"{where}: scenario version {document.get('version')!r} is not {VERSION}; "
            "run socrates amplify to write it anew"
        )
    texts = {key: document.get(key, "") for key in ("nodeid", "rootdir", "code")}
    for key, value in texts.items():
        if not isinstance(value, str) or "\0" in value:
            raise SocratesError(f'{where}: "{key}" must be a text; run socrates amplify anew')
    if not texts["nodeid"]:
        raise SocratesError(f'{where}: "nodeid" is missing; it names the test to replay')
    failure = document.get("failure")
    return ScenarioFile(
        nodeid=texts["nodeid"],
        scenario=scenario_from_json({"faults": document.get("faults")}, where),
        failure=None if failure is None else failure_from_json(failure, f"{where}: failure"),
        rootdir=texts["rootdir"] or ".",
        code=texts["code"],
        rounds=_rounds(document.get("repeat", 1), document.get("recovery", 0), where),
    )


def _rounds(repeat: object, recovery: object, where: str) -> Rounds:
    if isinstance(repeat, bool) or not isinstance(repeat, int) or not 1 <= repeat <= _MOST_RUNS:
        raise SocratesError(f'{where}: "repeat" must be a whole number from 1 to {_MOST_RUNS}')
    if isinstance(recovery, bool) or not isinstance(recovery, (int, float)) or not recovery >= 0:
        raise SocratesError(f'{where}: "recovery" must be a number of seconds')
    return Rounds(repeat, float(recovery))


def read(path: Path) -> ScenarioFile:
    """The scenario in the file at ``path``."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise SocratesError(f"{path}: too large for a scenario file")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SocratesError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SocratesError(f"{path}: not a scenario file, it is not UTF-8 text") from None
    return from_text(text, str(path))


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
