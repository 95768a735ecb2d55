"""``[tool.socrates.amplify.http]``: names of services, statuses, masks, how long slow is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.model.events import Offer
from socrates_amplify.record.masking import globs_of, masker

REFUSED = "connection-error"
DOWN = "down"
"""To a client this call, and each later one of the service, is a refused one."""
APPLIED = (REFUSED, "timeout", "lost-reply", "status", "slow", DOWN)
"""The kinds that the hooks of clients apply, the first of them where a call has several."""

OF_SERVICE = "service"
"""In place of statuses: 500 and all that the file of the view names, nothing without a source."""

WITHIN = "within"
"""Beside what can happen to a call: the seconds that its caller waits, where that takes time."""

_TABLE = "[tool.socrates.amplify.http]"


@dataclass(frozen=True, slots=True)
class CallSettings:
    """What the user says about remote calls."""

    services: Mapping[str, str] = field(default_factory=dict)
    """Addresses by the name that a service shall have."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where the source of a service is, a file or a folder, by the service's name."""
    statuses: tuple[int | str, ...] = (500, 502, 503)
    """What any service may answer with; ``(OF_SERVICE,)`` for what its whole source can."""
    slow: float = 1.0
    """Seconds that the kind ``slow`` adds to a call."""
    header: bool = True
    """Whether calls carry the header that tells a service what caused them."""
    processes: bool = True
    """Whether Python processes that a test starts are traced too."""
    test_calls: bool = False
    """Whether calls that the test's own files make are faulted, too."""
    honest_timeouts: bool = False
    """Whether a timeout takes as long as the caller said that it would wait."""
    mask: Callable[[str], str] = field(default_factory=masker, compare=False)
    """Hides what must not be shown."""

    def offers(self, timeout: float | None) -> tuple[Offer, ...]:
        """What can happen to a call whose caller waits so long; None for without end."""
        offers = [Offer(REFUSED)]
        if timeout is not None:
            offers += [Offer("timeout"), Offer("lost-reply")]
            if self.honest_timeouts:
                offers.append(Offer(WITHIN, f"{timeout:g}"))
        offers += [Offer("status", str(status)) for status in self.statuses]
        return (*offers, Offer("slow"), Offer(DOWN))


def read_settings(table: Mapping[str, object]) -> CallSettings:
    """The settings in the probe's table; a mistake is one line that names the key."""
    known = {
        "services": _services,
        "sources": _sources,
        "statuses": _statuses,
        "slow": _seconds,
        "header": _flag,
        "processes": _flag,
        "test-calls": _flag,
        "honest-timeouts": _flag,
        "mask": _mask,
    }
    values: dict[str, object] = {}
    for key, value in table.items():
        if key not in known:
            raise SocratesError(f"{_TABLE} {key}: unknown key{did_you_mean(key, known)}")
        values[key.replace("-", "_")] = known[key](value, f"{_TABLE} {key}")
    return CallSettings(**values)  # type: ignore[arg-type]


def _services(value: object, where: str) -> object:
    return _by_name(value, where, 'addresses, such as {reviews = "http://127.0.0.1:9001"}')


def _sources(value: object, where: str) -> object:
    return _by_name(value, where, 'files or folders, such as {reviews = "services/reviews"}')


def _by_name(value: object, where: str, what: str) -> object:
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise SocratesError(f"{where} must name {what}")
    return dict(value)


def _statuses(value: object, where: str) -> object:
    if value == OF_SERVICE:
        return (OF_SERVICE,)
    if not isinstance(value, (list, tuple)) or not all(
        isinstance(status, int) and 400 <= status <= 599 for status in value
    ):
        raise SocratesError(
            f'{where} must be a list of statuses from 400 to 599, or "{OF_SERVICE}", not {value!r}'
        )
    return tuple(value)


def _seconds(value: object, where: str) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise SocratesError(f"{where} must be a number of seconds above 0, not {value!r}")
    return float(value)


def _flag(value: object, where: str) -> object:
    if not isinstance(value, bool):
        raise SocratesError(f"{where} must be true or false, not {value!r}")
    return value


def _mask(value: object, where: str) -> object:
    return masker(globs_of(value, where))
