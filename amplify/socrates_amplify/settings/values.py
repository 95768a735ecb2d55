"""The types of settings: how a value is written in a settings file and after a flag.

Every reader takes a value of a settings file and ``where``, the key to name, and raises
SocratesError in one line that starts with the key.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Generic, TypedDict, TypeVar

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.rule import OptionType
from socrates.spelling import did_you_mean
from socrates_amplify.settings.jobs import parse_jobs

T = TypeVar("T")

_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")


class Argument(TypedDict, total=False):
    """What ``add_argument`` of argparse is told about a flag."""

    action: str
    type: Callable[[str], object]
    choices: tuple[str, ...]
    dest: str
    default: None
    metavar: str
    help: str


@dataclass(frozen=True, slots=True)
class ValueType(Generic[T]):
    """A type of settings.

    ``option`` is its name in ``socrates config``, ``read`` makes the value of a settings file
    what the amplifier works with, ``argument`` tells argparse how to do so with a flag's text.
    """

    option: OptionType
    read: Callable[[object, str], T]
    argument: Argument


def choice(*valid: str) -> ValueType[str]:
    """One of several words."""

    def read(value: object, where: str) -> str:
        if not isinstance(value, str) or value not in valid:
            hint = did_you_mean(value, valid) if isinstance(value, str) else ""
            raise SocratesError(f"{where} must be one of {', '.join(valid)}, not {value!r}{hint}")
        return value

    return ValueType("str", read, {"choices": valid})


def for_argparse(parse: Callable[[str, str], T]) -> Callable[[str], T]:
    """``parse`` as argparse calls it. Its message loses the place: argparse names the flag itself."""

    def convert(text: str) -> T:
        try:
            return parse(text, "")
        except SocratesError as error:
            raise argparse.ArgumentTypeError(str(error).removeprefix(": ")) from None

    return convert


def parse_duration(text: str, where: str) -> float:
    """Seconds of ``90``, ``45s``, ``10m`` or ``1h30m``."""
    match = _DURATION.fullmatch(text.strip())
    if not match or not any(match.groups()):
        raise SocratesError(f"{where}: {text!r} is no duration; write it like 90s, 10m or 1h30m")
    hours, minutes, seconds = (float(part or 0) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if total <= 0:
        raise SocratesError(f"{where}: {text!r} leaves no time; write it like 90s, 10m or 1h30m")
    return total


def _read_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise SocratesError(f"{where} must be a text, not {value!r}")
    return value


def _read_texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise SocratesError(f"{where} must be a list of texts, not {value!r}")
    return tuple(value)


def _read_bool(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise SocratesError(f"{where} must be true or false, not {value!r}")
    return value


def _read_whole_from(minimum: int) -> Callable[[object, str], int]:
    def read(value: object, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
            raise SocratesError(f"{where} must be a whole number from {minimum} up, not {value!r}")
        return value

    return read


def _read_duration(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise SocratesError(f"{where} must be a duration like 90s or 10m, not {value!r}")
    return parse_duration(str(value), where)


def _read_jobs(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise SocratesError(f"{where} must be a whole number from 1 up, or auto, not {value!r}")
    return parse_jobs(str(value), where)


def _parse_count(text: str, where: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise SocratesError(f"{where}: {text!r} is not a whole number from 1 up")
    return number


def parse_percent(text: str, where: str) -> float:
    """A number from 0 to 100, with or without its sign."""
    try:
        number = float(text.strip().removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:  # nor is it one that is no number
        raise SocratesError(f"{where}: {text!r} is no percentage; write a number from 0 to 100")
    return number


def _read_percent(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise SocratesError(f"{where} must be a number from 0 to 100, not {value!r}")
    return parse_percent(str(value), where)


def _parse_words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


TEXT = ValueType("str", _read_text, {})
BOOL = ValueType("bool", _read_bool, {})
"""The flag is the opposite of the default: ``--coverage``, ``--no-reduction``."""
COUNT = ValueType("int", _read_whole_from(1), {"type": for_argparse(_parse_count)})
NUMBER = ValueType("int", _read_whole_from(0), {"type": int})
DURATION = ValueType("str", _read_duration, {"type": for_argparse(parse_duration)})
PERCENT = ValueType("int", _read_percent, {"type": for_argparse(parse_percent)})
JOBS = ValueType("str", _read_jobs, {"type": for_argparse(parse_jobs)})
WORDS = ValueType("list", _read_texts, {"type": _parse_words})
"""A list whose flag takes all of it, separated by commas."""
TEXTS = ValueType("list", _read_texts, {"action": "append"})
"""A list whose flag takes one text and may be repeated."""
