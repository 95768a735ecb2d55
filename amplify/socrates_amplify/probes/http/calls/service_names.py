"""Who is called: a stable name for each address, whatever port the system handed out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from urllib.parse import unquote, urlsplit

from socrates.errors import SocratesError
from socrates_amplify.originals import Files
from socrates_amplify.probes.http.calls.outgoing import host_and_port
from socrates_amplify.record.messages import Actor, Described, Message

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})
_DEFAULT_PORTS = (80, 443)
_MADE_UP = frozenset({"", "testserver", "test", "testclient", "localhost", "127.0.0.1", "app"})
"""Hosts that clients of applications in the same process are given, since some host has to be there."""


class Services:
    """The services of one run by address.

    Each is known by a name that is the same in every run and every version, and shown by one that
    says more where more is known.

    A configured name comes first, then the name under which a traced service was seen to listen.
    Else it is ``host:port``, or ``localhost#1`` where the system chose the port, since that port
    is another one in the next run.
    """

    def __init__(
        self, named: Mapping[str, str], describe: Callable[[Message, object], Described]
    ) -> None:
        self._named = {_address_of(url, name): name for name, url in named.items()}
        self._configured = frozenset(self._named)
        self._describe = describe
        self._numbers: dict[int, int] = {}
        self._actors: dict[str, Actor] = {}
        self._at: dict[str, Actor] = {}
        self._shown: dict[str, str] = {}

    def listening(self, port: int, hint: str, shown: str = "") -> str:
        """A service listens on this port of this machine; the name that it is known by."""
        address = ("localhost", port)
        if address not in self._named and hint:
            self._named[address] = _fresh(hint, self._named.values())
            self._at.clear()
        name = self.name_of("localhost", port)
        if shown not in ("", hint) and address not in self._configured:
            self._show(name, shown)
        return name

    def name_of(self, host: str, port: int) -> str:
        """The name of the service at an address."""
        address = (_host(host), port)
        name = self._named.get(address)
        if name is not None:
            return name
        if address[0] == "localhost" and port >= first_free_port():
            # Kept apart: a service that is called before it listens may still say its name.
            number = self._numbers.setdefault(port, len(self._numbers) + 1)
            return f"localhost#{number}"
        host = unquote(host) or "nowhere"  # clients write the path of a Unix socket so
        return host if port in _DEFAULT_PORTS else f"{host}:{port}"

    def at(self, server: str, application: str = "") -> Actor:
        """The service at an address. Asked at every call, so the answer is remembered.

        An ``application`` that answers in this process gives its name where the address is made up.
        """
        known = self._at.get(server)
        if known is None or application:
            host, port = host_and_port(server)
            name = self.name_of(host, port)
            if application and host in _MADE_UP and (host, port) not in self._named:
                self._show(name, application)
            known = self._at[server] = self.called(name)
        return known

    def called(self, name: str) -> Actor:
        """The service of this name."""
        if name not in self._actors:
            actor = Actor(Services, None, False, self._describe)
            actor.key, actor.address = name, self._shown.get(name, name)
            self._actors[name] = actor
        return self._actors[name]

    def _show(self, name: str, shown: str) -> None:
        """Call the service of this name so from now on, unless it has been called something else."""
        if name not in self._shown:
            taken = {*self._named.values(), *self._shown.values()}
            self._shown[name] = _fresh(shown, taken)
            self.called(name).address = self._shown[name]


def _fresh(stem: str, taken: Collection[str]) -> str:
    names = (stem, *(f"{stem}#{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


@functools.cache
def first_free_port() -> int:
    """The first port that the system may hand out to whoever asks for any."""
    try:
        text = Files.read_bytes("/proc/sys/net/ipv4/ip_local_port_range")
        return int(text.split()[0])
    except (OSError, ValueError, IndexError):
        # Not Linux: the range that the Internet's authority set apart for this.
        return 49152


def _host(host: str) -> str:
    return "localhost" if host.lower() in _LOOPBACK else host.lower()


def _address_of(url: str, name: str) -> tuple[str, int]:
    parts = urlsplit(url if "//" in url else f"//{url}")
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = 0
    if not parts.hostname or not port:
        raise SocratesError(
            f"[tool.socrates.amplify.http.services] {name}: {url!r} is no address; "
            'write it like "http://127.0.0.1:9001" or "reviews.internal:80"'
        )
    return (_host(parts.hostname), port)
