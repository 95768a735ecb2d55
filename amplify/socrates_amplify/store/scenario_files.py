"""Scenario files: a fault scenario with the test that it belongs to, as plain validated JSON.

Every command reads them here. A file may come from somebody else, so what it says is checked before
it is used: known fields only, of bounded number and length, and a node id that can't be taken for
an option of pytest. Where its test may be run is for ``scenario_roots`` to say.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.files import reading
from socrates_amplify.model.faults import Scenario
from socrates_amplify.model.orders import under_control
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
_LONGEST_RECOVERY = 86_400
_MOST_BYTES = 4 * reading.MEGABYTE
_MOST_FAULTS = 1_000
_LONGEST_TEXT = 20_000
"""Characters of any text in a file; those that Socrates writes are shortened to some hundred."""
_FIELDS = frozenset(
    {
        *("format", "version", "nodeid", "rootdir", "code", "faults", "failure"),
        *("controlled", "repeat", "recovery", "aftermath"),
    }
)
_OPTION_SIGNS = ("-", "@")
"""What starts an argument that pytest takes for an option, or for a file of arguments."""


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
    controlled: bool = False
    """The test races, so that it is run under control, though no order is among the faults."""

    @property
    def executed(self) -> Scenario:
        """What a run has to be asked for."""
        return under_control(self.scenario) if self.controlled else self.scenario

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
    if file.controlled:
        document["controlled"] = True
    if file.rounds.several:
        document |= {"repeat": file.rounds.repeat, "recovery": file.rounds.recovery}
    if file.rounds.aftermath:
        document["aftermath"] = True
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
    _check_size(document, where)
    failure = document.get("failure")
    return ScenarioFile(
        nodeid=_nodeid(document, where),
        scenario=scenario_from_json({"faults": document.get("faults")}, where),
        failure=None if failure is None else failure_from_json(failure, f"{where}: failure"),
        rootdir=_text(document, "rootdir", where) or ".",
        code=_text(document, "code", where),
        rounds=_rounds(document, where),
        controlled=_flag(document, "controlled", where),
    )


def _check_size(document: Mapping[str, object], where: str) -> None:
    """Raise SocratesError for unknown fields, too many faults, and texts that are not sound."""
    unknown = sorted(set(document) - _FIELDS)
    if unknown:
        raise SocratesError(f"{where}: a scenario file has no field {_shown(unknown[0])}")
    faults = document.get("faults")
    if isinstance(faults, list) and len(faults) > _MOST_FAULTS:
        raise SocratesError(f"{where}: {len(faults)} faults; a scenario has at most {_MOST_FAULTS}")
    for text in _texts_in(document):
        if len(text) > _LONGEST_TEXT:
            raise SocratesError(
                f"{where}: a text of {len(text)} characters; at most {_LONGEST_TEXT} are read"
            )
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise SocratesError(f"{where}: half a character (a surrogate) in {_shown(text)}")


def _texts_in(document: Mapping[str, object]) -> Iterator[str]:
    """The texts in the places where a scenario file has any; what is elsewhere is refused later."""
    faults = document.get("faults")
    parts = [document, document.get("failure"), *(faults if isinstance(faults, list) else ())]
    for part in parts:
        if isinstance(part, dict):
            yield from part
            yield from (value for value in part.values() if isinstance(value, str))


def _text(document: Mapping[str, object], key: str, where: str) -> str:
    value = document.get(key, "")
    if not isinstance(value, str) or any(unicodedata.category(char) == "Cc" for char in value):
        raise SocratesError(
            f'{where}: "{key}" must be a text without control characters; run socrates amplify anew'
        )
    return value


def _flag(document: Mapping[str, object], key: str, where: str) -> bool:
    value = document.get(key, False)
    if not isinstance(value, bool):
        raise SocratesError(f'{where}: "{key}" must be true or false; run socrates amplify anew')
    return value


def _nodeid(document: Mapping[str, object], where: str) -> str:
    """The node id, if its file is a relative path that stays in its folder and is no option."""
    nodeid = _text(document, "nodeid", where)
    if not nodeid:
        raise SocratesError(f'{where}: "nodeid" is missing; it names the test to replay')
    file = nodeid.partition("::")[0].replace("\\", "/")
    inside = posixpath.normpath(file)
    wrong = (
        not file
        or nodeid.startswith(_OPTION_SIGNS)
        or inside.startswith(("/", "../"))
        or inside == ".."
        or PureWindowsPath(file).drive
    )
    if wrong:
        raise SocratesError(
            f'{where}: "nodeid" must be a test of the project like tests/test_a.py::test_b, '
            f"not {_shown(nodeid)}"
        )
    return nodeid


def _shown(text: str) -> str:
    """A text in an error line: quoted, in ASCII, not too long."""
    return ascii(text if len(text) <= 60 else text[:57] + "...")


def _rounds(document: Mapping[str, object], where: str) -> Rounds:
    repeat, recovery = document.get("repeat", 1), document.get("recovery", 0)
    if isinstance(repeat, bool) or not isinstance(repeat, int) or not 1 <= repeat <= _MOST_RUNS:
        raise SocratesError(f'{where}: "repeat" must be a whole number from 1 to {_MOST_RUNS}')
    number = recovery if isinstance(recovery, (int, float)) else -1
    if isinstance(recovery, bool) or not 0 <= number <= _LONGEST_RECOVERY:
        raise SocratesError(
            f'{where}: "recovery" must be a number of seconds up to {_LONGEST_RECOVERY}'
        )
    return Rounds(repeat, float(number), _flag(document, "aftermath", where))


def read(path: Path) -> ScenarioFile:
    """The scenario in the file at ``path``."""
    try:
        text = reading.read_text(path, _MOST_BYTES)
    except reading.Unreadable as error:
        raise SocratesError(f"{path}: cannot be read: {error}") from None
    except UnicodeDecodeError:
        raise SocratesError(f"{path}: not a scenario file, it is not UTF-8 text") from None
    return from_text(text, str(path))


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
