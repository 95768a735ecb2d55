"""What a remote call says: method, address, content and patience, whatever library makes it."""

from __future__ import annotations

import functools
from urllib.parse import unquote, urlsplit

from socrates.classes.lazy import dataclass
from socrates_amplify.lazy_pattern import later
from socrates_amplify.originals import JsonText
from socrates_amplify.record.identity import canonical, digest, scrub

_CLOCK = later(r"(?<==)(?:1[5-9]|2[0-2])[0-9]{8}(?:[0-9]{3}){0,3}(?=&|$)")
"""A parameter that is a time of our days, in seconds or parts of them."""
_LONG = 20_000
"""Bodies beyond this are digested as they are."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One attempt at a call. ``body`` is the digest of what is sent; streams are not looked into.

    ``timeout`` is how many seconds the caller is willing to wait, None when it did not say.
    ``application`` is the name of what answers in this very process, where that is known.
    """

    library: str
    method: str
    url: str
    body: str = ""
    timeout: float | None = None
    application: str = ""

    @property
    def server(self) -> str:
        """The address without its path; cheap, since every call is asked for it."""
        end = self.url.find("/", self.url.find("://") + 3)
        return self.url if end < 0 else self.url[:end]

    @property
    def path(self) -> str:
        """The path, free of what differs from run to run; queries may hold secrets."""
        return _parts(self.url)[0]

    @property
    def label(self) -> str:
        """What people read: method and path."""
        return f"{self.method} {self.path}"

    @property
    def digest(self) -> str:
        """What makes it the same call in another run."""
        path, query = _parts(self.url)
        return digest(f"{self.method} {path}?{query} {self.body}", 8)


def is_http(url: object) -> bool:
    """Whether an address is one of HTTP: a file, data or a scheme of somebody's own is no service."""
    return str(url).partition(":")[0].lower() in ("http", "https")


def host_and_port(server: str) -> tuple[str, int]:
    """What is called at an address."""
    parts = urlsplit(server)
    try:
        port = parts.port
    except ValueError:
        # Nonsense that the library will complain about by itself.
        port = None
    return parts.hostname or "", port or (443 if parts.scheme in ("https", "wss") else 80)


@functools.lru_cache(maxsize=256)
def _parts(url: str) -> tuple[str, str]:
    """Path and query, free of what differs from run to run."""
    rest = url.partition("://")[2].partition("#")[0]
    before, _, query = rest.partition("?")
    _, slash, path = before.partition("/")
    return scrub(slash + path) or "/", _without_clocks(query) if query else ""


def _without_clocks(query: str) -> str:
    """A query without what differs from run to run: times are percent-encoded there, or counted in seconds."""
    return _CLOCK.sub("<time>", scrub(unquote(query)))


def body_digest(body: object) -> str:
    """A digest of a body that is the same in every run. Never raises, never reads a stream."""
    if body is None or (isinstance(body, (str, bytes)) and not body):
        return ""
    if isinstance(body, (bytearray, memoryview)):
        body = bytes(body)
    if isinstance(body, bytes):
        try:
            return digest(_stable(body.decode()))
        except UnicodeDecodeError:
            return digest(body.hex())
    if isinstance(body, str):
        return digest(_stable(body))
    return f"<{type(body).__name__}>"


def _stable(text: str) -> str:
    if len(text) > _LONG:
        return text
    if text[:1] in "{[":
        try:
            return canonical(JsonText.loads(text))
        except (ValueError, RecursionError):
            # No JSON after all: it is digested as text.
            pass
    return scrub(text)
